/* A model applied to many posts, on several threads, with the same result for any number
 * of them. */
#ifndef LEARN_APPLY_H
#define LEARN_APPLY_H

#include "learn/model.h"

struct apply {
    const struct model *model;
    struct features_options features;
    const struct features_table *table;
    int threads;
};

/* Posts, some of which may be left to be split. */
struct apply_posts {
    size_t count;
    const struct parts *parts;
    const struct str *bodies; /* completes the parts of each post; NULL: they are whole */
};

/* Fills said (posts x classes) and probabilities (the same) for the posts. */
bool apply_model(const struct apply *apply, struct apply_posts posts, struct arena *arena,
                 uint8_t *said, double *probabilities, struct err *err) MUST_USE;

#endif
