/* A classifier of the study: learned from labels, judged on items that it has not seen,
 * applied to sets. Labelled items are judged twice: on a part that is held out, which
 * gives the scores, and by cross-validation, which predicts every labelled item by a
 * model that has not seen it. All other items are predicted by the mean of those models,
 * so that estimated shares can be corrected (see quantify.h).
 *
 * Where something else predicts, such as a model that is a rater, nothing is learned: all
 * labelled items are new to it, and scores are those on all of them. */
#include "run/classifying.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/list.h"
#include "base/order.h"
#include "input/csv.h"
#include "measure/quantity.h"
#include "run/labelling.h"
#include "run/needs.h"
#include "run/output.h"
#include "run/predictions.h"
#include "run/shares.h"
#include "run/strata.h"
#include "run/texts.h"
#include "run/vectoring.h"
#include "stats/distribution.h"

enum {
    SHOWN_DIGITS = 4, /* of probabilities */
    ITEM_DIGITS = 6,  /* that shares rest on: the same on every machine */
    RESAMPLES = 1000,
    ALL_PARTS = (1 << LEARN_PARTS_COUNT) - 1,
    ITEMS_MIN = 10, /* with fewer nothing can be held out, learned and tuned */
};

struct classifying_work {
    const struct study_classifier *classifier;
    const struct measure_frame *frame;
    int threads;
    struct run_output *output;
    struct progress *progress;
    struct arena arena;

    const struct measure_labels *labels; /* to learn from */
    struct measure_bits chosen;          /* items whose labels are no random sample */
    struct measure_bits predict;         /* items to classify */
    const size_t *stratum;               /* of each item; NULL: not known */

    struct str *ids, *names; /* of the labels' codes that are classes, in their order */
    size_t class_count;
    size_t *items; /* labelled ones, in the frame, ascending */
    size_t item_count;
    struct learn_membership truth;
    struct learn_model_settings settings;
    struct learn_vectors vectors;
    struct run_vectors item_vectors; /* none: zeroed */
    struct learn_examples examples;
    struct learn_judged crossed;
    struct learn_model mean;
    unsigned parts;

    bool foreign; /* something else predicts: nothing is learned */
    struct run_predictions predictions;
    int64_t runs;     /* of the model that predicts; 0: it is none */
    bool *predicted;  /* of each code of the labels: some item was said to have it */
    size_t *class_of; /* of each code */
    int64_t silent;   /* items to classify that have no prediction */
};

/* What is learned from. */

struct run_classifying_labelled
run_classifying_labelled_list(const struct measure_labels *labels, int level,
                              const bool *also, struct arena *arena)
{
    struct run_classifying_labelled out = {
        .ids = arena_array(arena, struct str, labels->code_count + 1),
        .names = arena_array(arena, struct str, labels->code_count + 1),
        .items = arena_array(arena, size_t, labels->count + 1)};
    size_t *class_of = arena_array(arena, size_t, labels->code_count + 1);
    size_t *last = arena_array(arena, size_t, labels->count + 1);
    bool *used = arena_array(arena, bool, labels->code_count + 1);
    bool several = false;

    for (size_t e = 0; e < labels->count; e++)
        used[measure_labels_at_level(labels, labels->entries[e].code, level)] = true;
    for (size_t c = 0; c < labels->code_count; c++)
        if (used[c] || (also != NULL && also[c])) {
            out.ids[out.class_count] = labels->codes[c].id;
            out.names[out.class_count] = labels->codes[c].name;
            class_of[c] = out.class_count++;
        }
    for (size_t e = 0; e < labels->count; e++) {
        size_t code = measure_labels_at_level(labels, labels->entries[e].code, level);
        if (out.item_count == 0 ||
            out.items[out.item_count - 1] != labels->entries[e].item) {
            last[out.item_count] = code;
            out.items[out.item_count++] = labels->entries[e].item;
        } else if (last[out.item_count - 1] != code) {
            several = true;
        }
    }
    out.truth = learn_membership_new(out.item_count, out.class_count, several, arena);
    for (size_t e = 0, i = 0; e < labels->count; e++) {
        while (out.items[i] != labels->entries[e].item)
            i++;
        size_t code = measure_labels_at_level(labels, labels->entries[e].code, level);
        out.truth.is[i * out.class_count + class_of[code]] = 1;
    }
    return out;
}

static void list_items(struct classifying_work *work)
{
    struct run_classifying_labelled listed = run_classifying_labelled_list(
        work->labels, work->classifier->level, work->foreign ? work->predicted : NULL,
        &work->arena);

    work->ids = listed.ids;
    work->names = listed.names;
    work->class_count = listed.class_count;
    work->items = listed.items;
    work->item_count = listed.item_count;
    work->truth = listed.truth;
}

static bool read_texts(struct classifying_work *work, struct learn_parts *out,
                       struct err *err)
{
    int64_t *ids = arena_array(&work->arena, int64_t, work->item_count + 1);

    for (size_t i = 0; i < work->item_count; i++)
        ids[i] = measure_column_at(work->frame->ids, work->items[i]);
    return run_texts_read(work->frame->corpus, ids, work->item_count, work->parts,
                          &work->arena, out, err);
}

struct reading_keywords {
    const struct run_classifying_keywords *of;
    size_t class, word; /* columns */
    struct arena *arena;
    LIST(struct learn_model_keyword) found;
};

static bool read_keyword_head(void *context, const struct input_csv_row *head,
                              struct err *err)
{
    struct reading_keywords *reading = context;

    return input_csv_rows_need(head, STR("class"), &reading->class, err) &&
           input_csv_rows_need(head, STR("word"), &reading->word, err);
}

static bool read_keyword(void *context, const struct input_csv_row *row, struct err *err)
{
    struct reading_keywords *reading = context;
    const struct run_classifying_keywords *of = reading->of;
    struct str name = str_trim(row->fields[reading->class]);
    struct learn_model_keyword keyword = {
        arena_copy(reading->arena, str_trim(row->fields[reading->word])), 0};

    while (keyword.class < of->classes && !str_eq(of->ids[keyword.class], name) &&
           !str_eq(of->names[keyword.class], name))
        keyword.class ++;
    if (keyword.class == of->classes)
        return err_set(err, ERR_INPUT, "'%.*s' is no %s", STR_ARG(name), of->what);
    list_add(&reading->found, keyword);
    return true;
}

