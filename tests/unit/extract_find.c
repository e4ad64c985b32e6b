/* What is found in texts and code of posts, kind by kind. */
#include "extract/extract.h"

#include "base/buf.h"
#include "tests/tap.h"

static void add_name(void *context, struct str name, bool asked)
{
    struct buf *out = context;

    buf_add_format(out, "%s%s%.*s", out->len > 0 ? "|" : "", asked ? "?" : "",
                   STR_ARG(name));
}

static const struct {
    const char *name;
    enum extract_what what;
    const char *title, *prose, *code, *answer;
    const char *found;
} rows[] = {
    {"imports", EXTRACT_APIS, "", "",
     "import tensorflow as tf\nfrom keras.layers import Dense, Conv2D as C\n"
     "x = tf.nn.relu(C(3)(Dense(4)))",
     NULL, "tensorflow.nn.relu|keras.layers.Conv2D|keras.layers.Dense"},
    {"an import over several lines", EXTRACT_APIS, "", "",
     "from keras.layers import (Dense,\n   LSTM)\nm.add(LSTM(3))", NULL,
     "keras.layers.LSTM"},
    {"no imports", EXTRACT_APIS, "", "", "y = np.zeros(3); tf.add(1, 2)", NULL,
     "numpy.zeros|tensorflow.add"},
    {"a variable", EXTRACT_APIS, "", "",
     "from keras.models import Sequential\nmodel = Sequential()\nmodel.fit(x)", NULL,
     "keras.models.Sequential|keras.models.Sequential.fit"},
    {"prompts and comments", EXTRACT_APIS, "", "",
     ">>> import numpy as np\n>>> np.dot(a, b) # np.outer(a)\n...\nIn [3]: np.sum(a)",
     NULL, "numpy.dot|numpy.sum"},
    {"code that does not parse", EXTRACT_APIS, "", "",
     "model = tf.keras.Model(((\n'never ends\nTraceback (most recent call last):", NULL,
     "tensorflow.keras.Model"},
    {"a sentence is no call", EXTRACT_APIS, "", "", "Keras (the library) is", NULL, ""},
    {"errors", EXTRACT_ERRORS, "ValueError", "", "KeyError: 'x3' at 12", NULL,
     "ValueError|KeyError: 'x3' at N"},
    {"versions", EXTRACT_VERSIONS, "", "I use TF 1.12 with Python 3.6.8 and CUDA v9.0",
     "tensorflow-gpu==1.4.0", NULL,
     "TensorFlow 1.12|TensorFlow 1.4.0|CUDA 9.0|Python 3.6.8"},
    {"a number is no version", EXTRACT_VERSIONS, "", "in keras 3 layers and torch 1 GPU",
     "", NULL, ""},
    {"two that do not fit", EXTRACT_MISFITS, "",
     "I like it. TensorFlow 1.4 does not work with CUDA 9.0. Python 3.6 is fine.", "",
     NULL, "CUDA 9.0 with TensorFlow 1.4"},
    {"two that do", EXTRACT_MISFITS, "", "I run TensorFlow 1.4 and CUDA 8.0.", "", NULL,
     ""},
    {"settings", EXTRACT_SETTINGS, "", "",
     "m.compile(optimizer=Adam(lr=1e-3), loss='mse')\nnb_epoch = 10\nx = y = 3\n"
     "kernel_size=(3, 3)",
     NULL,
     "optimizer = Adam|learning_rate = 1e-3|loss = mse|epochs = 10|kernel_size = (3,3)"},
    {"a setting whose text does not end", EXTRACT_SETTINGS, "", "",
     "fit(loss='mse\nx)", NULL, ""},
    {"a setting that is a name", EXTRACT_SETTINGS, "", "", "fit(batch_size=size)", NULL,
     ""},
    {"hardware", EXTRACT_HARDWARE, "GTX 1080Ti or a tpu", "Tesla K80", "", NULL,
     "GTX 1080Ti|Tesla K80|TPU"},
    {"a system with its version is counted once", EXTRACT_SYSTEMS, "",
     "macOS 10.14, and OS X", "on Mac OS X 10.11", NULL, "macOS 10.14|macOS|macOS 10.11"},
    {"systems", EXTRACT_SYSTEMS, "", "Ubuntu 16.04, Windows 10, android", "", NULL,
     "Ubuntu 16.04|Windows 10|Android"},
    {"windows of a network", EXTRACT_SYSTEMS, "", "sliding windows of 10 steps", "", NULL,
     ""},
    {"a kernel that is missing", EXTRACT_DEMAND, "", "",
     "No OpKernel was registered to support Op 'Round' with these attrs", NULL, "Round"},
    {"a layer that is not known", EXTRACT_DEMAND, "", "", "Error: Unknown layer: Lambda",
     NULL, "Lambda"},
    {"an equivalent", EXTRACT_DEMAND, "",
     "Is there an equivalent of torch.gather in Keras?", "", NULL, "torch.gather"},
    {"curly quotes", EXTRACT_DEMAND, "", "",
     "Not found: Op type not registered \xe2\x80\x98Resample\xe2\x80\x99 in binary", NULL,
     "Resample"},
    {"what is supported", EXTRACT_DEMAND, "It works", "All of it is supported.", "", NULL,
     ""},
    {"confused, by the target", EXTRACT_CONFUSED, "", "", "y = tf.nn.softmax(x)",
     "y = tf.nn.log_softmax(x)", "tensorflow.nn.softmax -> tensorflow.nn.log_softmax"},
    {"confused, by the arguments", EXTRACT_CONFUSED, "", "", "torch.cat([a, b], 0)",
     "torch.stack([a, b], 0)", "torch.cat -> torch.stack"},
    {"both have it", EXTRACT_CONFUSED, "", "", "y = tf.add(x)\ntf.sub(x)",
     "y = tf.sub(x)", ""},
    {"a setting raised", EXTRACT_CHANGES, "", "", "fit(epochs=1, loss='mse')",
     "fit(epochs=10, loss='mae')", "epochs raised|loss: mse -> mae"},
    {"several values", EXTRACT_CHANGES, "", "", "a(epochs=1)\nb(epochs=2)", "a(epochs=3)",
     ""},
    {"no answer", EXTRACT_CHANGES, "", "", "a(epochs=1)", NULL, ""},
    {"rules", EXTRACT_RULES, "", "", "np.b()\nnp.a()", "np.aa()\nnp.bb()",
     "numpy.aa, then numpy.bb|?numpy.b, then numpy.a"},
};

int main(void)
{
    struct extract_reader *reader = extract_open();
    struct buf out = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct extract_text question = {str_from(rows[i].title), str_from(rows[i].prose),
                                        str_from(rows[i].code)},
                            answer = {.code = str_from(rows[i].answer)};
        tap_case("%s: %s", extract_kinds[rows[i].what].name, rows[i].name);
        buf_clear(&out);
        extract_find(reader, rows[i].what, &question,
                     rows[i].answer != NULL ? &answer : NULL, add_name, &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, rows[i].found);
    }
    extract_close(reader);
    buf_free(&out);
    return tap_done();
}
