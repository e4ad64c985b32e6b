/* Models written and read again, and files that no model made. */
#include "learn/model.h"

#include <string.h>

#include "learn/internal.h"
#include "tests/tap.h"
#include "tests/unit/learn_toy.h"

/* A model that was written and read predicts the same bits. */

enum { POSTS = 40 };

static const struct str names[] = {STR_INIT("crash"), STR_INIT("an install, \"quoted\"")};

static void write_model(enum learn_model_method method, bool sets, struct arena *arena,
                        struct learn_examples *examples, struct learn_model *model,
                        struct buf *out)
{
    struct learn_model_settings settings = learn_model_defaults(method);
    struct err err = {0};

    settings.weigh.df_max = 0;
    settings.several = sets ? LEARN_MODEL_POWERSET : LEARN_MODEL_REST;
    toy_examples(POSTS, settings.features, arena, examples);
    examples->truth.several = sets;
    for (size_t i = 0; i < POSTS && sets; i += 7)
        examples->truth.is[2 * i] = examples->truth.is[2 * i + 1] = 1;
    CHECK(learn_model_train(&settings, examples, learn_fold_all(POSTS, arena), arena,
                            model, &err));
    learn_model_file_write(
        &(struct learn_model_file){.features = settings.features,
                                   .table = examples->table,
                                   .model = *model,
                                   .classes = names,
                                   .training = learn_model_file_hash(names, 2),
                                   .training_count = POSTS},
        arena, out);
}

static void check_round_trip(enum learn_model_method method, bool sets,
                             struct arena *arena)
{
    struct learn_examples examples;
    struct learn_model model;
    struct learn_model_file file;
    struct buf text = {0}, again = {0};
    struct err err = {0};
    struct learn_model_scratch scratch = {0};
    struct learn_features_reader reader;
    struct learn_parts post = {.at[LEARN_PARTS_PROSE] =
                                   STR("crash w3 w5 and w17 unheard")};
    double old[4], new[4];

    tap_case("%s%s: written and read", learn_model_methods[method], sets ? ", sets" : "");
    write_model(method, sets, arena, &examples, &model, &text);
    CHECK(learn_model_file_read(buf_str(&text), "m", arena, &file, &err));
    CHECK(file.training == learn_model_file_hash(names, 2) &&
          file.training_count == POSTS);
    CHECK(str_eq(file.classes[1], names[1]));
    learn_features_open(&reader, file.features, NULL, &examples.table);
    learn_model_predict(&model, learn_features_read(&reader, &post), &scratch, old,
                        old + 2);
    learn_features_close(&reader);
    learn_features_open(&reader, file.features, NULL, &file.table);
    learn_model_predict(&file.model, learn_features_read(&reader, &post), &scratch, new,
                        new + 2);
    learn_features_close(&reader);
    tap_case("%s: the same bits", learn_model_methods[method]);
    CHECK(memcmp(old, new, sizeof old) == 0);
    tap_case("%s: written again the same bytes", learn_model_methods[method]);
    learn_model_file_write(&file, arena, &again);
    CHECK(str_eq(buf_str(&text), buf_str(&again)));
    learn_model_scratch_free(&scratch);
    learn_model_file_free(&file);
    learn_examples_free(&examples);
    buf_free(&text);
    buf_free(&again);
}

/* Sums of vectors may be made in another order. */
static void check_predictions(const struct learn_model_file *one,
                              const struct learn_model_file *other, struct arena *arena)
{
    static const struct learn_parts post = {
        .at[LEARN_PARTS_TITLE] = STR_INIT("crash of w1"),
        .at[LEARN_PARTS_PROSE] = STR_INIT("w2 and w3 crash again, unheard")};
    const struct learn_model_file *files[] = {one, other};
    struct learn_model_scratch scratch = {0};
    double *scores = arena_array(arena, double, 8);

    for (size_t f = 0; f < 2; f++) {
        struct learn_features_reader reader;
        learn_features_open(&reader, files[f]->features, NULL, &files[f]->table);
        learn_model_predict(&files[f]->model, learn_features_read(&reader, &post),
                            &scratch, scores + 4 * f, scores + 4 * f + 2);
        learn_features_close(&reader);
    }
    for (size_t i = 0; i < 4; i++)
        CHECK_NEAR(scores[i], scores[4 + i], 1e-9);
    learn_model_scratch_free(&scratch);
}

