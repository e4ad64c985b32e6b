/* Where the stops are: see dump/internal.h. */
#include <string.h>

#include "dump/internal.h"

enum {
    STRETCH = 64,   /* bytes whose stops are the bits of one word */
    STRETCHES = 64, /* which are searched before the stops of the first are listed */
};

_Static_assert(DUMP_STOPS_SPAN <= UINT16_MAX, "distances");
_Static_assert(DUMP_ROWS_STOPS >= DUMP_STOPS_SPAN + STRETCH, "nothing is asked");

/* How far this call goes. */
static inline const char *span_end(const struct dump_stops *stops, const char *end)
{
    return end - stops->from < DUMP_STOPS_SPAN ? end : stops->from + DUMP_STOPS_SPAN;
}

/* How many stretches there are to be searched. */
static inline size_t stretches_to(const char *p, const char *to)
{
    return to - p < STRETCH * STRETCHES ? ((size_t)(to - p) + STRETCH - 1) / STRETCH
                                        : STRETCHES;
}

/* Where there are fewer stretches than that, the last one may reach beyond the end. */
static inline void cut_off(uint64_t *found, const char *p, const char *to)
{
    if (to - p >= STRETCH * STRETCHES)
        return;
    size_t last = (size_t)(to - p) / STRETCH;
    found[last] &= (UINT64_C(1) << (to - p) % STRETCH) - 1;
    memset(found + last + 1, 0, (STRETCHES - last - 1) * sizeof *found);
}

static inline void done(struct dump_stops *stops, const char *to, size_t count)
{
    stops->to = to;
    stops->at = 0;
    stops->count = count;
}

/* Eight bytes at a time, by the usual trick for "has a zero byte". */
void dump_stops_list_portable(struct dump_stops *stops, const char *end)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), highs = ones << 7;
    const char *const to = span_end(stops, end);
    size_t count = 0;

    for (const char *p = stops->from; p < to; p += sizeof ones) {
        uint64_t word;
        memcpy(&word, p, sizeof word);
        uint64_t quote = word ^ ones * '"', less = word ^ ones * '<';
        if (((((quote - ones) & ~quote) | ((less - ones) & ~less)) & highs) == 0)
            continue;
        for (size_t i = 0; i < sizeof word && p + i < to; i++)
            if (p[i] == '"' || p[i] == '<')
                stops->list[count++] = (uint16_t)(p + i - stops->from);
    }
    done(stops, to, count);
}

#ifdef DUMP_STOPS_AVX2

/* The table has, at a stop's low four bits, the stop, and elsewhere a byte whose low four
 * bits are others; so only stops are equal to what it gives. */
#define TABLE 1, 0, '"', 0, 0, 0, 0, 0, 0, 0, 0, 0, '<', 0, 0, 0

DUMP_STOPS_AVX2 static inline uint64_t in_32(const char *p)
{
    const __m256i table = _mm256_setr_epi8(TABLE, TABLE);
    __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)p);

    return (uint32_t)_mm256_movemask_epi8(
        _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table, bytes), bytes));
}

DUMP_STOPS_AVX2 static inline uint16_t *add_avx2(uint16_t *list, uint64_t found,
                                                 size_t at)
{
    size_t all = (size_t)__builtin_popcountll(found);

    for (size_t i = 0; i < 8; i++, found &= found - 1) /* more than there mostly are */
        list[i] = (uint16_t)(at + _tzcnt_u64(found));
    for (size_t i = 8; i < all; i++, found &= found - 1)
        list[i] = (uint16_t)(at + _tzcnt_u64(found));
    return list + all;
}

DUMP_STOPS_AVX2 void dump_stops_list_avx2(struct dump_stops *stops, const char *end)
{
    const char *p = stops->from, *const to = span_end(stops, end);
    uint64_t found[STRETCHES];
    uint16_t *list = stops->list;

    for (; p < to; p += STRETCH * STRETCHES) {
        uint64_t some = 0; /* a bit for each stretch that has stops */
        const size_t count = stretches_to(p, to);
        for (size_t i = 0; i < count; i++)
            found[i] = in_32(p + i * STRETCH) | in_32(p + i * STRETCH + 32) << 32;
        cut_off(found, p, to);
        for (size_t i = 0; i < STRETCHES; i++)
            some |= (uint64_t)(found[i] != 0) << i;
        for (; some != 0; some &= some - 1) {
            size_t i = _tzcnt_u64(some);
            list = add_avx2(list, found[i], (size_t)(p - stops->from) + i * STRETCH);
        }
    }
    done(stops, to, (size_t)(list - stops->list));
}

DUMP_STOPS_WIDE static inline uint64_t in_64(const char *p)
{
    const __m512i table = _mm512_broadcast_i32x4(_mm_setr_epi8(TABLE));
    __m512i bytes = _mm512_loadu_si512(p);

    return _mm512_cmpeq_epi8_mask(_mm512_shuffle_epi8(table, bytes), bytes);
}

DUMP_STOPS_WIDE static inline void store_32(uint16_t *list, __m256i places, size_t at)
{
    _mm512_storeu_si512(list, _mm512_add_epi16(_mm512_cvtepu8_epi16(places),
                                               _mm512_set1_epi16((short)at)));
}

DUMP_STOPS_WIDE static inline uint16_t *add_wide(uint16_t *list, uint64_t found,
                                                 size_t at)
{
    const __m512i each =
        _mm512_set_epi8(63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48,
                        47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32,
                        31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,
                        15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    __m512i places = _mm512_maskz_compress_epi8(found, each);
    size_t all = (size_t)__builtin_popcountll(found);

    store_32(list, _mm512_castsi512_si256(places), at);
    if (all > 32)
        store_32(list + 32, _mm512_extracti64x4_epi64(places, 1), at);
    return list + all;
}

DUMP_STOPS_WIDE void dump_stops_list_wide(struct dump_stops *stops, const char *end)
{
    const char *p = stops->from, *const to = span_end(stops, end);
    uint64_t found[STRETCHES];
    uint16_t *list = stops->list;

    for (; p < to; p += STRETCH * STRETCHES) {
        uint64_t some = 0; /* a bit for each stretch that has stops */
        const size_t count = stretches_to(p, to);
        for (size_t i = 0; i < count; i++)
            found[i] = in_64(p + i * STRETCH);
        cut_off(found, p, to);
        for (size_t i = 0; i < STRETCHES; i += 8) {
            __m512i words = _mm512_loadu_si512(found + i);
            some |= (uint64_t)_mm512_test_epi64_mask(words, words) << i;
        }
        for (; some != 0; some &= some - 1) {
            size_t i = _tzcnt_u64(some);
            list = add_wide(list, found[i], (size_t)(p - stops->from) + i * STRETCH);
        }
    }
    done(stops, to, (size_t)(list - stops->list));
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

void dump_stops_list_avx2(struct dump_stops *stops, const char *end)
{
    dump_stops_list_portable(stops, end);
}

void dump_stops_list_wide(struct dump_stops *stops, const char *end)
{
    dump_stops_list_portable(stops, end);
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
