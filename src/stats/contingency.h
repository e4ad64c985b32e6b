/* Counts in rows and columns: are the two independent?
 * - Chi-square: Pearson, Philosophical Magazine 50, 1900; for 2 x 2 on request with
 *   Yates's correction (Yates, JRSS Supplement 1, 1934), each |observed - expected|
 *   lowered by 1/2 or by itself where it is smaller, as R's chisq.test.
 * - Two shares: the same test on hits and misses, with the interval of the difference,
 *   as R's prop.test.
 * - Fisher: Fisher, "Statistical Methods for Research Workers", 5th ed. 1934; Freeman
 *   and Halton, Biometrika 38, 1951, for larger tables. Two-sided: all tables with the
 *   same margins that are at most as likely as the one seen (within 1e-7, as R's
 *   fisher.test). 2 x 2 is always exact. Larger ones are counted out up to a limit of
 *   steps; beyond that p is (hits + 1)/(draws + 1) over seeded random tables. `exact`
 *   says which. */
#ifndef STATS_CONTINGENCY_H
#define STATS_CONTINGENCY_H

#include "stats/values.h"

/* Counts, none negative, row by row. */
struct stats_contingency {
    const int64_t *at;
    size_t rows, columns;
};

struct stats_contingency_chi_square {
    double chi_square, df, p;
    double expected_min; /* the smallest expected count */
    bool rough;          /* it is below 5: chi-square's p is only rough, take Fisher's */
    const char *undefined;
};

struct stats_contingency_chi_square
stats_contingency_chi_square(struct stats_contingency table, bool yates,
                             struct arena *arena);

struct stats_contingency_shares {
    double first, second, difference;
    double low, high; /* of the difference, widened by Yates's correction if asked for */
    struct stats_contingency_chi_square test;
    const char *undefined;
};

/* x[i] of n[i] in each of two groups. */
struct stats_contingency_shares stats_contingency_two_shares(const int64_t x[2],
                                                             const int64_t n[2],
                                                             bool yates, double level);

/* Two groups that share items: x[i] of n[i] in each; `both` items are in the two groups,
 * of which shared[i] have it in group i, and `twice` in either. */
struct stats_contingency_overlap {
    int64_t x[2], n[2];
    int64_t both, shared[2], twice;
};

/* Whether their shares differ (Derrick et al., "Test statistics for comparing two
 * proportions with partially overlapping samples", Journal of Applied Quantitative
 * Methods 10, 2015). The share under the null hypothesis is that of all items, each
 * once; so with no item in both this is Pearson's test, and where one group holds the
 * other unchanged, Pearson's test of the items within against those without. It is rough
 * where neither enough items are in one group alone nor enough of both have changed. */
struct stats_contingency_chi_square
stats_contingency_overlapping(const struct stats_contingency_overlap *groups);

/* McNemar's test of the same items seen twice, exact: `come` have it the second time
 * alone, `gone` the first time alone. 1 where none changed. */
double stats_contingency_mcnemar(int64_t come, int64_t gone);

struct stats_contingency_fisher {
    double p;
    bool exact;
    const char *undefined;
};

/* Only for tables that are larger than 2 x 2; all zeros are the defaults. */
struct stats_contingency_options {
    int64_t steps_max; /* of counting out; 0: two million, below a second */
    int64_t draws;     /* random tables; 0: 100,000 */
    uint64_t seed;
};

struct stats_contingency_fisher
stats_contingency_fisher(struct stats_contingency table,
                         struct stats_contingency_options options, struct arena *arena);

#endif
