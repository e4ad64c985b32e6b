/* What must hold of statistics whatever the numbers: symmetry, invariance to order, shift
 * and scale, agreement of fast ways with slow ones. */
#include <math.h>

#include "base/rng.h"
#include "stats/adjust.h"
#include "stats/agreement.h"
#include "stats/contingency.h"
#include "stats/correlation.h"
#include "stats/effect.h"
#include "stats/internal.h"
#include "stats/interval.h"
#include "stats/ranktest.h"
#include "stats/skesd.h"
#include "stats/survival.h"
#include "stats/ttest.h"
#include "stats/values.h"
#include "tests/tap.h"
#include "tests/unit/rated.h"

enum { ROUNDS = 300, SIZE_MAX_DRAWN = 40 };

static struct arena arena;
static struct rng rng;

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1e-12, fmax(fabs(a), fabs(b)));
}

/* Random values, on every second call with many ties. */
static struct stats_values draw(size_t at_least)
{
    size_t count = at_least + (size_t)rng_below(&rng, SIZE_MAX_DRAWN - at_least);
    double *values = arena_array(&arena, double, count);
    bool tied = rng_below(&rng, 2) == 0;

    for (size_t i = 0; i < count; i++)
        values[i] = tied ? (double)rng_below(&rng, 6) : rng_normal(&rng);
    return (struct stats_values){values, count};
}

static struct stats_values changed(struct stats_values x, double shift, double scale)
{
    double *values = arena_array(&arena, double, x.count);

    for (size_t i = 0; i < x.count; i++)
        values[i] = shift + scale * x.at[i];
    return (struct stats_values){values, x.count};
}

static struct stats_values shuffled(struct stats_values x)
{
    double *values = arena_array(&arena, double, x.count);

    for (size_t i = 0; i < x.count; i++)
        values[i] = x.at[i];
    rng_shuffle(&rng, values, x.count, sizeof *values);
    return (struct stats_values){values, x.count};
}

static void describing(void)
{
    struct stats_values x = draw(2), y = shuffled(x), z = changed(x, 8, 0.5);
    struct stats_describe a = stats_describe(x, &arena), b = stats_describe(y, &arena),
                          c = stats_describe(z, &arena);

    CHECK(a.median == b.median && a.q1 == b.q1 && a.min == b.min && a.max == b.max);
    CHECK(near(a.sd, b.sd) && fabs(a.mean - b.mean) < 1e-14);
    CHECK(near(c.mean, 8 + a.mean / 2) && near(c.sd, a.sd / 2));
    CHECK(near(c.median, 8 + a.median / 2));
    CHECK(a.min <= a.q1 && a.q1 <= a.median && a.median <= a.q3 && a.q3 <= a.max);
    CHECK(a.min <= a.mean && a.mean <= a.max);
}

static void comparing_means(void)
{
    struct stats_values x = draw(3), y = draw(3);
    struct stats_ttest a = stats_ttest_welch(x, y, 0.95),
                       b = stats_ttest_welch(y, x, 0.95),
                       c = stats_ttest_welch(changed(x, 3, 4), changed(y, 3, 4), 0.95);

    if (a.undefined != NULL)
        return;
    CHECK(a.t == -b.t && a.p == b.p && a.low == -b.high);
    CHECK(fabs(a.t - c.t) < 1e-9 && near(a.df, c.df) && fabs(a.p - c.p) < 1e-9);
    CHECK((a.low > 0 || a.high < 0) == (a.p < 0.05)); /* interval and test agree */
    a = stats_ttest_student(x, y, 0.9);
    CHECK((a.low > 0 || a.high < 0) == (a.p < 0.1));
    CHECK(stats_effect_hedges(x, y, 0.95).estimate ==
          -stats_effect_hedges(y, x, 0.95).estimate);
}

static void comparing_ranks(void)
{
    struct stats_values x = draw(1), y = draw(1), groups[] = {x, y};
    struct stats_ranktest a = stats_ranktest_mann_whitney(x, y, &arena),
                          b = stats_ranktest_mann_whitney(shuffled(y), shuffled(x),
                                                          &arena),
                          c = stats_ranktest_mann_whitney(changed(x, 1, 4),
                                                          changed(y, 1, 4), &arena);
    double pairs = (double)x.count * (double)y.count;

    if (a.undefined != NULL)
        return;
    CHECK(a.statistic + b.statistic == pairs && near(a.p, b.p));
    CHECK(a.statistic == c.statistic && a.p == c.p);
    CHECK(near(stats_effect_cliff(x, y, 0.95, &arena).estimate + 1,
               2 * a.statistic / pairs) ||
          a.statistic == 0);
    CHECK(stats_ranktest_kruskal(groups, 2, &arena).p > 0);
}

