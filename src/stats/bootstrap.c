/* Bootstrap intervals (BCa): resampling from a seed, bias from the share of resamples
 * below the estimate, acceleration from leaving out one item at a time. */
#include "stats/bootstrap.h"

#include <assert.h>
#include <math.h>

#include "base/rng.h"
#include "stats/distribution.h"
#include "stats/values.h"

/* The quantile of the sorted resamples, between neighbours on the normal scale. */
static double normal_quantile(struct stats_values sorted, double share)
{
    double n = (double)sorted.count + 1, place = n * share, below = floor(place), from,
           to;
    size_t k = (size_t)below;

    if (below < 1)
        return sorted.at[0];
    if (k >= sorted.count)
        return sorted.at[sorted.count - 1];
    from = stats_normal_quantile(below / n);
    to = stats_normal_quantile((below + 1) / n);
    return sorted.at[k - 1] + (stats_normal_quantile(share) - from) / (to - from) *
                                  (sorted.at[k] - sorted.at[k - 1]);
}

static double acceleration(struct stats_values without)
{
    double mean = stats_mean(without), squares = 0, cubes = 0;

    for (size_t i = 0; i < without.count; i++) {
        double off = mean - without.at[i];
        squares += off * off;
        cubes += off * off * off;
    }
    return squares > 0 ? cubes / (6 * squares * sqrt(squares)) : 0;
}

struct stats_bootstrap stats_bootstrap_bca_from(double estimate,
                                                struct stats_values resampled,
                                                struct stats_values without, double level,
                                                struct arena *arena)
{
    struct stats_bootstrap result = {estimate, NAN, NAN, NAN, NAN, NAN, NULL};
    double below = 0, ends[2];
    struct stats_values sorted;

    assert(level > 0 && level < 1);
    if (isnan(estimate))
        result.undefined = "the statistic is undefined";
    else if (stats_values_problem(resampled, 2) != NULL ||
             stats_values_problem(without, 2) != NULL)
        result.undefined = "the statistic is undefined for some resamples";
    if (result.undefined != NULL)
        return result;
    for (size_t i = 0; i < resampled.count; i++)
        below += resampled.at[i] < estimate;
    result.std_error = stats_sd(resampled);
    if (below == 0 || below == (double)resampled.count) {
        result.undefined = "all resamples are on one side of the estimate";
        return result;
    }
    result.bias = stats_normal_quantile(below / (double)resampled.count);
    result.acceleration = acceleration(without);
    sorted = stats_values_sorted(resampled, arena);
    for (int side = 0; side < 2; side++) {
        double tail = (1 - level) / 2,
               z = result.bias + stats_normal_quantile(side ? 1 - tail : tail),
               moved = result.bias + z / (1 - result.acceleration * z);
        ends[side] = normal_quantile(sorted, stats_normal_upper(-moved));
    }
    result.low = fmin(ends[0], ends[1]);
    result.high = fmax(ends[0], ends[1]);
    return result;
}

/* The statistic without each group of neighbours. */
static void leave_groups_out(stats_bootstrap_statistic *statistic, void *context,
                             size_t count, size_t groups, size_t *items, double *without)
{
    for (size_t g = 0; g < groups; g++) {
        size_t from = g * count / groups, to = (g + 1) * count / groups, kept = 0;
        for (size_t i = 0; i < count; i++)
            if (i < from || i >= to)
                items[kept++] = i;
        without[g] = statistic(items, kept, context);
    }
}

struct stats_bootstrap stats_bootstrap_bca(stats_bootstrap_statistic *statistic,
                                           void *context, size_t count,
                                           struct stats_bootstrap_options options,
                                           struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    size_t resamples = options.resamples > 0 ? options.resamples : 2000,
           *items = arena_array(arena, size_t, count);
    double *resampled = arena_array(arena, double, resamples),
           *without = arena_array(arena, double, count);
    struct stats_bootstrap result;
    double estimate;

    if (count < 2)
        return (struct stats_bootstrap){
            NAN, NAN, NAN, NAN, NAN, NAN, "there are fewer than two items"};
    for (size_t i = 0; i < count; i++)
        items[i] = i;
    estimate = statistic(items, count, context);
    bool grouped = options.groups > 1 && options.groups < count;
    if (grouped)
        leave_groups_out(statistic, context, count, options.groups, items, without);
    for (size_t left_out = grouped ? 0 : count; left_out-- > 0;) {
        /* items holds 0 .. count-1 without the one left out */
        if (left_out + 1 < count)
            items[left_out] = left_out + 1;
        without[left_out] = statistic(items, count - 1, context);
    }
    for (size_t r = 0; r < resamples; r++) {
        struct rng rng = rng_stream(options.seed, 0, r);
        for (size_t i = 0; i < count; i++)
            items[i] = (size_t)rng_below(&rng, count);
        resampled[r] = statistic(items, count, context);
    }
    result = stats_bootstrap_bca_from(
        estimate, (struct stats_values){resampled, resamples},
        (struct stats_values){without, grouped ? options.groups : count}, options.level,
        arena);
    arena_rewind(arena, mark);
    return result;
}
