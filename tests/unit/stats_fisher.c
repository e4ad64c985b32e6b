/* Fisher's exact test against R, and random tables against the exact ones. */
#include "stats/contingency.h"

#include "base/rng.h"
#include "tests/vectors/read.h"

static struct contingency table_of(struct vectors *vectors)
{
    return (struct contingency){vectors_ints(vectors, "cells"),
                                (size_t)vectors_number(vectors, "rows"),
                                (size_t)vectors_number(vectors, "columns")};
}

int main(void)
{
    const struct contingency_options small = {.steps_max = 50000, .draws = 20000},
                                     drawn = {.steps_max = 1, .draws = 20000, .seed = 5};
    /* 20 x 20: too many tables to count out. */
    static const int64_t likely[] = {0, 0, 1, 1, 1, 1, 2, 2, 3, 4};
    static int64_t many[400];
    const int64_t apart[] = {30, 0, 0, 0, 30, 0, 0, 0, 30};
    struct rng rng = rng_seeded(1);
    struct vectors vectors = vectors_open("contingency");
    struct contingency_fisher got, again;

    while (vectors_next(&vectors, "table")) {
        struct contingency table;
        double want, error;
        table = table_of(&vectors);
        want = vectors_number(&vectors, "fisher");
        error = sqrt(want * (1 - want) / 20000);
        got = contingency_fisher(table, small, &vectors.arena);
        CHECK(got.undefined == NULL);
        CHECK(got.exact != str_eq(vectors.name, STR("job"))); /* too large for this */
        CHECK_NEAR(got.p, want, got.exact ? 1e-10 * want : 4 * error);
        got = contingency_fisher(table, drawn, &vectors.arena);
        CHECK(got.exact == (table.rows * table.columns == 4));
        CHECK_NEAR(got.p, want, got.exact ? 1e-10 * want : 4 * error + 1e-4);
    }
    tap_case("the same seed draws the same tables, another others");
    for (size_t i = 0; i < ROWS(many); i++)
        many[i] = likely[rng_below(&rng, ROWS(likely))];
    got = contingency_fisher((struct contingency){many, 20, 20},
                             (struct contingency_options){.draws = 300, .seed = 1},
                             &vectors.arena);
    again = contingency_fisher((struct contingency){many, 20, 20},
                               (struct contingency_options){.draws = 300, .seed = 1},
                               &vectors.arena);
    CHECK(!got.exact && got.p == again.p && got.p > 0 && got.p <= 1);
    again = contingency_fisher((struct contingency){many, 20, 20},
                               (struct contingency_options){.draws = 300, .seed = 2},
                               &vectors.arena);
    CHECK(got.p != again.p);
    tap_case("2 x 2 with a million items keeps its digits");
    got = contingency_fisher(
        (struct contingency){(const int64_t[]){250300, 249700, 249700, 250300}, 2, 2},
        small, &vectors.arena);
    CHECK_CLOSE(got.p, 0.23091700006959495, 1e-10); /* R */
    tap_case("p is never 0: no random table is as extreme, so 1 of 99 + 1");
    got = contingency_fisher((struct contingency){apart, 3, 3},
                             (struct contingency_options){.steps_max = 1, .draws = 99},
                             &vectors.arena);
    CHECK(got.p == 0.01 && !got.exact);
    tap_case("undefined: an empty row");
    got = contingency_fisher((struct contingency){(const int64_t[]){1, 2, 0, 0}, 2, 2},
                             small, &vectors.arena);
    CHECK_TEXT(got.undefined, "a row is empty");
    CHECK(isnan(got.p));
    vectors_close(&vectors);
    return tap_done();
}
