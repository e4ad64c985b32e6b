/* Coherence against brute force over sets of windows. */
#include "topic/topic.h"

#include "tests/unit/topic_planted.h"
#include "tests/vectors/read.h"

static void check_vectors(void)
{
    struct vectors_file vectors = vectors_open_file("tests/vectors/topic.csv");

    while (vectors_next(&vectors, "coherence")) {
        struct stats_values lengths = vectors_values(&vectors, "lengths");
        struct stats_values words = vectors_values(&vectors, "words");
        struct stats_values umass = vectors_values(&vectors, "umass");
        struct stats_values npmi = vectors_values(&vectors, "npmi");
        struct stats_values c_v = vectors_values(&vectors, "c_v");
        size_t topics = (size_t)vectors_number(&vectors, "topics");
        struct topic_tokens tokens = planted_tokens(
            vectors_ints(&vectors, "lengths"), lengths.count,
            vectors_ints(&vectors, "at"), (size_t)vectors_number(&vectors, "vocabulary"),
            &vectors.arena);
        uint32_t *top = arena_array(&vectors.arena, uint32_t, words.count);
        for (size_t i = 0; i < words.count; i++)
            top[i] = (uint32_t)words.at[i];
        struct topic_coherence *out =
            arena_array(&vectors.arena, struct topic_coherence, topics);
        topic_coherence_topics(&tokens, top, topics, words.count / topics, &vectors.arena,
                               out);
        for (size_t k = 0; k < topics; k++) {
            CHECK_NEAR(out[k].umass, umass.at[k], 1e-10);
            CHECK_NEAR(out[k].npmi, npmi.at[k], 1e-9);
            CHECK_NEAR(out[k].c_v, c_v.at[k], 1e-9);
        }
    }
    vectors_close(&vectors);
}

static void check_known(void)
{
    struct arena arena = {0};
    int64_t lengths[] = {2, 2, 1, 1}, at[] = {0, 1, 0, 1, 2, 3};
    struct topic_tokens tokens = planted_tokens(lengths, 4, at, 4, &arena);
    uint32_t top[] = {0, 1, 2, 3};
    struct topic_coherence out[2], mean;

    topic_coherence_topics(&tokens, top, 2, 2, &arena, out);
    tap_case("two words that are never apart");
    CHECK_NEAR(out[0].npmi, 1, 1e-9);
    CHECK_NEAR(out[0].c_v, 1, 1e-9);
    CHECK_NEAR(out[0].umass, log(3.0 / 2), 1e-12);
    tap_case("two words that never meet");
    CHECK_NEAR(out[1].umass, 0, 1e-12);
    CHECK(out[1].npmi < -0.85);
    mean = topic_coherence_mean(out, 2);
    tap_case("means");
    CHECK_NEAR(mean.umass, log(3.0 / 2) / 2, 1e-12);
    CHECK_NEAR(mean.c_v, (out[0].c_v + out[1].c_v) / 2, 1e-12);
    tap_case("means leave out a topic of which nothing is known");
    struct topic_coherence known = out[0], unknown = {NAN, NAN, NAN};
    mean = topic_coherence_mean((struct topic_coherence[]){unknown, known}, 2);
    CHECK_NEAR(mean.umass, known.umass, 0);
    CHECK_NEAR(mean.c_v, known.c_v, 0);
    mean = topic_coherence_mean(&unknown, 1);
    CHECK_NEAR(mean.npmi, NAN, 0);
    tokens.documents = 2;
    topic_coherence_topics(&tokens, top, 1, 2, &arena, out);
    tap_case("words of every window say nothing");
    CHECK_NEAR(out[0].npmi, 0, 0);
    CHECK_NEAR(out[0].c_v, 0, 0);
    arena_free(&arena);
}

int main(void)
{
    check_vectors();
    check_known();
    return tap_done();
}