/* A model that uses vectors, whether that helps or not. */
static void check_vectors(struct arena *arena)
{
    struct learn_model_settings settings = learn_model_defaults(LEARN_MODEL_LINEAR);
    struct learn_examples examples;
    struct learn_model model;
    struct learn_model_file file, read;
    struct learn_vectors vectors;
    struct buf text = {0}, again = {0};
    struct err err = {0};

    tap_case("vectors: written and read");
    toy_examples_with_vectors(POSTS, settings.features, arena, &vectors, &examples);
    CHECK(learn_model_train(&settings, &examples, learn_fold_all(POSTS, arena), arena,
                            &model, &err));
    model.weigh.options.vectors = 0.5;
    model.scorer.weights[2 * model.weigh.own_columns] = 0.25;
    file = (struct learn_model_file){.features = settings.features,
                                     .table = examples.table,
                                     .model = model,
                                     .text = STR("title,body"),
                                     .classes = names};
    learn_model_file_write(&file, arena, &text);
    CHECK(learn_model_file_read(buf_str(&text), "m", arena, &read, &err));
    CHECK(str_eq(read.text, STR("title,body")));
    CHECK(read.vectors != NULL && read.vectors->words.count == vectors.words.count);
    CHECK(read.model.weigh.columns == model.weigh.columns);
    tap_case("vectors: predictions differ by rounding alone");
    check_predictions(&file, &read, arena);
    tap_case("vectors: written again the same bytes");
    learn_model_file_write(&read, arena, &again);
    CHECK(str_eq(buf_str(&text), buf_str(&again)));
    learn_model_file_free(&read);
    learn_examples_free(&examples);
    learn_vectors_free(&vectors);
    buf_free(&text);
    buf_free(&again);
}

static void test_model_file(void)
{
    static const enum learn_model_method methods[] = {
        LEARN_MODEL_LINEAR, LEARN_MODEL_KEYWORD_WEIGHT, LEARN_MODEL_MAJORITY};
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(methods); i++)
        for (int sets = 0; sets < 2; sets++)
            check_round_trip(methods[i], sets != 0, &arena);
    check_vectors(&arena);
    tap_case("the hash depends on ids and their order");
    const struct str swapped[] = {names[1], names[0]};
    CHECK(learn_model_file_hash(names, 2) != learn_model_file_hash(swapped, 2));
    arena_free(&arena);
}

/* Files that no model was written to: what is broken is told with its place. */

#define ONE \
    "assay model 2\ntraining 0000000000000000 3\ntext a\nclasses 1 0\na\nfeatures 1 2 " \
    "3 5 " \
    "0 0 0\nnames 0\n"

#define SEVERAL \
    "assay model 2\ntraining 0000000000000000 3\ntext a,b\nclasses 2 1\na\nb\nfeatures " \
    "1 2 3 5 0 " \
    "0 0\n" \
    "names 0\nvectors 0 0\nmembers 1\n"

