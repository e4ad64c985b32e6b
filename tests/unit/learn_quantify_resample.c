/* Corrections with intervals by resampling: what must hold of them. How often intervals
 * hold the truth is tested in tests/property/quantify.c. */
#include "learn/quantify_resample.h"

#include <math.h>
#include <string.h>

#include "tests/tap.h"

/* 40 labelled items, 10 of each kind of right and wrong; a set of 60 said to be 0. */
static void check_question(struct arena *arena)
{
    size_t truth[40], said[40], set_said[60], stratum[40] = {0};
    double weight[40], outside = 1 + 40.0 / 60, inside = 1 - 40.0 / 60, none = 0;
    double probabilities[80], set_probabilities[120];
    struct quantify_share shares[6], again[6];
    struct quantify_options options = {0.95, 50, 7};

    for (size_t i = 0; i < 40; i++) {
        truth[i] = i % 2;
        weight[i] = 1;
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
                                         .set = {60, set_said, NULL, set_probabilities},
                                         .drawn = {1, stratum, weight, &outside}};
    quantify_resample(&question, options, arena, shares);
    tap_case("two thirds said, three quarters right: five sixths, by all three");
    for (size_t a = 0; a < 6; a += 2)
        CHECK_NEAR(shares[a].estimate, 5.0 / 6, 1e-3);
    tap_case("the estimate is inside its interval, and that inside 0 .. 1");
    for (size_t a = 0; a < 6; a++)
        CHECK(0 <= shares[a].low && shares[a].low < shares[a].estimate &&
              shares[a].estimate < shares[a].high && shares[a].high <= 1);
    tap_case("the same seed gives the same interval, another another");
    quantify_resample(&question, options, arena, again);
    CHECK(memcmp(shares, again, sizeof shares) == 0);
    options.seed = 8;
    quantify_resample(&question, options, arena, again);
    CHECK(shares[0].estimate == again[0].estimate && shares[0].low != again[0].low);
    tap_case(
        "labelled items of the set itself: narrower, and no width when they are all");
    question.drawn.variance = &inside;
    quantify_resample(&question, options, arena, shares);
    CHECK(again[0].high - again[0].low > 1.2 * (shares[0].high - shares[0].low));
    question.drawn.variance = &none;
    question.set = (struct quantify_seen){40, said, NULL, probabilities};
    quantify_resample(&question, options, arena, shares);
    CHECK_NEAR(shares[0].estimate, 0.5, 1e-9);
    CHECK_NEAR(shares[4].estimate, 0.5, 1e-6);
    for (size_t a = 0; a < 6; a++)
        CHECK(shares[a].high == shares[a].low);
    tap_case("EM with the same probabilities for every item: no interval");
    for (size_t i = 0; i < 80; i++)
        probabilities[i] = 0.5;
    quantify_resample(&question, options, arena, shares);
    CHECK_NEAR(shares[4].estimate, 0.5, 1e-12);
    CHECK(isnan(shares[4].low) && isnan(shares[4].high));
    tap_case("a class without labels: undefined");
    for (size_t i = 0; i < 40; i++)
        truth[i] = 0;
    quantify_resample(&question, options, arena, again);
    for (size_t a = 0; a < 6; a++)
        CHECK(isnan(again[a].estimate) && isnan(again[a].low));
    tap_case("nothing is labelled: undefined");
    question.labelled.count = 0;
    quantify_resample(&question, options, arena, again);
    for (size_t a = 0; a < 6; a++)
        CHECK(isnan(again[a].estimate) && isnan(again[a].low));
}

/* Class 0 is right in 9 of 10 in the first stratum and in 1 of 2 in the second, of which
 * the set has as many; class 1 is always right. 30 labels are from the first, 10 from the
 * second. */
static void check_weights(struct arena *arena)
{
    size_t truth[40], said[40], stratum[40], set_said[100];
    double probabilities[80], set_probabilities[200], weight[40], none[2] = {0, 0};
    struct quantify_share shares[6];
    struct quantify_options options = {0.95, 2, 7};

    for (size_t i = 0; i < 40; i++) {
        stratum[i] = i >= 30;
        truth[i] = i < 20 || (i >= 30 && i < 36) ? 0 : 1;
        said[i] = truth[i] == 0 && (i < 2 || (i >= 30 && i < 33)) ? 1 : truth[i];
        weight[i] = i < 30 ? 50.0 / 30 : 50.0 / 10;
        probabilities[2 * i] = said[i] == 0 ? 0.9 : 0.1;
        probabilities[2 * i + 1] = 1 - probabilities[2 * i];
    }
    for (size_t i = 0; i < 100; i++) {
        set_said[i] = i % 2;
        set_probabilities[2 * i] = set_said[i] == 0 ? 0.9 : 0.1;
        set_probabilities[2 * i + 1] = 1 - set_probabilities[2 * i];
    }
    struct quantify_question question = {.classes = 2,
                                         .labelled = {40, said, truth, probabilities},
                                         .set = {100, set_said, NULL, set_probabilities},
                                         .drawn = {2, stratum, weight, none}};
    quantify_resample(&question, options, arena, shares);
    tap_case("labels count as often as the posts that they stand for");
    /* Right are 18 of 20 and 3 of 6: (18 x 50/30 + 3 x 5) / (20 x 50/30 + 6 x 5). Half
     * are said to be 0, and none of the others is said to be. */
    CHECK_NEAR(shares[0].estimate, 0.5 / (45 / (1000.0 / 30 + 30)), 1e-9);
}

int main(void)
{
    struct arena arena = {0};

    check_question(&arena);
    check_weights(&arena);
    arena_free(&arena);
    return tap_done();
}
