/* The texts of a corpus' items, parted as classifiers and topics want them. */
#ifndef RUN_TEXTS_H
#define RUN_TEXTS_H

#include "learn/features.h"
#include "learn/vectors.h"
#include "measure/frame.h"
#include "store/corpus.h"

/* The parts of a post to take, a bit for each enum learn_parts_name. */
unsigned run_texts_parts(const struct str *names, size_t count, unsigned fallback);

/* Of each id one element of *out, in their order; an item that the corpus lacks has empty
 * texts. They live in arena. */
bool run_texts_read(struct store *corpus, const int64_t *ids, size_t count,
                    unsigned parts, struct arena *arena, struct learn_parts *out,
                    struct err *err) MUST_USE;

struct run_texts_block {
    const size_t *items;       /* their places in the frame */
    struct learn_parts *posts; /* of each */
    size_t count;
    struct arena *arena; /* lasts as long as the block */
};

typedef bool run_texts_take(void *context, const struct run_texts_block *block,
                            struct err *err);

/* Hands over the texts of items in the order of the frame, so that memory stays flat. */
bool run_texts_each(const struct measure_frame *frame, struct measure_bits items,
                    unsigned parts, run_texts_take *take, void *context,
                    struct err *err) MUST_USE;

/* Word vectors from titles and prose of items, labelled or not, of which `parts` may
 * leave one out; see learn/vectors.h. learn_vectors_free() gives them back. */
bool run_texts_vectors(const struct measure_frame *frame, struct measure_bits items,
                       unsigned parts, uint64_t seed, struct learn_vectors *out,
                       struct err *err) MUST_USE;

#endif
