/* Boxes: quartiles, whiskers, outliers and counts at their places. */
#include "chart/internal.h"

#include <math.h>

#include "tests/unit/chart_laid.h"

static const double outliers[] = {90, 100, 100, 100};
static const double far_out[] = {5000};

static struct chart_box boxes[] = {
    {.name = STR_INIT("plain"),
     .n = 12345,
     .low = 0,
     .first = 20,
     .median = 40,
     .third = 60,
     .high = 80,
     .outliers = outliers,
     .outlier_count = 4},
    {.name = STR_INIT("notched"),
     .n = 10,
     .low = 10,
     .first = 20,
     .median = 40,
     .third = 50,
     .high = 60,
     .notch_low = 35,
     .notch_high = 45},
    {.name = STR_INIT("none"),
     .low = NAN,
     .first = NAN,
     .median = NAN,
     .third = NAN,
     .high = NAN},
};

static struct chart chart = {
    .kind = CHART_BOXES,
    .y_title = STR_INIT("Minutes"),
    .boxes = boxes,
    .box_count = 3,
};

static void check_places(const struct laid *laid)
{
    struct chart_area box = laid_mark(laid, CHART_ITEM_PATH, 0, 0);
    double unit = box.height / 40; /* from 20 to 60 */
    double zero = chart_area_bottom(box) + 20 * unit;
    const struct chart_item *body =
        laid_find(laid, CHART_ITEM_PATH, (struct chart_tag){CHART_ROLE_MARK, 0, 1});

    tap_case("box: between the quartiles, on the scale of the axis");
    CHECK(unit > 0.5);
    CHECK_NEAR(body->area.height, 30 * unit, 1e-6);
    CHECK_NEAR(chart_area_bottom(body->area), zero - 20 * unit, 1e-6);
    tap_case("box: whiskers to both ends");
    for (size_t i = 0, found = 0; i < laid->sheet.count; i++) {
        const struct chart_item *item = &laid->sheet.items[i];
        if (item->tag.role != CHART_ROLE_INTERVAL || item->tag.index != 0 || found > 3)
            continue;
        if (found == 0)
            CHECK_NEAR(chart_area_bottom(item->area), zero, 1e-6);
        if (found == 2)
            CHECK_NEAR(item->area.top, zero - 80 * unit, 1e-6);
        found++;
    }
    tap_case("box: a notch narrows it at the median");
    CHECK_NEAR(body->points[2].y, zero - 40 * unit, 1e-6);
    CHECK(body->points[2].x > body->points[1].x);
    tap_case("box: outliers at one place are one ring");
    CHECK(laid_count(laid, CHART_ITEM_DOT, CHART_ROLE_MARK) == 2);
    tap_case("box: one without data is left empty");
    CHECK(laid_mark(laid, CHART_ITEM_PATH, 0, 2).left < 0);
}

int main(void)
{
    struct chart lying = chart, log_chart = chart;
    struct laid laid;

    lay(&laid, &chart);
    check_places(&laid);
    tap_case("counts stand below");
    CHECK(laid_text(&laid, "n = 12,345") != NULL && laid_text(&laid, "n = 0") != NULL);
    CHECK(laid_text(&laid, "n = 10")->area.top > laid_text(&laid, "notched")->area.top);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);

    lying.direction = CHART_LYING;
    lay(&laid, &lying);
    tap_case("lying: widths are as values");
    CHECK_NEAR(laid_mark(&laid, CHART_ITEM_PATH, 0, 0).width * 3,
               laid_mark(&laid, CHART_ITEM_PATH, 0, 1).width * 4, 1e-6);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);

    log_chart.y_scale = CHART_LOG;
    boxes[0].outliers = far_out;
    boxes[0].outlier_count = 1;
    boxes[0].low = 5;
    boxes[0].hidden = 2;
    lay(&laid, &log_chart);
    tap_case("log: what is 0 is counted, what is not is shown");
    CHECK(laid.sheet.left_out == 2);
    CHECK(laid_count(&laid, CHART_ITEM_DOT, CHART_ROLE_MARK) == 1);
    tap_case("log: the whisker ends at the least value that is shown");
    struct chart_area body = laid_mark(&laid, CHART_ITEM_PATH, 0, 0);
    const struct chart_item *whisker = laid_find(
        &laid, CHART_ITEM_PATH, (struct chart_tag){CHART_ROLE_INTERVAL, 0, 0});
    CHECK_NEAR((chart_area_bottom(whisker->area) - chart_area_bottom(body)) / log(4),
               body.height / log(3), 1e-6);
    tap_case("log: 20 to 40 is as high as 25 to 50");
    CHECK_NEAR(laid_mark(&laid, CHART_ITEM_PATH, 0, 1).height / log(2.5),
               laid_mark(&laid, CHART_ITEM_PATH, 0, 0).height / log(3), 1e-6);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);
    return tap_done();
}
