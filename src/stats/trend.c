/* Mann-Kendall test and Sen's slope. */
#include "stats/trend.h"

#include <assert.h>
#include <math.h>

#include "stats/correlation.h"
#include "stats/describe.h"
#include "stats/distribution.h"

static void set_slope(struct trend *trend, struct values times, struct values values,
                      double level, struct arena *arena)
{
    size_t pairs = times.count * (times.count - 1) / 2, next = 0;
    double *slopes = arena_array(arena, double, pairs), all = (double)pairs, width, lower,
           upper;
    struct values sorted;

    for (size_t i = 0; i < times.count; i++)
        for (size_t j = i + 1; j < times.count; j++)
            slopes[next++] = (values.at[j] - values.at[i]) / (times.at[j] - times.at[i]);
    sorted = values_sorted((struct values){slopes, pairs}, arena);
    trend->slope = describe_quantile_sorted(sorted, 0.5);
    width = distribution_normal_quantile(0.5 + level / 2) * sqrt(trend->variance);
    lower = nearbyint((all - width) / 2);
    upper = nearbyint((all + width) / 2 + 1);
    trend->low = trend->high = NAN;
    if (lower < 1 || upper > all) {
        trend->interval_undefined = "there are too few values";
        return;
    }
    trend->low = sorted.at[(size_t)lower - 1];
    trend->high = sorted.at[(size_t)upper - 1];
}

struct trend trend_mann_kendall(struct values times, struct values values, double level,
                                struct arena *arena)
{
    struct trend result = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NULL, NULL};
    struct arena_mark mark = arena_mark(arena);
    double n = (double)times.count, all = n * (n - 1) / 2, off;
    struct correlation_pairs pairs;

    assert(times.count == values.count && level > 0 && level < 1);
    result.undefined = values_pair_problem(times, values, 3);
    for (size_t i = 1; result.undefined == NULL && i < times.count; i++)
        if (times.at[i] <= times.at[i - 1])
            result.undefined = "the times do not ascend";
    if (result.undefined != NULL)
        goto done;
    pairs = correlation_pairs(times, values, arena);
    if (pairs.y2 / 2 >= all) {
        result.undefined = "all values are equal";
        goto done;
    }
    result.score = pairs.score;
    result.variance = (n * (n - 1) * (2 * n + 5) - pairs.y5) / 18;
    off = pairs.score == 0 ? 0 : pairs.score - (pairs.score > 0 ? 1 : -1);
    result.z = off / sqrt(result.variance);
    result.p = distribution_normal_two_sided(result.z);
    result.tau = pairs.score / sqrt(all * (all - pairs.y2 / 2));
    set_slope(&result, times, values, level, arena);
done:
    if (result.undefined != NULL)
        result.interval_undefined = result.undefined;
    arena_rewind(arena, mark);
    return result;
}
