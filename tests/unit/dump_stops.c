/* Quotes and '<' are found, in every way, wherever they stand. */
#include <string.h>

#include "base/rng.h"
#include "dump/internal.h"
#include "tests/tap.h"

enum { LEN = 1000 };

static struct dump_stops_seen by_hand(const char *from, const char *end)
{
    struct dump_stops_seen seen = {from, 0};

    for (int i = 0; i < DUMP_STOPS_SEEN && from + i < end; i++)
        seen.stops |= (uint64_t)(from[i] == '"' || from[i] == '<') << i;
    return seen;
}

static bool same(struct dump_stops_seen a, struct dump_stops_seen b)
{
    return a.from == b.from && a.stops == b.stops;
}

/* Where no stop is before the end it does not matter where that was found out. */
typedef struct dump_stops_seen far_search(const char *from, const char *end,
                                          const char *ahead);

static void check_far(far_search *far, const char *from, const char *end)
{
    struct dump_stops_seen want = by_hand(from, end), got = far(from, end, from);

    while (want.stops == 0 && want.from < end)
        want = by_hand(want.from + DUMP_STOPS_SEEN, end);
    CHECK(want.stops == 0 ? got.stops == 0 : same(got, want));
}

static void check(const char *from, const char *end)
{
    CHECK(same(dump_stops_see_portable(from, end), by_hand(from, end)));
    check_far(dump_stops_far_portable, from, end);
#ifdef DUMP_STOPS_AVX2
    if (dump_stops_have_avx2()) {
        CHECK(same(dump_stops_see_avx2(from, end), by_hand(from, end)));
        check_far(dump_stops_far_avx2, from, end);
    }
    if (dump_stops_have_wide()) {
        CHECK(same(dump_stops_see_wide(from, end), by_hand(from, end)));
        check_far(dump_stops_far_wide, from, end);
    }
#endif
}

static void check_since(void)
{
    static const char bytes[2 * DUMP_STOPS_SEEN];
    const struct dump_stops_seen all = {bytes, UINT64_MAX};

    tap_case("stops: those from a place on");
    for (int skip = 0; skip < 2 * DUMP_STOPS_SEEN; skip++) {
        struct dump_stops_seen since = dump_stops_since(all, bytes + skip);
        CHECK(since.from == bytes);
        for (int i = 0; i < DUMP_STOPS_SEEN; i++)
            CHECK((since.stops >> i & 1) == (i >= skip));
    }
}

int main(void)
{
    static char bytes[LEN + DUMP_STOPS_ROOM];
    static const char letters[] = "\"<#=!;\xA2\xBC\x22\x3C\x23\x3D\x21\x3B";
    struct rng rng = rng_seeded(7);

    tap_case("stops: one in each place");
    for (size_t i = 0; i < 300; i++) {
        memset(bytes, 'x', sizeof bytes);
        bytes[i] = i % 2 ? '<' : '"';
        check(bytes, bytes + 300);
        check(bytes + i / 2, bytes + 300);
        check(bytes + i / 2, bytes + i); /* not before the end */
    }
    tap_case("stops: two");
    for (size_t i = 0; i < 200; i++) {
        memset(bytes, 'x', sizeof bytes);
        bytes[i] = '<';
        bytes[i + 1 + i % 40] = '"';
        check(bytes, bytes + 300);
    }
    tap_case("stops: the end is at once");
    check(bytes, bytes);
    for (int density = 1; density < 60; density += 10) {
        tap_case("stops: random bytes, density %d", density);
        for (int round = 0; round < 50; round++) {
            for (size_t i = 0; i < sizeof bytes; i++)
                bytes[i] = rng_below(&rng, 60) < (uint64_t)density
                               ? letters[rng_below(&rng, sizeof letters - 1)]
                               : (char)rng_below(&rng, 256);
            const char *from = bytes + rng_below(&rng, LEN);
            check(from, from + rng_below(&rng, (uint64_t)(bytes + LEN - from)));
        }
    }
    check_since();
    return tap_done();
}
