/* The strongest directions of a sparse matrix: its largest singular values and their left
 * vectors, by subspace iteration from random directions; Halko, Martinsson and Tropp,
 * "Finding structure with randomness", SIAM Review 53, 2011, algorithm 4.4. One thread,
 * one order of sums: the same seed gives the same bits. */
#ifndef LEARN_FACTOR_H
#define LEARN_FACTOR_H

#include "base/rng.h"
#include "learn/rows.h"

struct factor {
    size_t rank;    /* as asked for, or what the matrix has columns or rows for */
    double *left;   /* rows x rank, orthonormal, 0 where the matrix has no more
                       directions; the sign of each is chance */
    double *values; /* falling */
};

struct factor factor_make(const struct rows *matrix, size_t rank, struct rng *rng,
                          struct arena *arena);

#endif
