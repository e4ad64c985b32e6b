/* Numbers as they stand in figures. */
#include "chart/internal.h"

#include <math.h>

#include "tests/tap.h"

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

int main(void)
{
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(fixed); i++) {
        tap_case("fixed: %s", fixed[i].name);
        check_is(&arena, number_fixed(fixed[i].value, fixed[i].decimals, &arena),
                 fixed[i].text);
    }
    for (size_t i = 0; i < ROWS(shorts); i++) {
        tap_case("short: %s", shorts[i].name);
        check_is(&arena, number_short(shorts[i].value, shorts[i].number, &arena),
                 shorts[i].text);
    }
    for (size_t i = 0; i < ROWS(percents); i++) {
        tap_case("percent: %s", percents[i].name);
        check_is(&arena, number_percent(percents[i].share, &arena), percents[i].text);
    }
    arena_free(&arena);
    return tap_done();
}
