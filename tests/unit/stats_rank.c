/* Ranks against R. */
#include "stats/rank.h"

#include "tests/vectors/read.h"

int main(void)
{
    struct vectors vectors = vectors_open("describe");
    const double tied[] = {2, 1, 2, 2, 1}, first[] = {4, 1, 1, 7},
                 second[] = {3, 3, 3, 7};
    struct rank_pairs pairs;
    struct rank rank;

    while (vectors_next(&vectors, "describe")) {
        struct values want = vectors_values(&vectors, "ranks");
        rank = rank_values(vectors_values(&vectors, "x"), &vectors.arena);
        CHECK(rank.count == want.count);
        for (size_t i = 0; i < want.count; i++)
            CHECK(rank.at[i] == want.at[i]);
    }
    tap_case("ties are counted by group: 3^3 - 3 + 2^3 - 2");
    rank = rank_values((struct values){tied, 5}, &vectors.arena);
    CHECK(rank.tied && rank.ties == 30);
    tap_case("no ties, no values");
    rank = rank_values((struct values){tied, 2}, &vectors.arena);
    CHECK(!rank.tied && rank.ties == 0);
    rank = rank_values((struct values){0}, &vectors.arena);
    CHECK(rank.count == 0 && !rank.tied);
    tap_case("pairs: one above, two below that share a rank, one equal");
    pairs =
        rank_pairs((struct values){first, 4}, (struct values){second, 4}, &vectors.arena);
    CHECK(pairs.count == 3 && pairs.above == 1 && pairs.below == 5);
    CHECK(pairs.tied && pairs.ties == 6);
    tap_case("pairs: none differs");
    pairs =
        rank_pairs((struct values){first, 4}, (struct values){first, 4}, &vectors.arena);
    CHECK(pairs.count == 0 && pairs.above == 0 && pairs.below == 0 && !pairs.tied);
    vectors_close(&vectors);
    return tap_done();
}
