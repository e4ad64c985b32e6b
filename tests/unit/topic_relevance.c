/* Words of a topic in the order of relevance, against NumPy. */
#include "topic/relevance.h"

#include "tests/unit/topic_planted.h"
#include "tests/vectors/read.h"

enum { TOP = 4 };

static void check_vectors(void)
{
    struct vectors_file vectors = vectors_open_file("tests/vectors/topic.csv");

    while (vectors_next(&vectors, "relevance")) {
        struct values phi = vectors_values(&vectors, "phi");
        struct values lengths = vectors_values(&vectors, "lengths");
        struct values words = vectors_values(&vectors, "words");
        struct values relevance = vectors_values(&vectors, "relevance");
        size_t vocabulary = (size_t)vectors_number(&vectors, "vocabulary");
        struct tokens tokens =
            planted_tokens(vectors_ints(&vectors, "lengths"), lengths.count,
                           vectors_ints(&vectors, "at"), vocabulary, &vectors.arena);
        float *given = arena_array(&vectors.arena, float, phi.count);
        for (size_t i = 0; i < phi.count; i++)
            given[i] = (float)phi.at[i];
        struct lda_model model = {.topics = phi.count / vocabulary,
                                  .words = vocabulary,
                                  .words_given_topic = given};
        struct relevance *out =
            arena_array(&vectors.arena, struct relevance, model.topics * TOP);
        relevance_words(&model, &tokens, RELEVANCE_LAMBDA, TOP, &vectors.arena, out);
        for (size_t i = 0; i < words.count; i++) {
            CHECK(out[i].word == (uint32_t)words.at[i]);
            CHECK_CLOSE(out[i].relevance, relevance.at[i], 1e-10);
        }
    }
    vectors_close(&vectors);
}

static void check_order(void)
{
    /* Two topics of four words. */
    static const float given[] = {0.1F, 0.4F, 0.5F, 0.1F, 0.1F, 0.4F, 0.3F, 0.1F};
    struct arena arena = {0};
    struct lda_model model = {.topics = 2, .words = 4, .words_given_topic = given};
    const uint32_t *words = relevance_likely(&model, 4, &arena);

    tap_case("the most likely words first, the lower number of equals");
    CHECK(words[0] == 1 && words[1] == 3 && words[2] == 0 && words[3] == 2);
    CHECK(words[4] == 0 && words[5] == 2 && words[6] == 1 && words[7] == 3);
    words = relevance_likely(&model, 1, &arena);
    tap_case("only the first");
    CHECK(words[0] == 1 && words[1] == 0);
    arena_free(&arena);
}

int main(void)
{
    check_vectors();
    check_order();
    return tap_done();
}
