/* Axes, and numbers as figures print them. */
#include "chart/internal.h"

#include <math.h>

#include "base/rng.h"
#include "tests/tap.h"

/* Ticks at round numbers, their names, and where values stand between them. */

static const struct {
    const char *name;
    struct chart_axis axis;
    double low, high;
    size_t ticks_max;
    const char *ticks; /* by name */
} rows[] = {
    {"counts", {0}, 0, 1234, 5, "0 500 1,000 1,500"},
    {"up to a tick", {0}, 0, 100, 6, "0 20 40 60 80 100"},
    {"decimals as needed", {0}, 0, 0.3, 4, "0.0 0.1 0.2 0.3"},
    {"on both sides of 0",
     {0},
     -3.5,
     4,
     5,
     "\xE2\x88\x92"
     "4 \xE2\x88\x92"
     "2 0 2 4"},
    {"millions", {0}, 0, 4.2e6, 6, "0 1 M 2 M 3 M 4 M 5 M"},
    {"half millions", {0}, 0, 1.3e6, 4, "0 0.5 M 1.0 M 1.5 M"},
    {"a thousand millions", {0}, 0, 1e9, 3, "0 0.5 G 1.0 G"},
    {"percents", {.number = CHART_PERCENT}, 0, 0.45, 6, "0% 10% 20% 30% 40% 50%"},
    {"parts of percents",
     {.number = CHART_PERCENT},
     0,
     0.004,
     5,
     "0.0% 0.1% 0.2% 0.3% 0.4%"},
    {"whole numbers only", {.whole = true}, 0, 2, 9, "0 1 2"},
    {"one value", {0}, 5, 5, 5, "2 4 6 8"},
    {"nothing", {0}, 0, 0, 3, "0.0 0.5 1.0"},
    {"one value below 0",
     {0},
     -2,
     -2,
     3,
     "\xE2\x88\x92"
     "3 \xE2\x88\x92"
     "2 \xE2\x88\x92"
     "1"},
    {"years", {.scale = CHART_YEARS}, 2015, 2019, 9, "2015 2016 2017 2018 2019"},
    {"many years", {.scale = CHART_YEARS}, 2008, 2024, 5, "2010 2015 2020"},
    {"one year", {.scale = CHART_YEARS}, 2019, 2019, 9, "2018 2019 2020"},
    {"a year of months",
     {.scale = CHART_YEARS, .parts = 12},
     2018 + 2 / 12.0,
     2019 + 1 / 12.0,
     5,
     "2018-04 2018-07 2018-10 2019-01"},
    {"few months",
     {.scale = CHART_YEARS, .parts = 12},
     2018 + 10 / 12.0,
     2019 + 1 / 12.0,
     9,
     "2018-11 2018-12 2019-01 2019-02"},
    {"quarters",
     {.scale = CHART_YEARS, .parts = 4},
     2018.25,
     2019.5,
     9,
     "2018-Q2 2018-Q3 2018-Q4 2019-Q1 2019-Q2 2019-Q3"},
    {"one quarter",
     {.scale = CHART_YEARS, .parts = 4},
     2018.25,
     2018.25,
     9,
     "2018-Q1 2018-Q2 2018-Q3"},
    {"years of months",
     {.scale = CHART_YEARS, .parts = 12},
     2014,
     2018.5,
     6,
     "2014 2015 2016 2017 2018"},
    {"half years",
     {.scale = CHART_YEARS, .parts = 12},
     2014,
     2016.5,
     6,
     "2014-01 2014-07 2015-01 2015-07 2016-01 2016-07"},
    {"limits", {.tight = true, .limited = true}, 0, 95, 6, "0 20 40 60 80"},
    {"limits of a log scale",
     {.scale = CHART_LOG, .tight = true, .limited = true},
     3,
     300,
     9,
     "5 10 20 50 100 200"},
    {"log", {.scale = CHART_LOG}, 1, 100000, 8, "1 10 100 1,000 10,000 100,000"},
    {"log, short", {.scale = CHART_LOG}, 3, 30, 8, "2 5 10 20 50"},
    {"log, below 1", {.scale = CHART_LOG}, 0.01, 1, 4, "0.01 0.1 1"},
    {"log, hardly a power", {.scale = CHART_LOG}, 0.12, 4.7, 5, "0.2 1 5"},
    {"log, many powers", {.scale = CHART_LOG}, 1, 1e8, 5, "1 100 10,000 1 M 100 M"},
    {"log, one value", {.scale = CHART_LOG}, 10, 10, 5, "10 20"},
    {"log of shares",
     {.scale = CHART_LOG, .number = CHART_PERCENT},
     0.001,
     1,
     4,
     "0.1% 1% 10% 100%"},
};

