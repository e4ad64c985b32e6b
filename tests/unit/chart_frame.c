/* The surroundings of a plot: room for names and titles. */
#include "chart/internal.h"

#include <math.h>

#include "tests/unit/chart_laid.h"

static const struct str short_names[] = {STR_INIT("one"), STR_INIT("two"),
                                         STR_INIT("three")};
static const struct str long_names[] = {
    STR_INIT("Calling an interface with arguments of the wrong shape"),
    STR_INIT("Installation of drivers and accelerators on rented machines"),
    STR_INIT("Donaudampfschifffahrtsgesellschaft"),
};

static void check_fit(struct sheet *sheet)
{
    struct style style = {0};

    tap_case("names fit");
    CHECK(frame_names_fit(sheet, short_names, 3, 40, &style));
    CHECK_NEAR(style.size, 7, 1e-12);
    tap_case("names fit when they are set smaller");
    CHECK(frame_names_fit(sheet, short_names, 3, 19, &style));
    CHECK_NEAR(style.size, 6, 1e-12);
    tap_case("names do not fit");
    CHECK(!frame_names_fit(sheet, long_names, 3, 60, NULL));
    tap_case("no room at all");
    CHECK(!frame_names_fit(sheet, short_names, 3, 1, NULL));
}

static struct frame framed(struct laid *laid, const struct chart *chart,
                           const struct str *names)
{
    struct frame frame = {
        .across = {.title = STR("Kind"), .names = names, .count = 3},
        .up = {.title = STR("Count"), .low = 0, .high = 80},
        .plot_height = 100,
    };
    struct err err;

    *laid = (struct laid){0};
    laid->ok = sheet_open(&laid->sheet, chart, &laid->arena, &err);
    frame_draw(&laid->sheet, &frame);
    sheet_finish(&laid->sheet, frame.bottom);
    return frame;
}

static void check_frame(void)
{
    struct chart chart = {0};
    struct laid laid;
    struct frame frame = framed(&laid, &chart, short_names);

    tap_case("frame: the plot has the height asked for");
    CHECK_NEAR(frame.plot.height, 100, 1e-9);
    tap_case("frame: bands share the width");
    CHECK_NEAR(frame_band(&frame, false, 1), frame.plot.left + frame.plot.width / 2,
               1e-9);
    CHECK_NEAR(frame_band_width(&frame), frame.plot.width / 3, 1e-9);
    tap_case("frame: values go up");
    CHECK_NEAR(frame_value(&frame, 0), area_bottom(frame.plot), 1e-9);
    CHECK_NEAR(frame_value(&frame, 80), frame.plot.top, 1e-9);
    tap_case("frame: everything has its place");
    CHECK(laid_faults(&laid) == 0);
    CHECK(laid_text(&laid, "Kind") != NULL && laid_text(&laid, "Count") != NULL);
    laid_free(&laid);

    tap_case("frame: long names are turned");
    (void)framed(&laid, &chart, long_names);
    CHECK(laid_find(&laid, ITEM_TEXT, (struct tag){ROLE_TICK, 0, 0})->style.upright);
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
    struct frame frame = framed(&laid, &chart, short_names);
    struct tag tag = {ROLE_INTERVAL, 0, 0};

    tap_case("whisker: from low to high");
    frame_whisker(&laid.sheet, &frame, tag, 20, 60, 50);
    CHECK_NEAR(laid_find(&laid, ITEM_PATH, tag)->area.height, frame.plot.height / 2,
               1e-9);
    tap_case("whisker: with its two ends");
    CHECK(laid_count(&laid, ITEM_PATH, ROLE_INTERVAL) == 3);
    tap_case("whisker: none without an end");
    frame_whisker(&laid.sheet, &frame, tag, 20, NAN, 50);
    CHECK(laid_count(&laid, ITEM_PATH, ROLE_INTERVAL) == 3);
    laid_free(&laid);
}

static void check_shows(void)
{
    struct axis log_axis = {.scale = CHART_LOG};
    struct sheet sheet = {0};

    tap_case("shows: what a log scale cannot show is counted");
    CHECK(frame_shows(&sheet, &log_axis, 1));
    CHECK(!frame_shows(&sheet, &log_axis, 0));
    CHECK(!frame_shows(&sheet, &log_axis, -1));
    CHECK(sheet.left_out == 2);
    tap_case("shows: what is missing is not");
    CHECK(!frame_shows(&sheet, &log_axis, NAN));
    CHECK(sheet.left_out == 2);
}

int main(void)
{
    struct chart chart = {0};
    struct laid laid = {0};

    tap_case("a sheet opens");
    CHECK(sheet_open(&laid.sheet, &chart, &laid.arena, &laid.err));
    check_fit(&laid.sheet);
    laid_free(&laid);
    check_frame();
    check_whisker();
    check_shows();
    return tap_done();
}
