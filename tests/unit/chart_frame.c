/* Frames around plots, their ranges and legends. */
#include "chart/internal.h"

#include <math.h>

#include "tests/tap.h"
#include "tests/unit/chart_laid.h"

/* The surroundings of a plot: room for names and titles. */

static const struct str short_names[] = {STR_INIT("one"), STR_INIT("two"),
                                         STR_INIT("three")};
static const struct str long_names[] = {
    STR_INIT("Calling an interface with arguments of the wrong shape"),
    STR_INIT("Installation of drivers and accelerators on rented machines"),
    STR_INIT("Donaudampfschifffahrtsgesellschaft"),
};

static void check_fit(struct chart_sheet *sheet)
{
    struct chart_style style = {0};

    tap_case("names fit");
    CHECK(chart_frame_names_fit(sheet, short_names, 3, 40, &style));
    CHECK_NEAR(style.size, 7, 1e-12);
    tap_case("names fit when they are set smaller");
    CHECK(chart_frame_names_fit(sheet, short_names, 3, 19, &style));
    CHECK_NEAR(style.size, 6, 1e-12);
    tap_case("names do not fit");
    CHECK(!chart_frame_names_fit(sheet, long_names, 3, 60, NULL));
    tap_case("no room at all");
    CHECK(!chart_frame_names_fit(sheet, short_names, 3, 1, NULL));
}

static struct chart_frame framed(struct laid *laid, const struct chart *chart,
                                 const struct str *names)
{
    struct chart_frame frame = {
        .across = {.title = STR("Kind"), .names = names, .count = 3},
        .up = {.title = STR("Count"), .low = 0, .high = 80},
        .plot_height = 100,
    };
    struct err err;

    *laid = (struct laid){0};
    laid->ok = chart_sheet_open(&laid->sheet, chart, &laid->arena, &err);
    chart_frame_draw(&laid->sheet, &frame);
    chart_sheet_finish(&laid->sheet, frame.bottom);
    return frame;
}

static void check_frame(void)
{
    struct chart chart = {0};
    struct laid laid;
    struct chart_frame frame = framed(&laid, &chart, short_names);

    tap_case("frame: the plot has the height asked for");
    CHECK_NEAR(frame.plot.height, 100, 1e-9);
    tap_case("frame: bands share the width");
    CHECK_NEAR(chart_frame_band(&frame, false, 1), frame.plot.left + frame.plot.width / 2,
               1e-9);
    CHECK_NEAR(chart_frame_band_width(&frame), frame.plot.width / 3, 1e-9);
    tap_case("frame: values go up");
    CHECK_NEAR(chart_frame_value(&frame, 0), chart_area_bottom(frame.plot), 1e-9);
    CHECK_NEAR(chart_frame_value(&frame, 80), frame.plot.top, 1e-9);
    tap_case("frame: everything has its place");
    CHECK(laid_faults(&laid) == 0);
    CHECK(laid_text(&laid, "Kind") != NULL && laid_text(&laid, "Count") != NULL);
    laid_free(&laid);

    tap_case("frame: long names are turned");
    (void)framed(&laid, &chart, long_names);
    CHECK(laid_find(&laid, CHART_ITEM_TEXT, (struct chart_tag){CHART_ROLE_TICK, 0, 0})
              ->style.upright);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);

    tap_case("frame: the page has the height asked for");
    chart.height_cm = 10;
    (void)framed(&laid, &chart, short_names);
    CHECK_NEAR(laid.sheet.height, 10 / 2.54 * 72, 1e-6);
    laid_free(&laid);
}

static void check_whisker(void)
{
    struct chart chart = {0};
    struct laid laid;
    struct chart_frame frame = framed(&laid, &chart, short_names);
    struct chart_tag tag = {CHART_ROLE_INTERVAL, 0, 0};

    tap_case("whisker: from low to high");
    chart_frame_whisker(&laid.sheet, &frame, tag, 20, 60, 50);
    CHECK_NEAR(laid_find(&laid, CHART_ITEM_PATH, tag)->area.height, frame.plot.height / 2,
               1e-9);
    tap_case("whisker: with its two ends");
    CHECK(laid_count(&laid, CHART_ITEM_PATH, CHART_ROLE_INTERVAL) == 3);
    tap_case("whisker: none without an end");
    chart_frame_whisker(&laid.sheet, &frame, tag, 20, NAN, 50);
    CHECK(laid_count(&laid, CHART_ITEM_PATH, CHART_ROLE_INTERVAL) == 3);
    laid_free(&laid);
}

