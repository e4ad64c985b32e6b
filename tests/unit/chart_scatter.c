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

/* Probabilities and how often they are right, near the line where these are equal. */
static void check_equal(void)
{
    static const double sure[] = {0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.97};
    static const double right[] = {0.34, 0.5, 0.52, 0.65, 0.8, 0.84, 1};
    static const struct str names[] = {STR_INIT("0.3 to 0.4"), STR_INIT("0.4 to 0.5"),
                                       STR_INIT("0.5 to 0.6"), STR_INIT("0.6 to 0.7"),
                                       STR_INIT("0.7 to 0.8"), STR_INIT("0.8 to 0.9"),
                                       STR_INIT("0.9 to 1.0")};
    struct chart_series points = {.x = sure, .y = right, .labels = names, .count = 7};
    struct chart of_points = chart;
    const struct chart_item *line = NULL;
    struct laid laid;
    size_t crossed = 0;

    of_points.series = &points;
    of_points.equal = true;
    of_points.x_number = of_points.y_number = CHART_PERCENT;
    lay(&laid, &of_points);
    tap_case("equal: a line through where both axes have the same value");
    for (size_t i = 0; i < laid.sheet.count; i++) {
        const struct chart_item *item = &laid.sheet.items[i];
        if (item->kind == CHART_ITEM_PATH && item->tag.role == CHART_ROLE_GRID &&
            item->points[0].x != item->points[1].x &&
            item->points[0].y != item->points[1].y)
            line = item;
    }
    if (CHECK(line != NULL)) {
        struct chart_area dot = laid_mark(&laid, CHART_ITEM_DOT, 0, 3);
        double part = (dot.left + dot.width / 2 - line->points[0].x) /
                      (line->points[1].x - line->points[0].x);
        CHECK_NEAR(part, 0.65, 1e-6);
        CHECK_NEAR(line->points[0].y + part * (line->points[1].y - line->points[0].y),
                   dot.top + dot.height / 2, 1e-6);
        for (size_t i = 0; i < laid.sheet.count; i++)
            crossed += laid.sheet.items[i].kind == CHART_ITEM_TEXT &&
                       chart_area_crossed(laid.sheet.items[i].area, line->points[0],
                                          line->points[1]);
    }
    tap_case("which no name crosses");
    CHECK(crossed == 0 && laid_faults(&laid) == 0);
    CHECK(laid_count(&laid, CHART_ITEM_TEXT, CHART_ROLE_LABEL) == 7);
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
    check_equal();
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