static void check_ticks(struct arena *arena, size_t row)
{
    struct chart_axis axis = rows[row].axis;
    struct buf names = {0};

    chart_axis_choose(&axis, rows[row].low, rows[row].high, rows[row].ticks_max, arena);
    for (size_t i = 0; i < axis.tick_count; i++) {
        if (i > 0)
            buf_add_char(&names, ' ');
        buf_add(&names, chart_axis_name(&axis, axis.ticks[i], arena));
    }
    buf_add_char(&names, '\0');
    CHECK_TEXT(names.ptr, rows[row].ticks);
    buf_free(&names);
}

static void check_places(struct arena *arena)
{
    struct chart_axis linear = {.from = 100, .to = 300};
    struct chart_axis up = {.from = 200, .to = 0};
    struct chart_axis log_axis = {.scale = CHART_LOG, .from = 0, .to = 90};

    tap_case("places: linear");
    chart_axis_choose(&linear, 0, 10, 6, arena);
    CHECK_NEAR(chart_axis_at(&linear, 0), 100, 1e-9);
    CHECK_NEAR(chart_axis_at(&linear, 2.5), 150, 1e-9);
    CHECK_NEAR(chart_axis_at(&linear, 10), 300, 1e-9);
    tap_case("places: beyond the ends");
    CHECK_NEAR(chart_axis_at(&linear, -5), 100, 1e-9);
    CHECK_NEAR(chart_axis_at(&linear, 99), 300, 1e-9);
    tap_case("places: upwards");
    chart_axis_choose(&up, 0, 4, 5, arena);
    CHECK_NEAR(chart_axis_at(&up, 1), 150, 1e-9);
    tap_case("places: log");
    chart_axis_choose(&log_axis, 1, 1000, 4, arena);
    CHECK_NEAR(chart_axis_at(&log_axis, 10), 30, 1e-9);
    CHECK_NEAR(chart_axis_at(&log_axis, 1000), 90, 1e-9);
    CHECK_NEAR(chart_axis_at(&log_axis, 0), 0, 1e-9);
}

static void check_limits(struct arena *arena)
{
    struct chart_axis axis = {.tight = true, .limited = true}, open = {0};

    tap_case("limits: what an axis reaches");
    chart_axis_choose(&axis, 0.1, 0.7, 6, arena);
    CHECK(chart_axis_reaches(&axis, 0.1) && chart_axis_reaches(&axis, 0.7) &&
          chart_axis_reaches(&axis, 0.4));
    CHECK(!chart_axis_reaches(&axis, 0.09) && !chart_axis_reaches(&axis, 0.71));
    CHECK(axis.low == 0.1 && axis.high == 0.7);
    tap_case("limits: an axis without them reaches all");
    chart_axis_choose(&open, 0, 1, 6, arena);
    CHECK(chart_axis_reaches(&open, -7) && chart_axis_reaches(&open, 7));
}

/* Whatever the range: ticks ascend, are few enough, and the ends take in the data. */
static void check_random(struct arena *arena)
{
    struct rng rng = rng_seeded(7);
    size_t wrong = 0;

    tap_case("any range");
    for (int round = 0; round < 20000; round++) {
        struct arena_mark mark = arena_mark(arena);
        struct chart_axis axis = {.scale = round % 3 == 0 ? CHART_LOG : CHART_LINEAR};
        double size = pow(10, 60 * rng_unit(&rng) - 30);
        double low = size * (axis.scale == CHART_LOG ? 1 : 2 * rng_unit(&rng) - 1);
        double high = low + size * pow(10, 6 * rng_unit(&rng) - 3);
        size_t ticks_max = 3 + (size_t)rng_below(&rng, 10);

        chart_axis_choose(&axis, low, high, ticks_max, arena);
        wrong += axis.tick_count > ticks_max || !(axis.low < axis.high);
        wrong += axis.low > low + 1e-6 * (high - low);
        wrong += axis.high < high - 1e-6 * (high - low);
        for (size_t i = 1; i < axis.tick_count; i++)
            wrong += axis.ticks[i - 1] >= axis.ticks[i];
        wrong += axis.scale == CHART_LINEAR && axis.tick_count < 2;
        arena_rewind(arena, mark);
    }
    CHECK(wrong == 0);
}

