/* Interrupted series against R 4.2.2: lm(), and NeweyWest(lag, prewhite = FALSE, adjust =
 * TRUE) of sandwich 3.0-2; changes against the best of all divisions, found by trying
 * each with numpy 1.24. */
#include "stats/series.h"

#include <math.h>

#include "base/rng.h"
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

static void check_interrupted(void)
{
    const double want[] = {12.636363636, 1.369696970, 3.609523810, -2.811455211};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct stats_series_interrupted got =
            stats_series_interrupted(series, 10, rows[i].lags, 0.95);
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
    CHECK(stats_series_interrupted(series, 10, SIZE_MAX, 0.95).lags == 2);
    tap_case("too few before or after the event: undefined");
    CHECK(stats_series_interrupted(series, 2, 2, 0.95).undefined != NULL);
    CHECK(stats_series_interrupted(series, 22, 2, 0.95).undefined != NULL);
    tap_case("on lines but for rounding: undefined; a little off them: not");
    double line[36];
    struct stats_values lines = {line, 36};
    for (size_t i = 0; i < 36; i++)
        line[i] = i < 17 ? 0.7 : 7e5 + 0.1 * (double)i;
    CHECK(stats_series_interrupted(lines, 17, 3, 0.95).undefined != NULL);
    line[20] += 1;
    CHECK(stats_series_interrupted(lines, 17, 3, 0.95).undefined == NULL);
    tap_case("on a line before the event alone: no errors there, and no rounding");
    struct stats_values steps = {(double[]){1, 1, 1, 1, 1, 9, 8, 9, 7, 9, 9}, 11};
    struct stats_series_interrupted half = stats_series_interrupted(steps, 5, 2, 0.95);
    CHECK(half.undefined == NULL);
    CHECK_NEAR(half.terms[STATS_SERIES_LEVEL].estimate, 1, 1e-12);
    CHECK(half.terms[STATS_SERIES_SLOPE].estimate == 0);
    CHECK(isnan(half.terms[STATS_SERIES_SLOPE].error) &&
          isnan(half.terms[STATS_SERIES_LEVEL].p) &&
          isnan(half.terms[STATS_SERIES_LEVEL].low));
    CHECK(half.terms[STATS_SERIES_STEP].error > 0 && half.terms[STATS_SERIES_BEND].p < 1);
}

static struct stats_series_changes changes_of(const double *values, size_t count,
                                              double error, struct arena *arena)
{
    return stats_series_changes(
        (struct stats_values){values, count},
        &(struct stats_series_search){
            .least = 3, .resamples = 199, .error = error, .seed = 1},
        arena);
}

/* Divisions with the slope that their parts share, by numpy.linalg.lstsq of all of them.
 */
static void check_divisions(struct arena *arena)
{
    static const double saw[] = {3,  5,  4,  6, 5,  7, 13, 12, 15,
                                 13, 15, 16, 8, 10, 9, 11, 10, 13};

    tap_case("the best of all divisions");
    struct stats_series_changes got = changes_of(rising, 24, 1, arena);
    CHECK_NEAR(got.noise, 2.096716165, 1e-8);
    CHECK_NEAR(got.slope, -1.35306554, 1e-8);
    CHECK(got.count == 3 && got.at[0] == 3 && got.at[1] == 7 && got.at[2] == 10);
    CHECK_NEAR(got.steps[0], 25.08879493 - 15.01973221, 1e-7);
    CHECK_NEAR(got.steps[2], 42.89700997 - 34.49119098, 1e-7);
    got = changes_of(rising, 16, 1, arena);
    CHECK(got.count == 1 && got.at[0] == 13);
    CHECK_NEAR(got.slope, 1.41304348, 1e-8);
    got = changes_of(saw, 18, 1, arena);
    CHECK(got.count == 2 && got.at[0] == 6 && got.at[1] == 12);
    CHECK_NEAR(got.slope, 0.67619048, 1e-8);
    CHECK_NEAR(got.steps[1], 0.36190476 - 8.25238095, 1e-7);
}

/* The least total of squares and penalties around a slope, of all divisions. */
static double plain_total(const double *values, size_t count, double slope,
                          double penalty)
{
    double best[201];

    best[0] = -penalty;
    for (size_t to = 3; to <= count; to++) {
        best[to] = INFINITY;
        for (size_t from = 0; from + 3 <= to; from = from == 0 ? 3 : from + 1) {
            double mean = 0, squares = 0, n = (double)(to - from);
            for (size_t i = from; i < to; i++)
                mean += (values[i] - slope * (double)i) / n;
            for (size_t i = from; i < to; i++)
                squares += pow(values[i] - slope * (double)i - mean, 2);
            best[to] = fmin(best[to], best[from] + squares + penalty);
        }
    }
    return best[count];
}

