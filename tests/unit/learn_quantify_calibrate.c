/* Calibration on labels against scipy (tests/vectors/make_quantify.py), and what must
 * hold of it. */
#include "learn/quantify_calibrate.h"

#include <math.h>

#include "tests/vectors/read.h"

static void check_vectors(void)
{
    struct vectors vectors = vectors_open_file("tests/vectors/learn_quantify.csv");

    while (vectors_next(&vectors, "calibration")) {
        struct values truth = vectors_values(&vectors, "truth"),
                      bias = vectors_values(&vectors, "bias");
        size_t *classes = arena_array(&vectors.arena, size_t, truth.count);
        struct quantify_calibration fit = {
            1, arena_array(&vectors.arena, double, bias.count)};
        for (size_t i = 0; i < truth.count; i++)
            classes[i] = (size_t)truth.at[i];
        quantify_calibrate(vectors_values(&vectors, "logarithms").at, classes,
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
    struct quantify_calibration fit = {1, bias};

    for (size_t i = 0; i < 40; i++) {
        probabilities[2 * i] = i < 20 ? 0.9 : 0.1;
        probabilities[2 * i + 1] = 1 - probabilities[2 * i];
        truth[i] = (i < 20) == (i % 4 == 0);
        weights[i] = 1;
    }
    quantify_calibrate_logarithms(probabilities, 80, logarithms);
    quantify_calibrate(logarithms, truth, weights, 40, 2, 30, &fit, arena);
    quantify_calibrated(&fit, logarithms, 40, 2, probabilities);
    tap_case("right in 3 of 4: 0.9 becomes 0.75");
    CHECK_NEAR(probabilities[0], 0.75, 1e-3);
    CHECK_NEAR(probabilities[79], 0.75, 1e-3);
    tap_case("the mean of calibrated probabilities is the share of each class");
    truth[0] = truth[4] = truth[8] = 0; /* which makes class 0 more frequent */
    quantify_calibrate(logarithms, truth, weights, 40, 2, 30, &fit, arena);
    quantify_calibrated(&fit, logarithms, 40, 2, probabilities);
    for (size_t i = 0; i < 40; i++)
        for (size_t k = 0; k < 2; k++)
            sum[k] += probabilities[2 * i + k] - (truth[i] == k);
    CHECK_NEAR(sum[0], 0, 1e-2);
    CHECK_NEAR(sum[1], 0, 1e-2);
    tap_case("a classifier that is mostly wrong is not turned round");
    for (size_t i = 0; i < 40; i++)
        truth[i] = 1 - (i < 20) == (i % 4 == 0);
    fit = (struct quantify_calibration){1, bias};
    quantify_calibrate(logarithms, truth, weights, 40, 2, 30, &fit, arena);
    CHECK(fit.slope > 0);
}

static void check_edges(struct arena *arena)
{
    const double probabilities[4] = {0, 1, 1, 0}, weights[2] = {1, 0};
    const size_t truth[2] = {0, 1};
    double logarithms[4], out[4], bias[2] = {0};
    struct quantify_calibration fit = {1, bias};

    tap_case("a probability of 0 is no minus infinity");
    quantify_calibrate_logarithms(probabilities, 4, logarithms);
    CHECK(isfinite(logarithms[0]) && logarithms[1] == 0);
    tap_case("a class without weight: finite, and rare");
    quantify_calibrate(logarithms, truth, weights, 2, 2, 30, &fit, arena);
    quantify_calibrated(&fit, logarithms, 2, 2, out);
    CHECK(isfinite(fit.slope) && isfinite(bias[0]) && isfinite(bias[1]));
    CHECK(out[1] < 0.1);
    tap_case("in place");
    double wanted = out[0];
    quantify_calibrated(&fit, logarithms, 2, 2, logarithms);
    CHECK(logarithms[0] == wanted);
}

int main(void)
{
    struct arena arena = {0};

    check_vectors();
    check_counts(&arena);
    check_edges(&arena);
    arena_free(&arena);
    return tap_done();
}
