/* Queries that ask for labels. What raters and classifiers say is known only when other
 * steps have been made, long after the one pass over the corpus: the pass finds the parts
 * of a query that ask for no labels, and then labels and parts are put together. */
#ifndef MEASURE_LABELLED_H
#define MEASURE_LABELLED_H

#include "measure/frame.h"
#include "measure/labels.h"

/* How many parts the query has that the pass can find; each becomes a slot, which `out`,
 * unless it is NULL, has room for. */
size_t measure_labelled_parts(const struct study *study, const struct query_node *query,
                              struct measure_frame_slot *out);

struct measure_labelled_inputs {
    const struct study *study;
    const struct measure_frame *frame;
    const struct measure_frame_slot *parts; /* as the pass has found them */
    /* Sets that ask for labels themselves, and labels of the study. */
    bool (*find_set)(void *context, struct str name, struct measure_bits *out,
                     struct err *err);
    bool (*find_labels)(void *context, size_t index, const struct measure_labels **out,
                        struct err *err);
    void *context;
};

/* Sets the slot's bits, funnel and passed. ERR_INPUT for a code that nobody knows. */
bool measure_labelled_find(const struct query_node *query,
                           const struct measure_labelled_inputs *inputs,
                           struct measure_frame_slot *out, struct err *err) MUST_USE;

#endif
