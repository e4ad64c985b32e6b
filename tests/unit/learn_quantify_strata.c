/* Which strata count by themselves, which are taken together, and what is not known. */
#include "learn/quantify_strata.h"

#include <string.h>

#include "tests/tap.h"

enum { STRATA = 4, ITEMS_MAX = 3000 };

static const struct {
    const char *name;
    size_t items[STRATA], drawn[STRATA];
    size_t count, joined, unknown;
    size_t of[STRATA]; /* 9: it has no item */
} rows[] = {
    {"one", {100}, {10}, 1, 0, 0, {0, 9, 9, 9}},
    {"one without labels", {100}, {0}, 1, 0, 0, {0, 9, 9, 9}},
    {"different rates", {100, 50}, {10, 10}, 2, 0, 0, {0, 1, 9, 9}},
    {"the same rate", {100, 50}, {10, 5}, 1, 0, 0, {0, 0, 9, 9}},
    {"two of three at the same rate",
     {100, 50, 200},
     {10, 10, 20},
     2,
     0,
     0,
     {0, 1, 0, 9}},
    {"a stratum of other sets", {100, 0, 50}, {10, 0, 10}, 2, 0, 0, {0, 9, 1, 9}},
    {"not sampled", {100, 50}, {10, 0}, 2, 0, 50, {0, 1, 9, 9}},
    {"a single label of many", {100, 50}, {10, 1}, 2, 0, 50, {0, 1, 9, 9}},
    {"small: with the largest", {140, 10, 50}, {10, 0, 10}, 2, 10, 0, {0, 0, 1, 9}},
    {"not small: more than 5%", {139, 10, 50}, {10, 0, 10}, 3, 0, 10, {0, 1, 2, 9}},
    {"small, and another is labelled throughout",
     {140, 10, 50},
     {10, 1, 50},
     2,
     10,
     0,
     {0, 0, 1, 9}},
    {"small each, but not together",
     {140, 8, 50, 8},
     {10, 0, 10, 1},
     3,
     0,
     16,
     {0, 2, 1, 2}},
    {"small ones that have two labels",
     {140, 10, 50, 10},
     {10, 1, 10, 1},
     3,
     20,
     0,
     {0, 2, 1, 2}},
    {"nothing is labelled", {100, 50}, {0, 0}, 1, 150, 0, {0, 0, 9, 9}},
    {"no items", {0}, {0}, 0, 0, 0, {9, 9, 9, 9}},
};

int main(void)
{
    static uint8_t role[ITEMS_MAX];
    static size_t stratum[ITEMS_MAX], at[ITEMS_MAX];
    struct arena arena = {0};

    for (size_t r = 0; r < ROWS(rows); r++) {
        struct quantify_items items = {
            .role = role, .stratum = stratum, .strata = STRATA};
        tap_case("%s", rows[r].name);
        for (size_t h = 0; h < STRATA; h++)
            for (size_t i = 0; i < rows[r].items[h]; i++) {
                at[items.count] = items.count;
                stratum[items.count] = h;
                role[items.count++] =
                    i < rows[r].drawn[h] ? QUANTIFY_DRAWN : QUANTIFY_UNLABELLED;
            }
        struct quantify_strata got =
            quantify_strata_find(&items, at, items.count, &arena);
        CHECK(got.count == rows[r].count);
        CHECK(got.joined == rows[r].joined && got.unknown == rows[r].unknown);
        size_t sums[STRATA] = {0};
        for (size_t h = 0; h < STRATA; h++) {
            CHECK(got.of[h] == (rows[r].of[h] == 9 ? SIZE_MAX : rows[r].of[h]));
            if (got.of[h] != SIZE_MAX)
                sums[got.of[h]] += rows[r].items[h];
        }
        for (size_t h = 0; h < got.count; h++)
            CHECK(got.items[h] == sums[h]);
    }
    tap_case("without strata all items are one");
    struct quantify_items plain = {.count = 3, .role = role};
    struct quantify_strata got = quantify_strata_find(&plain, at, 3, &arena);
    CHECK(got.count == 1 && got.items[0] == 3);
    arena_free(&arena);
    return tap_done();
}
