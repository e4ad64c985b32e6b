/* Lines over years: values at their places, intervals around them, names at the end. */
#include "chart/internal.h"

#include <math.h>

#include "tests/unit/chart_laid.h"

static const double years[] = {2015, 2016, 2017, 2018, 2019};
static const double up[] = {0, 25, 50, 75, 100}, down[] = {100, 80, 60, 40, NAN};
static const double low[] = {0, 20, 40, 60, 80}, high[] = {10, 30, 60, 90, 120};

static struct chart_series series[] = {
    {.name = STR_INIT("server"),
     .x = years,
     .y = up,
     .low = low,
     .high = high,
     .count = 5},
    {.name = STR_INIT("browser"), .x = years, .y = down, .count = 5},
};

static struct chart chart = {
    .kind = CHART_LINES,
    .x_title = STR_INIT("Year"),
    .y_title = STR_INIT("Questions"),
    .x_scale = CHART_YEARS,
    .series = series,
    .series_count = 2,
};

static double middle(const struct laid *laid, size_t line, size_t i)
{
    struct area area = laid_mark(laid, ITEM_DOT, line, i);

    return area.top + area.height / 2;
}

static void check_places(void)
{
    struct laid laid;
    double pitch;

    lay(&laid, &chart);
    tap_case("equal steps up");
    pitch = middle(&laid, 0, 0) - middle(&laid, 0, 1);
    CHECK(pitch > 10);
    for (size_t i = 1; i < 5; i++)
        CHECK_NEAR(middle(&laid, 0, i - 1) - middle(&laid, 0, i), pitch, 1e-6);
    tap_case("100 is as high in both");
    CHECK_NEAR(middle(&laid, 0, 4), middle(&laid, 1, 0), 1e-6);
    tap_case("years at equal distances, named without comma");
    CHECK(laid_text(&laid, "2015") != NULL && laid_text(&laid, "2019") != NULL);
    CHECK_NEAR(
        laid_mark(&laid, ITEM_DOT, 0, 2).left,
        (laid_mark(&laid, ITEM_DOT, 0, 1).left + laid_mark(&laid, ITEM_DOT, 0, 3).left) /
            2,
        1e-6);
    tap_case("the band reaches from low to high");
    CHECK_NEAR(
        laid_find(&laid, ITEM_PATH, (struct tag){ROLE_INTERVAL, 0, 0})->area.height,
        pitch * 120 / 25, 1e-6);
    tap_case("names stand at the right end");
    CHECK(laid_text(&laid, "server")->tag.role == ROLE_LABEL);
    CHECK(laid_text(&laid, "server")->area.left > laid_mark(&laid, ITEM_DOT, 0, 4).left);
    CHECK(laid_text(&laid, "server")->area.top < laid_text(&laid, "browser")->area.top);
    tap_case("the value that is missing has no dot");
    CHECK(laid_mark(&laid, ITEM_DOT, 1, 4).left < 0);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);
}

static void check_log(void)
{
    struct chart log_chart = chart;
    struct laid laid;

    log_chart.y_scale = CHART_LOG;
    lay(&laid, &log_chart);
    tap_case("log: a value of 0 is left out and counted");
    CHECK(laid_mark(&laid, ITEM_DOT, 0, 0).left < 0);
    CHECK(laid.sheet.left_out == 1);
    tap_case("log: equal factors are equal distances");
    CHECK_NEAR(middle(&laid, 0, 1) - middle(&laid, 0, 2),
               middle(&laid, 0, 2) - middle(&laid, 0, 4), 1e-6);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);
}

static void check_many(void)
{
    struct chart_series many[12];
    struct chart many_chart = chart;
    struct laid laid;

    for (size_t i = 0; i < ROWS(many); i++)
        many[i] = series[i % 2];
    many_chart.series = many;
    many_chart.series_count = ROWS(many);
    lay(&laid, &many_chart);
    tap_case("many lines have a legend");
    CHECK(laid_count(&laid, ITEM_TEXT, ROLE_LEGEND) == ROWS(many));
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);

    tap_case("steps have no dots");
    many_chart = chart;
    many_chart.steps = true;
    lay(&laid, &many_chart);
    CHECK(laid_count(&laid, ITEM_DOT, ROLE_MARK) == 0);
    laid_free(&laid);
}

int main(void)
{
    check_places();
    check_log();
    check_many();
    return tap_done();
}
