/* Which items of a frame belong to a set or group: a bit each. */
#ifndef MEASURE_BITS_H
#define MEASURE_BITS_H

#include "base/arena.h"

struct bits {
    uint64_t *words;
    size_t count; /* bits */
};

struct bits bits_make(size_t count, struct arena *arena); /* all clear */
struct bits bits_all(size_t count, struct arena *arena);  /* all set */

static inline bool bits_has(struct bits bits, size_t i)
{
    return bits.words[i / 64] >> (i % 64) & 1;
}

static inline void bits_set(struct bits bits, size_t i)
{
    bits.words[i / 64] |= UINT64_C(1) << (i % 64);
}

int64_t bits_count(struct bits bits);

/* Of the same length. */
struct bits bits_and(struct bits a, struct bits b, struct arena *arena);
void bits_add(struct bits into, struct bits from); /* union */

/* The first set bit from i on, or the length: for (i = bits_next(b, 0); i < b.count; i =
 * bits_next(b, i + 1)). */
size_t bits_next(struct bits bits, size_t i);

#endif