bool run_classifying_keywords_read(const struct run_classifying_keywords *of,
                                   struct arena *arena, struct learn_model_settings *out,
                                   struct err *err)
{
    struct reading_keywords reading = {.of = of, .arena = arena};
    struct input_csv_rows to = {read_keyword_head, read_keyword, &reading};
    struct str text;
    bool ok = file_read(of->path, arena, &text, err) &&
              input_csv_rows_read(text, of->path, &to, err);
    struct learn_model_keyword *copy =
        arena_array(arena, struct learn_model_keyword, reading.found.count + 1);

    for (size_t i = 0; i < reading.found.count; i++)
        copy[i] = reading.found.at[i];
    out->keywords = copy;
    out->keyword_count = reading.found.count;
    list_free(&reading.found);
    return ok;
}

static enum learn_model_method method_of(struct str name)
{
    enum learn_model_method method = 0;

    while (method < LEARN_MODEL_METHODS - 1 &&
           !str_eq(name, str_from(learn_model_methods[method])))
        method++;
    return method;
}

static void choose_features(const struct study_classifier *classifier,
                            struct learn_model_settings *settings)
{
    struct learn_choice choice = {.run_max = classifier->runs,
                                  .df_min = classifier->min_items,
                                  .df_max = classifier->max_share,
                                  .select = classifier->select,
                                  .idf = classifier->idf,
                                  .stops = classifier->stop_words,
                                  .words_alone = classifier->words_alone,
                                  .letters = classifier->letters,
                                  .length = str_eq(classifier->normaliser, STR("l2")),
                                  .only_top = str_eq(classifier->outside, STR("nothing")),
                                  .body_wins = str_eq(classifier->title, STR("replaced")),
                                  .top = classifier->top};

    for (size_t i = 0; i < STUDY_PARTS; i++)
        for (size_t p = 0; p < LEARN_PARTS_COUNT; p++)
            if (strcmp(study_parts[i], learn_parts_names[p]) == 0 &&
                !isnan(classifier->weights[i])) {
                choice.chosen[p] = true;
                choice.parts[p] = classifier->weights[i];
            }
    learn_choice_apply(&choice, settings);
}

/* Vectors of those items that another program made. */
static struct learn_given given_of(const struct classifying_work *work,
                                   const size_t *items, size_t count, struct arena *arena)
{
    const float **at = arena_array(arena, const float *, count + 1);

    for (size_t i = 0; i < count && work->item_vectors.dimensions > 0; i++)
        at[i] = work->item_vectors.at[items[i]];
    return (struct learn_given){work->item_vectors.dimensions, at};
}

static bool prepare(struct classifying_work *work, struct err *err)
{
    const struct study_classifier *classifier = work->classifier;

    work->parts =
        run_texts_parts(classifier->features, classifier->feature_count, ALL_PARTS);
    work->settings = learn_model_defaults(method_of(classifier->method));
    work->settings.seed = classifier->seed;
    choose_features(classifier, &work->settings);
    struct learn_parts *posts =
        arena_array(&work->arena, struct learn_parts, work->item_count + 1);
    struct run_classifying_keywords picked = {classifier->keywords, work->ids,
                                              work->names, work->class_count,
                                              "code of the labels"};
    if ((picked.path != NULL &&
         !run_classifying_keywords_read(&picked, &work->arena, &work->settings, err)) ||
        !read_texts(work, posts, err))
        return false;
    bool vectors = classifier->vectors && learn_model_uses_vectors(work->settings.method);
    if (vectors && !run_texts_vectors(work->frame, work->predict, work->parts,
                                      classifier->seed, &work->vectors, err))
        return false;
    struct learn_posts learned = {
        posts, work->truth, vectors ? &work->vectors : NULL,
        given_of(work, work->items, work->item_count, &work->arena)};
    learn_examples_make(&learned, work->settings.features, &work->arena, &work->examples);
    return true;
}

/* Scores on the part that is held out. */

/* A score without an interval says why. */
static struct result_cell estimated(const struct stats_bootstrap *it)
{
    struct result_cell cell = result_estimate(it->estimate, it->low, it->high);

    if (cell.undefined == NULL && isnan(it->low))
        cell.no_interval = it->undefined;
    return cell;
}

static struct result_cell *add_row(struct result_table *table, struct str name,
                                   struct arena *arena)
{
    return result_add_row(table, str_trim(name), RESULT_NONE, arena);
}

struct run_classifying_scored run_classifying_score(const struct learn_judged *judged,
                                                    const struct str *names,
                                                    uint64_t seed, struct arena *arena)
{
    return (struct run_classifying_scored){
        names, judged, learn_score_of(&judged->truth, &judged->predicted, arena),
        learn_score_intervals(&judged->truth, &judged->predicted,
                              (struct stats_bootstrap_options){
                                  .level = 0.95, .resamples = RESAMPLES, .seed = seed},
                              arena)};
}

/* Something else than a model of ours may say nothing of an item. */
static size_t predictions_of(const struct learn_judged *judged)
{
    return judged->truth.items * judged->repeats;
}

static void add_silent(const struct run_classifying_scored *of, const char *how,
                       struct result_table *table, struct arena *arena)
{
    if (of != NULL && of->judged->silent > 0)
        result_add_note(
            table,
            arena_format(arena, "%zu of %zu labelled items have no prediction%s: %s.",
                         of->judged->silent, predictions_of(of->judged),
                         of->judged->repeats > 1 ? ", counted in each repetition" : "",
                         how),
            arena);
}

