/* Do raters agree beyond chance? All take labels as numbers 0 .. categories-1.
 * - Cohen's kappa of two raters: Cohen, Educational and Psychological Measurement 20,
 *   1960; weighted by distance or its square: Cohen, Psychological Bulletin 70, 1968.
 *   Standard error of Fleiss, Cohen and Everitt, Psychological Bulletin 72, 1969;
 *   interval normal.
 * - Fleiss' kappa of any number of raters: Fleiss, Psychological Bulletin 76, 1971,
 *   and Gwet's AC1: Gwet, British J. Math. and Stat. Psychology 61, 2008. Both with
 *   items that not everybody rated, and with the standard error over items and t
 *   interval of Gwet, "Handbook of Inter-Rater Reliability", 4th ed. 2014, 2.5
 *   (infinitely many raters). AC1 counts with all categories that there are, also
 *   those nobody used. Chance that takes every category alike: Brennan and Prediger,
 *   Educational and Psychological Measurement 41, 1981. Weighted forms of all three
 *   (AC1's is called AC2): the same handbook, chapter 3.
 * - Krippendorff's alpha, any distance, missing labels: Krippendorff, "Content
 *   Analysis", 3rd ed. 2013, chapter 12. Sets of labels by MASI:
 *   Passonneau, LREC 2006. It has no interval of its own: resample the items
 *   (bootstrap.h).
 * - Words: Landis and Koch, Biometrics 33, 1977. */
#ifndef STATS_AGREEMENT_H
#define STATS_AGREEMENT_H

#include "stats/values.h"

enum { STATS_AGREE_MISSING = -1 };

/* What each rater said of each item. Without spans that is at[item * raters + rater];
 * with them only labels that there are take room, which is what it costs to go through
 * them: of 50 raters few have seen the same item. */
struct stats_agree_ratings {
    const int32_t *at;
    size_t items, raters, categories;
    const struct stats_agree_span *spans; /* of each item; NULL: there are none */
    const size_t *who; /* with spans: the rater of each label, ascending in an item */
};

struct stats_agree_span {
    size_t begin, count; /* in `at` and `who` */
};

/* The labels of an item; some may be STATS_AGREE_MISSING. */
static inline struct stats_agree_span
stats_agree_labels(struct stats_agree_ratings ratings, size_t item)
{
    return ratings.spans != NULL
               ? ratings.spans[item]
               : (struct stats_agree_span){item * ratings.raters, ratings.raters};
}

struct stats_agreement {
    double value; /* the coefficient */
    double observed,
        expected; /* agreement, weighted if asked for; alpha: 1 - disagreement */
    double std_error, low, high;
    int64_t items;                  /* with at least two labels */
    const char *undefined;          /* of value; observed may be defined */
    const char *interval_undefined; /* of the error and the interval; set likewise */
};

const char *stats_agree_word(double value); /* poor, slight, ..., almost perfect */

enum stats_agree_weights {
    STATS_AGREE_NOMINAL,
    STATS_AGREE_LINEAR,
    STATS_AGREE_QUADRATIC
};

/* table[a * categories + b] counts the items that the first rater put in a and the second
 * in b. With weights, categories are in their order, one apart. */
struct stats_agreement stats_agree_cohen(const int64_t *table, size_t categories,
                                         enum stats_agree_weights weights, double level,
                                         struct arena *arena);

/* The same of a table with more categories than its square has room for: its cells that
 * are not 0, by row and then by column. */
struct stats_agree_cell {
    size_t row, column;
    int64_t count;
};

struct stats_agreement stats_agree_cohen_cells(const struct stats_agree_cell *cells,
                                               size_t count, size_t categories,
                                               enum stats_agree_weights weights,
                                               double level, struct arena *arena);

/* That table of two raters, from the items that both have rated. */
int64_t *stats_agree_table(struct stats_agree_ratings ratings, size_t first,
                           size_t second, struct arena *arena);

/* How chance would choose: as all labels do; as Gwet has it; every category alike. */
enum stats_agree_chance {
    STATS_AGREE_FLEISS,
    STATS_AGREE_GWET,
    STATS_AGREE_BRENNAN_PREDIGER
};

struct stats_agreement stats_agree_many(struct stats_agree_ratings ratings,
                                        enum stats_agree_chance chance,
                                        enum stats_agree_weights weights, double level,
                                        struct arena *arena);

/* The two without weights. */
struct stats_agreement stats_agree_fleiss(struct stats_agree_ratings ratings,
                                          double level, struct arena *arena);
struct stats_agreement stats_agree_ac1(struct stats_agree_ratings ratings, double level,
                                       struct arena *arena);

/* distance[a * categories + b], symmetric, 0 on the diagonal: see below. */
struct stats_agreement stats_agree_alpha(struct stats_agree_ratings ratings,
                                         const double *distance, struct arena *arena);

double *stats_agree_nominal(size_t categories, struct arena *arena);
/* By how many labels stand between; depends on how often each was used. */
double *stats_agree_ordinal(struct stats_agree_ratings ratings, struct arena *arena);
/* Squared difference of the numbers that the categories stand for. */
double *stats_agree_interval(struct stats_values numbers, struct arena *arena);

/* Categories that are sets: bit b of the `words` words of set c is at
 * sets[c * words + b / 64] >> b % 64. Two empty sets are equal. */
struct stats_agree_sets {
    const uint64_t *at;
    size_t count, words;
};

double *stats_agree_masi(struct stats_agree_sets sets, struct arena *arena);

#endif
