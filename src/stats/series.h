/* What happened to a series at a moment that is known: whether its level or slope
 * changed. Segmented regression, by least squares, with errors that neighbours in time
 * may share (Newey and West, Econometrica 55, 1987; Bartlett weights, small-sample factor
 * n / (n - k)); Wagner, Soumerai, Zhang and Ross-Degnan, "Segmented regression analysis
 * of interrupted time series studies in medication use research", Journal of Clinical
 * Pharmacy and Therapeutics 27, 2002. Where a series changed if no moment is known:
 * stats/changes.h. */
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

/* Of each value the part of the year or week it is of, 0 .. count - 1; below 2: none. */
struct stats_season {
    const size_t *phase;
    size_t count;
};

/* NULL: none; values must be at least so many, and two of each part of a season. */
const char *stats_series_problem(struct stats_values series, size_t least,
                                 struct stats_season season);

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

struct stats_series_event {
    size_t at;   /* the first value after it, with at least 3 before and after */
    size_t lags; /* SIZE_MAX: floor(4 (n / 100)^(2/9)) */
    struct stats_season season; /* a term for each part but one; the level is then that of
                                   the mean over all parts */
    double level;
};

struct stats_series_interrupted
stats_series_interrupted(struct stats_values series,
                         const struct stats_series_event *event, struct arena *arena);

#endif