struct result_table run_classifying_scores(const struct run_classifying_scored *of,
                                           struct arena *arena)
{
    static const struct result_column columns[] = {
        {.type = RESULT_COUNT, .name = STR_INIT("items")},
        {.type = RESULT_COUNT, .name = STR_INIT("predicted")},
        {RESULT_REAL, 3, STR_INIT("precision"), .interval = true},
        {RESULT_REAL, 3, STR_INIT("recall"), .interval = true},
        {RESULT_REAL, 3, STR_INIT("F1"), .interval = true},
        {RESULT_REAL, 3, STR_INIT("area under ROC"), .interval = true},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("average precision")}};
    struct result_column own[ROWS_OF(columns)];

    memcpy(own, columns, sizeof own);
    if (of != NULL && of->judged->repeats > 1)
        own[1] = (struct result_column){
            .type = RESULT_REAL, .digits = 1, .name = STR("predicted")};
    struct result_table table =
        result_from("scores", "class", own, ROWS_OF(columns), arena);
    for (size_t k = 0; of != NULL && k < of->score.classes; k++) {
        struct result_cell *cells = add_row(&table, of->names[k], arena);
        struct learn_score_areas areas =
            learn_score_areas(&of->judged->truth, of->judged->probabilities,
                              of->judged->repeats, k, 0.95, arena, NULL, NULL);
        cells[5] = result_estimate(areas.roc, areas.roc_low, areas.roc_high);
        if (cells[5].undefined == NULL && isnan(areas.roc_low))
            cells[5].no_interval = "too few items";
        cells[6] = result_number(areas.pr);
        if (isnan(areas.pr))
            cells[5].undefined = cells[6].undefined = "all items have the class, or none";
        cells[0] = result_number(of->score.of[k].items);
        cells[1] = result_number(of->score.of[k].predicted);
        cells[2] = estimated(&of->intervals.precision[k]);
        cells[3] = estimated(&of->intervals.recall[k]);
        cells[4] = estimated(&of->intervals.f1[k]);
    }
    add_silent(of,
               "they count in items and as missed, and for both areas as having the "
               "probability 0",
               &table, arena);
    return table;
}

struct result_table run_classifying_overall(const struct run_classifying_scored *of,
                                            struct arena *arena)
{
    static const struct result_column columns[] = {
        {RESULT_REAL, 3, STR_INIT("value"), .interval = true},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("deviation")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("lowest")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("highest")}};
    bool repeated = of != NULL && of->judged->repeats > 1;
    struct result_table table =
        result_from("overall", "score", columns, repeated ? ROWS_OF(columns) : 1, arena);

    for (size_t i = 0; i < LEARN_SCORE_OVERALL && of != NULL; i++) {
        struct result_cell *cells =
            add_row(&table, str_from(learn_score_names[i]), arena);
        cells[0] = estimated(&of->intervals.overall[i]);
        if (repeated) {
            struct learn_judge_spread spread =
                learn_judge_spread(of->judged, (enum learn_score_overall)i, arena);
            cells[1] = result_number(spread.deviation);
            cells[2] = result_number(spread.least);
            cells[3] = result_number(spread.most);
        }
    }
    add_silent(of,
               of != NULL && of->judged->truth.several
                   ? "they count as having no class"
                   : "they count as wrong, for MCC and kappa as a class of their own",
               &table, arena);
    if (repeated)
        result_add_note(&table,
                        STR("Over all repetitions; deviation, lowest and highest are "
                            "those of single ones."),
                        arena);
    return table;
}

static struct learn_score_calibration
calibration_of(const struct run_classifying_scored *of)
{
    return learn_score_calibration(&of->judged->truth, of->judged->probabilities,
                                   of->judged->repeats, of->judged->untold);
}

static void add_calibration_number(struct result_table *numbers, struct str name,
                                   double value, struct arena *arena)
{
    struct result_cell cell = result_number(value);

    if (isnan(value))
        cell.undefined = "no probability was told";
    result_add_number(numbers, RESULT_REAL, name, STR(""), cell, arena);
}

static void add_numbers(struct classifying_work *work,
                        const struct run_classifying_scored *of)
{
    struct arena *arena = &work->output->arena;
    struct result_table numbers = {.name = STR("numbers")};

    result_add_number(&numbers, RESULT_COUNT, STR("labelled"), STR(""),
                      result_count((int64_t)work->item_count), arena);
    if (of != NULL)
        result_add_number(&numbers, RESULT_COUNT, STR("held-out"), STR(""),
                          result_count((int64_t)of->score.items), arena);
    if (of != NULL && work->examples.vectors.vectors != NULL)
        result_add_number(
            &numbers, RESULT_COUNT, STR("folds-with-vectors"), STR(""),
            result_count((int64_t)learn_judge_rounds_with_vectors(&work->crossed)),
            arena);
    if (of != NULL && work->examples.given > 0)
        result_add_number(
            &numbers, RESULT_COUNT, STR("folds-with-item-vectors"), STR(""),
            result_count((int64_t)learn_judge_rounds_with_given(&work->crossed)), arena);
    for (size_t i = 0; i < LEARN_SCORE_OVERALL && of != NULL; i++) {
        struct result_cell cell = estimated(&of->intervals.overall[i]);
        struct buf slug = {0};
        cell.n = (int64_t)of->score.items;
        result_slug(str_from(learn_score_names[i]), &slug);
        result_add_number(&numbers, RESULT_REAL, buf_str(&slug), STR(""), cell, arena);
        buf_free(&slug);
    }
    if (of != NULL) {
        struct learn_score_calibration it = calibration_of(of);
        add_calibration_number(&numbers, STR("Brier-score"), it.brier, arena);
        add_calibration_number(&numbers, STR("expected-calibration-error"),
                               it.expected_error, arena);
    }
    run_output_result(work->output, &numbers);
}

/* Of items with several classes there is no such table. */
struct result_table run_classifying_confusion(const struct run_classifying_scored *of,
                                              struct arena *arena)
{
    size_t classes = of != NULL ? of->score.classes : 0;
    bool repeated = of != NULL && of->judged->repeats > 1;
    struct result_column *columns = arena_array(arena, struct result_column, classes + 1);

    for (size_t k = 0; k < classes; k++)
        columns[k] = (struct result_column){.type = repeated ? RESULT_REAL : RESULT_COUNT,
                                            .digits = repeated ? 1 : 0,
                                            .name = str_trim(of->names[k])};
    struct result_table table =
        result_from("confusion", "true class (columns: what it was taken for)", columns,
                    classes, arena);
    for (size_t t = 0; t < classes && of->score.confusion != NULL; t++) {
        struct result_cell *cells = add_row(&table, of->names[t], arena);
        for (size_t k = 0; k < classes; k++)
            cells[k] = result_number(of->score.confusion[t * classes + k]);
    }
    if (table.row_count > 0)
        add_silent(of, "they are in no column", &table, arena);
    return table;
}

