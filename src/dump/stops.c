/* Where the quotes and the '<' of a block are. Finding all of them first, whatever they
 * mean, keeps the processor busy with many bytes at once; the reader of rows then hops
 * from one to the next without waiting for the bytes between. */
#include <string.h>
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HAVE_AVX2 1
#else
#define HAVE_AVX2 0
#endif

#include "dump/internal.h"

/* Eight bytes at a time, by the usual trick for "has a zero byte". */
size_t stops_find_portable(const char *bytes, uint32_t from, uint32_t to, uint32_t *out)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), highs = ones << 7;
    uint32_t *begin = out;

    while (from < to) {
        uint32_t next = to - from < 8 ? to : from + 8;
        uint64_t word;
        memcpy(&word, bytes + from, sizeof word);
        uint64_t quote = word ^ ones * '"', less = word ^ ones * '<';
        if (!((((quote - ones) & ~quote) | ((less - ones) & ~less)) & highs)) {
            from = next;
            continue;
        }
        for (; from < next; from++)
            if (bytes[from] == '"' || bytes[from] == '<')
                *out++ = from;
    }
    return (size_t)(out - begin);
}

#if HAVE_AVX2
#define AVX2 __attribute__((target("avx2,bmi,popcnt")))

/* 0xFF where a stop is. The table has, at a stop's low four bits, the stop, and elsewhere
 * a byte whose low four bits are others; so only stops are equal to what it gives. */
AVX2 static inline __m256i stops_in(const char *p)
{
    const __m256i table =
        _mm256_setr_epi8(1, 0, '"', 0, 0, 0, 0, 0, 0, 0, 0, 0, '<', 0, 0, 0, 1, 0, '"', 0,
                         0, 0, 0, 0, 0, 0, 0, 0, '<', 0, 0, 0);
    __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)p);

    return _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table, bytes), bytes);
}

AVX2 static inline uint64_t mask_of(__m256i low, __m256i high)
{
    return (unsigned)_mm256_movemask_epi8(low) |
           (uint64_t)(unsigned)_mm256_movemask_epi8(high) << 32;
}

AVX2 static inline uint64_t put_avx2(uint64_t mask, uint32_t from, uint32_t *out)
{
    *out = from + (uint32_t)_tzcnt_u64(mask);
    return mask & (mask - 1);
}

/* Six at once without asking how many: cheaper than a branch for each. */
AVX2 static inline uint32_t *put_all(uint64_t mask, uint32_t from, uint32_t *out)
{
    unsigned count = (unsigned)__builtin_popcountll(mask);

    for (unsigned i = 0; i == 0 || i < count; i += 6) {
        mask = put_avx2(mask, from, out + i);
        mask = put_avx2(mask, from, out + i + 1);
        mask = put_avx2(mask, from, out + i + 2);
        mask = put_avx2(mask, from, out + i + 3);
        mask = put_avx2(mask, from, out + i + 4);
        mask = put_avx2(mask, from, out + i + 5);
    }
    return out + count;
}

AVX2 static size_t find_avx2(const char *bytes, uint32_t from, uint32_t to, uint32_t *out)
{
    uint32_t *begin = out;

    for (; to - from >= 128; from += 128) {
        const char *p = bytes + from;
        __m256i a = stops_in(p), b = stops_in(p + 32);
        __m256i c = stops_in(p + 64), d = stops_in(p + 96);
        __m256i any = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
        if (_mm256_testz_si256(any, any))
            continue;
        out = put_all(mask_of(a, b), from, out);
        out = put_all(mask_of(c, d), from + 64, out);
    }
    for (; from < to; from += 64) {
        uint64_t mask = mask_of(stops_in(bytes + from), stops_in(bytes + from + 32));
        if (to - from < 64)
            mask &= (UINT64_C(1) << (to - from)) - 1;
        out = put_all(mask, from, out);
        if (to - from <= 64)
            break;
    }
    return (size_t)(out - begin);
}
#endif

stops_find *stops_best(void)
{
#if HAVE_AVX2
    if (__builtin_cpu_supports("avx2"))
        return find_avx2;
#endif
    return stops_find_portable;
}
