/* Topics of a study: found in the texts of a set, without labels. */
#ifndef RUN_DISCOVERING_H
#define RUN_DISCOVERING_H

#include "measure/frame.h"
#include "run/output.h"
#include "topic/topic.h"

struct run_discovering_inputs {
    const struct study_topics *topics;
    const struct measure_frame *frame;
    struct measure_bits of; /* items whose texts are read */
    int threads;
    int descriptor; /* where progress goes */
    bool quiet;
};

/* Fills output with out/topics/NAME/: main.csv, the main topic of each item, of which
 * groups are made; and a csv for each of what `tables.*.show` names. */
bool run_discovering_make(const struct run_discovering_inputs *inputs,
                          struct run_output *output, struct err *err) MUST_USE;

/* Topics that were found: the tables of a study, and of posts without one. */
struct run_discovering_found {
    const struct topic_tokens *tokens;
    const struct topic_set *topics;
    const size_t *main_topics; /* of documents */
};

/* Each as `tables.*.show` names it. Topics are called "03 gpu, memory, cuda". */
struct result_table run_discovering_topics(const struct run_discovering_found *found,
                                           struct arena *arena);
struct result_table run_discovering_words(const struct run_discovering_found *found,
                                          struct arena *arena);
struct result_table run_discovering_sweep(const struct topic_set *topics,
                                          struct arena *arena);

#endif