/* What is in no bin: items without a prediction, or with one that is not said how sure.
 */
static void add_untold(const struct run_classifying_scored *of,
                       struct result_table *table, struct arena *arena)
{
    size_t untold = 0, all = predictions_of(of->judged);

    for (size_t i = 0; of->judged->untold != NULL && i < all; i++)
        untold += of->judged->untold[i];
    add_silent(of, "they are in no row", table, arena);
    if (untold > of->judged->silent)
        result_add_note(
            table,
            arena_format(arena,
                         "Of %zu of %zu labelled items no probability was told: they are "
                         "in no row.",
                         untold - of->judged->silent, all),
            arena);
    for (size_t r = 0; untold == all && r < table->row_count; r++)
        for (size_t c = 0; c < table->column_count; c++)
            table->cells[r * table->column_count + c] = (struct result_cell){
                .value = NAN, .undefined = "no probability was told"};
}

struct result_table run_classifying_calibration(const struct run_classifying_scored *of,
                                                struct arena *arena)
{
    static const struct result_column columns[] = {
        {.type = RESULT_COUNT, .name = STR_INIT("items")},
        {.type = RESULT_SHARE, .digits = 2, .name = STR_INIT("mean probability")},
        {.type = RESULT_SHARE, .digits = 2, .name = STR_INIT("share right")}};
    struct result_column own[ROWS_OF(columns)];

    memcpy(own, columns, sizeof own);
    if (of != NULL && of->judged->repeats > 1)
        own[0] = (struct result_column){
            .type = RESULT_REAL, .digits = 1, .name = STR("items")};
    struct result_table table =
        result_from("calibration", "said to be", own, ROWS_OF(columns), arena);
    struct learn_score_calibration it = {0};

    if (of != NULL)
        it = calibration_of(of);
    for (size_t b = 0; b < LEARN_SCORE_BINS && of != NULL; b++) {
        const struct learn_score_bin *bin = &it.bins[b];
        char name[40];
        snprintf(name, sizeof name, "%.1f to %.1f", (double)b / LEARN_SCORE_BINS,
                 (double)(b + 1) / LEARN_SCORE_BINS);
        struct result_cell *cells = add_row(&table, str_from(name), arena);
        cells[0] = result_number(bin->items);
        cells[1] = result_number(bin->items > 0 ? bin->sure : NAN);
        cells[2] = result_number(bin->items > 0 ? bin->right : NAN);
    }
    if (of != NULL && !isnan(it.brier))
        result_add_note(&table,
                        arena_format(arena,
                                     "Brier score %.3f, expected calibration error %.3f.",
                                     it.brier, it.expected_error),
                        arena);
    if (of != NULL)
        add_untold(of, &table, arena);
    return table;
}

/* The items behind the numbers. */

struct held_out {
    const struct run_classifying_scored *scored;
    const int64_t *ids; /* of the items */
    struct str what;    /* they are */
    struct arena *arena;
};

/* The items that `is` says yes to are behind a cell. */
static void add_behind(const struct held_out *held, struct result_evidence evidence,
                       bool (*is)(const struct learn_judged *judged, size_t item,
                                  size_t row, size_t column),
                       struct result_table *out)
{
    const struct learn_judged *judged = held->scored->judged;
    size_t items = judged->truth.items, room = 1;

    for (size_t i = 0; i < items; i++)
        room += is(judged, i, evidence.row, evidence.column);
    int64_t *ids = arena_array(held->arena, int64_t, room);
    for (size_t i = 0; i < items; i++)
        if (is(judged, i, evidence.row, evidence.column))
            ids[evidence.count++] = held->ids[i];
    evidence.ids = ids;
    result_add_evidence(out, &evidence, held->arena);
}

/* Of the table of scores: what each column counts or rests on. */
static const struct {
    const char *what;
    bool truly, said; /* both: one of them is enough */
} counted[] = {
    {"items that are truly '%.*s'", true, false},            /* items */
    {"items that were taken for '%.*s'", false, true},       /* predicted */
    {"items that were taken for '%.*s'", false, true},       /* precision */
    {"items that are truly '%.*s'", true, false},            /* recall */
    {"items that are or were taken for '%.*s'", true, true}, /* F1 */
};                                                           /* areas rest on all items */

static bool is_counted(const struct learn_judged *judged, size_t item, size_t class,
                       size_t column)
{
    return (counted[column].truly && learn_membership_has(&judged->truth, item, class)) ||
           (counted[column].said &&
            learn_membership_has(&judged->predicted, item, class));
}

static void add_behind_scores(const struct held_out *held, struct result_table *out)
{
    struct buf what = {0};

    for (size_t k = 0; k < out->row_count; k++)
        for (size_t c = 0; c < ROWS_OF(counted); c++) {
            buf_clear(&what);
            buf_add_format(&what, counted[c].what, STR_ARG(held->scored->names[k]));
            add_behind(held, (struct result_evidence){k, c, buf_str(&what), NULL, 0},
                       is_counted, out);
        }
    buf_free(&what);
}

static void add_behind_overall(const struct held_out *held, struct result_table *out)
{
    result_add_evidence(out,
                        &(struct result_evidence){RESULT_NONE, RESULT_NONE, held->what,
                                                  held->ids,
                                                  held->scored->judged->truth.items},
                        held->arena);
}

static bool is_confused(const struct learn_judged *judged, size_t item, size_t truth,
                        size_t said)
{
    return learn_membership_has(&judged->truth, item, truth) &&
           learn_membership_has(&judged->predicted, item, said);
}

static void add_behind_confusion(const struct held_out *held, struct result_table *out)
{
    const struct str *names = held->scored->names;
    struct buf what = {0};

    for (size_t t = 0; t < out->row_count; t++)
        for (size_t k = 0; k < out->column_count; k++) {
            buf_clear(&what);
            buf_add_format(&what, "items that are truly '%.*s' and were taken for '%.*s'",
                           STR_ARG(names[t]), STR_ARG(names[k]));
            add_behind(held, (struct result_evidence){t, k, buf_str(&what), NULL, 0},
                       is_confused, out);
        }
    buf_free(&what);
}

