/* Ranks with ties, and tests on them: Mann-Whitney, Wilcoxon's signed ranks,
 * Kruskal-Wallis with Dunn's pairs, Friedman. */
#include "stats/ranktest.h"

#include <assert.h>
#include <math.h>

#include "base/order.h"
#include "stats/distribution.h"
#include "stats/internal.h"

struct stats_rank stats_rank_values(struct stats_values values, struct arena *arena)
{
    struct stats_rank rank = {arena_array(arena, double, values.count), values.count,
                              false, 0};
    struct arena_mark mark = arena_mark(arena);
    const size_t *places = order_places(values.at, values.count, false, arena);

    for (size_t from = 0, to; from < values.count; from = to) {
        double length;
        for (to = from + 1;
             to < values.count && values.at[places[to]] == values.at[places[from]];)
            to++;
        length = (double)(to - from);
        rank.tied = rank.tied || to - from > 1;
        rank.ties += length * length * length - length;
        for (size_t i = from; i < to; i++)
            rank.at[places[i]] = (double)(from + 1 + to) / 2;
    }
    arena_rewind(arena, mark);
    return rank;
}

/* Distances of pairs. What differs by no more than means of that size are rounded by is
 * the same, or ties would be broken by the last digits of 3.3 - 3.2 and 0.1: a distance
 * is as inexact as the larger of its two values. Whole numbers are exact. A whole tie has
 * the size of its smallest. */
static void even_out(struct stats_values a, struct stats_values b, double *sizes,
                     struct arena *arena)
{
    double *slack = arena_array(arena, double, a.count);

    for (size_t i = 0; i < a.count; i++) {
        bool whole = floor(a.at[i]) == a.at[i] && floor(b.at[i]) == b.at[i];
        slack[i] = whole ? 0 : STATS_RANK_SAME * fmax(fabs(a.at[i]), fabs(b.at[i]));
        sizes[i] = fabs(a.at[i] - b.at[i]);
        if (sizes[i] <= slack[i])
            sizes[i] = 0;
    }
    const size_t *places = order_places(sizes, a.count, false, arena);
    double last = 0, last_slack = 0, tie = 0;
    for (size_t i = 0; i < a.count; i++) {
        size_t at = places[i];
        double size = sizes[at];
        if (size <= 0)
            continue;
        if (tie <= 0 || size - last > slack[at] + last_slack)
            tie = size;
        last = size;
        last_slack = slack[at];
        sizes[at] = tie;
    }
}

struct stats_rank_pairs stats_rank_pairs(struct stats_values a, struct stats_values b,
                                         struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    double *sizes = arena_array(arena, double, a.count);
    bool *above = arena_array(arena, bool, a.count);
    struct stats_rank_pairs result = {0};
    struct stats_rank rank;

    assert(a.count == b.count);
    even_out(a, b, sizes, arena);
    for (size_t i = 0; i < a.count; i++)
        if (sizes[i] > 0) {
            above[result.count] = a.at[i] > b.at[i];
            sizes[result.count++] = sizes[i];
        }
    rank = stats_rank_values((struct stats_values){sizes, result.count}, arena);
    result.tied = rank.tied;
    result.ties = rank.ties;
    for (size_t i = 0; i < result.count; i++)
        *(above[i] ? &result.above : &result.below) += rank.at[i];
    arena_rewind(arena, mark);
    return result;
}

/* All values ranked together. */
struct ranked_groups {
    double *sums; /* of ranks, for each group */
    double total; /* values */
    bool tied;
    double ties;
};

/* Each group is put in order, and the least values that are left are taken from all of
 * them: so millions of values need not stand side by side with their ranks. */
static struct ranked_groups rank_together(const struct stats_values *groups, size_t count,
                                          struct arena *arena)
{
    struct ranked_groups ranked = {.sums = arena_array(arena, double, count)};
    struct stats_values *left = arena_array(arena, struct stats_values, count);
    double *taken = arena_array(arena, double, count);

