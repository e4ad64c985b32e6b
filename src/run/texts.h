/* The texts of a corpus' items, parted as classifiers and topics want them. */
#ifndef RUN_TEXTS_H
#define RUN_TEXTS_H

#include "learn/features.h"
#include "store/corpus.h"

/* The parts of a post to take, a bit for each enum learn_parts_name. */
unsigned run_texts_parts(const struct str *names, size_t count, unsigned fallback);

/* Of each id one element of *out, in their order; an item that the corpus lacks has empty
 * texts. They live in arena. */
bool run_texts_read(struct store *corpus, const int64_t *ids, size_t count,
                    unsigned parts, struct arena *arena, struct learn_parts *out,
                    struct err *err) MUST_USE;

#endif
