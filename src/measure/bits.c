/* Sets of items, a word of 64 at a time. Bits behind the last are always clear. */
#include "measure/bits.h"

#include <string.h>

static size_t words_of(size_t count)
{
    return (count + 63) / 64;
}

struct measure_bits measure_bits_make(size_t count, struct arena *arena)
{
    return (struct measure_bits){arena_array(arena, uint64_t, words_of(count) + 1),
                                 count};
}

struct measure_bits measure_bits_all(size_t count, struct arena *arena)
{
    struct measure_bits bits = measure_bits_make(count, arena);

    memset(bits.words, 0xFF, count / 64 * sizeof *bits.words);
    if (count % 64 > 0)
        bits.words[count / 64] = (UINT64_C(1) << (count % 64)) - 1;
    return bits;
}

int64_t measure_bits_count(struct measure_bits bits)
{
    int64_t count = 0;

    for (size_t w = 0; w < words_of(bits.count); w++)
        count += __builtin_popcountll(bits.words[w]);
    return count;
}

struct measure_bits measure_bits_and(struct measure_bits a, struct measure_bits b,
                                     struct arena *arena)
{
    struct measure_bits both = measure_bits_make(a.count, arena);

    for (size_t w = 0; w < words_of(a.count); w++)
        both.words[w] = a.words[w] & b.words[w];
    return both;
}

bool measure_bits_meet(struct measure_bits a, struct measure_bits b)
{
    return measure_bits_meet_all(a, b, b);
}

bool measure_bits_meet_all(struct measure_bits a, struct measure_bits b,
                           struct measure_bits c)
{
    for (size_t w = 0; w < words_of(a.count); w++)
        if ((a.words[w] & b.words[w] & c.words[w]) != 0)
            return true;
    return false;
}

void measure_bits_add(struct measure_bits into, struct measure_bits from)
{
    for (size_t w = 0; w < words_of(into.count); w++)
        into.words[w] |= from.words[w];
}

size_t measure_bits_next(struct measure_bits bits, size_t i)
{
    if (i >= bits.count)
        return bits.count;
    uint64_t word = bits.words[i / 64] >> (i % 64);
    if (word != 0)
        return i + (size_t)__builtin_ctzll(word);
    for (size_t w = i / 64 + 1; w < words_of(bits.count); w++)
        if (bits.words[w] != 0)
            return w * 64 + (size_t)__builtin_ctzll(bits.words[w]);
    return bits.count;
}
