/* What the files of topic/ share only with each other. */
#ifndef TOPIC_INTERNAL_H
#define TOPIC_INTERNAL_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/rng.h"
#include "topic/topic.h"

/* Words and their numbers, which count from 0 in the order of their first appearance. A
 * zeroed table is empty. */

struct topic_tokens_slot {
    uint64_t key;    /* see topic_tokens_table_key() */
    uint32_t number; /* from 1; 0: the slot is free */
    uint32_t len;
};

static inline struct str topic_tokens_table_name(const struct topic_tokens_table *table,
                                                 size_t number)
{
    return ((const struct str *)(const void *)table->names.ptr)[number];
}

/* What a word is looked up by: the word itself up to 8 bytes, else its hash. Up to 16
 * bytes there is no branch that lengths, which nobody foretells, could go either way. */
static inline uint64_t topic_tokens_table_key(struct str word)
{
    static const unsigned char masks[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                            255, 255, 255, 255, 255, 255, 255, 255};
    uint64_t low, high, low_mask, high_mask;

    if (word.len > 16)
        return XXH3_64bits(word.ptr, word.len);
    memcpy(&low, word.ptr, 8);
    memcpy(&high, word.ptr + 8, 8);
    memcpy(&low_mask, masks + 16 - word.len, 8);
    memcpy(&high_mask, masks + 24 - word.len, 8);
    high = (high & high_mask) * UINT64_C(0xC2B2AE3D27D4EB4F); /* 0 of a short word */
    return (low & low_mask) ^ high ^ high >> 32;
}

/* Where the search for a word begins. The table has slots. */
static inline size_t topic_tokens_table_place(const struct topic_tokens_table *table,
                                              uint64_t key, size_t len)
{
    uint64_t hash = (key ^ len) * UINT64_C(0x9E3779B97F4A7C15);

    return (hash ^ hash >> 32) &
           (table->slots.len / sizeof(struct topic_tokens_slot) - 1);
}

/* Asks the processor for what topic_tokens_table_put() will read. */
static inline void topic_tokens_table_fetch(const struct topic_tokens_table *table,
                                            uint64_t key, size_t len)
{
    if (table->slots.len > 0)
        __builtin_prefetch(
            (const struct topic_tokens_slot *)(const void *)table->slots.ptr +
            topic_tokens_table_place(table, key, len));
}

/* The number of the word, which is entered if it is new. */
uint32_t topic_tokens_table_enter(struct topic_tokens_table *table, struct str word,
                                  uint64_t key);

/* The same; a short word is nearly always found where it is looked for first. */
static inline uint32_t topic_tokens_table_put(struct topic_tokens_table *table,
                                              struct str word, uint64_t key)
{
    const struct topic_tokens_slot *slots =
        (const struct topic_tokens_slot *)(const void *)table->slots.ptr;

    if (word.len <= 8 && slots != NULL) {
        const struct topic_tokens_slot *slot =
            slots + topic_tokens_table_place(table, key, word.len);
        if (slot->number > 0 && slot->key == key && slot->len == word.len)
            return slot->number - 1;
    }
    return topic_tokens_table_enter(table, word, key);
}

uint32_t topic_tokens_table_number(struct topic_tokens_table *table,
                                   struct str word); /* any word */

void topic_tokens_table_free(struct topic_tokens_table *table);

/* The heart of a topic model: new topics for the words of one document, each drawn given
 * all other words (collapsed Gibbs sampling: Griffiths and Steyvers, "Finding scientific
 * topics", PNAS 101, 2004). The weight of topic k for word w in document d is
 *
 *     (n_dk + alpha_k) (n_wk + beta) / (n_k + V beta)
 *
 * without the word itself. All topics are weighed, eight at a time where the processor
 * has AVX2; the sums are made in the same order without it, so that both draw the same
 * topics. With 30 to 200 topics this is faster than samplers that skip topics. */

enum { TOPIC_SAMPLER_LANES = 8 };

/* How often each topic was drawn: for each word, and in all. Rows are `stride` long. */
struct topic_sampler_counts {
    int32_t *words;
    int64_t *totals;
};

struct topic_sampler {
    size_t topics, stride;
    struct topic_sampler_counts counts;
    const float *alpha; /* by topic */
    float beta, beta_sum;
    struct rng rng;
    bool portable; /* without the processor's vectors: the same topics, slower */

    /* Of the document in work, by topic: */
    int32_t *document; /* n_dk; stays until the next document */
    float *ratio;      /* (n_dk + alpha_k) / (n_k + V beta); 0 beyond the topics */
    float *sums;
};

size_t topic_sampler_stride(size_t topics); /* the next multiple of TOPIC_SAMPLER_LANES */

/* Counts of zero for so many words, and what a document needs. */
void topic_sampler_make(size_t topics, size_t words, struct arena *arena,
                        struct topic_sampler *out);

/* Draws a new topic for each of the words, whose topics the counts hold already. */
void topic_sampler_document(struct topic_sampler *sampler, const uint32_t *words,
                            size_t count, uint16_t *topics);

bool topic_sampler_has_avx2(void);

/* How even documents and topics are, learned from the counts: Minka's fixed point
 * ("Estimating a Dirichlet distribution", 2000) for the likelihood of counts given alpha
 * (one for each topic) or beta (one for all words). Wallach, Mimno and McCallum
 * ("Rethinking LDA: why priors matter", NIPS 2009) show that just this pair helps. */

struct topic_prior_counts {
    size_t topics, stride;
    const uint16_t *topic_of; /* of each token */
    const int32_t *words;     /* of topic k for word w: [w * stride + k] */
    const int64_t *totals;    /* of each topic */
};

/* A few steps of the fixed point; alpha has a value for each topic. */
void topic_prior_alpha(const struct topic_tokens *tokens,
                       const struct topic_prior_counts *counts, double *alpha);
double topic_prior_beta(const struct topic_tokens *tokens,
                        const struct topic_prior_counts *counts, double beta);

/* The digamma function for x > 0, within 1e-12 of the true value or of its size. */
double topic_prior_digamma(double x);

/* How well a model foresees documents that it has not seen. By document completion
 * (Wallach et al., "Evaluation methods for topic models", ICML 2009): of each document
 * the tokens at places 1, 3, 5 ... are shown, from which its shares of topics follow by
 * fixed-point steps (theta_k proportional to alpha_k plus the expected tokens of k); the
 * others must be foreseen. The perplexity is exp(- mean log sum_k theta_k phi_kw) over
 * those: as if every word were one of so many equally likely ones. */

/* NAN when no document has two tokens. The documents' words are numbered as the model's.
 */
double topic_heldout_perplexity(const struct topic_lda_model *model,
                                const struct topic_tokens *documents);

/* ERR_INPUT, without a place, when a number of topics cannot be. */
bool topic_sweep_check(const struct topic_tokens *tokens,
                       const struct topic_sweep_settings *settings,
                       struct err *err) MUST_USE;

/* Marks the documents to hold out: every tenth, by chance, at least one; arena. */
bool *topic_heldout_pick(size_t documents, uint64_t seed, struct arena *arena);

#endif
