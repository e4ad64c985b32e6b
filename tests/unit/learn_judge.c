/* Judging by cross-validation, and what more labels would bring. */
#include "learn/judge.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "tests/unit/learn_toy.h"
#include "tests/vectors/read.h"

/* Cross-validation: the same for any number of threads, and honest: what cannot be
 * learned is not. */

enum { POSTS = 60 };

static struct learn_judged judge(const struct learn_model_settings *settings,
                                 const struct learn_examples *examples, int threads,
                                 struct arena *arena)
{
    struct learn_judged judged = {0};
    struct err err = {0};

    CHECK(learn_judge_folds(
        settings, examples,
        (struct learn_judge_options){5, 2, 1, threads, false, NULL, NULL}, arena, &judged,
        &err));
    return judged;
}

static void check_threads(struct arena *arena)
{
    struct learn_model_settings settings =
        learn_model_defaults(LEARN_MODEL_COMPLEMENT_BAYES);
    struct learn_examples examples;

    toy_examples(POSTS, settings.features, arena, &examples);
    tap_case("one thread and four give the same bytes");
    struct learn_judged one = judge(&settings, &examples, 1, arena);
    struct learn_judged four = judge(&settings, &examples, 4, arena);
    CHECK(one.rounds == 10 && four.rounds == 10);
    CHECK(memcmp(one.predicted.is, four.predicted.is, 2 * POSTS) == 0);
    CHECK(memcmp(one.probabilities, four.probabilities, 2 * POSTS * sizeof(double)) == 0);
    CHECK(memcmp(one.macro_f1, four.macro_f1, 10 * sizeof(double)) == 0);
    tap_case("what one word tells is learned");
    CHECK(
        learn_score_of(&one.truth, &one.predicted, arena).overall[LEARN_SCORE_ACCURACY] >
        0.97);
    learn_examples_free(&examples);
}

/* The same text twice, always with the same random label: a judge that lets one of a pair
 * into the training part would find the other easy. */
static void check_duplicates(struct arena *arena)
{
    enum { PAIRS = 60 };
    struct learn_model_settings settings = learn_model_defaults(LEARN_MODEL_LINEAR);
    struct learn_parts posts[2 * PAIRS] = {0};
    size_t classes[2 * PAIRS];
    struct rng rng = rng_seeded(3);
    struct learn_examples examples;

    for (size_t i = 0; i < PAIRS; i++) {
        struct buf text = {0};
        for (int w = 0; w < 8; w++)
            buf_add_format(&text, "v%llu ", (unsigned long long)rng_below(&rng, 400));
        posts[i].at[LEARN_PARTS_PROSE] = posts[PAIRS + i].at[LEARN_PARTS_PROSE] =
            arena_copy(arena, buf_str(&text));
        classes[i] = classes[PAIRS + i] = rng_below(&rng, 2);
        buf_free(&text);
    }
    settings.weigh.df_min = 1;
    learn_examples_make(
        &(struct learn_posts){.parts = posts,
                              .truth = toy_membership(classes, 2 * PAIRS, 2, arena)},
        settings.features, arena, &examples);
    tap_case("random labels are not learned, although every post is there twice");
    struct learn_judged judged = judge(&settings, &examples, 2, arena);
    CHECK(learn_score_of(&judged.truth, &judged.predicted, arena)
              .overall[LEARN_SCORE_ACCURACY] < 0.7);
    learn_examples_free(&examples);
}

/* A fold's model that is kept says of the fold's posts what was recorded of them; the
 * mean of all folds' models has learned from every post. */
