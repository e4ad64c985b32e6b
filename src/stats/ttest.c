/* Student, Welch and paired t tests. Standard errors are combined by hypot(), so that no
 * square can overflow. */
#include "stats/ttest.h"

#include <assert.h>
#include <math.h>

#include "stats/distribution.h"
#include "stats/values.h"

struct moments {
    double count, mean, sd;
};

static struct moments moments_of(struct stats_values values)
{
    return (struct moments){(double)values.count, stats_mean(values),
                            values.count > 1 ? stats_sd(values) : 0};
}

static struct stats_ttest undefined(const char *why)
{
    return (struct stats_ttest){NAN, NAN, NAN, NAN, NAN, NAN, why};
}

/* `size` is the largest mean: a spread below its rounding error counts as 0. */
static struct stats_ttest result(double difference, double error, double df, double size,
                                 double level)
{
    double margin;

    assert(level > 0 && level < 1);
    if (stats_hardly_varies(error, size))
        return undefined("the values hardly vary");
    margin = error * stats_t_quantile(0.5 + level / 2, df);
    return (struct stats_ttest){
        .difference = difference,
        .low = difference - margin,
        .high = difference + margin,
        .t = difference / error,
        .df = df,
        .p = stats_t_two_sided(difference / error, df),
    };
}

struct stats_ttest stats_ttest_student(struct stats_values a, struct stats_values b,
                                       double level)
{
    const char *why = stats_values_pair_problem(a, b, 1);
    struct moments first, second;
    double df = (double)a.count + (double)b.count - 2, pooled;

    if (why == NULL && df < 1)
        why = "the groups have too few values";
    if (why != NULL)
        return undefined(why);
    first = moments_of(a);
    second = moments_of(b);
    pooled = stats_pooled_sd(first.count, first.sd, second.count, second.sd);
    return result(first.mean - second.mean,
                  pooled * sqrt(1 / first.count + 1 / second.count), df,
                  fmax(fabs(first.mean), fabs(second.mean)), level);
}

struct stats_ttest stats_ttest_welch(struct stats_values a, struct stats_values b,
                                     double level)
{
    const char *why = stats_values_pair_problem(a, b, 2);
    struct moments first, second;
    double error_a, error_b, error, part_a, part_b, df;

    if (why != NULL)
        return undefined(why);
    first = moments_of(a);
    second = moments_of(b);
    error_a = first.sd / sqrt(first.count);
    error_b = second.sd / sqrt(second.count);
    error = hypot(error_a, error_b);
    part_a = error > 0 ? pow(error_a / error, 4) / (first.count - 1) : 1;
    part_b = error > 0 ? pow(error_b / error, 4) / (second.count - 1) : 1;
    df = 1 / (part_a + part_b);
    return result(first.mean - second.mean, error, df,
                  fmax(fabs(first.mean), fabs(second.mean)), level);
}

struct stats_ttest stats_ttest_paired(struct stats_values a, struct stats_values b,
                                      double level, struct arena *arena)
{
    const char *why = stats_values_pair_problem(a, b, 2);
    struct arena_mark mark = arena_mark(arena);
    struct moments moments;

    assert(a.count == b.count);
    if (why != NULL)
        return undefined(why);
    moments = moments_of(stats_values_differences(a, b, arena));
    arena_rewind(arena, mark);
    return result(moments.mean, moments.sd / sqrt(moments.count), moments.count - 1,
                  fabs(moments.mean), level);
}
