/* Pearson and Spearman. */
#include "stats/correlation.h"

#include <assert.h>
#include <math.h>

#include "stats/describe.h"
#include "stats/distribution.h"
#include "stats/exact.h"
#include "stats/internal.h"
#include "stats/rank.h"

enum { SPEARMAN_EXACT_BELOW = 1290 };

struct correlation correlation_undefined(const char *why)
{
    return (struct correlation){NAN, NAN, NAN, NAN, NAN, false, why, why};
}

void correlation_set_interval(struct correlation *result, double variance, double level)
{
    double margin = distribution_normal_quantile(0.5 + level / 2) * sqrt(variance),
           z = atanh(result->r);

    assert(level > 0 && level < 1);
    result->low = result->high = NAN;
    if (!(variance > 0) || isinf(variance)) {
        result->interval_undefined = "there are too few pairs";
    } else if (fabs(result->r) >= 1) {
        result->interval_undefined = "the correlation is perfect";
    } else {
        result->low = tanh(z - margin);
        result->high = tanh(z + margin);
    }
}

/* r, or NAN when x or y does not vary. */
static double product_moment(struct values x, struct values y)
{
    double mean_x = describe_mean(x), mean_y = describe_mean(y), sd_x = describe_sd(x),
           sd_y = describe_sd(y), sum = 0, lost = 0;

    if (describe_hardly_varies(sd_x, mean_x) || describe_hardly_varies(sd_y, mean_y))
        return NAN;
    for (size_t i = 0; i < x.count; i++) {
        double product = (x.at[i] - mean_x) / sd_x * ((y.at[i] - mean_y) / sd_y),
               next = sum + (product - lost);
        lost = (next - sum) - (product - lost);
        sum = next;
    }
    return fmax(-1, fmin(1, sum / (double)(x.count - 1)));
}

static void set_t(struct correlation *result, double df)
{
    double r = result->r, t = r * sqrt(df / ((1 - r) * (1 + r)));

    result->statistic = t;
    result->p = distribution_t_two_sided(t, df);
}

struct correlation correlation_pearson(struct values x, struct values y, double level)
{
    struct correlation result = {0};
    const char *why = values_pair_problem(x, y, 3);
    double n = (double)x.count;

    assert(x.count == y.count);
    if (why != NULL)
        return correlation_undefined(why);
    result.r = product_moment(x, y);
    if (isnan(result.r))
        return correlation_undefined("all values of a column are equal");
    set_t(&result, n - 2);
    correlation_set_interval(&result, 1 / (n - 3), level);
    return result;
}

struct correlation correlation_spearman(struct values x, struct values y, double level,
                                        struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    struct correlation result = {0};
    const char *why = values_pair_problem(x, y, 3);
    double n = (double)x.count, squares = 0;
    struct rank rank_x, rank_y;

    assert(x.count == y.count);
    if (why != NULL)
        return correlation_undefined(why);
    rank_x = rank_values(x, arena);
    rank_y = rank_values(y, arena);
    result.r = product_moment((struct values){rank_x.at, x.count},
                              (struct values){rank_y.at, x.count});
    for (size_t i = 0; i < x.count; i++)
        squares += (rank_x.at[i] - rank_y.at[i]) * (rank_x.at[i] - rank_y.at[i]);
    arena_rewind(arena, mark);
    if (isnan(result.r))
        return correlation_undefined("all values of a column are equal");
    set_t(&result, n - 2);
    if (!rank_x.tied && !rank_y.tied) {
        result.r = 1 - 6 * squares / (n * (n * n - 1)); /* without rounding on the way */
        set_t(&result, n - 2);
        if (x.count < SPEARMAN_EXACT_BELOW) {
            double p = exact_two_sided(exact_spearman(squares, x.count));
            result.exact = p > 0; /* far out the series comes to 0, which no p can be */
            result.p = result.exact ? p : result.p;
        }
    }
    result.statistic = squares;
    correlation_set_interval(&result, (1 + result.r * result.r / 2) / (n - 3), level);
    return result;
}
