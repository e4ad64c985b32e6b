/* p values of a family of tests, adjusted for their number: compare the result with the
 * usual 5%. Bonferroni; Holm, Scandinavian Journal of Statistics 6, 1979 (both keep the
 * chance of any false alarm); Benjamini and Hochberg, JRSS B 57, 1995 (keeps the share of
 * false alarms among alarms) and, however the tests hang together, Benjamini and
 * Yekutieli, Annals of Statistics 29, 2001. As R's p.adjust: a p that is NAN, of an
 * undefined test, stays NAN and does not count. */
#ifndef STATS_ADJUST_H
#define STATS_ADJUST_H

#include "stats/values.h"

/* In the order of p; live in arena. */
double *stats_adjust_bonferroni(struct stats_values p, struct arena *arena);
double *stats_adjust_holm(struct stats_values p, struct arena *arena);
double *stats_adjust_benjamini_hochberg(struct stats_values p, struct arena *arena);
double *stats_adjust_benjamini_yekutieli(struct stats_values p, struct arena *arena);

#endif
