/* Mann-Whitney and Wilcoxon's signed ranks. */
#include <assert.h>
#include <math.h>

#include "stats/distribution.h"
#include "stats/exact.h"
#include "stats/rank.h"
#include "stats/ranktest.h"

enum { EXACT_BELOW = 50 };

static struct ranktest undefined(const char *why)
{
    return (struct ranktest){NAN, NAN, NAN, false, why};
}

static struct ranktest normal(double statistic, double mean, double variance)
{
    struct ranktest result = {.statistic = statistic};
    double off = statistic - mean;

    if (variance <= 0)
        return undefined("all values are equal");
    if (off != 0)
        off -= off > 0 ? 0.5 : -0.5; /* for continuity */
    result.z = off / sqrt(variance);
    result.p = distribution_normal_two_sided(result.z);
    return result;
}

struct ranktest ranktest_mann_whitney(struct values a, struct values b,
                                      struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    double m = (double)a.count, n = (double)b.count, total = m + n, sum = 0, u;
    const char *why = values_pair_problem(a, b, 1);
    struct ranktest result;
    struct rank rank;

    if (why != NULL)
        return undefined(why);
    rank = rank_values(values_joined((struct values[]){a, b}, 2, arena), arena);
    for (size_t i = 0; i < a.count; i++)
        sum += rank.at[i];
    u = sum - m * (m + 1) / 2;
    if (!rank.tied && a.count < EXACT_BELOW && b.count < EXACT_BELOW) {
        double p = exact_two_sided(exact_mann_whitney(u, a.count, b.count, arena));
        result = (struct ranktest){u, NAN, p, true, NULL};
    } else {
        result = normal(u, m * n / 2,
                        m * n / 12 * (total + 1 - rank.ties / (total * (total - 1))));
    }
    arena_rewind(arena, mark);
    return result;
}

struct ranktest ranktest_signed(struct values a, struct values b, struct arena *arena)
{
    const char *why = values_pair_problem(a, b, 1);
    struct ranktest result = {.z = NAN, .exact = true};
    struct rank_pairs pairs;
    double n;

    assert(a.count == b.count);
    if (why != NULL)
        return undefined(why);
    pairs = rank_pairs(a, b, arena);
    n = (double)pairs.count;
    if (pairs.count == 0)
        return undefined("all pairs are equal");
    if (pairs.tied || pairs.count < a.count || pairs.count >= EXACT_BELOW)
        return normal(pairs.above, n * (n + 1) / 4,
                      n * (n + 1) * (2 * n + 1) / 24 - pairs.ties / 48);
    result.statistic = pairs.above;
    result.p = exact_two_sided(exact_signed_rank(pairs.above, pairs.count, arena));
    return result;
}
