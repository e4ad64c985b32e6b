/* For tests of labelling: a study in a folder of its own, whose items lie in out/ as a
 * run would leave them, and its task, open. */
#ifndef TESTS_UNIT_LABELLED_H
#define TESTS_UNIT_LABELLED_H

#include "label/label.h"
#include "result/result_file.h"
#include "tests/unit/studied.h"

#define LABELLED_HEAD \
    "study: s\nsource: {posts: p.csv}\nsets: {x: '[x]'}\n" \
    "samples: {all: {of: x, size: 12, seed: 1}}\ncodebooks: {bugs: k.yaml}\n"
#define LABELLED_STUDY \
    LABELLED_HEAD \
    "labelling: {bugs: {sample: all, raters: [ann, bob], arbiter: eve, seed: 5}}\n"
#define LABELLED_CODEBOOK \
    "codebook: bugs\ncodes:\n  data: {codes: {parse: Parsing, load: Loading}}\n" \
    "  model: Model\nspecial: {unclear: Unclear}\n"
/* Twelve items, in draw order. */
#define LABELLED_ITEMS "11 5 9 25 3 20 21 32 34 38 2 7"

struct labelled {
    struct studied in;
    struct study study;
    struct label *label;
    struct label_saved saved; /* by the last act */
};

static inline void labelled_close(struct labelled *test)
{
    label_close(test->label);
    test->label = NULL;
}

/* Opens the task of what lies in the folder; false, with in.err, when it cannot. What is
 * wrong with the codebook is left in in.told. */
static inline bool labelled_open(struct labelled *test)
{
    labelled_close(test);
    test->in.err = (struct err){0};
    buf_clear(&test->in.told);
    return CHECK(studied_load(&test->in, &test->study)) &&
           label_open(&test->study, STR(""), &test->label, &test->in.told, &test->in.err);
}

/* Items of a set or sample, "samples.all", as the step would leave them. */
static inline void labelled_items(struct labelled *test, const char *step,
                                  const char *items)
{
    struct arena *arena = &test->in.arena;
    struct result_table numbers = {.name = STR("numbers")};
    struct str rest = str_from(items), one;
    struct buf out = {0};
    int64_t *ids = arena_array(arena, int64_t, rest.len + 1);
    size_t count = 0;
    const char *made;

    for (bool more = true; more; count++) {
        more = str_cut(&rest, ' ', &one);
        CHECK(str_to_int(one, &ids[count]));
    }
    result_add_number(&numbers, RESULT_COUNT, STR("count"), STR(""),
                      result_count((int64_t)count), arena);
    result_add_evidence(&numbers,
                        &(struct result_evidence){0, 0, STR("items"), ids, count}, arena);
    result_file_begin(str_from(step), &out);
    result_file_table(&numbers, &out);
    result_file_end(&out);
    buf_add_char(&out, '\0');
    CHECK(file_make_folder(studied_path(&test->in, "out/results"), arena, &made,
                           &test->in.err));
    studied_write(&test->in, arena_format(arena, "out/results/%s.result", step).ptr,
                  out.ptr);
    buf_free(&out);
}

static inline bool labelled_begin(struct labelled *test, const char *study,
                                  const char *codebook)
{
    *test = (struct labelled){0};
    if (!studied_begin(&test->in))
        return false;
    studied_write(&test->in, "study.yaml", study);
    studied_write(&test->in, "k.yaml", codebook);
    labelled_items(test, "samples.all", LABELLED_ITEMS);
    bool ok = labelled_open(test);
    CHECK_TEXT(test->in.err.text, "");
    return ok;
}

static inline void labelled_end(struct labelled *test)
{
    labelled_close(test);
    studied_end(&test->in);
}

/* A round as the study file wants it; its id, 0 when it cannot be opened. */
static inline int64_t labelled_round(struct labelled *test)
{
    struct label_round_plan plan;
    int64_t round = 0;

    test->in.err = (struct err){0};
    return label_round_settings(test->label, &plan, &test->in.err) &&
                   label_round_open(test->label, &plan, STR("eve"), &round, &test->in.err)
               ? round
               : 0;
}

static inline bool labelled_end_round(struct labelled *test, int64_t round)
{
    test->in.err = (struct err){0};
    return label_round_close(test->label, round, STR("eve"), &test->in.err);
}

static inline bool labelled_give(struct labelled *test, const char *rater, int64_t item,
                                 const char *code, const char *key)
{
    struct str codes[] = {str_from(code)};
    struct label_given given = {.rater = str_from(rater),
                                .item = item,
                                .codes = codes,
                                .code_count = 1,
                                .seconds = 2,
                                .client_key = str_from(key)};

    test->in.err = (struct err){0};
    return label_give(test->label, &given, &test->saved, &test->in.err);
}

static inline bool labelled_undo(struct labelled *test, const char *rater)
{
    test->in.err = (struct err){0};
    return label_undo(test->label, &(struct label_undoing){.rater = str_from(rater)},
                      &test->saved, &test->in.err);
}

/* What a rater says of an item of a round, "-" for nothing. */
static inline const char *labelled_says(struct labelled *test, const char *rater,
                                        int64_t round, int64_t item)
{
    struct label_place place = {.round = round, .item = item};
    struct label_said *said;
    struct buf text = {0};
    size_t count;

    if (!CHECK(label_said(test->label, str_from(rater), &place, &test->in.arena, &said,
                          &count, &test->in.err)))
        return "";
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < said[i].code_count; c++)
            buf_add_format(&text, "%s%.*s", text.len > 0 ? " " : "",
                           STR_ARG(said[i].codes[c]));
    const char *copy =
        text.len > 0 ? arena_c_string(&test->in.arena, buf_str(&text)) : "-";
    buf_free(&text);
    return copy;
}

/* What is written; what is wrong is left in in.err. */
static inline const char *labelled_write(struct labelled *test,
                                         struct label_export_options how)
{
    struct buf out = {0};

    test->in.err = (struct err){0};
    bool ok = label_export(test->label, &how, &out, &test->in.err);
    const char *copy = ok ? arena_c_string(&test->in.arena, buf_str(&out)) : "failed";
    buf_free(&out);
    return copy;
}

/* The csv of a layer. */
static inline const char *labelled_export(struct labelled *test, enum label_layer layer,
                                          bool anonymous)
{
    return labelled_write(
        test, (struct label_export_options){.layer = layer, .anonymous = anonymous});
}

/* Reads a text as the file l.csv; what is wrong is left in in.err. */
static inline bool labelled_import(struct labelled *test, const char *text,
                                   struct label_import_options how, int64_t *count)
{
    struct label_imported imported = {0};

    test->in.err = (struct err){0};
    studied_write(&test->in, "l.csv", text);
    bool ok = label_import(test->label, studied_path(&test->in, "l.csv"), &how,
                           STR("importer"), &imported, &test->in.err);
    *count = imported.labels;
    return ok;
}

/* Labels for both raters on all twelve items: bob differs on every fourth. */
static inline int64_t labelled_fill(struct labelled *test)
{
    int64_t round = labelled_round(test);
    const struct label_task *task = label_task(test->label);

    for (size_t i = 0; i < task->item_count; i++) {
        const char *code = i % 2 == 0 ? "data/parse" : "model";
        CHECK(labelled_give(test, "ann", task->items[i], code, ""));
        CHECK(labelled_give(test, "bob", task->items[i], i % 4 == 3 ? "unclear" : code,
                            ""));
    }
    return round;
}

#endif
