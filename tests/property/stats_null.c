/* By simulation: where there is nothing to find, p is uniform; intervals hold the truth
 * as often as they say. Seeded, so it passes or fails for ever. */
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "stats/bootstrap.h"
#include "stats/correlation.h"
#include "stats/effect.h"
#include "stats/interval.h"
#include "stats/ranktest.h"
#include "stats/survival.h"
#include "stats/ttest.h"
#include "tests/tap.h"

enum { TRIALS = 1500, SIZE = 60 };

static struct arena arena;
static struct rng rng;

static struct stats_values draw(size_t count)
{
    double *values = arena_array(&arena, double, count);

    for (size_t i = 0; i < count; i++)
        values[i] = rng_normal(&rng);
    return (struct stats_values){values, count};
}

static double welch(void)
{
    return stats_ttest_welch(draw(12), draw(30), 0.95).p;
}

static double paired(void)
{
    return stats_ttest_paired(draw(8), draw(8), 0.95, &arena).p;
}

static double mann_whitney(void)
{
    return stats_ranktest_mann_whitney(draw(SIZE), draw(SIZE), &arena).p;
}

static double signed_rank(void)
{
    return stats_ranktest_signed(draw(SIZE), draw(SIZE), &arena).p;
}

static double kruskal(void)
{
    struct stats_values groups[] = {draw(SIZE), draw(SIZE), draw(SIZE)};

    return stats_ranktest_kruskal(groups, 3, &arena).p;
}

static double pearson(void)
{
    return stats_correlation_pearson(draw(10), draw(10), 0.95).p;
}

static double spearman(void)
{
    return stats_correlation_spearman(draw(SIZE), draw(SIZE), 0.95, &arena).p;
}

static double kendall(void)
{
    return stats_correlation_kendall(draw(SIZE), draw(SIZE), 0.95, &arena).p;
}

static double trend(void)
{
    double *times = arena_array(&arena, double, SIZE);

    for (int i = 0; i < SIZE; i++)
        times[i] = i;
    return stats_trend_mann_kendall((struct stats_values){times, SIZE}, draw(SIZE), 0.95,
                                    &arena)
        .p;
}

static double logrank(void)
{
    struct stats_survival_group groups[3];

    for (size_t g = 0; g < 3; g++) {
        struct stats_survival_case *cases =
            arena_array(&arena, struct stats_survival_case, SIZE);
        for (size_t i = 0; i < SIZE; i++)
            cases[i] =
                (struct stats_survival_case){rng_unit(&rng), rng_below(&rng, 4) > 0};
        groups[g] = (struct stats_survival_group){cases, SIZE};
    }
    return stats_survival_logrank(groups, 3, &arena).p;
}

static const struct {
    const char *name;
    double (*p)(void);
} tests[] = {
    {"Welch", welch},
    {"paired t", paired},
    {"Mann-Whitney", mann_whitney},
    {"signed ranks", signed_rank},
    {"Kruskal-Wallis", kruskal},
    {"Pearson", pearson},
    {"Spearman", spearman},
    {"Kendall", kendall},
    {"Mann-Kendall", trend},
    {"log-rank", logrank},
};

/* Kolmogorov's distance from the uniform distribution. */
static double distance(struct stats_values sorted)
{
    double largest = 0, n = (double)sorted.count;

    for (size_t i = 0; i < sorted.count; i++) {
        largest = fmax(largest, fabs(sorted.at[i] - (double)i / n));
        largest = fmax(largest, fabs(sorted.at[i] - (double)(i + 1) / n));
    }
    return largest;
}

static double mean(const size_t *items, size_t count, void *context)
{
    const double *values = context;
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += values[items[i]];
    return sum / (double)count;
}

static bool welch_holds(void)
{
    struct stats_ttest got = stats_ttest_welch(draw(7), draw(15), 0.9);

    return got.low <= 0 && 0 <= got.high;
}

static bool wilson_holds(void)
{
    int64_t x = 0;
    struct stats_interval got;

    for (int i = 0; i < 80; i++)
        x += rng_unit(&rng) < 0.3;
    got = stats_interval_wilson(x, 80, 0.9);
    return got.low <= 0.3 && 0.3 <= got.high;
}

static bool cliff_holds(void)
{
    struct stats_effect got = stats_effect_cliff(draw(30), draw(30), 0.9, &arena);

    return got.low <= 0 && 0 <= got.high;
}

static bool bootstrap_holds(void)
{
    struct stats_values values = draw(30);
    struct stats_bootstrap_options options = {0.9, 400, rng_next(&rng), 0};
    double copy[30];
    struct stats_bootstrap got;

    for (size_t i = 0; i < 30; i++)
        copy[i] = values.at[i];
    got = stats_bootstrap_bca(mean, copy, 30, options, &arena);
    return got.low <= 0 && 0 <= got.high;
}

static bool pearson_holds(void)
{
    struct stats_values x = draw(25), noise = draw(25);
    double *y = arena_array(&arena, double, 25);
    struct stats_correlation got;

    for (size_t i = 0; i < 25; i++)
        y[i] = 0.6 * x.at[i] + 0.8 * noise.at[i]; /* correlated by 0.6 */
    got = stats_correlation_pearson(x, (struct stats_values){y, 25}, 0.9);
    return got.low <= 0.6 && 0.6 <= got.high;
}

static const struct {
    const char *name;
    bool (*holds)(void);
    int trials;
} intervals[] = {
    {"Welch", welch_holds, TRIALS},         {"Wilson", wilson_holds, TRIALS},
    {"Cliff's delta", cliff_holds, TRIALS}, {"bootstrap of a mean", bootstrap_holds, 500},
    {"Pearson", pearson_holds, TRIALS},
};

int main(void)
{
    for (size_t t = 0; t < ROWS(tests); t++) {
        double p[TRIALS];
        rng = rng_seeded(100 + t);
        tap_case("p is uniform under the null: %s", tests[t].name);
        for (size_t i = 0; i < TRIALS; i++) {
            struct arena_mark mark = arena_mark(&arena);
            p[i] = tests[t].p();
            arena_rewind(&arena, mark);
        }
        /* A uniform one is further off in 1 of 1,000. */
        CHECK(distance(stats_values_sorted((struct stats_values){p, TRIALS}, &arena)) <
              1.95 / sqrt(TRIALS));
    }
    for (size_t t = 0; t < ROWS(intervals); t++) {
        double held = 0, n = intervals[t].trials;
        rng = rng_seeded(200 + t);
        tap_case("a 90%% interval holds the truth in 90%%: %s", intervals[t].name);
        for (int i = 0; i < intervals[t].trials; i++) {
            struct arena_mark mark = arena_mark(&arena);
            held += intervals[t].holds();
            arena_rewind(&arena, mark);
        }
        CHECK_NEAR(held / n, 0.9, 3.3 * sqrt(0.9 * 0.1 / n));
    }
    arena_free(&arena);
    return tap_done();
}
