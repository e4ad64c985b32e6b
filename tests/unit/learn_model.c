/* Every method learns what one word tells, gives probabilities, and can say why. */
#include "learn/model.h"

#include <math.h>

#include "tests/unit/learn_toy.h"

enum { POSTS = 60 };

static void check_method(enum model_method method, struct arena *arena)
{
    struct model_settings settings = model_defaults(method);
    struct examples examples;
    struct model model;
    struct err err = {0};
    struct model_scratch scratch = {0};
    double scores[2], probabilities[2], right = 0, sums_off = 0;

    settings.weigh.df_max = 0;
    toy_examples(POSTS, settings.features, arena, &examples);
    struct folds_items all = folds_all(POSTS, arena);
    struct folds_items train = {all.at, 40}, none = {all.at, 1};
    tap_case("%s learns", model_methods[method]);
    CHECK(model_train(&settings, &examples, train, arena, &model, &err));
    for (size_t i = 40; i < POSTS; i++) {
        uint8_t is[2];
        model_predict(&model, rows_at(&examples.counts, i), &scratch, scores,
                      probabilities);
        model_decide(&model, scores, is);
        right += membership_has(&examples.truth, i, is[1]);
        sums_off += fabs(probabilities[0] + probabilities[1] - 1);
        CHECK(is[0] + is[1] == 1);
    }
    tap_case("%s is right on new posts", model_methods[method]);
    CHECK(method == MODEL_MAJORITY ? right == 10 : right == 20);
    tap_case("%s: probabilities add up to 1", model_methods[method]);
    CHECK(sums_off < 1e-9);

    struct model_reason reasons[3];
    if (method != MODEL_MAJORITY) {
        size_t count = model_explain(&model, rows_at(&examples.counts, 41), 1, &scratch,
                                     reasons, 3, arena);
        tap_case("%s: the word that tells decides, for its class", model_methods[method]);
        CHECK(count == 3 && reasons[0].weight > 0);
        struct str name = features_name(&examples.table, reasons[0].feature);
        CHECK(str_eq(str_slice(name, 0, 3), STR("ins")) ||
              str_eq(str_slice(name, name.len - 3, name.len), STR("all")) ||
              name.len <= 6);
    }
    tap_case("%s: one post is too few", model_methods[method]);
    CHECK(!model_train(&settings, &examples, none, arena, &model, &err) &&
          err.kind == ERR_INPUT);
    model_scratch_free(&scratch);
    examples_free(&examples);
}

/* Posts with the words of both classes have both labels. */
static void check_several(enum model_several how, const char *name, struct arena *arena)
{
    struct model_settings settings = model_defaults(MODEL_LINEAR);
    struct parts posts[POSTS] = {0};
    struct membership truth = membership_new(POSTS, 2, true, arena);
    struct examples examples;
    struct model model;
    struct err err = {0};
    struct model_scratch scratch = {0};
    size_t right = 0;

    for (size_t i = 0; i < POSTS; i++) {
        struct buf text = {0};
        bool first = i % 3 != 1, second = i % 3 != 0;
        buf_add_format(&text, "%s %s q%zu q%zu q%zu", first ? "crash" : "",
                       second ? "install" : "", i % 7, i % 11, i % 13);
        posts[i].at[PARTS_PROSE] = arena_copy(arena, buf_str(&text));
        truth.is[2 * i] = first;
        truth.is[2 * i + 1] = second;
        buf_free(&text);
    }
    examples_make(posts, truth, settings.features, NULL, arena, &examples);
    struct folds_items all = folds_all(POSTS, arena);
    settings.several = how;
    tap_case("several labels, %s", name);
    CHECK(model_train(&settings, &examples, (struct folds_items){all.at, 45}, arena,
                      &model, &err));
    for (size_t i = 45; i < POSTS; i++) {
        double scores[2], probabilities[2];
        uint8_t is[2];
        model_predict(&model, rows_at(&examples.counts, i), &scratch, scores,
                      probabilities);
        model_decide(&model, scores, is);
        right += is[0] == truth.is[2 * i] && is[1] == truth.is[2 * i + 1];
    }
    CHECK(right == 15);
    CHECK((model.powerset != NULL) == (how == MODEL_POWERSET));
    struct model_reason reason;
    tap_case("several labels, %s: the word that tells decides", name);
    CHECK(model_explain(&model, rows_at(&examples.counts, 45), 0, &scratch, &reason, 1,
                        arena) == 1);
    CHECK(reason.weight > 0);
    model_scratch_free(&scratch);
    examples_free(&examples);
}

int main(void)
{
    struct arena arena = {0};

    for (int method = 0; method < MODEL_METHODS; method++)
        check_method((enum model_method)method, &arena);
    check_several(MODEL_REST, "each against the rest", &arena);
    check_several(MODEL_POWERSET, "sets", &arena);
    check_several(MODEL_CHOOSE, "the better, of equals the first", &arena);
    arena_free(&arena);
    return tap_done();
}
