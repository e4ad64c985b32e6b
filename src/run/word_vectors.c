/* A block of texts at a time; only their words are kept. */
#include "run/word_vectors.h"

#include "base/stop.h"
#include "run/texts.h"

enum { BLOCK = 4096 };

static bool add_block(const struct frame *frame, const int64_t *ids, size_t count,
                      unsigned parts, struct vectors_reader *reader, struct err *err)
{
    struct arena arena = {0};
    struct parts *posts = arena_array(&arena, struct parts, count + 1);
    bool ok = stop_check(err) &&
              texts_read(frame->corpus, ids, count, parts, &arena, posts, err);

    for (size_t i = 0; ok && i < count; i++)
        vectors_add(reader, posts + i);
    arena_free(&arena);
    return ok;
}

bool word_vectors_learn(const struct frame *frame, struct bits items, unsigned parts,
                        uint64_t seed, struct vectors *out, struct err *err)
{
    struct vectors_reader reader = {0};
    int64_t ids[BLOCK];
    size_t filled = 0;
    bool ok = true;

    parts &= 1u << PARTS_TITLE | 1u << PARTS_PROSE;
    for (size_t i = bits_next(items, 0); ok && i < items.count;
         i = bits_next(items, i + 1)) {
        ids[filled++] = frame->ids[i];
        if (filled == BLOCK) {
            ok = add_block(frame, ids, filled, parts, &reader, err);
            filled = 0;
        }
    }
    ok = ok && (filled == 0 || add_block(frame, ids, filled, parts, &reader, err));
    if (ok)
        vectors_learn(&reader, seed, out);
    vectors_reader_free(&reader);
    return ok;
}
