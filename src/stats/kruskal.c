/* Kruskal-Wallis with Dunn's pairs, and Friedman. */
#include <math.h>

#include "stats/distribution.h"
#include "stats/rank.h"
#include "stats/ranktest.h"

/* All values ranked together. */
struct ranked_groups {
    double *sums; /* of ranks, for each group */
    double total; /* values */
    double ties;
};

static const char *rank_groups(const struct values *groups, size_t count,
                               struct arena *arena, struct ranked_groups *out)
{
    struct rank rank;
    size_t next = 0;

    if (count < 2)
        return "there are fewer than two groups";
    for (size_t g = 0; g < count; g++) {
        const char *why = values_problem(groups[g], 1);
        if (why != NULL)
            return why;
    }
    rank = rank_values(values_joined(groups, count, arena), arena);
    *out = (struct ranked_groups){arena_array(arena, double, count), (double)rank.count,
                                  rank.ties};
    for (size_t g = 0; g < count; g++)
        for (size_t i = 0; i < groups[g].count; i++)
            out->sums[g] += rank.at[next++];
    if (rank.ties >= out->total * out->total * out->total - out->total)
        return "all values are equal";
    return NULL;
}

struct ranktest_groups ranktest_kruskal(const struct values *groups, size_t count,
                                        struct arena *arena)
{
    struct ranktest_groups result = {NAN, NAN, NAN, NULL};
    struct arena_mark mark = arena_mark(arena);
    struct ranked_groups ranked;
    double spread = 0;

    result.undefined = rank_groups(groups, count, arena, &ranked);
    if (result.undefined == NULL) {
        double n = ranked.total;
        /* Around the mean rank, not around 0: no digits cancel. */
        for (size_t g = 0; g < count; g++) {
            double size = (double)groups[g].count,
                   off = ranked.sums[g] / size - (n + 1) / 2;
            spread += size * off * off;
        }
        result.statistic =
            12 * spread / (n * (n + 1)) / (1 - ranked.ties / (n * n * n - n));
        result.df = (double)count - 1;
        result.p = distribution_chi_square_upper(result.statistic, result.df);
    }
    arena_rewind(arena, mark);
    return result;
}

struct ranktest_pair *ranktest_dunn(const struct values *groups, size_t count,
                                    struct arena *arena, const char **undefined)
{
    struct ranktest_pair *pairs =
        arena_array(arena, struct ranktest_pair, count * count / 2);
    struct arena_mark mark = arena_mark(arena);
    struct ranked_groups ranked;
    size_t next = 0;

    *undefined = rank_groups(groups, count, arena, &ranked);
    for (size_t i = 0; *undefined == NULL && i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            double n = ranked.total, size_i = (double)groups[i].count,
                   size_j = (double)groups[j].count;
            double variance = (n * (n + 1) - ranked.ties / (n - 1)) / 12;
            double z = (ranked.sums[i] / size_i - ranked.sums[j] / size_j) /
                       sqrt(variance * (1 / size_i + 1 / size_j));
            pairs[next++] =
                (struct ranktest_pair){i, j, z, distribution_normal_two_sided(z)};
        }
    }
    arena_rewind(arena, mark);
    return *undefined == NULL ? pairs : NULL;
}

struct ranktest_groups ranktest_friedman(const double *blocks, size_t block_count,
                                         size_t treatments, struct arena *arena)
{
    struct ranktest_groups result = {NAN, NAN, NAN, NULL};
    struct arena_mark mark = arena_mark(arena);
    double *sums = arena_array(arena, double, treatments), ties = 0, spread = 0,
           n = (double)block_count, k = (double)treatments;

    if (treatments < 2 || block_count < 1)
        result.undefined = "there are fewer than two groups, or no block";
    else
        result.undefined =
            values_problem((struct values){blocks, block_count * treatments}, 1);
    if (result.undefined != NULL)
        goto done;
    for (size_t b = 0; b < block_count; b++) {
        struct arena_mark block = arena_mark(arena);
        struct rank rank =
            rank_values((struct values){blocks + b * treatments, treatments}, arena);
        ties += rank.ties;
        for (size_t t = 0; t < treatments; t++)
            sums[t] += rank.at[t];
        arena_rewind(arena, block);
    }
    for (size_t t = 0; t < treatments; t++)
        spread += (sums[t] - n * (k + 1) / 2) * (sums[t] - n * (k + 1) / 2);
    if (ties >= n * (k * k * k - k)) {
        result.undefined = "in every block all values are equal";
        goto done;
    }
    result.statistic = 12 * spread / (n * k * (k + 1) - ties / (k - 1));
    result.df = k - 1;
    result.p = distribution_chi_square_upper(result.statistic, result.df);
done:
    arena_rewind(arena, mark);
    return result;
}
