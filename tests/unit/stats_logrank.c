/* The log-rank test against R's survdiff, and where it is undefined. */
#include "stats/survival.h"

#include "tests/vectors/read.h"

static void check_against_r(struct vectors *vectors)
{
    struct values times = vectors_values(vectors, "time"),
                  events = vectors_values(vectors, "event"),
                  of = vectors_values(vectors, "of"),
                  observed = vectors_values(vectors, "observed"),
                  expected = vectors_values(vectors, "expected");
    struct survival_group *groups =
        arena_array(&vectors->arena, struct survival_group, observed.count);
    struct survival_logrank got;

    for (size_t g = 0; g < observed.count; g++) {
        struct survival_case *cases =
            arena_array(&vectors->arena, struct survival_case, times.count);
        groups[g].cases = cases;
        for (size_t i = 0; i < times.count; i++)
            if (of.at[i] == (double)(g + 1))
                cases[groups[g].count++] =
                    (struct survival_case){times.at[i], events.at[i] != 0};
    }
    got = survival_logrank(groups, observed.count, &vectors->arena);
    CHECK(got.undefined == NULL);
    CHECK_CLOSE(got.chi_square, vectors_number(vectors, "chi"), 1e-11);
    CHECK(got.df == vectors_number(vectors, "df"));
    CHECK_CLOSE(got.p, vectors_number(vectors, "p"), 1e-10);
    for (size_t g = 0; g < observed.count; g++) {
        CHECK(got.observed[g] == observed.at[g]);
        CHECK_CLOSE(got.expected[g], expected.at[g], 1e-12);
    }
}

int main(void)
{
    struct vectors vectors = vectors_open("survival");
    const struct survival_case early[] = {{1, false}, {2, false}},
                               late[] = {{3, true}, {4, true}}, wrong[] = {{-1, true}};
    struct survival_group apart[] = {{early, 2}, {late, 2}},
                          empty[] = {{late, 2}, {late, 0}},
                          negative[] = {{late, 2}, {wrong, 1}};
    struct survival_logrank got;

    while (vectors_next(&vectors, "logrank"))
        check_against_r(&vectors);
    tap_case("undefined: one group was gone before anything happened");
    got = survival_logrank(apart, 2, &vectors.arena);
    CHECK_TEXT(got.undefined, "the groups were not at risk together at any event");
    CHECK(isnan(got.chi_square) && isnan(got.p));
    tap_case("undefined: an empty group, one group, a negative time");
    CHECK_TEXT(survival_logrank(empty, 2, &vectors.arena).undefined,
               "the group is empty");
    CHECK_TEXT(survival_logrank(empty, 1, &vectors.arena).undefined,
               "there are fewer than two groups");
    CHECK_TEXT(survival_logrank(negative, 2, &vectors.arena).undefined,
               "a time is negative, not a number or too large");
    vectors_close(&vectors);
    return tap_done();
}
