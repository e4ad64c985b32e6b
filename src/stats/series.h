/* What happened to a series: whether its level or slope changed at a moment that is
 * known, and where its level changed if no moment is.
 * - Interrupted: segmented regression, by least squares, with errors that neighbours in
 *   time may share (Newey and West, Econometrica 55, 1987; Bartlett weights, small-sample
 *   factor n / (n - 4)); Wagner, Soumerai, Zhang and Ross-Degnan, "Segmented regression
 *   analysis of interrupted time series studies in medication use research", Journal of
 *   Clinical Pharmacy and Therapeutics 27, 2002.
 * - Changes: levels of parts around one slope that all share, the partial structural
 *   change of Bai and Perron, "Estimating and testing linear models with multiple
 *   structural changes", Econometrica 66, 1998: so a series that only rises has none.
 * With the slope given it is the division with the least sum of squares and a penalty for
 *   each part, exactly as PELT finds it (Killick, Fearnhead and Eckley, JASA 107, 2012)
 *   but without its pruning, which only longer series need; Jackson et al., "An algorithm
 *   for optimal partitioning of data on an interval", 2005. Slope and division are found
 *   in turn, as theirs are, from many slopes. Whether there is any: the best single step
 *   beside a line, where what the line leaves is shuffled and fitted again (Freedman and
 *   Lane, Journal of Business and Economic Statistics 1, 1983). */
#ifndef STATS_SERIES_H
#define STATS_SERIES_H

#include "stats/values.h"

/* In the order of rows: y = level + slope t + (step + bend (t - at)) after, where t
 * counts from the first and after is 1 from `at` on. */
enum stats_series_term {
    STATS_SERIES_LEVEL,
    STATS_SERIES_SLOPE,
    STATS_SERIES_STEP,
    STATS_SERIES_BEND,
    STATS_SERIES_TERMS,
};

struct stats_series_interrupted {
    struct stats_series_estimate {
        double estimate, error, low, high, p; /* all but the first NAN: the values
            before the event lie on a line, so that there is no noise to go by */
    } terms[STATS_SERIES_TERMS];
    double df;            /* of their t tests */
    size_t lags;          /* that errors may share */
    double durbin_watson; /* of what is left; near 2: neighbours share nothing */
    const char *undefined;
};

/* at: the first value after the event, with at least 3 before and after; lags SIZE_MAX:
 * floor(4 (n / 100)^(2/9)). */
struct stats_series_interrupted stats_series_interrupted(struct stats_values series,
                                                         size_t at, size_t lags,
                                                         double level);

struct stats_series_changes {
    size_t *at; /* where each part begins but the first, ascending; none where p is above
                   `error` */
    double *steps; /* by how much the level changes there */
    size_t count;
    double slope;   /* that all parts share */
    double penalty; /* of each, in squares of the noise: 2 ln n */
    double noise;   /* its deviation, from the differences of neighbours */
    double p;       /* that a shuffled series has as large a best single step */
    const char *undefined;
};

struct stats_series_search {
    size_t least;     /* values of a part: 3 or more */
    size_t resamples; /* shuffles for p */
    double error;     /* above this p no change is told; 1: all that were found */
    uint64_t seed;
};

struct stats_series_changes stats_series_changes(struct stats_values series,
                                                 const struct stats_series_search *how,
                                                 struct arena *arena);

#endif
