/* Models from their settings to predictions and reasons. */
#include "learn/model.h"

#include <math.h>
#include <string.h>

#include "learn/internal.h"
#include "tests/tap.h"
#include "tests/unit/learn_toy.h"

/* Every method learns what one word tells, gives probabilities, and can say why. */

enum { POSTS = 60 };

static void check_method(enum learn_model_method method, struct arena *arena)
{
    struct learn_model_settings settings = learn_model_defaults(method);
    struct learn_examples examples;
    struct learn_model model;
    struct err err = {0};
    struct learn_model_scratch scratch = {0};
    double scores[2], probabilities[2], right = 0, sums_off = 0;

    settings.weigh.df_max = 0;
    toy_examples(POSTS, settings.features, arena, &examples);
    struct learn_fold_items all = learn_fold_all(POSTS, arena);
    struct learn_fold_items train = {all.at, 40}, none = {all.at, 1};
    tap_case("%s learns", learn_model_methods[method]);
    CHECK(learn_model_train(&settings, &examples, train, arena, &model, &err));
    for (size_t i = 40; i < POSTS; i++) {
        uint8_t is[2];
        learn_model_predict(&model, learn_rows_at(&examples.counts, i), &scratch, scores,
                            probabilities);
        learn_model_decide(&model, scores, is);
        right += learn_membership_has(&examples.truth, i, is[1]);
        sums_off += fabs(probabilities[0] + probabilities[1] - 1);
        CHECK(is[0] + is[1] == 1);
    }
    tap_case("%s is right on new posts", learn_model_methods[method]);
    CHECK(method == LEARN_MODEL_MAJORITY ? right == 10 : right == 20);
    tap_case("%s: probabilities add up to 1", learn_model_methods[method]);
    CHECK(sums_off < 1e-9);

    struct learn_model_reason reasons[3];
    if (method != LEARN_MODEL_MAJORITY) {
        size_t count = learn_model_explain(&model, learn_rows_at(&examples.counts, 41), 1,
                                           &scratch, reasons, 3, arena);
        tap_case("%s: the word that tells decides, for its class",
                 learn_model_methods[method]);
        CHECK(count == 3 && reasons[0].weight > 0);
        struct str name = learn_features_name(&examples.table, reasons[0].feature);
        CHECK(str_eq(str_slice(name, 0, 3), STR("ins")) ||
              str_eq(str_slice(name, name.len - 3, name.len), STR("all")) ||
              name.len <= 6);
    }
    tap_case("%s: one post is too few", learn_model_methods[method]);
    CHECK(!learn_model_train(&settings, &examples, none, arena, &model, &err) &&
          err.kind == ERR_INPUT);
    learn_model_scratch_free(&scratch);
    learn_examples_free(&examples);
}

/* Posts with the words of both classes have both labels. */
static void check_several(enum learn_model_several how, const char *name,
                          struct arena *arena)
{
    struct learn_model_settings settings = learn_model_defaults(LEARN_MODEL_LINEAR);
    struct learn_parts posts[POSTS] = {0};
    struct learn_membership truth = learn_membership_new(POSTS, 2, true, arena);
    struct learn_examples examples;
    struct learn_model model;
    struct err err = {0};
    struct learn_model_scratch scratch = {0};
    size_t right = 0;

    for (size_t i = 0; i < POSTS; i++) {
        struct buf text = {0};
        bool first = i % 3 != 1, second = i % 3 != 0;
        buf_add_format(&text, "%s %s q%zu q%zu q%zu", first ? "crash" : "",
                       second ? "install" : "", i % 7, i % 11, i % 13);
        posts[i].at[LEARN_PARTS_PROSE] = arena_copy(arena, buf_str(&text));
        truth.is[2 * i] = first;
        truth.is[2 * i + 1] = second;
        buf_free(&text);
    }
    learn_examples_make(&(struct learn_posts){.parts = posts, .truth = truth},
                        settings.features, arena, &examples);
    struct learn_fold_items all = learn_fold_all(POSTS, arena);
    settings.several = how;
    tap_case("several labels, %s", name);
    CHECK(learn_model_train(&settings, &examples, (struct learn_fold_items){all.at, 45},
                            arena, &model, &err));
    for (size_t i = 45; i < POSTS; i++) {
        double scores[2], probabilities[2];
        uint8_t is[2];
        learn_model_predict(&model, learn_rows_at(&examples.counts, i), &scratch, scores,
                            probabilities);
        learn_model_decide(&model, scores, is);
        right += is[0] == truth.is[2 * i] && is[1] == truth.is[2 * i + 1];
    }
    CHECK(right == 15);
    CHECK((model.powerset != NULL) == (how == LEARN_MODEL_POWERSET));
    struct learn_model_reason reason;
    tap_case("several labels, %s: the word that tells decides", name);
    CHECK(learn_model_explain(&model, learn_rows_at(&examples.counts, 45), 0, &scratch,
                              &reason, 1, arena) == 1);
    CHECK(reason.weight > 0);
    learn_model_scratch_free(&scratch);
    learn_examples_free(&examples);
}

