/* Reasons are parts of the score: together with the constant they are all of it. */
#include <math.h>

#include "learn/internal.h"
#include "tests/unit/learn_toy.h"

enum { POSTS = 40, ROOM = 2000 };

/* Scores less their constants, and less the mean over the classes. */
static double score_of_words(const struct model *model, const double *scores)
{
    double one = scores[0] - model->scorer.constants[0];
    double other = scores[1] - model->scorer.constants[1];

    return one - (one + other) / 2;
}

static void check(double weight, struct arena *arena)
{
    struct model_settings settings = model_defaults(MODEL_LINEAR);
    struct examples examples;
    struct vectors vectors;
    struct model model;
    struct model_scratch scratch = {0};
    struct model_reason reasons[ROOM];
    struct err err = {0};
    double scores[2], probabilities[2], sum = 0;
    size_t by_vector = 0;

    toy_examples_with_vectors(POSTS, settings.features, arena, &vectors, &examples);
    CHECK(
        model_train(&settings, &examples, folds_all(POSTS, arena), arena, &model, &err));
    model.weigh.options.vectors = weight;
    for (size_t k = 2 * model.weigh.own_columns; k < 2 * model.weigh.columns; k++)
        model.scorer.weights[k] = (double)(k % 5) / 4; /* whatever was learned */
    struct rows_row counts = rows_at(&examples.counts, 0);
    model_predict(&model, counts, &scratch, scores, probabilities);
    size_t count = model_explain(&model, counts, 0, &scratch, reasons, ROOM, arena);
    for (size_t i = 0; i < count; i++) {
        sum += reasons[i].weight;
        by_vector += reasons[i].by_vector;
    }
    CHECK(count > 0 && count < ROOM);
    CHECK((by_vector > 0) == (weight > 0));
    CHECK_NEAR(sum, score_of_words(&model, scores), 1e-6);
    for (size_t i = 1; i < count; i++)
        CHECK(fabs(reasons[i - 1].weight) >= fabs(reasons[i].weight));
    model_scratch_free(&scratch);
    examples_free(&examples);
    vectors_free(&vectors);
}

int main(void)
{
    struct arena arena = {0};

    tap_case("words");
    check(0, &arena);
    tap_case("words, and what they say by their vectors");
    check(0.5, &arena);
    arena_free(&arena);
    return tap_done();
}
