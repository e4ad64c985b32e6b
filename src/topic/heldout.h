/* How well a model foresees documents that it has not seen. By document completion
 * (Wallach et al., "Evaluation methods for topic models", ICML 2009): of each document
 * the tokens at places 1, 3, 5 ... are shown, from which its shares of topics follow by
 * fixed-point steps (theta_k proportional to alpha_k plus the expected tokens of k); the
 * others must be foreseen. The perplexity is exp(- mean log sum_k theta_k phi_kw) over
 * those: as if every word were one of so many equally likely ones. */
#ifndef TOPIC_HELDOUT_H
#define TOPIC_HELDOUT_H

#include "topic/lda.h"

/* NAN when no document has two tokens. The documents' words are numbered as the model's.
 */
double heldout_perplexity(const struct lda_model *model, const struct tokens *documents);

/* Marks the documents to hold out: every tenth, by chance, at least one; arena. */
bool *heldout_pick(size_t documents, uint64_t seed, struct arena *arena);

#endif
