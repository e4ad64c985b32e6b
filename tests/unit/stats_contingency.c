/* Tests on tables of counts, against R. */
#include "stats/contingency.h"

#include "base/rng.h"
#include "tests/vectors/read.h"

/* Chi-square of tables and of two shares against R. */

static void check_table(struct vectors_file *vectors)
{
    struct stats_contingency table = {vectors_ints(vectors, "cells"),
                                      (size_t)vectors_number(vectors, "rows"),
                                      (size_t)vectors_number(vectors, "columns")};
    struct stats_contingency_chi_square got =
        stats_contingency_chi_square(table, false, &vectors->arena);

    CHECK(got.undefined == NULL);
    CHECK_NEAR(got.chi_square, vectors_number(vectors, "chi"), 1e-12 * got.chi_square);
    CHECK(got.df == vectors_number(vectors, "df"));
    CHECK_CLOSE(got.p, vectors_number(vectors, "p"), 1e-10);
    CHECK_CLOSE(got.expected_min, vectors_number(vectors, "expected"), 1e-14);
    CHECK(got.rough == (vectors_number(vectors, "expected") < 5));
    got = stats_contingency_chi_square(table, true, &vectors->arena);
    CHECK_NEAR(got.chi_square, vectors_number(vectors, "yates_chi"),
               1e-12 * got.chi_square);
    CHECK_CLOSE(got.p, vectors_number(vectors, "yates_p"), 1e-10);
}

static void check_two_shares(struct vectors_file *vectors)
{
    struct stats_contingency_shares got = stats_contingency_two_shares(
        vectors_ints(vectors, "x"), vectors_ints(vectors, "n"),
        vectors_number(vectors, "yates") != 0, 0.95);

    CHECK(got.undefined == NULL && got.test.undefined == NULL);
    CHECK_NEAR(got.test.chi_square, vectors_number(vectors, "chi"),
               1e-12 * got.test.chi_square);
    CHECK_CLOSE(got.test.p, vectors_number(vectors, "p"), 1e-10);
    CHECK_CLOSE(got.low, vectors_number(vectors, "low"), 1e-12);
    CHECK_CLOSE(got.high, vectors_number(vectors, "high"), 1e-12);
    CHECK_CLOSE(got.difference, got.first - got.second, 1e-15);
}

static const struct {
    const char *name;
    int64_t cells[4];
    size_t rows, columns;
    const char *why;
} undefined[] = {
    {"nothing counted", {0}, 2, 2, "the table is empty"},
    {"an empty row", {1, 2, 0, 0}, 2, 2, "a row is empty"},
    {"an empty column", {0, 2, 0, 3}, 2, 2, "a column is empty"},
    {"one row", {1, 2, 3, 4}, 1, 4, "there is only one group or one outcome"},
    {"one column", {1, 2, 3, 4}, 4, 1, "there is only one group or one outcome"},
};

static void test_contingency(void)
{
    struct vectors_file vectors = vectors_open("contingency");
    struct stats_contingency_shares shares;

    while (vectors_next(&vectors, "table two_shares")) {
        if (vectors_is(&vectors, "table"))
            check_table(&vectors);
        else
            check_two_shares(&vectors);
    }
    tap_case("published: Chen et al., ESEC/FSE 2020, section 5: 78.153");
    shares = stats_contingency_two_shares((const int64_t[]){2137, 42449},
                                          (const int64_t[]){3023, 67655}, true, 0.95);
    CHECK_NEAR(shares.test.chi_square, 78.153, 0.0005);
    CHECK(shares.test.p < 2.2e-16 && shares.test.p > 0);
    for (size_t i = 0; i < ROWS(undefined); i++) {
        struct stats_contingency table = {undefined[i].cells, undefined[i].rows,
                                          undefined[i].columns};
        struct stats_contingency_chi_square got =
            stats_contingency_chi_square(table, false, &vectors.arena);
        tap_case("undefined: %s", undefined[i].name);
        CHECK_TEXT(got.undefined, undefined[i].why);
        CHECK(isnan(got.chi_square) && isnan(got.p) && isnan(got.df));
    }
    tap_case("shares without a group are undefined");
    shares = stats_contingency_two_shares((const int64_t[]){0, 3},
                                          (const int64_t[]){0, 5}, true, 0.95);
    CHECK_TEXT(shares.undefined, "the group is empty");
    CHECK(isnan(shares.difference) && isnan(shares.low));
    tap_case("nobody in either group has it: shares are defined, their test is not");
    shares = stats_contingency_two_shares((const int64_t[]){0, 0},
                                          (const int64_t[]){4, 5}, true, 0.95);
    CHECK(shares.undefined == NULL && shares.difference == 0);
    CHECK_TEXT(shares.test.undefined, "a column is empty");
    vectors_close(&vectors);
}

