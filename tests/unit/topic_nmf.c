/* Non-negative matrix factorisation against scikit-learn, and topics from it. */
#include "topic/topic.h"

#include <stdlib.h>

#include "tests/unit/topic_planted.h"
#include "tests/vectors/read.h"

static void check_near(const double *got, struct stats_values want, double within)
{
    double most = 0;

    for (size_t i = 0; i < want.count; i++)
        most = fmax(most, fabs(got[i] - want.at[i]));
    CHECK_NEAR(most, 0, within);
}

static void check_weights(const struct topic_nmf_matrix *matrix, struct stats_values want)
{
    double *cells = calloc(want.count, sizeof *cells);

    for (size_t d = 0; d < matrix->rows; d++)
        for (size_t i = matrix->begin[d]; i < matrix->begin[d + 1]; i++)
            cells[d * matrix->columns + matrix->at[i]] += matrix->values[i];
    check_near(cells, want, 1e-14);
    free(cells);
}

static double *copy(struct stats_values values, struct arena *arena)
{
    double *out = arena_array(arena, double, values.count + 1);

    memcpy(out, values.at, values.count * sizeof *out);
    return out;
}

static void check_vectors(void)
{
    struct vectors_file vectors = vectors_open_file("tests/vectors/topic.csv");

    while (vectors_next(&vectors, "nmf")) {
        struct arena *arena = &vectors.arena;
        struct stats_values lengths = vectors_values(&vectors, "lengths");
        struct topic_tokens tokens =
            planted_tokens(vectors_ints(&vectors, "lengths"), lengths.count,
                           vectors_ints(&vectors, "at"),
                           (size_t)vectors_number(&vectors, "vocabulary"), arena);
        struct topic_nmf_matrix matrix = topic_nmf_weights(&tokens, arena);
        struct topic_nmf_settings how = {
            .topics = (size_t)vectors_number(&vectors, "topics"),
            .iterations = (int64_t)vectors_number(&vectors, "iterations"),
            .tolerance = vectors_number(&vectors, "tolerance"),
            .threads = 1};
        double *documents = copy(vectors_values(&vectors, "begin_documents"), arena);
        double *words = copy(vectors_values(&vectors, "begin_words"), arena);
        struct topic_nmf_result result;
        struct err err = {0};
        check_weights(&matrix, vectors_values(&vectors, "weights"));
        CHECK(topic_nmf_factorise(&matrix, &how, documents, words, &result, &err));
        CHECK(result.iterations == (int64_t)vectors_number(&vectors, "made"));
        CHECK_NEAR(result.distance, vectors_number(&vectors, "distance"), 1e-7);
        check_near(documents, vectors_values(&vectors, "documents"), 1e-7);
        check_near(words, vectors_values(&vectors, "words"), 1e-7);
    }
    vectors_close(&vectors);
}

/* More documents than a block has, so that threads have something to share. */
static void check_topics(void)
{
    static const size_t numbers[] = {3, 5};
    struct arena arena = {0};
    struct planted planted = {
        .topics = 5, .words = 100, .documents = 3000, .length = 40, .seed = 4};
    struct topic_settings settings = {
        .sweep = {.lda = {.iterations = 100, .seed = 9, .threads = 1},
                  .topics = numbers,
                  .count = 2,
                  .runs = 3},
        .choose = TOPIC_SWEEP_BY_STABILITY};
    struct topic_set one, two;
    struct err err = {0};

    planted_draw(&planted, &arena);
    CHECK(topic_find_nmf(&planted.tokens, &settings, &arena, &one, &err));
    tap_case("the number of topics that was planted is the stable one");
    CHECK(one.chosen == 1 && one.model.topics == 5);
    CHECK(one.steps[1].stability.mean > 0.9 && isnan(one.steps[1].perplexity));
    tap_case("shares of a document add up, and words of a topic do");
    bool sums = true;
    for (size_t d = 0; d < one.model.documents; d++) {
        double sum = 0;
        for (size_t k = 0; k < 5; k++)
            sum += topic_lda_share(&one.model, d, k);
        sums = sums && (fabs(sum - 1) < 1e-5 || sum == 0);
    }
    for (size_t k = 0; k < 5; k++) {
        double sum = 0;
        for (size_t w = 0; w < 100; w++)
            sum += topic_lda_word(&one.model, k, w);
        sums = sums && fabs(sum - 1) < 1e-5;
    }
    CHECK(sums);
    tap_case("the topic with the most tokens is the first");
    for (size_t k = 1; k < 5; k++)
        CHECK(one.model.tokens[k - 1] >= one.model.tokens[k]);
    tap_case("three threads find the same, to the last bit");
    settings.sweep.lda.threads = 3;
    CHECK(topic_find_nmf(&planted.tokens, &settings, &arena, &two, &err));
    CHECK(memcmp(one.model.shares, two.model.shares, 3000 * 5 * sizeof(float)) == 0);
    CHECK(memcmp(one.model.words_given_topic, two.model.words_given_topic,
                 100 * 5 * sizeof(float)) == 0);
    tap_case("more topics than words cannot be");
    settings.sweep.topics = &(size_t){101};
    settings.sweep.count = 1;
    CHECK(!topic_find_nmf(&planted.tokens, &settings, &arena, &two, &err));
    CHECK(err.kind == ERR_INPUT);
    arena_free(&arena);
}

int main(void)
{
    check_vectors();
    check_topics();
    return tap_done();
}
