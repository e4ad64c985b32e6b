/* A model that was written and read predicts the same bits. */
#include "learn/model_file.h"

#include <string.h>

#include "tests/unit/learn_toy.h"

enum { POSTS = 40 };

static const struct str names[] = {STR_INIT("crash"), STR_INIT("an install, \"quoted\"")};

static void write_model(enum model_method method, bool sets, struct arena *arena,
                        struct examples *examples, struct model *model, struct buf *out)
{
    struct model_settings settings = model_defaults(method);
    struct err err = {0};

    settings.weigh.df_max = 0;
    settings.several = sets ? MODEL_POWERSET : MODEL_REST;
    toy_examples(POSTS, settings.features, arena, examples);
    examples->truth.several = sets;
    for (size_t i = 0; i < POSTS && sets; i += 7)
        examples->truth.is[2 * i] = examples->truth.is[2 * i + 1] = 1;
    CHECK(model_train(&settings, examples, folds_all(POSTS, arena), arena, model, &err));
    model_file_write(&(struct model_file){.features = settings.features,
                                          .table = examples->table,
                                          .model = *model,
                                          .classes = names,
                                          .training = model_file_hash(names, 2),
                                          .training_count = POSTS},
                     arena, out);
}

static void check_round_trip(enum model_method method, bool sets, struct arena *arena)
{
    struct examples examples;
    struct model model;
    struct model_file file;
    struct buf text = {0}, again = {0};
    struct err err = {0};
    struct model_scratch scratch = {0};
    struct features_reader reader;
    struct parts post = {.at[PARTS_PROSE] = STR("crash w3 w5 and w17 unheard")};
    double old[4], new[4];

    tap_case("%s%s: written and read", model_methods[method], sets ? ", sets" : "");
    write_model(method, sets, arena, &examples, &model, &text);
    CHECK(model_file_read(buf_str(&text), "m", arena, &file, &err));
    CHECK(file.training == model_file_hash(names, 2) && file.training_count == POSTS);
    CHECK(str_eq(file.classes[1], names[1]));
    features_open(&reader, file.features, NULL, &examples.table);
    model_predict(&model, features_read(&reader, &post), &scratch, old, old + 2);
    features_close(&reader);
    features_open(&reader, file.features, NULL, &file.table);
    model_predict(&file.model, features_read(&reader, &post), &scratch, new, new + 2);
    features_close(&reader);
    tap_case("%s: the same bits", model_methods[method]);
    CHECK(memcmp(old, new, sizeof old) == 0);
    tap_case("%s: written again the same bytes", model_methods[method]);
    model_file_write(&file, arena, &again);
    CHECK(str_eq(buf_str(&text), buf_str(&again)));
    model_scratch_free(&scratch);
    model_file_free(&file);
    examples_free(&examples);
    buf_free(&text);
    buf_free(&again);
}

/* Sums of vectors may be made in another order. */
static void check_predictions(const struct model_file *one,
                              const struct model_file *other, struct arena *arena)
{
    static const struct parts post = {.at[PARTS_TITLE] = STR_INIT("crash of w1"),
                                      .at[PARTS_PROSE] =
                                          STR_INIT("w2 and w3 crash again, unheard")};
    const struct model_file *files[] = {one, other};
    struct model_scratch scratch = {0};
    double *scores = arena_array(arena, double, 8);

    for (size_t f = 0; f < 2; f++) {
        struct features_reader reader;
        features_open(&reader, files[f]->features, NULL, &files[f]->table);
        model_predict(&files[f]->model, features_read(&reader, &post), &scratch,
                      scores + 4 * f, scores + 4 * f + 2);
        features_close(&reader);
    }
    for (size_t i = 0; i < 4; i++)
        CHECK_NEAR(scores[i], scores[4 + i], 1e-9);
    model_scratch_free(&scratch);
}

/* A model that uses vectors, whether that helps or not. */
static void check_vectors(struct arena *arena)
{
    struct model_settings settings = model_defaults(MODEL_LINEAR);
    struct examples examples;
    struct model model;
    struct model_file file, read;
    struct vectors vectors;
    struct buf text = {0}, again = {0};
    struct err err = {0};

    tap_case("vectors: written and read");
    toy_examples_with_vectors(POSTS, settings.features, arena, &vectors, &examples);
    CHECK(
        model_train(&settings, &examples, folds_all(POSTS, arena), arena, &model, &err));
    model.weigh.options.vectors = 0.5;
    model.scorer.weights[2 * model.weigh.own_columns] = 0.25;
    file = (struct model_file){.features = settings.features,
                               .table = examples.table,
                               .model = model,
                               .text = STR("title,body"),
                               .classes = names};
    model_file_write(&file, arena, &text);
    CHECK(model_file_read(buf_str(&text), "m", arena, &read, &err));
    CHECK(str_eq(read.text, STR("title,body")));
    CHECK(read.vectors != NULL && read.vectors->words.count == vectors.words.count);
    CHECK(read.model.weigh.columns == model.weigh.columns);
    tap_case("vectors: predictions differ by rounding alone");
    check_predictions(&file, &read, arena);
    tap_case("vectors: written again the same bytes");
    model_file_write(&read, arena, &again);
    CHECK(str_eq(buf_str(&text), buf_str(&again)));
    model_file_free(&read);
    examples_free(&examples);
    vectors_free(&vectors);
    buf_free(&text);
    buf_free(&again);
}

int main(void)
{
    static const enum model_method methods[] = {MODEL_LINEAR, MODEL_KEYWORD_WEIGHT,
                                                MODEL_AVERAGE, MODEL_MAJORITY};
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(methods); i++)
        for (int sets = 0; sets < 2; sets++)
            check_round_trip(methods[i], sets != 0, &arena);
    check_vectors(&arena);
    tap_case("the hash depends on ids and their order");
    const struct str swapped[] = {names[1], names[0]};
    CHECK(model_file_hash(names, 2) != model_file_hash(swapped, 2));
    arena_free(&arena);
    return tap_done();
}
