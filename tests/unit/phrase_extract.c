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
    {"How to set up (quickly) TensorBoard", "set up", "tensorboard",
     "set up (quickly) TensorBoard"},
    {"How to log in? Session expires quickly", "log in", "", "log in"},
    {"How to set up? Docker container fails", "set up", "", "set up"},
    {"How to turn off: the GPU is busy", "turn off", "", "turn off"},
    {"How to train quickly? GPU is busy", "train", "", "train"},
    {"Mapping indices to words", "map", "index", "Mapping indices"},
    {"Fix crash when batch is empty", "fix", "crash", "Fix crash"},
    {"Retrain network on new classes", "retrain", "network", "Retrain network"},
    {"Error when loading weights from a file", "load", "weight", "loading weights"},
    {"Unable to import theano", "import", "theano", "import theano"},
    {"How to softmax only the rows", "softmax", "row", "softmax only the rows"},
    {"Installing tensorflow fails", "install", "tensorflow", "Installing tensorflow"},
    {"Error when installing keras", "install", "keras", "installing keras"},
    {"How to import tfjs", "import", "tfjs", "import tfjs"},
    {"Update requirements.txt", "update", "requirements.txt", "Update requirements.txt"},
    {"update to TensorFlow 2", "update", "tensorflow", "update to TensorFlow 2"},
    {"use tensorflow 1.2.1", "use", "tensorflow", "use tensorflow 1.2.1"},
    {"use tensorflow 2.x", "use", "tensorflow", "use tensorflow 2.x"},
    {"How to install keras v2.0", "install", "keras", "install keras v2.0"},
    {"How to convert a vx", "convert", "vx", "convert a vx"},
    {"How to read matrix.x", "read", "matrix.x", "read matrix.x"},
    {"How to restore model.ckpt", "restore", "model.ckpt", "restore model.ckpt"},
    {"How to load weights.hdf5", "load", "weights.hdf5", "load weights.hdf5"},
    {"How to read video.mp4", "read", "video.mp4", "read video.mp4"},
    {"How to read data.parquet", "read", "data.parquet", "read data.parquet"},
    {"How to open image.bmp", "open", "image.bmp", "open image.bmp"},
    {"Installed CUDA is not found", "install", "cuda", "Installed CUDA"},
    {"Modelling time series", "model", "series", "Modelling time series"},
    {"How to classify movies", "classify", "movie", "classify movies"},
    {"Sorting queries by length", "sort", "query", "Sorting queries"},
    {"Loading a model fails", "load", "model", "Loading a model"},
    {"Training model crashes with GPU", "train", "model", "Training model"},
    {"How to prevent kernel crashes", "prevent", "crash", "prevent kernel crashes"},
    {"pip install polars fails on macOS", "install", "polar", "install polars"},
    {"Why: conda update crashes", "update", "", "update"},
    {"How to pip install wheels", "install", "wheel", "install wheels"},
    {"How to setup a proxy", "set up", "proxy", "setup a proxy"},
    {"Setting up a proxy", "set up", "proxy", "Setting up a proxy"},
    {"How to log in with a token", "log in", "token", "log in with a token"},
    {"Docker command for a model", "", "", ""},
    {"Docker build stuck", "build", "", "build"},
    {"How to initialize biases", "initialize", "bias", "initialize biases"},
    {"How to export an estimator's", "export", "estimator", "export an estimator's"},
    {"How to log in a callback", "log", "callback", "log in a callback"},
    {"How to look up words in a dict", "look up", "word", "look up words"},
    {"How to turn off", "turn off", "", "turn off"},
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
        struct phrase found = phrase_extract(str_from(rows[i].title), NULL, &arena);
        CHECK(str_eq(found.verb, str_from(rows[i].verb)));
        CHECK(str_eq(found.object, str_from(rows[i].object)));
        CHECK(str_eq(found.words, str_from(rows[i].words)));
    }

    static const struct {
        const char *title, *object;
    } named[] = {
        {"How to install polars", "polars"},      /* a tag */
        {"How to import geopandas", "geopandas"}, /* no text has a geopanda */
        {"How to reshape tensors", "tensor"},     /* another has it in the singular */
        {"How to sort arrays", "array"},          /* a tag, but WordNet knows it */
        {"How to compress bytes", "byte"},        /* too rare to tell */
    };
    struct phrase_words words = {{.arena = &arena}, {.arena = &arena}};
    map_put(&words.tags, STR("polars"));
    map_put(&words.tags, STR("arrays"));
    for (int i = 0; i < 3; i++)
        phrase_words_add(&words, STR("Polars, geopandas and tensors"));
    phrase_words_add(&words, STR("A tensor in polar coordinates, tf.Tensor"));
    for (size_t i = 0; i < ROWS(named); i++) {
        tap_case("%s, with words of the corpus", named[i].title);
        struct phrase found = phrase_extract(str_from(named[i].title), &words, &arena);
        CHECK(str_eq(found.object, str_from(named[i].object)));
    }
    arena_free(&arena);
    return tap_done();
}
