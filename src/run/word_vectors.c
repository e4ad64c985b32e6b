/* A block of texts at a time; only their words are kept. */
#include "run/word_vectors.h"

#include "base/stop.h"
#include "run/texts.h"

enum { BLOCK = 4096 };

static bool add_block(const struct measure_frame *frame, const int64_t *ids, size_t count,
                      unsigned parts, struct learn_vectors_reader *reader,
                      struct err *err)
{
    struct arena arena = {0};
    struct learn_parts *posts = arena_array(&arena, struct learn_parts, count + 1);
    bool ok = stop_check(err) &&
              run_texts_read(frame->corpus, ids, count, parts, &arena, posts, err);

    for (size_t i = 0; ok && i < count; i++)
        learn_vectors_add(reader, posts + i);
    arena_free(&arena);
    return ok;
}

bool run_word_vectors_learn(const struct measure_frame *frame, struct measure_bits items,
                            unsigned parts, uint64_t seed, struct learn_vectors *out,
                            struct err *err)
{
    struct learn_vectors_reader reader = {0};
    int64_t ids[BLOCK];
    size_t filled = 0;
    bool ok = true;

    parts &= 1u << LEARN_PARTS_TITLE | 1u << LEARN_PARTS_PROSE;
    for (size_t i = measure_bits_next(items, 0); ok && i < items.count;
         i = measure_bits_next(items, i + 1)) {
        ids[filled++] = frame->ids[i];
        if (filled == BLOCK) {
            ok = add_block(frame, ids, filled, parts, &reader, err);
            filled = 0;
        }
    }
    ok = ok && (filled == 0 || add_block(frame, ids, filled, parts, &reader, err));
    if (ok)
        learn_vectors_learn(&reader, seed, out);
    learn_vectors_reader_free(&reader);
    return ok;
}
