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

/* Fills said (posts x classes) and probabilities (the same) for the posts. */
bool apply_model(const struct apply *apply, const struct parts *posts, size_t count,
                 struct arena *arena, uint8_t *said, double *probabilities,
                 struct err *err) MUST_USE;

#endif
