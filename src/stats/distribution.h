/* Tails and quantiles of the usual distributions; the one place that knows GSL (link with
 * -lgsl; nothing here needs its BLAS, but a static libgsl may ask for -lgslcblas). GSL's
 * default error handler ends the program, so every call is kept inside the domain where
 * GSL reports nothing. Quantiles are found by bisection on the tail: as exact as the tail
 * itself, and without a case that does not converge. */
#ifndef STATS_DISTRIBUTION_H
#define STATS_DISTRIBUTION_H

double stats_normal_upper(double z);        /* P(Z > z) */
double stats_normal_two_sided(double z);    /* P(|Z| > |z|) */
double stats_normal_quantile(double share); /* 0 < share < 1 */

double stats_t_two_sided(double t, double df);    /* P(|T| > |t|) */
double stats_t_quantile(double share, double df); /* 0 < share < 1 */

double stats_chi_square_upper(double x, double df);

double stats_log_gamma(double x); /* x > 0 */
double stats_digamma(double x);   /* its slope */
double stats_trigamma(double x);  /* and its curvature */

/* P(X <= x) where X is chi-square with `df` and non-centrality `lambda`, to
 * within 1e-13. */
double stats_noncentral_lower(double x, double df, double lambda);

#endif
