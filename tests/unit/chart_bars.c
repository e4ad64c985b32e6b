/* Bars are as long as their values, standing, lying and stacked. */
#include "chart/internal.h"

#include <math.h>

#include "tests/unit/chart_laid.h"

static const struct str names[] = {STR_INIT("Model"), STR_INIT("Data"),
                                   STR_INIT("Training"), STR_INIT("Install")};
static const struct str long_names[] = {
    STR_INIT("Conversion and quantization of models"),
    STR_INIT("Data"),
    STR_INIT("Training on several machines at once"),
    STR_INIT("Installation"),
};
static const double first[] = {100, 50, 25, 0}, second[] = {20, 50, 75, 0};
static const double low[] = {80, 40, 20, 0}, high[] = {120, 60, 30, 5};

static struct chart_series series[] = {
    {.name = STR_INIT("first"), .y = first, .count = 4},
    {.name = STR_INIT("second"), .y = second, .count = 4},
};

static struct chart chart_of(enum chart_kind kind, size_t count)
{
    return (struct chart){
        .kind = kind,
        .y_title = STR("Questions"),
        .categories = names,
        .category_count = 4,
        .series = series,
        .series_count = count,
    };
}

static void check_standing(void)
{
    struct chart chart = chart_of(CHART_BARS, 1);
    struct laid laid;

    lay(&laid, &chart);
    tap_case("standing: heights are as values");
    CHECK(laid_mark(&laid, CHART_ITEM_BOX, 0, 0).height > 50);
    CHECK_NEAR(laid_mark(&laid, CHART_ITEM_BOX, 0, 1).height * 2,
               laid_mark(&laid, CHART_ITEM_BOX, 0, 0).height, 1e-6);
    CHECK_NEAR(laid_mark(&laid, CHART_ITEM_BOX, 0, 2).height * 4,
               laid_mark(&laid, CHART_ITEM_BOX, 0, 0).height, 1e-6);
    CHECK_NEAR(laid_mark(&laid, CHART_ITEM_BOX, 0, 3).height, 0, 1e-9);
    tap_case("standing: on one line");
    CHECK_NEAR(chart_area_bottom(laid_mark(&laid, CHART_ITEM_BOX, 0, 0)),
               chart_area_bottom(laid_mark(&laid, CHART_ITEM_BOX, 0, 1)), 1e-9);
    tap_case("standing: numbers above the bars");
    CHECK(laid_text(&laid, "25") != NULL &&
          chart_area_bottom(laid_text(&laid, "25")->area) <
              laid_mark(&laid, CHART_ITEM_BOX, 0, 2).top);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);
}

static void check_lying(void)
{
    struct chart chart = chart_of(CHART_BARS, 1);
    struct laid laid;

    chart.categories = long_names;
    lay(&laid, &chart);
    tap_case("lying: long names make bars lie down");
    CHECK(laid_mark(&laid, CHART_ITEM_BOX, 0, 0).width > 50);
    CHECK_NEAR(laid_mark(&laid, CHART_ITEM_BOX, 0, 1).width * 2,
               laid_mark(&laid, CHART_ITEM_BOX, 0, 0).width, 1e-6);
    CHECK_NEAR(laid_mark(&laid, CHART_ITEM_BOX, 0, 0).left,
               laid_mark(&laid, CHART_ITEM_BOX, 0, 1).left, 1e-9);
    tap_case("lying: the first category is on top");
    CHECK(laid_mark(&laid, CHART_ITEM_BOX, 0, 0).top <
          laid_mark(&laid, CHART_ITEM_BOX, 0, 1).top);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);
    tap_case("lying: unless told to stand");
    chart.direction = CHART_UPRIGHT;
    lay(&laid, &chart);
    CHECK_NEAR(laid_mark(&laid, CHART_ITEM_BOX, 0, 1).height * 2,
               laid_mark(&laid, CHART_ITEM_BOX, 0, 0).height, 1e-6);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);
}

static void check_intervals(void)
{
    struct chart_series with[] = {
        {.name = STR("a"), .y = first, .low = low, .high = high, .count = 4}};
    struct chart chart = chart_of(CHART_BARS, 1);
    struct laid laid;

    chart.series = with;
    lay(&laid, &chart);
    tap_case("interval: as long as high less low");
    CHECK_NEAR(
        laid_find(&laid, CHART_ITEM_PATH, (struct chart_tag){CHART_ROLE_INTERVAL, 0, 0})
            ->area.height,
        0.4 * laid_mark(&laid, CHART_ITEM_BOX, 0, 0).height, 1e-6);
    tap_case("interval: the number stands above it");
    CHECK(chart_area_bottom(laid_find(&laid, CHART_ITEM_TEXT,
                                      (struct chart_tag){CHART_ROLE_LABEL, 0, 0})
                                ->area) <=
          laid_find(&laid, CHART_ITEM_PATH, (struct chart_tag){CHART_ROLE_INTERVAL, 0, 0})
              ->area.top);
    laid_free(&laid);
}

