/* Runs of numbers, and what is said of them, against R and NumPy. */
#include "stats/values.h"

#include <math.h>

#include "tests/tap.h"
#include "tests/vectors/read.h"

/* Which values can be used; sorting, joining, summing. */

static const struct {
    const char *name;
    double at[3];
    size_t count, at_least;
    const char *problem; /* NULL: none */
} usable[] = {
    {"three numbers", {1, -2, 3}, 3, 3, NULL},
    {"the largest allowed", {STATS_VALUES_MAX, -STATS_VALUES_MAX}, 2, 1, NULL},
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

static void test_values(void)
{
    struct arena arena = {0};
    const double first[] = {3, 1}, second[] = {2, -1, 2};
    const double in_order[] = {3, 1, 2, -1, 2}, ascending[] = {-1, 1, 2, 2, 3};
    struct stats_values groups[] = {{first, 2}, {NULL, 0}, {second, 3}}, joined, sorted;

    for (size_t i = 0; i < ROWS(usable); i++) {
        const char *problem = stats_values_problem(
            (struct stats_values){usable[i].at, usable[i].count}, usable[i].at_least);
        tap_case("problem: %s", usable[i].name);
        CHECK((problem == NULL) == (usable[i].problem == NULL));
        if (problem != NULL && usable[i].problem != NULL)
            CHECK_TEXT(problem, usable[i].problem);
    }
    for (size_t i = 0; i < ROWS(sums); i++) {
        tap_case("sum: %s", sums[i].name);
        CHECK(stats_values_sum((struct stats_values){sums[i].at, sums[i].count}) ==
              sums[i].sum);
    }
    tap_case("groups are joined in order, then sorted without touching them");
    joined = stats_values_joined(groups, 3, &arena);
    sorted = stats_values_sorted(joined, &arena);
    CHECK(joined.count == 5 && sorted.count == 5);
    for (size_t i = 0; i < 5; i++) {
        CHECK(joined.at[i] == in_order[i]);
        CHECK(sorted.at[i] == ascending[i]);
    }
    arena_free(&arena);
}

/* Descriptions against R, and where they are undefined. */

static void check_against_r(void)
{
    struct vectors_file vectors = vectors_open("describe");

    while (vectors_next(&vectors, "describe")) {
        struct stats_values x = vectors_values(&vectors, "x");
        struct stats_describe got = stats_describe(x, &vectors.arena);
        CHECK(got.undefined == NULL && got.sd_undefined == NULL);
        CHECK(got.count == (int64_t)x.count);
        CHECK_CLOSE(got.sum, vectors_number(&vectors, "sum"), 1e-13);
        CHECK_CLOSE(got.mean, vectors_number(&vectors, "mean"), 1e-13);
        CHECK_CLOSE(got.sd, vectors_number(&vectors, "sd"), 1e-13);
        CHECK(got.min == vectors_number(&vectors, "min"));
        CHECK_CLOSE(got.q1, vectors_number(&vectors, "q1"), 1e-15);
        CHECK_CLOSE(got.median, vectors_number(&vectors, "median"), 1e-15);
        CHECK_CLOSE(got.q3, vectors_number(&vectors, "q3"), 1e-15);
        CHECK(got.max == vectors_number(&vectors, "max"));
        CHECK_CLOSE(stats_quantile(x, 0.1, &vectors.arena),
                    vectors_number(&vectors, "p10"), 1e-15);
        CHECK_CLOSE(stats_quantile(x, 0.99, &vectors.arena),
                    vectors_number(&vectors, "p99"), 1e-15);
    }
    vectors_close(&vectors);
}

static const struct {
    const char *name;
    double at[4];
    size_t count;
    double mean, sd, median;
} rows[] = {
    {"one value has no spread", {7}, 1, 7, NAN, 7},
    {"a constant that has no exact third", {0.1, 0.1, 0.1}, 3, 0.1, 0, 0.1},
    {"the middle two", {1.17, 1.18, 0, 9}, 4, 2.8375, 4.1455066035407544, 1.175},
    {"as large as allowed",
     {1e300, -1e300, 1e300, -1e300},
     4,
     0,
     1.1547005383792516e300,
     0},
    {"as small as can be", {0, 5e-324}, 2, 0, 5e-324, 0},
};

static void test_describe(void)
{
    struct arena arena = {0};
    struct stats_describe got;

    check_against_r();
    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("%s", rows[i].name);
        got = stats_describe((struct stats_values){rows[i].at, rows[i].count}, &arena);
        CHECK(got.undefined == NULL);
        CHECK((got.sd_undefined != NULL) == isnan(rows[i].sd));
        CHECK_CLOSE(got.mean, rows[i].mean, 1e-15);
        CHECK_CLOSE(got.sd, rows[i].sd, 1e-15);
        CHECK_CLOSE(got.median, rows[i].median, 1e-15);
    }
    tap_case("nothing: undefined but for its count and sum");
    got = stats_describe((struct stats_values){0}, &arena);
    CHECK_TEXT(got.undefined, "the group is empty");
    CHECK(got.count == 0 && got.sum == 0 && isnan(got.mean) && isnan(got.sd));
    CHECK(isnan(got.min) && isnan(got.q1) && isnan(got.median) && isnan(got.max));
    tap_case("not a number: undefined");
    got = stats_describe((struct stats_values){(const double[]){1, NAN}, 2}, &arena);
    CHECK(got.undefined != NULL && isnan(got.mean) && isnan(got.sum));
    tap_case("pooled deviation: by degrees of freedom, and without overflow");
    CHECK_NEAR(stats_pooled_sd(3, 2, 2, 4), sqrt((2 * 4 + 16) / 3.0), 1e-15);
    CHECK_CLOSE(stats_pooled_sd(3, 1e200, 3, 1e200), 1e200, 1e-15);
    tap_case("what rounding can do to values of a size is no spread");
    CHECK(stats_hardly_varies(1e-16, -1) && stats_hardly_varies(0, 0));
    CHECK(!stats_hardly_varies(1e-14, 1) && !stats_hardly_varies(1e-300, 0));
    arena_free(&arena);
}

int main(void)
{
    test_values();
    test_describe();
    return tap_done();
}
