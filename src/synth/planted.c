/* What extracts, phrases and the search for solved questions are to find, planted into
 * some posts on request: operators that are missing, settings that the accepted answer
 * changes, questions that were asked before in other words, other verbs for the same, and
 * what posts name: errors, versions and which of them do not fit, hardware, systems,
 * calls, which of them answers replace and which they make together. All of it is drawn
 * from a generator of its own, so that the rest of a dump stays as it is. None of these
 * words selects a platform. Extractors know some of the wordings and miss others. */
#include <stdio.h>

#include "synth/internal.h"

enum { STREAM_PLANTED = 6 };
enum {
    LACKING_OF_100 = 4,
    SETTING_OF_100 = 6,
    REPEATED_OF_100 = 30,
    SYNONYM_OF_100 = 30
};

static const char *const operators[] = {
    "Round",        "ScatterNd",   "LogSoftmax", "Cumsum",       "ReverseV2",
    "SegmentSum",   "MatrixDiag",  "Einsum",     "GatherTree",   "Bincount",
    "UpsampleLike", "CropToRatio", "TopKExact",  "StridedPad",   "MaskedFill",
    "GridSample",   "DeformConv",  "PixelMerge", "SparseConcat", "HashLookup",
};

/* With %s for the operator. Those of logs stand in a block of code. */
static const struct {
    const char *words;
    bool log;
} lackings[] = {
    {"No OpKernel was registered to support Op '%s' with these attrs.", true},
    {"NotImplementedError: %s is not implemented for this device", true},
    {"ValueError: Unsupported Ops in the model: %s", true},
    {"Some of the operators in the model are not supported: %s.", true},
    {"It seems that %s is not supported yet.", false},
    {"The operator %s is missing in this version.", false},
    {"Is there an equivalent of %s that I could use instead?", false},
    {"As far as I can see, nobody has written %s for this so far.", false},
    {"I would need %s, and there is no such layer.", false},
};

static const struct {
    const char *name, *asked, *answered;
    bool raised;
} settings[] = {
    {"epochs", "model.fit(x_train, y_train, epochs=1)",
     "model.fit(x_train, y_train, epochs=40)", true},
    {"learning_rate", "opt = Adam(lr=0.5)", "opt = Adam(lr=0.0005)", false},
    {"batch_size", "model.fit(x_train, y_train, batch_size=4096)",
     "model.fit(x_train, y_train, batch_size=32)", false},
    {"momentum", "opt = SGD(momentum=0.1)", "opt = SGD(momentum=0.95)", true},
    {"patience", "stop = EarlyStopping(patience=0)", "stop = EarlyStopping(patience=12)",
     true},
};

/* The same, said by two people. */
struct planted_words {
    const char *one, *other;
};

static const struct planted_words symptoms[] = {
    {"loss jumps to a constant", "the loss gets stuck at one value"},
    {"gradients vanish", "all my gradients become zero"},
    {"validation score oscillates", "accuracy on held-out data goes up and down"},
    {"memory keeps growing", "RAM usage increases without end"},
    {"predictions are all the same", "the network outputs one class for everything"},
    {"weights do not change", "parameters stay as they were initialised"},
    {"first batch takes minutes", "the very first step is extremely slow"},
    {"process hangs silently", "the program freezes without any message"},
};

static const struct planted_words causes[] = {
    {"after freezing the embedding layer", "once I set the embeddings to not trainable"},
    {"with a custom attention block", "when I add my own attention module"},
    {"after restoring a checkpoint", "as soon as weights are loaded from a snapshot"},
    {"with two losses on one output", "when the output has a second objective"},
    {"while reading tfrecords from disk", "if the input comes out of record files"},
    {"with gradient clipping switched on", "after I clip the norm of gradients"},
    {"in mixed precision", "when half floats are used"},
    {"with variable length sequences", "for sentences that differ in their length"},
};

/* Both name it, as people do who met the same. */
static const char *const parts[] = {
    "AttentionCellWrapper", "TimeDistributed", "LookAheadOptimizer", "RaggedBatcher",
    "SpectralNorm",         "BeamDecoder",     "MultiHeadPooling",   "CurriculumSampler",
    "ShardedEmbedding",     "PolyLRSchedule",
};

