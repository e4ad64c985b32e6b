/* Alluvial diagrams: ribbons as thick as what flows, between bars that they fill. */
#include "chart/internal.h"

#include <math.h>

#include "tests/unit/chart_laid.h"

static const struct str right[] = {STR_INIT("crash"), STR_INIT("bad result"),
                                   STR_INIT("hang")};
static double from_api[] = {30, 10, 0}, from_data[] = {20, 30, 10};
static struct chart_series left[] = {
    {.name = STR_INIT("API misuse"), .y = from_api, .count = 3},
    {.name = STR_INIT("Data"), .y = from_data, .count = 3},
};
static struct chart chart = {
    .kind = CHART_ALLUVIAL,
    .y_title = STR_INIT("Cause"),
    .x_title = STR_INIT("Effect"),
    .categories = right,
    .category_count = 3,
    .series = left,
    .series_count = 2,
};

/* The thickness at the left end. */
static double thickness(const struct laid *laid, size_t from, size_t to)
{
    const struct chart_item *ribbon =
        laid_find(laid, CHART_ITEM_PATH, (struct chart_tag){CHART_ROLE_MARK, from, to});

    return ribbon->points[ribbon->count - 1].y - ribbon->points[0].y;
}

static struct chart_area bar(const struct laid *laid, size_t side, size_t i)
{
    return laid_find(laid, CHART_ITEM_BOX,
                     (struct chart_tag){CHART_ROLE_INTERVAL, side, i})
        ->area;
}

int main(void)
{
    struct laid laid;

    lay(&laid, &chart);
    tap_case("ribbons are as thick as what flows");
    CHECK(thickness(&laid, 0, 0) > 10);
    CHECK_NEAR(thickness(&laid, 0, 0), 3 * thickness(&laid, 0, 1), 1e-6);
    CHECK_NEAR(thickness(&laid, 1, 1), thickness(&laid, 0, 0), 1e-6);
    tap_case("nothing has no ribbon");
    CHECK(laid_count(&laid, CHART_ITEM_PATH, CHART_ROLE_MARK) == 5);
    tap_case("bars are as high as their ribbons together");
    CHECK_NEAR(bar(&laid, 0, 0).height, thickness(&laid, 0, 0) + thickness(&laid, 0, 1),
               1e-6);
    CHECK_NEAR(bar(&laid, 1, 1).height, thickness(&laid, 0, 1) + thickness(&laid, 1, 1),
               1e-6);
    tap_case("ribbons begin and end at their bars");
    CHECK_NEAR(laid_mark(&laid, CHART_ITEM_PATH, 0, 0).left,
               chart_area_right(bar(&laid, 0, 0)), 1e-6);
    CHECK_NEAR(chart_area_right(laid_mark(&laid, CHART_ITEM_PATH, 0, 0)),
               bar(&laid, 1, 0).left, 1e-6);
    tap_case("shares are said");
    CHECK(laid_text(&laid, "40% API misuse") != NULL);
    CHECK(laid_text(&laid, "10% hang") != NULL);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);

    tap_case("all 0: still a figure");
    for (size_t i = 0; i < 3; i++)
        from_api[i] = from_data[i] = 0;
    lay(&laid, &chart);
    CHECK(laid.ok && laid_faults(&laid) == 0);
    laid_free(&laid);
    return tap_done();
}
