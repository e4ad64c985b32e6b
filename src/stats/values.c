/* Runs of numbers: whether they can be used, sorting, summing; mean, spread and
 * quantiles. */
#include "stats/values.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/order.h"

const char *stats_values_problem(struct stats_values values, size_t at_least)
{
    if (values.count == 0 && at_least > 0)
        return "the group is empty";
    if (values.count < at_least)
        return "the group has too few values";
    for (size_t i = 0; i < values.count; i++)
        if (!(fabs(values.at[i]) <= STATS_VALUES_MAX)) /* catches NAN as well */
            return "a value is not a number or too large";
    return NULL;
}

const char *stats_values_pair_problem(struct stats_values a, struct stats_values b,
                                      size_t at_least)
{
    const char *problem = stats_values_problem(a, at_least);

    return problem != NULL ? problem : stats_values_problem(b, at_least);
}

static double *join(const struct stats_values *groups, size_t count, struct arena *arena,
                    size_t *total)
{
    double *joined, *end;

    *total = 0;
    for (size_t g = 0; g < count; g++)
        *total += groups[g].count;
    end = joined = arena_array(arena, double, *total);
    for (size_t g = 0; g < count; g++) {
        if (groups[g].count > 0)
            memcpy(end, groups[g].at, groups[g].count * sizeof *end);
        end += groups[g].count;
    }
    return joined;
}

struct stats_values stats_values_joined(const struct stats_values *groups, size_t count,
                                        struct arena *arena)
{
    size_t total;
    double *joined = join(groups, count, arena, &total);

    return (struct stats_values){joined, total};
}

struct stats_values stats_values_differences(struct stats_values a, struct stats_values b,
                                             struct arena *arena)
{
    double *differences = arena_array(arena, double, a.count + 1);

    for (size_t i = 0; i < a.count; i++)
        differences[i] = a.at[i] - b.at[i];
    return (struct stats_values){differences, a.count};
}

struct stats_values stats_values_sorted(struct stats_values values, struct arena *arena)
{
    size_t count;
    double *sorted = join(&values, 1, arena, &count);

    order_reals(sorted, count);
    return (struct stats_values){sorted, count};
}

double stats_values_sum(struct stats_values values)
{
    double sum = 0, lost = 0;

    for (size_t i = 0; i < values.count; i++) {
        double value = values.at[i], next = sum + value;
        lost += fabs(sum) >= fabs(value) ? (sum - next) + value : (value - next) + sum;
        sum = next;
    }
    return sum + lost;
}

/* Mean, spread and quantiles. */

double stats_mean(struct stats_values values)
{
    double mean = stats_values_sum(values) / (double)values.count, min = values.at[0],
           max = values.at[0];

    for (size_t i = 1; i < values.count; i++) {
        min = fmin(min, values.at[i]);
        max = fmax(max, values.at[i]);
    }
    return fmax(min, fmin(max, mean)); /* rounding may not carry it out of the data */
}

double stats_sd(struct stats_values values)
{
    double mean = stats_mean(values), widest = 0, squares = 0;

    assert(values.count >= 2);
    for (size_t i = 0; i < values.count; i++)
        widest = fmax(widest, fabs(values.at[i] - mean));
    if (widest == 0)
        return 0;
    /* Deviations are taken in units of the widest, so that no square overflows. */
    for (size_t i = 0; i < values.count; i++) {
        double deviation = (values.at[i] - mean) / widest;
        squares += deviation * deviation;
    }
    return widest * sqrt(squares / (double)(values.count - 1));
}

double stats_pooled_sd(double count_a, double sd_a, double count_b, double sd_b)
{
    double df = count_a + count_b - 2;

    return hypot(sqrt((count_a - 1) / df) * sd_a, sqrt((count_b - 1) / df) * sd_b);
}

bool stats_hardly_varies(double spread, double size)
{
    return spread <= 10 * DBL_EPSILON * fabs(size);
}

double stats_quantile_sorted(struct stats_values sorted, double share)
{
    double position = (double)(sorted.count - 1) * share, below = floor(position);
    size_t i = (size_t)below;

    assert(sorted.count > 0 && share >= 0 && share <= 1);
    if (i + 1 == sorted.count || position == below)
        return sorted.at[i];
    if (position - below == 0.5) /* the mean of two, as anybody would compute it */
        return (sorted.at[i] + sorted.at[i + 1]) / 2;
    return sorted.at[i] + (position - below) * (sorted.at[i + 1] - sorted.at[i]);
}

double stats_quantile(struct stats_values values, double share, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    double quantile = stats_quantile_sorted(stats_values_sorted(values, arena), share);

    arena_rewind(arena, mark);
    return quantile;
}

double stats_median(struct stats_values values, struct arena *arena)
{
    return stats_quantile(values, 0.5, arena);
}

struct stats_describe stats_describe(struct stats_values values, struct arena *arena)
{
    struct stats_describe result = {
        (int64_t)values.count, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NULL, NULL};
    struct arena_mark mark = arena_mark(arena);
    struct stats_values sorted;

    if (values.count == 0)
        result.sum = 0;
    result.undefined = result.sd_undefined = stats_values_problem(values, 1);
    if (result.undefined != NULL)
        return result;
    sorted = stats_values_sorted(values, arena);
    result.sum = stats_values_sum(values);
    result.mean = stats_mean(values);
    result.min = sorted.at[0];
    result.q1 = stats_quantile_sorted(sorted, 0.25);
    result.median = stats_quantile_sorted(sorted, 0.5);
    result.q3 = stats_quantile_sorted(sorted, 0.75);
    result.max = sorted.at[sorted.count - 1];
    if (values.count < 2)
        result.sd_undefined = "there is only one value";
    else
        result.sd = stats_sd(values);
    arena_rewind(arena, mark);
    return result;
}
