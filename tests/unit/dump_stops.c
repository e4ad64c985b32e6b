/* The first quote or '<' is found, in every way, wherever it stands. */
#include <string.h>

#include "base/rng.h"
#include "dump/internal.h"
#include "tests/tap.h"

enum { LEN = 1000 };

static const char *by_hand(const char *p, const char *end)
{
    while (p < end && *p != '"' && *p != '<')
        p++;
    return p;
}

/* Without a stop, any place from the end on will do. */
static bool same(const char *got, const char *want, const char *end)
{
    return want < end ? got == want : got >= end;
}

static void check(const char *p, const char *end)
{
    const char *want = by_hand(p, end);

    CHECK(same(dump_stops_find_portable(p, end), want, end));
    if (!dump_stops_have_avx2())
        return;
    CHECK(same(dump_stops_find_avx2(p, end), want, end));
#ifdef DUMP_STOPS_AVX2
    for (unsigned usual = 0; usual < 31; usual++)
        CHECK(same(stops_next_avx2(p, end, usual), want, end));
#endif
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
    tap_case("stops: the first of two");
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
    return tap_done();
}