static void test_axis(void)
{
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("ticks: %s", rows[i].name);
        check_ticks(&arena, i);
    }
    check_places(&arena);
    check_limits(&arena);
    check_random(&arena);
    arena_free(&arena);
}

/* Numbers as they stand in figures. */

static const struct {
    const char *name;
    double value;
    int decimals;
    const char *text;
} fixed[] = {
    {"nothing", 0, 0, "0"},
    {"three digits", 999, 0, "999"},
    {"a thousand", 1000, 0, "1,000"},
    {"a million and decimals", 1234567.891, 1, "1,234,567.9"},
    {"commas only before the point", 0.12345, 4, "0.1235"},
    {"below nothing", -1234.5, 1,
     "\xE2\x88\x92"
     "1,234.5"},
    {"rounded to nothing has no sign", -0.04, 1, "0.0"},
    {"rounded up into a digit more", 999.96, 1, "1,000.0"},
};

static const struct {
    const char *name;
    double value;
    enum chart_number number;
    const char *text;
} shorts[] = {
    {"count", 67646, CHART_PLAIN, "67,646"},
    {"largest in full", 999999, CHART_PLAIN, "999,999"},
    {"a million", 1e6, CHART_PLAIN, "1 M"},
    {"millions", 18154493, CHART_PLAIN, "18.2 M"},
    {"a thousand millions", 2.5e9, CHART_PLAIN, "2.5 G"},
    {"a million millions", 1.234e12, CHART_PLAIN, "1.23 T"},
    {"three digits of a fraction", 0.012345, CHART_PLAIN, "0.0123"},
    {"no needless zeros", 2.50, CHART_PLAIN, "2.5"},
    {"zeros of a whole number stay", 100, CHART_PLAIN, "100"},
    {"fraction of hundreds", 404.9, CHART_PLAIN, "405"},
    {"beyond names", 1e20, CHART_PLAIN, "1e+20"},
    {"too small", 1e-9, CHART_PLAIN, "1e-09"},
    {"negative", -3.5, CHART_PLAIN,
     "\xE2\x88\x92"
     "3.5"},
    {"share", 0.7069, CHART_PERCENT, "70.7%"},
    {"a share that is nearly nothing", 0.0004, CHART_PERCENT, "<0.1%"},
    {"no share", 0, CHART_PERCENT, "0.0%"},
    {"missing", NAN, CHART_PLAIN, "\xE2\x80\x93"},
    {"missing share", NAN, CHART_PERCENT, "\xE2\x80\x93"},
    {"endless", INFINITY, CHART_PLAIN, "\xE2\x80\x93"},
};

static const struct {
    const char *name;
    double share;
    const char *text;
} percents[] = {
    {"nothing", 0, "0%"},
    {"hardly anything", 0.0001, "<0.1%"},
    {"below one", 0.004, "0.4%"},
    {"rounds to one", 0.0096, "1%"},
    {"middle", 0.374, "37%"},
    {"nearly all", 0.996, "99.6%"},
    {"all but a hair", 0.99999, ">99.9%"},
    {"all", 1, "100%"},
};

static void check_is(struct arena *arena, struct str got, const char *want)
{
    CHECK_TEXT(arena_c_string(arena, got), want);
}

static void test_number(void)
{
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(fixed); i++) {
        tap_case("fixed: %s", fixed[i].name);
        check_is(&arena, chart_number_fixed(fixed[i].value, fixed[i].decimals, &arena),
                 fixed[i].text);
    }
    for (size_t i = 0; i < ROWS(shorts); i++) {
        tap_case("short: %s", shorts[i].name);
        check_is(&arena, chart_number_short(shorts[i].value, shorts[i].number, &arena),
                 shorts[i].text);
    }
    for (size_t i = 0; i < ROWS(percents); i++) {
        tap_case("percent: %s", percents[i].name);
        check_is(&arena, chart_number_percent(percents[i].share, &arena),
                 percents[i].text);
    }
    arena_free(&arena);
}

int main(void)
{
    test_axis();
    test_number();
    return tap_done();
}