/* NULL: there are no labels. */
static void add_held_out(struct classifying_work *work, const struct held_out *held)
{
    const struct run_classifying_scored *of = held != NULL ? held->scored : NULL;
    struct arena *arena = &work->output->arena;
    struct result_table scores = run_classifying_scores(of, arena),
                        overall = run_classifying_overall(of, arena),
                        confusion = run_classifying_confusion(of, arena),
                        calibration = run_classifying_calibration(of, arena);

    if (held != NULL) {
        add_behind_scores(held, &scores);
        add_behind_overall(held, &overall);
        add_behind_confusion(held, &confusion);
        if (work->runs > 1)
            result_add_note(&calibration,
                            STR("The probability is the share of the model's runs, of "
                                "those that answered, which say so: not what it tells "
                                "itself."),
                            arena);
    }
    run_output_shown(work->output, &scores, "class");
    run_output_shown(work->output, &overall, "score");
    add_numbers(work, of);
    run_output_shown(work->output, &confusion, "class");
    run_output_shown(work->output, &calibration, "said to be");
}

static bool judge_held_out(struct classifying_work *work, struct err *err)
{
    struct rng rng = rng_stream(work->classifier->seed, 1, 0);
    struct learn_fold_items all = learn_fold_all(work->item_count, &work->arena), test,
                            train;
    struct learn_model model;
    struct learn_judged judged;

    learn_fold_hold_out(&work->truth, work->examples.groups, all, work->classifier->test,
                        &rng, &work->arena, &test, &train);
    if (!learn_model_train(&work->settings, &work->examples, train, &work->arena, &model,
                           err))
        return false;
    learn_judge_items(&model, &work->examples, test, &work->arena, &judged);
    struct run_classifying_scored scored =
        run_classifying_score(&judged, work->names, work->classifier->seed, &work->arena);
    int64_t *ids = arena_array(&work->arena, int64_t, test.count + 1);
    for (size_t i = 0; i < test.count; i++)
        ids[i] = measure_column_at(work->frame->ids, work->items[test.at[i]]);
    add_held_out(work, &(struct held_out){&scored, ids,
                                          STR("labelled items that were held out"),
                                          &work->output->arena});
    buf_add_format(&work->output->says,
                   "%zu labelled items, macro F1 %.2f on %zu of them", work->item_count,
                   scored.score.overall[LEARN_SCORE_MACRO_F1], scored.score.items);
    return true;
}

/* Cross-validation: the learning curve, and what every labelled item is taken for. */

static void tell(struct classifying_work *work, const char *what, size_t pieces)
{
    progress_count(work->progress,
                   arena_format(&work->arena, "making classifiers.%.*s: %s",
                                STR_ARG(work->classifier->name), what)
                       .ptr,
                   (int64_t)pieces);
}

static struct learn_judge_options folding(const struct classifying_work *work)
{
    return (struct learn_judge_options){.folds = (size_t)work->classifier->folds,
                                        .repeats = 1,
                                        .seed = work->classifier->seed,
                                        .threads = work->threads,
                                        .keep = true,
                                        .progress = work->progress};
}

/* Of a 95% interval over folds, which share what they learn from: Nadeau and Bengio,
 * "Inference for the generalization error", Machine Learning 52, 2003. */
static double half_width(const struct learn_judge_step *step, size_t folds)
{
    double rounds = (double)step->scores.count;
    double share = 1 / rounds + 1 / ((double)folds - 1) / step->share;

    return rounds > 1
               ? stats_t_quantile(0.975, rounds - 1) * sqrt(share) * step->deviation
               : NAN;
}

struct result_table run_classifying_learning(const struct learn_judge_step *steps,
                                             size_t count, size_t folds,
                                             struct arena *arena)
{
    static const struct result_column column = {RESULT_REAL, 3, STR_INIT("macro F1"),
                                                .interval = true};
    struct result_table table =
        result_from("learning", "items learned from", &column, 1, arena);

    for (size_t s = 0; s < count; s++) {
        double half = half_width(&steps[s], folds), f1 = steps[s].macro_f1;
        char name[40];
        snprintf(name, sizeof name, "%.0f", steps[s].items);
        *add_row(&table, str_from(name), arena) =
            result_estimate(f1, fmax(f1 - half, 0), fmin(f1 + half, 1));
    }
    return table;
}

static void add_learning(struct classifying_work *work,
                         const struct learn_judge_step *steps, size_t count)
{
    struct result_table table = run_classifying_learning(
        steps, count, (size_t)work->classifier->folds, &work->output->arena);

    run_output_shown(work->output, &table, "items learned from");
}

static bool learn_by_steps(struct classifying_work *work, struct err *err)
{
    struct learn_judge_options how = folding(work);
    struct learn_judge_step steps[LEARN_JUDGE_STEPS];

    how.keep = false;
    tell(work, "learning from parts of the labels", (LEARN_JUDGE_STEPS - 1) * how.folds);
    if (!learn_judge_curve(&work->settings, &work->examples, how, &work->crossed,
                           &work->arena, steps, err))
        return false;
    add_learning(work, steps, LEARN_JUDGE_STEPS);
    return true;
}

static bool cross_validate(struct classifying_work *work, struct err *err)
{
    tell(work, "cross-validation", (size_t)work->classifier->folds);
    if (!learn_judge_folds(&work->settings, &work->examples, folding(work), &work->arena,
                           &work->crossed, err))
        return false;
    work->mean =
        learn_model_mean(work->crossed.models, work->crossed.model_count, &work->arena);
    return true;
}

/* Predictions. */

/* What shares are estimated from: items. */
struct predicted {
    struct run_output_list codes, items;
    struct result_cell *cells; /* of a row of items */
};

