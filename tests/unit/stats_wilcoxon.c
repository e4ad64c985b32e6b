/* Mann-Whitney and signed ranks against R, and where they are undefined. */
#include "stats/ranktest.h"

#include "tests/vectors/read.h"

static void check_against_r(void)
{
    struct vectors vectors = vectors_open("ranktest");

    while (vectors_next(&vectors, "mann_whitney signed")) {
        struct values x = vectors_values(&vectors, "x"),
                      y = vectors_values(&vectors, "y");
        struct ranktest got = vectors_is(&vectors, "signed")
                                  ? ranktest_signed(x, y, &vectors.arena)
                                  : ranktest_mann_whitney(x, y, &vectors.arena);
        CHECK(got.undefined == NULL);
        CHECK(got.statistic == vectors_number(&vectors, "statistic"));
        CHECK(got.exact == (vectors_number(&vectors, "exact") != 0));
        CHECK(got.exact == isnan(got.z));
        CHECK_CLOSE(got.p, vectors_number(&vectors, "p"), 1e-10);
    }
    vectors_close(&vectors);
}

static const struct {
    const char *name;
    double a[3], b[3];
    size_t a_count, b_count;
    const char *why;
} groups[] = {
    {"first is empty", {0}, {1, 2}, 0, 2, "the group is empty"},
    {"second is empty", {1}, {0}, 1, 0, "the group is empty"},
    {"all are equal", {2, 2}, {2, 2, 2}, 2, 3, "all values are equal"},
    {"infinite", {2, INFINITY}, {2}, 2, 1, "a value is not a number or too large"},
};

int main(void)
{
    struct arena arena = {0};
    const double equal[] = {1, 2, 3};
    struct ranktest got;

    check_against_r();
    for (size_t i = 0; i < ROWS(groups); i++) {
        tap_case("undefined: %s", groups[i].name);
        got = ranktest_mann_whitney((struct values){groups[i].a, groups[i].a_count},
                                    (struct values){groups[i].b, groups[i].b_count},
                                    &arena);
        CHECK_TEXT(got.undefined, groups[i].why);
        CHECK(isnan(got.p) && isnan(got.statistic));
    }
    tap_case("undefined: no pair differs");
    got = ranktest_signed((struct values){equal, 3}, (struct values){equal, 3}, &arena);
    CHECK_TEXT(got.undefined, "all pairs are equal");
    CHECK(isnan(got.p));
    tap_case("undefined: no pair");
    got = ranktest_signed((struct values){0}, (struct values){0}, &arena);
    CHECK_TEXT(got.undefined, "the group is empty");
    arena_free(&arena);
    return tap_done();
}
