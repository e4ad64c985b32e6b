/* Digamma against SciPy; the fixed point against parameters that counts were drawn with.
 */
#include "topic/prior.h"

#include "tests/unit/topic_planted.h"
#include "tests/vectors/read.h"

static void check_digamma(void)
{
    struct vectors_file vectors = vectors_open_file("tests/vectors/topic.csv");

    while (vectors_next(&vectors, "digamma")) {
        struct values x = vectors_values(&vectors, "x");
        struct values want = vectors_values(&vectors, "digamma");
        for (size_t i = 0; i < x.count; i++)
            CHECK_NEAR(prior_digamma(x.at[i]), want.at[i],
                       1e-12 * fmax(1, fabs(want.at[i])));
    }
    vectors_close(&vectors);
}

/* Documents whose topics are drawn from a Dirichlet with these parameters. */
static void check_alpha(void)
{
    enum { TOPICS = 3, DOCUMENTS = 4000, LENGTH = 60 };
    static const double planted[TOPICS] = {0.1, 0.5, 2};
    struct arena arena = {0};
    struct rng rng = rng_seeded(3);
    int64_t *lengths = arena_array(&arena, int64_t, DOCUMENTS);
    int64_t *at = arena_array(&arena, int64_t, DOCUMENTS * LENGTH);
    uint16_t *topics = arena_array(&arena, uint16_t, DOCUMENTS * LENGTH);
    double alpha[TOPICS] = {1, 1, 1};

    for (size_t d = 0; d < DOCUMENTS; d++) {
        double theta[TOPICS];
        for (size_t k = 0; k < TOPICS; k++)
            theta[k] = planted_gamma(&rng, planted[k]) + 1e-300;
        lengths[d] = LENGTH;
        for (size_t i = 0; i < LENGTH; i++)
            topics[d * LENGTH + i] = (uint16_t)rng_weighted(&rng, theta, TOPICS);
    }
    struct tokens tokens = planted_tokens(lengths, DOCUMENTS, at, 1, &arena);
    struct prior_counts counts = {.topics = TOPICS, .topic_of = topics};
    for (int i = 0; i < 100; i++)
        prior_alpha(&tokens, &counts, alpha);
    for (size_t k = 0; k < TOPICS; k++) {
        tap_case("alpha %g is found again", planted[k]);
        CHECK_NEAR(alpha[k], planted[k], 0.1 * planted[k]);
    }
    arena_free(&arena);
}

static void check_beta(void)
{
    enum { TOPICS = 20, WORDS = 200, DRAWS = 3000 };
    struct arena arena = {0};
    struct rng rng = rng_seeded(4);
    int32_t *words = arena_array(&arena, int32_t, WORDS * TOPICS);
    int64_t totals[TOPICS], length = 0, at = 0;
    double phi[WORDS], beta = 1;

    for (size_t k = 0; k < TOPICS; k++) {
        planted_dirichlet(&rng, 0.2, phi, WORDS);
        for (int i = 0; i < DRAWS; i++)
            words[rng_weighted(&rng, phi, WORDS) * TOPICS + k]++;
        totals[k] = DRAWS;
    }
    struct tokens tokens = planted_tokens(&length, 1, &at, WORDS, &arena);
    struct prior_counts counts = {
        .topics = TOPICS, .stride = TOPICS, .words = words, .totals = totals};
    for (int i = 0; i < 100; i++)
        beta = prior_beta(&tokens, &counts, beta);
    tap_case("beta is found again");
    CHECK_NEAR(beta, 0.2, 0.02);
    tap_case("no counts leave alpha as it is");
    struct prior_counts none = {.topics = 1};
    double alpha = 0.7;
    prior_alpha(&tokens, &none, &alpha);
    CHECK_NEAR(alpha, 0.7, 0);
    arena_free(&arena);
}

int main(void)
{
    check_digamma();
    check_alpha();
    check_beta();
    return tap_done();
}
