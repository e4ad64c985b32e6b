/* Vectors that lie together: the cosine of two of them, partitions by k-means and by
 * density. Rows are `dimensions` long and lie one behind the other. */
#ifndef STATS_CLUSTER_H
#define STATS_CLUSTER_H

#include <stddef.h>

#include "base/arena.h"

/* The sum of products, always in the same order. */
double stats_dot(const float *a, const float *b, size_t dimensions);

/* The vector with length 1, into `out`; false when it has no length, and is then 0. */
bool stats_unit(const float *vector, size_t dimensions, float *out);

#endif
