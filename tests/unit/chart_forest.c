/* Forest plots: estimates and intervals on one scale, and the same as numbers. */
#include "chart/internal.h"

#include <math.h>

#include "tests/unit/chart_laid.h"

static const struct str names[] = {STR_INIT("server"), STR_INIT("mobile"),
                                   STR_INIT("deployment in the browser, all platforms")};
static const double share[] = {0.2, 0.4, NAN}, low[] = {0.1, 0.3, NAN};
static const double high[] = {0.4, 0.5, NAN};
static const struct chart_series series[] = {
    {.name = STR_INIT("share"), .y = share, .low = low, .high = high, .count = 3},
    {.name = STR_INIT("again"), .y = high, .count = 3},
};
static struct chart chart = {
    .kind = CHART_FOREST,
    .y_title = STR_INIT("Share"),
    .y_number = CHART_PERCENT,
    .categories = names,
    .category_count = 3,
    .series = series,
    .series_count = 1,
};

static double middle(struct chart_area area)
{
    return area.left + area.width / 2;
}

int main(void)
{
    struct laid laid;
    struct chart_area first, whisker;
    double unit;

    lay(&laid, &chart);
    first = laid_mark(&laid, CHART_ITEM_DOT, 0, 0);
    unit = (middle(laid_mark(&laid, CHART_ITEM_DOT, 0, 1)) - middle(first)) / 0.2;
    whisker =
        laid_find(&laid, CHART_ITEM_PATH, (struct chart_tag){CHART_ROLE_INTERVAL, 0, 0})
            ->area;
    tap_case("estimates and intervals are on one scale");
    CHECK(unit > 20);
    CHECK_NEAR(whisker.width, 0.3 * unit, 1e-6);
    CHECK_NEAR(middle(first) - whisker.left, 0.1 * unit, 1e-6);
    tap_case("rows are in order");
    CHECK(first.top < laid_mark(&laid, CHART_ITEM_DOT, 0, 1).top);
    tap_case("numbers at the right");
    CHECK(laid_text(&laid, "20.0% [10.0, 40.0]") != NULL);
    CHECK(laid_text(&laid, "\xE2\x80\x93") != NULL);
    tap_case("missing: no dot");
    CHECK(laid_mark(&laid, CHART_ITEM_DOT, 0, 2).left < 0);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);

    tap_case("ratios: a line at 1, also where no interval reaches it");
    chart.neutral = 1;
    lay(&laid, &chart);
    first = laid_mark(&laid, CHART_ITEM_DOT, 0, 0);
    unit = (middle(laid_mark(&laid, CHART_ITEM_DOT, 0, 1)) - middle(first)) / 0.2;
    bool found = false;
    for (size_t i = 0; i < laid.sheet.count; i++) {
        const struct chart_item *item = &laid.sheet.items[i];
        found = found || (item->kind == CHART_ITEM_PATH && item->ink.dash != 0 &&
                          fabs(middle(item->area) - middle(first) - 0.8 * unit) < 1e-6);
    }
    CHECK(found && laid_faults(&laid) == 0);
    laid_free(&laid);
    chart.neutral = 0;

    tap_case("two series: one above the other, with a legend");
    chart.series_count = 2;
    lay(&laid, &chart);
    CHECK(laid_mark(&laid, CHART_ITEM_DOT, 0, 0).top <
          laid_mark(&laid, CHART_ITEM_DOT, 1, 0).top);
    CHECK(laid_text(&laid, "again") != NULL && laid_faults(&laid) == 0);
    laid_free(&laid);

    tap_case("narrow: no numbers at the right");
    chart.series_count = 1;
    chart.width_cm = 5;
    lay(&laid, &chart);
    CHECK(laid_text(&laid, "20.0% [10.0, 40.0]") == NULL && laid_faults(&laid) == 0);
    laid_free(&laid);
    return tap_done();
}
