/* Do two columns go together? Two-sided tests of no correlation, as R's cor.test.
 * - Pearson: p by t with n - 2 degrees of freedom (of r = 1 t is infinite, p 0);
 *   interval by Fisher's z (Fisher, Metron 1, 1921), for which at least 4 pairs are
 *   needed.
 * - Spearman: Pearson of the ranks; S = (n^3 - n)(1 - r)/6, which without ties is the sum
 *   of squared rank differences; without ties and below 1,290 pairs p is that of
 *   exact.c (where its series does not fail), else by t (Kendall and Gibbons,
 *   "Rank Correlation Methods", 1990). Interval by Fisher's z with the variance (1 +
 *   r^2/2)/(n - 3) of Bonett and Wright, Psychometrika 65, 2000.
 * - Kendall: tau-b; exact without ties below 50 pairs, else normal with the variance
 *   for ties, without continuity correction. Pairs are counted in n log n time:
 *   Knight, JASA 61, 1966. Interval by Fisher's z with the variance 0.437/(n - 4) of
 *   Fieller, Hartley and Pearson, Biometrika 44, 1957. */
#ifndef STATS_CORRELATION_H
#define STATS_CORRELATION_H

#include "stats/values.h"

struct stats_correlation {
    double r, low, high;
    double statistic; /* t; S; z or concordant pairs */
    double p;
    bool exact;                     /* p is by exact.c */
    const char *undefined;          /* of everything */
    const char *interval_undefined; /* of low and high; set with `undefined` as well */
};

/* x and y are of the same length, the pairs in the same order. */
struct stats_correlation stats_correlation_pearson(struct stats_values x,
                                                   struct stats_values y, double level);
struct stats_correlation stats_correlation_spearman(struct stats_values x,
                                                    struct stats_values y, double level,
                                                    struct arena *arena);
struct stats_correlation stats_correlation_kendall(struct stats_values x,
                                                   struct stats_values y, double level,
                                                   struct arena *arena);

/* Concordant minus discordant pairs, and the sums over groups of t equal values of
 * t(t-1), t(t-1)(t-2) and t(t-1)(2t+5) in x and in y. */
struct stats_correlation_pairs {
    double score;
    double x2, x3, x5, y2, y3, y5;
};

struct stats_correlation_pairs stats_correlation_pairs(struct stats_values x,
                                                       struct stats_values y,
                                                       struct arena *arena);

/* Does a series rise or fall? Mann, Econometrica 13, 1945; Kendall, "Rank Correlation
 * Methods", 1975: the number of later values that are larger minus that of smaller ones,
 * normal with the variance for ties and continuity correction. The slope is Sen's: the
 * median over all pairs of rise by time; Sen, JASA 63, 1968, with the interval of
 * Gilbert, "Statistical Methods for Environmental Pollution Monitoring", 1987, 16.4, its
 * ranks rounded. Serial correlation is not allowed for. Takes memory for all pairs. */

struct stats_trend {
    double score, variance, z, p; /* Mann-Kendall */
    double tau;                   /* tau-b of value and time */
    double slope, low, high;      /* per unit of time */
    const char *undefined;
    const char *interval_undefined; /* of low and high; set with `undefined` as well */
};

/* Values at times that ascend without repeating; at least 3. */
struct stats_trend stats_trend_mann_kendall(struct stats_values times,
                                            struct stats_values values, double level,
                                            struct arena *arena);

#endif