static void check_shows(void)
{
    struct chart_axis log_axis = {.scale = CHART_LOG};
    struct chart_sheet sheet = {0};

    tap_case("shows: what a log scale cannot show is counted");
    CHECK(chart_frame_shows(&sheet, &log_axis, 1));
    CHECK(!chart_frame_shows(&sheet, &log_axis, 0));
    CHECK(!chart_frame_shows(&sheet, &log_axis, -1));
    CHECK(sheet.left_out == 2);
    tap_case("shows: what is missing is not");
    CHECK(!chart_frame_shows(&sheet, &log_axis, NAN));
    CHECK(sheet.left_out == 2);
}

static void test_frame(void)
{
    struct chart chart = {0};
    struct laid laid = {0};

    tap_case("a sheet opens");
    CHECK(chart_sheet_open(&laid.sheet, &chart, &laid.arena, &laid.err));
    check_fit(&laid.sheet);
    laid_free(&laid);
    check_frame();
    check_whisker();
    check_shows();
}

/* Ranges take in what an axis can show, and begin at 0 when they should. */

static const struct {
    const char *name;
    double values[4];
    enum chart_scale scale;
    bool from_zero;
    double low, high;
} ranges[] = {
    {"from 0 when asked", {5, 6, 7, 8}, CHART_LINEAR, true, 0, 8},
    {"from 0 when it is near", {2, 6, 7, 8}, CHART_LINEAR, false, 0, 8},
    {"not from 0 when it is far", {95, 96, 97, 99}, CHART_LINEAR, false, 95, 99},
    {"to 0 when all are below", {-5, -6, -7, -8}, CHART_LINEAR, true, -8, 0},
    {"years stay as they are", {2015, 2016, 2017, 2018}, CHART_YEARS, false, 2015, 2018},
    {"missing ones are left out", {NAN, 5, INFINITY, 8}, CHART_LINEAR, true, 0, 8},
    {"a log scale has nothing below 0", {-5, 0, 3, 8}, CHART_LOG, true, 3, 8},
    {"nothing", {NAN, NAN, NAN, NAN}, CHART_LINEAR, false, 0, 1},
    {"nothing on a log scale", {0, 0, -1, NAN}, CHART_LOG, false, 1, 10},
};

static void check_ranges(void)
{
    for (size_t i = 0; i < ROWS(ranges); i++) {
        struct chart_side side = {.axis = {.scale = ranges[i].scale}};
        tap_case("range: %s", ranges[i].name);
        chart_side_begin(&side);
        chart_side_include(&side, ranges[i].values, 4);
        chart_side_settle(&side, ranges[i].from_zero);
        CHECK_NEAR(side.low, ranges[i].low, 1e-12);
        CHECK_NEAR(side.high, ranges[i].high, 1e-12);
    }
}

static void test_side(void)
{
    check_ranges();
}

/* Legends wrap onto rows, with a key before each name. */

static void check_legend(void)
{
    struct chart_series series[12] = {0};
    struct chart chart = {.series = series, .series_count = 12};
    struct laid laid = {0};
    double first;

    for (size_t i = 0; i < 12; i++)
        series[i].name =
            i == 5
                ? STR("Calling an interface with arguments of the wrong shape, or none")
                : STR("name of a series");
    tap_case("legend: wraps onto rows, nothing overlaps");
    CHECK(chart_sheet_open(&laid.sheet, &chart, &laid.arena, &laid.err));
    chart_legend_draw(&laid.sheet, CHART_KEY_FILL);
    first = laid.sheet.items[1].area.top;
    CHECK(laid_count(&laid, CHART_ITEM_TEXT, CHART_ROLE_LEGEND) == 12);
    CHECK(laid_count(&laid, CHART_ITEM_BOX, CHART_ROLE_LEGEND) == 12);
    CHECK(laid.sheet.items[23].area.top > first + 20);
    chart_sheet_finish(&laid.sheet, laid.sheet.top);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);
}

static void test_legend(void)
{
    check_legend();
}

int main(void)
{
    test_frame();
    test_side();
    test_legend();
    return tap_done();
}