static void check_groups(void)
{
    struct chart chart = chart_of(CHART_BARS, 2);
    struct laid laid;

    lay(&laid, &chart);
    tap_case("groups: side by side, without overlap");
    CHECK(chart_area_right(laid_mark(&laid, CHART_ITEM_BOX, 0, 0)) <=
          laid_mark(&laid, CHART_ITEM_BOX, 1, 0).left);
    CHECK_NEAR(laid_mark(&laid, CHART_ITEM_BOX, 1, 0).height * 5,
               laid_mark(&laid, CHART_ITEM_BOX, 0, 0).height, 1e-6);
    tap_case("groups: a legend names them");
    CHECK(laid_text(&laid, "first") != NULL && laid_text(&laid, "second") != NULL);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);
}

static void check_stacks(void)
{
    struct chart chart = chart_of(CHART_BARS_STACKED, 2);
    struct laid laid;
    double whole;

    lay(&laid, &chart);
    tap_case("stacks: one on top of the other");
    CHECK_NEAR(chart_area_bottom(laid_mark(&laid, CHART_ITEM_BOX, 1, 0)),
               laid_mark(&laid, CHART_ITEM_BOX, 0, 0).top, 1e-9);
    CHECK_NEAR(laid_mark(&laid, CHART_ITEM_BOX, 1, 2).height,
               3 * laid_mark(&laid, CHART_ITEM_BOX, 0, 2).height, 1e-6);
    laid_free(&laid);

    chart.kind = CHART_BARS_FULL;
    lay(&laid, &chart);
    tap_case("100%%: each category is as high as the plot");
    whole = laid_mark(&laid, CHART_ITEM_BOX, 0, 0).height +
            laid_mark(&laid, CHART_ITEM_BOX, 1, 0).height;
    for (size_t i = 1; i < 3; i++)
        CHECK_NEAR(laid_mark(&laid, CHART_ITEM_BOX, 0, i).height +
                       laid_mark(&laid, CHART_ITEM_BOX, 1, i).height,
                   whole, 1e-6);
    CHECK_NEAR(laid_mark(&laid, CHART_ITEM_BOX, 0, 2).height, whole / 4, 1e-6);
    tap_case("100%%: shares stand inside");
    CHECK(laid_text(&laid, "83%") != NULL && laid_text(&laid, "75%") != NULL);
    tap_case("100%%: nothing of nothing is not drawn");
    CHECK(laid_mark(&laid, CHART_ITEM_BOX, 0, 3).left < 0);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);
}

/* 24 bars: 9% would fit into one, 91% would not. */
static void check_narrow(void)
{
    enum { BARS = 24 };
    struct str years[BARS];
    double small[BARS], large[BARS];
    struct chart_series parts[] = {{.name = STR("small"), .y = small, .count = BARS},
                                   {.name = STR("large"), .y = large, .count = BARS}};
    struct chart chart = chart_of(CHART_BARS_FULL, 2);
    struct laid laid;

    for (size_t i = 0; i < BARS; i++) {
        years[i] = STR("x");
        small[i] = 9;
        large[i] = 91;
    }
    chart.categories = years;
    chart.category_count = BARS;
    chart.series = parts;
    chart.direction = CHART_UPRIGHT;
    tap_case("100%%: numbers that fit into small parts alone are left out");
    for (double width = 8; width < 40; width += 4) {
        chart.width_cm = width;
        lay(&laid, &chart);
        CHECK((laid_text(&laid, "9%") != NULL) == (laid_text(&laid, "91%") != NULL));
        laid_free(&laid);
    }
}

static void check_signs(void)
{
    static const double signs[] = {-40, 20, NAN, -10};
    struct chart_series with[] = {{.name = STR("a"), .y = signs, .count = 4}};
    struct chart chart = chart_of(CHART_BARS, 1);
    struct laid laid;

    chart.series = with;
    lay(&laid, &chart);
    tap_case("below 0: hangs from the line");
    CHECK_NEAR(laid_mark(&laid, CHART_ITEM_BOX, 0, 0).top,
               chart_area_bottom(laid_mark(&laid, CHART_ITEM_BOX, 0, 1)), 1e-9);
    CHECK_NEAR(laid_mark(&laid, CHART_ITEM_BOX, 0, 0).height,
               2 * laid_mark(&laid, CHART_ITEM_BOX, 0, 1).height, 1e-6);
    tap_case("missing: a dash instead of a bar");
    CHECK(laid_text(&laid, "\xE2\x80\x93") != NULL);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);
}