    for (size_t g = 0; g < count; g++)
        left[g] = stats_values_sorted(groups[g], arena);
    for (;;) {
        double least = INFINITY, length = 0;
        for (size_t g = 0; g < count; g++)
            if (left[g].count > 0)
                least = fmin(least, left[g].at[0]);
        if (isinf(least))
            return ranked;
        for (size_t g = 0; g < count; g++) {
            for (taken[g] = 0; left[g].count > 0 && left[g].at[0] == least; taken[g]++)
                left[g] = (struct stats_values){left[g].at + 1, left[g].count - 1};
            length += taken[g];
        }
        for (size_t g = 0; g < count; g++)
            ranked.sums[g] += taken[g] * (ranked.total + (length + 1) / 2);
        ranked.total += length;
        ranked.tied = ranked.tied || length > 1;
        ranked.ties += length * length * length - length;
    }
}

/* Mann-Whitney and Wilcoxon's signed ranks. */

enum { EXACT_BELOW = 50 };

static struct stats_ranktest wilcoxon_undefined(const char *why)
{
    return (struct stats_ranktest){NAN, NAN, NAN, false, why};
}

static struct stats_ranktest normal(double statistic, double mean, double variance)
{
    struct stats_ranktest result = {.statistic = statistic};
    double off = statistic - mean;

    if (variance <= 0)
        return wilcoxon_undefined("all values are equal");
    if (off != 0)
        off -= off > 0 ? 0.5 : -0.5; /* for continuity */
    result.z = off / sqrt(variance);
    result.p = stats_normal_two_sided(result.z);
    return result;
}

struct stats_ranktest stats_ranktest_mann_whitney(struct stats_values a,
                                                  struct stats_values b,
                                                  struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    double m = (double)a.count, n = (double)b.count, total = m + n, u;
    const char *why = stats_values_pair_problem(a, b, 1);
    struct stats_ranktest result;
    struct ranked_groups ranked;

    if (why != NULL)
        return wilcoxon_undefined(why);
    ranked = rank_together((struct stats_values[]){a, b}, 2, arena);
    u = ranked.sums[0] - m * (m + 1) / 2;
    if (!ranked.tied && a.count < EXACT_BELOW && b.count < EXACT_BELOW) {
        double p =
            stats_exact_two_sided(stats_exact_mann_whitney(u, a.count, b.count, arena));
        result = (struct stats_ranktest){u, NAN, p, true, NULL};
    } else {
        result = normal(u, m * n / 2,
                        m * n / 12 * (total + 1 - ranked.ties / (total * (total - 1))));
    }
    arena_rewind(arena, mark);
    return result;
}

struct stats_ranktest stats_ranktest_signed(struct stats_values a, struct stats_values b,
                                            struct arena *arena)
{
    const char *why = stats_values_pair_problem(a, b, 1);
    struct stats_ranktest result = {.z = NAN, .exact = true};
    struct stats_rank_pairs pairs;
    double n;

    assert(a.count == b.count);
    if (why != NULL)
        return wilcoxon_undefined(why);
    pairs = stats_rank_pairs(a, b, arena);
    n = (double)pairs.count;
    if (pairs.count == 0)
        return wilcoxon_undefined("all pairs are equal");
    if (pairs.tied || pairs.count < a.count || pairs.count >= EXACT_BELOW)
        return normal(pairs.above, n * (n + 1) / 4,
                      n * (n + 1) * (2 * n + 1) / 24 - pairs.ties / 48);
    result.statistic = pairs.above;
    result.p =
        stats_exact_two_sided(stats_exact_signed_rank(pairs.above, pairs.count, arena));
    return result;
}

/* Kruskal-Wallis with Dunn's pairs, and Friedman. */

static const char *rank_groups(const struct stats_values *groups, size_t count,
                               struct arena *arena, struct ranked_groups *out)
{
    if (count < 2)
        return "there are fewer than two groups";
    for (size_t g = 0; g < count; g++) {
        const char *why = stats_values_problem(groups[g], 1);
        if (why != NULL)
            return why;
    }
    *out = rank_together(groups, count, arena);
    if (out->ties >= out->total * out->total * out->total - out->total)
        return "all values are equal";
    return NULL;
}

