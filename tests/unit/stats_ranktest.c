/* Ranks and the tests on them, against R. */
#include "stats/ranktest.h"

#include "tests/vectors/read.h"

/* Ranks against R. */

static void test_rank(void)
{
    struct vectors_file vectors = vectors_open("describe");
    const double tied[] = {2, 1, 2, 2, 1}, first[] = {4, 1, 1, 7},
                 second[] = {3, 3, 3, 7};
    struct stats_rank_pairs pairs;
    struct stats_rank rank;

    while (vectors_next(&vectors, "describe")) {
        struct stats_values want = vectors_values(&vectors, "ranks");
        rank = stats_rank_values(vectors_values(&vectors, "x"), &vectors.arena);
        CHECK(rank.count == want.count);
        for (size_t i = 0; i < want.count; i++)
            CHECK(rank.at[i] == want.at[i]);
    }
    tap_case("ties are counted by group: 3^3 - 3 + 2^3 - 2");
    rank = stats_rank_values((struct stats_values){tied, 5}, &vectors.arena);
    CHECK(rank.tied && rank.ties == 30);
    tap_case("no ties, no values");
    rank = stats_rank_values((struct stats_values){tied, 2}, &vectors.arena);
    CHECK(!rank.tied && rank.ties == 0);
    rank = stats_rank_values((struct stats_values){0}, &vectors.arena);
    CHECK(rank.count == 0 && !rank.tied);
    tap_case("pairs: one above, two below that share a rank, one equal");
    pairs = stats_rank_pairs((struct stats_values){first, 4},
                             (struct stats_values){second, 4}, &vectors.arena);
    CHECK(pairs.count == 3 && pairs.above == 1 && pairs.below == 5);
    CHECK(pairs.tied && pairs.ties == 6);
    tap_case("pairs: none differs");
    pairs = stats_rank_pairs((struct stats_values){first, 4},
                             (struct stats_values){first, 4}, &vectors.arena);
    CHECK(pairs.count == 0 && pairs.above == 0 && pairs.below == 0 && !pairs.tied);
    vectors_close(&vectors);
}

/* Mann-Whitney and signed ranks against R, and where they are undefined. */

