/* Interrupted series against R 4.2.2: lm(), and NeweyWest(lag, prewhite = FALSE, adjust =
 * TRUE) of sandwich 3.0-2. */
#include "stats/series.h"

#include <math.h>
#include <string.h>

#include "tests/tap.h"

static double rising[] = {12, 15, 14, 18, 17, 21, 20, 24, 22, 25, 31, 29,
                          27, 24, 25, 22, 20, 21, 18, 16, 17, 13, 14, 11};
static const struct stats_values series = {rising, 24};

static const struct {
    size_t lags;
    double errors[STATS_SERIES_TERMS], p[STATS_SERIES_TERMS];
} rows[] = {
    {2,
     {0.33684529808, 0.06706689306, 0.75452188550, 0.07775646789},
     {5.1756392e-20, 7.2408794e-15, 1.1315550e-04, 1.0701996e-19}},
    {0,
     {0.6456862348, 0.1253069226, 1.0073954462, 0.1431993561},
     {1.6340036e-14, 6.9423506e-10, 1.8602426e-03, 1.5373594e-14}},
    {5,
     {0.26183461747, 0.05741504834, 0.58856007189, 0.06401231702},
     {3.5395770e-22, 3.6402471e-16, 5.4180245e-06, 2.2918473e-21}},
};

static struct stats_series_interrupted interrupted(struct stats_values values, size_t at,
                                                   size_t lags, struct arena *arena)
{
    return stats_series_interrupted(
        values, &(struct stats_series_event){.at = at, .lags = lags, .level = 0.95},
        arena);
}

static void check_interrupted(struct arena *arena)
{
    const double want[] = {12.636363636, 1.369696970, 3.609523810, -2.811455211};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct stats_series_interrupted got =
            interrupted(series, 10, rows[i].lags, arena);
        tap_case("interrupted, %zu lags", rows[i].lags);
        CHECK(got.undefined == NULL && got.df == 20 && got.lags == rows[i].lags);
        CHECK_NEAR(got.durbin_watson, 3.292903398, 1e-8);
        for (size_t k = 0; k < STATS_SERIES_TERMS; k++) {
            CHECK_NEAR(got.terms[k].estimate, want[k], 1e-8);
            CHECK_NEAR(got.terms[k].error, rows[i].errors[k], 1e-9);
            CHECK_NEAR(got.terms[k].p / rows[i].p[k], 1, 1e-6);
            CHECK(got.terms[k].low < want[k] && want[k] < got.terms[k].high);
        }
    }
    tap_case("two lags of 24 values, unless it is said");
    CHECK(interrupted(series, 10, SIZE_MAX, arena).lags == 2);
    tap_case("too few before or after the event: undefined");
    CHECK(interrupted(series, 2, 2, arena).undefined != NULL);
    CHECK(interrupted(series, 22, 2, arena).undefined != NULL);
    tap_case("on lines but for rounding: undefined; a little off them: not");
    double line[36];
    struct stats_values lines = {line, 36};
    for (size_t i = 0; i < 36; i++)
        line[i] = i < 17 ? 0.7 : 7e5 + 0.1 * (double)i;
    CHECK(interrupted(lines, 17, 3, arena).undefined != NULL);
    line[20] += 1;
    CHECK(interrupted(lines, 17, 3, arena).undefined == NULL);
    tap_case("on a line before the event alone: no errors there, and no rounding");
    struct stats_values steps = {(double[]){1, 1, 1, 1, 1, 9, 8, 9, 7, 9, 9}, 11};
    struct stats_series_interrupted half = interrupted(steps, 5, 2, arena);
    CHECK(half.undefined == NULL);
    CHECK_NEAR(half.terms[STATS_SERIES_LEVEL].estimate, 1, 1e-12);
    CHECK(half.terms[STATS_SERIES_SLOPE].estimate == 0);
    CHECK(isnan(half.terms[STATS_SERIES_SLOPE].error) &&
          isnan(half.terms[STATS_SERIES_LEVEL].p) &&
          isnan(half.terms[STATS_SERIES_LEVEL].low));
    CHECK(half.terms[STATS_SERIES_STEP].error > 0 && half.terms[STATS_SERIES_BEND].p < 1);
}

/* R: contr.sum of the phases, whose mean the level is then of. */
static void check_season(struct arena *arena)
{
    const double estimates[] = {12.7428164174, 1.3545375282, 3.6682452099, -2.8025866454};
    const double errors[] = {0.338774489636, 0.057829365568, 0.738867014850,
                             0.067696213212};
    const double p[] = {8.24796321e-18, 2.23098449e-14, 1.17988346e-04, 1.64331507e-18};
    size_t phase[24];

    for (size_t i = 0; i < 24; i++)
        phase[i] = i % 4;
    struct stats_series_event event = {
        .at = 10, .lags = 2, .season = {phase, 4}, .level = 0.95};
    struct stats_series_interrupted got = stats_series_interrupted(series, &event, arena);
    tap_case("interrupted, with a season of four");
    CHECK(got.undefined == NULL && got.df == 17);
    CHECK_NEAR(got.durbin_watson, 3.326665384, 1e-8);
    for (size_t k = 0; k < STATS_SERIES_TERMS; k++) {
        CHECK_NEAR(got.terms[k].estimate, estimates[k], 1e-8);
        CHECK_NEAR(got.terms[k].error, errors[k], 1e-9);
        CHECK_NEAR(got.terms[k].p / p[k], 1, 1e-6);
    }
    tap_case("a season of which there are not two: undefined");
    event.season.count = 13;
    CHECK_TEXT(stats_series_interrupted(series, &event, arena).undefined,
               "there are fewer than two whole seasons");
    tap_case("a season that no value tells from the level: undefined");
    event.season.count = 4;
    memset(phase, 0, sizeof phase);
    CHECK_TEXT(stats_series_interrupted(series, &event, arena).undefined,
               "the terms cannot be told apart");
}

int main(void)
{
    struct arena arena = {0};

    check_interrupted(&arena);
    check_season(&arena);
    arena_free(&arena);
    return tap_done();
}
