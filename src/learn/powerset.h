/* Several labels as one: each set of labels that occurs is a class of its own (label
 * powerset; Tsoumakas and Katakis, "Multi-label classification: an overview", 2007). It
 * knows which labels go together, and can only say sets that it has seen: for small sets
 * of labels. */
#ifndef LEARN_POWERSET_H
#define LEARN_POWERSET_H

#include "learn/folds.h"

struct powerset {
    size_t count, classes; /* sets; classes that they are made of */
    uint8_t *has;          /* sets x classes: 0 or 1 */
};

/* The sets that the listed items have, in order of their first. */
struct powerset powerset_make(const struct membership *truth, struct folds_items items,
                              struct arena *arena);

/* All items by their set; one whose set is unknown has none. */
struct membership powerset_truth(const struct powerset *powerset,
                                 const struct membership *truth, struct arena *arena);

/* The probability of each class: the sum over the sets that have it. */
void powerset_classes(const struct powerset *powerset, const double *of_sets,
                      double *probabilities);

#endif
