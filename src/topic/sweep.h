/* How many topics? Models with several numbers of topics, several runs of each with
 * seeds of their own, compared: how well they foresee documents held out, how coherent
 * their topics are, and whether the runs find the same ones. */
#ifndef TOPIC_SWEEP_H
#define TOPIC_SWEEP_H

#include "topic/coherence.h"
#include "topic/lda.h"
#include "topic/stability.h"

/* Top words of a topic, by probability, that coherence and stability look at. */
enum { SWEEP_TOP = 10 };

struct sweep_settings {
    struct lda_settings lda; /* `topics` and `shares` are set here; run r has the seed
                                lda.seed + r; the models share lda.threads */
    const size_t *topics;    /* the numbers to try */
    size_t count;
    size_t runs;
    /* Called on the calling thread after each model. May be NULL. */
    void (*tell)(void *context, size_t done, size_t all);
    void *context;
};

/* What was found out with one number of topics. */
struct sweep_step {
    size_t topics;
    double perplexity;          /* of documents held out (heldout.h) */
    struct coherence coherence; /* means over topics and runs */
    struct stability stability;
    uint64_t seed; /* of the typical run: fits it again */
};

/* ERR_INPUT when lda_problem() says so; the message has no place. */
bool sweep_run(const struct tokens *tokens, const struct sweep_settings *settings,
               struct arena *arena, struct sweep_step *out, struct err *err) MUST_USE;

enum sweep_choice { SWEEP_BY_CV, SWEEP_BY_NPMI, SWEEP_BY_PERPLEXITY, SWEEP_BY_STABILITY };

/* The step with the best value; the first of equals, and the first step of all when the
 * value is undefined. */
size_t sweep_choose(const struct sweep_step *steps, size_t count, enum sweep_choice by);

#endif