static void check_kept(enum learn_model_method method, struct arena *arena)
{
    struct learn_model_settings settings = learn_model_defaults(method);
    struct learn_model_scratch scratch = {0};
    struct learn_examples examples;
    struct learn_judged judged;
    struct err err = {0};
    double scores[2], found[2], sum;
    size_t recorded = 0;
    struct progress told = {.style = PROGRESS_QUIET};

    toy_examples(POSTS, settings.features, arena, &examples);
    CHECK(learn_judge_folds(&settings, &examples,
                            (struct learn_judge_options){5, 2, 1, 2, true, &told, NULL},
                            arena, &judged, &err));
    tap_case("%s: each round is told", learn_model_methods[method]);
    CHECK(told.bytes == 10);
    tap_case("%s: the models of the first repetition are kept",
             learn_model_methods[method]);
    CHECK(judged.model_count == 5);
    struct learn_model mean = learn_model_mean(judged.models, judged.model_count, arena);
    for (size_t i = 0; i < POSTS; i++) {
        struct learn_rows_row row = learn_rows_at(&examples.counts, i);
        bool same = false;
        sum = 0;
        for (size_t m = 0; m < judged.model_count; m++) {
            learn_model_predict(judged.models + m, row, &scratch, scores, found);
            same = same || found[0] == judged.probabilities[2 * i];
            sum += found[0] / 5;
        }
        recorded += same;
        learn_model_predict(&mean, row, &scratch, scores, found);
        CHECK_NEAR(found[0], sum, 1e-12);
        CHECK_NEAR(found[0] + found[1], 1, 1e-12);
    }
    CHECK(recorded == POSTS);
    learn_model_scratch_free(&scratch);
    learn_judge_free(&judged);
    learn_examples_free(&examples);
}

/* Posts of words that occur once among others: each has a class where it is judged if it
 * has one where the model of its fold is applied to its text. */
static void check_unknown(enum learn_model_method method, struct arena *arena)
{
    enum { ALONE = 7 };
    struct learn_model_settings settings = learn_model_defaults(method);
    struct learn_parts posts[POSTS] = {0};
    size_t classes[POSTS], with = 0, agree = 0;
    struct learn_examples examples;
    struct learn_judged judged;
    struct err err = {0};

    for (size_t i = 0; i < POSTS; i++) {
        classes[i] = i % 2;
        posts[i].at[LEARN_PARTS_PROSE] =
            i < ALONE ? arena_format(arena, "xq%zu zw%zu", i * 7919, i * 104729)
                      : arena_format(arena, "%s of n%zu", i % 2 ? "plot" : "crash", i);
    }
    settings.weigh.df_min = 1;
    learn_examples_make(
        &(struct learn_posts){.parts = posts,
                              .truth = toy_membership(classes, POSTS, 2, arena)},
        settings.features, arena, &examples);
    CHECK(learn_judge_folds(&settings, &examples,
                            (struct learn_judge_options){5, 1, 1, 2, true, NULL, NULL},
                            arena, &judged, &err));
    for (size_t i = 0; i < POSTS; i++) {
        uint8_t said[2];
        double probabilities[2];
        struct learn_apply apply = {judged.models + judged.fold_of[i], settings.features,
                                    &examples.table, 1};
        CHECK(learn_apply_model(&apply,
                                (struct learn_apply_posts){1, posts + i, NULL, {0}},
                                arena, said, probabilities, &err));
        agree += memcmp(said, judged.predicted.is + 2 * i, 2) == 0 &&
                 memcmp(probabilities, judged.probabilities + 2 * i,
                        sizeof probabilities) == 0;
        with += said[0] || said[1];
    }
    tap_case("%s: who has a class where judged has it where applied",
             learn_model_methods[method]);
    CHECK(agree == POSTS);
    tap_case("%s: posts of unknown words have none, but of a majority",
             learn_model_methods[method]);
    CHECK(with == (method == LEARN_MODEL_MAJORITY ? POSTS : POSTS - ALONE));
    learn_judge_free(&judged);
    learn_examples_free(&examples);
}

/* Where features are selected, a run of letters that is among them is reason enough; a
 * post that has nothing of what was selected has no class, whatever else it shares. */
