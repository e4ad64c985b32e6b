/* Topic models: planted topics are found, priors learned, perplexity is right. */
#include "topic/topic.h"

#include "tests/unit/topic_planted.h"
#include "tests/vectors/read.h"
#include "topic/internal.h"

/* Fitting: probabilities add up, seeds and threads do what they should. */

static struct topic_lda_model fit(const struct topic_tokens *tokens,
                                  struct topic_lda_settings settings, struct arena *arena)
{
    struct topic_lda_model model = {0};
    struct err err = {0};

    CHECK(topic_lda_fit(tokens, &settings, arena, &model, &err));
    return model;
}

static bool same(const struct topic_lda_model *a, const struct topic_lda_model *b)
{
    return memcmp(a->words_given_topic, b->words_given_topic,
                  a->words * a->topics * sizeof(float)) == 0 &&
           memcmp(a->shares, b->shares, a->documents * a->topics * sizeof(float)) == 0 &&
           memcmp(a->alpha, b->alpha, a->topics * sizeof(double)) == 0 &&
           a->beta == b->beta;
}

static void check_sums(const struct topic_lda_model *model, size_t tokens)
{
    double worst = 0;
    int64_t all = 0;

    for (size_t k = 0; k < model->topics; k++) {
        double sum = 0;
        for (size_t w = 0; w < model->words; w++)
            sum += topic_lda_word(model, k, w);
        worst = fmax(worst, fabs(sum - 1));
        all += model->tokens[k];
    }
    tap_case("words of a topic add up to 1");
    CHECK(worst < 1e-5);
    tap_case("every token has a topic");
    CHECK(all == (int64_t)tokens);
    worst = 0;
    for (size_t d = 0; d < model->documents; d++) {
        double sum = 0;
        for (size_t k = 0; k < model->topics; k++)
            sum += topic_lda_share(model, d, k);
        worst = fmax(worst, fabs(sum - 1));
    }
    tap_case("shares of a document add up to 1");
    CHECK(worst < 1e-5);
    tap_case("the first topic has the most tokens");
    for (size_t k = 1; k < model->topics; k++)
        CHECK(model->tokens[k - 1] >= model->tokens[k]);
}

/* Enough tokens for several blocks. */
static void check_threads(void)
{
    struct arena arena = {0};
    struct planted planted = {
        .topics = 5, .words = 200, .documents = 6500, .length = 50, .seed = 2};

    planted_draw(&planted, &arena);
    struct topic_lda_settings settings = {
        .topics = 5, .iterations = 30, .seed = 1, .threads = 1, .shares = true};
    struct topic_lda_model one = fit(&planted.tokens, settings, &arena);
    settings.threads = 3;
    struct topic_lda_model three = fit(&planted.tokens, settings, &arena);
    tap_case("three threads give the same bytes as one");
    CHECK(same(&one, &three));
    arena_free(&arena);
}

static void check_settings(void)
{
    struct arena arena = {0};
    struct planted planted = {
        .topics = 4, .words = 60, .documents = 150, .length = 40, .seed = 1};

    planted_draw(&planted, &arena);
    struct topic_lda_settings settings = {
        .topics = 4, .iterations = 60, .seed = 1, .threads = 1, .shares = true};
    struct topic_lda_model model = fit(&planted.tokens, settings, &arena);
    check_sums(&model, 150 * 40);
    tap_case("alpha is learned, one for each topic");
    CHECK(model.alpha[0] != model.alpha[1]);
    tap_case("learned alphas are near those planted");
    CHECK(model.alpha[0] > 0.02 && model.alpha[0] < 0.5);
    struct topic_lda_model again = fit(&planted.tokens, settings, &arena);
    tap_case("the same seed gives the same bytes");
    CHECK(same(&model, &again));
    settings.portable = true;
    again = fit(&planted.tokens, settings, &arena);
    tap_case("so does a processor without vectors");
    CHECK(same(&model, &again));
    settings.seed = 2;
    again = fit(&planted.tokens, settings, &arena);
    tap_case("another seed gives others");
    CHECK(!same(&model, &again));
    settings.alpha = 0.3;
    settings.beta = 0.02;
    again = fit(&planted.tokens, settings, &arena);
    tap_case("priors that are given stay");
    CHECK(again.alpha[0] == 0.3 && again.alpha[3] == 0.3 && again.beta == 0.02);
    settings.shares = false;
    tap_case("shares only where wanted");
    CHECK(fit(&planted.tokens, settings, &arena).shares == NULL);
    arena_free(&arena);
}

static void check_small(void)
{
    struct arena arena = {0};
    int64_t lengths[] = {0, 1, 0}, at[] = {0};
    struct topic_tokens one = planted_tokens(lengths, 3, at, 1, &arena);
    struct topic_tokens none = planted_tokens(lengths, 1, at, 0, &arena);
    struct topic_lda_settings settings = {
        .topics = 1, .iterations = 1, .threads = 1, .shares = true};
    struct topic_lda_model model = fit(&one, settings, &arena);

    tap_case("one token, one topic, one iteration");
    CHECK_NEAR(topic_lda_word(&model, 0, 0), 1, 1e-6);
    CHECK_NEAR(topic_lda_share(&model, 0, 0), 1, 1e-6);
    tap_case("no words are a problem");
    CHECK(topic_lda_problem(&none, 1) != NULL);
    tap_case("more topics than words are a problem");
    CHECK(topic_lda_problem(&one, 2) != NULL);
    tap_case("as many topics as words are none");
    CHECK(topic_lda_problem(&one, 1) == NULL);
    arena_free(&arena);
}

