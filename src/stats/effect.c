/* Effect sizes of two groups of numbers. */
#include "stats/effect.h"

#include <assert.h>
#include <math.h>

#include "stats/describe.h"
#include "stats/distribution.h"
#include "stats/internal.h"
#include "stats/rank.h"

struct effect effect_undefined(const char *why)
{
    return (struct effect){NAN, NAN, NAN, NULL, why, why};
}

const char *effect_word(double size, double small, double medium, double large)
{
    return size < small    ? "negligible"
           : size < medium ? "small"
           : size < large  ? "medium"
                           : "large";
}

static const char *ordinal_word(double delta)
{
    return effect_word(fabs(delta), 0.147, 0.33, 0.474);
}

/* How many of the sorted values are below x, and how many are not above it. */
static size_t count_below(struct values sorted, double x, bool or_equal)
{
    size_t low = 0, high = sorted.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted.at[middle] < x || (or_equal && sorted.at[middle] == x))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* For each value of `group` its dominance over `others`, P(above) - P(below): the sum,
 * the sum of squares, and in how many pairs the two differ. */
struct dominance {
    double sum, squares, unequal;
};

static struct dominance dominance_of(struct values group, struct values others_sorted)
{
    double size = (double)others_sorted.count;
    struct dominance result = {0};

    for (size_t i = 0; i < group.count; i++) {
        double below = (double)count_below(others_sorted, group.at[i], false),
               above = size - (double)count_below(others_sorted, group.at[i], true),
               value = (below - above) / size;
        result.sum += value;
        result.squares += value * value;
        result.unequal += below + above;
    }
    return result;
}

/* d - d^3 +- z s sqrt((1 - d^2)^2 + z^2 s^2), by 1 - d^2 + z^2 s^2; not symmetric. */
static void set_cliff_interval(struct effect *result, double variance, double z)
{
    double d = result->estimate, within = z * z * variance, rest = (1 - d) * (1 + d),
           half = sqrt(within) * sqrt(rest * rest + within), scale = rest + within;

    result->low = fmax(-1, (d * rest - half) / scale);
    result->high = fmin(1, (d * rest + half) / scale);
}

struct effect effect_cliff(struct values a, struct values b, double level,
                           struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    struct effect result = {0};
    const char *why = values_pair_problem(a, b, 1);
    double m = (double)a.count, n = (double)b.count, d, variance,
           z = distribution_normal_quantile(0.5 + level / 2), least = fmin(m, n);
    struct dominance first, second;

    assert(level > 0 && level < 1);
    if (why != NULL)
        return effect_undefined(why);
    first = dominance_of(a, values_sorted(b, arena));
    second = dominance_of(b, values_sorted(a, arena));
    arena_rewind(arena, mark);
    result.estimate = d = first.sum / m;
    result.word = ordinal_word(d);
    result.low = result.high = NAN;
    if (least < 2) {
        result.interval_undefined = "the group has too few values";
    } else if (fabs(d) == 1) {
        double end = (least - z * z) / (least + z * z);
        result.low = d > 0 ? end : -1;
        result.high = d > 0 ? 1 : -end;
    } else {
        variance =
            (n * n * (first.squares - m * d * d) + m * m * (second.squares - n * d * d) -
             (first.unequal - m * n * d * d)) /
            (m * n * (m - 1) * (n - 1));
        variance = fmax(variance, (1 - d * d) / (m * n - 1));
        set_cliff_interval(&result, variance, z);
    }
    return result;
}

struct effect effect_rank_biserial_pairs(struct values a, struct values b, double level,
                                         struct arena *arena)
{
    const char *why = values_pair_problem(a, b, 1);
    struct effect result = {.low = NAN, .high = NAN};
    struct rank_pairs pairs;
    double n, margin;

    assert(a.count == b.count && level > 0 && level < 1);
    if (why != NULL)
        return effect_undefined(why);
    pairs = rank_pairs(a, b, arena);
    if (pairs.count == 0)
        return effect_undefined("all pairs are equal");
    result.estimate = (pairs.above - pairs.below) / (pairs.above + pairs.below);
    result.word = ordinal_word(result.estimate);
    if (fabs(result.estimate) == 1) {
        result.interval_undefined = "all pairs differ in the same direction";
        return result;
    }
    n = (double)pairs.count;
    margin = distribution_normal_quantile(0.5 + level / 2) *
             sqrt((4 * n + 2) / (3 * n * (n + 1)));
    result.low = tanh(atanh(result.estimate) - margin);
    result.high = tanh(atanh(result.estimate) + margin);
    return result;
}

/* Of the bias of d, with `df` degrees of freedom: gamma(df/2) / (sqrt(df/2)
 * gamma((df-1)/2))
 */
static double hedges_factor(double df)
{
    return exp(distribution_log_gamma(df / 2) - distribution_log_gamma((df - 1) / 2)) /
           sqrt(df / 2);
}

static struct effect standardized(struct values a, struct values b, double level,
                                  bool unbiased)
{
    struct effect result = {0};
    const char *why = values_pair_problem(a, b, 2);
    double m = (double)a.count, n = (double)b.count, mean_a, mean_b, pooled, margin;

    assert(level > 0 && level < 1);
    if (why != NULL)
        return effect_undefined(why);
    pooled = describe_pooled_sd(m, describe_sd(a), n, describe_sd(b));
    mean_a = describe_mean(a);
    mean_b = describe_mean(b);
    if (describe_hardly_varies(pooled, fmax(fabs(mean_a), fabs(mean_b))))
        return effect_undefined("the values hardly vary");
    result.estimate = (mean_a - mean_b) / pooled;
    if (unbiased)
        result.estimate *= hedges_factor(m + n - 2);
    margin = distribution_normal_quantile(0.5 + level / 2) *
             sqrt(1 / m + 1 / n + result.estimate * result.estimate / (2 * (m + n)));
    result.low = result.estimate - margin;
    result.high = result.estimate + margin;
    result.word = effect_word(fabs(result.estimate), 0.2, 0.5, 0.8);
    return result;
}

struct effect effect_cohen(struct values a, struct values b, double level)
{
    return standardized(a, b, level, false);
}

struct effect effect_hedges(struct values a, struct values b, double level)
{
    return standardized(a, b, level, true);
}
