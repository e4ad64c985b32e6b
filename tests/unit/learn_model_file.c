/* A model that was written and read predicts the same bits; what is broken is told with
 * its place. */
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

#define SEVERAL \
    "assay model 1\ntraining 0000000000000000 3\nclasses 2 1\na\nb\nfeatures 1 2 3 5 0 " \
    "0 0\n" \
    "names 0\nmembers 1\n"

static const struct {
    const char *name, *text, *message;
} rows[] = {
    {"nothing", "", "m:1: the model ends too early"},
    {"something else", "hello\n", "m:1: found 'hello', expected assay"},
    {"another version", "assay model 2\n", "m:1: the model has version 2, expected 1"},
    {"no training", "assay model 1\nfoo\n", "m:2: found 'foo', expected training"},
    {"no hash", "assay model 1\ntraining 12 3\n",
     "m:2: found '12 3', expected 16 hexadecimal digits"},
    {"too many classes", "assay model 1\ntraining 0000000000000000 3\nclasses 99 0\n",
     "m:3: found '99 0', expected a whole number that fits"},
    {"cut off", "assay model 1\ntraining 0000000000000000 3\nclasses 1 0\na\n",
     "m:5: the model ends too early"},
    {"a feature twice",
     "assay model 1\ntraining 0000000000000000 3\nclasses 1 0\na\nfeatures 1 2 3 5 0 0 "
     "0\n"
     "names 2\ntitle word x\ntitle word x\n",
     "m:8: found 'x', expected a feature that was not there before"},
    {"an unknown part",
     "assay model 1\ntraining 0000000000000000 3\nclasses 1 0\na\nfeatures 1 2 3 5 0 0 "
     "0\n"
     "names 1\nbody word x\n",
     "m:7: found 'body word x', expected a known name"},
    {"more sets than the file has room for", SEVERAL "powerset 9\n01\n",
     "m:9: found '9', expected a whole number that fits"},
    {"a set that is too short", SEVERAL "powerset 1\n0\n",
     "m:10: found '0', expected a 0 or 1 for each class"},
    {"a set of something else", SEVERAL "powerset 1\n0x\nmember\n",
     "m:10: found '0x', expected a 0 or 1 for each class"},
};

int main(void)
{
    static const enum model_method methods[] = {MODEL_LINEAR, MODEL_KEYWORD_WEIGHT,
                                                MODEL_AVERAGE, MODEL_MAJORITY};
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(methods); i++)
        for (int sets = 0; sets < 2; sets++)
            check_round_trip(methods[i], sets != 0, &arena);
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct model_file file;
        struct err err = {0};
        tap_case("broken: %s", rows[i].name);
        CHECK(!model_file_read(str_from(rows[i].text), "m", &arena, &file, &err));
        CHECK_TEXT(err.text, rows[i].message);
    }
    tap_case("the hash depends on ids and their order");
    const struct str swapped[] = {names[1], names[0]};
    CHECK(model_file_hash(names, 2) != model_file_hash(swapped, 2));
    arena_free(&arena);
    return tap_done();
}
