/* What a server of models answers: JSON as /v1/chat/completions gives it, whole or piece
 * by piece, of any bytes.
 * An answer counts only when it is JSON of the form that was asked for, with codes that
 * may be given; nothing is guessed. */
#ifndef MODEL_REPLY_H
#define MODEL_REPLY_H

#include "model/prompt.h"

enum model_reply_state {
    MODEL_REPLY_ANSWERED,
    MODEL_REPLY_UNREADABLE, /* what the model said is no code of the codebook */
    MODEL_REPLY_REFUSED,    /* the model, or a filter before it, would not answer */
    MODEL_REPLY_CUT,        /* it met the limit of tokens */
    MODEL_REPLY_BROKEN,     /* no chat completion at all: the model has said nothing */
};

const char *model_reply_word(enum model_reply_state state); /* "answered", ... */

/* Texts live in the arena that was passed. */
struct model_reply {
    enum model_reply_state state;
    struct str content;            /* what the model said */
    struct str model, fingerprint; /* as the server names them */
    int64_t tokens_in, tokens_out; /* 0: not told */
    struct str *codes;             /* ascending, each once; of an answer */
    size_t code_count;
    double probability; /* of the codes, from log-probabilities; NAN: not told */
    struct str says;    /* why it is no answer */
};

void model_reply_read(struct str body, const struct model_prompt *prompt,
                      struct arena *arena, struct model_reply *out);

/* Whether the error of a server is that a filter before the model keeps the request away:
 * a refusal, and no fault of the request. */
bool model_reply_is_filtered(struct str body);

#endif
