/* What a column of numbers looks like. Quantiles are type 7 of Hyndman and Fan, "Sample
 * quantiles in statistical packages", The American Statistician 50(4), 1996 (the default
 * of R and NumPy): linear between the order statistics, position 1 + (n - 1) p. The
 * median of an even number of values is so the mean of the middle two. The standard
 * deviation is that of a sample (n - 1), in two passes. */
#ifndef STATS_DESCRIBE_H
#define STATS_DESCRIBE_H

#include "stats/values.h"

struct describe {
    int64_t count;
    double sum, mean, sd, min, max, q1, median, q3;
    const char *undefined;    /* of everything but count, and sum 0 of no values */
    const char *sd_undefined; /* of sd: one value has no spread */
};

struct describe describe_values(struct values values, struct arena *arena);

/* These expect usable values (values_problem), at least one, two for the deviation.
 * Values that are all equal have exactly that mean and deviation 0. */
double describe_mean(struct values values);
double describe_sd(struct values values);
double describe_pooled_sd(double count_a, double sd_a, double count_b, double sd_b);
double describe_median(struct values values, struct arena *arena);
double describe_quantile(struct values values, double share, struct arena *arena);
double describe_quantile_sorted(struct values sorted, double share);

/* A spread that rounding alone can give to values of that size; R's t.test refuses it. */
bool describe_hardly_varies(double spread, double size);

#endif