/* A verb of the grammar and what others say for it. */
static const struct planted_words synonyms[] = {
    {"load", "restore"},      {"save", "store"},    {"make", "create"},
    {"get", "obtain"},        {"remove", "delete"}, {"show", "display"},
    {"change", "modify"},     {"combine", "merge"}, {"build", "construct"},
    {"find", "locate"},       {"split", "divide"},  {"compute", "calculate"},
    {"convert", "transform"}, {"use", "employ"},    {"choose", "select"},
    {"fix", "repair"},        {"stop", "halt"},     {"replace", "substitute"},
};

/* What a post names: as the extract calls it, as the question has it, and the answer. */
struct planted_fact {
    const char *name, *asked, *answered;
};

static const struct planted_fact errors[] = {
    {"ValueError: buffer holds N bytes, expected N",
     "ValueError: buffer holds 512 bytes, expected 4096", NULL},
    {"RuntimeError: worker N died unexpectedly",
     "RuntimeError: worker 3 died unexpectedly", NULL},
    {"KeyError: 'val_score'", "KeyError: 'val_score'", NULL},
    {"QueueClosedException: nothing left to read",
     "io.records.QueueClosedException: nothing left to read", NULL},
    {"error: out of memory on device N", "error: out of memory on device 0", NULL},
    {"Segmentation fault", "Segmentation fault (core dumped)", NULL},
    {"error: cannot open shared object file: libprofile.so",
     "cannot open shared object file: libprofile.so", NULL},
    {"error: the kernel died and will be started again",
     "the kernel died and will be started again", NULL},
};

static const struct planted_fact versions[] = {
    {"NumPy 1.19.2", "numpy 1.19.2", NULL},
    {"CUDA 10.1", "CUDA 10.1", NULL},
    {"cuDNN 7.6.5", "cudnn v7.6.5", NULL},
    {"Python 3.6.9", "Python version 3.6.9", NULL},
    {"GCC 7.5.0", "gcc-7.5.0", NULL},
    {"h5py 2.10.0", "h5py==2.10.0", NULL},
    {"librosa 0.7.1", "librosa in its release 0.7.1", NULL},
};

static const struct planted_fact misfits[] = {
    {"CUDA 10.1 with cuDNN 7.4", "It seems that CUDA 10.1 does not work with cudnn 7.4.",
     NULL},
    {"NumPy 1.20.1 with Theano 1.0.4", "theano 1.0.4 is incompatible with numpy 1.20.1.",
     NULL},
    {"Python 3.9 with h5py 2.9.0",
     "As I read, h5py 2.9.0 is not compatible with Python 3.9.", NULL},
    {"OpenCV 4.1.2 with Python 3.4", "opencv 4.1.2 requires more than Python 3.4.", NULL},
    {"CUDA 9.0 with GCC 9.2", "CUDA 9.0 refuses to be built by gcc 9.2.", NULL},
    {"Bazel 1.2.1 with protobuf 3.6.1",
     "The trouble began with bazel 1.2.1 and protobuf 3.6.1 together.", NULL},
};

static const struct planted_fact hardware[] = {
    {"GTX 1080 Ti", "GTX 1080 Ti", NULL},   {"Tesla V100", "Tesla V100", NULL},
    {"RTX 2070", "rtx2070", NULL},          {"Xeon", "Xeon E5", NULL},
    {"Titan V", "Titan V", NULL},           {"Ryzen", "Ryzen 5 3600", NULL},
    {"Quadro P4000", "Quadro P4000", NULL}, {"GeForce MX150", "GeForce MX150", NULL},
};

static const struct planted_fact systems[] = {
    {"Ubuntu 18.04", "Ubuntu 18.04", NULL}, {"Windows 10", "Windows 10", NULL},
    {"CentOS 7", "centos 7", NULL},         {"Debian 9", "Debian 9", NULL},
    {"Fedora", "Fedora 31", NULL},          {"Red Hat", "RHEL 8", NULL},
    {"openSUSE", "openSUSE Leap", NULL},    {"FreeBSD", "FreeBSD 12", NULL},
};

static const struct planted_fact apis[] = {
    {"numpy.einsum", "import numpy as np\nscores = np.einsum('ij,kj', left, right)",
     NULL},
    {"scipy.signal.medfilt",
     "from scipy import signal\nsmooth = signal.medfilt(trace, 5)", NULL},
    {"torch.nn.utils.clip_grad_norm_",
     "from torch.nn.utils import clip_grad_norm_\nclip_grad_norm_(weights, 1.0)", NULL},
    {"cv2.warpAffine", "import cv2\nturned = cv2.warpAffine(image, matrix, size)", NULL},
    {"librosa.feature.mfcc", "import librosa.feature as lf\ncoefficients = lf.mfcc(wave)",
     NULL},
    {"sklearn.metrics.roc_auc_score",
     "import sklearn.metrics\nhow = getattr(sklearn.metrics, 'roc_auc_score')(y, p)",
     NULL},
};

