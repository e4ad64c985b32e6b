/* Kendall's tau-b. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/correlation.h"
#include "stats/distribution.h"
#include "stats/exact.h"
#include "stats/internal.h"

enum { EXACT_BELOW = 50 };

struct pair {
    double x, y;
};

static int by_x_then_y(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;

    if (a->x != b->x)
        return a->x > b->x ? 1 : -1;
    return (a->y > b->y) - (a->y < b->y);
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

struct correlation_pairs correlation_pairs(struct values x, struct values y,
                                           struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    struct correlation_pairs result = {0};
    size_t count = x.count;
    struct pair *pairs = arena_array(arena, struct pair, count);
    double *seconds = arena_array(arena, double, count), n = (double)count,
           *spare = arena_array(arena, double, count), tied_both = 0, swaps;

    for (size_t i = 0; i < count; i++)
        pairs[i] = (struct pair){x.at[i], y.at[i]};
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

struct correlation correlation_kendall(struct values x, struct values y, double level,
                                       struct arena *arena)
{
    struct correlation result = {0};
    const char *why = values_pair_problem(x, y, 3);
    double n = (double)x.count, all = n * (n - 1) / 2, variance;
    struct correlation_pairs pairs;

    assert(x.count == y.count);
    if (why != NULL)
        return correlation_undefined(why);
    pairs = correlation_pairs(x, y, arena);
    if (pairs.x2 / 2 >= all || pairs.y2 / 2 >= all)
        return correlation_undefined("all values of a column are equal");
    result.r = pairs.score / sqrt((all - pairs.x2 / 2) * (all - pairs.y2 / 2));
    result.r = fmax(-1, fmin(1, result.r));
    result.exact = pairs.x2 == 0 && pairs.y2 == 0 && x.count < EXACT_BELOW;
    if (result.exact) {
        result.statistic = (all + pairs.score) / 2;
        result.p = exact_two_sided(exact_kendall(result.statistic, x.count, arena));
    } else {
        variance = (n * (n - 1) * (2 * n + 5) - pairs.x5 - pairs.y5) / 18 +
                   pairs.x2 * pairs.y2 / (2 * n * (n - 1)) +
                   pairs.x3 * pairs.y3 / (9 * n * (n - 1) * (n - 2));
        result.statistic = pairs.score / sqrt(variance);
        result.p = distribution_normal_two_sided(result.statistic);
    }
    correlation_set_interval(&result, x.count > 4 ? 0.437 / (n - 4) : NAN, level);
    return result;
}
