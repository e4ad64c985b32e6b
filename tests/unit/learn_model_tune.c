/* Tuning looks at the given items alone, and picks what is best there. */
#include <math.h>
#include <string.h>

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

/* Every post has words of its own: only what unlabelled text says of them tells the
 * classes apart. */
static void make_unseen(const struct vectors *vectors, struct features_options options,
                        struct arena *arena, struct examples *out)
{
    struct parts *posts = arena_array(arena, struct parts, POSTS);
    struct membership truth = membership_new(POSTS, 2, false, arena);

    for (size_t i = 0; i < POSTS; i++) {
        struct buf text = {0};
        char class = i % 2 ? 'k' : 'q';
        buf_add_format(&text, "%c%zu and %c%zu of u%zu", class, i, class, i + 100, i * i);
        posts[i].at[PARTS_PROSE] = arena_copy(arena, buf_str(&text));
        truth.is[2 * i + i % 2] = 1;
        buf_free(&text);
    }
    examples_make(posts, truth, options, vectors, arena, out);
}

static void learn_vectors(struct vectors *out, struct arena *arena)
{
    struct vectors_reader reader = {0};

    for (size_t i = 0; i < 400; i++) {
        struct buf text = {0};
        char class = i % 2 ? 'k' : 'q';
        for (size_t w = 0; w < 8; w++)
            buf_add_format(&text, "%c%zu ", class,
                           (i * 7 + w * w * 3) % 40 + w % 2 * 100);
        struct parts post = {.at[PARTS_PROSE] = arena_copy(arena, buf_str(&text))};
        vectors_add(&reader, &post);
        buf_free(&text);
    }
    vectors_learn(&reader, 1, out);
}

static void check_vectors(struct arena *arena)
{
    struct model_settings settings = model_defaults(MODEL_LINEAR);
    struct examples examples;
    struct vectors vectors, none = {0};
    struct model model;
    struct err err = {0};

    model_take_words(&settings);
    learn_vectors(&vectors, arena);
    make_unseen(&vectors, settings.features, arena, &examples);
    tap_case("vectors are used where they help");
    model = tune(settings, &examples, POSTS, arena);
    CHECK(model.tuned.vectors > 0 && model.tuned.macro_f1 > 0.9);
    tap_case("an average says that they are");
    settings.method = MODEL_AVERAGE;
    CHECK(
        model_train(&settings, &examples, folds_all(POSTS, arena), arena, &model, &err));
    CHECK(model.tuned.vectors > 0);
    settings.method = MODEL_LINEAR;

    tap_case("vectors that say nothing are not");
    memset(vectors.at, 0, vectors.words.count * vectors.dimensions * sizeof *vectors.at);
    model = tune(settings, &examples, POSTS, arena);
    CHECK(model.tuned.vectors == 0 && model.tuned.macro_f1 < 0.9);
    examples_free(&examples);
    vectors_free(&vectors);

    tap_case("too little text: as if there were none");
    make_unseen(&none, settings.features, arena, &examples);
    CHECK(examples.vectors.vectors == NULL);
    examples_free(&examples);
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
    check_vectors(&arena);
    arena_free(&arena);
    return tap_done();
}
