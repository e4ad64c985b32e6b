/* Histograms count every value once; distribution functions step at each value. */
#include "chart/internal.h"

#include <math.h>

#include "base/rng.h"
#include "tests/unit/chart_laid.h"

enum { COUNT = 1000 };

static double values[COUNT];
static struct chart_series series[2];

static struct chart chart_of(enum chart_kind kind, enum chart_scale scale)
{
    return (struct chart){
        .kind = kind,
        .x_title = STR("Minutes"),
        .x_scale = scale,
        .series = series,
        .series_count = 1,
    };
}

/* The areas of a histogram's bars, in units of the lowest that stands for one value. */
static double sum_heights(const struct laid *laid)
{
    double sum = 0;

    for (size_t i = 0; i < laid->sheet.count; i++)
        if (laid->sheet.items[i].kind == CHART_ITEM_BOX)
            sum += laid->sheet.items[i].area.height;
    return sum;
}

static void check_small(void)
{
    static const double few[] = {1, 1, 2, 2, 2, 2, 5, NAN};
    struct chart chart = chart_of(CHART_HISTOGRAM, CHART_LINEAR);
    struct laid laid;
    double unit;

    series[0] = (struct chart_series){.name = STR("x"), .x = few, .count = 8};
    chart.bins = 10;
    lay(&laid, &chart);
    tap_case("histogram: bars are as high as counts");
    unit = laid_mark(&laid, CHART_ITEM_BOX, 0, 0).height / 2;
    CHECK(unit > 5);
    CHECK_NEAR(laid_mark(&laid, CHART_ITEM_BOX, 0, 1).height, 4 * unit, 1e-6);
    CHECK_NEAR(laid_mark(&laid, CHART_ITEM_BOX, 0, 3).height, unit, 1e-6);
    tap_case("histogram: an empty bin has no bar");
    CHECK(laid_mark(&laid, CHART_ITEM_BOX, 0, 2).left < 0);
    tap_case("histogram: bins touch and are equally wide");
    CHECK_NEAR(chart_area_right(laid_mark(&laid, CHART_ITEM_BOX, 0, 0)),
               laid_mark(&laid, CHART_ITEM_BOX, 0, 1).left, 1e-6);
    tap_case("histogram: every value is in a bin");
    CHECK_NEAR(sum_heights(&laid), 7 * unit, 1e-6);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);
}

static void check_log(void)
{
    struct chart chart = chart_of(CHART_HISTOGRAM, CHART_LOG);
    struct rng rng = rng_seeded(1);
    struct laid laid;
    double width = 0;
    size_t wrong = 0;

    for (size_t i = 0; i < COUNT; i++)
        values[i] = i < 10 ? 0 : rng_log_normal(&rng, 200, 1.5);
    series[0] = (struct chart_series){.name = STR("x"), .x = values, .count = COUNT};
    lay(&laid, &chart);
    tap_case("histogram, log: bins are equally wide on paper");
    for (size_t i = 0; i < laid.sheet.count; i++) {
        struct chart_area area = laid.sheet.items[i].area;
        if (laid.sheet.items[i].kind != CHART_ITEM_BOX)
            continue;
        width = width > 0 ? width : area.width;
        wrong += fabs(area.width - width) > 1e-6;
    }
    CHECK(width > 0 && wrong == 0);
    tap_case("histogram, log: values of 0 are counted and said");
    CHECK(laid.sheet.left_out == 10 && laid_faults(&laid) == 0);
    laid_free(&laid);
}

static void check_same(void)
{
    static const double same[] = {7, 7, 7};
    static const double nothing[] = {0, 0};
    struct chart chart = chart_of(CHART_HISTOGRAM, CHART_LINEAR);
    struct laid laid;

    tap_case("histogram: one value only");
    series[0] = (struct chart_series){.name = STR("x"), .x = same, .count = 3};
    lay(&laid, &chart);
    CHECK(laid_count(&laid, CHART_ITEM_BOX, CHART_ROLE_MARK) == 1 &&
          laid_faults(&laid) == 0);
    laid_free(&laid);
    tap_case("histogram, log: nothing above 0");
    series[0] = (struct chart_series){.name = STR("x"), .x = nothing, .count = 2};
    chart.x_scale = CHART_LOG;
    lay(&laid, &chart);
    CHECK(laid_count(&laid, CHART_ITEM_BOX, CHART_ROLE_MARK) == 0 &&
          laid.sheet.left_out == 2);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);
}

static void check_ecdf(void)
{
    static const double four[] = {4, 1, 2, 2}, two[] = {1, 3};
    struct chart chart = chart_of(CHART_ECDF, CHART_LINEAR);
    const struct chart_item *path;
    struct laid laid;
    double height, bottom;

    series[0] = (struct chart_series){.name = STR("four"), .x = four, .count = 4};
    series[1] = (struct chart_series){.name = STR("two"), .x = two, .count = 2};
    chart.series_count = 2;
    lay(&laid, &chart);
    path = laid_find(&laid, CHART_ITEM_PATH, (struct chart_tag){CHART_ROLE_MARK, 0, 0});
    height = path->area.height;
    bottom = chart_area_bottom(path->area);
    tap_case("ecdf: from 0 to 1");
    CHECK(height > 50);
    CHECK_NEAR(path->points[0].y, bottom, 1e-9);
    tap_case("ecdf: a quarter at the first of four, three at the next two");
    CHECK_NEAR(path->points[2].y, bottom - height / 4, 1e-6);
    CHECK_NEAR(path->points[4].y, bottom - 3 * height / 4, 1e-6);
    CHECK_NEAR(path->points[6].y, bottom - height, 1e-6);
    tap_case("ecdf: a half at the first of two");
    path = laid_find(&laid, CHART_ITEM_PATH, (struct chart_tag){CHART_ROLE_MARK, 1, 0});
    CHECK_NEAR(path->points[2].y, bottom - height / 2, 1e-6);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);
}

int main(void)
{
    check_small();
    check_log();
    check_same();
    check_ecdf();
    return tap_done();
}
