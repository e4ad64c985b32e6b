/* What extracts, phrases and the search for solved questions are to find, planted into
 * some posts on request: operators that are missing, settings that the accepted answer
 * changes, questions that were asked before in other words, other verbs for the same. All
 * of it is drawn from a generator of its own, so that the rest of a dump stays as it is.
 * None of these words selects a platform. */
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
        }
    }
    return planted;
}

static void add_code(const char *code, struct buf *out)
{
    buf_add_xml(out, STR("<pre><code>"));
    buf_add(out, str_from(code));
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

static void add_lacking(const struct synth_planted *planted,
                        const struct synth_plan_question *question, struct buf *out,
                        struct buf *rows)
{
    size_t name = planted->choice % ROWS_OF(operators),
           words = planted->choice / ROWS_OF(operators) % ROWS_OF(lackings);
    struct buf said = {0};
    struct str before, after = str_from(lackings[words].words);

    /* The words have one %s. */
    str_cut(&after, '%', &before);
    buf_add(&said, before);
    buf_add(&said, str_from(operators[name]));
    buf_add(&said, str_slice(after, 1, after.len));
    bool log = lackings[words].log && question->truth.code;
    buf_add_xml(out, log ? STR("<pre><code>") : STR("<p>"));
    buf_add_xml(out, buf_str(&said));
    buf_add_xml(out, log ? STR("</code></pre>") : STR("</p>"));
    buf_add(out, STR("&#xA;&#xA;"));
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
