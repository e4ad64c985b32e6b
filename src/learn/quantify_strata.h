/* Which strata of a set count by themselves when its shares are estimated. */
#ifndef LEARN_QUANTIFY_STRATA_H
#define LEARN_QUANTIFY_STRATA_H

#include "learn/quantify.h"

/* The strata of some of the items, as shares use them. Those drawn at the same rate are
 * one; so are those that are small, at most 5% of the items, and have fewer than two
 * labels. */
struct quantify_strata {
    size_t count;
    size_t *of; /* of each stratum as given: its place here; SIZE_MAX: it has no item */
    size_t *items, *drawn; /* of each place */
    size_t joined;         /* items of small strata that have fewer than two labels */
    size_t unknown;        /* the same of strata that are not small */
};

struct quantify_strata quantify_strata_find(const struct quantify_items *items,
                                            const size_t *at, size_t count,
                                            struct arena *arena);

#endif
