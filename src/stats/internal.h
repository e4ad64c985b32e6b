/* What the files of stats/ share only with each other: null distributions counted out. */
#ifndef STATS_INTERNAL_H
#define STATS_INTERNAL_H

#include "base/arena.h"

/* Null distributions of rank statistics without ties, counted out. The lower tail is
 * P(S <= s), the upper one P(S >= s). Counts are doubles: beyond 2^53 they are rounded,
 * with a relative error near 1e-15.
 * - U: Mann and Whitney, Annals of Mathematical Statistics 18, 1947.
 * - Signed ranks: Wilcoxon, Biometrics Bulletin 1, 1945.
 * - Kendall's number of concordant pairs: Kendall, Biometrika 30, 1938.
 * - Spearman's sum of squared rank differences: all permutations up to n = 9, then the
 *   Edgeworth series of algorithm AS 89: Best and Roberts, Applied Statistics 24, 1975
 *   (this is what R calls exact). */

struct stats_exact {
    double lower, upper;
};

/* Twice the smaller tail, at most 1. */
double stats_exact_two_sided(struct stats_exact tails);

struct stats_exact stats_exact_mann_whitney(double u, size_t first, size_t second,
                                            struct arena *arena);
struct stats_exact stats_exact_signed_rank(double v, size_t count, struct arena *arena);
struct stats_exact stats_exact_kendall(double concordant, size_t count,
                                       struct arena *arena);
struct stats_exact stats_exact_spearman(double squares, size_t count);

/* Dense and symmetric; false: a is not positive definite. out may not be a. */
bool stats_matrix_invert(const double *a, size_t n, double *out, struct arena *arena);

/* log(gamma(y + theta) / gamma(theta) / gamma(y + 1)); of an infinite theta, Poisson's,
 * -log(y!). */
double stats_count_ways(double y, double theta);

/* Random intercepts of a regression: intercepts.c. */
struct stats_intercepts_data {
    const double *x, *y; /* columns with that of 1, case after case */
    const size_t *cluster;
    size_t count, width, cluster_count;
    double theta;              /* of counts without random intercepts; NAN: yes or no */
    double *beta, *covariance; /* those without random intercepts; become those with */
};

struct stats_intercepts {
    double deviation; /* 0: clusters do not differ more than by chance; NAN: undefined */
    double log_likelihood;
    double theta; /* of counts, with random intercepts */
    const char *undefined;
};

struct stats_intercepts stats_intercepts(const struct stats_intercepts_data *data,
                                         struct arena *arena);

/* Random intercepts of Cox's regression: frailty.c. */
struct stats_frailty_data {
    const double *x, *y; /* columns, case after case; times */
    const bool *happened;
    const size_t *order; /* cases by time, the latest first */
    const size_t *cluster;
    size_t count, width, cluster_count;
    double *beta, *covariance; /* those without frailties; become those with */
};

struct stats_frailty {
    double variance;       /* 0: clusters do not differ more than by chance */
    double log_likelihood; /* NAN where that is 0 */
    const char *undefined;
};

struct stats_frailty stats_frailty(const struct stats_frailty_data *data,
                                   struct arena *arena);

#endif
