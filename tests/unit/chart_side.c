/* Ranges take in what an axis can show, and begin at 0 when they should. */
#include "chart/internal.h"

#include <math.h>

#include "tests/tap.h"

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
        struct side side = {.axis = {.scale = ranges[i].scale}};
        tap_case("range: %s", ranges[i].name);
        side_begin(&side);
        side_include(&side, ranges[i].values, 4);
        side_settle(&side, ranges[i].from_zero);
        CHECK_NEAR(side.low, ranges[i].low, 1e-12);
        CHECK_NEAR(side.high, ranges[i].high, 1e-12);
    }
}

int main(void)
{
    check_ranges();
    return tap_done();
}
