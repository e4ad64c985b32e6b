/* Adjusted counts and EM against numpy (tests/vectors/make_quantify.py), and intervals by
 * resampling. */
#include <math.h>

#include "learn/internal.h"
#include "tests/vectors/read.h"

static void check_vectors(void)
{
    struct vectors vectors = vectors_open_file("tests/vectors/learn_quantify.csv");
    double shares[3];

    while (vectors_next(&vectors, "adjusted emq")) {
        struct values want = vectors_values(&vectors, "shares");
        if (vectors_is(&vectors, "adjusted")) {
            CHECK(quantify_adjust(vectors_values(&vectors, "confusion").at,
                                  vectors_values(&vectors, "counts").at, want.count,
                                  shares, &vectors.arena));
        } else {
            struct values probabilities = vectors_values(&vectors, "probabilities");
            quantify_em(probabilities.at, probabilities.count / want.count,
                        vectors_values(&vectors, "prior").at, want.count, shares,
                        &vectors.arena);
        }
        for (size_t k = 0; k < want.count; k++)
            CHECK_NEAR(shares[k], want.at[k], 3e-6);
    }
    vectors_close(&vectors);
}

static void check_edges(struct arena *arena)
{
    const double confusion[9] = {80, 20, 0, 10, 70, 20, 5, 15, 80};
    const double unknown[9] = {80, 20, 0, 10, 70, 20, 0, 0, 0};
    const double counts[3] = {300, 420, 280}, border[3] = {1000, 0, 0};
    double shares[3];

    tap_case("never outside of 0 .. 1");
    CHECK(quantify_adjust(confusion, border, 3, shares, arena));
    CHECK_NEAR(shares[0], 1, 1e-3);
    CHECK(shares[1] >= 0 && shares[2] >= 0);
    tap_case("a class that was never labelled: undefined");
    CHECK(!quantify_adjust(unknown, counts, 3, shares, arena) && isnan(shares[0]));
}

/* 40 labelled items, 10 of each kind of right and wrong; a set of 60 said to be 0. */
static void check_question(struct arena *arena)
{
    size_t truth[40], said[40], set_said[60];
    double probabilities[80], set_probabilities[120];
    struct quantify_share shares[6], again[6];
    struct quantify_options options = {0.95, 50, 7};

    for (size_t i = 0; i < 40; i++) {
        truth[i] = i % 2;
        said[i] = i % 8 < 6 ? truth[i] : 1 - truth[i]; /* right in 3 of 4 */
        probabilities[2 * i] = said[i] == 0 ? 0.75 : 0.25;
        probabilities[2 * i + 1] = 1 - probabilities[2 * i];
    }
    for (size_t i = 0; i < 60; i++) {
        set_said[i] = i % 3 == 0;
        set_probabilities[2 * i] = set_said[i] == 0 ? 0.75 : 0.25;
        set_probabilities[2 * i + 1] = 1 - set_probabilities[2 * i];
    }
    struct quantify_question question = {.classes = 2,
                                         .labelled = {40, said, truth, probabilities},
                                         .set = {60, set_said, NULL, set_probabilities}};
    quantify_answer(&question, options, arena, shares);
    tap_case("two thirds said, three quarters right: five sixths, by all three");
    for (size_t a = 0; a < 6; a += 2)
        CHECK_NEAR(shares[a].estimate, 5.0 / 6, 1e-3);
    tap_case("the estimate is inside its interval, and that inside 0 .. 1");
    for (size_t a = 0; a < 6; a++)
        CHECK(0 <= shares[a].low && shares[a].low < shares[a].estimate &&
              shares[a].estimate < shares[a].high && shares[a].high <= 1);
    tap_case("the same seed gives the same interval, another another");
    quantify_answer(&question, options, arena, again);
    CHECK(memcmp(shares, again, sizeof shares) == 0);
    options.seed = 8;
    quantify_answer(&question, options, arena, again);
    CHECK(shares[0].estimate == again[0].estimate && shares[0].low != again[0].low);
    tap_case(
        "labelled items of the set itself: narrower, and no width when they are all");
    question.shared = 40;
    quantify_answer(&question, options, arena, shares);
    CHECK(again[0].high - again[0].low > 1.5 * (shares[0].high - shares[0].low));
    question.set = (struct quantify_seen){40, said, NULL, probabilities};
    quantify_answer(&question, options, arena, shares);
    CHECK_NEAR(shares[0].estimate, 0.5, 1e-9);
    CHECK_NEAR(shares[0].high - shares[0].low, 0, 1e-9);
    tap_case("EM with the same probabilities for every item: no interval");
    for (size_t i = 0; i < 80; i++)
        probabilities[i] = 0.5;
    quantify_answer(&question, options, arena, shares);
    CHECK_NEAR(shares[4].estimate, 0.5, 1e-12);
    CHECK(isnan(shares[4].low) && isnan(shares[4].high));
    tap_case("nothing is labelled: undefined");
    question.labelled.count = 0;
    quantify_answer(&question, options, arena, again);
    for (size_t a = 0; a < 6; a++)
        CHECK(isnan(again[a].estimate) && isnan(again[a].low));
}

int main(void)
{
    struct arena arena = {0};

    check_vectors();
    check_edges(&arena);
    check_question(&arena);
    arena_free(&arena);
    return tap_done();
}
