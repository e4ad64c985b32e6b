/* Perplexity against an independent computation, and of models that are known. */
#include "topic/heldout.h"

#include "tests/unit/topic_planted.h"
#include "tests/vectors/read.h"

static float *floats(struct values values, struct arena *arena)
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
        struct values alpha = vectors_values(&vectors, "alpha");
        struct values lengths = vectors_values(&vectors, "lengths");
        size_t words = (size_t)vectors_number(&vectors, "vocabulary");
        struct tokens tokens =
            planted_tokens(vectors_ints(&vectors, "lengths"), lengths.count,
                           vectors_ints(&vectors, "at"), words, &vectors.arena);
        struct lda_model model = {
            .topics = alpha.count,
            .words = words,
            .alpha = alpha.at,
            .words_given_topic = floats(vectors_values(&vectors, "phi"), &vectors.arena)};
        CHECK_CLOSE(heldout_perplexity(&model, &tokens),
                    vectors_number(&vectors, "perplexity"), 1e-10);
    }
    vectors_close(&vectors);
}

static void check_known(void)
{
    struct arena arena = {0};
    float even[] = {0.25F, 0.25F, 0.25F, 0.25F};
    double alpha[] = {1};
    struct lda_model model = {
        .topics = 1, .words = 4, .alpha = alpha, .words_given_topic = even};
    int64_t lengths[] = {4, 1, 0, 3}, at[] = {0, 1, 2, 3, 0, 1, 1, 1};
    struct tokens tokens = planted_tokens(lengths, 4, at, 4, &arena);
    struct tokens short_ones = planted_tokens(lengths + 1, 2, at, 4, &arena);

    tap_case("four equally likely words: 4");
    CHECK_NEAR(heldout_perplexity(&model, &tokens), 4, 1e-12);
    tap_case("no document has two words: undefined");
    CHECK_NEAR(heldout_perplexity(&model, &short_ones), NAN, 0);
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
        bool *held = heldout_pick(rows[i].documents, 1, &arena);
        size_t count = 0;
        for (size_t d = 0; d < rows[i].documents; d++)
            count += held[d];
        tap_case("held out: %s", rows[i].name);
        CHECK(count == rows[i].held);
        arena_free(&arena);
    }
}

int main(void)
{
    check_vectors();
    check_known();
    check_pick();
    return tap_done();
}