static void check_selected(struct arena *arena)
{
    enum { ALONE = 7 };
    struct learn_model_settings settings = learn_model_defaults(LEARN_MODEL_LINEAR);
    struct learn_parts posts[POSTS] = {0};
    size_t classes[POSTS], alone = 0, compounds = 0, right = 0;
    struct learn_examples examples;
    struct learn_judged judged;
    struct err err = {0};

    for (size_t i = 0; i < POSTS; i++) {
        const char *what = i % 2 ? "drawing" : "crash";
        classes[i] = i % 2;
        posts[i].at[LEARN_PARTS_PROSE] =
            i < ALONE    ? arena_format(arena, "common xq%zu", i * 7919)
            : i % 5 == 0 ? arena_format(arena, "my%s%zu", what, i) /* one word, new */
                         : arena_format(arena, "common %s", what);
    }
    settings.weigh.select = 20;
    learn_examples_make(
        &(struct learn_posts){.parts = posts,
                              .truth = toy_membership(classes, POSTS, 2, arena)},
        settings.features, arena, &examples);
    CHECK(learn_judge_folds(&settings, &examples,
                            (struct learn_judge_options){5, 1, 1, 2, false, NULL, NULL},
                            arena, &judged, &err));
    for (size_t i = 0; i < POSTS; i++) {
        size_t said = learn_membership_class(&judged.predicted, i);
        alone += i < ALONE && said == 2;
        compounds += i >= ALONE && i % 5 == 0;
        right += i >= ALONE && i % 5 == 0 && said == classes[i];
    }
    tap_case("selected: runs of letters of unknown words give a class");
    CHECK(compounds > 0 && right == compounds);
    tap_case("selected: known words that were not give none");
    CHECK(alone == ALONE);
    learn_judge_free(&judged);
    learn_examples_free(&examples);
}

static void check_curve(struct arena *arena)
{
    struct learn_model_settings settings = learn_model_defaults(LEARN_MODEL_CENTROID);
    struct learn_judge_step steps[LEARN_JUDGE_STEPS];
    struct learn_examples examples;
    struct err err = {0};

    toy_examples(POSTS, settings.features, arena, &examples);
    tap_case("learning curve: all steps, the last with all training posts");
    CHECK(learn_judge_curve(&settings, &examples,
                            (struct learn_judge_options){5, 1, 1, 2, false, NULL, NULL},
                            NULL, arena, steps, &err));
    CHECK_NEAR(steps[LEARN_JUDGE_STEPS - 1].items, POSTS * 0.8, 0);
    CHECK(steps[0].items < steps[1].items && steps[0].items >= 8);
    CHECK_NEAR(steps[LEARN_JUDGE_STEPS - 1].macro_f1, 1, 0);
    tap_case("and the score of every fold at every step");
    for (size_t s = 0; s < LEARN_JUDGE_STEPS; s++) {
        CHECK(steps[s].scores.count == 5);
        CHECK_NEAR(stats_values_sum(steps[s].scores) / 5, steps[s].macro_f1, 1e-12);
    }
    learn_examples_free(&examples);
}

static void test_judge(void)
{
    struct arena arena = {0};

    check_threads(&arena);
    check_duplicates(&arena);
    check_kept(LEARN_MODEL_COMPLEMENT_BAYES, &arena);
    check_unknown(LEARN_MODEL_COMPLEMENT_BAYES, &arena);
    check_unknown(LEARN_MODEL_LINEAR, &arena);
    check_unknown(LEARN_MODEL_MAJORITY, &arena);
    check_selected(&arena);
    check_curve(&arena);
    arena_free(&arena);
}

/* The law of learning curves against scipy (tests/vectors/make_quantify.py), and when a
 * forecast is refused. */

static const struct learn_curve_options options = {300, 100, 0.95, 200, 1};

static void check_vectors(void)
{
    struct vectors_file vectors = vectors_open_file("tests/vectors/learn_quantify.csv");

    while (vectors_next(&vectors, "curve")) {
        struct stats_values labels = vectors_values(&vectors, "labels"),
                            scores = vectors_values(&vectors, "scores"),
                            law = vectors_values(&vectors, "law");
        struct learn_curve_forecast got = {0};
        double squares = 0;
        CHECK(learn_curve_fit(labels, scores, &got));
        for (size_t i = 0; i < labels.count; i++) {
            double off =
                scores.at[i] - (got.highest - got.loss * pow(labels.at[i], -got.rate));
            squares += off * off;
        }
        CHECK_NEAR(squares, vectors_number(&vectors, "squares"), 1e-10);
        CHECK_NEAR(got.highest, law.at[0], 1e-3);
        CHECK_CLOSE(got.rate, law.at[2], 1e-2);
    }
    vectors_close(&vectors);
}

