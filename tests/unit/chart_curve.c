/* Curves with bands, and charts of lines. */
#include "chart/internal.h"

#include <math.h>

#include "tests/unit/chart_laid.h"

/* Lines, steps and bands go through the right points; names stand at their ends. */

/* 0 .. 10 across 100 points, 0 .. 10 up 100 points. */
static const struct chart_frame frame = {
    .across = {.axis = {.low = 0, .high = 10, .from = 0, .to = 100}},
    .up = {.axis = {.low = 0, .high = 10, .from = 100, .to = 0}},
    .plot = {0, 0, 100, 100},
};

static const double x[] = {0, 2, 4, 6, 8};

static void draw(struct laid *laid, const struct chart *chart,
                 const struct chart_curve *curve)
{
    *laid = (struct laid){0};
    laid->ok = chart_sheet_open(&laid->sheet, chart, &laid->arena, &laid->err);
    chart_curve_draw(&laid->sheet, &frame, curve, 0);
    laid->sheet.height = 100;
}

static void check_line(const struct chart *chart)
{
    static const double y[] = {1, 3, 2, 5, 10};
    struct laid laid;
    const struct chart_item *path;

    tap_case("line: through every value");
    draw(&laid, chart, &(struct chart_curve){.x = x, .y = y, .count = 5});
    path = laid_find(&laid, CHART_ITEM_PATH, (struct chart_tag){CHART_ROLE_MARK, 0, 0});
    CHECK(path->count == 5 && laid.sheet.count == 1);
    for (size_t i = 0; i < path->count; i++) {
        CHECK_NEAR(path->points[i].x, 10 * x[i], 1e-9);
        CHECK_NEAR(path->points[i].y, 100 - 10 * y[i], 1e-9);
    }
    laid_free(&laid);

    tap_case("steps: level until the next x, then up");
    draw(&laid, chart, &(struct chart_curve){.x = x, .y = y, .count = 5, .steps = true});
    path = laid_find(&laid, CHART_ITEM_PATH, (struct chart_tag){CHART_ROLE_MARK, 0, 0});
    CHECK(path->count == 9);
    CHECK_NEAR(path->points[1].x, 20, 1e-9);
    CHECK_NEAR(path->points[1].y, 90, 1e-9);
    CHECK_NEAR(path->points[2].x, 20, 1e-9);
    CHECK_NEAR(path->points[2].y, 70, 1e-9);
    laid_free(&laid);

    tap_case("dots: one for each value");
    draw(&laid, chart, &(struct chart_curve){.x = x, .y = y, .count = 5, .dots = true});
    CHECK(laid_count(&laid, CHART_ITEM_DOT, CHART_ROLE_MARK) == 5);
    laid_free(&laid);
}

static void check_gaps(const struct chart *chart)
{
    static const double y[] = {1, 3, NAN, 5, 6}, alone[] = {NAN, 3, NAN, 5, 6};
    struct laid laid;

    tap_case("gap: the line breaks");
    draw(&laid, chart, &(struct chart_curve){.x = x, .y = y, .count = 5});
    CHECK(laid_count(&laid, CHART_ITEM_PATH, CHART_ROLE_MARK) == 2);
    CHECK_NEAR(laid_mark(&laid, CHART_ITEM_PATH, 0, 3).left, 60, 1e-9);
    laid_free(&laid);
    tap_case("gap: a value between two gaps is a dot");
    draw(&laid, chart, &(struct chart_curve){.x = x, .y = alone, .count = 5});
    CHECK(laid_count(&laid, CHART_ITEM_DOT, CHART_ROLE_MARK) == 1);
    CHECK(laid_count(&laid, CHART_ITEM_PATH, CHART_ROLE_MARK) == 1);
    laid_free(&laid);
}

static void check_band(const struct chart *chart)
{
    static const double y[] = {2, 3, 4, 5, 6}, low[] = {1, 2, NAN, 4, 5};
    static const double high[] = {3, 4, 5, 6, 7};
    struct laid laid;
    const struct chart_item *band;

    tap_case("band: two pieces around what is missing");
    draw(&laid, chart,
         &(struct chart_curve){.x = x, .y = y, .low = low, .high = high, .count = 5});
    CHECK(laid_count(&laid, CHART_ITEM_PATH, CHART_ROLE_INTERVAL) == 2);
    band =
        laid_find(&laid, CHART_ITEM_PATH, (struct chart_tag){CHART_ROLE_INTERVAL, 0, 0});
    CHECK(band->closed && band->count == 4);
    CHECK_NEAR(band->area.top, 60, 1e-9);
    CHECK_NEAR(band->area.height, 30, 1e-9);
    laid_free(&laid);
    tap_case("band: one value has a whisker");
    draw(&laid, chart,
         &(struct chart_curve){.x = x, .y = y, .low = low, .high = high, .count = 1});
    CHECK_NEAR(
        laid_find(&laid, CHART_ITEM_PATH, (struct chart_tag){CHART_ROLE_INTERVAL, 0, 0})
            ->area.height,
        20, 1e-9);
    laid_free(&laid);
}