struct stats_ranktest_groups stats_ranktest_kruskal(const struct stats_values *groups,
                                                    size_t count, struct arena *arena)
{
    struct stats_ranktest_groups result = {NAN, NAN, NAN, NULL};
    struct arena_mark mark = arena_mark(arena);
    struct ranked_groups ranked;
    double spread = 0;

    result.undefined = rank_groups(groups, count, arena, &ranked);
    if (result.undefined == NULL) {
        double n = ranked.total;
        /* Around the mean rank, not around 0: no digits cancel. */
        for (size_t g = 0; g < count; g++) {
            double size = (double)groups[g].count,
                   off = ranked.sums[g] / size - (n + 1) / 2;
            spread += size * off * off;
        }
        result.statistic =
            12 * spread / (n * (n + 1)) / (1 - ranked.ties / (n * n * n - n));
        result.df = (double)count - 1;
        result.p = stats_chi_square_upper(result.statistic, result.df);
    }
    arena_rewind(arena, mark);
    return result;
}

struct stats_ranktest_pair *stats_ranktest_dunn(const struct stats_values *groups,
                                                size_t count, struct arena *arena,
                                                const char **undefined)
{
    struct stats_ranktest_pair *pairs =
        arena_array(arena, struct stats_ranktest_pair, count * count / 2);
    struct arena_mark mark = arena_mark(arena);
    struct ranked_groups ranked;
    size_t next = 0;

    *undefined = rank_groups(groups, count, arena, &ranked);
    for (size_t i = 0; *undefined == NULL && i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            double n = ranked.total, size_i = (double)groups[i].count,
                   size_j = (double)groups[j].count;
            double variance = (n * (n + 1) - ranked.ties / (n - 1)) / 12;
            double z = (ranked.sums[i] / size_i - ranked.sums[j] / size_j) /
                       sqrt(variance * (1 / size_i + 1 / size_j));
            pairs[next++] =
                (struct stats_ranktest_pair){i, j, z, stats_normal_two_sided(z)};
        }
    }
    arena_rewind(arena, mark);
    return *undefined == NULL ? pairs : NULL;
}

struct stats_ranktest_groups stats_ranktest_friedman(const double *blocks,
                                                     size_t block_count,
                                                     size_t treatments,
                                                     struct arena *arena)
{
    struct stats_ranktest_groups result = {NAN, NAN, NAN, NULL};
    struct arena_mark mark = arena_mark(arena);
    double *sums = arena_array(arena, double, treatments), ties = 0, spread = 0,
           n = (double)block_count, k = (double)treatments;

    if (treatments < 2 || block_count < 1)
        result.undefined = "there are fewer than two groups, or no block";
    else
        result.undefined = stats_values_problem(
            (struct stats_values){blocks, block_count * treatments}, 1);
    if (result.undefined != NULL)
        goto done;
    for (size_t b = 0; b < block_count; b++) {
        struct arena_mark block = arena_mark(arena);
        struct stats_rank rank = stats_rank_values(
            (struct stats_values){blocks + b * treatments, treatments}, arena);
        ties += rank.ties;
        for (size_t t = 0; t < treatments; t++)
            sums[t] += rank.at[t];
        arena_rewind(arena, block);
    }
    for (size_t t = 0; t < treatments; t++)
        spread += (sums[t] - n * (k + 1) / 2) * (sums[t] - n * (k + 1) / 2);
    if (ties >= n * (k * k * k - k)) {
        result.undefined = "in every block all values are equal";
        goto done;
    }
    result.statistic = 12 * spread / (n * k * (k + 1) - ties / (k - 1));
    result.df = k - 1;
    result.p = stats_chi_square_upper(result.statistic, result.df);
done:
    arena_rewind(arena, mark);
    return result;
}