static void open_items(struct classifying_work *work, struct predicted *to)
{
    static const struct result_column coded[] = {
        {.type = RESULT_ITEM, .name = STR_INIT("id")},
        {.type = RESULT_TEXT, .name = STR_INIT("code")},
        {.type = RESULT_TEXT, .name = STR_INIT("name")},
        {.type = RESULT_SHARE, .digits = SHOWN_DIGITS, .name = STR_INIT("probability")}};
    size_t count = RUN_SHARES_CLASSES + RUN_SHARES_COLUMNS * work->class_count;
    struct result_column *columns =
        arena_array(&work->arena, struct result_column, count);

    columns[RUN_SHARES_ID] =
        (struct result_column){.type = RESULT_ITEM, .name = STR("id")};
    columns[RUN_SHARES_ROLE] =
        (struct result_column){.type = RESULT_TEXT, .name = STR("role")};
    columns[RUN_SHARES_STRATUM] =
        (struct result_column){.type = RESULT_COUNT, .name = STR("stratum")};
    for (size_t k = 0; k < work->class_count; k++)
        for (size_t c = 0; c < RUN_SHARES_COLUMNS; c++)
            columns[RUN_SHARES_CLASSES + k * RUN_SHARES_COLUMNS + c] =
                (struct result_column){
                    .type = c == RUN_SHARES_PROBABILITY ? RESULT_SHARE : RESULT_COUNT,
                    .digits = c == RUN_SHARES_PROBABILITY ? ITEM_DIGITS : 0,
                    .name = work->ids[k],
                    .across = c == RUN_SHARES_TRULY  ? STR("truly")
                              : c == RUN_SHARES_SAID ? STR("said")
                                                     : STR("probability")};
    to->codes =
        run_output_list(work->output, STR("predicted"), coded, ROWS_OF(coded),
                        run_output_add_own(work->output, STR("predicted"), ".csv"));
    to->items = run_output_list(work->output, STR("items"), columns, count,
                                run_output_add_own(work->output, STR("items"), ".csv"));
    to->cells = arena_array(&work->arena, struct result_cell, count);
}

static void close_items(struct predicted *to)
{
    run_output_list_end(&to->codes);
    run_output_list_end(&to->items);
}

/* truth NULL: not labelled; said NULL: nothing is predicted. */
static void add_item(struct classifying_work *work, struct predicted *to, size_t item,
                     const uint8_t *truth, const uint8_t *said,
                     const double *probabilities)
{
    struct result_cell *cells = to->cells;

    cells[RUN_SHARES_ID] = result_item(measure_column_at(work->frame->ids, item));
    cells[RUN_SHARES_ROLE] =
        result_text(truth == NULL                          ? (struct str){0}
                    : measure_bits_has(work->chosen, item) ? STR("chosen")
                                                           : STR("drawn"));
    cells[RUN_SHARES_STRATUM] = work->stratum != NULL
                                    ? result_count((int64_t)work->stratum[item])
                                    : result_number(NAN);
    for (size_t k = 0; k < work->class_count; k++) {
        struct result_cell *of = &cells[RUN_SHARES_CLASSES + k * RUN_SHARES_COLUMNS];
        of[RUN_SHARES_TRULY] =
            truth != NULL ? result_count(truth[k]) : result_number(NAN);
        of[RUN_SHARES_SAID] = said != NULL ? result_count(said[k]) : result_number(NAN);
        of[RUN_SHARES_PROBABILITY] = result_number(
            said != NULL ? measure_quantity_round(probabilities[k], ITEM_DIGITS) : NAN);
    }
    run_output_list_add(&to->items, cells);
}

static void add_prediction(struct classifying_work *work, struct predicted *to,
                           size_t item, const uint8_t *truth, const uint8_t *said,
                           const double *probabilities)
{
    int64_t id = measure_column_at(work->frame->ids, item);

    if (!work->foreign &&
        memchr(said, 1, work->class_count) == NULL) { /* nothing known: no class */
        work->silent += measure_bits_has(work->predict, item);
        add_item(work, to, item, truth, NULL, NULL);
        return;
    }
    if (measure_bits_has(work->predict, item))
        for (size_t k = 0; k < work->class_count; k++)
            if (said[k])
                run_output_list_add(
                    &to->codes,
                    (struct result_cell[]){result_item(id), result_text(work->ids[k]),
                                           result_text(work->names[k]),
                                           result_number(measure_quantity_round(
                                               probabilities[k], SHOWN_DIGITS))});
    add_item(work, to, item, truth, said, probabilities);
}

static void add_labelled(struct classifying_work *work, struct predicted *to)
{
    size_t classes = work->class_count;

    for (size_t i = 0; i < work->item_count; i++)
        add_prediction(work, to, work->items[i], work->truth.is + i * classes,
                       work->crossed.predicted.is + i * classes,
                       work->crossed.probabilities + i * classes);
}

struct predicting {
    struct classifying_work *work;
    struct predicted *to;
};

static bool predict_block(void *context, const struct run_texts_block *block,
                          struct err *err)
{
    const struct predicting *predicting = context;
    struct classifying_work *work = predicting->work;
    size_t classes = work->class_count;
    uint8_t *said = arena_array(block->arena, uint8_t, block->count * classes + 1);
    double *probabilities = arena_array(block->arena, double, block->count *classes + 1);
    struct learn_apply apply = {&work->mean, work->settings.features,
                                &work->examples.table, work->threads};
    struct learn_apply_posts posts = {
        block->count, block->posts, NULL,
        given_of(work, block->items, block->count, block->arena)};

    if (!learn_apply_model(&apply, posts, block->arena, said, probabilities, err))
        return false;
    for (size_t i = 0; i < block->count; i++)
        add_prediction(work, predicting->to, block->items[i], NULL, said + i * classes,
                       probabilities + i * classes);
    if (work->progress != NULL)
        progress_add(work->progress, (int64_t)block->count, 0);
    return true;
}

/* Those that are labelled come first, as cross-validation predicts them. */
static bool predict(struct classifying_work *work, struct err *err)
{
    struct predicted to;
    struct measure_bits rest = measure_bits_make(work->frame->count, &work->arena);
    size_t labelled = 0;

    open_items(work, &to);
    add_labelled(work, &to);
    for (size_t i = measure_bits_next(work->predict, 0); i < work->predict.count;
         i = measure_bits_next(work->predict, i + 1)) {
        while (labelled < work->item_count && work->items[labelled] < i)
            labelled++;
        if (labelled == work->item_count || work->items[labelled] != i)
            measure_bits_set(rest, i);
    }
    tell(work, "predicting", (size_t)measure_bits_count(rest));
    bool ok = run_texts_each(work->frame, rest, work->parts, predict_block,
                             &(struct predicting){work, &to}, err);
    close_items(&to);
    return ok;
}

