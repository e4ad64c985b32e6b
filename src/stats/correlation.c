/* Pearson, Spearman and Kendall; the Mann-Kendall test of a trend with Sen's slope. */
#include "stats/correlation.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "stats/distribution.h"
#include "stats/internal.h"
#include "stats/ranktest.h"
#include "stats/values.h"

enum { SPEARMAN_EXACT_BELOW = 1290 };

static struct stats_correlation correlation_undefined(const char *why)
{
    return (struct stats_correlation){NAN, NAN, NAN, NAN, NAN, false, why, why};
}

/* Fisher's z of result->r plus and minus what its variance gives. */
static void correlation_set_interval(struct stats_correlation *result, double variance,
                                     double level)
{
    double margin = stats_normal_quantile(0.5 + level / 2) * sqrt(variance),
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
static double product_moment(struct stats_values x, struct stats_values y)
{
    double mean_x = stats_mean(x), mean_y = stats_mean(y), sd_x = stats_sd(x),
           sd_y = stats_sd(y), sum = 0, lost = 0;

    if (stats_hardly_varies(sd_x, mean_x) || stats_hardly_varies(sd_y, mean_y))
        return NAN;
    for (size_t i = 0; i < x.count; i++) {
        double product = (x.at[i] - mean_x) / sd_x * ((y.at[i] - mean_y) / sd_y),
               next = sum + (product - lost);
        lost = (next - sum) - (product - lost);
        sum = next;
    }
    return fmax(-1, fmin(1, sum / (double)(x.count - 1)));
}

static void set_t(struct stats_correlation *result, double df)
{
    double r = result->r, t = r * sqrt(df / ((1 - r) * (1 + r)));

    result->statistic = t;
    result->p = stats_t_two_sided(t, df);
}

struct stats_correlation stats_correlation_pearson(struct stats_values x,
                                                   struct stats_values y, double level)
{
    struct stats_correlation result = {0};
    const char *why = stats_values_pair_problem(x, y, 3);
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

struct stats_correlation stats_correlation_spearman(struct stats_values x,
                                                    struct stats_values y, double level,
                                                    struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    struct stats_correlation result = {0};
    const char *why = stats_values_pair_problem(x, y, 3);
    double n = (double)x.count, squares = 0;
    struct stats_rank rank_x, rank_y;

    assert(x.count == y.count);
    if (why != NULL)
        return correlation_undefined(why);
    rank_x = stats_rank_values(x, arena);
    rank_y = stats_rank_values(y, arena);
    result.r = product_moment((struct stats_values){rank_x.at, x.count},
                              (struct stats_values){rank_y.at, x.count});
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
            double p = stats_exact_two_sided(stats_exact_spearman(squares, x.count));
            result.exact = p > 0; /* far out the series comes to 0, which no p can be */
            result.p = result.exact ? p : result.p;
        }
    }
    result.statistic =
        rank_x.tied || rank_y.tied ? n * (n * n - 1) * (1 - result.r) / 6 : squares;
    correlation_set_interval(&result, (1 + result.r * result.r / 2) / (n - 3), level);
    return result;
}

/* Kendall's tau-b. */

enum { EXACT_BELOW = 50 };

struct correlation_pair {
    double x, y;
};

static int by_x_then_y(const void *left, const void *right)
{
    const struct correlation_pair *a = left, *b = right;

    return order_then(ORDER_BY(a->x, b->x), ORDER_BY(a->y, b->y));
}

/* Sorts y and returns how many pairs stood the wrong way round. */
static double merge_sort(double *y, double *spare, size_t count)
{
    size_t half = count / 2, i = 0, j = half, out = 0;
    double swaps;

    if (count < 2)
        return 0;
    swaps = merge_sort(y, spare, half) + merge_sort(y + half, spare, count - half);
    while (i < half && j < count) {
        if (y[j] < y[i]) {
            swaps += (double)(half - i);
            spare[out++] = y[j++];
        } else {
            spare[out++] = y[i++];
        }
    }
    while (i < half)
        spare[out++] = y[i++];
    memcpy(y, spare, out * sizeof *y); /* what is left of the upper half is in place */
    return swaps;
}

static void add_ties(double length, double *two, double *three, double *five)
{
    *two += length * (length - 1);
    *three += length * (length - 1) * (length - 2);
    *five += length * (length - 1) * (2 * length + 5);
}

