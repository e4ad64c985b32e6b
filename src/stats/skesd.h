/* Scott-Knott with effect size difference: puts groups of measurements (of techniques,
 * categories, frameworks) into ranks, so that groups of one rank differ negligibly.
 * Tantithamthavorn, McIntosh, Hassan and Matsumoto, "An empirical comparison of model
 * validation techniques for defect prediction models", IEEE TSE 43(1), 2017.
 *
 * The groups are sorted by their means, from high to low, and split in two where the sum
 * of squares of means between the halves is largest; then each half again. A run of
 * groups is not split but is one rank when
 * - Cohen's d of its first and last group is negligible (|d| < 0.2), or
 * - `alpha` is below 1 and Scott and Knott's likelihood ratio, pi / (2 (pi - 2)) B /
 *   s^2, is not significant as chi-square with g / (pi - 2) degrees of freedom, where
 *   B is the largest sum of squares, g the length of the run and s^2 the
 *   maximum-likelihood variance of a mean (Scott and Knott, Biometrics 30, 1974).
 *
 * With alpha = 1 the effect size alone decides; so does version 2 of the authors'
 * package ScottKnottESD. Version 1 tested significance as well (alpha = 0.05). */
#ifndef STATS_SKESD_H
#define STATS_SKESD_H

#include "stats/values.h"

struct stats_skesd {
    size_t *ranks; /* for each group, from 1 (highest mean); NULL when undefined */
    size_t rank_count;
    const char *undefined;
};

/* Each group has at least 2 values. */
struct stats_skesd stats_skesd_rank(const struct stats_values *groups, size_t count,
                                    double alpha, struct arena *arena);

#endif
