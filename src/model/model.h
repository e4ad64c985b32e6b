/* Models of a labelling are asked for the items they are to label. Every answer is on the
 * disk before the next request is sent in its place, so that a program that was killed
 * goes on where it was; what was asked of an item before with the same bytes is not asked
 * again. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "label/label.h"

struct model_options {
    bool dry;   /* nothing is sent: what it would take is counted */
    bool quiet; /* no progress */
    /* Instead of servers: adds the body of a reply, JSON of /v1/chat/completions. NULL:
     * they are asked. */
    void (*simulate)(void *context, int64_t item, struct str dimension, int64_t run,
                     struct buf *body);
    void *context;        /* of that */
    int64_t simulated_ms; /* when its answers came */
};

/* Of one model. */
struct model_done {
    const struct study_model_rater *model;
    int64_t items;  /* that it is to label; where they have units, those with some */
    int64_t units;  /* in them; 0: it labels items as a whole */
    int64_t wanted; /* answers: items or units times dimensions times runs */
    int64_t known;  /* of these, those that were there before */
    int64_t answered, refused, cut, unreadable, rejected; /* of these, now or before */
    int64_t requests; /* that were sent now; of a dry run, those that would be */
    int64_t broken;   /* wanted, and open: no reply was a chat completion */
    int64_t left;     /* wanted, and not asked for: the budget is used up */
    int64_t resent;   /* requests that had to be sent again */
    int64_t tokens_in, tokens_out; /* of the requests; of a dry run estimated */
    int64_t measured;  /* of a dry run: from so many requests that were answered before */
    struct str sample; /* of a dry run: the first request, in words */
};

/* All models of the task, one after the other; *out lives in arena. ERR_INPUT without
 * models, without units where items have some, for a template or a key that is not there,
 * and for a server that does not take the key or does not know the model; ERR_SYSTEM for
 * one that does not answer, or not with chat completions. What came before an error
 * stays. */
bool model_ask(struct label *label, const struct model_options *options,
               struct arena *arena, struct model_done **out, size_t *count,
               struct err *err) MUST_USE;

#endif
