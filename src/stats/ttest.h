/* Two-sided tests that two means are equal, with the interval of their difference.
 * - Student: equal variances, pooled; Student, "The probable error of a mean", 1908.
 * - Welch: unequal variances, Satterthwaite's degrees of freedom; Welch, Biometrika
 *   34, 1947.
 * - Paired: one-sample t of the differences.
 * All as R's t.test, with its rule for data that are constant but for rounding. */
#ifndef STATS_TTEST_H
#define STATS_TTEST_H

#include "stats/values.h"

struct stats_ttest {
    double difference; /* mean of a minus mean of b */
    double low, high;  /* its interval */
    double t, df, p;
    const char *undefined;
};

struct stats_ttest stats_ttest_student(struct stats_values a, struct stats_values b,
                                       double level);
struct stats_ttest stats_ttest_welch(struct stats_values a, struct stats_values b,
                                     double level);

/* a and b are of the same length, the pairs in the same order. */
struct stats_ttest stats_ttest_paired(struct stats_values a, struct stats_values b,
                                      double level, struct arena *arena);

#endif
