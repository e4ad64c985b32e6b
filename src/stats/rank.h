/* Ranks from 1; equal values share the mean of their ranks. */
#ifndef STATS_RANK_H
#define STATS_RANK_H

#include "stats/values.h"

struct rank {
    double *at; /* in the order of the values */
    size_t count;
    bool tied;
    double ties; /* sum of t^3 - t over the groups of t equal values */
};

/* The values are usable (values_problem). */
struct rank rank_values(struct values values, struct arena *arena);

/* The sizes of the differences a - b, ranked; pairs without a difference are left out. */
struct rank_pairs {
    size_t count;        /* of pairs that differ */
    double above, below; /* sums of ranks where a is larger, where b is */
    bool tied;
    double ties;
};

/* a and b are usable and of the same length. */
struct rank_pairs rank_pairs(struct values a, struct values b, struct arena *arena);

#endif
