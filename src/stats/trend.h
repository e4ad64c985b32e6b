/* Does a series rise or fall? Mann, Econometrica 13, 1945; Kendall, "Rank Correlation
 * Methods", 1975: the number of later values that are larger minus that of smaller ones,
 * normal with the variance for ties and continuity correction. The slope is Sen's: the
 * median over all pairs of rise by time; Sen, JASA 63, 1968, with the interval of
 * Gilbert, "Statistical Methods for Environmental Pollution Monitoring", 1987, 16.4, its
 * ranks rounded. Serial correlation is not allowed for. Takes memory for all pairs. */
#ifndef STATS_TREND_H
#define STATS_TREND_H

#include "stats/values.h"

struct trend {
    double score, variance, z, p; /* Mann-Kendall */
    double tau;                   /* tau-b of value and time */
    double slope, low, high;      /* per unit of time */
    const char *undefined;
    const char *interval_undefined; /* of low and high; set with `undefined` as well */
};

/* Values at times that ascend without repeating; at least 3. */
struct trend trend_mann_kendall(struct values times, struct values values, double level,
                                struct arena *arena);

#endif
