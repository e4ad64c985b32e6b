/* How long until it happens, when for some it has not happened yet (censored).
 * - Curve: Kaplan and Meier, JASA 53, 1958; standard error of Greenwood, 1926. Times
 *   that are equal are taken together; a censored one at the time of an event counts
 *   as still at risk there.
 * - Median: the first time at which at most half are left; where exactly half are left
 *   for a while, the middle of that while. Its interval is where the curve's own
 *   interval, on the logarithmic scale, passes one half (Brookmeyer and Crowley,
 *   Biometrics 38, 1982). As R's survfit.
 * - Log-rank: are the curves of k groups the same? Mantel, Cancer Chemotherapy Reports
 *   50, 1966; Peto and Peto, JRSS A 135, 1972; as R's survdiff.
 * - Ratio of hazards: by how much likelier it is at any time in the first group than in
 *   the second. Cox, JRSS B 34, 1972, on the group alone; ties as Efron, JASA 72, 1977;
 *   Wald's interval. As R's coxph. */
#ifndef STATS_SURVIVAL_H
#define STATS_SURVIVAL_H

#include "stats/values.h"

/* One thing that was watched: until it happened, or until the watching ended. */
struct stats_survival_case {
    double time;
    bool happened; /* else censored */
};

struct stats_survival_step {
    double time;
    int64_t at_risk, events, censored;
    double left;      /* the share for which it has not happened */
    double std_error; /* of it; NAN once nobody is left */
    double low, high; /* its interval; NAN likewise */
};

struct stats_survival {
    struct stats_survival_step *steps; /* a step for each different time, ascending */
    size_t count;
    int64_t cases, events;
    const char *undefined; /* then there are no steps */
};

struct stats_survival stats_survival_curve(const struct stats_survival_case *cases,
                                           size_t count, double level,
                                           struct arena *arena);

/* The same step by step, without room for all of them: the cases are put in order.
 * Members but undefined are its own. */
struct stats_survival_walk {
    const struct stats_survival_case *cases;
    size_t count, from;
    double left, log_variance, z;
    const char *undefined; /* then there are no steps */
};

struct stats_survival_walk stats_survival_begin(struct stats_survival_case *cases,
                                                size_t count, double level);
bool stats_survival_next(struct stats_survival_walk *walk,
                         struct stats_survival_step *step);

struct stats_survival_median {
    double median, low, high;
    const char *undefined; /* of the median: more than half were left */
    const char *low_undefined,
        *high_undefined; /* the bound of the curve stays above 1/2 */
};

struct stats_survival_median stats_survival_median(const struct stats_survival *curve);
/* Of the steps that are still to come. */
struct stats_survival_median stats_survival_walk_median(struct stats_survival_walk *walk);

/* Where groups are compared, their cases are put in order. */
struct stats_survival_group {
    struct stats_survival_case *cases;
    size_t count;
};

struct stats_survival_logrank {
    double chi_square, df, p;
    double *observed, *expected; /* events by group */
    const char *undefined;
};

struct stats_survival_logrank
stats_survival_logrank(const struct stats_survival_group *groups, size_t count,
                       struct arena *arena);

struct stats_survival_ratio {
    double ratio, low, high;
    const char *undefined;
};

struct stats_survival_ratio
stats_survival_ratio(const struct stats_survival_group groups[2], double level,
                     struct arena *arena);

#endif
