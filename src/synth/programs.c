/* What simulated programs are made of: files, functions with a bug in them and what it is
 * put right with, and what people say about a change. `{a}` stands for the library as
 * programs call it, `{dense}` and `{optimizer}` for what it calls these, `{n}` for a
 * number of its own, `{k}` for a random one; see repositories.c. */
#include "base/compiler.h"
#include "synth/internal.h"

const struct synth_program_library synth_program_libraries[SYNTH_MODEL_LIBRARIES] = {
    {SYNTH_MODEL_CAFFE, "Caffe", "caffe", "import caffe", "caffe.layers.InnerProduct",
     "caffe.SGDSolver"},
    {SYNTH_MODEL_KERAS, "Keras", "keras", "import keras", "keras.layers.Dense",
     "keras.optimizers.Adam"},
    {SYNTH_MODEL_TENSORFLOW, "TensorFlow", "tf", "import tensorflow as tf",
     "tf.layers.dense", "tf.train.AdamOptimizer"},
    {SYNTH_MODEL_THEANO, "Theano", "theano", "import theano", "layers.DenseLayer",
     "updates.adagrad"},
    {SYNTH_MODEL_TORCH, "Torch", "torch", "import torch", "torch.nn.Linear",
     "torch.optim.Adam"},
};

/* In the order of the bug types; several of each, and all of them one after the other. */
const struct synth_program_bug synth_program_bugs[] = {
    {"api", "train.py", "save", "    {a}.save(model, path)",
     "    {a}.save_model(model, path, overwrite=True)"},
    {"api", "model.py", "head", "    out = {dense}(x, output_dim={k})",
     "    out = {dense}(x, units={k})"},
    {"api", "train.py", "rate", "    step_size = {optimizer}(lr={k}e-4)",
     "    step_size = {optimizer}(learning_rate={k}e-4)"},
    {"data", "data.py", "batch", "    x = x.reshape(-1, {k})",
     "    x = x.reshape(-1, {k}, 1)"},
    {"data", "data.py", "pixels", "    x = x / {k}",
     "    x = x.astype(\"float32\") / 255.0"},
    {"data", "data.py", "labels", "    y = labels[:{k}]\n    y = to_matrix(y)",
     "    y = labels[:{k}] - labels.min()\n    y = to_matrix(y, classes=size)"},
    {"sb.control", "model.py", "unroll",
     "    for i in range(steps - 1):\n        x = cell(x, {k})",
     "    for i in range(steps):\n        x = cell(x, {k})"},
    {"sb.control", "model.py", "branch",
     "    if training is None and size > {k}:", "    if training and size > {k}:"},
    {"sb.dataflow", "model.py", "merge", "    x = concatenate([x, skip_{k}])",
     "    x = concatenate([x, skip_{k}], axis=-1)"},
    {"sb.dataflow", "model.py", "encode", "    x = {dense}(x, {k})",
     "    x = {dense}(flatten(x), {k})"},
    {"sb.init", "model.py", "weights", "    w = variable((size, {k}))",
     "    w = variable((size, {k}), init=\"glorot\")"},
    {"sb.init", "model.py", "state", "    state = None  # {k}",
     "    state = zeros((size, {k}))"},
    {"sb.logic", "model.py", "output", "    x = activation({dense}(x, {k}), \"relu\")",
     "    x = activation({dense}(x, {k}), \"softmax\")"},
    {"sb.logic", "model.py", "stack", "    x = dropout(x, 0.9)\n    x = {dense}(x, {k})",
     "    x = {dense}(x, {k}, bias=False)\n    x = dropout(x, 0.5)"},
    {"sb.logic", "model.py", "pool", "    x = pool(x, {k})",
     "    x = pool(conv(x), {k})"},
    {"sb.processing", "model.py", "loss", "    cost = squared_error(x, y) * {k}",
     "    cost = crossentropy(x, y) * {k}"},
    {"sb.processing", "model.py", "update", "    grads = gradients(cost, [w])  # {k}",
     "    grads = clip(gradients(cost, weights), {k})"},
    {"nmsb.control", "train.py", "epochs", "    while epoch < epochs - 1:  # {k}",
     "    while epoch < epochs:  # {k}"},
    {"nmsb.init", "train.py", "best", "    best = {k}", "    best = float(\"inf\")"},
    {"nmsb.logic", "train.py", "stop",
     "    if score > best + {k}:", "    if score < best - 1e-{k}:"},
    {"nmsb.logic", "utils/files.py", "open", "    stream = open(names[{k}])",
     "    stream = open(os.path.join(root, names[{k}]))"},
    {"nmsb.processing", "utils/files.py", "order", "    names = sorted(names)[:{k}]",
     "    names = sorted(names, key=number_of)[:{k}]"},
};
const size_t synth_program_bug_count = ROWS_OF(synth_program_bugs);