bool run_classifying_model(const struct learn_model_settings *settings,
                           const struct learn_examples *examples, const struct str *ids,
                           size_t count, struct arena *arena,
                           struct learn_model_file *out, struct err *err)
{
    *out = (struct learn_model_file){.features = settings->features,
                                     .table = examples->table,
                                     .training = learn_model_file_hash(ids, count),
                                     .training_count = (int64_t)count};
    return learn_model_train(settings, examples, learn_fold_all(count, arena), arena,
                             &out->model, err);
}

static bool add_model(struct classifying_work *work, struct err *err)
{
    struct str *ids = arena_array(&work->arena, struct str, work->item_count + 1);
    struct learn_model_file file;

    for (size_t i = 0; i < work->item_count; i++)
        ids[i] =
            arena_format(&work->arena, "%lld",
                         (long long)measure_column_at(work->frame->ids, work->items[i]));
    if (!run_classifying_model(&work->settings, &work->examples, ids, work->item_count,
                               &work->arena, &file, err))
        return false;
    file.classes = work->ids;
    learn_model_file_write(&file, &work->arena,
                           run_output_add_own(work->output, STR("model"), ""));
    return true;
}

/* What something else predicts. */

static int64_t runs_of(const struct study *study,
                       const struct study_classifier *classifier)
{
    size_t labelling = study->labels[classifier->train].labelling;

    if (classifier->rater.len == 0)
        return 0;
    const struct study_labelling *of = &study->labellings[labelling];
    for (size_t m = 0; m < of->model_count; m++)
        if (str_eq(of->models[m].name, classifier->rater))
            return of->models[m].runs;
    return 0;
}

static bool read_predictions(struct classifying_work *work, const struct study *study,
                             struct err *err)
{
    const struct study_classifier *classifier = work->classifier;
    struct run_predictions_of of = {work->frame, work->labels, classifier->level,
                                    &work->arena};

    work->foreign = true;
    work->runs = runs_of(study, classifier);
    bool ok =
        classifier->predictions != NULL
            ? run_predictions_csv(&of, classifier->predictions, &work->predictions, err)
            : run_predictions_rater(&of, study, &study->labels[classifier->train],
                                    classifier->rater, &work->predictions, err);
    if (!ok)
        return false;
    work->predicted = arena_array(&work->arena, bool, work->labels->code_count + 1);
    for (size_t i = 0; i < work->predictions.count; i++)
        work->predicted[work->predictions.at[i].code] = true;
    return true;
}

static void number_classes(struct classifying_work *work)
{
    const struct measure_labels *labels = work->labels;

    work->class_of = arena_array(&work->arena, size_t, labels->code_count + 1);
    for (size_t c = 0, k = 0; c < labels->code_count && k < work->class_count; c++)
        if (str_eq(labels->codes[c].id, work->ids[k]))
            work->class_of[c] = k++;
}

/* A model that rates says several classes of an item, also where people gave one. */
static bool rates_several(const struct classifying_work *work)
{
    const struct run_prediction *rows = work->predictions.at;
    bool several = false;

    for (size_t i = 1; i < work->predictions.count; i++)
        several |= rows[i].item == rows[i - 1].item;
    return several && work->classifier->rater.len > 0;
}

/* False: nothing was said of the item. Of one class an item has the most probable, the
 * first of several alike; of several those that are more likely than not, or all that a
 * model says which rates, however sure it is. A class without a probability is taken for
 * sure; *untold says whether there is one, or nothing at all. */
static bool foretold(const struct classifying_work *work, size_t item, uint8_t *said,
                     double *probabilities, bool *untold)
{
    const struct run_prediction *rows = work->predictions.at;
    bool rates = work->classifier->rater.len > 0;
    size_t at, top = work->class_count;

    memset(said, 0, work->class_count);
    for (size_t k = 0; k < work->class_count; k++)
        probabilities[k] = 0;
    *untold = false;
    ORDER_SEEK(at, work->predictions.count, rows[at].item < item);
    for (; at < work->predictions.count && rows[at].item == item; at++) {
        size_t class = work->class_of[rows[at].code];
        double sure = isnan(rows[at].probability) ? 1 : rows[at].probability;
        *untold = *untold || isnan(rows[at].probability);
        probabilities[class] = sure;
        said[class] = work->truth.several && (rates || sure >= 0.5);
        if (top == work->class_count || sure > probabilities[top])
            top = class;
    }
    if (top < work->class_count && !work->truth.several)
        said[top] = 1;
    *untold = *untold || top == work->class_count;
    return top < work->class_count;
}

/* An item of which nothing was said has no prediction, labelled or not. Scores count it
 * as wrong. */
static void add_foretold(struct classifying_work *work, struct predicted *to, size_t item,
                         const uint8_t *truth, uint8_t *said, double *probabilities)
{
    bool untold;

    if (foretold(work, item, said, probabilities, &untold)) {
        add_prediction(work, to, item, truth, said, probabilities);
        return;
    }
    work->silent += measure_bits_has(work->predict, item);
    add_item(work, to, item, truth, NULL, NULL);
}

static void judge_foretold(struct classifying_work *work)
{
    struct arena *arena = &work->arena;
    size_t classes = work->class_count;
    double *probabilities = arena_array(arena, double, work->item_count *classes + 1);
    bool *untold = arena_array(arena, bool, work->item_count + 1);
    struct learn_judged judged = {
        .truth = work->truth,
        .repeats = 1,
        .untold = untold,
        .predicted =
            learn_membership_new(work->item_count, classes, work->truth.several, arena),
        .probabilities = probabilities};
    int64_t *ids = arena_array(arena, int64_t, work->item_count + 1);

    for (size_t i = 0; i < work->item_count; i++) {
        ids[i] = measure_column_at(work->frame->ids, work->items[i]);
        judged.silent +=
            !foretold(work, work->items[i], judged.predicted.is + i * classes,
                      probabilities + i * classes, &untold[i]);
    }
    struct run_classifying_scored scored =
        run_classifying_score(&judged, work->names, work->classifier->seed, arena);
    add_held_out(work, &(struct held_out){&scored, ids, STR("labelled items"),
                                          &work->output->arena});
    buf_add_format(&work->output->says, "macro F1 %.2f on %zu labelled items",
                   scored.score.overall[LEARN_SCORE_MACRO_F1], scored.score.items);
}

