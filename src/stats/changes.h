/* Where the level of a series changed around a slope, and a season, that all its parts
 * share: the partial structural change of Bai and Perron, "Estimating and testing linear
 * models with multiple structural changes", Econometrica 66, 1998, so that a series which
 * only rises has none. Each change is tested given the others, as their F(l + 1 | l) is,
 * but by resampling.
 * - One after the other: the best further step, or the best two where one alone is too
 *   weak (a level that goes up and comes down again), against what series give that have
 *   the steps found so far alone. Places are looked for anew each time (Bai,
 *   "Estimating multiple breaks one at a time", Econometric Theory 13, 1997).
 * - In the end each is tested as the best further step beside the others; what does not
 *   hold is taken out.
 * - Series are resampled from what the steps at hand leave (Freedman and Lane, Journal of
 *   Business and Economic Statistics 1, 1983), as noise in which neighbours are related:
 *   shuffled innovations of an autoregression of order 1. Its coefficient is that with
 *   which simulated noise, fitted in the same way, is related as much as what is left
 *   (Gourieroux, Monfort and Renault, "Indirect inference", Journal of Applied
 *   Econometrics 8, 1993), and 0.62 / sqrt(n) more, as estimated ones vary: too low a
 *   coefficient finds steps where there are none.
 * - Places: those which a likelihood ratio does not reject (Eo and Morley, "Likelihood-
 *   ratio-based confidence sets for the timing of structural breaks", Quantitative
 *   Economics 6, 2015), by the same resampling. */
#ifndef STATS_CHANGES_H
#define STATS_CHANGES_H

#include "stats/series.h"

struct stats_change {
    size_t at;          /* the first value behind it */
    size_t first, last; /* of the 95% set of places */
    double step;        /* by how much the level changes */
    double p;           /* given the other changes */
};

struct stats_changes {
    struct stats_change *at; /* ascending; none where p is above `error` */
    size_t count;
    double slope;   /* of each row, that all parts share */
    double p;       /* of none against the best step or two */
    double related; /* the coefficient of the last resampling */
    const char *undefined;
};

struct stats_changes_search {
    struct stats_season season;
    size_t least;     /* values of a part; 0: 3 */
    size_t resamples; /* for each p; 0: 1,999 */
    double error;     /* above this p no change is told; 0: 0.05 */
    uint64_t seed;
};

struct stats_changes stats_changes(struct stats_values series,
                                   const struct stats_changes_search *how,
                                   struct arena *arena);

#endif
