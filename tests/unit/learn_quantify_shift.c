/* Corrections that rest on errors being the same everywhere. */
#include "learn/internal.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "tests/tap.h"
#include "tests/vectors/read.h"

/* Adjusted counts and EM against numpy (tests/vectors/make_quantify.py). */

static void check_vectors(void)
{
    struct vectors_file vectors = vectors_open_file("tests/vectors/learn_quantify.csv");
    double shares[3];

    while (vectors_next(&vectors, "adjusted emq")) {
        struct stats_values want = vectors_values(&vectors, "shares");
        if (vectors_is(&vectors, "adjusted")) {
            struct stats_values counts = vectors_values(&vectors, "counts");
            CHECK(learn_quantify_adjust(vectors_values(&vectors, "confusion").at,
                                        counts.at, want.count, counts.count, shares,
                                        &vectors.arena));
        } else {
            struct stats_values probabilities = vectors_values(&vectors, "probabilities");
            learn_quantify_em(probabilities.at, probabilities.count / want.count,
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
    const double never[9] = {80, 0, 20, 10, 0, 90, 40, 0, 60};
    const double alike[9] = {80, 20, 0, 10, 70, 20, 20, 140, 40};
    const double counts[3] = {300, 420, 280}, border[3] = {1000, 0, 0};
    double shares[3];

    tap_case("never outside of 0 .. 1");
    CHECK(learn_quantify_adjust(confusion, border, 3, 3, shares, arena));
    CHECK_NEAR(shares[0], 1, 1e-3);
    CHECK(shares[1] >= 0 && shares[2] >= 0);
    tap_case("a class that was never labelled: undefined");
    CHECK(!learn_quantify_adjust(unknown, counts, 3, 3, shares, arena) &&
          isnan(shares[0]));
    tap_case(
        "a class that is never predicted, or two that are predicted alike: undefined");
    CHECK(!learn_quantify_adjust(never, counts, 3, 3, shares, arena) && isnan(shares[0]));
    CHECK(!learn_quantify_adjust(alike, counts, 3, 3, shares, arena) && isnan(shares[2]));
}

/* Steps that go further end on the border as well. */
static void check_border(struct arena *arena)
{
    const double prior[2] = {0.5, 0.5}, rows[6] = {2, 1, 5, 1, 3, 10};
    double probabilities[120], shares[2];

    tap_case("EM where one class is not there: on the border");
    for (size_t i = 0; i < 60; i++) {
        probabilities[2 * i] = 0.1 + 0.001 * (double)i;
        probabilities[2 * i + 1] = 1 - probabilities[2 * i];
    }
    learn_quantify_em(probabilities, 60, prior, 2, shares, arena);
    CHECK_NEAR(shares[0], 0, 1e-6);
    CHECK_NEAR(shares[1], 1, 1e-6);
    tap_case("2x + y = 5, x + 3y = 10");
    double copy[6], none[6] = {1, 2, 1, 2, 4, 1};
    memcpy(copy, rows, sizeof copy);
    CHECK(learn_quantify_shift_solve(copy, 2, 2, shares));
    CHECK_NEAR(shares[0], 1, 1e-12);
    CHECK_NEAR(shares[1], 3, 1e-12);
    tap_case("rows that say the same: no single solution");
    CHECK(!learn_quantify_shift_solve(none, 2, 2, shares));
}

/* The plain algorithm, for very long. */
static void creep(const double *probabilities, size_t items, const double *prior,
                  size_t classes, double *shares)
{
    memcpy(shares, prior, classes * sizeof *shares);
    for (int round = 0; round < 20000; round++) {
        double next[4] = {0}, change = 0;
        for (size_t i = 0; i < items; i++) {
            const double *p = probabilities + i * classes;
            double sum = 0;
            for (size_t k = 0; k < classes; k++)
                sum += p[k] * shares[k] / prior[k];
            for (size_t k = 0; k < classes; k++)
                next[k] += p[k] * shares[k] / prior[k] / sum / (double)items;
        }
        for (size_t k = 0; k < classes; k++) {
            change = fmax(change, fabs(next[k] - shares[k]));
            shares[k] = next[k];
        }
        if (change < 1e-12)
            break;
    }
}

static double likelihood(const double *probabilities, size_t items, const double *prior,
                         size_t classes, const double *shares)
{
    double all = 0;

    for (size_t i = 0; i < items; i++) {
        double sum = 0;
        for (size_t k = 0; k < classes; k++)
            sum += probabilities[i * classes + k] * shares[k] / prior[k];
        all += log(sum);
    }
    return all;
}

/* Probabilities that tell classes apart well, badly or hardly. */
static void check_leaps(struct arena *arena)
{
    double probabilities[60 * 4], farthest = 0;

    for (uint64_t seed = 0; seed < 300; seed++) {
        struct rng rng = rng_seeded(seed);
        size_t classes = 2 + rng_below(&rng, 3), items = 10 + rng_below(&rng, 50);
        double prior[4], shares[4], want[4], sharp = 0.1 + 3 * rng_unit(&rng), all = 0;
        for (size_t k = 0; k < classes; k++)
            all += prior[k] = 0.1 + rng_unit(&rng);
        for (size_t k = 0; k < classes; k++)
            prior[k] /= all;
        for (size_t i = 0; i < items; i++) {
            double sum = 0, *p = probabilities + i * classes;
            for (size_t k = 0; k < classes; k++)
                sum += p[k] = exp(sharp * rng_normal(&rng));
            for (size_t k = 0; k < classes; k++)
                p[k] /= sum;
        }
        learn_quantify_em(probabilities, items, prior, classes, shares, arena);
        creep(probabilities, items, prior, classes, want);
        CHECK(likelihood(probabilities, items, prior, classes, shares) >
              likelihood(probabilities, items, prior, classes, want) - 1e-5);
        for (size_t k = 0; k < classes; k++)
            farthest = fmax(farthest, fabs(shares[k] - want[k]));
    }
    tap_case("300 random cases: as likely as 20,000 plain steps; at most %.5f from them",
             farthest);
    CHECK(farthest < 1e-3);
}

static void test_quantify_shift(void)
{
    struct arena arena = {0};

    check_vectors();
    check_edges(&arena);
    check_border(&arena);
    check_leaps(&arena);
    arena_free(&arena);
}

/* Calibration on labels against scipy (tests/vectors/make_quantify.py), and what must
 * hold of it. */

static void calibrate_check_vectors(void)
{
    struct vectors_file vectors = vectors_open_file("tests/vectors/learn_quantify.csv");

    while (vectors_next(&vectors, "calibration")) {
        struct stats_values truth = vectors_values(&vectors, "truth"),
                            bias = vectors_values(&vectors, "bias");
        size_t *classes = arena_array(&vectors.arena, size_t, truth.count);
        struct learn_quantify_calibration fit = {
            1, arena_array(&vectors.arena, double, bias.count)};
        for (size_t i = 0; i < truth.count; i++)
            classes[i] = (size_t)truth.at[i];
        learn_quantify_calibrate(vectors_values(&vectors, "logarithms").at, classes,
                                 vectors_values(&vectors, "weights").at, truth.count,
                                 bias.count, 30, &fit, &vectors.arena);
        CHECK_NEAR(fit.slope, vectors_number(&vectors, "slope"), 1e-5);
        for (size_t k = 0; k < bias.count; k++)
            CHECK_NEAR(fit.bias[k], bias.at[k], 1e-5);
    }
    vectors_close(&vectors);
}

/* 40 items that are said to be of class 0 with 0.9 and of 1 with 0.1 or the reverse; of
 * either 15 of 20 are right. */
static void check_counts(struct arena *arena)
{
    double probabilities[80], logarithms[80], weights[40], bias[2] = {0}, sum[2] = {0};
    size_t truth[40];
    struct learn_quantify_calibration fit = {1, bias};

    for (size_t i = 0; i < 40; i++) {
        probabilities[2 * i] = i < 20 ? 0.9 : 0.1;
        probabilities[2 * i + 1] = 1 - probabilities[2 * i];
        truth[i] = (i < 20) == (i % 4 == 0);
        weights[i] = 1;
    }
    learn_quantify_calibrate_logarithms(probabilities, 80, logarithms);
    learn_quantify_calibrate(logarithms, truth, weights, 40, 2, 30, &fit, arena);
    learn_quantify_calibrated(&fit, logarithms, 40, 2, probabilities);
    tap_case("right in 3 of 4: 0.9 becomes 0.75");
    CHECK_NEAR(probabilities[0], 0.75, 1e-3);
    CHECK_NEAR(probabilities[79], 0.75, 1e-3);
    tap_case("the mean of calibrated probabilities is the share of each class");
    truth[0] = truth[4] = truth[8] = 0; /* which makes class 0 more frequent */
    learn_quantify_calibrate(logarithms, truth, weights, 40, 2, 30, &fit, arena);
    learn_quantify_calibrated(&fit, logarithms, 40, 2, probabilities);
    for (size_t i = 0; i < 40; i++)
        for (size_t k = 0; k < 2; k++)
            sum[k] += probabilities[2 * i + k] - (truth[i] == k);
    CHECK_NEAR(sum[0], 0, 1e-2);
    CHECK_NEAR(sum[1], 0, 1e-2);
    tap_case("a classifier that is mostly wrong is not turned round");
    for (size_t i = 0; i < 40; i++)
        truth[i] = 1 - (i < 20) == (i % 4 == 0);
    fit = (struct learn_quantify_calibration){1, bias};
    learn_quantify_calibrate(logarithms, truth, weights, 40, 2, 30, &fit, arena);
    CHECK(fit.slope > 0);
}

static void calibrate_check_edges(struct arena *arena)
{
    const double probabilities[4] = {0, 1, 1, 0}, weights[2] = {1, 0};
    const size_t truth[2] = {0, 1};
    double logarithms[4], out[4], bias[2] = {0};
    struct learn_quantify_calibration fit = {1, bias};

    tap_case("a probability of 0 is no minus infinity");
    learn_quantify_calibrate_logarithms(probabilities, 4, logarithms);
    CHECK(isfinite(logarithms[0]) && logarithms[1] == 0);
    tap_case("a class without weight: finite, and rare");
    learn_quantify_calibrate(logarithms, truth, weights, 2, 2, 30, &fit, arena);
    learn_quantify_calibrated(&fit, logarithms, 2, 2, out);
    CHECK(isfinite(fit.slope) && isfinite(bias[0]) && isfinite(bias[1]));
    CHECK(out[1] < 0.1);
    tap_case("in place");
    double wanted = out[0];
    learn_quantify_calibrated(&fit, logarithms, 2, 2, logarithms);
    CHECK(logarithms[0] == wanted);
}

static void test_quantify_calibrate(void)
{
    struct arena arena = {0};

    calibrate_check_vectors();
    check_counts(&arena);
    calibrate_check_edges(&arena);
    arena_free(&arena);
}

/* Corrections with intervals: what must hold of them. How often intervals
 * hold the truth is tested in tests/property/quantify.c. */

static double nothing[100]; /* is left to 1 */

/* 40 labelled items, 10 of each kind of right and wrong; a set of 60 said to be 0. */
static void check_question(struct arena *arena)
{
    size_t truth[40], said[40], set_said[60], stratum[40] = {0};
    double weight[40], outside = 1 + 40.0 / 60, inside = 1 - 40.0 / 60, none = 0;
    double probabilities[80], set_probabilities[120];
    struct learn_quantify_share shares[6], again[6];

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
    struct learn_quantify_question question = {
        .classes = 2,
        .labelled = {40, said, truth, probabilities, nothing},
        .set = {60, set_said, NULL, set_probabilities, nothing},
        .drawn = {1, stratum, weight, &outside}};
    learn_quantify_corrected(&question, 0.95, arena, shares);
    tap_case("two thirds said, three quarters right: five sixths, by all three");
    for (size_t a = 0; a < 6; a += 2)
        CHECK_NEAR(shares[a].estimate, 5.0 / 6, 1e-3);
    tap_case("the estimate is inside its interval, and that inside 0 .. 1");
    for (size_t a = 0; a < 6; a++)
        CHECK(0 <= shares[a].low && shares[a].low < shares[a].estimate &&
              shares[a].estimate < shares[a].high && shares[a].high <= 1);
    tap_case(
        "labelled items of the set itself: narrower, and no width when they are all");
    question.drawn.variance = &inside;
    memcpy(again, shares, sizeof again);
    learn_quantify_corrected(&question, 0.95, arena, shares);
    CHECK(again[0].high - again[0].low > 1.2 * (shares[0].high - shares[0].low));
    question.drawn.variance = &none;
    question.set = (struct learn_quantify_seen){40, said, NULL, probabilities, nothing};
    learn_quantify_corrected(&question, 0.95, arena, shares);
    CHECK_NEAR(shares[0].estimate, 0.5, 1e-9);
    CHECK_NEAR(shares[4].estimate, 0.5, 1e-6);
    for (size_t a = 0; a < 6; a++)
        CHECK(shares[a].high == shares[a].low);
    tap_case("EM with the same probabilities for every item: no interval");
    for (size_t i = 0; i < 80; i++)
        probabilities[i] = 0.5;
    learn_quantify_corrected(&question, 0.95, arena, shares);
    CHECK_NEAR(shares[4].estimate, 0.5, 1e-12);
    CHECK(isnan(shares[4].low) && isnan(shares[4].high));
    tap_case("a class without labels: undefined");
    for (size_t i = 0; i < 40; i++)
        truth[i] = 0;
    learn_quantify_corrected(&question, 0.95, arena, again);
    for (size_t a = 0; a < 6; a++)
        CHECK(isnan(again[a].estimate) && isnan(again[a].low));
    tap_case("nothing is labelled: undefined");
    question.labelled.count = 0;
    learn_quantify_corrected(&question, 0.95, arena, again);
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
    struct learn_quantify_share shares[6];

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
    struct learn_quantify_question question = {
        .classes = 2,
        .labelled = {40, said, truth, probabilities, nothing},
        .set = {100, set_said, NULL, set_probabilities, nothing},
        .drawn = {2, stratum, weight, none}};
    learn_quantify_corrected(&question, 0.95, arena, shares);
    tap_case("labels count as often as the posts that they stand for");
    /* Right are 18 of 20 and 3 of 6: (18 x 50/30 + 3 x 5) / (20 x 50/30 + 6 x 5). Half
     * are said to be 0, and none of the others is said to be. */
    CHECK_NEAR(shares[0].estimate, 0.5 / (45 / (1000.0 / 30 + 30)), 1e-9);
}

/* Items of three classes, by what is predicted for them; the last of four is nothing.
 * `truth`: of which class they are, or 3. */
static void add_items(struct learn_quantify_seen *to, size_t truth, const size_t *counts)
{
    for (size_t said = 0; said < 4; said++)
        for (size_t i = 0; i < counts[said]; i++) {
            to->said[to->count] = said;
            if (truth < 3)
                to->truth[to->count] = truth;
            for (size_t k = 0; k < 3; k++)
                to->probabilities[3 * to->count + k] = said == 3   ? 0
                                                       : said == k ? 0.8
                                                                   : 0.1;
            to->none[to->count++] = said == 3;
        }
}

/* Labels of three classes drawn elsewhere, `right` of each of which are predicted as they
 * are and `wrong` as either of the others. */
static void ask(size_t right, size_t wrong, const size_t *set, struct arena *arena,
                struct learn_quantify_share *out)
{
    size_t labels = 3 * (right + 2 * wrong), items = set[0] + set[1] + set[2] + set[3];
    double variance = 1 + (double)labels / (double)items;
    double *weight = arena_array(arena, double, labels);
    struct learn_quantify_question question = {
        .classes = 3,
        .labelled = {0, arena_array(arena, size_t, labels),
                     arena_array(arena, size_t, labels),
                     arena_array(arena, double, 3 * labels),
                     arena_array(arena, double, labels)},
        .set = {0, arena_array(arena, size_t, items), NULL,
                arena_array(arena, double, 3 * items), arena_array(arena, double, items)},
        .drawn = {1, arena_array(arena, size_t, labels), weight, &variance}};

    for (size_t k = 0; k < 3; k++) {
        size_t counts[4] = {wrong, wrong, wrong, 0};
        counts[k] = right;
        add_items(&question.labelled, k, counts);
    }
    for (size_t i = 0; i < labels; i++)
        weight[i] = 1;
    add_items(&question.set, 3, set);
    learn_quantify_corrected(&question, 0.95, arena, out);
}

static void check_about(struct arena *arena)
{
    struct learn_quantify_share shares[9];

    tap_case("items without a prediction, of which none is labelled: as if not there");
    ask(76, 2, (size_t[]){350, 350, 350, 450}, arena, shares);
    for (size_t k = 0; k < 6; k++) {
        CHECK_NEAR(shares[k].estimate, 1.0 / 3, 1e-9);
        CHECK_NEAR((shares[k].low + shares[k].high) / 2, 1.0 / 3, 0.005);
        CHECK(shares[k].high - shares[k].low > 0.01);
    }
    tap_case("no item has a prediction: undefined, and says so");
    ask(76, 2, (size_t[]){0, 0, 0, 50}, arena, shares);
    for (size_t k = 0; k < 6; k++) {
        CHECK(isnan(shares[k].estimate) && isnan(shares[k].low));
        CHECK_TEXT(shares[k].undefined, "no item has a prediction");
    }
    tap_case("counts that no shares give: intervals are about what was estimated");
    ask(4000, 500, (size_t[]){20, 1200, 780, 0}, arena, shares);
    for (size_t k = 1; k < 3; k++) {
        CHECK(shares[k].estimate - shares[k].low > 0.01);
        CHECK(shares[k].high - shares[k].estimate > 0.01);
    }
    CHECK(shares[0].estimate < 1e-6 && shares[0].low <= shares[0].estimate &&
          shares[0].high > shares[0].estimate);
    tap_case("a class that is predicted for no item of the set: an interval for each");
    ask(76, 2, (size_t[]){35, 25, 0, 0}, arena, shares);
    for (size_t k = 0; k < 3; k++) {
        CHECK(shares[k].undefined == NULL);
        CHECK(shares[k].low <= shares[k].estimate &&
              shares[k].estimate < shares[k].high && shares[k].high < 0.8);
    }
    CHECK(shares[2].high < 0.1 && shares[0].low > 0.4);
}

static void test_quantify_resample(void)
{
    struct arena arena = {0};

    check_question(&arena);
    check_weights(&arena);
    check_about(&arena);
    arena_free(&arena);
}

int main(void)
{
    test_quantify_shift();
    test_quantify_calibrate();
    test_quantify_resample();
    return tap_done();
}
