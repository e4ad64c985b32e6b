/* How likely a test is to find what is there, before there are data; and how many items
 * that takes. All tests are two-sided.
 * - Proportions: two independent groups of n each, normal approximation with pooled
 *   variance under no difference; Fleiss, Levin and Paik, "Statistical Methods for Rates
 *   and Proportions", 2003, 4.2 (R's power.prop.test).
 * - Means: two independent groups of n each, by Student's t test; the effect is Cohen's d
 *   (R's power.t.test with strict = TRUE).
 * - Chi-square: a table of n items, the effect is Cohen's w; Cohen, "Statistical Power
 *   Analysis for the Behavioral Sciences", 1988, 7 (R's pwr.chisq.test).
 * - Correlation: n pairs, the effect is Pearson's r, by Fisher's z with its bias; as
 *   R's pwr.r.test. */
#ifndef STATS_POWER_H
#define STATS_POWER_H

#include <stdint.h>

enum stats_power_test {
    STATS_POWER_PROPORTIONS,
    STATS_POWER_MEANS,
    STATS_POWER_CHI_SQUARE,
    STATS_POWER_CORRELATION,
    STATS_POWER_TESTS,
};

struct stats_power {
    enum stats_power_test test;
    double first, second; /* the two proportions, 0 .. 1 */
    double effect;        /* d, w or r */
    double df;            /* of chi-square, (rows - 1) (columns - 1) */
    double alpha;         /* 0 < alpha < 1 */
};

/* With n items: of each group, or in all. NAN where n is too small for the test. */
double stats_power_of(const struct stats_power *plan, double n);

enum { STATS_POWER_ITEMS_MAX = 1000000000 };

/* The least number of items with at least that power; -1: not even
 * STATS_POWER_ITEMS_MAX have it. */
int64_t stats_power_items(const struct stats_power *plan, double power);

/* The least effect that n items find with that power: w, d or r above 0, of proportions
 * the second above the first. NAN: there is none. */
double stats_power_effect(const struct stats_power *plan, double n, double power);

#endif
