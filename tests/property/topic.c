/* What must hold for any documents: planted topics come back, nothing is lost, threads
 * and processors do not matter. */
#include "topic/internal.h"

#include "tests/unit/topic_planted.h"

enum { ROUNDS = 4 };

static struct topic_lda_model fit(const struct topic_tokens *tokens,
                                  struct topic_lda_settings settings, struct arena *arena)
{
    struct topic_lda_model model = {0};
    struct err err = {0};

    CHECK(topic_lda_fit(tokens, &settings, arena, &model, &err));
    return model;
}

/* The cosine between a planted topic and one that was found. */
static double likeness(const struct planted *planted, const struct topic_lda_model *model,
                       size_t topic, size_t found)
{
    const double *phi = planted->phi + topic * planted->words;
    double product = 0, first = 0, second = 0;

    for (size_t w = 0; w < planted->words; w++) {
        double other = topic_lda_word(model, found, w);
        product += phi[w] * other;
        first += phi[w] * phi[w];
        second += other * other;
    }
    return product / sqrt(first * second);
}

/* The least cosine of a planted topic with its partner. */
static double recovered(const struct planted *planted,
                        const struct topic_lda_model *model, struct arena *arena)
{
    size_t topics = planted->topics, *to = arena_array(arena, size_t, topics);
    double *like = arena_array(arena, double, topics *topics), least = 1;

    for (size_t i = 0; i < topics; i++)
        for (size_t j = 0; j < topics; j++)
            like[i * topics + j] = likeness(planted, model, i, j);
    topic_stability_match(like, topics, arena, to);
    for (size_t i = 0; i < topics; i++)
        least = fmin(least, like[i * topics + to[i]]);
    return least;
}

static void check_planted(void)
{
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct arena arena = {0};
        struct planted planted = {.topics = 3 + 3 * round,
                                  .words = 200,
                                  .documents = 600,
                                  .length = 60,
                                  .seed = round};
        planted_draw(&planted, &arena);
        struct topic_lda_model model =
            fit(&planted.tokens,
                (struct topic_lda_settings){.topics = planted.topics,
                                            .iterations = 150,
                                            .seed = 10 + round,
                                            .threads = 1},
                &arena);
        tap_case("all of %zu planted topics are found", planted.topics);
        CHECK(recovered(&planted, &model, &arena) > 0.9);
        arena_free(&arena);
    }
}

/* Documents of random lengths, some empty, one long. */
static struct topic_tokens random_documents(struct rng *rng, size_t documents,
                                            size_t words, struct arena *arena)
{
    int64_t *lengths = arena_array(arena, int64_t, documents + 1);
    int64_t *at = arena_array(arena, int64_t, documents * 30 + 3000), all = 0;

    for (size_t d = 0; d < documents; d++)
        all += lengths[d] = d == documents / 2 ? 2000 : (int64_t)rng_below(rng, 30);
    for (int64_t i = 0; i < all; i++)
        at[i] = (int64_t)rng_below(rng, rng_below(rng, words) + 1);
    return planted_tokens(lengths, documents, at, words, arena);
}

static void check_random(void)
{
    bool whole = true, same = true, sound = true;

    for (uint64_t round = 0; round < 3 * ROUNDS; round++) {
        struct arena arena = {0};
        struct rng rng = rng_seeded(50 + round);
        size_t words = 2 + rng_below(&rng, 100), topics = 1 + rng_below(&rng, words);
        struct topic_tokens tokens =
            random_documents(&rng, 1 + rng_below(&rng, 60), words, &arena);
        struct topic_lda_settings settings = {.topics = topics,
                                              .iterations =
                                                  1 + (int64_t)rng_below(&rng, 40),
                                              .seed = round,
                                              .threads = 1,
                                              .shares = true};
        struct topic_lda_model model = fit(&tokens, settings, &arena);
        settings.portable = true;
        settings.threads = 2;
        struct topic_lda_model plain = fit(&tokens, settings, &arena);
        int64_t all = 0;
        for (size_t k = 0; k < topics; k++)
            all += model.tokens[k];
        whole = whole && all == (int64_t)tokens.begin[tokens.documents];
        same = same && memcmp(model.shares, plain.shares,
                              tokens.documents * topics * sizeof(float)) == 0;
        for (size_t i = 0; i < words * topics; i++)
            sound = sound && model.words_given_topic[i] > 0 &&
                    model.words_given_topic[i] <= 1;
        double perplexity = topic_heldout_perplexity(&model, &tokens);
        sound = sound && (isnan(perplexity) || perplexity >= 1);
        arena_free(&arena);
    }
    tap_case("every token keeps a topic");
    CHECK(whole);
    tap_case("the same bytes without vectors and with other threads");
    CHECK(same);
    tap_case("probabilities are probabilities");
    CHECK(sound);
}

int main(void)
{
    check_planted();
    check_random();
    return tap_done();
}