static const struct {
    const char *name, *text, *message;
} rows[] = {
    {"nothing", "", "m:1: the model ends too early"},
    {"something else", "hello\n", "m:1: found 'hello', expected assay"},
    {"another version", "assay model 1\n", "m:1: the model has version 1, expected 2"},
    {"no training", "assay model 2\nfoo\n", "m:2: found 'foo', expected training"},
    {"no hash", "assay model 2\ntraining 12 3\n",
     "m:2: found '12 3', expected 16 hexadecimal digits"},
    {"too many classes",
     "assay model 2\ntraining 0000000000000000 3\ntext a,b\nclasses 99 0\n",
     "m:4: found '99 0', expected a whole number that fits"},
    {"no number",
     "assay model 2\ntraining 0000000000000000 3\ntext a,b\nclasses x 0\na\n",
     "m:4: found 'x 0', expected a whole number that fits"},
    {"more than there should be",
     "assay model 2\ntraining 0000000000000000 3\ntext a,b\nclasses 1 0 2\na\n",
     "m:4: found '2', expected the end of the line"},
    {"infinity", ONE "vectors 1 1\nx inf\nmembers 1\n",
     "m:9: found 'inf', expected a number"},
    {"something behind the end",
     ONE "vectors 0 0\nmembers 1\nmember linear 1\nweigh 1 1 1 1 1 1 0 1 1\n"
         "thresholds 0\nconstants 0\ncolumns 0\nmore\n",
     "m:15: found 'more', expected the end of the file"},
    {"cut off", "assay model 2\ntraining 0000000000000000 3\ntext a,b\nclasses 1 0\na\n",
     "m:6: the model ends too early"},
    {"a feature twice",
     "assay model 2\ntraining 0000000000000000 3\ntext a,b\nclasses 1 0\na\nfeatures 1 2 "
     "3 5 0 0 "
     "0\n"
     "names 2\ntitle word x\ntitle word x\n",
     "m:9: found 'x', expected a feature that was not there before"},
    {"an unknown part",
     "assay model 2\ntraining 0000000000000000 3\ntext a,b\nclasses 1 0\na\nfeatures 1 2 "
     "3 5 0 0 "
     "0\n"
     "names 1\nbody word x\n",
     "m:8: found 'body word x', expected a known name"},
    {"more vectors than the file has room for", ONE "vectors 9 9\nx 1 2 3 4 5 6 7 8 9\n",
     "m:8: the model ends too early"},
    {"a word twice", ONE "vectors 2 1\nx 1\nx 2\nmembers 1\n",
     "m:10: found '2', expected a word that was not there before"},
    {"a number of a vector missing", ONE "vectors 1 2\nx 1\nmembers 1\n",
     "m:9: found '', expected a number"},
    {"a number that no model has", ONE "vectors 1 1\nx 1e10\nmembers 1\n",
     "m:9: found '1e10', expected a number"},
    {"a weight below 0",
     ONE "vectors 0 0\nmembers 1\nmember linear 1\nweigh 1 1 -1 1 1 1 0.5 1 1\n",
     "m:11: found '-1 1 1 1 0.5 1 1', expected a number that is not below 0"},
    {"vectors used that are not there",
     ONE "vectors 0 0\nmembers 1\nmember linear 1\nweigh 1 1 1 1 1 1 0.5 1 1\n"
         "thresholds 0\nconstants 0\ncolumns 0\n",
     "m:14: a member uses vectors, and the file has none"},
    {"more sets than the file has room for", SEVERAL "powerset 9\n01\n",
     "m:11: found '9', expected a whole number that fits"},
    {"a set that is too short", SEVERAL "powerset 1\n0\n",
     "m:12: found '0', expected a 0 or 1 for each class"},
    {"a set of something else", SEVERAL "powerset 1\n0x\nmember\n",
     "m:12: found '0x', expected a 0 or 1 for each class"},
};

static void test_model_file_read(void)
{
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct learn_model_file file;
        struct err err = {0};
        tap_case("broken: %s", rows[i].name);
        CHECK(!learn_model_file_read(str_from(rows[i].text), "m", &arena, &file, &err));
        CHECK_TEXT(err.text, rows[i].message);
    }
    arena_free(&arena);
}

int main(void)
{
    test_model_file();
    test_model_file_read();
    return tap_done();
}
