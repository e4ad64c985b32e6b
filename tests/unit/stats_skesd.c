/* Scott-Knott ESD against the authors' package, and with significance. */
#include "stats/skesd.h"

#include "tests/vectors/read.h"

int main(void)
{
    struct vectors_file vectors = vectors_open("skesd");
    const double low[] = {1, 2, 3, 2}, high[] = {2.4, 1.4, 3.4, 2.4}, ones[] = {1, 1, 1},
                 twos[] = {2, 2};
    struct stats_values near[] = {{low, 4}, {high, 4}},
                        constant[] = {{ones, 3}, {twos, 2}, {ones, 2}},
                        empty[] = {{low, 4}, {low, 0}}, one[] = {{low, 1}};
    double nearer[4], farther[4];
    struct stats_skesd got;

    while (vectors_next(&vectors, "skesd")) {
        struct stats_values x = vectors_values(&vectors, "x"),
                            want = vectors_values(&vectors, "ranks");
        struct stats_values *groups =
            arena_array(&vectors.arena, struct stats_values, want.count);
        for (size_t g = 0; g < want.count; g++)
            groups[g] = (struct stats_values){x.at + g * (x.count / want.count),
                                              x.count / want.count};
        got = stats_skesd_rank(groups, want.count, 1, &vectors.arena);
        CHECK(got.undefined == NULL);
        for (size_t g = 0; g < want.count; g++)
            CHECK((double)got.ranks[g] == want.at[g]);
    }
    tap_case("d of 0.49 is not negligible, but not significant in four values either");
    CHECK(stats_skesd_rank(near, 2, 1, &vectors.arena).rank_count == 2);
    CHECK(stats_skesd_rank(near, 2, 0.05, &vectors.arena).rank_count == 1);
    /* With means 1.3 and 1.6 apart the ratio is 5.04 and 6.18 on 1.752 degrees of
     * freedom: p is 0.063 and 0.035. */
    tap_case("significance as Scott and Knott have it");
    for (int i = 0; i < 4; i++) {
        nearer[i] = low[i] + 1.3;
        farther[i] = low[i] + 1.6;
    }
    near[1].at = nearer;
    CHECK(stats_skesd_rank(near, 2, 0.05, &vectors.arena).rank_count == 1);
    CHECK(stats_skesd_rank(near, 2, 0.07, &vectors.arena).rank_count == 2);
    near[1].at = farther;
    CHECK(stats_skesd_rank(near, 2, 0.05, &vectors.arena).rank_count == 2);
    CHECK(stats_skesd_rank(near, 2, 0.03, &vectors.arena).rank_count == 1);
    tap_case("groups without spread are ranked by their means");
    got = stats_skesd_rank(constant, 3, 1, &vectors.arena);
    CHECK(got.rank_count == 2 && got.ranks[1] == 1);
    CHECK(got.ranks[0] == 2 && got.ranks[2] == 2);
    tap_case("one group is one rank");
    got = stats_skesd_rank(near, 1, 0.05, &vectors.arena);
    CHECK(got.rank_count == 1 && got.ranks[0] == 1);
    tap_case("undefined: empty group, single value, no group");
    CHECK_TEXT(stats_skesd_rank(empty, 2, 1, &vectors.arena).undefined,
               "the group is empty");
    CHECK_TEXT(stats_skesd_rank(one, 1, 1, &vectors.arena).undefined,
               "the group has too few values");
    CHECK_TEXT(stats_skesd_rank(one, 0, 1, &vectors.arena).undefined,
               "there is no group");
    CHECK(stats_skesd_rank(empty, 2, 1, &vectors.arena).ranks == NULL);
    vectors_close(&vectors);
    return tap_done();
}