/* All labelled items, and all others that are to be classified. */
static void take_predictions(struct classifying_work *work)
{
    size_t classes = work->class_count, labelled = 0;
    uint8_t *said = arena_array(&work->arena, uint8_t, classes + 1);
    double *probabilities = arena_array(&work->arena, double, classes + 1);
    struct predicted to;

    number_classes(work);
    work->truth.several = work->truth.several || rates_several(work);
    judge_foretold(work);
    add_learning(work, NULL, 0);
    open_items(work, &to);
    for (size_t i = 0; i < work->frame->count; i++) {
        bool is_labelled = labelled < work->item_count && work->items[labelled] == i;
        if (is_labelled || measure_bits_has(work->predict, i))
            add_foretold(work, &to, i,
                         is_labelled ? work->truth.is + labelled * classes : NULL, said,
                         probabilities);
        labelled += is_labelled;
    }
    close_items(&to);
    if (work->silent > 0)
        buf_add_format(&work->output->says, ", %lld items without a prediction",
                       (long long)work->silent);
    if (work->predictions.unknown > 0)
        buf_add_format(&work->output->says,
                       ", %lld predictions of items that the corpus does not hold",
                       (long long)work->predictions.unknown);
}

/* Labels may be yet to come: then there is nothing to show, which is no error. */
static void add_nothing(struct classifying_work *work)
{
    struct predicted to;

    add_held_out(work, NULL);
    add_learning(work, NULL, 0);
    open_items(work, &to);
    close_items(&to);
    buf_add_format(
        &work->output->says,
        "waits for labels: found %zu item%s of %zu code%s, expected %d items of "
        "two codes at least",
        work->item_count, work->item_count == 1 ? "" : "s", work->class_count,
        work->class_count == 1 ? "" : "s", ITEMS_MIN);
}

/* Labelled items that were chosen, not drawn: by a classifier, or as the top of a set. */
static bool find_chosen(struct run_needs *needs, size_t labels, struct measure_bits *out,
                        struct err *err)
{
    struct run_labelling_final *finals;
    size_t count;

    if (!run_strata_taken(needs, labels, out, err) ||
        !run_labelling_finals(needs->study, labels, needs->arena, &finals, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        size_t item = measure_frame_find(&needs->frame, finals[i].item);
        if (finals[i].chosen && item < needs->frame.count)
            measure_bits_set(*out, item);
    }
    return true;
}

/* What it learns from, and what it is applied to. */
static bool gather(struct run_needs *needs, struct classifying_work *work,
                   struct err *err)
{
    const struct study_classifier *classifier = work->classifier;
    struct run_strata strata;

    if (!run_needs_frame(needs, err) ||
        !run_needs_labels(needs, classifier->train, err) ||
        !find_chosen(needs, classifier->train, &work->chosen, err) ||
        !run_strata_find(needs, classifier->train, &strata, err))
        return false;
    if (classifier->item_vectors != STUDY_NONE &&
        !run_vectoring_read(&needs->study->vectors[classifier->item_vectors], work->frame,
                            &work->arena, &work->item_vectors, err))
        return err_at(err, "classifiers.%.*s: ", STR_ARG(classifier->name));
    work->stratum = strata.of;
    work->labels = &needs->labels[classifier->train];
    work->predict = measure_bits_make(needs->frame.count, needs->arena);
    for (size_t i = 0; i < classifier->predict_count; i++) {
        struct measure_bits set;
        if (!run_needs_set(needs, classifier->predict[i], &set, err))
            return err_at(err, "classifiers.%.*s: ", STR_ARG(classifier->name));
        measure_bits_add(work->predict, set);
    }
    return true;
}

/* Texts are part of the corpus. */
static void list_classifier(struct run_listing *listing, struct run_step *step)
{
    const struct study_classifier *classifier = &listing->study->classifiers[step->index];
    size_t count;
    const struct run_strata_source *sources =
        run_strata_sources(listing->study, classifier->train, listing->arena, &count);

    step->corpus = true;
    run_steps_need_labels(listing, step, classifier->train);
    for (size_t s = 0; s < count; s++)
        if (sources[s].group != STUDY_NONE)
            run_steps_add_group(listing, step, sources[s].group);
    for (size_t i = 0; i < classifier->predict_count; i++)
        run_steps_need_source(listing, step, classifier->predict[i]);
    if (classifier->keywords != NULL)
        run_steps_add_file(listing, step, classifier->keywords);
    if (classifier->predictions != NULL)
        run_steps_add_file(listing, step, classifier->predictions);
    run_vectoring_add_files(listing, step, classifier->item_vectors);
    run_steps_name(listing, step, classifier->name, classifier->node);
}

/* Fills output with out/classifiers/NAME/: the model, predicted.csv, and a csv for each
 * of what `tables.*.show` names; shares are computed from a table of the result. */
static bool make_classifier(struct run_needs *needs, const struct run_step *step,
                            struct run_output *output, struct err *err)
{
    struct classifying_work work = {.classifier = &needs->study->classifiers[step->index],
                                    .frame = &needs->frame,
                                    .threads = needs->options->threads,
                                    .output = output,
                                    .progress = needs->progress};
    bool ok = gather(needs, &work, err);

    if (ok && (work.classifier->predictions != NULL || work.classifier->rater.len > 0))
        ok = read_predictions(&work, needs->study, err);
    if (!ok) {
        arena_free(&work.arena);
        return false;
    }
    list_items(&work);
    if (work.item_count < ITEMS_MIN || work.class_count < 2)
        add_nothing(&work);
    else if (work.foreign)
        take_predictions(&work);
    else
        ok = (prepare(&work, err) && cross_validate(&work, err) &&
              judge_held_out(&work, err) && learn_by_steps(&work, err) &&
              predict(&work, err) && add_model(&work, err)) ||
             err_at(err, "classifiers.%.*s: ", STR_ARG(work.classifier->name));
    learn_judge_free(&work.crossed);
    learn_examples_free(&work.examples);
    learn_vectors_free(&work.vectors);
    arena_free(&work.arena);
    return ok;
}

const struct run_kind run_kind_classifier = {
    .name = "classifiers",
    .counted = offsetof(struct study, classifier_count),
    .engine = 18,
    .list = list_classifier,
    .make = make_classifier,
};
