/* Where words may begin and end: by hand, and both ways against a loop over bytes. */
#include "text/wordmask.h"

#include <string.h>

#include "base/rng.h"
#include "tests/tap.h"

enum { LEN_MAX = 200, MASKS_MAX = LEN_MAX / WORDMASK_BLOCK + 1 };

typedef void finder(struct str text, bool code, struct wordmask *masks, char *lower);

static const struct {
    const char *name;
    const char *text;
    bool code;
    const char *starts, *stops, *unsure; /* x: the bit of that byte is set */
} rows[] = {
    {"plain", "Ab 1.", false, "xx x ", "  x x", "     "},
    {"plain: an underscore parts words", "a_b", false, "x x", " x ", "   "},
    {"plain: other characters", "a\xC3\xA9.", false, "xxx ", " xxx", " xx "},
    {"code: the dot of a sentence", "a. b", true, "x  x", " xx ", "    "},
    {"code: a dot within a name", "a.b", true, "xxx", " x ", " x "},
    {"code: a dot before an underscore", "a._", true, "xxx", " xx", " xx"},
    {"code: an underscore", "a_b", true, "xxx", " x ", " x "},
    {"code: signs", "c++ c#", true, "x   x ", " xxx x", " xx  x"},
    {"code: other characters", "a\xC3\xA9", true, "xxx", " xx", " xx"},
};

static bool is_set(const struct wordmask *masks, size_t at, const char *which)
{
    const struct wordmask *mask = masks + at / WORDMASK_BLOCK;
    uint64_t bits = strcmp(which, "starts") == 0  ? mask->starts
                    : strcmp(which, "stops") == 0 ? mask->stops
                                                  : mask->unsure;

    return (bits >> at % WORDMASK_BLOCK & 1) != 0;
}

static void check_rows(const char *way, finder *find)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct wordmask masks[MASKS_MAX];
        char lower[MASKS_MAX * WORDMASK_BLOCK];
        struct str text = {rows[i].text, strlen(rows[i].text)};
        tap_case("%s: %s", way, rows[i].name);
        find(text, rows[i].code, masks, lower);
        for (size_t at = 0; at < text.len; at++) {
            CHECK(is_set(masks, at, "starts") == (rows[i].starts[at] == 'x'));
            CHECK(is_set(masks, at, "stops") == (rows[i].stops[at] == 'x'));
            CHECK(is_set(masks, at, "unsure") == (rows[i].unsure[at] == 'x'));
        }
        CHECK(is_set(masks, text.len, "stops") && !is_set(masks, text.len, "starts"));
    }
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* What must hold of the byte at `at`, whichever way found it. */
static bool is_right(struct str text, bool code, const struct wordmask *masks, size_t at)
{
    char c = at < text.len ? text.ptr[at] : ' ';
    char next = at + 1 < text.len ? text.ptr[at + 1] : ' ';
    bool last = at % WORDMASK_BLOCK == WORDMASK_BLOCK - 1; /* what follows is not seen */
    bool wide = (signed char)c < 0;
    bool dot = c == '.' && (last || is_plain(next) || next == '_' || next < 0);
    bool looked_at = wide || (code && (dot || c == '_'));
    bool sign = code && (c == '#' || c == '+');

    return is_set(masks, at, "starts") == (is_plain(c) || looked_at) &&
           is_set(masks, at, "stops") == !is_plain(c) &&
           is_set(masks, at, "unsure") == (looked_at || sign);
}

static bool is_right_lower(char c, char lower)
{
    return lower == (c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c);
}

/* Every length up to three blocks, at odd addresses. */
static void check_random(const char *way, finder *find)
{
    static const char some[] = "azAZ09_.+# @[`{/:";
    struct rng rng = rng_seeded(5);
    char bytes[LEN_MAX + 8], lower[MASKS_MAX * WORDMASK_BLOCK];
    struct wordmask masks[MASKS_MAX];
    size_t wrong = 0;

    tap_case("%s: as a loop over bytes finds them", way);
    for (size_t len = 0; len < LEN_MAX; len++)
        for (size_t round = 0; round < 100; round++) {
            struct str text = {bytes + round % 8, len};
            for (size_t i = 0; i < len; i++)
                bytes[round % 8 + i] = round % 2 == 0
                                           ? (char)rng_below(&rng, 256)
                                           : some[rng_below(&rng, sizeof some - 1)];
            find(text, round % 4 < 2, masks, lower);
            for (size_t at = 0; at < wordmask_count(text) * WORDMASK_BLOCK; at++) {
                wrong += !is_right(text, round % 4 < 2, masks, at);
                wrong += !is_right_lower(at < len ? text.ptr[at] : ' ', lower[at]);
            }
        }
    CHECK(wrong == 0);
}

int main(void)
{
    check_rows("portable", wordmask_find_portable);
    check_random("portable", wordmask_find_portable);
    check_rows("dispatched", wordmask_find);
    check_random("dispatched", wordmask_find);
    if (wordmask_has_avx2()) {
        check_rows("avx2", wordmask_find_avx2);
        check_random("avx2", wordmask_find_avx2);
    } else {
        tap_case("avx2");
        tap_skip("this processor does not have it");
    }
    return tap_done();
}