enum { STEPS = 5, RUNS = 10 };

/* a - b n^-0.5 with noise in every run. */
static void simulate(double a, double b, double noise, double *scores,
                     struct learn_curve_step *steps)
{
    struct rng rng = rng_seeded(3);

    for (size_t s = 0; s < STEPS; s++) {
        double labels = 60.0 * (double)(s + 1);
        for (size_t r = 0; r < RUNS; r++)
            scores[s * RUNS + r] = a - b / sqrt(labels) + noise * rng_normal(&rng);
        steps[s] = (struct learn_curve_step){labels, {scores + s * RUNS, RUNS}};
    }
}

static void check_forecast(struct arena *arena)
{
    double scores[STEPS * RUNS];
    struct learn_curve_step steps[STEPS];
    struct learn_curve_forecast got;

    simulate(0.8, 3, 0, scores, steps);
    got = learn_curve_forecast(steps, STEPS, options, arena);
    tap_case("without noise the forecast is the law");
    CHECK(got.refused == NULL);
    CHECK_NEAR(got.now, 0.8 - 3 / sqrt(300), 1e-6);
    CHECK_NEAR(got.score, 0.8 - 3 / sqrt(400), 1e-6);
    CHECK_NEAR(got.gain, got.score - got.now, 1e-12);
    CHECK_NEAR(got.high - got.low, 0, 1e-6);
    tap_case("from another number of labels");
    struct learn_curve_options fewer = {200, 50, 0.95, 200, 1};
    got = learn_curve_forecast(steps, STEPS, fewer, arena);
    CHECK_NEAR(got.now, 0.8 - 3 / sqrt(200), 1e-6);
    CHECK_NEAR(got.score, 0.8 - 3 / sqrt(250), 1e-6);
    simulate(0.8, 3, 0.02, scores, steps);
    got = learn_curve_forecast(steps, STEPS, options, arena);
    tap_case("with a little noise the interval holds it");
    CHECK(got.refused == NULL);
    CHECK(got.low <= 0.65 && 0.65 <= got.high && got.high - got.low < 0.08);
    tap_case("a flat curve is refused");
    simulate(0.7, 0, 0.02, scores, steps);
    got = learn_curve_forecast(steps, STEPS, options, arena);
    CHECK(got.refused != NULL && strstr(got.refused, "flat") != NULL);
    CHECK(isnan(got.score) && isnan(got.low));
    tap_case("so is one that falls");
    simulate(0.7, -1, 0.01, scores, steps);
    CHECK(learn_curve_forecast(steps, STEPS, options, arena).refused != NULL);
    tap_case("and one of too few steps");
    simulate(0.8, 3, 0, scores, steps);
    CHECK(learn_curve_forecast(steps, 3, options, arena).refused != NULL);
    tap_case("and one with an undefined score");
    scores[7] = NAN;
    CHECK(learn_curve_forecast(steps, STEPS, options, arena).refused != NULL);
    tap_case("up at the ends and down between: too noisy");
    for (size_t s = 0; s < STEPS; s++)
        for (size_t r = 0; r < RUNS; r++)
            scores[s * RUNS + r] = (s == 0           ? 0.6
                                    : s + 1 == STEPS ? 0.61
                                                     : 0.2) +
                                   (double)(r % 2) / 1e4;
    got = learn_curve_forecast(steps, STEPS, options, arena);
    CHECK(got.refused != NULL && strstr(got.refused, "noisy") != NULL);
}

static void test_curve(void)
{
    struct arena arena = {0};

    check_vectors();
    check_forecast(&arena);
    arena_free(&arena);
}

int main(void)
{
    test_judge();
    test_curve();
    return tap_done();
}
