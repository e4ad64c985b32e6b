/* BCa against R's boot.ci on the same resamples; the drawing against what theory says. */
#include "stats/bootstrap.h"

#include "base/rng.h"
#include "stats/values.h"
#include "tests/vectors/read.h"

static void check_against_r(void)
{
    struct vectors_file vectors = vectors_open("bootstrap");

    while (vectors_next(&vectors, "bca")) {
        struct stats_bootstrap got = stats_bootstrap_bca_from(
            vectors_number(&vectors, "estimate"), vectors_values(&vectors, "resampled"),
            vectors_values(&vectors, "without"), vectors_number(&vectors, "level"),
            &vectors.arena);
        CHECK(got.undefined == NULL);
        CHECK_CLOSE(got.low, vectors_number(&vectors, "low"), 1e-10);
        CHECK_CLOSE(got.high, vectors_number(&vectors, "high"), 1e-10);
    }
    vectors_close(&vectors);
}

/* The mean of the items' values. */
static double mean(const size_t *items, size_t count, void *context)
{
    const double *values = context;
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += values[items[i]];
    return sum / (double)count;
}

static double nothing(const size_t *items, size_t count, void *context)
{
    (void)items;
    (void)count;
    (void)context;
    return NAN;
}

/* Defined only while the first item is there. */
static double with_first(const size_t *items, size_t count, void *context)
{
    for (size_t i = 0; i < count; i++)
        if (items[i] == 0)
            return mean(items, count, context);
    return NAN;
}

int main(void)
{
    struct stats_bootstrap_options options = {
        .level = 0.95, .resamples = 4000, .seed = 42};
    double values[50], ones[5] = {1, 1, 1, 1, 1};
    struct rng rng = rng_seeded(3);
    struct arena arena = {0};
    struct stats_bootstrap got, again;
    double error;

    check_against_r();
    for (int i = 0; i < 50; i++)
        values[i] = rng_normal(&rng);
    error = stats_sd((struct stats_values){values, 50}) / sqrt(50);
    tap_case("the mean of fifty: near the normal interval");
    got = stats_bootstrap_bca(mean, values, 50, options, &arena);
    CHECK_NEAR(got.estimate, stats_mean((struct stats_values){values, 50}), 1e-15);
    CHECK_NEAR(got.std_error, error, 0.05 * error);
    CHECK_NEAR(got.low, got.estimate - 1.96 * error, 0.2 * error);
    CHECK_NEAR(got.high, got.estimate + 1.96 * error, 0.2 * error);
    CHECK(fabs(got.bias) < 0.1 && fabs(got.acceleration) < 0.05);
    tap_case("the same seed gives the same bytes, another seed others");
    again = stats_bootstrap_bca(mean, values, 50, options, &arena);
    CHECK(got.low == again.low && got.high == again.high);
    options.seed++;
    again = stats_bootstrap_bca(mean, values, 50, options, &arena);
    CHECK(got.low != again.low && got.high != again.high);
    tap_case("undefined: a statistic that never moves");
    got = stats_bootstrap_bca(mean, ones, 5, options, &arena);
    CHECK(got.estimate == 1 && isnan(got.low));
    CHECK_TEXT(got.undefined, "all resamples are on one side of the estimate");
    tap_case("undefined: the statistic itself, or of some resamples, or one item");
    CHECK_TEXT(stats_bootstrap_bca(nothing, NULL, 5, options, &arena).undefined,
               "the statistic is undefined");
    CHECK_TEXT(stats_bootstrap_bca(with_first, values, 5, options, &arena).undefined,
               "the statistic is undefined for some resamples");
    CHECK_TEXT(stats_bootstrap_bca(mean, ones, 1, options, &arena).undefined,
               "there are fewer than two items");
    arena_free(&arena);
    return tap_done();
}
