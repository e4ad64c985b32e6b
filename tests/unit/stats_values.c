/* Which values can be used; sorting, joining, summing. */
#include "stats/values.h"

#include <math.h>

#include "tests/tap.h"

static const struct {
    const char *name;
    double at[3];
    size_t count, at_least;
    const char *problem; /* NULL: none */
} usable[] = {
    {"three numbers", {1, -2, 3}, 3, 3, NULL},
    {"the largest allowed", {VALUES_MAX, -VALUES_MAX}, 2, 1, NULL},
    {"nothing asked of nothing", {0}, 0, 0, NULL},
    {"empty", {0}, 0, 1, "the group is empty"},
    {"too few", {1, 2}, 2, 3, "the group has too few values"},
    {"not a number", {1, NAN, 2}, 3, 1, "a value is not a number or too large"},
    {"infinite", {-INFINITY}, 1, 1, "a value is not a number or too large"},
    {"too large", {2e300}, 1, 1, "a value is not a number or too large"},
};

static const struct {
    const char *name;
    double at[4];
    size_t count;
    double sum;
} sums[] = {
    {"nothing", {0}, 0, 0},
    {"what a plain sum loses", {1, 1e100, 1, -1e100}, 4, 2},
    {"tenths", {0.1, 0.2, 0.3, 0.4}, 4, 1},
    {"small behind large", {1e16, 1, 1, 2}, 4, 1e16 + 4},
};

int main(void)
{
    struct arena arena = {0};
    const double first[] = {3, 1}, second[] = {2, -1, 2};
    const double in_order[] = {3, 1, 2, -1, 2}, ascending[] = {-1, 1, 2, 2, 3};
    struct values groups[] = {{first, 2}, {NULL, 0}, {second, 3}}, joined, sorted;

    for (size_t i = 0; i < ROWS(usable); i++) {
        const char *problem = values_problem(
            (struct values){usable[i].at, usable[i].count}, usable[i].at_least);
        tap_case("problem: %s", usable[i].name);
        CHECK((problem == NULL) == (usable[i].problem == NULL));
        if (problem != NULL && usable[i].problem != NULL)
            CHECK_TEXT(problem, usable[i].problem);
    }
    for (size_t i = 0; i < ROWS(sums); i++) {
        tap_case("sum: %s", sums[i].name);
        CHECK(values_sum((struct values){sums[i].at, sums[i].count}) == sums[i].sum);
    }
    tap_case("groups are joined in order, then sorted without touching them");
    joined = values_joined(groups, 3, &arena);
    sorted = values_sorted(joined, &arena);
    CHECK(joined.count == 5 && sorted.count == 5);
    for (size_t i = 0; i < 5; i++) {
        CHECK(joined.at[i] == in_order[i]);
        CHECK(sorted.at[i] == ascending[i]);
    }
    arena_free(&arena);
    return tap_done();
}
