/* Scott-Knott ESD: groups in the order of their means are split where the means differ
 * most, as long as the parts differ by more than chance and by more than little. */
#include "stats/skesd.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "stats/distribution.h"
#include "stats/values.h"

static const double negligible_below = 0.2, pi = 3.14159265358979323846;

struct treatment {
    double count, mean, sd;
    size_t index;
};

struct ranking {
    struct treatment *treatments; /* by mean, from high to low */
    double mean_variance;         /* of one mean, pooled */
    double df;                    /* of that variance */
    double alpha;
    struct stats_skesd *result;
};

static int by_mean(const void *left, const void *right)
{
    const struct treatment *a = left, *b = right;

    return order_then(ORDER_BY(b->mean, a->mean), ORDER_BY(a->index, b->index));
}

static bool differ(const struct treatment *a, const struct treatment *b)
{
    double pooled = stats_pooled_sd(a->count, a->sd, b->count, b->sd);

    return fabs(a->mean - b->mean) >= negligible_below * pooled && a->mean != b->mean;
}

/* Where to split the run from `first` up to `end`: the first index of the second part. */
static size_t best_split(const struct treatment *treatments, size_t first, size_t end,
                         double *largest)
{
    double length = (double)(end - first), middle = 0, before = 0;
    size_t best = first + 1;

    for (size_t i = first; i < end; i++)
        middle += treatments[i].mean / length;
    *largest = -1;
    for (size_t i = first + 1; i < end; i++) {
        double left = (double)(i - first), squares;
        before += treatments[i - 1].mean - middle;
        /* Sums of deviations on both sides are opposite, so this is B of the split. */
        squares = before * before * (1 / left + 1 / (length - left));
        if (squares > *largest) {
            *largest = squares;
            best = i;
        }
    }
    return best;
}

static bool significant(const struct ranking *ranking, size_t first, size_t end,
                        double between)
{
    double g = (double)(end - first), mean = 0, squares = 0, variance, ratio;

    if (ranking->alpha >= 1)
        return true;
    for (size_t i = first; i < end; i++)
        mean += ranking->treatments[i].mean / g;
    for (size_t i = first; i < end; i++)
        squares += pow(ranking->treatments[i].mean - mean, 2);
    variance = (squares + ranking->df * ranking->mean_variance) / (g + ranking->df);
    ratio = pi / (2 * (pi - 2)) * between / variance;
    return stats_chi_square_upper(ratio, g / (pi - 2)) < ranking->alpha;
}

static void split(struct ranking *ranking, size_t first, size_t end)
{
    const struct treatment *treatments = ranking->treatments;
    double between;
    size_t at = end;

    if (end - first > 1 && differ(&treatments[first], &treatments[end - 1])) {
        at = best_split(treatments, first, end, &between);
        if (!significant(ranking, first, end, between))
            at = end;
    }
    if (at < end) {
        split(ranking, first, at);
        split(ranking, at, end);
        return;
    }
    ranking->result->rank_count++;
    for (size_t i = first; i < end; i++)
        ranking->result->ranks[treatments[i].index] = ranking->result->rank_count;
}

struct stats_skesd stats_skesd_rank(const struct stats_values *groups, size_t count,
                                    double alpha, struct arena *arena)
{
    struct stats_skesd result = {NULL, 0, count == 0 ? "there is no group" : NULL};
    struct ranking ranking = {.alpha = alpha, .result = &result};
    double within = 0, reciprocals = 0;

    for (size_t g = 0; g < count && result.undefined == NULL; g++)
        result.undefined = stats_values_problem(groups[g], 2);
    if (result.undefined != NULL)
        return result;
    result.ranks = arena_array(arena, size_t, count);
    ranking.treatments = arena_array(arena, struct treatment, count);
    for (size_t g = 0; g < count; g++) {
        double size = (double)groups[g].count, sd = stats_sd(groups[g]);
        ranking.treatments[g] = (struct treatment){size, stats_mean(groups[g]), sd, g};
        within += (size - 1) * sd * sd;
        ranking.df += size - 1;
        reciprocals += 1 / size;
    }
    /* Groups of unequal size count with the harmonic mean of their sizes. */
    ranking.mean_variance = within / ranking.df * reciprocals / (double)count;
    qsort(ranking.treatments, count, sizeof *ranking.treatments, by_mean);
    split(&ranking, 0, count);
    return result;
}
