/* From counts to weighted rows (TF-IDF and its variants). Which features count and how
 * much is learned from the training items alone; a feature that only other items have has
 * no column. */
#ifndef LEARN_WEIGH_H
#define LEARN_WEIGH_H

#include "learn/examples.h"
#include "learn/features.h"
#include "learn/vectors.h"

enum learn_weigh_idf {
    LEARN_WEIGH_IDF_SMOOTH, /* ln((1 + n) / (1 + df)) + 1, as scikit-learn */
    LEARN_WEIGH_IDF_PLAIN,  /* ln(n / df) + 1 */
    LEARN_WEIGH_IDF_NONE,
};

struct learn_weigh_options {
    double parts[LEARN_PARTS_COUNT]; /* how much each part counts; 0: it is left out */
    double letters; /* and runs of letters beside the rest of their part */
    double vectors; /* and the sum of its words' vectors; 0: they are not used */
    double given;   /* and the post's own vector; 0: it is not used */
    size_t df_min;  /* items that must have a feature */
    double df_max;  /* share of items that may have it; 0: all */
    size_t select;  /* keep so many, by chi-square; 0: all */
    enum learn_weigh_idf idf;
    bool sublinear; /* 1 + ln(count) for count */
    bool l2;        /* each part, and then the whole row, has length 1 */
};

struct learn_weigh {
    struct learn_weigh_options options;
    size_t columns;              /* those of features, then one for each dimension of
                                    word vectors, then of given ones */
    size_t features;             /* of the table it was learned with */
    const uint32_t *column;      /* of each feature; LEARN_WEIGH_NONE: left out */
    size_t own_columns;          /* of features: what follows is for these */
    const float *idf;            /* of each column */
    const uint8_t *group;        /* of each column, for the lengths */
    const uint32_t *features_of; /* the feature of each column */
    struct learn_vectors_use vectors;
    size_t given; /* dimensions of the posts' own vectors */
};

/* The first column of the posts' own vectors. */
static inline size_t learn_weigh_given(const struct learn_weigh *weigh)
{
    return weigh->columns - weigh->given;
}

#define LEARN_WEIGH_NONE UINT32_MAX

/* What rows are made of. */
struct learn_weigh_source {
    const struct learn_rows *counts;
    const struct learn_features_table *table;
    struct learn_vectors_use vectors; /* none: zeroed */
    size_t given;                     /* dimensions of the posts' own vectors */
};

/* Learned from the items of the list; truth is that of all rows. */
struct learn_weigh learn_weigh_learn(const struct learn_weigh_source *source,
                                     const struct learn_membership *truth,
                                     const size_t *items, size_t count,
                                     const struct learn_weigh_options *options,
                                     struct arena *arena);

/* How often a word's vector is taken into the sum of a row: more than once for a word
 * that stands there often or in a part that counts more; 0 for a feature without one. */
double learn_weigh_vector_times(const struct learn_weigh *weigh,
                                struct learn_rows_cell count);

/* The sum itself, as long as there are dimensions. */
void learn_weigh_vector_sum(const struct learn_weigh *weigh, struct learn_rows_row counts,
                            double *out);

/* Adds one row of counts, weighted, to out. */
void learn_weigh_row(const struct learn_weigh *weigh, struct learn_rows_row counts,
                     struct learn_rows_builder *out);

/* The items of the list. */
void learn_weigh_rows(const struct learn_weigh *weigh, const struct learn_rows *counts,
                      const size_t *items, size_t count, struct learn_rows_builder *out);

/* Which lengths a feature goes into. */
uint8_t learn_weigh_group(const struct learn_features_entry *entry);

/* The chi-square statistic of each column between its sum a class and what the classes'
 * sizes let expect, as scikit-learn's chi2: the larger, the more it tells classes apart.
 */
void learn_weigh_chi_square(const struct learn_rows *rows,
                            const struct learn_membership *truth, double *out,
                            struct arena *arena);

#endif
