/* t tests against R, published values, and where they are undefined. */
#include "stats/ttest.h"

#include "tests/vectors/read.h"

static void check_against_r(void)
{
    struct vectors_file vectors = vectors_open("ttest");

    while (vectors_next(&vectors, "student welch paired")) {
        struct stats_values x = vectors_values(&vectors, "x"),
                            y = vectors_values(&vectors, "y");
        double level = vectors_number(&vectors, "level");
        struct stats_ttest got = vectors_is(&vectors, "student")
                                     ? stats_ttest_student(x, y, level)
                                 : vectors_is(&vectors, "welch")
                                     ? stats_ttest_welch(x, y, level)
                                     : stats_ttest_paired(x, y, level, &vectors.arena);
        CHECK(got.undefined == NULL);
        CHECK_CLOSE(got.t, vectors_number(&vectors, "t"), 1e-10);
        CHECK_CLOSE(got.df, vectors_number(&vectors, "df"), 1e-10);
        CHECK_CLOSE(got.p, vectors_number(&vectors, "p"), 1e-10);
        CHECK_CLOSE(got.low, vectors_number(&vectors, "low"), 1e-10);
        CHECK_CLOSE(got.high, vectors_number(&vectors, "high"), 1e-10);
        CHECK_CLOSE(got.low + (got.high - got.low) / 2, got.difference, 1e-9);
    }
    vectors_close(&vectors);
}

static const struct {
    const char *name;
    double a[3], b[3];
    size_t a_count, b_count;
    const char *student, *welch; /* why undefined */
} rows[] = {
    {"empty", {0}, {1, 2}, 0, 2, "the group is empty", "the group is empty"},
    {"one and one",
     {1},
     {2},
     1,
     1,
     "the groups have too few values",
     "the group has too few values"},
    {"constant",
     {0.1, 0.1, 0.1},
     {0.1, 0.1, 0.1},
     3,
     3,
     "the values hardly vary",
     "the values hardly vary"},
    {"two constants",
     {1, 1},
     {2, 2},
     2,
     2,
     "the values hardly vary",
     "the values hardly vary"},
    {"spread of rounding",
     {1, 1 + 2.3e-16, 1},
     {1, 1, 1},
     3,
     3,
     "the values hardly vary",
     "the values hardly vary"},
    {"not a number",
     {1, NAN},
     {1, 2},
     2,
     2,
     "a value is not a number or too large",
     "a value is not a number or too large"},
};

/* Percentages of five libraries on Stack Overflow and on GitHub, and the p of Islam et
 * al., "A comprehensive study on deep learning bug characteristics", ESEC/FSE 2019,
 * table 2. */
static const struct {
    const char *name;
    double overflow[5], hub[5], p;
} published[] = {
    {"API", {6, 11, 11, 7, 16}, {0, 57, 72, 3, 2}, 0.3207},
    {"logic of others", {11, 13, 8, 25, 12}, {0, 2, 0, 6, 7}, 0.0109},
    {"control and sequence", {6, 2, 4, 4, 8}, {12, 0, 0, 3, 9}, 1},
    {"data (printed 0.3901; the columns give this)",
     {9, 24, 30, 35, 36},
     {49, 8, 0, 17, 15},
     0.3806},
};

int main(void)
{
    const double up[] = {1, 2, 3}, shifted[] = {2, 3, 4};
    struct arena arena = {0};
    struct stats_ttest got;

    check_against_r();
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct stats_values a = {rows[i].a, rows[i].a_count},
                            b = {rows[i].b, rows[i].b_count};
        tap_case("undefined: %s", rows[i].name);
        got = stats_ttest_student(a, b, 0.95);
        CHECK(isnan(got.t) && isnan(got.p) && isnan(got.low));
        CHECK_TEXT(got.undefined, rows[i].student);
        CHECK_TEXT(stats_ttest_welch(a, b, 0.95).undefined, rows[i].welch);
    }
    for (size_t i = 0; i < ROWS(published); i++) {
        tap_case("published: %s", published[i].name);
        got = stats_ttest_student((struct stats_values){published[i].overflow, 5},
                                  (struct stats_values){published[i].hub, 5}, 0.95);
        CHECK_NEAR(got.p, published[i].p, 0.00005);
    }
    tap_case("undefined: pairs that differ by a constant");
    got = stats_ttest_paired((struct stats_values){up, 3},
                             (struct stats_values){shifted, 3}, 0.95, &arena);
    CHECK_TEXT(got.undefined, "the values hardly vary");
    tap_case("a group of one has no spread of its own, but Student can do without");
    got = stats_ttest_student((struct stats_values){up, 3},
                              (struct stats_values){shifted, 1}, 0.95);
    CHECK(got.undefined == NULL && got.df == 2 && got.t == 0 && got.p == 1);
    arena_free(&arena);
    return tap_done();
}