static void test_lda(void)
{
    check_settings();
    check_threads();
    check_small();
}

/* Digamma against SciPy; the fixed point against parameters that counts were drawn with.
 */

static void check_digamma(void)
{
    struct vectors_file vectors = vectors_open_file("tests/vectors/topic.csv");

    while (vectors_next(&vectors, "digamma")) {
        struct stats_values x = vectors_values(&vectors, "x");
        struct stats_values want = vectors_values(&vectors, "digamma");
        for (size_t i = 0; i < x.count; i++)
            CHECK_NEAR(topic_prior_digamma(x.at[i]), want.at[i],
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
    struct topic_tokens tokens = planted_tokens(lengths, DOCUMENTS, at, 1, &arena);
    struct topic_prior_counts counts = {.topics = TOPICS, .topic_of = topics};
    for (int i = 0; i < 100; i++)
        topic_prior_alpha(&tokens, &counts, alpha);
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
    struct topic_tokens tokens = planted_tokens(&length, 1, &at, WORDS, &arena);
    struct topic_prior_counts counts = {
        .topics = TOPICS, .stride = TOPICS, .words = words, .totals = totals};
    for (int i = 0; i < 100; i++)
        beta = topic_prior_beta(&tokens, &counts, beta);
    tap_case("beta is found again");
    CHECK_NEAR(beta, 0.2, 0.02);
    tap_case("no counts leave alpha as it is");
    struct topic_prior_counts none = {.topics = 1};
    double alpha = 0.7;
    topic_prior_alpha(&tokens, &none, &alpha);
    CHECK_NEAR(alpha, 0.7, 0);
    arena_free(&arena);
}

static void test_prior(void)
{
    check_digamma();
    check_alpha();
    check_beta();
}

/* Perplexity against an independent computation, and of models that are known. */

static float *floats(struct stats_values values, struct arena *arena)
{
    float *out = arena_array(arena, float, values.count + 1);

    for (size_t i = 0; i < values.count; i++)
        out[i] = (float)values.at[i];
    return out;
}

static void check_vectors(void)
{
    struct vectors_file vectors = vectors_open_file("tests/vectors/topic.csv");

    while (vectors_next(&vectors, "perplexity")) {
        struct stats_values alpha = vectors_values(&vectors, "alpha");
        struct stats_values lengths = vectors_values(&vectors, "lengths");
        size_t words = (size_t)vectors_number(&vectors, "vocabulary");
        struct topic_tokens tokens =
            planted_tokens(vectors_ints(&vectors, "lengths"), lengths.count,
                           vectors_ints(&vectors, "at"), words, &vectors.arena);
        struct topic_lda_model model = {
            .topics = alpha.count,
            .words = words,
            .alpha = alpha.at,
            .words_given_topic = floats(vectors_values(&vectors, "phi"), &vectors.arena)};
        CHECK_CLOSE(topic_heldout_perplexity(&model, &tokens),
                    vectors_number(&vectors, "perplexity"), 1e-10);
    }
    vectors_close(&vectors);
}

static void check_known(void)
{
    struct arena arena = {0};
    float even[] = {0.25F, 0.25F, 0.25F, 0.25F};
    double alpha[] = {1};
    struct topic_lda_model model = {
        .topics = 1, .words = 4, .alpha = alpha, .words_given_topic = even};
    int64_t lengths[] = {4, 1, 0, 3}, at[] = {0, 1, 2, 3, 0, 1, 1, 1};
    struct topic_tokens tokens = planted_tokens(lengths, 4, at, 4, &arena);
    struct topic_tokens short_ones = planted_tokens(lengths + 1, 2, at, 4, &arena);

    tap_case("four equally likely words: 4");
    CHECK_NEAR(topic_heldout_perplexity(&model, &tokens), 4, 1e-12);
    tap_case("no document has two words: undefined");
    CHECK_NEAR(topic_heldout_perplexity(&model, &short_ones), NAN, 0);
    arena_free(&arena);
}

static void check_pick(void)
{
    static const struct {
        const char *name;
        size_t documents, held;
    } rows[] = {{"none", 0, 0},
                {"one stays", 1, 0},
                {"one of two", 2, 1},
                {"one of nineteen", 19, 1},
                {"a tenth", 1000, 100}};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct arena arena = {0};
        bool *held = topic_heldout_pick(rows[i].documents, 1, &arena);
        size_t count = 0;
        for (size_t d = 0; d < rows[i].documents; d++)
            count += held[d];
        tap_case("held out: %s", rows[i].name);
        CHECK(count == rows[i].held);
        arena_free(&arena);
    }
}

static void test_heldout(void)
{
    check_vectors();
    check_known();
    check_pick();
}

int main(void)
{
    test_lda();
    test_prior();
    test_heldout();
    return tap_done();
}
