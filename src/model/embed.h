/* Vectors of texts, from a server or from what it said before. The records are a file of
 * json lines that only grows, a line for each request: when it was sent and to whom, the
 * hashes of request and reply, the model as it was asked for and as it answered, tokens,
 * time, and of each text its hash and its vector (as 32-bit numbers, in base64). A line
 * is on the disk before the next request takes its place, so that a program that was
 * killed goes on where it was; texts with a vector are not asked for again. */
#ifndef MODEL_EMBED_H
#define MODEL_EMBED_H

#include "base/arena.h"
#include "base/err.h"
#include "study/study.h"

struct model_embed_options {
    const struct study_embed *how;
    const char *records; /* the file; it need not be there */
    bool question;       /* texts are questions: they have the other prefix */
    bool dry;            /* nothing is sent: what it would take is counted */
    bool quiet;          /* no progress */
};

/* Texts to have vectors; equal ones are sent once. */
struct model_embed_texts {
    const struct str *keys, *texts;
    size_t count;
};

struct model_embed_done {
    size_t dimensions;     /* 0: there is no vector */
    const float **at;      /* of each text; NULL: it has none */
    int64_t different;     /* texts that are not empty and not the same */
    int64_t known;         /* of these, those whose vector was there before */
    int64_t empty, cut;    /* items without a text; with one that was cut */
    int64_t requests;      /* that were sent now; of a dry run, those that would be */
    int64_t resent;        /* requests that had to be sent again */
    int64_t rejected;      /* texts that the server does not take */
    int64_t unusable;      /* texts whose vectors are none */
    int64_t left;          /* texts that were not asked for: the budget is used up */
    int64_t tokens;        /* of the requests; of a dry run estimated */
    struct str model;      /* as it answered */
    struct str first, why; /* an item whose text was not taken or whose vector is none */
};

/* ERR_INPUT for a key that is not there, a server that does not take it, gives vectors
 * that are none or answers as another model than before, and records that are damaged;
 * ERR_SYSTEM for one that does not answer. What came before an error stays. All of *out
 * lives in arena. */
bool model_embed(const struct model_embed_options *options,
                 const struct model_embed_texts *texts, struct arena *arena,
                 struct model_embed_done *out, struct err *err) MUST_USE;

/* Writes the vectors by their keys, in their order: with a file for keys as .npy, else as
 * json lines. ERR_INPUT when there is none. */
bool model_embed_write(const struct model_embed_texts *texts,
                       const struct model_embed_done *done, const char *file,
                       const char *keys, struct err *err) MUST_USE;

#endif
