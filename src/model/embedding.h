/* Vectors of texts as a server gives them: the bytes of a request to /v1/embeddings, and
 * what comes back, of any bytes. Nothing is guessed: a reply counts when it has one
 * vector for each text, by its index, of as many finite numbers as all others. */
#ifndef MODEL_EMBEDDING_H
#define MODEL_EMBEDDING_H

#include "base/buf.h"
#include "study/study.h"

/* The same texts give the same bytes. */
void model_embedding_request(const struct study_embed *how, const struct str *texts,
                             size_t count, struct buf *out);

/* Texts live in the arena that was passed. */
struct model_embedding {
    size_t dimensions;
    float *at;        /* of each text, in the order of the request */
    struct str model; /* as the server names it */
    int64_t tokens;   /* 0: not told */
    struct str says;  /* why it is no answer */
};

/* dimensions: that vectors have to have; 0: any number. False: it is no answer. */
bool model_embedding_read(struct str body, size_t count, size_t dimensions,
                          struct arena *arena, struct model_embedding *out);

#endif
