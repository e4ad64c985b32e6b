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

enum { AGREEMENT_MISSING = -1 };

/* What each rater said of each item. Without spans that is at[item * raters + rater];
 * with them only labels that there are take room, which is what it costs to go through
 * them: of 50 raters few have seen the same item. */
struct agreement_ratings {
    const int32_t *at;
    size_t items, raters, categories;
    const struct agreement_span *spans; /* of each item; NULL: there are none */
    const size_t *who; /* with spans: the rater of each label, ascending in an item */
};

struct agreement_span {
    size_t begin, count; /* in `at` and `who` */
};

/* The labels of an item; some may be AGREEMENT_MISSING. */
static inline struct agreement_span agreement_labels(struct agreement_ratings ratings,
                                                     size_t item)
{
    return ratings.spans != NULL
               ? ratings.spans[item]
               : (struct agreement_span){item * ratings.raters, ratings.raters};
}

struct agreement {
    double value; /* the coefficient */
    double observed,
        expected; /* agreement, weighted if asked for; alpha: 1 - disagreement */
    double std_error, low, high;
    int64_t items;                  /* with at least two labels */
    const char *undefined;          /* of value; observed may be defined */
    const char *interval_undefined; /* of the error and the interval; set likewise */
};

const char *agreement_word(double value); /* poor, slight, ..., almost perfect */

enum agreement_weights { AGREEMENT_NOMINAL, AGREEMENT_LINEAR, AGREEMENT_QUADRATIC };

/* table[a * categories + b] counts the items that the first rater put in a and the second
 * in b. With weights, categories are in their order, one apart. */
struct agreement agreement_cohen(const int64_t *table, size_t categories,
                                 enum agreement_weights weights, double level,
                                 struct arena *arena);

/* That table of two raters, from the items that both have rated. */
int64_t *agreement_table(struct agreement_ratings ratings, size_t first, size_t second,
                         struct arena *arena);

/* How chance would choose: as all labels do; as Gwet has it; every category alike. */
enum agreement_chance { AGREEMENT_FLEISS, AGREEMENT_GWET, AGREEMENT_BRENNAN_PREDIGER };

struct agreement agreement_many(struct agreement_ratings ratings,
                                enum agreement_chance chance,
                                enum agreement_weights weights, double level,
                                struct arena *arena);

/* The two without weights. */
struct agreement agreement_fleiss(struct agreement_ratings ratings, double level,
                                  struct arena *arena);
struct agreement agreement_ac1(struct agreement_ratings ratings, double level,
                               struct arena *arena);

/* distance[a * categories + b], symmetric, 0 on the diagonal: see below. */
struct agreement agreement_alpha(struct agreement_ratings ratings, const double *distance,
                                 struct arena *arena);

double *agreement_nominal(size_t categories, struct arena *arena);
/* By how many labels stand between; depends on how often each was used. */
double *agreement_ordinal(struct agreement_ratings ratings, struct arena *arena);
/* Squared difference of the numbers that the categories stand for. */
double *agreement_interval(struct values numbers, struct arena *arena);

/* Categories that are sets: bit b of the `words` words of set c is at
 * sets[c * words + b / 64] >> b % 64. Two empty sets are equal. */
struct agreement_sets {
    const uint64_t *at;
    size_t count, words;
};

double *agreement_masi(struct agreement_sets sets, struct arena *arena);

#endif
