/* Scatter plots: points at their places, names that touch neither points nor names. */
#include "chart/internal.h"

#include <math.h>
#include <stdio.h>

#include "base/rng.h"
#include "tests/unit/chart_laid.h"

enum { COUNT = 60 };

static double x[COUNT], y[COUNT];
static char texts[COUNT][32];
static struct str labels[COUNT];
static struct chart_series series[] = {
    {.name = STR_INIT("points"), .x = x, .y = y, .labels = labels, .count = COUNT}};
static struct chart chart = {
    .kind = CHART_SCATTER,
    .x_title = STR_INIT("Share (%)"),
    .y_title = STR_INIT("Minutes"),
    .series = series,
    .series_count = 1,
};

static double middle(const struct laid *laid, size_t i)
{
    struct chart_area area = laid_mark(laid, CHART_ITEM_DOT, 0, i);

    return area.left + area.width / 2;
}

static size_t covered_dots(const struct laid *laid)
{
    size_t covered = 0;

    for (size_t i = 0; i < laid->sheet.count; i++)
        for (size_t j = 0; j < laid->sheet.count; j++)
            covered +=
                laid->sheet.items[i].kind == CHART_ITEM_TEXT &&
                laid->sheet.items[j].kind == CHART_ITEM_DOT &&
                laid->sheet.items[i].tag.role == CHART_ROLE_LABEL &&
                chart_area_overlaps(laid->sheet.items[i].area, laid->sheet.items[j].area);
    return covered;
}

/* The text that begins so, or NULL. */
static const struct chart_item *note(const struct laid *laid, const char *begins)
{
    for (size_t i = 0; i < laid->sheet.count; i++)
        if (laid->sheet.items[i].kind == CHART_ITEM_TEXT &&
            str_starts(laid->sheet.items[i].text, str_from(begins)))
            return &laid->sheet.items[i];
    return NULL;
}

/* Five points in a corner, two far away: each has its name where so much is empty. */
static void check_corner(void)
{
    static const double across[] = {150, 150, 175, 11500, 24000, 190, 70};
    static const double up[] = {1.4, 1.8, 1.6, 155, 233, 14, 5.3};
    static const struct str names[] = {
        STR_INIT("robots"), STR_INIT("craft"),    STR_INIT("kites"), STR_INIT("first"),
        STR_INIT("second"), STR_INIT("language"), STR_INIT("meta")};
    struct chart_series corner = {.x = across, .y = up, .labels = names, .count = 7};
    struct chart of_corner = chart;
    struct laid laid;

    of_corner.series = &corner;
    lay(&laid, &of_corner);
    tap_case("points in a corner: every name has its place");
    for (size_t i = 0; i < ROWS(names); i++)
        CHECK(note(&laid, names[i].ptr) != NULL);
    CHECK(laid_faults(&laid) == 0 && covered_dots(&laid) == 0);
    CHECK(note(&laid, "No room") == NULL);
    laid_free(&laid);
}

int main(void)
{
    struct rng rng = rng_seeded(11);
    struct laid laid;

    for (size_t i = 0; i < COUNT; i++) {
        x[i] = 10 * rng_normal(&rng);
        y[i] = 10 * rng_normal(&rng);
        snprintf(texts[i], sizeof texts[i], "point %zu", i);
        labels[i] = str_from(texts[i]);
    }
    x[0] = 0;
    x[1] = 10;
    x[2] = 30;
    lay(&laid, &chart);
    tap_case("places are as values");
    CHECK_NEAR(middle(&laid, 2) - middle(&laid, 1),
               2 * (middle(&laid, 1) - middle(&laid, 0)), 1e-6);
    CHECK(middle(&laid, 1) > middle(&laid, 0));
    tap_case("names overlap nothing");
    CHECK(laid_faults(&laid) == 0 && covered_dots(&laid) == 0);
    tap_case("most names find a place");
    CHECK(laid_count(&laid, CHART_ITEM_TEXT, CHART_ROLE_LABEL) > COUNT / 3);
    laid_free(&laid);

    tap_case("a few points: all have their names");
    series[0].count = 6;
    lay(&laid, &chart);
    CHECK(laid_count(&laid, CHART_ITEM_TEXT, CHART_ROLE_LABEL) == 6 &&
          laid_faults(&laid) == 0);
    laid_free(&laid);

    tap_case("a point alone: its name is at its right, beside it");
    series[0].count = 1;
    lay(&laid, &chart);
    CHECK(laid_text(&laid, "point 0") != NULL &&
          laid_text(&laid, "point 0")->area.left > middle(&laid, 0) &&
          laid_text(&laid, "point 0")->area.left < middle(&laid, 0) + 5);
    laid_free(&laid);

    tap_case("one place for all: one name at least, no overlap");
    for (size_t i = 0; i < COUNT; i++)
        x[i] = y[i] = 5;
    series[0].count = COUNT;
    lay(&laid, &chart);
    size_t shown = laid_count(&laid, CHART_ITEM_TEXT, CHART_ROLE_LABEL);
    CHECK(shown >= 1 && shown < COUNT && laid_faults(&laid) == 0);
    tap_case("a note says which points have no name");
    const struct chart_item *says = note(&laid, "No room for the names of: ");
    char more[64];
    snprintf(more, sizeof more, " and %zu more.", COUNT - shown - 12);
    CHECK(says != NULL && str_ends(says->text, str_from(more)));
    CHECK(says != NULL &&
          says->area.top > chart_area_bottom(laid_text(&laid, "Share (%)")->area));
    laid_free(&laid);

    tap_case("log: what is not above 0 is left out");
    chart.x_scale = CHART_LOG;
    x[3] = 0;
    y[4] = NAN;
    lay(&laid, &chart);
    CHECK(laid.sheet.left_out == 1);
    tap_case("points on one place are one dot");
    CHECK(laid_count(&laid, CHART_ITEM_DOT, CHART_ROLE_MARK) == 1);
    laid_free(&laid);
    chart.x_scale = CHART_LINEAR;
    check_corner();
    return tap_done();
}
