/* Power against R 4.2.2: power.prop.test, power.t.test (strict = TRUE) of stats, and
 * pwr.chisq.test, pwr.r.test, pwr.t.test of pwr 1.3-0. */
#include "stats/power.h"

#include <math.h>

#include "tests/tap.h"

static const struct {
    const char *name;
    struct stats_power plan;
    double n, power;
} rows[] = {
    {"proportions", {STATS_POWER_PROPORTIONS, .5, .75, 0, 0, .05}, 50, 0.7401659013},
    {"rare ones", {STATS_POWER_PROPORTIONS, .03, .08, 0, 0, .01}, 300, 0.5441585783},
    {"means", {STATS_POWER_MEANS, 0, 0, 1, 0, .05}, 20, 0.8689530277},
    {"five items", {STATS_POWER_MEANS, 0, 0, .5, 0, .05}, 5, 0.1076859898},
    {"three items", {STATS_POWER_MEANS, 0, 0, 2, 0, .05}, 3, 0.4626408119},
    {"small d", {STATS_POWER_MEANS, 0, 0, -.2, 0, .01}, 200, 0.2795592179},
    {"chi-square", {STATS_POWER_CHI_SQUARE, 0, 0, .3, 1, .05}, 100, 0.8508387683},
    {"six degrees", {STATS_POWER_CHI_SQUARE, 0, 0, .1, 6, .01}, 500, 0.1481979711},
    {"correlation", {STATS_POWER_CORRELATION, 0, 0, .3, 0, .05}, 50, 0.5715558419},
    {"negative", {STATS_POWER_CORRELATION, 0, 0, -.1, 0, .01}, 400, 0.2822683129},
};

/* R's sizes are real numbers, 76.707, 63.766, 298.382 and 193.087. */
static const struct {
    const char *name;
    struct stats_power plan;
    double power;
    int64_t items;
} sizes[] = {
    {"proportions", {STATS_POWER_PROPORTIONS, .5, .75, 0, 0, .05}, .9, 77},
    {"means", {STATS_POWER_MEANS, 0, 0, .5, 0, .05}, .8, 64},
    {"chi-square", {STATS_POWER_CHI_SQUARE, 0, 0, .2, 4, .05}, .8, 299},
    {"correlation", {STATS_POWER_CORRELATION, 0, 0, .2, 0, .05}, .8, 194},
    {"none is large enough", {STATS_POWER_MEANS, 0, 0, 1e-7, 0, .05}, .8, -1},
};

static const struct {
    const char *name;
    struct stats_power plan;
    double n, effect;
} effects[] = {
    {"proportions", {STATS_POWER_PROPORTIONS, .3, 0, 0, 0, .05}, 100, 0.4926564293},
    {"means", {STATS_POWER_MEANS, 0, 0, 0, 0, .05}, 64, 0.4990719912},
    {"chi-square", {STATS_POWER_CHI_SQUARE, 0, 0, 0, 3, .05}, 100, 0.3301856586},
    {"correlation", {STATS_POWER_CORRELATION, 0, 0, 0, 0, .05}, 84, 0.3001298047},
};

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("power: %s", rows[i].name);
        CHECK_NEAR(stats_power_of(&rows[i].plan, rows[i].n), rows[i].power, 1e-7);
    }
    for (size_t i = 0; i < ROWS(sizes); i++) {
        tap_case("items: %s", sizes[i].name);
        CHECK(stats_power_items(&sizes[i].plan, sizes[i].power) == sizes[i].items);
    }
    for (size_t i = 0; i < ROWS(effects); i++) {
        tap_case("effect: %s", effects[i].name);
        CHECK_NEAR(stats_power_effect(&effects[i].plan, effects[i].n, 0.8),
                   effects[i].effect, 3e-5); /* R's search ends there */
    }
    tap_case("too few for a test: undefined");
    CHECK(isnan(stats_power_of(&rows[8].plan, 3)));
    return tap_done();
}