struct stats_correlation_pairs
stats_correlation_pairs(struct stats_values x, struct stats_values y, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    struct stats_correlation_pairs result = {0};
    size_t count = x.count;
    struct correlation_pair *pairs = arena_array(arena, struct correlation_pair, count);
    double *seconds = arena_array(arena, double, count), n = (double)count,
           *spare = arena_array(arena, double, count), tied_both = 0, swaps;

    for (size_t i = 0; i < count; i++)
        pairs[i] = (struct correlation_pair){x.at[i], y.at[i]};
    if (count > 0)
        qsort(pairs, count, sizeof *pairs, by_x_then_y);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && pairs[to].x == pairs[from].x;)
            to++;
        add_ties((double)(to - from), &result.x2, &result.x3, &result.x5);
        for (size_t a = from, b; a < to; a = b) {
            for (b = a + 1; b < to && pairs[b].y == pairs[a].y;)
                b++;
            tied_both += (double)(b - a) * (double)(b - a - 1);
        }
    }
    for (size_t i = 0; i < count; i++)
        seconds[i] = pairs[i].y;
    swaps = merge_sort(seconds, spare, count);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && seconds[to] == seconds[from];)
            to++;
        add_ties((double)(to - from), &result.y2, &result.y3, &result.y5);
    }
    result.score =
        n * (n - 1) / 2 - result.x2 / 2 - result.y2 / 2 + tied_both / 2 - 2 * swaps;
    arena_rewind(arena, mark);
    return result;
}

struct stats_correlation stats_correlation_kendall(struct stats_values x,
                                                   struct stats_values y, double level,
                                                   struct arena *arena)
{
    struct stats_correlation result = {0};
    const char *why = stats_values_pair_problem(x, y, 3);
    double n = (double)x.count, all = n * (n - 1) / 2, variance;
    struct stats_correlation_pairs pairs;

    assert(x.count == y.count);
    if (why != NULL)
        return correlation_undefined(why);
    pairs = stats_correlation_pairs(x, y, arena);
    if (pairs.x2 / 2 >= all || pairs.y2 / 2 >= all)
        return correlation_undefined("all values of a column are equal");
    result.r = pairs.score / sqrt((all - pairs.x2 / 2) * (all - pairs.y2 / 2));
    result.r = fmax(-1, fmin(1, result.r));
    result.exact = pairs.x2 == 0 && pairs.y2 == 0 && x.count < EXACT_BELOW;
    if (result.exact) {
        result.statistic = (all + pairs.score) / 2;
        result.p =
            stats_exact_two_sided(stats_exact_kendall(result.statistic, x.count, arena));
    } else {
        variance = (n * (n - 1) * (2 * n + 5) - pairs.x5 - pairs.y5) / 18 +
                   pairs.x2 * pairs.y2 / (2 * n * (n - 1)) +
                   pairs.x3 * pairs.y3 / (9 * n * (n - 1) * (n - 2));
        result.statistic = pairs.score / sqrt(variance);
        result.p = stats_normal_two_sided(result.statistic);
    }
    correlation_set_interval(&result, x.count > 4 ? 0.437 / (n - 4) : NAN, level);
    return result;
}

/* Mann-Kendall test and Sen's slope. */

static void set_slope(struct stats_trend *trend, struct stats_values times,
                      struct stats_values values, double level, struct arena *arena)
{
    size_t pairs = times.count * (times.count - 1) / 2, next = 0;
    double *slopes = arena_array(arena, double, pairs), all = (double)pairs, width, lower,
           upper;
    struct stats_values sorted;

    for (size_t i = 0; i < times.count; i++)
        for (size_t j = i + 1; j < times.count; j++)
            slopes[next++] = (values.at[j] - values.at[i]) / (times.at[j] - times.at[i]);
    sorted = stats_values_sorted((struct stats_values){slopes, pairs}, arena);
    trend->slope = stats_quantile_sorted(sorted, 0.5);
    width = stats_normal_quantile(0.5 + level / 2) * sqrt(trend->variance);
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

struct stats_trend stats_trend_mann_kendall(struct stats_values times,
                                            struct stats_values values, double level,
                                            struct arena *arena)
{
    struct stats_trend result = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NULL, NULL};
    struct arena_mark mark = arena_mark(arena);
    double n = (double)times.count, all = n * (n - 1) / 2, off;
    struct stats_correlation_pairs pairs;

    assert(times.count == values.count && level > 0 && level < 1);
    result.undefined = stats_values_pair_problem(times, values, 3);
    for (size_t i = 1; result.undefined == NULL && i < times.count; i++)
        if (times.at[i] <= times.at[i - 1])
            result.undefined = "the times do not ascend";
    if (result.undefined != NULL)
        goto done;
    pairs = stats_correlation_pairs(times, values, arena);
    if (pairs.y2 / 2 >= all) {
        result.undefined = "all values are equal";
        goto done;
    }
    result.score = pairs.score;
    result.variance = (n * (n - 1) * (2 * n + 5) - pairs.y5) / 18;
    off = pairs.score == 0 ? 0 : pairs.score - (pairs.score > 0 ? 1 : -1);
    result.z = off / sqrt(result.variance);
    result.p = stats_normal_two_sided(result.z);
    result.tau = pairs.score / sqrt(all * (all - pairs.y2 / 2));
    set_slope(&result, times, values, level, arena);
done:
    if (result.undefined != NULL)
        result.interval_undefined = result.undefined;
    arena_rewind(arena, mark);
    return result;
}
