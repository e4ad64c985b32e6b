/* The places of marked bytes: by hand, and both ways against a plain loop. */
#include "text/mark.h"

#include <string.h>

#include "base/rng.h"
#include "tests/tap.h"

static const struct {
    const char *name;
    struct str text;
    bool plain;
    size_t count;
    size_t places[8]; /* the end, twice, not among them */
} rows[] = {
    {"nothing", {"", 0}, true, 0, {0}},
    {"one of each", {"a&b<c\"d", 7}, true, 3, {1, 3, 5}},
    {"the other quote is not marked", {"'", 1}, true, 0, {0}},
    {"all marked", {"&<\"&<\"", 6}, true, 6, {0, 1, 2, 3, 4, 5}},
    {"NUL is not plain", {"a\0b", 3}, false, 0, {0}},
    {"high byte is not plain", {"\xC3\xA9&", 3}, false, 1, {2}},
    {"controls are plain", {"\x01\x7F", 2}, true, 0, {0}},
    {"last byte of a block, first of the next",
     {"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde&<", 65},
     true,
     2,
     {63, 64}},
};

typedef bool finder(struct str text, char third, struct buf *places);

static size_t at(const struct buf *places, size_t i)
{
    size_t place;

    memcpy(&place, places->ptr + i * sizeof place, sizeof place);
    return place;
}

static void check_rows(const char *way, finder *find)
{
    struct buf places = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("%s: %s", way, rows[i].name);
        CHECK(find(rows[i].text, '"', &places) == rows[i].plain);
        if (!CHECK(places.len == (rows[i].count + 2) * sizeof(size_t)))
            continue;
        for (size_t p = 0; p < rows[i].count; p++)
            CHECK(at(&places, p) == rows[i].places[p]);
        CHECK(at(&places, rows[i].count) == rows[i].text.len);
        CHECK(at(&places, rows[i].count + 1) == rows[i].text.len);
    }
    buf_free(&places);
}

/* Random bytes, of every length up to three blocks and at every offset to them. */
static void check_random(const char *way, finder *find)
{
    static const char some[] = "&<\"'>ax ;#\n";
    struct rng rng = rng_seeded(7);
    struct buf places = {0};
    char bytes[300];
    size_t wrong = 0;

    tap_case("%s: as a plain loop finds them", way);
    for (size_t len = 0; len < 200; len++) {
        for (size_t offset = 0; offset < 70; offset++) {
            size_t count = 0;
            bool plain = true;
            char third = some[rng_below(&rng, 8)];
            bool wild = rng_below(&rng, 2) == 0;
            for (size_t i = 0; i < len; i++) {
                char c = wild ? (char)rng_below(&rng, 256)
                              : some[rng_below(&rng, sizeof some - 1)];
                bytes[offset + i] = c;
                plain &= (signed char)c > 0;
            }
            wrong += find((struct str){bytes + offset, len}, third, &places) != plain;
            for (size_t i = 0; i < len; i++) {
                char c = bytes[offset + i];
                if (c == '&' || c == '<' || c == third)
                    wrong += at(&places, count++) != i;
            }
            wrong += places.len != (count + 2) * sizeof(size_t);
            wrong += at(&places, count) != len || at(&places, count + 1) != len;
        }
    }
    CHECK(wrong == 0);
    buf_free(&places);
}

int main(void)
{
    check_rows("portable", mark_find_portable);
    check_random("portable", mark_find_portable);
    check_rows("dispatched", mark_find);
    check_random("dispatched", mark_find);
    if (mark_has_avx2()) {
        check_rows("avx2", mark_find_avx2);
        check_random("avx2", mark_find_avx2);
    } else {
        tap_case("avx2");
        tap_skip("this processor does not have it");
    }
    return tap_done();
}
