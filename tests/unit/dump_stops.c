/* Quotes and '<' are found, in every way, wherever they stand. */
#include <string.h>

#include "base/rng.h"
#include "dump/internal.h"
#include "tests/tap.h"

enum { LEN = 3 * DUMP_STOPS_SPAN };

typedef void list_stops(struct dump_stops *stops, const char *end);

static void check_way(list_stops *list, const char *from, const char *end)
{
    static struct dump_stops stops;
    size_t next = 0;
    bool same = true;

    memset(&stops, 0xFF, sizeof stops);
    stops.from = from;
    list(&stops, end);
    const char *to = end - from < DUMP_STOPS_SPAN ? end : from + DUMP_STOPS_SPAN;
    CHECK(stops.from == from && stops.to == to && stops.at == 0);
    for (const char *p = from; p < to; p++)
        if (*p == '"' || *p == '<')
            same &= next < stops.count && from + stops.list[next++] == p;
    CHECK(same && next == stops.count);
}

static void check(const char *from, const char *end)
{
    check_way(dump_stops_list_portable, from, end);
    if (dump_stops_have_avx2())
        check_way(dump_stops_list_avx2, from, end);
    if (dump_stops_have_wide())
        check_way(dump_stops_list_wide, from, end);
}

int main(void)
{
    static char bytes[LEN + DUMP_STOPS_ROOM];
    static const char letters[] = "\"<#=!;\xA2\xBC\x22\x3C\x23\x3D\x21\x3B";
    struct rng rng = rng_seeded(7);

    tap_case("stops: one in each place");
    for (size_t i = 1; i < 300; i++) {
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
    tap_case("stops: nothing else, in as many bytes as are searched at once, and others");
    memset(bytes, '"', sizeof bytes);
    for (size_t len = 1; len < 200; len++)
        check(bytes + 1, bytes + 1 + len);
    for (size_t len = 4096 - 65; len < 4096 + 65; len++)
        check(bytes, bytes + len);
    for (size_t len = DUMP_STOPS_SPAN - 65; len < DUMP_STOPS_SPAN + 65; len++)
        check(bytes, bytes + len);
    for (int density = 1; density < 60; density += 10) {
        tap_case("stops: random bytes, density %d", density);
        for (int round = 0; round < 50; round++) {
            for (size_t i = 0; i < sizeof bytes; i++)
                bytes[i] = rng_below(&rng, 60) < (uint64_t)density
                               ? letters[rng_below(&rng, sizeof letters - 1)]
                               : (char)rng_below(&rng, 256);
            const char *from = bytes + rng_below(&rng, LEN);
            size_t most = round % 2 ? 200 : (size_t)(bytes + LEN - from);
            if (most > (size_t)(bytes + LEN - from))
                most = (size_t)(bytes + LEN - from);
            check(from, from + 1 + rng_below(&rng, most));
        }
    }
    return tap_done();
}