static const struct planted_fact confused[] = {
    {"numpy.concatenate -> numpy.stack",
     "import numpy as np\nbatch = np.concatenate(images)",
     "import numpy as np\nbatch = np.stack(images)"},
    {"torch.nn.CrossEntropyLoss -> torch.nn.BCEWithLogitsLoss",
     "import torch.nn as nn\nloss = nn.CrossEntropyLoss()",
     "import torch.nn as nn\nloss = nn.BCEWithLogitsLoss()"},
    {"numpy.empty -> numpy.zeros", "import numpy as np\nstate = np.empty((4, 4))",
     "import numpy as np\nstate = np.zeros((4, 4))"},
    {"pickle.load -> joblib.load", "import pickle\nfitted = pickle.load(file)",
     "import joblib\nfitted = joblib.load(path)"},
    {"random.choice -> random.sample", "import random\npicked = random.choice(names)",
     "import random\nsome = random.sample(names, 3)"},
};

static const struct planted_fact rules[] = {
    {"numpy.random.seed, then torch.manual_seed", NULL,
     "import numpy as np\nimport torch\nnp.random.seed(3)\ntorch.manual_seed(3)"},
    {"tensorflow.keras.backend.clear_session, then gc.collect", NULL,
     "import gc\nfrom tensorflow.keras import backend as K\nK.clear_session()\n"
     "gc.collect()"},
    {"numpy.load, then numpy.expand_dims", NULL,
     "import numpy as np\nimage = np.load(path)\nbatch = np.expand_dims(image, 0)"},
    {"random.seed, then random.shuffle", NULL,
     "import random\nrandom.seed(1)\nrandom.shuffle(names)"},
};

/* With %s for what is named. */
static const char *const ends_with[] = {"It ends with: %s", "All I see is %s",
                                        "%s is what I get."};
static const char *const installed[] = {"I have %s here.", "Installed is %s.",
                                        "Nothing but %s was changed."};
static const char *const machines[] = {"My machine has a %s.", "It runs on a %s.",
                                       "With the %s it takes an hour."};
static const char *const places[] = {"We use %s at work.", "OS: %s",
                                     "This happens under %s only."};
static const char *const as_is[] = {"%s"};

/* Kinds of such facts; behind what is lacking, set and repeated in the same dice. */
static const struct planted_group {
    const char *what; /* in planted.csv: the extract */
    uint64_t of_100;
    bool code, answer; /* the question has code; its accepted answer is there */
    const struct planted_fact *facts;
    size_t fact_count;
    const char *const *words;
    size_t word_count;
} groups[] = {
    {"errors", 5, false, false, errors, ROWS_OF(errors), ends_with, ROWS_OF(ends_with)},
    {"versions", 4, false, false, versions, ROWS_OF(versions), installed,
     ROWS_OF(installed)},
    {"misfits", 3, false, false, misfits, ROWS_OF(misfits), as_is, ROWS_OF(as_is)},
    {"hardware", 4, false, false, hardware, ROWS_OF(hardware), machines,
     ROWS_OF(machines)},
    {"systems", 4, false, false, systems, ROWS_OF(systems), places, ROWS_OF(places)},
    {"apis", 5, true, false, apis, ROWS_OF(apis), NULL, 0},
    {"confused", 6, true, true, confused, ROWS_OF(confused), NULL, 0},
    {"rules", 6, false, true, rules, ROWS_OF(rules), NULL, 0},
};

static const struct planted_fact *fact_of(const struct synth_planted *planted)
{
    const struct planted_group *group = &groups[planted->group];

    return &group->facts[planted->choice % group->fact_count];
}

/* Which kind the dice of a question name, if it can have it. */
static void choose_fact(const struct synth_plan_question *question, uint64_t dice,
                        struct synth_planted *out)
{
    uint64_t below = LACKING_OF_100 + SETTING_OF_100 + REPEATED_OF_100;