static void test_model(void)
{
    struct arena arena = {0};

    for (int method = 0; method < LEARN_MODEL_METHODS; method++)
        check_method((enum learn_model_method)method, &arena);
    check_several(LEARN_MODEL_REST, "each against the rest", &arena);
    check_several(LEARN_MODEL_POWERSET, "sets", &arena);
    check_several(LEARN_MODEL_CHOOSE, "the better, of equals the first", &arena);
    arena_free(&arena);
}

/* Reasons are parts of the score: together with the constant they are all of it. */

enum { EXPLAIN_POSTS = 40, ROOM = 2000 };

/* Scores less their constants, and less the mean over the classes. */
static double score_of_words(const struct learn_model *model, const double *scores)
{
    double one = scores[0] - model->scorer.constants[0];
    double other = scores[1] - model->scorer.constants[1];

    return one - (one + other) / 2;
}

static void check(double weight, struct arena *arena)
{
    struct learn_model_settings settings = learn_model_defaults(LEARN_MODEL_LINEAR);
    struct learn_examples examples;
    struct learn_vectors vectors;
    struct learn_model model;
    struct learn_model_scratch scratch = {0};
    struct learn_model_reason reasons[ROOM];
    struct err err = {0};
    double scores[2], probabilities[2], sum = 0;
    size_t by_vector = 0;

    toy_examples_with_vectors(EXPLAIN_POSTS, settings.features, arena, &vectors,
                              &examples);
    CHECK(learn_model_train(&settings, &examples, learn_fold_all(EXPLAIN_POSTS, arena),
                            arena, &model, &err));
    model.weigh.options.vectors = weight;
    for (size_t k = 2 * model.weigh.own_columns; k < 2 * model.weigh.columns; k++)
        model.scorer.weights[k] = (double)(k % 5) / 4; /* whatever was learned */
    struct learn_rows_row counts = learn_rows_at(&examples.counts, 0);
    learn_model_predict(&model, counts, &scratch, scores, probabilities);
    size_t count = learn_model_explain(&model, counts, 0, &scratch, reasons, ROOM, arena);
    for (size_t i = 0; i < count; i++) {
        sum += reasons[i].weight;
        by_vector += reasons[i].by_vector;
    }
    CHECK(count > 0 && count < ROOM);
    CHECK((by_vector > 0) == (weight > 0));
    CHECK_NEAR(sum, score_of_words(&model, scores), 1e-6);
    for (size_t i = 1; i < count; i++)
        CHECK(fabs(reasons[i - 1].weight) >= fabs(reasons[i].weight));
    learn_model_scratch_free(&scratch);
    learn_examples_free(&examples);
    learn_vectors_free(&vectors);
}

static void test_model_explain(void)
{
    struct arena arena = {0};

    tap_case("words");
    check(0, &arena);
    tap_case("words, and what they say by their vectors");
    check(0.5, &arena);
    arena_free(&arena);
}

/* Tuning looks at the given items alone, and picks what is best there. */

enum { TUNE_POSTS = 40 };

static struct learn_model tune(struct learn_model_settings settings,
                               const struct learn_examples *examples, size_t count,
                               struct arena *arena)
{
    struct learn_model model = {.method = settings.method, .classes = 2};

    learn_model_tune(
        &settings, examples,
        (struct learn_fold_items){learn_fold_all(TUNE_POSTS, arena).at, count}, arena,
        &model);
    return model;
}

/* Every post has words of its own: only what unlabelled text says of them tells the
 * classes apart. */
