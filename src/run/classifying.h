/* A classifier of the study: learned from labels, judged on items that it has not seen,
 * applied to sets; and the shares of classes that follow, corrected for its errors. */
#ifndef RUN_CLASSIFYING_H
#define RUN_CLASSIFYING_H

#include "learn/quantify.h"
#include "measure/groups.h"
#include "run/output.h"

struct classifying_inputs {
    const struct study_classifier *classifier;
    const struct frame *frame;
    const struct labels *labels; /* to learn from */
    struct bits chosen; /* items whose labels are no random sample; without words: none */
    struct bits predict;   /* items to classify */
    const size_t *stratum; /* that each item was drawn from; NULL: not known */
    int threads;
};

/* Fills output with out/classifiers/NAME/: the model, predicted.csv, items.csv with what
 * shares are computed from, and a csv for each of what `tables.*.show` names. */
bool classifying_make(const struct classifying_inputs *inputs, struct output *output,
                      struct err *err) MUST_USE;

#endif
