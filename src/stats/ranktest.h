/* Two-sided tests on ranks.
 * - Mann-Whitney (Wilcoxon rank sum) and Wilcoxon's signed ranks, as R's wilcox.test:
 *   exact when the samples are below 50 and nothing is tied (nor a difference 0), else
 *   normal with the correction for ties and for continuity. Differences of 0 are left
 *   out (Wilcoxon, Biometrics Bulletin 1, 1945; Mann and Whitney, Annals of
 *   Mathematical Statistics 18, 1947). Values of a pair that are not whole are the same,
 *   and differences of pairs are tied, up to STATS_RANK_SAME of the larger value: means
 *   of a table are rounded, which breaks no tie here (R's digits.rank has this purpose).
 * - Kruskal-Wallis, JASA 47, 1952, corrected for ties; after it Dunn's test of each
 *   pair: Dunn, "Multiple comparisons using rank sums", Technometrics 6, 1964, with
 *   its variance for ties. Dunn's p are two-sided and not adjusted: see adjust.h.
 * - Friedman, JASA 32, 1937, corrected for ties. */
#ifndef STATS_RANKTEST_H
#define STATS_RANKTEST_H

#include "stats/values.h"

#define STATS_RANK_SAME 0x1p-48 /* 3.6e-15, as sums of some hundred values round */

struct stats_ranktest {
    double statistic; /* U of the first group; V, the sum of ranks of what is above 0 */
    double z;         /* NAN when exact */
    double p;
    bool exact;
    const char *undefined;
};

struct stats_ranktest stats_ranktest_mann_whitney(struct stats_values a,
                                                  struct stats_values b,
                                                  struct arena *arena);

/* a and b are of the same length, the pairs in the same order. */
struct stats_ranktest stats_ranktest_signed(struct stats_values a, struct stats_values b,
                                            struct arena *arena);

struct stats_ranktest_groups {
    double statistic, df, p; /* chi-square */
    const char *undefined;
};

struct stats_ranktest_groups stats_ranktest_kruskal(const struct stats_values *groups,
                                                    size_t count, struct arena *arena);

struct stats_ranktest_pair {
    size_t first, second; /* groups; first < second */
    double z, p;          /* z > 0: the first ranks higher */
};

/* All count (count - 1) / 2 pairs in order; NULL, with the reason in *undefined, when
 * Kruskal-Wallis is undefined. */
struct stats_ranktest_pair *stats_ranktest_dunn(const struct stats_values *groups,
                                                size_t count, struct arena *arena,
                                                const char **undefined);

/* blocks[b * treatments + t] is what treatment t did in block b. */
struct stats_ranktest_groups stats_ranktest_friedman(const double *blocks,
                                                     size_t block_count,
                                                     size_t treatments,
                                                     struct arena *arena);

/* Ranks from 1; equal values share the mean of their ranks. */

struct stats_rank {
    double *at; /* in the order of the values */
    size_t count;
    bool tied;
    double ties; /* sum of t^3 - t over the groups of t equal values */
};

/* The values are usable (stats_values_problem). */
struct stats_rank stats_rank_values(struct stats_values values, struct arena *arena);

/* The sizes of the differences a - b, ranked; pairs without a difference are left out. */
struct stats_rank_pairs {
    size_t count;        /* of pairs that differ */
    double above, below; /* sums of ranks where a is larger, where b is */
    bool tied;
    double ties;
};

/* a and b are usable and of the same length. */
struct stats_rank_pairs stats_rank_pairs(struct stats_values a, struct stats_values b,
                                         struct arena *arena);

#endif
