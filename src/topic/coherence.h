/* Do the top words of a topic belong together? All measures count in how many documents
 * or windows words occur, alone and in pairs; a window is a run of tokens that slides
 * over a document by one token at a time, and a document shorter than it is one window.
 *
 * - umass: mean over pairs of log((D(w, v) + 1) / D(v)), v the more likely word, over
 *   documents. Mimno et al., "Optimizing semantic coherence in topic models", EMNLP 2011.
 * - npmi: mean over pairs of normalised pointwise mutual information over windows of 10.
 *   Bouma, GSCL 2009; Aletras and Stevenson, IWCS 2013.
 * - c_v: windows of 110; each word is the vector of its npmi with all top words; mean
 *   cosine between a word's vector and the sum of all. Roeder, Both and Hinneburg,
 *   "Exploring the space of topic coherence measures", WSDM 2015.
 *
 * Documents are those that the model was made from, after the same preparation. The
 * constants are gensim's; npmi of two words that are in every window, which that formula
 * leaves to chance, is 0 here. */
#ifndef TOPIC_COHERENCE_H
#define TOPIC_COHERENCE_H

#include "topic/tokens.h"

struct coherence {
    double umass, npmi, c_v;
};

/* Of each topic, whose words stand at words[topic * count .. + count), the most likely
 * first. The words of a topic are different ones and occur in the documents; count is at
 * least 2. */
void coherence_topics(const struct tokens *tokens, const uint32_t *words, size_t topics,
                      size_t count, struct arena *arena, struct coherence *out);

/* The mean of each measure. */
struct coherence coherence_mean(const struct coherence *topics, size_t count);

#endif
