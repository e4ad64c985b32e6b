/* Shares corrected for errors: against the inverted matrix (numpy.linalg.solve), and on
 * simulated corpora whose truth is known. */
#include "learn/quantify.h"

#include <math.h>

#include "base/rng.h"
#include "tests/tap.h"

static const double confusion[9] = {80, 20, 0, 10, 70, 20, 5, 15, 80};

static void check_adjust(struct arena *arena)
{
    const double counts[3] = {300, 420, 280}, border[3] = {1000, 0, 0};
    const double want[3] = {0.3024390244, 0.4634146341, 0.2341463415};
    const double unknown[9] = {80, 20, 0, 10, 70, 20, 0, 0, 0};
    double shares[3];

    tap_case("the inverted matrix");
    CHECK(quantify_adjust(confusion, counts, 3, shares, arena));
    for (size_t k = 0; k < 3; k++)
        CHECK_NEAR(shares[k], want[k], 1e-6);
    tap_case("never outside of 0 .. 1");
    CHECK(quantify_adjust(confusion, border, 3, shares, arena));
    CHECK_NEAR(shares[0], 1, 1e-3);
    CHECK(shares[1] >= 0 && shares[2] >= 0);
    tap_case("a class that was never judged: undefined");
    CHECK(!quantify_adjust(unknown, counts, 3, shares, arena) && isnan(shares[0]));
}

enum { JUDGED = 300, ITEMS = 2000 };

struct study {
    size_t truth[JUDGED], said[JUDGED], predicted[ITEMS];
    double probabilities[2 * ITEMS];
};

/* A classifier that is right in 80% of either class, in 70% of its cases sure of it. */
static size_t guess(struct rng *rng, size_t truth, double *probability)
{
    bool right = rng_unit(rng) < 0.8;
    size_t said = right ? truth : 1 - truth;

    *probability = said == 0 ? 0.8 : 0.2; /* of class 0, if both were equally frequent */
    return said;
}

static void simulate(struct study *study, uint64_t seed, double share)
{
    struct rng rng = rng_seeded(seed);
    double ignored;

    for (size_t i = 0; i < JUDGED; i++) {
        study->truth[i] = i % 2;
        study->said[i] = guess(&rng, i % 2, &ignored);
    }
    for (size_t i = 0; i < ITEMS; i++) {
        double first;
        study->predicted[i] = guess(&rng, rng_unit(&rng) < share ? 0 : 1, &first);
        study->probabilities[2 * i] = first;
        study->probabilities[2 * i + 1] = 1 - first;
    }
}

static void check_simulated(struct arena *arena)
{
    enum { STUDIES = 100 };
    const double prior[2] = {0.5, 0.5}, truth = 0.15;
    struct study *study = arena_array(arena, struct study, 1);
    int plain = 0, adjusted = 0;
    double em_off = 0;

    for (uint64_t s = 0; s < STUDIES; s++) {
        struct arena_mark mark = arena_mark(arena);
        simulate(study, s, truth);
        struct quantify found = quantify_shares(
            &(struct quantify_input){.classes = 2,
                                     .judged = JUDGED,
                                     .truth = study->truth,
                                     .said = study->said,
                                     .items = ITEMS,
                                     .predicted = study->predicted,
                                     .probabilities =
                                         s < 10 ? study->probabilities : NULL,
                                     .prior = prior,
                                     .level = 0.95,
                                     .resamples = 200,
                                     .seed = s},
            arena);
        plain += found.plain[0].low <= truth && truth <= found.plain[0].high;
        adjusted += found.adjusted[0].low <= truth && truth <= found.adjusted[0].high;
        if (s < 10)
            em_off += fabs(found.em[0].estimate - truth) / 10;
        else
            em_off += isnan(found.em[0].estimate) ? 0 : 1;
        arena_rewind(arena, mark);
    }
    tap_case("the adjusted interval holds the truth in about 95 of 100 studies");
    CHECK(adjusted >= 88);
    tap_case("the plain count does not");
    CHECK(plain <= 5);
    tap_case("EM comes near, and is undefined without probabilities");
    CHECK(em_off < 0.04);
}

int main(void)
{
    struct arena arena = {0};

    check_adjust(&arena);
    check_simulated(&arena);
    arena_free(&arena);
    return tap_done();
}
