/* Each block becomes a mask for every kind of byte, in a way that differs by processor;
 * how kinds make words is said once. What is left at the end is put into a padded block
 * first, so that nothing beyond the text is read. */
#include "text/wordmask.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* What the bytes of a block are. */
struct kinds {
    uint64_t plain;       /* letters and digits of ASCII */
    uint64_t underscores; /* the other masks are of bytes that words.c must look at: */
    uint64_t dots;
    uint64_t signs; /* # and + */
    uint64_t wide;  /* part of a character of several bytes, or of none */
};

/* A byte that follows the block may be anything. */
static uint64_t before(uint64_t bits)
{
    return bits >> 1 | UINT64_C(1) << (WORDMASK_BLOCK - 1);
}

/* Of dots only those are looked at that have something of a word behind them: most end a
 * sentence. */
static struct wordmask mask_of(const struct kinds *kinds, bool code)
{
    if (!code)
        return (struct wordmask){kinds->plain | kinds->wide, ~kinds->plain, kinds->wide};
    uint64_t inside = kinds->plain | kinds->underscores;
    uint64_t dots = kinds->dots & before(inside | kinds->wide);
    uint64_t unsure = kinds->underscores | kinds->wide | dots;
    return (struct wordmask){kinds->plain | unsure, ~kinds->plain, unsure | kinds->signs};
}

/* Finds the masks of `blocks` times 64 bytes. */
typedef void find_blocks(const char *bytes, size_t blocks, bool code,
                         struct wordmask *masks, char *lower);

static void find(struct str text, bool code, struct wordmask *masks, char *lower,
                 find_blocks *by)
{
    size_t whole = text.len / WORDMASK_BLOCK, rest = text.len % WORDMASK_BLOCK;
    char padded[WORDMASK_BLOCK];

    memset(padded, ' ', sizeof padded);
    if (rest > 0)
        memcpy(padded, text.ptr + whole * WORDMASK_BLOCK, rest);
    by(text.ptr, whole, code, masks, lower);
    by(padded, 1, code, masks + whole, lower + whole * WORDMASK_BLOCK);
}

/* 1 or 0, a number: what is made of it needs no branch. */
static unsigned is_among(unsigned char byte, char first, unsigned count)
{
    return (unsigned)byte - (unsigned char)first < count;
}

/* What is neither plain nor a blank is rare enough for a branch. */
static void find_blocks_portable(const char *bytes, size_t blocks, bool code,
                                 struct wordmask *masks, char *lower)
{
    for (size_t b = 0; b < blocks; b++) {
        struct kinds kinds = {0};
        for (int i = 0; i < WORDMASK_BLOCK; i++) {
            unsigned char byte = (unsigned char)*bytes++;
            unsigned upper = is_among(byte, 'A', 26);
            unsigned plain = upper | is_among(byte, 'a', 26) | is_among(byte, '0', 10);
            kinds.plain |= (uint64_t)plain << i;
            *lower++ = (char)(byte | upper << 5); /* 32 is between A and a */
            if (plain != 0 || byte == ' ')
                continue;
            kinds.underscores |= (uint64_t)(byte == '_') << i;
            kinds.dots |= (uint64_t)(byte == '.') << i;
            kinds.signs |= (uint64_t)(byte == '#' || byte == '+') << i;
            kinds.wide |= (uint64_t)(byte >> 7) << i;
        }
        masks[b] = mask_of(&kinds, code);
    }
}

void wordmask_find_portable(struct str text, bool code, struct wordmask *masks,
                            char *lower)
{
    find(text, code, masks, lower, find_blocks_portable);
}

#if defined(__x86_64__)

#define AVX2 __attribute__((target("avx2")))

AVX2 static inline uint64_t bits_of(__m256i bytes)
{
    return (uint32_t)_mm256_movemask_epi8(bytes);
}

AVX2 static inline uint64_t bits_equal(__m256i bytes, char c)
{
    return bits_of(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(c)));
}

/* 0xFF in the bytes that are one of the `count` up to `last`: moved so far up that `last`
 * is the largest signed byte, these are the only ones above 127 - count. */
AVX2 static inline __m256i among(__m256i bytes, char last, int count)
{
    __m256i moved = _mm256_add_epi8(bytes, _mm256_set1_epi8((char)(127 - last)));

    return _mm256_cmpgt_epi8(moved, _mm256_set1_epi8((char)(127 - count)));
}

/* Adds the kinds of 32 bytes, the first of which has bit `shift`. */
AVX2 static inline void see_32(const char *bytes, int shift, struct kinds *kinds,
                               char *lower)
{
    __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)bytes);
    __m256i blank = _mm256_set1_epi8(' '); /* the bit that small letters have more */
    __m256i upper = among(b, 'Z', 26), digits = among(b, '9', 10);
    __m256i small = _mm256_or_si256(b, _mm256_and_si256(upper, blank));
    __m256i plain = _mm256_or_si256(among(small, 'z', 26), digits);

    _mm256_storeu_si256((__m256i *)(void *)lower, small);
    kinds->plain |= bits_of(plain) << shift;
    kinds->underscores |= bits_equal(b, '_') << shift;
    kinds->dots |= bits_equal(b, '.') << shift;
    kinds->signs |= (bits_equal(b, '#') | bits_equal(b, '+')) << shift;
    kinds->wide |= bits_of(b) << shift;
}

AVX2 static void find_blocks_avx2(const char *bytes, size_t blocks, bool code,
                                  struct wordmask *masks, char *lower)
{
    for (size_t b = 0; b < blocks; b++) {
        struct kinds kinds = {0};
        see_32(bytes, 0, &kinds, lower);
        see_32(bytes + 32, 32, &kinds, lower + 32);
        masks[b] = mask_of(&kinds, code);
        bytes += WORDMASK_BLOCK;
        lower += WORDMASK_BLOCK;
    }
}

void wordmask_find_avx2(struct str text, bool code, struct wordmask *masks, char *lower)
{
    find(text, code, masks, lower, find_blocks_avx2);
}

bool wordmask_has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

#else

void wordmask_find_avx2(struct str text, bool code, struct wordmask *masks, char *lower)
{
    wordmask_find_portable(text, code, masks, lower);
}

bool wordmask_has_avx2(void)
{
    return false;
}

#endif

void wordmask_find(struct str text, bool code, struct wordmask *masks, char *lower)
{
    if (wordmask_has_avx2())
        wordmask_find_avx2(text, code, masks, lower);
    else
        wordmask_find_portable(text, code, masks, lower);
}
