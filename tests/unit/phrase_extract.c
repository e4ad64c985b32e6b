/* The verb and object of titles, written for this test. */
#include "phrase/phrase.h"

#include "tests/tap.h"

static const struct {
    const char *title, *verb, *object, *words;
} rows[] = {
    {"How to load a trained model in Keras?", "load", "model", "load a trained model"},
    {"Keras: how to correctly initialise weights?", "initialize", "weight",
     "initialise weights"},
    {"how to iterate over a tensor", "iterate", "tensor", "iterate over a tensor"},
    {"How do I convert matrices to images", "convert", "matrix", "convert matrices"},
    {"How to save and restore a checkpoint", "save", "checkpoint",
     "save and restore a checkpoint"},
    {"How to use numpy to sort a list of vectors?", "sort", "vector",
     "sort a list of vectors"},
    {"How to get tf.data.Dataset from a csv", "get", "dataset", "get tf.data.Dataset"},
    {"How to set up (quickly) TensorBoard", "set", "tensorboard",
     "set up (quickly) TensorBoard"},
    {"Mapping indices to words", "map", "index", "Mapping indices"},
    {"Fix crash when batch is empty", "fix", "crash", "Fix crash"},
    {"Retrain network on new classes", "retrain", "network", "Retrain network"},
    {"Error when loading weights from a file", "load", "weight", "loading weights"},
    {"Unable to import theano", "import", "theano", "import theano"},
    {"How to softmax only the rows", "softmax", "row", "softmax only the rows"},
    {"Installing tensorflow fails", "install", "tensorflow", "Installing tensorflow"},
    {"Error when installing keras", "install", "keras", "installing keras"},
    {"How to import tfjs", "import", "tfjs", "import tfjs"},
    {"Installed CUDA is not found", "install", "cuda", "Installed CUDA"},
    {"Modelling time series", "model", "series", "Modelling time series"},
    {"How to classify movies", "classify", "movie", "classify movies"},
    {"Sorting queries by length", "sort", "query", "Sorting queries"},
    {"Loading a model fails", "load", "model", "Loading a model"},
    {"Training model crashes with GPU", "train", "model", "Training model"},
    {"How to prevent kernel crashes", "prevent", "crash", "prevent kernel crashes"},
    {"How to train", "train", "", "train"},
    {"ValueError: shapes do not match", "", "", ""},
    {"Memory leak in tf.Session", "", "", ""},
    {"Keras \u2014 how to load \u2018weights\u2019 \U0001F6B0", "load", "weight",
     "load \u2018weights"},
    {"How to reset \U0001F6B0", "reset", "", "reset"},
    {"", "", "", ""},
    {"???", "", "", ""},
    {"How to", "", "", ""},
};

int main(void)
{
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("%s", rows[i].title);
        struct phrase found = phrase_extract(str_from(rows[i].title), &arena);
        CHECK(str_eq(found.verb, str_from(rows[i].verb)));
        CHECK(str_eq(found.object, str_from(rows[i].object)));
        CHECK(str_eq(found.words, str_from(rows[i].words)));
    }
    arena_free(&arena);
    return tap_done();
}
