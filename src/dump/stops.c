/* Where the next stop is when it is far, as at the end of a body. */
#include <string.h>

#include "dump/internal.h"

/* Memory that is asked for is where it is needed soon, but not behind that. */
static inline const char *ask(const char *ahead, const char *from)
{
    const char *least = from + DUMP_STOPS_AHEAD / 2;

    __builtin_prefetch(ahead);
    return ahead + DUMP_STOPS_SEEN < least ? least : ahead + DUMP_STOPS_SEEN;
}

/* Of two stretches, of which one has a stop, unless that is not before the end. */
static inline struct dump_stops_seen first_of(const char *from, uint64_t first,
                                              uint64_t second, const char *end)
{
    struct dump_stops_seen seen = {from, first};

    if (first == 0)
        seen = (struct dump_stops_seen){from + DUMP_STOPS_SEEN, second};
    if (seen.from >= end)
        return (struct dump_stops_seen){end, 0};
    return dump_stops_before(seen, end);
}

/* Eight bytes at a time, by the usual trick for "has a zero byte". */
struct dump_stops_seen dump_stops_far_portable(const char *from, const char *end,
                                               const char *ahead)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), highs = ones << 7;

    (void)ahead;
    for (; from < end; from += DUMP_STOPS_SEEN) {
        uint64_t any = 0;
        for (size_t i = 0; i < DUMP_STOPS_SEEN; i += sizeof any) {
            uint64_t word;
            memcpy(&word, from + i, sizeof word);
            uint64_t quote = word ^ ones * '"', less = word ^ ones * '<';
            any |= ((quote - ones) & ~quote) | ((less - ones) & ~less);
        }
        if ((any & highs) != 0)
            return dump_stops_see_portable(from, end);
    }
    return (struct dump_stops_seen){end, 0};
}

#ifdef DUMP_STOPS_AVX2

DUMP_STOPS_AVX2 static inline uint64_t mask_of(__m256i low, __m256i high)
{
    return (unsigned)_mm256_movemask_epi8(low) |
           (uint64_t)(unsigned)_mm256_movemask_epi8(high) << 32;
}

DUMP_STOPS_AVX2 struct dump_stops_seen
dump_stops_far_avx2(const char *from, const char *end, const char *ahead)
{
    for (; from < end; from += 2 * DUMP_STOPS_SEEN) {
        ahead = ask(ahead, from);
        __m256i a = dump_stops_in_32(from), b = dump_stops_in_32(from + 32);
        __m256i c = dump_stops_in_32(from + 64), d = dump_stops_in_32(from + 96);
        __m256i any = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
        if (!_mm256_testz_si256(any, any))
            return first_of(from, mask_of(a, b), mask_of(c, d), end);
    }
    return (struct dump_stops_seen){end, 0};
}

DUMP_STOPS_WIDE struct dump_stops_seen
dump_stops_far_wide(const char *from, const char *end, const char *ahead)
{
    for (; from < end; from += 2 * DUMP_STOPS_SEEN) {
        ahead = ask(ahead, from);
        uint64_t first = dump_stops_in_64(from);
        uint64_t second = dump_stops_in_64(from + DUMP_STOPS_SEEN);
        if ((first | second) != 0)
            return first_of(from, first, second, end);
    }
    return (struct dump_stops_seen){end, 0};
}

bool dump_stops_have_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

/* The first processors that had it became slower by it; they did not have the last. */
bool dump_stops_have_wide(void)
{
    return dump_stops_have_avx2() && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi2");
}

#else

struct dump_stops_seen dump_stops_far_avx2(const char *from, const char *end,
                                           const char *ahead)
{
    return dump_stops_far_portable(from, end, ahead);
}

struct dump_stops_seen dump_stops_far_wide(const char *from, const char *end,
                                           const char *ahead)
{
    return dump_stops_far_portable(from, end, ahead);
}

bool dump_stops_have_avx2(void)
{
    return false;
}

bool dump_stops_have_wide(void)
{
    return false;
}

#endif
