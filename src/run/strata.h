/* Which items were drawn alike: labels of strata that were sampled at different rates
 * stand for different numbers of items, which shares must know. */
#ifndef RUN_STRATA_H
#define RUN_STRATA_H

#include "run/needs.h"

/* What items for raters were drawn from: a set, or the strata that a group makes of it.
 */
struct run_strata_source {
    struct str set;
    size_t group; /* STUDY_NONE: none */
};

/* All that is behind labels of this study's raters, over samples of samples and samples
 * that were enlarged; none behind other labels. */
struct run_strata_source *run_strata_sources(const struct study *study, size_t labels,
                                             struct arena *arena, size_t *count);

/* Items for raters that chance had no part in: they are from samples taken as `top N`,
 * and from no other. None behind labels from elsewhere. */
bool run_strata_taken(struct run_needs *needs, size_t labels, struct measure_bits *out,
                      struct err *err) MUST_USE;

struct run_strata {
    size_t *of; /* of each item of the frame, below count; NULL: not known */
    size_t count;
};

/* Two items are in the same stratum when they are alike to every source: in the same
 * stratum of it, or not drawn from. */
bool run_strata_find(struct run_needs *needs, size_t labels, struct run_strata *out,
                     struct err *err) MUST_USE;

#endif