static void check_against_r(void)
{
    struct vectors_file vectors = vectors_open("ranktest");

    while (vectors_next(&vectors, "mann_whitney signed")) {
        struct stats_values x = vectors_values(&vectors, "x"),
                            y = vectors_values(&vectors, "y");
        struct stats_ranktest got =
            vectors_is(&vectors, "signed")
                ? stats_ranktest_signed(x, y, &vectors.arena)
                : stats_ranktest_mann_whitney(x, y, &vectors.arena);
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
} wilcoxon_groups[] = {
    {"first is empty", {0}, {1, 2}, 0, 2, "the group is empty"},
    {"second is empty", {1}, {0}, 1, 0, "the group is empty"},
    {"all are equal", {2, 2}, {2, 2, 2}, 2, 3, "all values are equal"},
    {"infinite", {2, INFINITY}, {2}, 2, 1, "a value is not a number or too large"},
};

/* Means of small whole numbers, whose differences are tied as the rationals are: over a
 * common denominator these are whole numbers, which are ranked without rounding. */
static void check_rounded(struct arena *arena)
{
    enum { PAIRS = 60, DENOMINATOR = 63 };
    double a[PAIRS], b[PAIRS], exact_a[PAIRS], exact_b[PAIRS];
    size_t broken = 0;

    for (int i = 0; i < PAIRS; i++) {
        static const int sizes[] = {3, 7, 9};
        int n = sizes[i % 3], sum = (7 * i) % (5 * n) + n, other = (11 * i) % (5 * n) + n;
        a[i] = (double)sum / n;
        b[i] = (double)other / n;
        exact_a[i] = (double)sum * (DENOMINATOR / n);
        exact_b[i] = (double)other * (DENOMINATOR / n);
        for (int k = 0; k < i; k++)
            broken += fabs(a[i] - b[i]) != fabs(a[k] - b[k]) &&
                      fabs(exact_a[i] - exact_b[i]) == fabs(exact_a[k] - exact_b[k]);
    }
    struct stats_ranktest got = stats_ranktest_signed((struct stats_values){a, PAIRS},
                                                      (struct stats_values){b, PAIRS},
                                                      arena),
                          want = stats_ranktest_signed(
                              (struct stats_values){exact_a, PAIRS},
                              (struct stats_values){exact_b, PAIRS}, arena);
    tap_case("ties of rounded means are those of the rationals");
    CHECK(broken > 0);
    CHECK(got.statistic == want.statistic && got.p == want.p && got.exact == want.exact);

    const double large[] = {4e15, 4e15 + 3, 4e15, 8},
                 less[] = {4e15 - 1, 4e15, 4e15 + 2, 8};
    tap_case("whole numbers are never taken for the same");
    got = stats_ranktest_signed((struct stats_values){large, 4},
                                (struct stats_values){less, 4}, arena);
    CHECK(got.statistic == 4);
}

static void test_wilcoxon(void)
{
    struct arena arena = {0};
    const double equal[] = {1, 2, 3};
    struct stats_ranktest got;

    check_against_r();
    check_rounded(&arena);
    for (size_t i = 0; i < ROWS(wilcoxon_groups); i++) {
        tap_case("undefined: %s", wilcoxon_groups[i].name);
        got = stats_ranktest_mann_whitney(
            (struct stats_values){wilcoxon_groups[i].a, wilcoxon_groups[i].a_count},
            (struct stats_values){wilcoxon_groups[i].b, wilcoxon_groups[i].b_count},
            &arena);
        CHECK_TEXT(got.undefined, wilcoxon_groups[i].why);
        CHECK(isnan(got.p) && isnan(got.statistic));
    }
    tap_case("undefined: no pair differs");
    got = stats_ranktest_signed((struct stats_values){equal, 3},
                                (struct stats_values){equal, 3}, &arena);
    CHECK_TEXT(got.undefined, "all pairs are equal");
    CHECK(isnan(got.p));
    tap_case("undefined: no pair");
    got =
        stats_ranktest_signed((struct stats_values){0}, (struct stats_values){0}, &arena);
    CHECK_TEXT(got.undefined, "the group is empty");
    arena_free(&arena);
}

/* Kruskal-Wallis, Dunn and Friedman against R, and where they are undefined. */

static void check_kruskal(struct vectors_file *vectors)
{
    struct stats_values x = vectors_values(vectors, "x"),
                        sizes = vectors_values(vectors, "sizes"),
                        z = vectors_values(vectors, "dunn_z"),
                        p = vectors_values(vectors, "dunn_p");
    struct stats_values *groups =
        arena_array(&vectors->arena, struct stats_values, sizes.count);
    struct stats_ranktest_groups got;
    struct stats_ranktest_pair *pairs;
    const char *undefined;
    size_t begin = 0;

    for (size_t g = 0; g < sizes.count; g++) {
        groups[g] = (struct stats_values){x.at + begin, (size_t)sizes.at[g]};
        begin += groups[g].count;
    }
    got = stats_ranktest_kruskal(groups, sizes.count, &vectors->arena);
    CHECK(got.undefined == NULL);
    CHECK_CLOSE(got.statistic, vectors_number(vectors, "statistic"), 1e-12);
    CHECK(got.df == vectors_number(vectors, "df"));
    CHECK_CLOSE(got.p, vectors_number(vectors, "p"), 1e-10);
    pairs = stats_ranktest_dunn(groups, sizes.count, &vectors->arena, &undefined);
    CHECK(undefined == NULL && pairs != NULL);
    for (size_t i = 0; pairs != NULL && i < z.count; i++) {
        CHECK(pairs[i].first < pairs[i].second && pairs[i].second < sizes.count);
        CHECK_CLOSE(pairs[i].z, z.at[i], 1e-12);
        CHECK_CLOSE(pairs[i].p, p.at[i], 1e-10);
    }
}

static void check_friedman(struct vectors_file *vectors)
{
    struct stats_values x = vectors_values(vectors, "x");
    size_t treatments = (size_t)vectors_number(vectors, "treatments");
    struct stats_ranktest_groups got =
        stats_ranktest_friedman(x.at, x.count / treatments, treatments, &vectors->arena);

    CHECK(got.undefined == NULL);
    CHECK_CLOSE(got.statistic, vectors_number(vectors, "statistic"), 1e-12);
    CHECK(got.df == vectors_number(vectors, "df"));
    CHECK_CLOSE(got.p, vectors_number(vectors, "p"), 1e-10);
}

static void test_kruskal(void)
{
    struct vectors_file vectors = vectors_open("ranktest");
    const double ones[] = {1, 1, 1, 1}, many[] = {1, 2, 3};
    struct stats_values equal[] = {{ones, 2}, {ones, 2}},
                        empty[] = {{many, 3}, {NULL, 0}};
    const char *undefined;

    while (vectors_next(&vectors, "kruskal friedman")) {
        if (vectors_is(&vectors, "kruskal"))
            check_kruskal(&vectors);
        else
            check_friedman(&vectors);
    }
    tap_case("undefined: all values are equal");
    CHECK_TEXT(stats_ranktest_kruskal(equal, 2, &vectors.arena).undefined,
               "all values are equal");
    CHECK(isnan(stats_ranktest_kruskal(equal, 2, &vectors.arena).p));
    CHECK(stats_ranktest_dunn(equal, 2, &vectors.arena, &undefined) == NULL);
    CHECK_TEXT(undefined, "all values are equal");
    tap_case("undefined: an empty group");
    CHECK_TEXT(stats_ranktest_kruskal(empty, 2, &vectors.arena).undefined,
               "the group is empty");
    tap_case("undefined: one group");
    CHECK_TEXT(stats_ranktest_kruskal(empty, 1, &vectors.arena).undefined,
               "there are fewer than two groups");
    tap_case("undefined: blocks without a difference, no block");
    CHECK_TEXT(stats_ranktest_friedman(ones, 2, 2, &vectors.arena).undefined,
               "in every block all values are equal");
    CHECK_TEXT(stats_ranktest_friedman(ones, 0, 2, &vectors.arena).undefined,
               "there are fewer than two groups, or no block");
    CHECK(isnan(stats_ranktest_friedman(ones, 2, 2, &vectors.arena).statistic));
    vectors_close(&vectors);
}

int main(void)
{
    test_rank();
    test_wilcoxon();
    test_kruskal();
    return tap_done();
}
