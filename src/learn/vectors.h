/* Words as short rows of numbers, learned from text that needs no labels: words that
 * stand among the same words have rows with a small angle between them. So what a
 * classifier learns about a word it has seen says something about one it has not.
 *
 * The table of positive pointwise mutual information between words and the frequent words
 * next to them is factored (vectors.c). Skip-gram with negative sampling factors
 * about the same table (Levy and Goldberg, "Neural word embedding as implicit matrix
 * factorization", NIPS 2014), and on corpora of our size this does as well (Levy,
 * Goldberg and Dagan, TACL 3, 2015, whose settings these are: contexts smoothed by the
 * power 0.75, roots of the singular values); unlike its steps on several threads it gives
 * the same bytes every time. Rows of frequent words are shorter (Arora, Liang and Ma, "A
 * simple but tough-to-beat baseline for sentence embeddings", ICLR 2017), so that the sum
 * over a post is about what sets it apart. */
#ifndef LEARN_VECTORS_H
#define LEARN_VECTORS_H

#include "learn/features.h"

enum {
    LEARN_VECTORS_DIMENSIONS = 64,
    LEARN_VECTORS_DIMENSIONS_MAX = 1000, /* of a file */
};

struct learn_vectors {
    size_t dimensions;                 /* 0: there was too little text */
    struct learn_features_table words; /* as words of the title */
    float *at;                         /* words x dimensions */
    struct buf numbers;                /* private: owns them */
};

/* Text as it is read: titles and prose. A zeroed reader is ready. */
struct learn_vectors_reader {
    struct learn_features_table words;
    LIST(uint32_t) tokens; /* words, and LEARN_VECTORS_BREAK where a text ends */
    LIST(size_t) posts;    /* where the tokens of each post end */
    struct buf lower, plain;
    size_t seen, every; /* of the posts seen, the first of each `every` is kept */
};

#define LEARN_VECTORS_BREAK UINT32_MAX

/* Of a large corpus an evenly spread part is kept, which bounds time and memory. */
void learn_vectors_add(struct learn_vectors_reader *reader,
                       const struct learn_parts *post);

/* Whether the post of that number, from 0, may be kept as far as is known: another need
 * not be read. Before one that follows such a gap is added, its number is told. */
bool learn_vectors_wants(const struct learn_vectors_reader *reader, size_t number);
void learn_vectors_go_to(struct learn_vectors_reader *reader, size_t number);

/* Gives up what was read. */
void learn_vectors_reader_free(struct learn_vectors_reader *reader);

/* Uses up what was read. */
void learn_vectors_learn(struct learn_vectors_reader *reader, uint64_t seed,
                         struct learn_vectors *out);

/* With words to be entered and rows of 0. */
struct learn_vectors learn_vectors_new(size_t words, size_t dimensions);
void learn_vectors_free(struct learn_vectors *vectors);

/* Enters the words into a table that posts are going to be read with, for each part that
 * vectors are used in: their row counts where they have no column of their own. */
void learn_vectors_enter(const struct learn_vectors *vectors,
                         struct learn_features_table *table);

/* Vectors beside a table of features. */
struct learn_vectors_use {
    const struct learn_vectors *vectors; /* NULL: none */
    const uint32_t *row; /* of each feature; LEARN_VECTORS_NONE: it has none */
    const uint8_t *part; /* of each feature: enum learn_parts_name */
};

#define LEARN_VECTORS_NONE UINT32_MAX

struct learn_vectors_use learn_vectors_use(const struct learn_vectors *vectors,
                                           const struct learn_features_table *table,
                                           struct arena *arena);

#endif
