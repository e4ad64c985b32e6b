/* Whatever comes in - nothing, one value, ties, constants, the largest and the smallest
 * numbers, NAN - a result is either defined, and then every number of it is one and in
 * its range, or says why not, and then it is NAN. */
#include <math.h>

#include "base/rng.h"
#include "stats/contingency.h"
#include "stats/correlation.h"
#include "stats/effect.h"
#include "stats/ranktest.h"
#include "stats/skesd.h"
#include "stats/survival.h"
#include "stats/ttest.h"
#include "stats/values.h"
#include "tests/tap.h"

enum { ROUNDS = 4000, COUNT_MAX = 9 };

static struct arena arena;
static struct rng rng;

static double odd_value(void)
{
    static const double odd[] = {0,     -0.0,     1,      1,      0.1,     -1,
                                 1e300, -1e300,   1e-300, 5e-324, 1e150,   -1e-150,
                                 1e16,  1e16 + 2, 3,      NAN,    INFINITY};

    return odd[rng_below(&rng, rng_below(&rng, 8) == 0 ? ROWS(odd) : ROWS(odd) - 2)];
}

static struct stats_values draw_count(size_t count)
{
    double *values = arena_array(&arena, double, count), one = odd_value();
    uint64_t kind = rng_below(&rng, 3);

    for (size_t i = 0; i < count; i++)
        values[i] = kind == 0 ? one : kind == 1 ? odd_value() : rng_normal(&rng);
    return (struct stats_values){values, count};
}

static struct stats_values draw(void)
{
    return draw_count((size_t)rng_below(&rng, COUNT_MAX));
}

static bool is_p(double p)
{
    return p >= 0 && p <= 1;
}

/* An interval around an estimate. */
static bool is_interval(double low, double estimate, double high)
{
    return isfinite(low) && isfinite(high) && low <= estimate && estimate <= high;
}

static void check_describe(void)
{
    struct stats_describe got = stats_describe(draw(), &arena);

    if (got.undefined != NULL) {
        CHECK(isnan(got.mean) && isnan(got.median) && got.sd_undefined != NULL);
        return;
    }
    CHECK(isfinite(got.sum) && is_interval(got.min, got.mean, got.max));
    CHECK(is_interval(got.q1, got.median, got.q3));
    CHECK(got.sd_undefined != NULL ? isnan(got.sd) : isfinite(got.sd) && got.sd >= 0);
}

static void check_ttest(void)
{
    size_t pairs = (size_t)rng_below(&rng, COUNT_MAX);
    struct stats_ttest all[] = {
        stats_ttest_student(draw(), draw(), 0.95),
        stats_ttest_welch(draw(), draw(), 0.95),
        stats_ttest_paired(draw_count(pairs), draw_count(pairs), 0.95, &arena)};

    for (size_t i = 0; i < ROWS(all); i++) {
        if (all[i].undefined != NULL) {
            CHECK(isnan(all[i].t) && isnan(all[i].p) && isnan(all[i].difference));
            continue;
        }
        CHECK(isfinite(all[i].t) && is_p(all[i].p) && all[i].df > 0);
        CHECK(is_interval(all[i].low, all[i].difference, all[i].high));
    }
}

static void check_ranktest(void)
{
    size_t pairs = (size_t)rng_below(&rng, COUNT_MAX);
    struct stats_values groups[] = {draw(), draw(), draw()};
    struct stats_ranktest two[] = {
        stats_ranktest_mann_whitney(groups[0], groups[1], &arena),
        stats_ranktest_signed(draw_count(pairs), draw_count(pairs), &arena)};
    struct stats_ranktest_groups many[] = {
        stats_ranktest_kruskal(groups, 3, &arena),
        stats_ranktest_friedman(draw_count(3 * pairs).at, pairs, 3, &arena)};
    struct stats_skesd ranks = stats_skesd_rank(groups, 3, 0.05, &arena);

    for (size_t i = 0; i < 2; i++) {
        CHECK(two[i].undefined != NULL ? isnan(two[i].p) && isnan(two[i].statistic)
                                       : is_p(two[i].p) && two[i].p > 0);
        CHECK(many[i].undefined != NULL ? isnan(many[i].p) && isnan(many[i].statistic)
                                        : is_p(many[i].p) && many[i].statistic >= 0);
    }
    CHECK((ranks.undefined != NULL) == (ranks.ranks == NULL));
    for (size_t g = 0; ranks.ranks != NULL && g < 3; g++)
        CHECK(ranks.ranks[g] >= 1 && ranks.ranks[g] <= ranks.rank_count);
}

static void check_correlation(void)
{
    size_t pairs = (size_t)rng_below(&rng, COUNT_MAX);
    struct stats_values x = draw_count(pairs), y = draw_count(pairs);
    struct stats_correlation all[] = {stats_correlation_pearson(x, y, 0.95),
                                      stats_correlation_spearman(x, y, 0.95, &arena),
                                      stats_correlation_kendall(x, y, 0.95, &arena)};

    for (size_t i = 0; i < ROWS(all); i++) {
        if (all[i].undefined != NULL) {
            CHECK(isnan(all[i].r) && isnan(all[i].p) &&
                  all[i].interval_undefined != NULL);
            continue;
        }
        CHECK(all[i].r >= -1 && all[i].r <= 1 && is_p(all[i].p));
        CHECK(!isnan(all[i].statistic));
        CHECK(all[i].interval_undefined != NULL
                  ? isnan(all[i].low) && isnan(all[i].high)
                  : is_interval(all[i].low, all[i].r, all[i].high));
    }
}