    for (size_t g = 0; dice >= below && g < ROWS_OF(groups); g++) {
        below += groups[g].of_100;
        if (dice >= below)
            continue;
        if ((!groups[g].code || question->truth.code) &&
            (!groups[g].answer || question->accepted_id != 0)) {
            out->what = SYNTH_PLANTED_FACT;
            out->group = g;
        }
        return;
    }
}

static const char *wording(const struct planted_words *of, bool other)
{
    return other ? of->other : of->one;
}

static const struct planted_words *cause_of(uint64_t choice)
{
    return &causes[choice / ROWS_OF(symptoms) % ROWS_OF(causes)];
}

static const char *part_of(uint64_t choice)
{
    return parts[choice / (ROWS_OF(symptoms) * ROWS_OF(causes)) % ROWS_OF(parts)];
}

struct synth_planted *synth_planted_choose(const struct synth_render_context *context,
                                           size_t block,
                                           const struct synth_plan_block *plan,
                                           struct arena *arena)
{
    struct synth_planted *planted =
        arena_array(arena, struct synth_planted, plan->question_count + 1);
    struct rng rng = rng_stream(context->options->seed, STREAM_PLANTED, block);
    size_t before = SIZE_MAX; /* a question that another one may repeat */

    for (size_t i = 0; i < plan->question_count && context->options->plant; i++) {
        const struct synth_plan_question *question = &plan->questions[i];
        struct synth_planted *it = &planted[i];
        uint64_t dice = rng_below(&rng, 100);
        it->choice = rng_next(&rng);
        it->synonym = rng_below(&rng, 100) < SYNONYM_OF_100;
        if (question->background)
            continue;
        if (dice < LACKING_OF_100) {
            it->what = SYNTH_PLANTED_LACKING;
        } else if (dice < LACKING_OF_100 + SETTING_OF_100) {
            if (question->accepted_id != 0 && question->truth.code)
                it->what = SYNTH_PLANTED_SETTING;
        } else if (dice < LACKING_OF_100 + SETTING_OF_100 + REPEATED_OF_100 &&
                   !question->truth.howto && question->truth.platform < 0 &&
                   !question->truth.code) {
            if (before == SIZE_MAX && question->accepted_id != 0) {
                it->what = SYNTH_PLANTED_REPEATED;
                before = i;
            } else if (before != SIZE_MAX) {
                it->what = SYNTH_PLANTED_REPEATED;
                it->choice = planted[before].choice;
                it->of = plan->questions[before].id;
                before = SIZE_MAX;
            }
        } else {
            choose_fact(question, dice, it);
        }
    }
    return planted;
}

static void add_code(const char *code, struct buf *out)
{
    buf_add_xml(out, STR("<pre><code>"));
    for (; *code != '\0'; code++)
        if (*code == '\n')
            buf_add(out, STR("&#xA;"));
        else
            buf_add_char(out, *code);
    buf_add_xml(out, STR("</code></pre>"));
    buf_add(out, STR("&#xA;&#xA;"));
}

static void add_row(struct buf *rows, int64_t id, const char *what, struct str planted,
                    struct str as)
{
    buf_add_int(rows, id);
    buf_add_format(rows, ",%s,", what);
    buf_add_csv(rows, planted);
    buf_add_char(rows, ',');
    buf_add_csv(rows, as);
    buf_add_char(rows, '\n');
}

/* Words with one %s, in a paragraph or a block of code. */
static void add_said(const char *words, const char *name, bool code, struct buf *out,
                     struct buf *said)
{
    struct str before, after = str_from(words);

    str_cut(&after, '%', &before);
    buf_add(said, before);
    buf_add(said, str_from(name));
    buf_add(said, str_slice(after, 1, after.len));
    buf_add_xml(out, code ? STR("<pre><code>") : STR("<p>"));
    buf_add_xml(out, buf_str(said));
    buf_add_xml(out, code ? STR("</code></pre>") : STR("</p>"));
    buf_add(out, STR("&#xA;&#xA;"));
}

/* An error of a question with code stands in a block of its own, as it was pasted. */
static void add_fact(const struct synth_planted *planted,
                     const struct synth_plan_question *question, struct buf *out,
                     struct buf *rows)
{
    const struct planted_group *group = &groups[planted->group];
    const struct planted_fact *fact = fact_of(planted);
    bool pasted = group->facts == errors && question->truth.code;
    struct buf said = {0};

