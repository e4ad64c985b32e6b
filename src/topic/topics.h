/* The topics of documents, from tokens to everything that is told about them: the numbers
 * of topics that were tried, the model kept, its topics with words, coherence and
 * stability. What needs more than texts is in tables.h. */
#ifndef TOPIC_TOPICS_H
#define TOPIC_TOPICS_H

#include "topic/relevance.h"
#include "topic/sweep.h"

enum { TOPICS_WORDS = 20, TOPICS_LABEL_WORDS = 4 };

struct topics_settings {
    struct sweep_settings sweep;
    enum sweep_choice choose; /* which number of topics is kept */
    double lambda;            /* of relevance */
};

struct topics {
    const struct sweep_step *steps;
    size_t step_count, chosen;
    struct lda_model model;        /* the typical run of the chosen step, with shares */
    size_t top;                    /* words listed of each topic: TOPICS_WORDS, or all */
    const struct relevance *words; /* by relevance: [topic * top + rank] */
    const struct coherence *coherence; /* of each topic; NAN with a single word */
    const double *stability;           /* of each topic; NAN with one run */
};

/* ERR_INPUT, without a place, when a number of topics cannot be. */
bool topics_find(const struct tokens *tokens, const struct topics_settings *settings,
                 struct arena *arena, struct topics *out, struct err *err) MUST_USE;

/* "gpu, memory, cuda, allocate": its most relevant words. */
void topics_add_label(const struct topics *topics, const struct tokens *tokens,
                      size_t topic, struct buf *out);

#endif