static void check_effect(void)
{
    size_t pairs = (size_t)rng_below(&rng, COUNT_MAX);
    int64_t cells[4];

    for (int i = 0; i < 4; i++)
        cells[i] = rng_below(&rng, 3) == 0
                       ? 0
                       : (int64_t)(rng_next(&rng) >> (14 + rng_below(&rng, 50)));
    {
        struct stats_effect all[] = {stats_effect_cliff(draw(), draw(), 0.95, &arena),
                                     stats_effect_hedges(draw(), draw(), 0.95),
                                     stats_effect_rank_biserial_pairs(draw_count(pairs),
                                                                      draw_count(pairs),
                                                                      0.95, &arena),
                                     stats_effect_odds_ratio(cells, 0.95)};
        for (size_t i = 0; i < ROWS(all); i++) {
            if (all[i].undefined != NULL) {
                CHECK(isnan(all[i].estimate) && isnan(all[i].low) && all[i].word == NULL);
                continue;
            }
            CHECK(isfinite(all[i].estimate) && all[i].word != NULL);
            CHECK(all[i].interval_undefined != NULL
                      ? isnan(all[i].low) && isnan(all[i].high)
                      : is_interval(all[i].low, all[i].estimate, all[i].high));
        }
    }
}

static void check_table(void)
{
    int64_t cells[6];
    struct stats_contingency table = {cells, 1 + (size_t)rng_below(&rng, 3), 2};
    struct stats_contingency_chi_square chi;
    struct stats_contingency_fisher fisher;

    for (int i = 0; i < 6; i++)
        cells[i] = rng_below(&rng, 3) == 0 ? 0 : (int64_t)rng_below(&rng, 30);
    chi = stats_contingency_chi_square(table, rng_below(&rng, 2) == 0, &arena);
    fisher = stats_contingency_fisher(
        table, (struct stats_contingency_options){.draws = 10}, &arena);
    CHECK((chi.undefined != NULL) == (fisher.undefined != NULL));
    if (chi.undefined != NULL) {
        CHECK(isnan(chi.p) && isnan(chi.chi_square) && isnan(fisher.p));
        return;
    }
    CHECK(is_p(chi.p) && chi.chi_square >= 0 && is_p(fisher.p) && fisher.p > 0);
}

static void check_trend(void)
{
    size_t count = (size_t)rng_below(&rng, COUNT_MAX);
    double *times = arena_array(&arena, double, count);
    struct stats_trend got;

    for (size_t i = 0; i < count; i++)
        times[i] = 2008 + (double)i;
    got = stats_trend_mann_kendall((struct stats_values){times, count}, draw_count(count),
                                   0.95, &arena);
    if (got.undefined != NULL) {
        CHECK(isnan(got.p) && isnan(got.slope) && got.interval_undefined != NULL);
        return;
    }
    CHECK(is_p(got.p) && isfinite(got.z) && got.tau >= -1 && got.tau <= 1);
    CHECK(got.interval_undefined != NULL ? isnan(got.low)
                                         : is_interval(got.low, got.slope, got.high));
}

static void check_survival(void)
{
    struct stats_values times = draw();
    struct stats_survival_case *cases =
        arena_array(&arena, struct stats_survival_case, times.count);
    struct stats_survival_group halves[2];
    struct stats_survival_logrank test;
    struct stats_survival_median median;
    struct stats_survival curve;

    for (size_t i = 0; i < times.count; i++)
        cases[i] =
            (struct stats_survival_case){fabs(times.at[i]), rng_below(&rng, 3) > 0};
    curve = stats_survival_curve(cases, times.count, 0.95, &arena);
    median = stats_survival_median(&curve);
    CHECK((median.undefined != NULL) == isnan(median.median));
    CHECK((median.high_undefined != NULL) == isnan(median.high));
    for (size_t i = 0; i < curve.count; i++)
        CHECK(is_p(curve.steps[i].left) && curve.steps[i].at_risk > 0);
    halves[0] = (struct stats_survival_group){cases, times.count / 2};
    halves[1] = (struct stats_survival_group){cases + times.count / 2,
                                              times.count - times.count / 2};
    test = stats_survival_logrank(halves, 2, &arena);
    CHECK(test.undefined != NULL ? isnan(test.p) : is_p(test.p) && test.chi_square >= 0);
}

static const struct {
    const char *name;
    void (*check)(void);
} topics[] = {
    {"describe", check_describe},   {"t tests", check_ttest},
    {"rank tests", check_ranktest}, {"correlation", check_correlation},
    {"effect sizes", check_effect}, {"tables", check_table},
    {"trend", check_trend},         {"survival", check_survival},
};

int main(void)
{
    for (size_t i = 0; i < ROWS(topics); i++) {
        rng = rng_seeded(300 + i);
        tap_case("defined and in range, or undefined and said so: %s", topics[i].name);
        for (int round = 0; round < ROUNDS; round++) {
            struct arena_mark mark = arena_mark(&arena);
            topics[i].check();
            arena_rewind(&arena, mark);
        }
    }
    arena_free(&arena);
    return tap_done();
}
