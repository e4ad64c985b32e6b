/* Which items of a frame belong to a set or group: a bit each. */
#ifndef MEASURE_BITS_H
#define MEASURE_BITS_H

#include "base/arena.h"

struct measure_bits {
    uint64_t *words;
    size_t count; /* bits */
};

struct measure_bits measure_bits_make(size_t count, struct arena *arena); /* all clear */
struct measure_bits measure_bits_all(size_t count, struct arena *arena);  /* all set */

static inline bool measure_bits_has(struct measure_bits bits, size_t i)
{
    return bits.words[i / 64] >> (i % 64) & 1;
}

static inline void measure_bits_set(struct measure_bits bits, size_t i)
{
    bits.words[i / 64] |= UINT64_C(1) << (i % 64);
}

int64_t measure_bits_count(struct measure_bits bits);

/* Of the same length. */
struct measure_bits measure_bits_and(struct measure_bits a, struct measure_bits b,
                                     struct arena *arena);
void measure_bits_add(struct measure_bits into, struct measure_bits from); /* union */

/* Whether any is set in both, or in all three. */
bool measure_bits_meet(struct measure_bits a, struct measure_bits b);
bool measure_bits_meet_all(struct measure_bits a, struct measure_bits b,
                           struct measure_bits c);

/* The first set bit from i on, or the length. */
size_t measure_bits_next(struct measure_bits bits, size_t i);

/* Each set bit, ascending. */
#define MEASURE_BITS_EACH(i, bits) \
    for (size_t i = measure_bits_next(bits, 0); i < (bits).count; \
         i = measure_bits_next(bits, i + 1))

#endif
