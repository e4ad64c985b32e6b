/* Prediction-powered means against numpy (tests/vectors/make_quantify.py), and what must
 * hold at the edges. */
#include "learn/quantify.h"

#include <math.h>

#include "tests/vectors/read.h"

static void check_vectors(void)
{
    struct vectors vectors = vectors_open_file("tests/vectors/learn_quantify.csv");
    double z = interval_z(0.95);

    while (vectors_next(&vectors, "ppi")) {
        struct values truth = vectors_values(&vectors, "truth"),
                      predicted = vectors_values(&vectors, "predicted"),
                      unlabelled = vectors_values(&vectors, "unlabelled");
        struct quantify_powered got =
            quantify_powered(truth, predicted, unlabelled, 0.95);
        CHECK_NEAR(got.estimate, vectors_number(&vectors, "estimate"), 1e-13);
        CHECK_NEAR(got.lambda, vectors_number(&vectors, "lam"), 1e-13);
        CHECK_NEAR(got.error_beyond, vectors_number(&vectors, "error"), 1e-13);
        CHECK_NEAR(got.estimate - z * got.error_beyond, vectors_number(&vectors, "low"),
                   1e-13);
        CHECK_NEAR(got.estimate + z * got.error_beyond, vectors_number(&vectors, "high"),
                   1e-13);
        CHECK(got.low < got.estimate && got.estimate < got.high);
    }
    vectors_close(&vectors);
}

/* The mean over strata from labels alone, and with predictions. */
static void check_strata(void)
{
    struct vectors vectors = vectors_open_file("tests/vectors/learn_quantify.csv");

    while (vectors_next(&vectors, "strata")) {
        struct values sizes = vectors_values(&vectors, "sizes"),
                      labelled = vectors_values(&vectors, "labelled");
        const double *truth = vectors_values(&vectors, "truth").at;
        const double *predicted = vectors_values(&vectors, "predicted").at;
        const double *unlabelled = vectors_values(&vectors, "unlabelled").at;
        struct quantify_stratum strata[3];
        double all = 0, drawn = 0;
        for (size_t h = 0; h < sizes.count; h++) {
            size_t n = (size_t)labelled.at[h], m = (size_t)sizes.at[h] - n;
            strata[h] =
                (struct quantify_stratum){{truth, n}, {predicted, n}, {unlabelled, m}};
            truth += n;
            predicted += n;
            unlabelled += m;
            all += sizes.at[h];
            drawn += labelled.at[h];
        }
        struct quantify_powered alone =
            quantify_powered_strata(strata, sizes.count, false, 0.95);
        CHECK_NEAR(alone.estimate, vectors_number(&vectors, "alone"), 1e-13);
        CHECK_NEAR(alone.error, vectors_number(&vectors, "alone_error"), 1e-13);
        struct quantify_powered powered =
            quantify_powered_strata(strata, sizes.count, true, 0.95);
        CHECK_NEAR(powered.estimate, vectors_number(&vectors, "powered"), 1e-13);
        CHECK_NEAR(powered.lambda * all / (all - drawn),
                   vectors_number(&vectors, "slope"), 1e-13);
        CHECK_NEAR(powered.error, vectors_number(&vectors, "powered_error"), 1e-13);
        CHECK(powered.high - powered.low < alone.high - alone.low);
        CHECK(powered.low < powered.estimate && powered.estimate < powered.high);
    }
    vectors_close(&vectors);
}

static void check_strata_edges(void)
{
    const double ones[6] = {1, 1, 1, 1, 1, 1}, zeros[94] = {0};
    struct quantify_stratum strata[2] = {{{zeros, 6}, {zeros, 6}, {zeros, 94}},
                                         {{zeros, 6}, {zeros, 6}, {zeros, 4}}};
    struct quantify_powered got = quantify_powered_strata(strata, 2, true, 0.95);

    tap_case("no stratum has the class: an interval as wide as its labels allow");
    CHECK(got.estimate == 0 && got.low == 0);
    CHECK(got.high > interval_wilson(0, 12, 0.95).high);
    tap_case("a stratum all of it, another none: not as sure as it looks");
    strata[1].truth.at = ones;
    got = quantify_powered_strata(strata, 2, false, 0.95);
    CHECK_NEAR(got.estimate, 10.0 / 110, 1e-12);
    CHECK(got.error == 0 && got.high > 0.4);
    tap_case("predictions without an error: the truth, whichever posts were drawn");
    for (size_t first = 5; first <= 8; first++) {
        double is[2][40] = {{0}};
        for (size_t i = 0; i < 8; i++)
            is[0][i < first ? i : 32 + i] = is[1][i] = is[1][39 - i] = 1;
        for (size_t h = 0; h < 2; h++)
            strata[h] = (struct quantify_stratum){{is[h], 12 + 8 * h},
                                                  {is[h], 12 + 8 * h},
                                                  {is[h] + 12 + 8 * h, 28 - 8 * h}};
        got = quantify_powered_strata(strata, 2, true, 0.95);
        CHECK_NEAR(got.estimate, 24.0 / 80, 1e-14);
        CHECK_NEAR(got.error, 0, 1e-7);
        CHECK(got.low < got.estimate && got.estimate < got.high);
    }
    tap_case("all are labelled: the count, without an error");
    strata[0] = (struct quantify_stratum){{zeros, 6}, {zeros, 6}, {zeros, 94}};
    strata[1] = (struct quantify_stratum){{ones, 6}, {zeros, 6}, {zeros, 4}};
    strata[0].unlabelled.count = strata[1].unlabelled.count = 0;
    got = quantify_powered_strata(strata, 2, true, 0.95);
    CHECK(got.estimate == 0.5 && got.low == 0.5 && got.high == 0.5);
}

