/* Word vectors from the texts of a corpus, labelled or not; see learn/vectors.h. */
#ifndef RUN_WORD_VECTORS_H
#define RUN_WORD_VECTORS_H

#include "learn/vectors.h"
#include "measure/frame.h"

/* From titles and prose of those items, of which `parts` (see texts.h) may leave one out.
 * learn_vectors_free() gives them back. */
bool run_word_vectors_learn(const struct measure_frame *frame, struct measure_bits items,
                            unsigned parts, uint64_t seed, struct learn_vectors *out,
                            struct err *err) MUST_USE;

#endif