static void check_names(void)
{
    struct chart_series series[] = {{.name = STR_INIT("first")},
                                    {.name = STR_INIT("second")},
                                    {.name = STR_INIT("absent")},
                                    {.name = STR_INIT("third")}};
    struct chart chart = {.series = series, .series_count = 4};
    struct laid laid = {0};
    double ends[] = {50, 49, NAN, 10};

    CHECK(chart_sheet_open(&laid.sheet, &chart, &laid.arena, &laid.err));
    tap_case("names: apart and in the order of the ends");
    chart_curve_names(&laid.sheet, &frame, ends);
    laid.sheet.height = 100;
    CHECK(laid_count(&laid, CHART_ITEM_TEXT, CHART_ROLE_LABEL) == 3);
    CHECK(laid_text(&laid, "second")->area.top < laid_text(&laid, "first")->area.top);
    CHECK(laid_text(&laid, "third")->area.top < laid_text(&laid, "second")->area.top);
    CHECK(laid_faults(&laid) == 0);
    tap_case("names: short ones beat a legend");
    CHECK(chart_curve_names_width(&laid.sheet) > 10);
    tap_case("names: long ones do not");
    series[1].name = STR("a name that would take most of the width of the whole figure");
    CHECK(chart_curve_names_width(&laid.sheet) == 0);
    tap_case("names: a single line needs none");
    chart.series_count = 1;
    CHECK(chart_curve_names_width(&laid.sheet) == 0);
    laid_free(&laid);
}

/* Thousands of values to a point of the page: the line keeps its shape and its end. */
static void check_many(const struct chart *chart)
{
    enum { MANY = 100000 };
    static double many_x[MANY], many_y[MANY];
    const struct chart_item *path;
    struct laid laid;

    for (size_t i = 0; i < MANY; i++) {
        many_x[i] = 10.0 * (double)i / (MANY - 1);
        many_y[i] = 5 + 4 * sin(many_x[i]);
    }
    for (int steps = 0; steps < 2; steps++) {
        size_t wrong = 0;
        draw(&laid, chart,
             &(struct chart_curve){
                 .x = many_x, .y = many_y, .count = MANY, .steps = steps == 1});
        path =
            laid_find(&laid, CHART_ITEM_PATH, (struct chart_tag){CHART_ROLE_MARK, 0, 0});
        tap_case("many values, %s: few points", steps == 1 ? "steps" : "line");
        CHECK(path->count > 500 && path->count < 10000);
        for (size_t i = 0; i < path->count; i++)
            wrong +=
                fabs(path->points[i].y - (50 - 40 * sin(path->points[i].x / 10))) > 0.4;
        tap_case("many values, %s: all on the curve, to its end",
                 steps == 1 ? "steps" : "line");
        CHECK(wrong == 0);
        CHECK_NEAR(path->points[path->count - 1].x, 100, 1e-9);
        laid_free(&laid);
    }
}

static void test_curve(void)
{
    struct chart chart = {0};

    check_line(&chart);
    check_gaps(&chart);
    check_band(&chart);
    check_names();
    check_many(&chart);
}

/* Lines over years: values at their places, intervals around them, names at the end. */

static const double years[] = {2015, 2016, 2017, 2018, 2019};
static const double up[] = {0, 25, 50, 75, 100}, down[] = {100, 80, 60, 40, NAN};
static const double lines_low[] = {0, 20, 40, 60, 80}, high[] = {10, 30, 60, 90, 120};

static struct chart_series lines_series[] = {
    {.name = STR_INIT("server"),
     .x = years,
     .y = up,
     .low = lines_low,
     .high = high,
     .count = 5},
    {.name = STR_INIT("browser"), .x = years, .y = down, .count = 5},
};

static struct chart lines_chart = {
    .kind = CHART_LINES,
    .x_title = STR_INIT("Year"),
    .y_title = STR_INIT("Questions"),
    .x_scale = CHART_YEARS,
    .series = lines_series,
    .series_count = 2,
};

static double middle(const struct laid *laid, size_t line, size_t i)
{
    struct chart_area area = laid_mark(laid, CHART_ITEM_DOT, line, i);

    return area.top + area.height / 2;
}

