/* Intervals of shares. x of n have the property; level is the confidence, such as 0.95.
 * - Wilson: score interval; Wilson, "Probable inference, the law of succession, and
 *   statistical inference", JASA 22, 1927. No continuity correction (R's prop.test
 *   with correct = FALSE).
 * - The same from a finite population of N: n is replaced by the n (N-1)/(N-n) draws
 *   with replacement that have the same variance; Cochran, "Sampling Techniques",
 *   1977, 2.6. A sample that is the whole population has no width. */
#ifndef STATS_INTERVAL_H
#define STATS_INTERVAL_H

#include "stats/values.h"

struct stats_interval {
    double estimate, low, high;
    const char *undefined;
};

double stats_interval_z(double level); /* 1.96 for 0.95 */

struct stats_interval stats_interval_wilson(int64_t x, int64_t n, double level);
struct stats_interval stats_interval_wilson_finite(int64_t x, int64_t n,
                                                   int64_t population, double level);

/* Of a share that was estimated otherwise, as exactly as `size` > 0 draws would; Korn and
 * Graubard, "Confidence intervals for proportions with small expected number of positive
 * counts estimated from survey data", Survey Methodology 24, 1998. share: 0 .. 1. */
struct stats_interval stats_interval_wilson_effective(double share, double size,
                                                      double level);

#endif
