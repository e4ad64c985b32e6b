/* A model applied to texts says what it says on counts, for any number of threads. */
#include "learn/model.h"

#include <string.h>

#include "tests/unit/learn_toy.h"

enum { POSTS = 600, TRAIN = 40 };

int main(void)
{
    struct arena arena = {0};
    struct learn_model_settings settings = learn_model_defaults(LEARN_MODEL_LINEAR);
    struct learn_parts *posts = arena_array(&arena, struct learn_parts, POSTS);
    uint8_t *said[2];
    double *probabilities[2];
    struct learn_examples examples;
    struct learn_model model;
    struct err err = {0};

    toy_examples(TRAIN, settings.features, &arena, &examples);
    tap_case("trained");
    CHECK(learn_model_train(&settings, &examples, learn_fold_all(TRAIN, &arena), &arena,
                            &model, &err));
    for (size_t i = 0; i < POSTS; i++)
        posts[i].at[LEARN_PARTS_PROSE] = i % 3 == 0   ? STR("my install of w1 fails")
                                         : i % 3 == 1 ? STR("crash of w2")
                                                      : STR("");
    for (int i = 0; i < 2; i++) {
        struct learn_apply apply = {&model, settings.features, &examples.table,
                                    1 + 3 * i};
        said[i] = arena_array(&arena, uint8_t, 2 * POSTS);
        probabilities[i] = arena_array(&arena, double, 2 * POSTS);
        tap_case("%d threads", apply.threads);
        CHECK(learn_apply_model(&apply,
                                (struct learn_apply_posts){POSTS, posts, NULL, {0}},
                                &arena, said[i], probabilities[i], &err));
    }
    tap_case("the same bytes");
    CHECK(memcmp(said[0], said[1], 2 * POSTS) == 0);
    CHECK(memcmp(probabilities[0], probabilities[1], 2 * POSTS * sizeof(double)) == 0);
    tap_case("the right classes");
    CHECK(said[0][1] == 1 && said[0][2] == 1 && said[0][2 * 599 - 2] == 1);
    tap_case("a post without text has no class");
    CHECK(said[0][4] + said[0][5] == 0 && probabilities[0][4] == 0);
    learn_examples_free(&examples);
    arena_free(&arena);
    return tap_done();
}
