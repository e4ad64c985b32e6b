/* Labelled posts, ready to learn from, and the classes that they have. */
#ifndef LEARN_EXAMPLES_H
#define LEARN_EXAMPLES_H

#include "base/arena.h"
#include "learn/features.h"
#include "learn/vectors.h"

/* Which classes each item has: what raters said, or what a classifier says. With one
 * label an item has exactly one class; with several it has any number. */

struct learn_membership {
    size_t items, classes;
    bool several; /* an item may have more than one class, or none */
    uint8_t *is;  /* items x classes: 0 or 1 */
};

struct learn_membership learn_membership_new(size_t items, size_t classes, bool several,
                                             struct arena *arena);

static inline bool learn_membership_has(const struct learn_membership *membership,
                                        size_t item, size_t class)
{
    return membership->is[item * membership->classes + class] != 0;
}

/* Its first class, or `classes` when it has none. */
size_t learn_membership_class(const struct learn_membership *membership, size_t item);

/* The items of the list, in its order. */
struct learn_membership learn_membership_of(const struct learn_membership *membership,
                                            const size_t *items, size_t count,
                                            struct arena *arena);

/* Labelled posts, ready to learn from: their features counted, their classes, and which
 * of them are near duplicates. Rows of one id are one post with all their labels. */

struct learn_examples {
    struct learn_features_table
        table;                /* all features of all posts: only names and numbers */
    struct learn_rows counts; /* posts x features */
    struct learn_membership truth;
    const size_t *groups;              /* near duplicates have the same number */
    struct learn_vectors_use vectors;  /* of unlabelled text; none: zeroed */
    struct learn_rows_builder builder; /* private: owns the counts */
};

/* Texts stay the caller's and are not needed afterwards. `truth` is taken over; `vectors`
 * is borrowed; NULL, or without dimensions: there are none. */
void learn_examples_make(const struct learn_parts *posts, struct learn_membership truth,
                         struct learn_features_options options,
                         const struct learn_vectors *vectors, struct arena *arena,
                         struct learn_examples *out);
void learn_examples_free(struct learn_examples *examples);

#endif