/* Pairs counted one by one. */
static double slow_score(struct stats_values x, struct stats_values y)
{
    double score = 0;

    for (size_t i = 0; i < x.count; i++) {
        for (size_t j = i + 1; j < x.count; j++) {
            double product = (x.at[i] - x.at[j]) * (y.at[i] - y.at[j]);
            score += (product > 0) - (product < 0);
        }
    }
    return score;
}

static void correlating(void)
{
    struct stats_values x = draw(4), y = draw(4);
    struct stats_correlation a, b;

    x.count = y.count = x.count < y.count ? x.count : y.count;
    CHECK(stats_correlation_pairs(x, y, &arena).score == slow_score(x, y));
    a = stats_correlation_pearson(x, y, 0.95);
    if (a.undefined != NULL)
        return;
    b = stats_correlation_pearson(changed(y, 5, -2), x, 0.95);
    CHECK(fabs(a.r + b.r) < 1e-12 && fabs(a.p - b.p) < 1e-9);
    CHECK(a.r >= -1 && a.r <= 1 && a.p >= 0 && a.p <= 1);
    a = stats_correlation_spearman(x, y, 0.95, &arena);
    b = stats_correlation_spearman(changed(y, 5, -2), x, 0.95, &arena);
    CHECK(fabs(a.r + b.r) < 1e-12 && a.r >= -1 && a.r <= 1);
    a = stats_correlation_kendall(x, y, 0.95, &arena);
    b = stats_correlation_kendall(changed(y, 5, -2), x, 0.95, &arena);
    CHECK(a.r == -b.r && near(a.p, b.p) && a.r >= -1 && a.r <= 1);
}

/* Fisher's p with every table written out: 2 rows, 3 columns. */
static double slow_fisher(const int64_t *cells)
{
    int64_t columns[3], row = cells[0] + cells[1] + cells[2], total = 0;
    double seen = 0, all = 0, extreme = 0;

    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < 3; c++)
            columns[c] = cells[c] + cells[c + 3];
        for (int64_t i = 0; i <= columns[0]; i++) {
            for (int64_t j = 0; j <= columns[1]; j++) {
                int64_t k = row - i - j;
                double weight;
                if (k < 0 || k > columns[2])
                    continue;
                weight = exp(lgamma((double)columns[0] + 1) - lgamma((double)i + 1) -
                             lgamma((double)(columns[0] - i) + 1) +
                             lgamma((double)columns[1] + 1) - lgamma((double)j + 1) -
                             lgamma((double)(columns[1] - j) + 1) +
                             lgamma((double)columns[2] + 1) - lgamma((double)k + 1) -
                             lgamma((double)(columns[2] - k) + 1));
                if (i == cells[0] && j == cells[1])
                    seen = weight;
                all += pass == 1 ? weight : 0;
                extreme += pass == 1 && weight <= seen * (1 + 1e-7) ? weight : 0;
                total++;
            }
        }
    }
    return total > 0 ? extreme / all : NAN;
}

static void counting(void)
{
    int64_t cells[6], turned[6];
    struct stats_contingency table = {cells, 2, 3}, other = {turned, 3, 2};
    const struct stats_contingency_options options = {0};
    struct stats_contingency_chi_square a, b;
    double p;

    for (int i = 0; i < 6; i++)
        cells[i] = (int64_t)rng_below(&rng, 12);
    for (int i = 0; i < 6; i++)
        turned[i] = cells[i % 2 * 3 + i / 2];
    a = stats_contingency_chi_square(table, true, &arena);
    b = stats_contingency_chi_square(other, true, &arena);
    if (a.undefined != NULL)
        return;
    CHECK(near(a.chi_square, b.chi_square) && near(a.p, b.p) && a.df == b.df);
    p = stats_contingency_fisher(table, options, &arena).p;
    CHECK(near(p, slow_fisher(cells)));
    CHECK(near(p, stats_contingency_fisher(other, options, &arena).p));
    CHECK(stats_effect_cramer(table, 0.95, &arena).estimate <= 1);
}

