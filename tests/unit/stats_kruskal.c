/* Kruskal-Wallis, Dunn and Friedman against R, and where they are undefined. */
#include "stats/ranktest.h"

#include "tests/vectors/read.h"

static void check_kruskal(struct vectors *vectors)
{
    struct values x = vectors_values(vectors, "x"),
                  sizes = vectors_values(vectors, "sizes"),
                  z = vectors_values(vectors, "dunn_z"),
                  p = vectors_values(vectors, "dunn_p");
    struct values *groups = arena_array(&vectors->arena, struct values, sizes.count);
    struct ranktest_groups got;
    struct ranktest_pair *pairs;
    const char *undefined;
    size_t begin = 0;

    for (size_t g = 0; g < sizes.count; g++) {
        groups[g] = (struct values){x.at + begin, (size_t)sizes.at[g]};
        begin += groups[g].count;
    }
    got = ranktest_kruskal(groups, sizes.count, &vectors->arena);
    CHECK(got.undefined == NULL);
    CHECK_CLOSE(got.statistic, vectors_number(vectors, "statistic"), 1e-12);
    CHECK(got.df == vectors_number(vectors, "df"));
    CHECK_CLOSE(got.p, vectors_number(vectors, "p"), 1e-10);
    pairs = ranktest_dunn(groups, sizes.count, &vectors->arena, &undefined);
    CHECK(undefined == NULL && pairs != NULL);
    for (size_t i = 0; pairs != NULL && i < z.count; i++) {
        CHECK(pairs[i].first < pairs[i].second && pairs[i].second < sizes.count);
        CHECK_CLOSE(pairs[i].z, z.at[i], 1e-12);
        CHECK_CLOSE(pairs[i].p, p.at[i], 1e-10);
    }
}

static void check_friedman(struct vectors *vectors)
{
    struct values x = vectors_values(vectors, "x");
    size_t treatments = (size_t)vectors_number(vectors, "treatments");
    struct ranktest_groups got =
        ranktest_friedman(x.at, x.count / treatments, treatments, &vectors->arena);

    CHECK(got.undefined == NULL);
    CHECK_CLOSE(got.statistic, vectors_number(vectors, "statistic"), 1e-12);
    CHECK(got.df == vectors_number(vectors, "df"));
    CHECK_CLOSE(got.p, vectors_number(vectors, "p"), 1e-10);
}

int main(void)
{
    struct vectors vectors = vectors_open("ranktest");
    const double ones[] = {1, 1, 1, 1}, many[] = {1, 2, 3};
    struct values equal[] = {{ones, 2}, {ones, 2}}, empty[] = {{many, 3}, {NULL, 0}};
    const char *undefined;

    while (vectors_next(&vectors, "kruskal friedman")) {
        if (vectors_is(&vectors, "kruskal"))
            check_kruskal(&vectors);
        else
            check_friedman(&vectors);
    }
    tap_case("undefined: all values are equal");
    CHECK_TEXT(ranktest_kruskal(equal, 2, &vectors.arena).undefined,
               "all values are equal");
    CHECK(isnan(ranktest_kruskal(equal, 2, &vectors.arena).p));
    CHECK(ranktest_dunn(equal, 2, &vectors.arena, &undefined) == NULL);
    CHECK_TEXT(undefined, "all values are equal");
    tap_case("undefined: an empty group");
    CHECK_TEXT(ranktest_kruskal(empty, 2, &vectors.arena).undefined,
               "the group is empty");
    tap_case("undefined: one group");
    CHECK_TEXT(ranktest_kruskal(empty, 1, &vectors.arena).undefined,
               "there are fewer than two groups");
    tap_case("undefined: blocks without a difference, no block");
    CHECK_TEXT(ranktest_friedman(ones, 2, 2, &vectors.arena).undefined,
               "in every block all values are equal");
    CHECK_TEXT(ranktest_friedman(ones, 0, 2, &vectors.arena).undefined,
               "there are fewer than two groups, or no block");
    CHECK(isnan(ranktest_friedman(ones, 2, 2, &vectors.arena).statistic));
    vectors_close(&vectors);
    return tap_done();
}
