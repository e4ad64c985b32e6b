/* What the files of sample/ share only with each other. */
#ifndef SAMPLE_INTERNAL_H
#define SAMPLE_INTERNAL_H

/* The normal distribution's quantile, the same to the last bit on every machine: sample
 * sizes are published, and must not change with the C library. */

/* The z below which a standard normal variable lies with probability p, to a relative
 * error of about 1e-15. -INFINITY for 0, INFINITY for 1, NAN outside of 0 .. 1. */
double sample_normal_quantile(double p);

/* The z above which it lies with probability p. For a small p more exact than
 * sample_normal_quantile(1 - p), which would lose p's digits. */
double sample_normal_upper_quantile(double p);

#endif
