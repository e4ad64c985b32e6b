/* The items behind a classifier's scores. */
#ifndef RUN_CLASSIFYING_BEHIND_H
#define RUN_CLASSIFYING_BEHIND_H

#include "learn/score.h"
#include "result/result.h"

/* What the scores were computed from. */
struct run_classifying_behind {
    const int64_t *ids; /* of the items that were held out */
    const struct learn_membership *truth, *said;
    const struct str *names; /* of classes */
    struct arena *arena;     /* for what tables hold */
};

/* Of each class how many there are, how many were taken for it, precision, recall, F1. */
void run_classifying_behind_scores(const struct run_classifying_behind *it,
                                   struct result_table *out);

/* Scores over all classes. */
void run_classifying_behind_overall(const struct run_classifying_behind *it,
                                    struct result_table *out);

/* What was taken for what; of items with several classes there is no such table. */
void run_classifying_behind_confusion(const struct run_classifying_behind *it,
                                      struct result_table *out);

#endif
