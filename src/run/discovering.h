/* What the topics of a study share with those of posts without one: their tables. */
#ifndef RUN_DISCOVERING_H
#define RUN_DISCOVERING_H

#include "result/result.h"
#include "topic/topic.h"

struct run_discovering_found {
    const struct topic_tokens *tokens;
    const struct topic_set *topics;
    const size_t *main_topics; /* of documents */
    const struct str *names;   /* of topics, where somebody gave them any; or NULL */
};

/* Each as `tables.*.show` names it. Topics are called "03 gpu, memory, cuda", or
 * "03 Memory". */
struct result_table run_discovering_topics(const struct run_discovering_found *found,
                                           struct arena *arena);
struct result_table run_discovering_words(const struct run_discovering_found *found,
                                          struct arena *arena);
struct result_table run_discovering_sweep(const struct topic_set *topics,
                                          struct arena *arena);

/* How topics of that method fare, and topics that LDA finds in the words; a set without
 * steps: there is none. */
struct result_table run_discovering_methods(const struct topic_set *topics,
                                            const char *name,
                                            const struct topic_set *words,
                                            struct arena *arena);

#endif
