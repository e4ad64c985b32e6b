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
    size_t given;                      /* dimensions of the posts' own vectors */
    struct learn_rows_builder builder; /* private: owns the counts */
};

/* Vectors of posts that were made elsewhere; zeroed: there are none. */
struct learn_given {
    size_t dimensions;
    const float *const *at; /* of each post; NULL: it has none */
};

/* Posts to learn from. Texts stay the caller's and are not needed afterwards; `vectors`
 * is borrowed; NULL, or without dimensions: there are none. Posts with the same text, but
 * for some words, or the same given vector are near duplicates. */
struct learn_posts {
    const struct learn_parts *parts;
    struct learn_membership truth; /* is taken over */
    const struct learn_vectors *vectors;
    struct learn_given given;
};

void learn_examples_make(const struct learn_posts *posts,
                         struct learn_features_options options, struct arena *arena,
                         struct learn_examples *out);

/* Also the first `count` items with the same number below `groups` stand on one side. */
void learn_examples_join(struct learn_examples *examples, const size_t *group,
                         size_t count, size_t groups, struct arena *arena);
void learn_examples_free(struct learn_examples *examples);

#endif