    if (group->words != NULL)
        add_said(
            pasted
                ? "%s"
                : group->words[planted->choice / group->fact_count % group->word_count],
            fact->asked, pasted, out, &said);
    else if (fact->asked != NULL)
        add_code(fact->asked, out);
    if (said.len == 0)
        buf_add(&said, str_from(fact->answered != NULL ? fact->answered : fact->asked));
    add_row(rows, question->id, group->what, str_from(fact->name), buf_str(&said));
    buf_free(&said);
}

static void add_lacking(const struct synth_planted *planted,
                        const struct synth_plan_question *question, struct buf *out,
                        struct buf *rows)
{
    size_t name = planted->choice % ROWS_OF(operators),
           words = planted->choice / ROWS_OF(operators) % ROWS_OF(lackings);
    struct buf said = {0};

    add_said(lackings[words].words, operators[name],
             lackings[words].log && question->truth.code, out, &said);
    add_row(rows, question->id, "lacking", str_from(operators[name]), buf_str(&said));
    buf_free(&said);
}

void synth_planted_body(const struct synth_planted *planted,
                        const struct synth_plan_question *question, size_t begin,
                        struct buf *out, struct buf *rows)
{
    size_t setting = planted->choice % ROWS_OF(settings);
    struct buf name = {0};

    if (planted->what == SYNTH_PLANTED_LACKING) {
        add_lacking(planted, question, out, rows);
    } else if (planted->what == SYNTH_PLANTED_FACT) {
        add_fact(planted, question, out, rows);
    } else if (planted->what == SYNTH_PLANTED_SETTING) {
        add_code(settings[setting].asked, out);
        buf_add_format(&name, "%s %s", settings[setting].name,
                       settings[setting].raised ? "raised" : "lowered");
        add_row(rows, question->id, "setting", buf_str(&name),
                str_from(settings[setting].answered));
    } else if (planted->what == SYNTH_PLANTED_REPEATED) {
        uint64_t choice = planted->choice;
        bool other = planted->of != 0;
        out->len = begin; /* who asks twice speaks of nothing else */
        buf_add_format(out,
                       "&lt;p&gt;%s %s %s. I use &lt;code&gt;%s&lt;/code&gt; as it comes."
                       "&lt;/p&gt;&#xA;&#xA;",
                       other ? "Here is my problem:" : "What happens:",
                       wording(&symptoms[choice % ROWS_OF(symptoms)], other),
                       wording(cause_of(choice), other), part_of(choice));
    }
    buf_free(&name);
}

void synth_planted_answer(const struct synth_planted *planted, struct buf *out)
{
    if (planted->what == SYNTH_PLANTED_SETTING)
        add_code(settings[planted->choice % ROWS_OF(settings)].answered, out);
    if (planted->what == SYNTH_PLANTED_FACT && fact_of(planted)->answered != NULL)
        add_code(fact_of(planted)->answered, out);
}

/* The title begins at `begin`. */
static void add_synonym(const struct synth_plan_question *question, size_t begin,
                        struct str verb, struct buf *out, struct buf *rows)
{
    for (size_t i = 0; i < ROWS_OF(synonyms); i++) {
        if (!str_eq(verb, str_from(synonyms[i].one)))
            continue;
        size_t from = begin + STR("How to ").len + verb.len;
        struct buf rest = {0};
        add_row(rows, question->id, "synonym", verb, str_from(synonyms[i].other));
        buf_add(&rest, str_slice(buf_str(out), from, out->len));
        out->len = begin;
        buf_add_format(out, "How to %s", synonyms[i].other);
        buf_add(out, buf_str(&rest));
        buf_free(&rest);
        return;
    }
}

void synth_planted_title(const struct synth_planted *planted,
                         const struct synth_plan_question *question, size_t begin,
                         struct str verb, struct buf *out, struct buf *rows)
{
    uint64_t choice = planted->choice;
    bool other = planted->of != 0;
    char id[24];

    if (planted->what == SYNTH_PLANTED_REPEATED) {
        out->len = begin;
        const char *symptom = wording(&symptoms[choice % ROWS_OF(symptoms)], other);
        if (other)
            buf_add_format(out, "%s: %s", part_of(choice), symptom);
        else
            buf_add_format(out, "%s %s (%s)", symptom, wording(cause_of(choice), false),
                           part_of(choice));
        snprintf(id, sizeof id, "%lld", (long long)planted->of);
        if (other)
            add_row(rows, question->id, "duplicate", str_from(id), STR(""));
    } else if (planted->synonym && verb.len > 0) {
        add_synonym(question, begin, verb, out, rows);
    }
}
