/* Distances by hand, and which name is meant. */
#include "base/near.h"

#include <string.h>

#include "base/rng.h"
#include "tests/tap.h"

static const struct {
    const char *a, *b;
    size_t distance;
} distances[] = {
    {"", "", 0},
    {"", "abc", 3},
    {"abc", "abc", 0},
    {"abc", "ABC", 0}, /* case does not count */
    {"abc", "abd", 1},
    {"abc", "ab", 1},
    {"abc", "xabc", 1},
    {"ab", "ba", 1}, /* a swap is one step */
    {"abcd", "badc", 2},
    {"ca", "abc", 3}, /* optimal string alignment, not Damerau's 2 */
    {"kitten", "sitting", 3},
    {"saturday", "sunday", 3},
    {"sampel-size", "sample-size", 1},
    {"--sede", "--seed", 1},
    {"abc", "xyz", 3},
};

static const struct {
    const char *name, *found; /* NULL: none is near enough */
} finds[] = {
    {"synth", "synth"},
    {"snyth", "synth"},
    {"sinth", "synth"},
    {"SYNTH", "synth"},
    {"synht", "synth"},
    {"hlep", "help"},
    {"hlp", "help"},
    {"helpp", "help"},
    {"complete", "completion"},
    {"competion", "completion"},
    {"demon", "demo"},
    {"memo", "demo"},
    {"dem", "demo"},
    {"cat", NULL},
    {"helium", NULL},
    {"do", NULL},
    {"d", NULL},
    {"", NULL},
    {"something-else-entirely", NULL},
};

static const struct str names[] = {
    {"demo", 4}, {"synth", 5}, {"help", 4}, {"completion", 10}};

static void check_finds(void)
{
    for (size_t i = 0; i < ROWS(finds); i++) {
        size_t found = near_find(str_from(finds[i].name), names, ROWS(names));
        tap_case("find '%s'", finds[i].name);
        if (finds[i].found == NULL)
            CHECK(found == ROWS(names));
        else if (CHECK(found < ROWS(names)))
            CHECK_TEXT(names[found].ptr, finds[i].found);
    }
    tap_case("no candidates");
    CHECK(near_find(STR("help"), NULL, 0) == 0);
    tap_case("the nearest wins, and of equals the first");
    struct str near[] = {STR("abcxyz"), STR("abcdxf"), STR("abxdef"), STR("abcdeg")};
    CHECK(near_find(STR("abcdef"), near, ROWS(near)) == 1);
    CHECK(near_find(STR("abcdeg"), near, ROWS(near)) == 3);
}

static void check_limits(void)
{
    char letters[300];

    memset(letters, 'a', sizeof letters);
    struct str longest = {letters, 64}, longer = {letters, 65}, huge = {letters, 300};
    tap_case("64 bytes are compared");
    CHECK(near_distance(longest, longest) == 0);
    CHECK(near_distance(longest, (struct str){letters, 0}) == 64);
    tap_case("65 bytes are not");
    CHECK(near_distance(longer, longest) > 64 && near_distance(longest, longer) > 64);
    tap_case("a name that is not compared is never meant");
    CHECK(near_find(huge, &longest, 1) == 1 && near_find(longest, &huge, 1) == 1);
    CHECK(near_find(huge, &huge, 1) == 1);
}

/* What holds for every distance of this kind. */
static void check_properties(void)
{
    struct rng rng = rng_seeded(11);
    bool symmetric = true, bounded = true, zero = true;

    for (int turn = 0; turn < 20000; turn++) {
        char a[8], b[8];
        struct str x = {a, (size_t)rng_below(&rng, 9)};
        struct str y = {b, (size_t)rng_below(&rng, 9)};
        for (size_t i = 0; i < 8; i++) {
            a[i] = (char)('a' + rng_below(&rng, 3));
            b[i] = (char)('a' + rng_below(&rng, 3));
        }
        size_t distance = near_distance(x, y);
        size_t longer = x.len > y.len ? x.len : y.len;
        symmetric = symmetric && distance == near_distance(y, x);
        bounded = bounded && distance <= longer &&
                  distance >= longer - (x.len < y.len ? x.len : y.len);
        zero = zero && (distance == 0) == str_eq(x, y);
    }
    tap_case("distance: the same both ways");
    CHECK(symmetric);
    tap_case("distance: between the difference of lengths and the longer length");
    CHECK(bounded);
    tap_case("distance: 0 for equal names alone");
    CHECK(zero);
}

int main(void)
{
    for (size_t i = 0; i < ROWS(distances); i++) {
        struct str a = str_from(distances[i].a), b = str_from(distances[i].b);
        tap_case("distance from '%s' to '%s'", distances[i].a, distances[i].b);
        CHECK(near_distance(a, b) == distances[i].distance);
    }
    check_finds();
    check_limits();
    check_properties();
    return tap_done();
}
