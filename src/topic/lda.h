/* Latent Dirichlet allocation (Blei, Ng and Jordan, JMLR 3, 2003) by collapsed Gibbs
 * sampling.
 *
 * Documents are cut into blocks, whose number depends on the tokens and topics alone. In
 * each iteration every block draws against the counts from before the iteration and its
 * own changes; then the changes of all blocks are added up in order (Newman et al.,
 * "Distributed algorithms for topic models", JMLR 10, 2009). So the same seed gives the
 * same bytes for any number of threads, and, since every operation is one that IEEE 754
 * defines to the last bit, on any machine. */
#ifndef TOPIC_LDA_H
#define TOPIC_LDA_H

#include "base/err.h"
#include "topic/tokens.h"

struct lda_settings {
    size_t topics;      /* 1 .. SAMPLER_TOPICS_MAX */
    int64_t iterations; /* at least 1 */
    double alpha;       /* of each topic in a document; 0: learned, one for each topic */
    double beta;        /* of each word in a topic; 0: learned */
    uint64_t seed;
    int threads;
    bool shares;   /* the shares of topics in each document are wanted */
    bool portable; /* see sampler.h */
};

/* Means over up to ten samples from the last quarter of the iterations. The topic with
 * the most tokens is the first. */
struct lda_model {
    size_t topics, words, documents;
    const float *words_given_topic; /* of word w in topic k: [w * topics + k] */
    const float
        *shares; /* of topic k in document d: [d * topics + k]; NULL: not wanted */
    const int64_t *tokens; /* of each topic, in the last sample */
    const double *alpha;   /* by topic, as given or learned */
    double beta;
};

static inline double lda_word(const struct lda_model *model, size_t topic, size_t word)
{
    return (double)model->words_given_topic[word * model->topics + topic];
}

static inline double lda_share(const struct lda_model *model, size_t document,
                               size_t topic)
{
    return (double)model->shares[document * model->topics + topic];
}

/* What makes a model of these documents impossible, NULL when nothing does: no words at
 * all, or more topics than words. */
const char *lda_problem(const struct tokens *tokens, size_t topics);

/* Everything lives in arena. False when the user asked to stop. */
bool lda_fit(const struct tokens *tokens, const struct lda_settings *settings,
             struct arena *arena, struct lda_model *out, struct err *err) MUST_USE;

#endif
