/* Cross-validation: the same for any number of threads, and honest: what cannot be
 * learned is not. */
#include "learn/judge.h"

#include <string.h>

#include "tests/unit/learn_toy.h"

enum { POSTS = 60 };

static struct judged judge(const struct model_settings *settings,
                           const struct examples *examples, int threads,
                           struct arena *arena)
{
    struct judged judged = {0};
    struct err err = {0};

    CHECK(judge_folds(settings, examples, (struct judge_options){5, 2, 1, threads}, arena,
                      &judged, &err));
    return judged;
}

static void check_threads(struct arena *arena)
{
    struct model_settings settings = model_defaults(MODEL_COMPLEMENT_BAYES);
    struct examples examples;

    toy_examples(POSTS, settings.features, arena, &examples);
    tap_case("one thread and four give the same bytes");
    struct judged one = judge(&settings, &examples, 1, arena);
    struct judged four = judge(&settings, &examples, 4, arena);
    CHECK(one.rounds == 10 && four.rounds == 10);
    CHECK(memcmp(one.predicted.is, four.predicted.is, 2 * POSTS) == 0);
    CHECK(memcmp(one.probabilities, four.probabilities, 2 * POSTS * sizeof(double)) == 0);
    CHECK(memcmp(one.macro_f1, four.macro_f1, 10 * sizeof(double)) == 0);
    tap_case("what one word tells is learned");
    CHECK_NEAR(score_of(&one.truth, &one.predicted, arena).overall[SCORE_ACCURACY], 1, 0);
    examples_free(&examples);
}

/* The same text twice, always with the same random label: a judge that lets one of a pair
 * into the training part would find the other easy. */
static void check_duplicates(struct arena *arena)
{
    enum { PAIRS = 60 };
    struct model_settings settings = model_defaults(MODEL_LINEAR);
    struct parts posts[2 * PAIRS] = {0};
    size_t classes[2 * PAIRS];
    struct rng rng = rng_seeded(3);
    struct examples examples;

    for (size_t i = 0; i < PAIRS; i++) {
        struct buf text = {0};
        for (int w = 0; w < 8; w++)
            buf_add_format(&text, "v%llu ", (unsigned long long)rng_below(&rng, 400));
        posts[i].at[PARTS_PROSE] = posts[PAIRS + i].at[PARTS_PROSE] =
            arena_copy(arena, buf_str(&text));
        classes[i] = classes[PAIRS + i] = rng_below(&rng, 2);
        buf_free(&text);
    }
    settings.weigh.df_min = 1;
    examples_make(posts, toy_membership(classes, 2 * PAIRS, 2, arena), settings.features,
                  arena, &examples);
    tap_case("random labels are not learned, although every post is there twice");
    struct judged judged = judge(&settings, &examples, 2, arena);
    CHECK(score_of(&judged.truth, &judged.predicted, arena).overall[SCORE_ACCURACY] <
          0.7);
    examples_free(&examples);
}

static void check_curve(struct arena *arena)
{
    struct model_settings settings = model_defaults(MODEL_CENTROID);
    struct judge_step steps[JUDGE_STEPS];
    struct examples examples;
    struct err err = {0};

    toy_examples(POSTS, settings.features, arena, &examples);
    tap_case("learning curve: all steps, the last with all training posts");
    CHECK(judge_curve(&settings, &examples, (struct judge_options){5, 1, 1, 2}, arena,
                      steps, &err));
    CHECK_NEAR(steps[JUDGE_STEPS - 1].items, POSTS * 0.8, 0);
    CHECK(steps[0].items < steps[1].items && steps[0].items >= 8);
    CHECK_NEAR(steps[JUDGE_STEPS - 1].macro_f1, 1, 0);
    examples_free(&examples);
}

int main(void)
{
    struct arena arena = {0};

    check_threads(&arena);
    check_duplicates(&arena);
    check_curve(&arena);
    arena_free(&arena);
    return tap_done();
}
