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

    CHECK(judge_folds(settings, examples, (struct judge_options){5, 2, 1, threads, false},
                      arena, &judged, &err));
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
                  NULL, arena, &examples);
    tap_case("random labels are not learned, although every post is there twice");
    struct judged judged = judge(&settings, &examples, 2, arena);
    CHECK(score_of(&judged.truth, &judged.predicted, arena).overall[SCORE_ACCURACY] <
          0.7);
    examples_free(&examples);
}

/* A fold's model that is kept says of the fold's posts what was recorded of them; the
 * mean of all folds' models has learned from every post. */
static void check_kept(enum model_method method, struct arena *arena)
{
    struct model_settings settings = model_defaults(method);
    struct model_scratch scratch = {0};
    struct examples examples;
    struct judged judged;
    struct err err = {0};
    double scores[2], found[2], sum;
    size_t recorded = 0;

    toy_examples(POSTS, settings.features, arena, &examples);
    CHECK(judge_folds(&settings, &examples, (struct judge_options){5, 2, 1, 2, true},
                      arena, &judged, &err));
    tap_case("%s: the models of the first repetition are kept", model_methods[method]);
    CHECK(judged.model_count == 5);
    struct model mean = model_mean(judged.models, judged.model_count, arena);
    for (size_t i = 0; i < POSTS; i++) {
        struct rows_row row = rows_at(&examples.counts, i);
        bool same = false;
        sum = 0;
        for (size_t m = 0; m < judged.model_count; m++) {
            model_predict(judged.models + m, row, &scratch, scores, found);
            same = same || found[0] == judged.probabilities[2 * i];
            sum += found[0] / 5;
        }
        recorded += same;
        model_predict(&mean, row, &scratch, scores, found);
        CHECK_NEAR(found[0], sum, 1e-12);
        CHECK_NEAR(found[0] + found[1], 1, 1e-12);
    }
    CHECK(recorded == POSTS);
    model_scratch_free(&scratch);
    judge_free(&judged);
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
    CHECK(judge_curve(&settings, &examples, (struct judge_options){5, 1, 1, 2, false},
                      NULL, arena, steps, &err));
    CHECK_NEAR(steps[JUDGE_STEPS - 1].items, POSTS * 0.8, 0);
    CHECK(steps[0].items < steps[1].items && steps[0].items >= 8);
    CHECK_NEAR(steps[JUDGE_STEPS - 1].macro_f1, 1, 0);
    tap_case("and the score of every fold at every step");
    for (size_t s = 0; s < JUDGE_STEPS; s++) {
        CHECK(steps[s].scores.count == 5);
        CHECK_NEAR(values_sum(steps[s].scores) / 5, steps[s].macro_f1, 1e-12);
    }
    examples_free(&examples);
}

int main(void)
{
    struct arena arena = {0};

    check_threads(&arena);
    check_duplicates(&arena);
    check_kept(MODEL_COMPLEMENT_BAYES, &arena);
    check_kept(MODEL_AVERAGE, &arena);
    check_curve(&arena);
    arena_free(&arena);
    return tap_done();
}