static void sharing(void)
{
    int64_t n = 1 + (int64_t)rng_below(&rng, 200),
            x = (int64_t)rng_below(&rng, (uint64_t)n + 1);
    struct stats_interval a = stats_interval_wilson(x, n, 0.95),
                          b = stats_interval_wilson(n - x, n, 0.95),
                          wider = stats_interval_wilson(x, n, 0.99);

    CHECK(0 <= a.low && a.low <= a.estimate && a.estimate <= a.high && a.high <= 1);
    CHECK(fabs(a.low - (1 - b.high)) < 1e-12);
    CHECK(wider.low <= a.low && a.high <= wider.high);
}

/* Every way to choose which of first + second ranks are the first group's. */
static void ranking_exactly(void)
{
    enum { FIRST = 4, SECOND = 5 };
    double lower[FIRST * SECOND + 1] = {0}, all = 0;

    for (unsigned chosen = 0; chosen < 1u << (FIRST + SECOND); chosen++) {
        int size = 0, u = 0, seen = 0;
        for (int rank = 0; rank < FIRST + SECOND; rank++) {
            bool first = chosen >> rank & 1;
            size += first;
            u += first ? seen : 0;
            seen += !first;
        }
        if (size != FIRST)
            continue;
        all++;
        for (int at = u; at <= FIRST * SECOND; at++)
            lower[at]++;
    }
    for (int u = 0; u <= FIRST * SECOND; u++) {
        struct stats_exact tails = stats_exact_mann_whitney(u, FIRST, SECOND, &arena);
        CHECK(near(tails.lower, lower[u] / all));
        CHECK(near(tails.upper, lower[FIRST * SECOND - u] / all));
    }
}

static void adjusting(void)
{
    size_t count = 1 + (size_t)rng_below(&rng, 30);
    double *p = arena_array(&arena, double, count), *a, *b, *c;

    for (size_t i = 0; i < count; i++)
        p[i] = rng_unit(&rng) * rng_unit(&rng);
    a = stats_adjust_benjamini_hochberg((struct stats_values){p, count}, &arena);
    b = stats_adjust_holm((struct stats_values){p, count}, &arena);
    c = stats_adjust_bonferroni((struct stats_values){p, count}, &arena);
    for (size_t i = 0; i < count; i++) {
        CHECK(p[i] <= a[i] && a[i] <= b[i] && b[i] <= c[i] && c[i] <= 1);
        for (size_t j = 0; j < count; j++) /* the order stays */
            CHECK(p[i] > p[j] || (a[i] <= a[j] && b[i] <= b[j] && c[i] <= c[j]));
    }
}