static void make_unseen(const struct learn_vectors *vectors,
                        struct learn_features_options options, struct arena *arena,
                        struct learn_examples *out)
{
    struct learn_parts *posts = arena_array(arena, struct learn_parts, TUNE_POSTS);
    struct learn_membership truth = learn_membership_new(TUNE_POSTS, 2, false, arena);

    for (size_t i = 0; i < TUNE_POSTS; i++) {
        struct buf text = {0};
        char class = i % 2 ? 'k' : 'q';
        buf_add_format(&text, "%c%zu and %c%zu of u%zu", class, i, class, i + 100, i * i);
        posts[i].at[LEARN_PARTS_PROSE] = arena_copy(arena, buf_str(&text));
        truth.is[2 * i + i % 2] = 1;
        buf_free(&text);
    }
    learn_examples_make(
        &(struct learn_posts){.parts = posts, .truth = truth, .vectors = vectors},
        options, arena, out);
}

static void learn_vectors(struct learn_vectors *out, struct arena *arena)
{
    struct learn_vectors_reader reader = {0};

    for (size_t i = 0; i < 400; i++) {
        struct buf text = {0};
        char class = i % 2 ? 'k' : 'q';
        for (size_t w = 0; w < 8; w++)
            buf_add_format(&text, "%c%zu ", class,
                           (i * 7 + w * w * 3) % 40 + w % 2 * 100);
        struct learn_parts post = {.at[LEARN_PARTS_PROSE] =
                                       arena_copy(arena, buf_str(&text))};
        learn_vectors_add(&reader, &post);
        buf_free(&text);
    }
    learn_vectors_learn(&reader, 1, out);
}

static void check_vectors(struct arena *arena)
{
    struct learn_model_settings settings = learn_model_defaults(LEARN_MODEL_LINEAR);
    struct learn_examples examples;
    struct learn_vectors vectors, none = {0};
    struct learn_model model;

    learn_model_take_words(&settings);
    learn_vectors(&vectors, arena);
    make_unseen(&vectors, settings.features, arena, &examples);
    tap_case("vectors are used where they help");
    model = tune(settings, &examples, TUNE_POSTS, arena);
    CHECK(model.tuned.vectors > 0 && model.tuned.macro_f1 > 0.9);
    tap_case("a mean of models says that they are");
    CHECK(learn_model_mean(&model, 1, arena).tuned.vectors > 0);

    tap_case("vectors that say nothing are not");
    memset(vectors.at, 0, vectors.words.count * vectors.dimensions * sizeof *vectors.at);
    model = tune(settings, &examples, TUNE_POSTS, arena);
    CHECK(model.tuned.vectors == 0 && model.tuned.macro_f1 < 0.9);
    learn_examples_free(&examples);
    learn_vectors_free(&vectors);

    tap_case("too little text: as if there were none");
    make_unseen(&none, settings.features, arena, &examples);
    CHECK(examples.vectors.vectors == NULL);
    learn_examples_free(&examples);
}

static void test_model_tune(void)
{
    struct arena arena = {0};
    struct learn_model_settings settings = learn_model_defaults(LEARN_MODEL_LINEAR);
    struct learn_examples examples;

    toy_examples(TUNE_POSTS, settings.features, &arena, &examples);
    struct learn_model model = tune(settings, &examples, 30, &arena);
    tap_case("what can be told apart is told apart");
    CHECK_NEAR(model.tuned.macro_f1, 1, 0);
    CHECK(model.tuned.value > 0 && model.sharpness > 1);

    tap_case("labels outside of the items change nothing");
    for (size_t i = 30; i < TUNE_POSTS; i++) {
        examples.truth.is[2 * i] = i % 3 == 0;
        examples.truth.is[2 * i + 1] = i % 3 != 0;
    }
    struct learn_model again = tune(settings, &examples, 30, &arena);
    CHECK(again.tuned.value == model.tuned.value && again.sharpness == model.sharpness);

    tap_case("a fixed value stays");
    settings.fixed = 0.7;
    CHECK_NEAR(tune(settings, &examples, 30, &arena).tuned.value, 0.7, 0);
    learn_examples_free(&examples);

    /* A picked word that is right needs weight, and alpha is on a grid of 0.01. */
    const struct learn_model_keyword keywords[] = {{STR("crash"), 0},
                                                   {STR("install"), 1}};
    settings = learn_model_defaults(LEARN_MODEL_KEYWORD_WEIGHT);
    settings.weigh.df_max = 0;
    settings.keywords = keywords;
    settings.keyword_count = 2;
    toy_examples(TUNE_POSTS, settings.features, &arena, &examples);
    model = tune(settings, &examples, TUNE_POSTS, &arena);
    tap_case("alpha is one of 0, 0.01, ..., 1");
    CHECK(model.tuned.value >= 0 && model.tuned.value <= 1);
    CHECK_NEAR(model.tuned.value * 100, floor(model.tuned.value * 100 + 0.5), 1e-9);
    CHECK_NEAR(model.tuned.macro_f1, 1, 0);
    learn_examples_free(&examples);
    check_vectors(&arena);
    arena_free(&arena);
}