/* Groups that share items. */

static void check_overlapping(const char *name, struct stats_contingency_overlap groups,
                              const int64_t x[2], const int64_t n[2])
{
    struct stats_contingency_shares shares =
        stats_contingency_two_shares(x, n, false, 0.95);
    struct stats_contingency_chi_square got = stats_contingency_overlapping(&groups);

    tap_case("overlapping groups: %s", name);
    CHECK(got.undefined == NULL);
    CHECK_CLOSE(got.chi_square, shares.test.chi_square, 1e-10);
    CHECK_CLOSE(got.p, shares.test.p, 1e-10);
}

/* Where nothing changed, of 1,000 pairs of groups about 50 are called different: each of
 * 200 items, 120 in both, of which a fifth is drawn anew. */
static void check_size_of_overlapping(void)
{
    enum { DRAWS = 4000, N = 200, BOTH = 120 };
    struct rng rng = rng_seeded(11);
    int called = 0;

    for (int d = 0; d < DRAWS; d++) {
        struct stats_contingency_overlap groups = {.n = {N, N}, .both = BOTH};
        for (int i = 0; i < 2 * N - BOTH; i++) {
            bool first = rng_unit(&rng) < 0.3,
                 second = rng_unit(&rng) < 0.8 ? first : rng_unit(&rng) < 0.3;
            bool in[] = {i < N, i < BOTH || i >= N};
            groups.x[0] += in[0] && first;
            groups.x[1] += in[1] && second;
            groups.shared[0] += i < BOTH && first;
            groups.shared[1] += i < BOTH && second;
            groups.twice += i < BOTH && first && second;
        }
        called += stats_contingency_overlapping(&groups).p < 0.05;
    }
    tap_case("overlapping groups: %d of %d that are alike are called different", called,
             (int)DRAWS);
    CHECK(called > 160 && called < 242); /* 200 expected, three standard deviations */
}

static void test_overlapping(void)
{
    struct stats_contingency_chi_square got;

    check_overlapping("none in both",
                      (struct stats_contingency_overlap){.x = {19, 48}, .n = {289, 421}},
                      (const int64_t[]){19, 48}, (const int64_t[]){289, 421});
    check_overlapping(
        "one within the other, unchanged: within against without",
        (struct stats_contingency_overlap){
            .x = {19, 48}, .n = {289, 421}, .both = 289, .shared = {19, 19}, .twice = 19},
        (const int64_t[]){19, 29}, (const int64_t[]){289, 132});
    /* By hand: 40 items twice, 10 have it at first, 20 later, 10 both times: the share is
     * 15/40, the correlation sqrt(1/3), the variance 15/64 x (2/40) (1 - sqrt(1/3)). */
    tap_case("overlapping groups: the same items, changed");
    got = stats_contingency_overlapping(&(struct stats_contingency_overlap){
        .x = {10, 20}, .n = {40, 40}, .both = 40, .shared = {10, 20}, .twice = 10});
    CHECK_CLOSE(got.chi_square,
                0.25 * 0.25 / (15.0 / 64 * 2 / 40 * (1 - 0.57735026918962576)), 1e-12);
    tap_case("overlapping groups: the same items, unchanged, are no test");
    got = stats_contingency_overlapping(&(struct stats_contingency_overlap){
        .x = {10, 10}, .n = {40, 40}, .both = 40, .shared = {10, 10}, .twice = 10});
    CHECK_TEXT(got.undefined, "nothing varies between the groups");
    CHECK(isnan(got.p));
    tap_case("overlapping groups: without a group");
    got = stats_contingency_overlapping(
        &(struct stats_contingency_overlap){.x = {0, 3}, .n = {0, 5}});
    CHECK_TEXT(got.undefined, "the group is empty");
    tap_case("overlapping groups: rough where few are apart, unless many changed");
    got = stats_contingency_overlapping(&(struct stats_contingency_overlap){
        .x = {50, 54}, .n = {100, 101}, .both = 100, .shared = {50, 54}, .twice = 50});
    CHECK(got.rough);
    got = stats_contingency_overlapping(&(struct stats_contingency_overlap){
        .x = {50, 54}, .n = {100, 101}, .both = 100, .shared = {50, 54}, .twice = 47});
    CHECK(!got.rough && got.expected_min == 5);
    check_size_of_overlapping();
}

