/* A borrowed run of numbers, passed by value: what every function of this folder takes.
 *
 * Undefined results: each result struct has `const char *undefined`. It is NULL when the
 * result holds; otherwise it says why not in a few words that a report can print behind
 * "undefined: ", and every number that could not be had is NAN, never 0 or 1. */
#ifndef STATS_VALUES_H
#define STATS_VALUES_H

#include <stdint.h>

#include "base/arena.h"

#define VALUES_MAX 1e300 /* larger ones, infinities and NAN make a result undefined */

struct values {
    const double *at;
    size_t count;
};

/* NULL when there are at least so many values and all are usable, else what is wrong. */
const char *values_problem(struct values values, size_t at_least);
const char *values_pair_problem(struct values a, struct values b, size_t at_least);

struct values values_sorted(struct values values, struct arena *arena); /* ascending */
struct values values_joined(const struct values *groups, size_t count,
                            struct arena *arena); /* one behind the other */

/* Sum with the rounding errors carried along: Neumaier, "Rundungsfehleranalyse einiger
 * Verfahren zur Summation endlicher Summen", ZAMM 54, 1974. */
double values_sum(struct values values);

#endif
