/* Blocks of 64 bytes become 64 bits, one a byte, in a way that differs by processor, and
 * the bits become places. What is left at the end is put into a padded block first, so
 * that nothing beyond the text is read. */
#include "text/mark.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum {
    BLOCK = 64,
    SLACK = 16, /* places that may be written beyond the last */
};

/* Finds the places in `blocks` times 64 bytes, the first of which is at `base`, writes
 * them to `out` and returns where to go on writing. */
typedef size_t *find_blocks(const char *bytes, size_t blocks, size_t base, char third,
                            size_t *out, bool *plain);

static bool find(struct str text, char third, struct buf *places, find_blocks *by)
{
    size_t whole = text.len / BLOCK, rest = text.len % BLOCK, *out, *begin;
    char padded[BLOCK];
    bool plain = true;

    buf_clear(places);
    /* Every byte may be a place. */
    begin = (size_t *)(void *)buf_reserve(places, (text.len + SLACK) * sizeof *begin);
    out = by(text.ptr, whole, 0, third, begin, &plain);
    if (rest > 0) {
        memset(padded, third == 'x' ? 'y' : 'x', sizeof padded);
        memcpy(padded, text.ptr + whole * BLOCK, rest);
        out = by(padded, 1, whole * BLOCK, third, out, &plain);
    }
    *out++ = text.len;
    *out++ = text.len;
    places->len = (size_t)(out - begin) * sizeof *begin;
    return plain;
}

static size_t *find_blocks_portable(const char *bytes, size_t blocks, size_t base,
                                    char third, size_t *out, bool *plain)
{
    for (size_t i = 0; i < blocks * BLOCK; i++) {
        char c = bytes[i];
        *out = base + i;
        out += (c == '&') | (c == '<') | (c == third);
        *plain &= (signed char)c > 0;
    }
    return out;
}

bool mark_find_portable(struct str text, char third, struct buf *places)
{
    return find(text, third, places, find_blocks_portable);
}

#if defined(__x86_64__)

#define AVX2 __attribute__((target("avx2,bmi,popcnt")))

/* One bit for each of 32 bytes; the high bit of a byte in *odd is set once one was not
 * plain. */
AVX2 static inline uint64_t see_32(const char *bytes, __m256i third, __m256i *odd)
{
    __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)bytes);
    __m256i hit = _mm256_or_si256(_mm256_cmpeq_epi8(b, _mm256_set1_epi8('&')),
                                  _mm256_cmpeq_epi8(b, _mm256_set1_epi8('<')));

    hit = _mm256_or_si256(hit, _mm256_cmpeq_epi8(b, third));
    *odd = _mm256_or_si256(*odd, b);
    *odd = _mm256_or_si256(*odd, _mm256_cmpeq_epi8(b, _mm256_setzero_si256()));
    return (uint32_t)_mm256_movemask_epi8(hit);
}

/* Writes the place of the lowest bit and returns the others. */
AVX2 static inline uint64_t put_place(size_t **out, size_t base, uint64_t bits)
{
    *(*out)++ = base + _tzcnt_u64(bits);
    return _blsr_u64(bits);
}

AVX2 static size_t *find_blocks_avx2(const char *bytes, size_t blocks, size_t base,
                                     char third, size_t *out, bool *plain)
{
    __m256i thirds = _mm256_set1_epi8(third), odd = _mm256_setzero_si256();

    for (; blocks > 0; blocks--, bytes += BLOCK, base += BLOCK) {
        uint64_t low = see_32(bytes, thirds, &odd);
        uint64_t bits = low | see_32(bytes + 32, thirds, &odd) << 32;
        size_t *next = out + _mm_popcnt_u64(bits);
        /* Six at a time, wanted or not: most blocks have no more, and so no branch here
         * is hard to foretell. */
        do {
            bits = put_place(&out, base, bits);
            bits = put_place(&out, base, bits);
            bits = put_place(&out, base, bits);
            bits = put_place(&out, base, bits);
            bits = put_place(&out, base, bits);
            bits = put_place(&out, base, bits);
        } while (bits != 0);
        out = next;
    }
    *plain &= _mm256_movemask_epi8(odd) == 0;
    return out;
}

bool mark_find_avx2(struct str text, char third, struct buf *places)
{
    return find(text, third, places, find_blocks_avx2);
}

bool mark_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("popcnt");
}

#else

bool mark_find_avx2(struct str text, char third, struct buf *places)
{
    return mark_find_portable(text, third, places);
}

bool mark_has_avx2(void)
{
    return false;
}

#endif

bool mark_find(struct str text, char third, struct buf *places)
{
    return mark_has_avx2() ? mark_find_avx2(text, third, places)
                           : mark_find_portable(text, third, places);
}