/* Expected: sums of binomial coefficients, in whole numbers. */
static void test_mcnemar(void)
{
    tap_case("McNemar's exact test");
    CHECK_CLOSE(stats_contingency_mcnemar(0, 0), 1.0, 1e-9);
    CHECK_CLOSE(stats_contingency_mcnemar(4, 0), 0.125, 1e-9);
    CHECK_CLOSE(stats_contingency_mcnemar(0, 1), 1.0, 1e-9);
    CHECK_CLOSE(stats_contingency_mcnemar(5, 5), 1.0, 1e-9);
    CHECK_CLOSE(stats_contingency_mcnemar(3, 11), 0.057373046875, 1e-9);
    CHECK_CLOSE(stats_contingency_mcnemar(70, 40), 0.005447429511444482, 1e-9);
    CHECK_CLOSE(stats_contingency_mcnemar(10, 900), 2.386026047926643e-251, 1e-9);
    CHECK_CLOSE(stats_contingency_mcnemar(10000, 10300), 0.03585235973615882, 1e-9);
}

/* Fisher's exact test against R, and random tables against the exact ones. */

static struct stats_contingency table_of(struct vectors_file *vectors)
{
    return (struct stats_contingency){vectors_ints(vectors, "cells"),
                                      (size_t)vectors_number(vectors, "rows"),
                                      (size_t)vectors_number(vectors, "columns")};
}

static void test_fisher(void)
{
    const struct stats_contingency_options small = {.steps_max = 50000, .draws = 20000},
                                           drawn = {
                                               .steps_max = 1, .draws = 20000, .seed = 5};
    /* 20 x 20: too many tables to count out. */
    static const int64_t likely[] = {0, 0, 1, 1, 1, 1, 2, 2, 3, 4};
    static int64_t many[400];
    const int64_t apart[] = {30, 0, 0, 0, 30, 0, 0, 0, 30};
    struct rng rng = rng_seeded(1);
    struct vectors_file vectors = vectors_open("contingency");
    struct stats_contingency_fisher got, again;

    while (vectors_next(&vectors, "table")) {
        struct stats_contingency table;
        double want, error;
        table = table_of(&vectors);
        want = vectors_number(&vectors, "fisher");
        error = sqrt(want * (1 - want) / 20000);
        got = stats_contingency_fisher(table, small, &vectors.arena);
        CHECK(got.undefined == NULL);
        CHECK(got.exact != str_eq(vectors.name, STR("job"))); /* too large for this */
        CHECK_NEAR(got.p, want, got.exact ? 1e-10 * want : 4 * error);
        got = stats_contingency_fisher(table, drawn, &vectors.arena);
        CHECK(got.exact == (table.rows * table.columns == 4));
        CHECK_NEAR(got.p, want, got.exact ? 1e-10 * want : 4 * error + 1e-4);
    }
    tap_case("the same seed draws the same tables, another others");
    for (size_t i = 0; i < ROWS(many); i++)
        many[i] = likely[rng_below(&rng, ROWS(likely))];
    got = stats_contingency_fisher(
        (struct stats_contingency){many, 20, 20},
        (struct stats_contingency_options){.draws = 300, .seed = 1}, &vectors.arena);
    again = stats_contingency_fisher(
        (struct stats_contingency){many, 20, 20},
        (struct stats_contingency_options){.draws = 300, .seed = 1}, &vectors.arena);
    CHECK(!got.exact && got.p == again.p && got.p > 0 && got.p <= 1);
    again = stats_contingency_fisher(
        (struct stats_contingency){many, 20, 20},
        (struct stats_contingency_options){.draws = 300, .seed = 2}, &vectors.arena);
    CHECK(got.p != again.p);
    tap_case("2 x 2 with a million items keeps its digits");
    got = stats_contingency_fisher(
        (struct stats_contingency){(const int64_t[]){250300, 249700, 249700, 250300}, 2,
                                   2},
        small, &vectors.arena);
    CHECK_CLOSE(got.p, 0.23091700006959495, 1e-10); /* R */
    tap_case("p is never 0: no random table is as extreme, so 1 of 99 + 1");
    got = stats_contingency_fisher(
        (struct stats_contingency){apart, 3, 3},
        (struct stats_contingency_options){.steps_max = 1, .draws = 99}, &vectors.arena);
    CHECK(got.p == 0.01 && !got.exact);
    tap_case("undefined: an empty row");
    got = stats_contingency_fisher(
        (struct stats_contingency){(const int64_t[]){1, 2, 0, 0}, 2, 2}, small,
        &vectors.arena);
    CHECK_TEXT(got.undefined, "a row is empty");
    CHECK(isnan(got.p));
    vectors_close(&vectors);
}

int main(void)
{
    test_contingency();
    test_overlapping();
    test_mcnemar();
    test_fisher();
    return tap_done();
}
