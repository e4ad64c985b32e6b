/* Effect sizes of two groups of numbers and of tables, with intervals and words. */
#include "stats/effect.h"

#include <assert.h>
#include <math.h>

#include "base/order.h"
#include "stats/distribution.h"
#include "stats/ranktest.h"
#include "stats/values.h"

static struct stats_effect effect_undefined(const char *why)
{
    return (struct stats_effect){NAN, NAN, NAN, NULL, why, why};
}

/* The word for a size, of the three limits above it. */
static const char *effect_word(double size, double small, double medium, double large)
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
static size_t count_below(struct stats_values sorted, double x, bool or_equal)
{
    size_t place;

    ORDER_SEEK(place, sorted.count,
               sorted.at[place] < x || (or_equal && sorted.at[place] == x));
    return place;
}

/* For each value of `group` its dominance over `others`, P(above) - P(below): the sum,
 * the sum of squares, and in how many pairs the two differ. */
struct dominance {
    double sum, squares, unequal;
    bool balanced; /* as many pairs above as below: the sum is 0, whatever was rounded */
};

static struct dominance dominance_of(struct stats_values group,
                                     struct stats_values others_sorted)
{
    double size = (double)others_sorted.count;
    struct dominance result = {0};
    double pairs = 0;

    for (size_t i = 0; i < group.count; i++) {
        double below = (double)count_below(others_sorted, group.at[i], false),
               above = size - (double)count_below(others_sorted, group.at[i], true),
               value = (below - above) / size;
        result.sum += value;
        result.squares += value * value;
        result.unequal += below + above;
        pairs += below - above;
    }
    result.balanced = pairs == 0;
    return result;
}

/* d - d^3 +- z s sqrt((1 - d^2)^2 + z^2 s^2), by 1 - d^2 + z^2 s^2; not symmetric. */
static void set_cliff_interval(struct stats_effect *result, double variance, double z)
{
    double d = result->estimate, within = z * z * variance, rest = (1 - d) * (1 + d),
           half = sqrt(within) * sqrt(rest * rest + within), scale = rest + within;

    result->low = fmax(-1, (d * rest - half) / scale);
    result->high = fmin(1, (d * rest + half) / scale);
}