/* What is chosen gets to its place, and the rest stays as the method wants it. */

static const struct {
    const char *text, *message;
} weights[] = {
    {"title=0.7", NULL},
    {"title = 1, code=0", NULL},
    {"body=1",
     "'body' is no part of a post; expected title, prose, code, inline-code or tags, as "
     "in title=0.7"},
    {"title=1,title=2", "'title' is there twice"},
    {"title", "the weight of title is '', expected a number of 0 or more"},
    {"title=-1", "the weight of title is '-1', expected a number of 0 or more"},
    {"title=nan", "the weight of title is 'nan', expected a number of 0 or more"},
};

static void test_choice(void)
{
    struct learn_model_settings before = learn_model_defaults(LEARN_MODEL_LINEAR),
                                after = before;
    struct learn_choice choice = {0};

    tap_case("nothing chosen changes nothing");
    learn_choice_apply(&choice, &after);
    CHECK(after.features.kinds == before.features.kinds &&
          after.features.run_max == before.features.run_max &&
          after.weigh.df_min == before.weigh.df_min && after.weigh.select == 0);

    tap_case("features");
    choice = (struct learn_choice){.run_max = 3,
                                   .df_min = 5,
                                   .df_max = 0.5,
                                   .select = 100,
                                   .idf = STR("plain"),
                                   .stops = STR("drop")};
    learn_choice_apply(&choice, &after);
    CHECK(after.features.run_max == 3 && after.features.no_stop_words);
    CHECK(after.weigh.df_min == 5 && after.weigh.select == 100);
    CHECK_NEAR(after.weigh.df_max, 0.5, 0);
    CHECK(after.weigh.idf == LEARN_WEIGH_IDF_PLAIN);

    tap_case("single words alone");
    choice = (struct learn_choice){.run_max = 1, .words_alone = true};
    learn_choice_apply(&choice, &after);
    CHECK(after.features.kinds ==
          (1u << LEARN_FEATURES_WORD | 1u << LEARN_FEATURES_ERROR));

    tap_case("keyword-weight");
    after = learn_model_defaults(LEARN_MODEL_KEYWORD_WEIGHT);
    choice = (struct learn_choice){
        .length = true, .top = 200, .only_top = true, .body_wins = true};
    learn_choice_apply(&choice, &after);
    CHECK(after.keyword.length && after.keyword.top == 200 && after.keyword.only_top &&
          after.features.body_wins);

    for (size_t i = 0; i < ROWS(weights); i++) {
        struct err err = {0};
        choice = (struct learn_choice){0};
        tap_case("weights '%s'", weights[i].text);
        CHECK(learn_choice_read_weights(str_from(weights[i].text), &choice, &err) ==
              (weights[i].message == NULL));
        if (weights[i].message != NULL)
            CHECK_TEXT(err.text, weights[i].message);
    }
    tap_case("a weight is where it belongs");
    struct err err = {0};
    choice = (struct learn_choice){0};
    CHECK(learn_choice_read_weights(STR("inline-code=2"), &choice, &err));
    after = before;
    learn_choice_apply(&choice, &after);
    CHECK_NEAR(after.weigh.parts[LEARN_PARTS_INLINE], 2, 0);
    CHECK_NEAR(after.weigh.parts[LEARN_PARTS_TITLE],
               before.weigh.parts[LEARN_PARTS_TITLE], 0);
}

int main(void)
{
    test_model();
    test_model_explain();
    test_model_tune();
    test_choice();
    return tap_done();
}