/* Sixteen labels, half of them 1; predictions are as given, others are all `other`. */
static struct quantify_powered of(const double *predicted, double other, size_t others,
                                  double *truth)
{
    static double unlabelled[48];

    for (size_t i = 0; i < 16; i++)
        truth[i] = i % 2 == 0;
    for (size_t i = 0; i < others; i++)
        unlabelled[i] = i % 2 == 0 ? other : 1 - other;
    return quantify_powered((struct values){truth, 16}, (struct values){predicted, 16},
                            (struct values){unlabelled, others}, 0.95);
}

int main(void)
{
    double truth[16], perfect[16], constant[16];
    struct quantify_powered got;

    check_vectors();
    check_strata();
    check_strata_edges();
    for (size_t i = 0; i < 16; i++) {
        perfect[i] = i % 2 == 0;
        constant[i] = 0.3;
    }
    tap_case("all are labelled: the count, without an error");
    got = of(perfect, 0, 0, truth);
    CHECK(got.estimate == 0.5 && got.error == 0 && got.low == 0.5 && got.high == 0.5);
    tap_case("perfect predictions: no error is left in the set itself");
    got = of(perfect, 1, 48, truth);
    CHECK_NEAR(got.lambda, 0.75, 1e-12); /* 48 of 64 */
    CHECK_NEAR(got.error, 0, 1e-9);
    CHECK(got.error_beyond > 0.06);
    tap_case("and yet the interval is not a point: 16 labels do not show perfection");
    CHECK(got.high - got.low > 0.1);
    tap_case("predictions without information: labels alone, for a finite set");
    got = of(constant, 0.3, 48, truth);
    struct interval alone = interval_wilson_finite(8, 16, 64, 0.95);
    CHECK(got.lambda == 0 && got.estimate == 0.5);
    CHECK_NEAR(got.low, alone.low, 1e-12);
    CHECK_NEAR(got.high, alone.high, 1e-12);
    tap_case("the error is that of a sample without replacement");
    CHECK_NEAR(got.error, sqrt(0.25 * 16 / 14 / 16 * 48 / 64), 1e-12);
    tap_case("fewer than 5 of a label: predictions are not used");
    for (size_t i = 0; i < 16; i++)
        truth[i] = perfect[i] = i < 4;
    got = quantify_powered((struct values){truth, 16}, (struct values){perfect, 16},
                           (struct values){perfect, 16}, 0.95);
    CHECK(got.lambda == 0 && got.estimate == 0.25);
    truth[4] = perfect[4] = 1;
    got = quantify_powered((struct values){truth, 16}, (struct values){perfect, 16},
                           (struct values){perfect, 16}, 0.95);
    CHECK(got.lambda > 0);
    tap_case("the estimate stays within 0 .. 1");
    for (size_t i = 0; i < 16; i++) {
        truth[i] = i < 5;
        perfect[i] = i < 5;
        constant[i] = -0.4;
    }
    got = quantify_powered((struct values){truth, 16}, (struct values){perfect, 16},
                           (struct values){constant, 16}, 0.95);
    CHECK(got.estimate == 0 && got.low == 0 && got.high > 0);
    tap_case("two labels say nothing");
    got = quantify_powered((struct values){truth, 2}, (struct values){perfect, 2},
                           (struct values){constant, 16}, 0.95);
    CHECK(isnan(got.estimate) && isnan(got.low));
    tap_case("an interval set anew follows its estimate");
    got = (struct quantify_powered){.estimate = 0.2, .size = 40};
    quantify_powered_move(&got, 0.25, 0.95);
    CHECK_NEAR(got.low, interval_wilson(10, 40, 0.95).low, 1e-14);
    CHECK_NEAR(got.high, interval_wilson(10, 40, 0.95).high, 1e-14);
    tap_case("without a size it moves along, within 0 .. 1");
    got =
        (struct quantify_powered){.estimate = 0.2, .low = 0.1, .high = 0.4, .size = NAN};
    quantify_powered_move(&got, 0.05, 0.95);
    CHECK(got.estimate == 0.05 && got.low == 0);
    CHECK_NEAR(got.high, 0.25, 1e-14);
    return tap_done();
}