struct stats_effect stats_effect_cliff(struct stats_values a, struct stats_values b,
                                       double level, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    struct stats_effect result = {0};
    const char *why = stats_values_pair_problem(a, b, 1);
    double m = (double)a.count, n = (double)b.count, d, variance,
           z = stats_normal_quantile(0.5 + level / 2), least = fmin(m, n);
    struct dominance first, second;

    assert(level > 0 && level < 1);
    if (why != NULL)
        return effect_undefined(why);
    first = dominance_of(a, stats_values_sorted(b, arena));
    second = dominance_of(b, stats_values_sorted(a, arena));
    arena_rewind(arena, mark);
    result.estimate = d = first.balanced ? 0 : first.sum / m;
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

struct stats_effect stats_effect_rank_biserial_pairs(struct stats_values a,
                                                     struct stats_values b, double level,
                                                     struct arena *arena)
{
    const char *why = stats_values_pair_problem(a, b, 1);
    struct stats_effect result = {.low = NAN, .high = NAN};
    struct stats_rank_pairs pairs;
    double n, margin;

    assert(a.count == b.count && level > 0 && level < 1);
    if (why != NULL)
        return effect_undefined(why);
    pairs = stats_rank_pairs(a, b, arena);
    if (pairs.count == 0)
        return effect_undefined("all pairs are equal");
    result.estimate = (pairs.above - pairs.below) / (pairs.above + pairs.below);
    result.word = ordinal_word(result.estimate);
    if (fabs(result.estimate) == 1) {
        result.interval_undefined = "all pairs differ in the same direction";
        return result;
    }
    n = (double)pairs.count;
    margin =
        stats_normal_quantile(0.5 + level / 2) * sqrt((4 * n + 2) / (3 * n * (n + 1)));
    result.low = tanh(atanh(result.estimate) - margin);
    result.high = tanh(atanh(result.estimate) + margin);
    return result;
}

/* Of the bias of d, with `df` degrees of freedom: gamma(df/2) / (sqrt(df/2)
 * gamma((df-1)/2))
 */
static double hedges_factor(double df)
{
    return exp(stats_log_gamma(df / 2) - stats_log_gamma((df - 1) / 2)) / sqrt(df / 2);
}

static struct stats_effect hedges(double g, double margin)
{
    return (struct stats_effect){.estimate = g,
                                 .low = g - margin,
                                 .high = g + margin,
                                 .word = effect_word(fabs(g), 0.2, 0.5, 0.8)};
}

struct stats_effect stats_effect_hedges(struct stats_values a, struct stats_values b,
                                        double level)
{
    const char *why = stats_values_pair_problem(a, b, 2);
    double m = (double)a.count, n = (double)b.count, mean_a, mean_b, pooled, g;

    assert(level > 0 && level < 1);
    if (why != NULL)
        return effect_undefined(why);
    pooled = stats_pooled_sd(m, stats_sd(a), n, stats_sd(b));
    mean_a = stats_mean(a);
    mean_b = stats_mean(b);
    if (stats_hardly_varies(pooled, fmax(fabs(mean_a), fabs(mean_b))))
        return effect_undefined("the values hardly vary");
    g = (mean_a - mean_b) / pooled * hedges_factor(m + n - 2);
    return hedges(g, stats_normal_quantile(0.5 + level / 2) *
                         sqrt(1 / m + 1 / n + g * g / (2 * (m + n))));
}

struct stats_effect stats_effect_hedges_pairs(struct stats_values a,
                                              struct stats_values b, double level,
                                              struct arena *arena)
{
    const char *why = stats_values_pair_problem(a, b, 2);
    struct arena_mark mark = arena_mark(arena);
    double n = (double)a.count;

    assert(level > 0 && level < 1 && a.count == b.count);
    if (why != NULL)
        return effect_undefined(why);
    struct stats_values all = stats_values_differences(a, b, arena);
    double mean = stats_mean(all), sd = stats_sd(all);
    arena_rewind(arena, mark);
    if (stats_hardly_varies(sd, fabs(mean)))
        return effect_undefined("the differences hardly vary");
    double g = mean / sd * hedges_factor(n - 1);
    return hedges(g,
                  stats_normal_quantile(0.5 + level / 2) * sqrt(1 / n + g * g / (2 * n)));
}

/* Effect sizes of tables: Cramer's V and the odds ratio. */

static double total_of(struct stats_contingency table)
{
    double total = 0;

    for (size_t i = 0; i < table.rows * table.columns; i++)
        total += (double)table.at[i];
    return total;
}

static double lesser_side(struct stats_contingency table)
{
    return (double)(table.rows < table.columns ? table.rows : table.columns) - 1;
}

static const char *cramer_word(double v, double lesser)
{
    return effect_word(v * sqrt(lesser), 0.1, 0.3, 0.5);
}

/* The non-centrality with which chi-square is at most `x` with the given probability; 0
 * when it is less likely already without any. */
static double noncentrality(double x, double df, double probability)
{
    double low = 0, high = 1;

    if (stats_noncentral_lower(x, df, 0) <= probability)
        return 0;
    while (stats_noncentral_lower(x, df, high) > probability)
        high *= 2;
    for (;;) {
        double middle = low + (high - low) / 2;
        if (high - low <= 1e-13 * high)
            return middle;
        if (stats_noncentral_lower(x, df, middle) > probability)
            low = middle;
        else
            high = middle;
    }
}

struct stats_effect stats_effect_cramer(struct stats_contingency table, double level,
                                        struct arena *arena)
{
    struct stats_contingency_chi_square test =
        stats_contingency_chi_square(table, false, arena);
    double size = total_of(table) * lesser_side(table), tail = (1 - level) / 2, low, high;
    struct stats_effect result = {0};

    assert(level > 0 && level < 1);
    if (test.undefined != NULL)
        return effect_undefined(test.undefined);
    low = noncentrality(test.chi_square, test.df, 1 - tail);
    high = noncentrality(test.chi_square, test.df, tail);
    result.estimate = fmin(1, sqrt(test.chi_square / size));
    /* The expectation of chi-square is its non-centrality plus df. */
    result.low = low > 0 ? fmin(1, sqrt((low + test.df) / size)) : 0;
    result.high = high > 0 ? fmin(1, sqrt((high + test.df) / size)) : 0;
    result.low = fmin(result.low, result.estimate);
    result.high = fmax(result.high, result.estimate);
    result.word = cramer_word(result.estimate, lesser_side(table));
    return result;
}

/* A chi-square by the most that it can be. Its expectation is its non-centrality plus df,
 * so that the estimate is that much above what it estimates, and may be above the upper
 * limit of it: the limits are the lower one of the non-centrality and the upper one of
 * the expectation, between which both are. */
static struct stats_effect of_ranks(double chi_square, double df, double most,
                                    double level)
{
    struct stats_effect result = {.estimate = fmin(1, chi_square / most)};
    double tail = (1 - level) / 2;

    assert(level > 0 && level < 1);
    result.low = fmin(1, noncentrality(chi_square, df, 1 - tail) / most);
    result.high = fmin(1, (noncentrality(chi_square, df, tail) + df) / most);
    return result;
}

struct stats_effect stats_effect_epsilon_squared(double chi_square, double df,
                                                 size_t count, double level)
{
    struct stats_effect result = of_ranks(chi_square, df, (double)count - 1, level);

    result.word = effect_word(result.estimate, 0.01, 0.06, 0.14);
    return result;
}

struct stats_effect stats_effect_concordance(double chi_square, double df, size_t blocks,
                                             double level)
{
    struct stats_effect result = of_ranks(chi_square, df, (double)blocks * df, level);

    result.word = effect_word(result.estimate, 0.1, 0.3, 0.5);
    return result;
}

struct stats_effect stats_effect_odds_ratio(const int64_t cells[4], double level)
{
    struct stats_effect result = {0};
    double count[4], add = 0, margin, ratio;

    assert(level > 0 && level < 1);
    for (int i = 0; i < 4; i++) {
        assert(cells[i] >= 0);
        add = cells[i] == 0 ? 0.5 : add;
    }
    if (cells[0] + cells[1] == 0 || cells[2] + cells[3] == 0)
        return effect_undefined("the group is empty");
    if (cells[0] + cells[2] == 0 || cells[1] + cells[3] == 0)
        return effect_undefined("both groups have the same outcome throughout");
    for (int i = 0; i < 4; i++)
        count[i] = (double)cells[i] + add;
    ratio = count[0] / count[1] * (count[3] / count[2]);
    margin = stats_normal_quantile(0.5 + level / 2) *
             sqrt(1 / count[0] + 1 / count[1] + 1 / count[2] + 1 / count[3]);
    result.estimate = ratio;
    result.low = exp(log(ratio) - margin);
    result.high = exp(log(ratio) + margin);
    result.word = effect_word(fmax(ratio, 1 / ratio), 1.68, 3.47, 6.71);
    return result;
}
