/* The interval of any statistic by resampling: bias-corrected and accelerated (BCa);
 * Efron, "Better bootstrap confidence intervals", JASA 82, 1987. The acceleration comes
 * from the jackknife; quantiles between two resamples are interpolated on the normal
 * scale (Davison and Hinkley, "Bootstrap Methods and their Application", 1997, 5.2.1; R's
 * boot.ci). */
#ifndef STATS_BOOTSTRAP_H
#define STATS_BOOTSTRAP_H

#include "stats/values.h"

/* The statistic of the items whose indices are given (some more than once, some not at
 * all); NAN where it is undefined. */
typedef double stats_bootstrap_statistic(const size_t *items, size_t count,
                                         void *context);

struct stats_bootstrap {
    double estimate, low, high;
    double bias, acceleration; /* z0 and a of BCa */
    double std_error;          /* the deviation of the resamples */
    const char *undefined;     /* of low and high; estimate may be defined */
};

struct stats_bootstrap_options {
    double level;
    size_t resamples; /* at least 1,000 for a 95% interval; 0: 2,000 */
    uint64_t seed;
    size_t groups; /* items are left out in so many groups, which is about as good for
                    * the acceleration and far quicker with many of them; 0: one by one */
};

/* `count` items. The same seed gives the same result; resample i depends on the seed and
 * i alone. Time: (resamples + count) calls,
 * or (resamples + groups). */
struct stats_bootstrap stats_bootstrap_bca(stats_bootstrap_statistic *statistic,
                                           void *context, size_t count,
                                           struct stats_bootstrap_options options,
                                           struct arena *arena);

/* The same from statistics already made: of each resample, and with each item left out.
 */
struct stats_bootstrap stats_bootstrap_bca_from(double estimate,
                                                struct stats_values resampled,
                                                struct stats_values without, double level,
                                                struct arena *arena);

#endif
