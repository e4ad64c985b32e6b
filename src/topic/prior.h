/* How even documents and topics are, learned from the counts: Minka's fixed point
 * ("Estimating a Dirichlet distribution", 2000) for the likelihood of counts given alpha
 * (one for each topic) or beta (one for all words). Wallach, Mimno and McCallum
 * ("Rethinking LDA: why priors matter", NIPS 2009) show that just this pair helps. */
#ifndef TOPIC_PRIOR_H
#define TOPIC_PRIOR_H

#include "topic/tokens.h"

struct prior_counts {
    size_t topics, stride;
    const uint16_t *topic_of; /* of each token */
    const int32_t *words;     /* of topic k for word w: [w * stride + k] */
    const int64_t *totals;    /* of each topic */
};

/* A few steps of the fixed point; alpha has a value for each topic. */
void prior_alpha(const struct tokens *tokens, const struct prior_counts *counts,
                 double *alpha);
double prior_beta(const struct tokens *tokens, const struct prior_counts *counts,
                  double beta);

/* The digamma function for x > 0, within 1e-12 of the true value or of its size. */
double prior_digamma(double x);

#endif
