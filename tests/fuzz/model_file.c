/* Any bytes are a model or an error with its place; a model that was read predicts
 * without harm and can be written and read again. */
#include "learn/model.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(const struct learn_model_file *file, struct arena *arena)
{
    struct learn_model_scratch scratch = {0};
    struct learn_features_reader reader;
    struct learn_parts post = {0};
    double *scores = arena_array(arena, double, 2 * file->model.classes);
    uint8_t *is = arena_array(arena, uint8_t, file->model.classes);
    size_t classes = 0;

    for (size_t i = 0; i < LEARN_PARTS_COUNT; i++)
        post.at[i] = STR("Crash when I install tf.nn 2.1.0 ValueError a b c");
    learn_features_open(&reader, file->features, NULL, &file->table);
    learn_model_predict(&file->model, learn_features_read(&reader, &post), &scratch,
                        scores, scores + file->model.classes);
    learn_model_decide(&file->model, scores, is);
    for (size_t k = 0; k < file->model.classes; k++) {
        double probability = scores[file->model.classes + k];
        assert(probability >= 0 && probability <= 1 + 1e-9);
        classes += is[k];
    }
    assert(classes >= 1 && (file->model.several || classes == 1));
    learn_features_close(&reader);
    learn_model_scratch_free(&scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct str text = {(const char *)data, size};
    struct learn_model_file file, again;
    struct err err = {0};
    struct buf first = {0}, second = {0};

    if (!learn_model_file_read(text, "m", &arena, &file, &err)) {
        assert(err.kind == ERR_INPUT && strncmp(err.text, "m:", 2) == 0);
        arena_free(&arena);
        return 0;
    }
    use(&file, &arena);
    learn_model_file_write(&file, &arena, &first);
    bool readable = learn_model_file_read(buf_str(&first), "m", &arena, &again, &err);
    assert(readable);
    if (!readable) /* where asserts are off */
        return 0;
    learn_model_file_write(&again, &arena, &second);
    assert(str_eq(buf_str(&first), buf_str(&second)));
    learn_model_file_free(&file);
    learn_model_file_free(&again);
    buf_free(&first);
    buf_free(&second);
    arena_free(&arena);
    return 0;
}
