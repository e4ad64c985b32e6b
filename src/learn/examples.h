/* Labelled posts, ready to learn from: their features counted, their classes, and which
 * of them are near duplicates. Rows of one id are one post with all their labels. */
#ifndef LEARN_EXAMPLES_H
#define LEARN_EXAMPLES_H

#include "learn/duplicates.h"
#include "learn/features.h"
#include "learn/membership.h"
#include "learn/vectors.h"

struct examples {
    struct features_table table; /* all features of all posts: only names and numbers */
    struct rows counts;          /* posts x features */
    struct membership truth;
    const size_t *groups;        /* near duplicates have the same number */
    struct vectors_use vectors;  /* of unlabelled text; none: zeroed */
    struct rows_builder builder; /* private: owns the counts */
};

/* Texts stay the caller's and are not needed afterwards. `truth` is taken over; `vectors`
 * is borrowed; NULL, or without dimensions: there are none. */
void examples_make(const struct parts *posts, struct membership truth,
                   struct features_options options, const struct vectors *vectors,
                   struct arena *arena, struct examples *out);
void examples_free(struct examples *examples);

#endif
