/* Fitting: probabilities add up, seeds and threads do what they should. */
#include "topic/lda.h"

#include "tests/unit/topic_planted.h"

static struct lda_model fit(const struct tokens *tokens, struct lda_settings settings,
                            struct arena *arena)
{
    struct lda_model model = {0};
    struct err err = {0};

    CHECK(lda_fit(tokens, &settings, arena, &model, &err));
    return model;
}

static bool same(const struct lda_model *a, const struct lda_model *b)
{
    return memcmp(a->words_given_topic, b->words_given_topic,
                  a->words * a->topics * sizeof(float)) == 0 &&
           memcmp(a->shares, b->shares, a->documents * a->topics * sizeof(float)) == 0 &&
           memcmp(a->alpha, b->alpha, a->topics * sizeof(double)) == 0 &&
           a->beta == b->beta;
}

static void check_sums(const struct lda_model *model, size_t tokens)
{
    double worst = 0;
    int64_t all = 0;

    for (size_t k = 0; k < model->topics; k++) {
        double sum = 0;
        for (size_t w = 0; w < model->words; w++)
            sum += lda_word(model, k, w);
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
            sum += lda_share(model, d, k);
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
    struct lda_settings settings = {
        .topics = 5, .iterations = 30, .seed = 1, .threads = 1, .shares = true};
    struct lda_model one = fit(&planted.tokens, settings, &arena);
    settings.threads = 3;
    struct lda_model three = fit(&planted.tokens, settings, &arena);
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
    struct lda_settings settings = {
        .topics = 4, .iterations = 60, .seed = 1, .threads = 1, .shares = true};
    struct lda_model model = fit(&planted.tokens, settings, &arena);
    check_sums(&model, 150 * 40);
    tap_case("alpha is learned, one for each topic");
    CHECK(model.alpha[0] != model.alpha[1]);
    tap_case("learned alphas are near those planted");
    CHECK(model.alpha[0] > 0.02 && model.alpha[0] < 0.5);
    struct lda_model again = fit(&planted.tokens, settings, &arena);
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
    struct tokens one = planted_tokens(lengths, 3, at, 1, &arena);
    struct tokens none = planted_tokens(lengths, 1, at, 0, &arena);
    struct lda_settings settings = {
        .topics = 1, .iterations = 1, .threads = 1, .shares = true};
    struct lda_model model = fit(&one, settings, &arena);

    tap_case("one token, one topic, one iteration");
    CHECK_NEAR(lda_word(&model, 0, 0), 1, 1e-6);
    CHECK_NEAR(lda_share(&model, 0, 0), 1, 1e-6);
    tap_case("no words are a problem");
    CHECK(lda_problem(&none, 1) != NULL);
    tap_case("more topics than words are a problem");
    CHECK(lda_problem(&one, 2) != NULL);
    tap_case("as many topics as words are none");
    CHECK(lda_problem(&one, 1) == NULL);
    arena_free(&arena);
}

int main(void)
{
    check_settings();
    check_threads();
    check_small();
    return tap_done();
}
