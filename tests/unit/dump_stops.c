/* Every quote and '<' is found, by either way, wherever it stands. */
#include <string.h>

#include "base/rng.h"
#include "dump/internal.h"
#include "tests/tap.h"

enum { LEN = 1000 };

static size_t by_hand(const char *bytes, uint32_t from, uint32_t to, uint32_t *out)
{
    size_t count = 0;

    for (uint32_t i = from; i < to; i++)
        if (bytes[i] == '"' || bytes[i] == '<')
            out[count++] = i;
    return count;
}

static void check(const char *bytes, uint32_t from, uint32_t to)
{
    static uint32_t want[LEN + STOPS_ROOM], got[LEN + STOPS_ROOM];
    size_t count = by_hand(bytes, from, to, want);
    stops_find *const ways[] = {stops_find_portable, stops_best()};

    for (size_t w = 0; w < ROWS(ways); w++)
        CHECK(ways[w](bytes, from, to, got) == count &&
              memcmp(want, got, count * sizeof *want) == 0);
}

int main(void)
{
    static char bytes[LEN + 128];
    static const char letters[] = "\"<#=!;\xA2\xBC\x22\x3C\x23\x3D\x21\x3B";
    struct rng rng = rng_seeded(7);

    tap_case("stops: one in each place");
    for (size_t i = 0; i < 200; i++) {
        memset(bytes, 'x', sizeof bytes);
        bytes[i] = i % 2 ? '<' : '"';
        check(bytes, 0, 200);
        check(bytes, (uint32_t)(i / 2), (uint32_t)i); /* not at the end */
    }
    tap_case("stops: nothing but stops");
    memset(bytes, '"', sizeof bytes);
    for (uint32_t to = 0; to < 200; to++)
        check(bytes, 0, to);
    tap_case("stops: what stands behind the end is not found");
    memset(bytes, 'x', sizeof bytes);
    memset(bytes + 100, '<', sizeof bytes - 100);
    check(bytes, 0, 100);
    for (int density = 1; density < 60; density += 10) {
        tap_case("stops: random bytes, density %d", density);
        for (int round = 0; round < 50; round++) {
            for (size_t i = 0; i < sizeof bytes; i++)
                bytes[i] = rng_below(&rng, 60) < (uint64_t)density
                               ? letters[rng_below(&rng, sizeof letters - 1)]
                               : (char)rng_below(&rng, 256);
            uint32_t from = (uint32_t)rng_below(&rng, LEN);
            check(bytes, from, from + (uint32_t)rng_below(&rng, LEN - from));
        }
    }
    return tap_done();
}
