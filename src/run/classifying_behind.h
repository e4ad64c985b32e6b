/* The items behind a classifier's scores: out/classifiers/NAME/behind/. */
#ifndef RUN_CLASSIFYING_BEHIND_H
#define RUN_CLASSIFYING_BEHIND_H

#include "learn/score.h"
#include "run/output.h"

/* What the scores were computed from. */
struct classifying_behind {
    struct output *output;
    struct str classifier;
    const int64_t *ids; /* of the items that were held out */
    const struct membership *truth, *said;
    const struct str *names;                 /* of classes */
    const struct score_intervals *intervals; /* some have none, and say why */
};

void classifying_behind_make(const struct classifying_behind *it);

/* Where there are no scores, nothing is behind them. */
void classifying_behind_nothing(struct output *output, struct str classifier);

#endif
