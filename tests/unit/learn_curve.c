/* The law of learning curves against scipy (tests/vectors/make_quantify.py), and when a
 * forecast is refused. */
#include "learn/curve.h"

#include <math.h>

#include "base/rng.h"
#include "tests/vectors/read.h"

static const struct curve_options options = {300, 100, 0.95, 200, 1};

static void check_vectors(void)
{
    struct vectors vectors = vectors_open_file("tests/vectors/learn_quantify.csv");

    while (vectors_next(&vectors, "curve")) {
        struct values labels = vectors_values(&vectors, "labels"),
                      scores = vectors_values(&vectors, "scores"),
                      law = vectors_values(&vectors, "law");
        struct curve_forecast got = {0};
        double squares = 0;
        CHECK(curve_fit(labels, scores, &got));
        for (size_t i = 0; i < labels.count; i++) {
            double off =
                scores.at[i] - (got.highest - got.loss * pow(labels.at[i], -got.rate));
            squares += off * off;
        }
        CHECK_NEAR(squares, vectors_number(&vectors, "squares"), 1e-10);
        CHECK_NEAR(got.highest, law.at[0], 1e-3);
        CHECK_CLOSE(got.rate, law.at[2], 1e-2);
    }
    vectors_close(&vectors);
}

enum { STEPS = 5, RUNS = 10 };

/* a - b n^-0.5 with noise in every run. */
static void simulate(double a, double b, double noise, double *scores,
                     struct curve_step *steps)
{
    struct rng rng = rng_seeded(3);

    for (size_t s = 0; s < STEPS; s++) {
        double labels = 60.0 * (double)(s + 1);
        for (size_t r = 0; r < RUNS; r++)
            scores[s * RUNS + r] = a - b / sqrt(labels) + noise * rng_normal(&rng);
        steps[s] = (struct curve_step){labels, {scores + s * RUNS, RUNS}};
    }
}

static void check_forecast(struct arena *arena)
{
    double scores[STEPS * RUNS];
    struct curve_step steps[STEPS];
    struct curve_forecast got;

    simulate(0.8, 3, 0, scores, steps);
    got = curve_forecast(steps, STEPS, options, arena);
    tap_case("without noise the forecast is the law");
    CHECK(got.refused == NULL);
    CHECK_NEAR(got.now, 0.8 - 3 / sqrt(300), 1e-6);
    CHECK_NEAR(got.score, 0.8 - 3 / sqrt(400), 1e-6);
    CHECK_NEAR(got.gain, got.score - got.now, 1e-12);
    CHECK_NEAR(got.high - got.low, 0, 1e-6);
    tap_case("from another number of labels");
    struct curve_options fewer = {200, 50, 0.95, 200, 1};
    got = curve_forecast(steps, STEPS, fewer, arena);
    CHECK_NEAR(got.now, 0.8 - 3 / sqrt(200), 1e-6);
    CHECK_NEAR(got.score, 0.8 - 3 / sqrt(250), 1e-6);
    simulate(0.8, 3, 0.02, scores, steps);
    got = curve_forecast(steps, STEPS, options, arena);
    tap_case("with a little noise the interval holds it");
    CHECK(got.refused == NULL);
    CHECK(got.low <= 0.65 && 0.65 <= got.high && got.high - got.low < 0.08);
    tap_case("a flat curve is refused");
    simulate(0.7, 0, 0.02, scores, steps);
    got = curve_forecast(steps, STEPS, options, arena);
    CHECK(got.refused != NULL && strstr(got.refused, "flat") != NULL);
    CHECK(isnan(got.score) && isnan(got.low));
    tap_case("so is one that falls");
    simulate(0.7, -1, 0.01, scores, steps);
    CHECK(curve_forecast(steps, STEPS, options, arena).refused != NULL);
    tap_case("and one of too few steps");
    simulate(0.8, 3, 0, scores, steps);
    CHECK(curve_forecast(steps, 3, options, arena).refused != NULL);
    tap_case("and one with an undefined score");
    scores[7] = NAN;
    CHECK(curve_forecast(steps, STEPS, options, arena).refused != NULL);
    tap_case("up at the ends and down between: too noisy");
    for (size_t s = 0; s < STEPS; s++)
        for (size_t r = 0; r < RUNS; r++)
            scores[s * RUNS + r] = (s == 0           ? 0.6
                                    : s + 1 == STEPS ? 0.61
                                                     : 0.2) +
                                   (double)(r % 2) / 1e4;
    got = curve_forecast(steps, STEPS, options, arena);
    CHECK(got.refused != NULL && strstr(got.refused, "noisy") != NULL);
}

int main(void)
{
    struct arena arena = {0};

    check_vectors();
    check_forecast(&arena);
    arena_free(&arena);
    return tap_done();
}
