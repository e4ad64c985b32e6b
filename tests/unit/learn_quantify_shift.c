/* Adjusted counts and EM against numpy (tests/vectors/make_quantify.py). */
#include "learn/quantify_shift.h"

#include <math.h>

#include "base/rng.h"
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
    quantify_em(probabilities, 60, prior, 2, shares, arena);
    CHECK_NEAR(shares[0], 0, 1e-6);
    CHECK_NEAR(shares[1], 1, 1e-6);
    tap_case("2x + y = 5, x + 3y = 10");
    double copy[6], none[6] = {1, 2, 1, 2, 4, 1};
    memcpy(copy, rows, sizeof copy);
    CHECK(quantify_shift_solve(copy, 2, shares));
    CHECK_NEAR(shares[0], 1, 1e-12);
    CHECK_NEAR(shares[1], 3, 1e-12);
    tap_case("rows that say the same: no single solution");
    CHECK(!quantify_shift_solve(none, 2, shares));
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
        quantify_em(probabilities, items, prior, classes, shares, arena);
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

int main(void)
{
    struct arena arena = {0};

    check_vectors();
    check_edges(&arena);
    check_border(&arena);
    check_leaps(&arena);
    arena_free(&arena);
    return tap_done();
}
