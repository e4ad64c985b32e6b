/* Classes that are paths, such as "data/parsing": what is said about the lowest level
 * says something about every level above. With one label the probability of a node is the
 * sum of its classes'; with several it is their largest, a lower bound. A class that is
 * shorter than others stands for itself on the levels below. */
#ifndef LEARN_HIERARCHY_H
#define LEARN_HIERARCHY_H

#include "learn/examples.h"

struct learn_hierarchy_level {
    size_t count;      /* nodes */
    struct str *names; /* of each node: "data" */
    size_t *node_of;   /* of each class */
    size_t *parent;    /* of each node, on the level above; on the first: 0 */
};

struct learn_hierarchy {
    size_t classes, depth;
    struct learn_hierarchy_level
        *levels; /* the first is the top, the last are the classes */
};

/* How the class of a post follows from the probabilities. */
enum learn_hierarchy_rule {
    LEARN_HIERARCHY_FLAT,     /* the most probable class, and what is above it */
    LEARN_HIERARCHY_TOP_DOWN, /* the most probable node of the top, then of those below it
                               */
};

struct learn_hierarchy learn_hierarchy_make(const struct str *names, size_t classes,
                                            struct arena *arena);

/* What items have on that level, from 0. */
struct learn_membership learn_hierarchy_membership(const struct learn_hierarchy *tree,
                                                   size_t level,
                                                   const struct learn_membership *truth,
                                                   struct arena *arena);

/* One item's probabilities on that level. */
void learn_hierarchy_probabilities(const struct learn_hierarchy *tree, size_t level,
                                   bool several, const double *probabilities,
                                   double *out);

/* The node of the level that one item, which has one class, is given: never one whose
 * parent it is not given. `room` has a place for each class. */
size_t learn_hierarchy_decide(const struct learn_hierarchy *tree, size_t level,
                              enum learn_hierarchy_rule rule, const double *probabilities,
                              double *room);

#endif
