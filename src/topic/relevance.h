/* The words that stand for a topic, by relevance: lambda log phi + (1 - lambda) log lift,
 * where lift is the word's share in the topic over its share in all tokens (Sievert and
 * Shirley, "LDAvis", 2014, who found lambda 0.6 to serve readers best; 1 is the order by
 * probability). */
#ifndef TOPIC_RELEVANCE_H
#define TOPIC_RELEVANCE_H

#include "topic/lda.h"

#define RELEVANCE_LAMBDA 0.6

struct relevance {
    uint32_t word;
    double relevance;
    double probability; /* in the topic */
};

/* Of each topic the first `count` words, which must be at most as many as there are; the
 * lower number wins among equals. out has topics x count places. */
void relevance_words(const struct lda_model *model, const struct tokens *tokens,
                     double lambda, size_t count, struct arena *arena,
                     struct relevance *out);

/* The same for lambda 1, numbers alone. */
uint32_t *relevance_likely(const struct lda_model *model, size_t count,
                           struct arena *arena);

#endif