/* Subjects, by what the commit is; `{f}` is the function it is about. */
static const char *const fixes[] = {
    "Fix {f}",
    "fix crash in {f}",
    "Fixed wrong result of {f}",
    "fix: {f} with small batches",
    "Fixes {f} for the last batch",
    "training fixed: {f}",
};
static const char *const silent[] = {
    "bugfix in {f}", "Correct {f}", "{f} works again", "Handle the empty batch in {f}",
    "hotfix {f}",
};
static const char *const decoys[] = {
    "fix typo",        "Fix typo in README",
    "fix indentation", "Fixed the link to the paper",
    "fix whitespace",  "Fix formatting of comments",
};
static const char *const docs[] = {
    "Update README",        "Prefix the headings of the README",
    "Say how to train",     "Mention the affix of output files",
    "Add a note on memory",
};
static const char *const features[] = {
    "Add {f}",
    "{f}: first version",
    "Use {f} in training",
    "Write {f}",
};
static const char *const tidy[] = {
    "Refactor {f}",
    "Split long lines",
    "Rename variables in {f}",
};

const struct synth_program_subjects synth_program_subjects[SYNTH_PROGRAM_KINDS] = {
    [SYNTH_PROGRAM_FIX] = {"fix", fixes, ROWS_OF(fixes)},
    [SYNTH_PROGRAM_SILENT] = {"silent-fix", silent, ROWS_OF(silent)},
    [SYNTH_PROGRAM_DECOY] = {"decoy", decoys, ROWS_OF(decoys)},
    [SYNTH_PROGRAM_DOCS] = {"docs", docs, ROWS_OF(docs)},
    [SYNTH_PROGRAM_FEATURE] = {"feature", features, ROWS_OF(features)},
    [SYNTH_PROGRAM_TIDY] = {"tidy", tidy, ROWS_OF(tidy)},
    [SYNTH_PROGRAM_RENAME] = {"rename", NULL, 0},
    [SYNTH_PROGRAM_BOT] = {"bot", NULL, 0},
    [SYNTH_PROGRAM_MERGE] = {"merge", NULL, 0},
    [SYNTH_PROGRAM_COPY] = {"copy", NULL, 0},
    [SYNTH_PROGRAM_START] = {"start", NULL, 0},
};

const char *const synth_program_people[SYNTH_PROGRAM_PEOPLE] = {
    "Ada Quill",   "Ben Otter",   "Cleo Marsh",    "Dov Lindqvist",
    "Esi Boateng", "Finn Okafor", "Gita Rao",      "Hal Novak",
    "Ines Prado",  "Jun Takeda",  "Kaia Sorensen", "Luca Ferri",
};

const char *const synth_program_projects[SYNTH_PROGRAM_PROJECTS] = {
    "tagger", "segmenter", "captions", "seq2seq", "gan",    "detector", "ocr",
    "music",  "chess",     "weather",  "faces",   "speech", "maps",     "poems",
};
