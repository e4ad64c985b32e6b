/* Vectors that lie together: the cosine of two of them, partitions by k-means and by
 * density. Rows are `dimensions` long and lie one behind the other. */
#ifndef STATS_CLUSTER_H
#define STATS_CLUSTER_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* The sum of products, always in the same order. */
double stats_dot(const float *a, const float *b, size_t dimensions);

/* The vector with length 1, into `out`; false when it has no length, and is then 0. */
bool stats_unit(const float *vector, size_t dimensions, float *out);

#define STATS_CLUSTER_NONE SIZE_MAX

/* Which cluster each row is in; STATS_CLUSTER_NONE: in none. Clusters count from 0, the
 * one with the most rows first, of equals the one with the first row. */
struct stats_clusters {
    size_t count;
    size_t *of;
    double within; /* k-means: the sum of squared distances to the centres */
};

/* `rows` of vectors; the same order of sums whatever the machine's threads. */
struct stats_cluster_rows {
    const float *at;
    size_t count, dimensions;
};

/* Lloyd's algorithm (IEEE Transactions on Information Theory 28, 1982) from centres that
 * k-means++ draws (Arthur and Vassilvitskii, SODA 2007). A cluster that loses all its
 * rows takes the row farthest from its centre. There are at most as many clusters as
 * different rows. */
struct stats_clusters stats_cluster_means(struct stats_cluster_rows rows, size_t clusters,
                                          uint64_t seed, struct arena *arena);

/* DBSCAN (Ester, Kriegel, Sander and Xu, KDD 1996) of rows with length 1: two are
 * neighbours when 1 - cosine is `radius` or less; a row with `least` neighbours, itself
 * among them, is the core of a cluster. A row at the border of several is in the one that
 * reached it first, in the order of rows. Every two rows are compared: a request to stop
 * (base/stop.h) ends this early, and what it gives is then not to be used. */
struct stats_clusters stats_cluster_density(struct stats_cluster_rows rows, double radius,
                                            size_t least, struct arena *arena);

/* The median over rows of 1 - cosine with the `least`-th nearest, itself among them: a
 * radius with which about half of all rows are cores. Ends early in the same way. */
double stats_cluster_radius(struct stats_cluster_rows rows, size_t least,
                            struct arena *arena);

#endif