static double total_of(const double *values, size_t count,
                       const struct stats_series_changes *of, double penalty)
{
    double total = penalty * (double)of->count;

    for (size_t part = 0; part <= of->count; part++) {
        size_t from = part > 0 ? of->at[part - 1] : 0;
        size_t to = part < of->count ? of->at[part] : count;
        double mean = 0;
        for (size_t i = from; i < to; i++)
            mean += (values[i] - of->slope * (double)i) / (double)(to - from);
        for (size_t i = from; i < to; i++)
            total += pow(values[i] - of->slope * (double)i - mean, 2);
    }
    return total;
}

/* Places that the search closes, and ways that it does not go twice, hide no better
 * division. */
static void check_pruned(struct arena *arena)
{
    double values[120];
    size_t worse = 0, parts = 0;

    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct rng rng = rng_seeded(seed);
        double level = 0;
        for (size_t i = 0; i < 120; i++) {
            level += rng_below(&rng, 10) == 0 ? 6 * rng_normal(&rng) : 0;
            values[i] = level + 0.1 * (double)i + rng_normal(&rng);
        }
        struct stats_series_changes got = changes_of(values, 120, 1, arena);
        double penalty = got.penalty * got.noise * got.noise;
        double total = total_of(values, 120, &got, penalty);
        worse += !(total <= plain_total(values, 120, got.slope, penalty) * (1 + 1e-9));
        for (int s = -4; s <= 4; s++)
            worse += !(total <= plain_total(values, 120, 0.1 * s, penalty) * (1 + 1e-9));
        parts += got.count + 1;
    }
    tap_case("no division of 30 series costs less, around ten slopes each");
    CHECK(worse == 0 && parts > 150);
}

/* Of 200 series with a slope, a step at 40 of 60 and normal noise: how many have a change
 * told, and how many of these have it where it is, by one at most. */
static void simulate(double slope, double step, size_t *told, size_t *there,
                     struct arena *arena)
{
    double values[60];

    *told = *there = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct arena_mark mark = arena_mark(arena);
        struct rng rng = rng_seeded(seed);
        for (size_t i = 0; i < 60; i++)
            values[i] = slope * (double)i + (i >= 40 ? step : 0) + rng_normal(&rng);
        struct stats_series_changes got = changes_of(values, 60, 0.05, arena);
        *told += got.count > 0;
        for (size_t i = 0; i < got.count; i++)
            *there += got.at[i] >= 39 && got.at[i] <= 41;
        arena_rewind(arena, mark);
    }
}

static void check_changes(struct arena *arena)
{
    struct rng rng = rng_seeded(4);
    size_t told, there;
    double step[40];

    tap_case("a step of five deviations, and none");
    for (size_t i = 0; i < 40; i++)
        step[i] = rng_normal(&rng) + (i >= 25 ? 5 : 0);
    struct stats_series_changes got = changes_of(step, 40, 0.05, arena);
    CHECK(got.count == 1 && got.at[0] == 25 && got.p <= 0.01);
    CHECK(fabs(got.steps[0] - 5) < 1.5 && fabs(got.slope) < 0.1);
    for (size_t i = 25; i < 40; i++)
        step[i] -= 5;
    got = changes_of(step, 40, 0.05, arena);
    CHECK(got.count == 0 && got.p > 0.05);
    tap_case("a line has changes in 5 of 100; a bound that 1 of 1000 sets of 200 passes");
    for (int slope = -1; slope <= 1; slope++) {
        simulate(slope, 0, &told, &there, arena);
        CHECK(told <= 20);
    }
    tap_case("a step of five deviations on a line is found where it is");
    simulate(1, 5, &told, &there, arena);
    CHECK(told >= 190 && there >= 185);
    simulate(1, -5, &told, &there, arena);
    CHECK(told >= 190 && there >= 185);
    tap_case("all alike, on a line, or too few: undefined");
    for (size_t i = 0; i < 40; i++)
        step[i] = 1;
    CHECK(changes_of(step, 40, 0.05, arena).undefined != NULL);
    CHECK(changes_of(step, 5, 0.05, arena).undefined != NULL);
    for (size_t i = 0; i < 40; i++)
        step[i] = 0.1 * (double)i;
    CHECK(changes_of(step, 40, 0.05, arena).undefined != NULL);
}

int main(void)
{
    struct arena arena = {0};

    check_interrupted();
    check_divisions(&arena);
    check_pruned(&arena);
    check_changes(&arena);
    arena_free(&arena);
    return tap_done();
}
