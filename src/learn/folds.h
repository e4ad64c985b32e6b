/* Which items are learned from and which are judged on. Items that belong together, such
 * as near duplicates, never stand on both sides; classes are spread as evenly as that
 * allows. The same seed gives the same folds for ever. */
#ifndef LEARN_FOLDS_H
#define LEARN_FOLDS_H

#include "base/rng.h"
#include "learn/examples.h"

/* A list of items, borrowed: indices into the examples, ascending. */
struct learn_fold_items {
    const size_t *at;
    size_t count;
};

struct learn_fold_items learn_fold_all(size_t count,
                                       struct arena *arena); /* 0 .. count-1 */

/* The fold, 0 .. folds-1, of each item of the list. `groups` has a number for each item
 * of the examples; items with the same number share a fold. NULL: each is alone. */
const size_t *learn_fold_make(const struct learn_membership *truth, const size_t *groups,
                              struct learn_fold_items items, size_t folds,
                              struct rng *rng, struct arena *arena);

/* The items of the list that are in that fold, or all that are not. */
struct learn_fold_items learn_fold_take(struct learn_fold_items items,
                                        const size_t *fold_of, size_t fold, bool in,
                                        struct arena *arena);

/* So large a share of the items, at least one, with the same care: for hold-out. Items
 * that are not in *taken are in *left. */
void learn_fold_hold_out(const struct learn_membership *truth, const size_t *groups,
                         struct learn_fold_items items, double share, struct rng *rng,
                         struct arena *arena, struct learn_fold_items *taken,
                         struct learn_fold_items *left);

/* Several labels as one: each set of labels that occurs is a class of its own (label
 * powerset; Tsoumakas and Katakis, "Multi-label classification: an overview", 2007). It
 * knows which labels go together, and can only say sets that it has seen: for small sets
 * of labels. */

struct learn_powerset {
    size_t count, classes; /* sets; classes that they are made of */
    uint8_t *has;          /* sets x classes: 0 or 1 */
};

/* The sets that the listed items have, in order of their first. */
struct learn_powerset learn_powerset_make(const struct learn_membership *truth,
                                          struct learn_fold_items items,
                                          struct arena *arena);

/* All items by their set; one whose set is unknown has none. */
struct learn_membership learn_powerset_truth(const struct learn_powerset *powerset,
                                             const struct learn_membership *truth,
                                             struct arena *arena);

/* The probability of each class: the sum over the sets that have it. */
void learn_powerset_classes(const struct learn_powerset *powerset, const double *of_sets,
                            double *probabilities);

#endif
