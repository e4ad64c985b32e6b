/* Samples shared out over strata: results worked out by hand. */
#include "sample/allocate.h"

#include "tests/tap.h"

enum { STRATA_MAX = 6 };

#define COUNT(n) \
    { \
        .kind = SIZE_BY_COUNT, .count = (n) \
    }
#define RULE_DOWN \
    { \
        .kind = SIZE_BY_RULE, .rule = { 0.95, 0.05, 0, 0, SIZE_DOWN } \
    }

static const struct {
    const char *name;
    struct allocate_rule rule;
    size_t strata;
    int64_t frames[STRATA_MAX], sizes[STRATA_MAX];
} rows[] = {
    {"proportional, exact",
     {ALLOCATE_PROPORTIONAL, COUNT(10), 0},
     3,
     {50, 30, 20},
     {5, 3, 2}},
    {"largest remainder goes up",
     {ALLOCATE_PROPORTIONAL, COUNT(10), 0},
     3,
     {47, 36, 17}, /* 4.7, 3.6, 1.7: both .7 */
     {5, 3, 2}},
    {"equal remainders: the earlier stratum",
     {ALLOCATE_PROPORTIONAL, COUNT(4), 0},
     3,
     {10, 10, 10},
     {2, 1, 1}},
    {"an empty stratum gives nothing",
     {ALLOCATE_PROPORTIONAL, COUNT(5), 2},
     3,
     {0, 10, 10},
     {0, 3, 2}},
    {"more than there is: all", {ALLOCATE_PROPORTIONAL, COUNT(99), 0}, 2, {7, 3}, {7, 3}},
    {"small stratum gets the minimum, the others share the rest",
     {ALLOCATE_PROPORTIONAL, COUNT(100), 10},
     3,
     {900, 90, 10},
     {80, 10, 10}},
    {"a minimum that brings another stratum below it",
     {ALLOCATE_PROPORTIONAL, COUNT(20), 5},
     3,
     {68, 26, 6}, /* 13.6, 5.2, 1.2; then 15 * 26/94 = 4.1 */
     {10, 5, 5}},
    {"the minimum of a stratum that has less is all it has",
     {ALLOCATE_PROPORTIONAL, COUNT(10), 4},
     2,
     {98, 2},
     {8, 2}},
    {"minimums beyond the total win",
     {ALLOCATE_PROPORTIONAL, COUNT(3), 2},
     3,
     {50, 30, 20},
     {2, 2, 2}},
    {"products beyond 64 bits",
     {ALLOCATE_PROPORTIONAL, COUNT(INT64_C(3000000000000)), 0},
     2,
     {INT64_C(4000000000000), INT64_C(2000000000000)},
     {INT64_C(2000000000000), INT64_C(1000000000000)}},
    {"no item anywhere", {ALLOCATE_PROPORTIONAL, COUNT(3), 2}, 2, {0, 0}, {0, 0}},
    {"by the rule for the whole frame",
     {ALLOCATE_PROPORTIONAL, RULE_DOWN, 0},
     2,
     {1325, 1533}, /* 338 of 2,858 */
     {157, 181}},
    {"equal", {ALLOCATE_EQUAL, COUNT(9), 0}, 3, {50, 30, 20}, {3, 3, 3}},
    {"equal: what is left goes to the first",
     {ALLOCATE_EQUAL, COUNT(11), 0},
     3,
     {50, 30, 20},
     {4, 4, 3}},
    {"equal: others give what a small one cannot",
     {ALLOCATE_EQUAL, COUNT(11), 0},
     4,
     {1, 30, 0, 20},
     {1, 5, 0, 5}},
    {"equal: what is left passes by a full stratum",
     {ALLOCATE_EQUAL, COUNT(10), 0},
     3,
     {3, 30, 20},
     {3, 4, 3}},
    {"equal: minimum above the level",
     {ALLOCATE_EQUAL, COUNT(4), 5},
     3,
     {50, 3, 20},
     {5, 3, 5}},
    {"equal: more than there is", {ALLOCATE_EQUAL, COUNT(99), 0}, 2, {7, 3}, {7, 3}},
    {"own rule for each stratum, as published",
     {ALLOCATE_OWN, RULE_DOWN, 0},
     4,
     {39628, 1325, 1533, 0},
     {380, 297, 307, 0}},
    {"own count, with a minimum",
     {ALLOCATE_OWN, {.kind = SIZE_BY_SHARE, .share = 0.1}, 4},
     3,
     {100, 20, 3},
     {10, 4, 3}},
};

int main(void)
{
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        int64_t sizes[STRATA_MAX];
        tap_case("%s", rows[i].name);
        allocate(&rows[i].rule, rows[i].frames, rows[i].strata, &arena, sizes);
        for (size_t s = 0; s < rows[i].strata; s++)
            CHECK(sizes[s] == rows[i].sizes[s]);
    }
    arena_free(&arena);
    return tap_done();
}
