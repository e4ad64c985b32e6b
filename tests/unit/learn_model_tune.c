/* Tuning looks at the given items alone, and picks what is best there. */
#include <math.h>

#include "learn/internal.h"
#include "tests/unit/learn_toy.h"

enum { POSTS = 40 };

static struct model tune(struct model_settings settings, const struct examples *examples,
                         size_t count, struct arena *arena)
{
    struct model model = {.method = settings.method, .classes = 2};

    model_tune(&settings, examples,
               (struct folds_items){folds_all(POSTS, arena).at, count}, arena, &model);
    return model;
}

int main(void)
{
    struct arena arena = {0};
    struct model_settings settings = model_defaults(MODEL_LINEAR);
    struct examples examples;

    toy_examples(POSTS, settings.features, &arena, &examples);
    struct model model = tune(settings, &examples, 30, &arena);
    tap_case("what can be told apart is told apart");
    CHECK_NEAR(model.tuned.macro_f1, 1, 0);
    CHECK(model.tuned.value > 0 && model.sharpness > 1);

    tap_case("labels outside of the items change nothing");
    for (size_t i = 30; i < POSTS; i++) {
        examples.truth.is[2 * i] = i % 3 == 0;
        examples.truth.is[2 * i + 1] = i % 3 != 0;
    }
    struct model again = tune(settings, &examples, 30, &arena);
    CHECK(again.tuned.value == model.tuned.value && again.sharpness == model.sharpness);

    tap_case("a fixed value stays");
    settings.fixed = 0.7;
    CHECK_NEAR(tune(settings, &examples, 30, &arena).tuned.value, 0.7, 0);
    examples_free(&examples);

    /* A picked word that is right needs weight, and alpha is on a grid of 0.01. */
    const struct model_keyword keywords[] = {{STR("crash"), 0}, {STR("install"), 1}};
    settings = model_defaults(MODEL_KEYWORD_WEIGHT);
    settings.weigh.df_max = 0;
    settings.keywords = keywords;
    settings.keyword_count = 2;
    toy_examples(POSTS, settings.features, &arena, &examples);
    model = tune(settings, &examples, POSTS, &arena);
    tap_case("alpha is one of 0, 0.01, ..., 1");
    CHECK(model.tuned.value >= 0 && model.tuned.value <= 1);
    CHECK_NEAR(model.tuned.value * 100, floor(model.tuned.value * 100 + 0.5), 1e-9);
    CHECK_NEAR(model.tuned.macro_f1, 1, 0);
    examples_free(&examples);
    arena_free(&arena);
    return tap_done();
}
