/* How large is a difference or an association? Each with an interval and the usual word,
 * by the absolute value (or, for odds ratios, whichever of x and 1/x is above 1):
 *
 *                     negligible below  small below  medium below  then large
 *   Cliff, biserial   0.147             0.33         0.474         Romano et al. 2006
 *   Hedges            0.2               0.5          0.8           Cohen 1988
 *   Cramer's V        0.1/m             0.3/m        0.5/m         Cohen 1988
 *   odds ratio        1.68              3.47         6.71          Chen, Cohen, Chen 2010
 *
 *   epsilon squared   0.01              0.06         0.14          Cohen 1988
 *   Kendall's W       0.1               0.3          0.5           Cohen 1988
 *
 * (m is the square root of the lesser of rows - 1 and columns - 1.)
 * - Cliff's delta: P(a > b) - P(a < b); variance (unbiased, at least (1-d^2)/(mn-1))
 *   and interval of Cliff, "Ordinal Methods for Behavioral Data Analysis", 1996, and
 *   Feng and Cliff, J. Modern Applied Statistical Methods 3, 2004; where groups do not
 *   overlap it ends at (n - z^2)/(n + z^2), n the smaller group. The rank-biserial
 *   correlation of two groups is the same number.
 * - Rank-biserial of pairs: the share of the rank sum that is positive minus the share
 *   that is negative; Kerby, Comprehensive Psychology 3, 2014. Interval by Fisher's z
 *   with the deviation that it has when there is no effect, sqrt((4n + 2) / (3n (n +
 *   1))), as in the R package effectsize.
 * - Hedges' g: the difference of means by the pooled deviation, without bias (exact
 *   factor). Variance 1/m + 1/n + g^2/(2(m+n)): Hedges and Olkin, "Statistical Methods
 *   for Meta-Analysis", 1985. Of pairs: the mean difference by the deviation of the
 *   differences, without bias (n - 1 degrees of freedom), variance 1/n + g^2/(2n); ibid.
 * - Cramer's V: sqrt(chi-square / (n m^2)), without Yates; Cramer, "Mathematical
 *   Methods of Statistics", 1946. Interval from the non-centrality of chi-square:
 *   Smithson, "Confidence Intervals", 2003.
 * - Epsilon squared of Kruskal and Wallis: H / (n - 1); Kelley, PNAS 21, 1935. Kendall's
 *   W of Friedman: chi-square / (n (k - 1)) of n blocks of k; Kendall and Babington
 *   Smith, Annals of Mathematical Statistics 10, 1939. Intervals from the non-centrality
 *   of chi-square by the same divisor. In 300 simulations a case (three normal or
 *   log-normal groups of 20 and 100, three columns of 10 to 100 normal blocks) they held
 *   93 to 100%, most where effects are large; adding df to the non-centrality, as for V,
 *   held nothing where there is no effect, and was not taken for that reason.
 * - Odds ratio: interval of Woolf, Annals of Human Genetics 19, 1955; where a cell is
 *   0, 1/2 is added to all four (Haldane, Annals of Human Genetics 20, 1956). */
#ifndef STATS_EFFECT_H
#define STATS_EFFECT_H

#include "stats/contingency.h"

struct stats_effect {
    double estimate, low, high;
    const char *word;
    const char *undefined;          /* of everything */
    const char *interval_undefined; /* of low and high; set with `undefined` as well */
};

struct stats_effect stats_effect_cliff(struct stats_values a, struct stats_values b,
                                       double level, struct arena *arena);
struct stats_effect stats_effect_rank_biserial_pairs(struct stats_values a,
                                                     struct stats_values b, double level,
                                                     struct arena *arena);
struct stats_effect stats_effect_hedges(struct stats_values a, struct stats_values b,
                                        double level);
struct stats_effect stats_effect_hedges_pairs(struct stats_values a,
                                              struct stats_values b, double level,
                                              struct arena *arena);
struct stats_effect stats_effect_cramer(struct stats_contingency table, double level,
                                        struct arena *arena);

/* Of the chi-square of Kruskal and Wallis over `count` values, and of Friedman over so
 * many blocks. */
struct stats_effect stats_effect_epsilon_squared(double chi_square, double df,
                                                 size_t count, double level);
struct stats_effect stats_effect_concordance(double chi_square, double df, size_t blocks,
                                             double level);

/* cells: hits and misses of the first group, hits and misses of the second. */
struct stats_effect stats_effect_odds_ratio(const int64_t cells[4], double level);

#endif