static void check_places(void)
{
    struct laid laid;
    double pitch;

    lay(&laid, &lines_chart);
    tap_case("equal steps up");
    pitch = middle(&laid, 0, 0) - middle(&laid, 0, 1);
    CHECK(pitch > 10);
    for (size_t i = 1; i < 5; i++)
        CHECK_NEAR(middle(&laid, 0, i - 1) - middle(&laid, 0, i), pitch, 1e-6);
    tap_case("100 is as high in both");
    CHECK_NEAR(middle(&laid, 0, 4), middle(&laid, 1, 0), 1e-6);
    tap_case("years at equal distances, named without comma");
    CHECK(laid_text(&laid, "2015") != NULL && laid_text(&laid, "2019") != NULL);
    CHECK_NEAR(laid_mark(&laid, CHART_ITEM_DOT, 0, 2).left,
               (laid_mark(&laid, CHART_ITEM_DOT, 0, 1).left +
                laid_mark(&laid, CHART_ITEM_DOT, 0, 3).left) /
                   2,
               1e-6);
    tap_case("the band reaches from low to high");
    CHECK_NEAR(
        laid_find(&laid, CHART_ITEM_PATH, (struct chart_tag){CHART_ROLE_INTERVAL, 0, 0})
            ->area.height,
        pitch * 120 / 25, 1e-6);
    tap_case("names stand at the right end");
    CHECK(laid_text(&laid, "server")->tag.role == CHART_ROLE_LABEL);
    CHECK(laid_text(&laid, "server")->area.left >
          laid_mark(&laid, CHART_ITEM_DOT, 0, 4).left);
    CHECK(laid_text(&laid, "server")->area.top < laid_text(&laid, "browser")->area.top);
    tap_case("the value that is missing has no dot");
    CHECK(laid_mark(&laid, CHART_ITEM_DOT, 1, 4).left < 0);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);
}

static void check_log(void)
{
    struct chart log_chart = lines_chart;
    struct laid laid;

    log_chart.y_scale = CHART_LOG;
    lay(&laid, &log_chart);
    tap_case("log: a value of 0 is left out and counted");
    CHECK(laid_mark(&laid, CHART_ITEM_DOT, 0, 0).left < 0);
    CHECK(laid.sheet.left_out == 1);
    tap_case("log: equal factors are equal distances");
    CHECK_NEAR(middle(&laid, 0, 1) - middle(&laid, 0, 2),
               middle(&laid, 0, 2) - middle(&laid, 0, 4), 1e-6);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);
}

static void lines_check_many(void)
{
    struct chart_series many[12];
    struct chart many_chart = lines_chart;
    struct laid laid;

    for (size_t i = 0; i < ROWS(many); i++)
        many[i] = lines_series[i % 2];
    many_chart.series = many;
    many_chart.series_count = ROWS(many);
    lay(&laid, &many_chart);
    tap_case("many lines have a legend");
    CHECK(laid_count(&laid, CHART_ITEM_TEXT, CHART_ROLE_LEGEND) == ROWS(many));
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);

    tap_case("steps have no dots");
    many_chart = lines_chart;
    many_chart.steps = true;
    lay(&laid, &many_chart);
    CHECK(laid_count(&laid, CHART_ITEM_DOT, CHART_ROLE_MARK) == 0);
    laid_free(&laid);
}

static void check_partial(void)
{
    static const bool partial[] = {false, false, false, false, true};
    struct chart_series with[] = {lines_series[0], lines_series[1]};
    struct chart chart = lines_chart;
    struct laid laid;

    with[0].partial = partial;
    chart.series = with;
    lay(&laid, &chart);
    tap_case("a year that is not over: a broken line to an open dot");
    const struct chart_item *last =
        laid_find(&laid, CHART_ITEM_PATH, (struct chart_tag){CHART_ROLE_MARK, 0, 4});
    const struct chart_item *whole =
        laid_find(&laid, CHART_ITEM_PATH, (struct chart_tag){CHART_ROLE_MARK, 0, 0});
    const struct chart_item *dot =
        laid_find(&laid, CHART_ITEM_DOT, (struct chart_tag){CHART_ROLE_MARK, 0, 4});
    CHECK(last->ink.dash != CHART_DASH_NONE && last->count == 2);
    CHECK(whole->ink.dash == CHART_DASH_NONE && whole->count == 4);
    CHECK_NEAR(chart_area_right(whole->area), last->area.left, 1e-9);
    CHECK(dot->ink.fill.red == 1 && dot->ink.fill.green == 1 && dot->ink.fill.blue == 1);
    CHECK(laid_faults(&laid) == 0);
    laid_free(&laid);
}

static void test_lines(void)
{
    check_partial();
    check_places();
    check_log();
    lines_check_many();
}

int main(void)
{
    test_curve();
    test_lines();
    return tap_done();
}
