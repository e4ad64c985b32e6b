/* A borrowed run of numbers, passed by value: what every function of this folder takes.
 *
 * Undefined results: each result struct has `const char *undefined`. It is NULL when the
 * result holds; otherwise it says why not in a few words that a report can print behind
 * "undefined: ", and every number that could not be had is NAN, never 0 or 1. */
#ifndef STATS_VALUES_H
#define STATS_VALUES_H

#include <stdint.h>

#include "base/arena.h"

#define STATS_VALUES_MAX \
    1e300 /* larger ones, infinities and NAN make a result undefined */

struct stats_values {
    const double *at;
    size_t count;
};

/* NULL when there are at least so many values and all are usable, else what is wrong. */
const char *stats_values_problem(struct stats_values values, size_t at_least);
const char *stats_values_pair_problem(struct stats_values a, struct stats_values b,
                                      size_t at_least);

/* a less b, pair by pair; both have as many. */
struct stats_values stats_values_differences(struct stats_values a, struct stats_values b,
                                             struct arena *arena);

struct stats_values stats_values_sorted(struct stats_values values,
                                        struct arena *arena); /* ascending */
struct stats_values stats_values_joined(const struct stats_values *groups, size_t count,
                                        struct arena *arena); /* one behind the other */

/* Sum with the rounding errors carried along: Neumaier, "Rundungsfehleranalyse einiger
 * Verfahren zur Summation endlicher Summen", ZAMM 54, 1974. */
double stats_values_sum(struct stats_values values);

/* What a column of numbers looks like. Quantiles are type 7 of Hyndman and Fan, "Sample
 * quantiles in statistical packages", The American Statistician 50(4), 1996 (the default
 * of R and NumPy): linear between the order statistics, position 1 + (n - 1) p. The
 * median of an even number of values is so the mean of the middle two. The standard
 * deviation is that of a sample (n - 1), in two passes. */

struct stats_describe {
    int64_t count;
    double sum, mean, sd, min, max, q1, median, q3;
    const char *undefined;    /* of everything but count, and sum 0 of no values */
    const char *sd_undefined; /* of sd: one value has no spread */
};

struct stats_describe stats_describe(struct stats_values values, struct arena *arena);

/* These expect usable values (stats_values_problem), at least one, two for the deviation.
 * Values that are all equal have exactly that mean and deviation 0. */
double stats_mean(struct stats_values values);
double stats_sd(struct stats_values values);
double stats_pooled_sd(double count_a, double sd_a, double count_b, double sd_b);
double stats_median(struct stats_values values, struct arena *arena);
double stats_quantile(struct stats_values values, double share, struct arena *arena);
double stats_quantile_sorted(struct stats_values sorted, double share);

/* A spread that rounding alone can give to values of that size; R's t.test refuses it. */
bool stats_hardly_varies(double spread, double size);

#endif
