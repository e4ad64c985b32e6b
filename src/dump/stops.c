/* Where a value ends: at the next quote, unless a '<' stands before it. */
#include <string.h>

#include "dump/internal.h"

/* Eight bytes at a time, by the usual trick for "has a zero byte". */
const char *dump_stops_find_portable(const char *p, const char *end)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), highs = ones << 7;

    for (; p < end; p += 8) {
        uint64_t word;
        memcpy(&word, p, sizeof word);
        uint64_t quote = word ^ ones * '"', less = word ^ ones * '<';
        if ((((quote - ones) & ~quote) | ((less - ones) & ~less)) & highs)
            break;
    }
    while (p < end && *p != '"' && *p != '<')
        p++;
    return p;
}

#ifdef DUMP_STOPS_AVX2

DUMP_STOPS_AVX2 static inline uint64_t mask_of(__m256i low, __m256i high)
{
    return (unsigned)_mm256_movemask_epi8(low) |
           (uint64_t)(unsigned)_mm256_movemask_epi8(high) << 32;
}

DUMP_STOPS_AVX2 const char *dump_stops_find_avx2(const char *p, const char *end)
{
    for (; p < end; p += 128) {
        /* The processor itself does not look beyond a page of memory. */
        _mm_prefetch(p + DUMP_STOPS_AHEAD, _MM_HINT_T0);
        _mm_prefetch(p + DUMP_STOPS_AHEAD + 64, _MM_HINT_T0);
        __m256i a = stops_in(p), b = stops_in(p + 32);
        __m256i c = stops_in(p + 64), d = stops_in(p + 96);
        __m256i any = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
        if (_mm256_testz_si256(any, any))
            continue;
        uint64_t low = mask_of(a, b);
        return p + (low != 0 ? _tzcnt_u64(low) : 64 + _tzcnt_u64(mask_of(c, d)));
    }
    return end;
}

bool dump_stops_have_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
}

#else

const char *dump_stops_find_avx2(const char *p, const char *end)
{
    return dump_stops_find_portable(p, end);
}

bool dump_stops_have_avx2(void)
{
    return false;
}

#endif