/* Coefficients may be near 0, so the error that counts is absolute. */
static bool same(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

static void agreeing(void)
{
    enum { ITEMS = 25, RATERS = 3, CATEGORIES = 4 };
    static const int32_t renamed[] = {2, 0, 3, 1};
    int32_t labels[ITEMS * RATERS], others[ITEMS * RATERS];
    struct stats_agree_ratings a = rated_dense(labels, ITEMS, RATERS, CATEGORIES), b = a;
    const double *nominal = stats_agree_nominal(CATEGORIES, &arena);
    struct stats_agreement first, second;

    b.at = others;
    for (size_t i = 0; i < ITEMS * RATERS; i++) {
        bool missing = rng_below(&rng, 5) == 0;
        labels[i] = missing ? STATS_AGREE_MISSING : (int32_t)rng_below(&rng, CATEGORIES);
        others[i] = missing ? STATS_AGREE_MISSING : renamed[labels[i]];
    }
    for (int w = STATS_AGREE_NOMINAL; w <= STATS_AGREE_QUADRATIC; w++) {
        int64_t *table = stats_agree_table(a, 0, 1, &arena),
                *turned = stats_agree_table(a, 1, 0, &arena);
        enum stats_agree_weights weights = (enum stats_agree_weights)w;
        first = stats_agree_cohen(table, CATEGORIES, weights, 0.95, &arena);
        second = stats_agree_cohen(turned, CATEGORIES, weights, 0.95, &arena);
        CHECK(first.value >= -1 && first.value <= 1 && same(first.value, second.value));
        CHECK(same(first.std_error, second.std_error) && first.std_error >= 0);
    }
    first = stats_agree_cohen(stats_agree_table(a, 0, 1, &arena), CATEGORIES,
                              STATS_AGREE_NOMINAL, 0.95, &arena);
    second = stats_agree_cohen(stats_agree_table(b, 0, 1, &arena), CATEGORIES,
                               STATS_AGREE_NOMINAL, 0.95, &arena);
    CHECK(same(first.value, second.value));
    CHECK(same(stats_agree_fleiss(a, 0.95, &arena).value,
               stats_agree_fleiss(b, 0.95, &arena).value));
    CHECK(same(stats_agree_ac1(a, 0.95, &arena).value,
               stats_agree_ac1(b, 0.95, &arena).value));
    CHECK(same(stats_agree_alpha(a, nominal, &arena).value,
               stats_agree_alpha(b, nominal, &arena).value));
}

static void surviving(void)
{
    size_t count = 1 + (size_t)rng_below(&rng, 30);
    struct stats_survival_case *cases =
        arena_array(&arena, struct stats_survival_case, count);
    struct stats_survival curve;

    for (size_t i = 0; i < count; i++)
        cases[i] = (struct stats_survival_case){(double)rng_below(&rng, 20), true};
    curve = stats_survival_curve(cases, count, 0.95, &arena);
    for (size_t s = 0; s < curve.count;
         s++) { /* without censoring: the share still left */
        double later = 0;
        for (size_t i = 0; i < count; i++)
            later += cases[i].time > curve.steps[s].time;
        CHECK(fabs(curve.steps[s].left - later / (double)count) < 1e-14);
    }
    for (size_t i = 0; i < count; i++)
        cases[i].happened = rng_below(&rng, 2) == 0;
    curve = stats_survival_curve(cases, count, 0.95, &arena);
    for (size_t s = 1; s < curve.count; s++)
        CHECK(curve.steps[s].left <= curve.steps[s - 1].left && curve.steps[s].left >= 0);
}

static void clustering(void)
{
    enum { GROUPS = 7 };
    struct stats_values groups[GROUPS], turned[GROUPS];
    struct stats_skesd a, b;

    for (size_t g = 0; g < GROUPS; g++) {
        struct stats_values x = draw(5);
        groups[g] = changed(x, rng_unit(&rng) * 3, 1);
        turned[GROUPS - 1 - g] = changed(groups[g], 4, 2);
    }
    a = stats_skesd_rank(groups, GROUPS, 1, &arena);
    b = stats_skesd_rank(turned, GROUPS, 1, &arena);
    CHECK(a.undefined == NULL && a.rank_count == b.rank_count);
    for (size_t i = 0; i < GROUPS; i++) {
        CHECK(a.ranks[i] == b.ranks[GROUPS - 1 - i]);
        for (size_t j = 0; j < GROUPS; j++)
            CHECK(stats_mean(groups[i]) <= stats_mean(groups[j]) ||
                  a.ranks[i] <= a.ranks[j]);
    }
}

static const struct {
    const char *name;
    void (*holds)(void);
    int rounds;
} properties[] = {
    {"descriptions: order, shift and scale; quantiles ascend", describing, ROUNDS},
    {"t: swapping, shift and scale; the interval says what the test says",
     comparing_means, ROUNDS},
    {"ranks: swapping, order, any rising change; Cliff's delta from U", comparing_ranks,
     ROUNDS},
    {"correlation: symmetric, in [-1, 1]; pairs as counted one by one", correlating,
     ROUNDS},
    {"tables: turning; Fisher as with every table written out", counting, ROUNDS},
    {"shares: inside [0, 1], mirrored, wider with more confidence", sharing, ROUNDS},
    {"U: as with every choice written out", ranking_exactly, 1},
    {"adjusted p: never below p, in the known order", adjusting, ROUNDS},
    {"agreement: in [-1, 1], whatever the names and who is first", agreeing, ROUNDS},
    {"survival: without censoring the share that is left; never rises", surviving,
     ROUNDS},
    {"Scott-Knott ESD: order of groups, shift and scale; ranks follow means", clustering,
     ROUNDS},
};

int main(void)
{
    for (size_t i = 0; i < ROWS(properties); i++) {
        rng = rng_seeded(i);
        tap_case("%s", properties[i].name);
        for (int round = 0; round < properties[i].rounds; round++) {
            struct arena_mark mark = arena_mark(&arena);
            properties[i].holds();
            arena_rewind(&arena, mark);
        }
    }
    arena_free(&arena);
    return tap_done();
}