static void check_sizes(void)
{
    static const double nothing[4], huge[] = {1e9, 2.5e9, 3e8, 0};
    struct chart_series with[] = {{.name = STR("a"), .y = nothing, .count = 4}};
    struct chart chart = chart_of(CHART_BARS, 1);
    struct str many[CHART_CATEGORIES_MAX];
    double values[CHART_CATEGORIES_MAX];
    struct laid laid;

    chart.series = with;
    lay(&laid, &chart);
    tap_case("all 0: still a figure");
    CHECK(laid.ok && laid_faults(&laid) == 0);
    laid_free(&laid);

    tap_case("a thousand millions");
    with[0].y = huge;
    lay(&laid, &chart);
    CHECK(laid_text(&laid, "2.5 G") != NULL && laid_faults(&laid) == 0);
    laid_free(&laid);

    for (size_t i = 0; i < ROWS(many); i++) {
        many[i] = long_names[i % 4];
        values[i] = (double)i;
    }
    for (size_t count = 1; count <= ROWS(many); count += 17) {
        tap_case("%zu bars fit on a page", count);
        chart.categories = many;
        chart.category_count = with[0].count = count;
        with[0].y = values;
        lay(&laid, &chart);
        CHECK(laid.ok && laid_faults(&laid) == 0);
        laid_free(&laid);
    }
}

/* Two panels of two categories each. */
static void check_panels(void)
{
    static const struct chart_panel panels[] = {{STR_INIT("before"), 0, 2},
                                                {STR_INIT("after"), 2, 2}};
    struct chart chart = chart_of(CHART_BARS_FULL, 2);
    struct laid laid;

    chart.panels = panels;
    chart.panel_count = 2;
    lay(&laid, &chart);
    tap_case("panels: an empty place between them, names above");
    double pitch = laid_mark(&laid, CHART_ITEM_BOX, 0, 1).left -
                   laid_mark(&laid, CHART_ITEM_BOX, 0, 0).left;
    CHECK_NEAR(laid_mark(&laid, CHART_ITEM_BOX, 0, 2).left -
                   laid_mark(&laid, CHART_ITEM_BOX, 0, 1).left,
               2 * pitch, 1e-6);
    CHECK(chart_area_bottom(laid_text(&laid, "before")->area) <
          laid_mark(&laid, CHART_ITEM_BOX, 1, 0).top);
    CHECK(laid_text(&laid, "after")->area.left >
          chart_area_right(laid_mark(&laid, CHART_ITEM_BOX, 0, 1)));
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);

    chart.direction = CHART_LYING;
    lay(&laid, &chart);
    tap_case("panels: where bars lie, names between them");
    CHECK(laid_text(&laid, "after")->area.top >
              chart_area_bottom(laid_mark(&laid, CHART_ITEM_BOX, 0, 1)) &&
          chart_area_bottom(laid_text(&laid, "after")->area) <
              laid_mark(&laid, CHART_ITEM_BOX, 0, 2).top);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);
}

/* The third category is of a year that is not over, the second rests on few. */
static void check_doubtful(void)
{
    static const bool partial[] = {false, false, true, false};
    static const double few[] = {NAN, 7, NAN, NAN};
    struct chart_series with[] = {series[0], series[1]};
    struct chart chart = chart_of(CHART_BARS_FULL, 2);
    struct laid laid;

    with[0].partial = with[1].partial = partial;
    chart.series = with;
    chart.few = few;
    chart.note = STR("2021 is not complete.");
    for (enum chart_direction way = CHART_UPRIGHT; way <= CHART_LYING; way++) {
        chart.direction = way;
        lay(&laid, &chart);
        tap_case("%s: what is not complete is hatched, and only that",
                 way == CHART_LYING ? "lying" : "standing");
        for (size_t c = 0; c < 3; c++) {
            const struct chart_item *bar = laid_find(
                &laid, CHART_ITEM_BOX, (struct chart_tag){CHART_ROLE_MARK, 1, c});
            CHECK((bar->ink.pattern != CHART_PATTERN_NONE) == partial[c]);
        }
        CHECK(laid_text(&laid, "2021 is not complete.") != NULL);
        tap_case("and what shares rest on stands beyond the bar");
        CHECK(laid_text(&laid, "n = 7") != NULL);
        CHECK(laid_faults(&laid) == 0);
        laid_free(&laid);
    }
}

int main(void)
{
    check_standing();
    check_lying();
    check_intervals();
    check_groups();
    check_stacks();
    check_narrow();
    check_signs();
    check_sizes();
    check_panels();
    check_doubtful();
    return tap_done();
}
