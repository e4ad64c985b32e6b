/* The heart of a topic model: new topics for the words of one document, each drawn given
 * all other words (collapsed Gibbs sampling: Griffiths and Steyvers, "Finding scientific
 * topics", PNAS 101, 2004). The weight of topic k for word w in document d is
 *
 *     (n_dk + alpha_k) (n_wk + beta) / (n_k + V beta)
 *
 * without the word itself. All topics are weighed, eight at a time where the processor
 * has AVX2; the sums are made in the same order without it, so that both draw the same
 * topics. With 30 to 200 topics this is faster than samplers that skip topics. */
#ifndef TOPIC_SAMPLER_H
#define TOPIC_SAMPLER_H

#include "base/arena.h"
#include "base/rng.h"

enum { SAMPLER_LANES = 8, SAMPLER_TOPICS_MAX = 1000 };

/* How often each topic was drawn: for each word, and in all. Rows are `stride` long. */
struct sampler_counts {
    int32_t *words;
    int64_t *totals;
};

struct sampler {
    size_t topics, stride;
    struct sampler_counts counts;
    const float *alpha; /* by topic */
    float beta, beta_sum;
    struct rng rng;
    bool portable; /* without the processor's vectors: the same topics, slower */

    /* Of the document in work, by topic: */
    int32_t *document; /* n_dk; stays until the next document */
    float *ratio;      /* (n_dk + alpha_k) / (n_k + V beta); 0 beyond the topics */
    float *sums;
};

size_t sampler_stride(size_t topics); /* the next multiple of SAMPLER_LANES */

/* Counts of zero for so many words, and what a document needs. */
void sampler_make(size_t topics, size_t words, struct arena *arena, struct sampler *out);

/* Draws a new topic for each of the words, whose topics the counts hold already. */
void sampler_document(struct sampler *sampler, const uint32_t *words, size_t count,
                      uint16_t *topics);

bool sampler_has_avx2(void);

#endif
