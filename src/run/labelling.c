/* Final labels come from label_finals(), agreement from label_agreement(): what raters
 * said before they talked. Here they only become files. */
#include "run/labelling.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "base/file.h"
#include "base/list.h"
#include "label/alternative.h"
#include "label/models.h"
#include "label/span_agree.h"
#include "measure/quantity.h"
#include "result/numbers.h"
#include "run/needs.h"

/* One dimension of a task, and where its files go. */
struct scribe {
    struct run_output *output;
    struct str suffix; /* of tables: the dimension's id, or empty for the only one */
    const struct study_codebook_dimension *dimension;
    bool units; /* items have units */
    bool spans; /* raters mark evidence */
    const struct study_model_rater *models;
    size_t model_count, people;
    const struct label_agree_report *report;
    struct result_table numbers;
    struct arena *arena; /* for work */
};

bool run_labelling_open(const struct study *study,
                        const struct study_labelling *labelling, struct label **out,
                        struct err *err)
{
    struct arena arena = {0};
    struct buf problems = {0};
    bool there = file_exists(file_join(study->home, "labels.db", &arena));
    bool ok = true;

    *out = NULL;
    if (there)
        ok = label_open(study, labelling->name, out, &problems, err);
    if (!ok && problems.len > 0)
        err_set(err, ERR_INPUT, "%.*s", STR_ARG(str_trim(buf_str(&problems))));
    buf_free(&problems);
    arena_free(&arena);
    return ok;
}

static struct str table_name(const struct scribe *scribe, const char *what)
{
    return arena_format(&scribe->output->arena, "%s%s%.*s", what,
                        scribe->suffix.len > 0 ? "." : "", STR_ARG(scribe->suffix));
}

static void add_number(struct scribe *scribe, enum result_type type, const char *name,
                       struct result_cell cell)
{
    struct str at = scribe->suffix;
    struct arena *arena = &scribe->output->arena;

    result_add_number(
        &scribe->numbers, type,
        arena_format(arena, "%.*s%s%s", STR_ARG(at), at.len > 0 ? "." : "", name),
        STR(""), cell, arena);
}

/* What has labels. */
static struct str counted(const struct scribe *scribe)
{
    return str_from(label_agree_counted(scribe->units));
}

/* Tables of coefficients. */

enum { MEASURES = 7 };

/* Columns to be filled by fill_measures(), behind others. */
static struct result_table measures_table(const struct scribe *scribe, const char *what,
                                          const char *corner, bool labels)
{
    static const struct result_column kinds[] = {
        {.type = RESULT_COUNT, .name = STR_INIT("labels")},
        {.type = RESULT_COUNT}, /* items or units */
        {.type = RESULT_SHARE, .digits = 2, .name = STR_INIT("percent agreement")},
        {RESULT_REAL, 3, STR_INIT("Cohen's kappa"), .interval = true},
        {RESULT_REAL, 3, STR_INIT("Fleiss' kappa"), .interval = true},
        {RESULT_REAL, 3, STR_INIT("Krippendorff's alpha"), .interval = true},
        {RESULT_REAL, 3, STR_INIT("Gwet's AC1"), .interval = true},
        {RESULT_REAL, 3, STR_INIT("Brennan-Prediger"), .interval = true},
    };
    struct arena *arena = &scribe->output->arena;
    struct result_column *columns =
        arena_array(arena, struct result_column, ROWS_OF(kinds));
    size_t count = MEASURES + labels;

    memcpy(columns, kinds + !labels, count * sizeof *columns);
    columns[labels].name = counted(scribe);
    struct result_table table =
        result_new(table_name(scribe, what), columns, count, arena);
    table.corner = str_from(corner);
    return table;
}

/* A coefficient without an interval says why. */
static struct result_cell coefficient(const struct stats_agreement *it, bool alpha)
{
    bool interval = it->interval_undefined == NULL;

    if (it->undefined != NULL)
        return result_number(NAN);
    struct result_cell cell =
        result_estimate(it->value, interval ? it->low : NAN, interval ? it->high : NAN);
    if (!interval)
        cell.no_interval =
            alpha ? "that of alpha comes from resampling the items, which is done for "
                    "all of them together and not for parts"
                  : it->interval_undefined;
    return cell;
}

static void fill_measures(const struct label_agree_measures *measures,
                          struct result_cell *cells)
{
    cells[0] = result_count((int64_t)measures->items);
    cells[1] = result_number(measures->observed);
    cells[2] = coefficient(&measures->cohen, false);
    cells[3] = coefficient(&measures->fleiss, false);
    cells[4] = coefficient(&measures->alpha, true);
    cells[5] = coefficient(&measures->ac1, false);
    cells[6] = coefficient(&measures->brennan_prediger, false);
}

static struct result_cell *add_row(struct scribe *scribe, struct result_table *table,
                                   struct str name)
{
    return result_add_row(table, str_trim(name), RESULT_NONE, &scribe->output->arena);
}

/* The items behind what is shown. Which ones count is told by the labels themselves, as
 * agreement is computed from them: those that two raters or more have labelled. */

struct labelling_ids {
    int64_t *at;
    size_t count;
    struct str *units; /* of them, where items have units; else NULL */
};

static void add_list(const struct scribe *scribe, struct result_table *out, size_t row,
                     size_t column, struct str what, struct labelling_ids ids)
{
    result_add_unit_evidence(
        out, &(struct result_evidence){row, column, what, ids.at, ids.count}, ids.units,
        &scribe->output->arena);
}

/* Room for so many. */
static struct labelling_ids ids_for(const struct scribe *scribe, size_t count)
{
    struct arena *arena = &scribe->output->arena;

    return (struct labelling_ids){
        arena_array(arena, int64_t, count + 1), 0,
        scribe->units ? arena_array(arena, struct str, count + 1) : NULL};
}

/* A further list in the room that another has left. */
static struct labelling_ids ids_behind(struct labelling_ids ids)
{
    return (struct labelling_ids){ids.at + ids.count, 0,
                                  ids.units != NULL ? ids.units + ids.count : NULL};
}

static struct labelling_ids no_ids(const struct scribe *scribe)
{
    return ids_for(scribe, scribe->report->data->item_count);
}

/* Items of the labels are ids of the corpus. */
static void add_id(const struct scribe *scribe, size_t item, struct labelling_ids *out)
{
    const struct label_agree_data *data = scribe->report->data;
    struct str whole = label_agree_whole(data, item);
    struct err ignored = {0};

    if (!item_key_read(scribe->output->spaces, whole, &out->at[out->count], &ignored))
        return;
    /* Behind "ITEM#" */
    if (out->units != NULL)
        out->units[out->count] =
            arena_copy(&scribe->output->arena, str_slice(data->items[item], whole.len + 1,
                                                         data->items[item].len));
    out->count++;
}

/* Items with two labels or more, in the order of their last labels. */

struct done {
    size_t item, last, labels;
};

static int by_last(const void *a, const void *b)
{
    const struct done *one = a, *two = b;

    return one->last < two->last ? -1 : one->last > two->last;
}

static struct labelling_ids shared_items(const struct scribe *scribe)
{
    const struct label_agree_data *data = scribe->report->data;
    struct done *items = arena_array(scribe->arena, struct done, data->item_count + 1);
    struct labelling_ids ids = no_ids(scribe);

    for (size_t i = 0; i < data->label_count; i++) {
        struct done *item = &items[data->labels[i].item];
        *item = (struct done){data->labels[i].item, i, item->labels + 1};
    }
    qsort(items, data->item_count, sizeof *items, by_last);
    for (size_t i = 0; i < data->item_count; i++)
        if (items[i].labels > 1)
            add_id(scribe, items[i].item, &ids);
    return ids;
}

/* The first so many items that two raters or more have labelled, behind a row or, with
 * RESULT_NONE, all of them. */
static void add_shared(const struct scribe *scribe, size_t row, size_t count,
                       struct result_table *out)
{
    struct arena_mark mark = arena_mark(scribe->arena);
    struct labelling_ids ids = shared_items(scribe);

    ids.count = count < ids.count ? count : ids.count;
    add_list(scribe, out, row, RESULT_NONE,
             arena_format(scribe->arena, "%.*s that two raters or more have labelled",
                          STR_ARG(counted(scribe))),
             ids);
    arena_rewind(scribe->arena, mark);
}

/* The code itself or one below it. */
static bool has_code(const struct label_agree_data *data,
                     const struct label_agree_label *label, size_t code)
{
    for (size_t c = 0; c < label->code_count; c++)
        for (size_t at = label->codes[c]; at != LABEL_AGREE_NONE;
             at = data->codes[at].parent)
            if (at == code)
                return true;
    return false;
}

static struct labelling_ids items_with(const struct scribe *scribe, size_t code)
{
    const struct label_agree_data *data = scribe->report->data;
    bool *has = arena_array(scribe->arena, bool, data->item_count + 1);
    struct labelling_ids ids = no_ids(scribe);

    for (size_t i = 0; i < data->label_count; i++)
        if (has_code(data, &data->labels[i], code))
            has[data->labels[i].item] = true;
    for (size_t i = 0; i < data->item_count; i++)
        if (has[i])
            add_id(scribe, i, &ids);
    return ids;
}

static void add_items_of_codes(const struct scribe *scribe, struct result_table *out)
{
    const struct label_agree_report *report = scribe->report;
    add_shared(scribe, RESULT_NONE, report->all.items, out);
    for (size_t i = 0; i < report->code_count; i++) {
        struct arena_mark mark = arena_mark(scribe->arena);
        add_list(scribe, out, i, 0,
                 arena_format(scribe->arena, "%.*s that a rater called '%.*s'",
                              STR_ARG(counted(scribe)),
                              STR_ARG(report->data->codes[report->codes[i].code].name)),
                 items_with(scribe, report->codes[i].code));
        arena_rewind(scribe->arena, mark);
    }
}

/* Pairs of raters. */

/* Of each item, the label that the rater gave it; NULL: none. */
static const struct label_agree_label **labels_by(const struct scribe *scribe,
                                                  size_t rater)
{
    const struct label_agree_data *data = scribe->report->data;
    const struct label_agree_label **labels = arena_array(
        scribe->arena, const struct label_agree_label *, data->item_count + 1);

    for (size_t i = 0; i < data->label_count; i++)
        if (data->labels[i].rater == rater)
            labels[data->labels[i].item] = &data->labels[i];
    return labels;
}

static void add_items_of_raters(const struct scribe *scribe, struct result_table *out)
{
    const struct label_agree_report *report = scribe->report;

    for (size_t p = 0; p < report->pair_count; p++) {
        struct arena_mark mark = arena_mark(scribe->arena);
        const struct label_agree_label **one = labels_by(scribe, report->pairs[p].first);
        const struct label_agree_label **two = labels_by(scribe, report->pairs[p].second);
        struct labelling_ids ids = no_ids(scribe);
        for (size_t i = 0; i < report->data->item_count; i++)
            if (one[i] != NULL && two[i] != NULL)
                add_id(scribe, i, &ids);
        add_list(scribe, out, p, RESULT_NONE,
                 arena_format(scribe->arena, "%.*s that both raters have labelled",
                              STR_ARG(counted(scribe))),
                 ids);
        arena_rewind(scribe->arena, mark);
    }
}

/* An item that both raters of a pair gave one code, and the two codes. */
struct taken {
    size_t low, high, item;
};

static int by_codes(const void *a, const void *b)
{
    const struct taken *one = a, *two = b;

    if (one->low != two->low)
        return one->low < two->low ? -1 : 1;
    if (one->high != two->high)
        return one->high < two->high ? -1 : 1;
    return one->item < two->item ? -1 : one->item > two->item;
}

static struct taken *taken_for(const struct scribe *scribe, size_t *count)
{
    const struct label_agree_report *report = scribe->report;
    LIST(struct taken) all = {0};

    for (size_t p = 0; p < report->pair_count && report->pairs[p].table != NULL; p++) {
        struct arena_mark mark = arena_mark(scribe->arena);
        const struct label_agree_label **one = labels_by(scribe, report->pairs[p].first);
        const struct label_agree_label **two = labels_by(scribe, report->pairs[p].second);
        for (size_t i = 0; i < report->data->item_count; i++) {
            if (one[i] == NULL || two[i] == NULL || one[i]->code_count != 1 ||
                two[i]->code_count != 1)
                continue;
            size_t a = one[i]->codes[0], b = two[i]->codes[0];
            struct taken taken = {a < b ? a : b, a < b ? b : a, i};
            list_add(&all, taken);
        }
        arena_rewind(scribe->arena, mark);
    }
    *count = all.count;
    struct taken *list = arena_array(scribe->arena, struct taken, *count + 1);
    for (size_t i = 0; i < *count; i++)
        list[i] = all.at[i];
    qsort(list, *count, sizeof *list, by_codes);
    list_free(&all);
    return list;
}

/* The number of each code among those that were used: rows and columns of the table. */
static size_t *places_of(const struct scribe *scribe, const struct taken *taken,
                         size_t count)
{
    size_t codes = scribe->report->data->code_count, used = 0;
    size_t *places = arena_array(scribe->arena, size_t, codes + 1);
    bool *is_used = arena_array(scribe->arena, bool, codes + 1);

    for (size_t i = 0; i < count; i++)
        is_used[taken[i].low] = is_used[taken[i].high] = true;
    for (size_t c = 0; c < codes; c++) {
        places[c] = used;
        used += is_used[c];
    }
    return places;
}

static void add_taken(const struct scribe *scribe, const struct taken *first,
                      struct labelling_ids ids, const size_t *places,
                      struct result_table *out)
{
    const struct label_agree_code *codes = scribe->report->data->codes;
    size_t low = places[first->low], high = places[first->high];
    struct str what =
        low == high
            ? arena_format(scribe->arena, "%.*s that both raters called '%.*s'",
                           STR_ARG(counted(scribe)), STR_ARG(codes[first->low].name))
            : arena_format(scribe->arena,
                           "%.*s that one rater called '%.*s' and the other '%.*s'",
                           STR_ARG(counted(scribe)), STR_ARG(codes[first->low].name),
                           STR_ARG(codes[first->high].name));

    add_list(scribe, out, low, high, what, ids);
    if (low != high)
        add_list(scribe, out, high, low, what, ids);
}

static void add_confused(const struct scribe *scribe, struct result_table *out)
{
    size_t count;
    struct taken *taken = taken_for(scribe, &count);
    const size_t *places = places_of(scribe, taken, count);
    struct labelling_ids ids = ids_for(scribe, count);

    for (size_t i = 0, next; i < count; i = next) {
        for (next = i; next < count && taken[next].low == taken[i].low &&
                       taken[next].high == taken[i].high;
             next++)
            if (next == i || taken[next].item != taken[next - 1].item)
                add_id(scribe, taken[next].item, &ids);
        add_taken(scribe, &taken[i], ids, places, out);
        ids = ids_behind(ids);
    }
}

static void add_items_of_states(const struct scribe *scribe,
                                const struct label_final *finals, size_t count,
                                struct result_table *out)
{
    struct labelling_ids ids = ids_for(scribe, count);

    for (enum label_state s = 0; s <= LABEL_PENDING; s++) {
        for (size_t i = 0; i < count; i++)
            if (finals[i].state == s && !finals[i].chosen && !finals[i].outside &&
                (scribe->suffix.len == 0 ||
                 str_eq(finals[i].dimension, scribe->suffix))) {
                if (ids.units != NULL)
                    ids.units[ids.count] =
                        arena_copy(&scribe->output->arena, finals[i].unit);
                ids.at[ids.count++] = finals[i].item;
            }
        add_list(scribe, out, (size_t)s, RESULT_NONE,
                 arena_format(scribe->arena, "%.*s whose label is %s",
                              STR_ARG(counted(scribe)), label_state_word(s)),
                 ids);
        ids = ids_behind(ids);
    }
}

/* Final labels. */

static struct str code_name(const struct study_codebook_dimension *dimension,
                            struct str path)
{
    for (size_t c = 0; c < dimension->count; c++)
        if (str_eq(dimension->codes[c].path, path))
            return dimension->codes[c].name;
    return path;
}

static void add_final(struct scribe *scribe, const struct label_final *final,
                      struct str code, struct run_output_list *out)
{
    run_output_list_add(
        out, (struct result_cell[]){result_item(final->item), result_text(code),
                                    result_text(code_name(scribe->dimension, code)),
                                    result_text(str_from(label_state_word(final->state))),
                                    result_count((int64_t) final->raters),
                                    result_text(final->chosen ? STR("yes") : STR("")),
                                    result_text(final->outside ? STR("yes") : STR("")),
                                    result_text(final->unit), result_text(final->place)});
}

/* What was labelled before another sample was drawn is told, and counts nowhere. */
static void add_outside(struct scribe *scribe, int64_t outside,
                        struct result_table *table)
{
    struct buf note = {0};

    add_number(scribe, RESULT_COUNT, "outside", result_count(outside));
    label_tell_outside(outside, &note);
    buf_add(&note, STR(": they are neither in these counts nor in agreement."));
    result_add_note(table, buf_str(&note), &scribe->output->arena);
    buf_free(&note);
}

/* An item without a code, such as an unresolved one, is there with an empty one. */
static void add_finals(struct scribe *scribe, const struct label_final *finals,
                       size_t count)
{
    static const struct result_column final_columns[] = {
        {.type = RESULT_ITEM, .name = STR_INIT("id")},
        {.type = RESULT_TEXT, .name = STR_INIT("code")},
        {.type = RESULT_TEXT, .name = STR_INIT("name")},
        {.type = RESULT_TEXT, .name = STR_INIT("state")},
        {.type = RESULT_COUNT, .name = STR_INIT("raters")},
        {.type = RESULT_TEXT, .name = STR_INIT("chosen")},
        {.type = RESULT_TEXT, .name = STR_INIT("outside")},
        {.type = RESULT_TEXT, .name = STR_INIT("unit")},
        {.type = RESULT_TEXT, .name = STR_INIT("place")}};
    const size_t of_units = 2; /* columns */
    struct label_states states = label_count_states(finals, count, scribe->suffix);
    struct str name = table_name(scribe, "final");
    struct run_output_list list =
        run_output_list(scribe->output, name, final_columns,
                        ROWS_OF(final_columns) - (scribe->units ? 0 : of_units),
                        run_output_add_own(scribe->output, name, ".csv"));
    struct result_column columns[] = {
        {.type = RESULT_COUNT, .name = counted(scribe)},
        {.type = RESULT_SHARE, .digits = 2, .name = STR("share")}};
    struct result_table table =
        result_new(table_name(scribe, "states"), columns, 2, &scribe->output->arena);

    for (size_t i = 0; i < count; i++) {
        const struct label_final *final = &finals[i];
        if (scribe->suffix.len > 0 && !str_eq(final->dimension, scribe->suffix))
            continue;
        for (size_t c = 0; c < final->code_count; c++)
            add_final(scribe, final, final->codes[c], &list);
        if (final->code_count == 0)
            add_final(scribe, final, (struct str){0}, &list);
    }
    run_output_list_end(&list);
    table.corner = STR("state");
    /* What is labelled: units, where items have them. */
    add_number(scribe, RESULT_COUNT, "items", result_count(states.items));
    for (enum label_state s = 0; s <= LABEL_PENDING; s++) {
        struct result_cell *cells =
            add_row(scribe, &table, str_from(label_state_word(s)));
        cells[0] = result_count(states.of[s]);
        cells[1] = result_number(
            states.items > 0 ? (double)states.of[s] / (double)states.items : NAN);
        add_number(scribe, RESULT_COUNT, label_state_word(s), cells[0]);
    }
    if (states.outside > 0)
        add_outside(scribe, states.outside, &table);
    add_items_of_states(scribe, finals, count, &table);
    run_output_shown(scribe->output, &table, "state");
}

/* Codes as they are now, with those that were accepted while labelling. */
static void add_codebook(struct scribe *scribe, const struct study_codebook *codebook)
{
    static const struct result_column columns[] = {
        {.type = RESULT_TEXT, .name = STR_INIT("dimension")},
        {.type = RESULT_TEXT, .name = STR_INIT("code")},
        {.type = RESULT_TEXT, .name = STR_INIT("name")},
        {.type = RESULT_TEXT, .name = STR_INIT("special")}};
    struct run_output_list list =
        run_output_list(scribe->output, STR("codebook"), columns, ROWS_OF(columns),
                        run_output_add_own(scribe->output, STR("codebook"), ".csv"));

    for (size_t d = 0; d < codebook->count; d++) {
        const struct study_codebook_dimension *dimension = &codebook->dimensions[d];
        for (size_t c = 0; c < dimension->count; c++) {
            const struct study_codebook_code *code = &dimension->codes[c];
            run_output_list_add(&list,
                                (struct result_cell[]){
                                    result_text(dimension->id), result_text(code->path),
                                    result_text(code->name),
                                    result_text(code->special ? STR("yes") : STR(""))});
        }
    }
    run_output_list_end(&list);
}

/* Agreement. */

static void add_checkpoints(struct scribe *scribe)
{
    struct result_table table =
        measures_table(scribe, "checkpoints", "checkpoint", false);
    const struct label_agree_report *report = scribe->report;

    for (size_t i = 0; i < report->checkpoint_count; i++) {
        fill_measures(&report->checkpoints[i].measures,
                      add_row(scribe, &table,
                              arena_format(scribe->arena, "%g%%",
                                           100 * report->checkpoints[i].share)));
        add_shared(scribe, i, report->checkpoints[i].measures.items, &table);
    }
    run_output_shown(scribe->output, &table, "checkpoint");
}

static void add_levels(struct scribe *scribe)
{
    struct result_table table = measures_table(scribe, "levels", "level", false);
    const struct label_agree_report *report = scribe->report;

    for (size_t i = 0; i < report->level_count; i++) {
        char name[40];
        snprintf(name, sizeof name, "level %d", report->levels[i].level);
        fill_measures(&report->levels[i].measures,
                      add_row(scribe, &table, str_from(name)));
    }
    add_shared(scribe, RESULT_NONE, report->all.items, &table);
    run_output_shown(scribe->output, &table, "level");
}

static void add_codes(struct scribe *scribe)
{
    struct result_table table = measures_table(scribe, "codes", "code", true);
    const struct label_agree_report *report = scribe->report;

    for (size_t i = 0; i < report->code_count; i++) {
        const struct label_agree_part *part = &report->codes[i];
        struct result_cell *cells =
            add_row(scribe, &table, report->data->codes[part->code].name);
        cells[0] = result_count((int64_t)part->given);
        fill_measures(&part->measures, cells + 1);
    }
    add_items_of_codes(scribe, &table);
    run_output_shown(scribe->output, &table, "code");
}

static void add_raters(struct scribe *scribe)
{
    struct result_table table = measures_table(scribe, "raters", "raters", false);
    const struct label_agree_report *report = scribe->report;
    for (size_t i = 0; i < report->pair_count; i++) {
        const struct label_agree_pair *pair = &report->pairs[i];
        struct str name = arena_format(scribe->arena, "%.*s and %.*s",
                                       STR_ARG(report->data->raters[pair->first]),
                                       STR_ARG(report->data->raters[pair->second]));
        fill_measures(&pair->measures, add_row(scribe, &table, name));
    }
    add_items_of_raters(scribe, &table);
    run_output_shown(scribe->output, &table, "raters");
}

/* How often one rater of a pair said the row's code and the other the column's: both
 * ways, since who comes first means nothing. Codes that nobody used are left out. */
static void add_confusion(struct scribe *scribe)
{
    const struct label_agree_report *report = scribe->report;
    const struct label_agree_data *data = report->data;
    struct arena *arena = &scribe->output->arena;
    /* Of very many codes there is no table. */
    bool counted = report->pair_count > 0 && report->pairs[0].table != NULL;
    size_t codes = counted ? data->code_count : 0, count = 0;
    int64_t *together = arena_array(arena, int64_t, codes * codes + 1);
    bool *used = arena_array(arena, bool, codes + 1);
    struct result_column *columns = arena_array(arena, struct result_column, codes + 1);

    for (size_t p = 0; p < report->pair_count && counted; p++)
        for (size_t a = 0; a < codes; a++)
            for (size_t b = 0; b < codes; b++) {
                int64_t times = report->pairs[p].table[a * codes + b];
                together[a * codes + b] += times;
                if (a != b)
                    together[b * codes + a] += times;
                used[a] = used[a] || times > 0;
                used[b] = used[b] || times > 0;
            }
    for (size_t b = 0; b < codes; b++)
        if (used[b])
            columns[count++] = (struct result_column){
                .type = RESULT_COUNT, .name = str_trim(data->codes[b].name)};
    struct result_table table =
        result_new(table_name(scribe, "confusion"), columns, count, arena);
    table.corner = STR("code (columns: what the other rater said)");
    for (size_t a = 0; a < codes; a++) {
        if (!used[a])
            continue;
        struct result_cell *cells = add_row(scribe, &table, data->codes[a].name);
        for (size_t b = 0; b < codes; b++)
            if (used[b])
                *cells++ = result_count(together[a * codes + b]);
    }
    add_confused(scribe, &table);
    if (count > 0)
        result_add_note(
            &table,
            STR("Pairs of raters on an item. Those who agree are counted once, in "
                "the diagonal; those who differ stand in the rows of both codes, "
                "so rows do not add up to the labels given. Agreement on a code "
                "is twice its diagonal out of that and the rest of its row."),
            arena);
    run_output_shown(scribe->output, &table, "code");
}

/* How far raters mark the same units. */
static void add_units(struct scribe *scribe)
{
    static const struct result_column columns[] = {
        {.type = RESULT_COUNT, .name = STR_INIT("items")},
        {.type = RESULT_COUNT, .name = STR_INIT("units of the first")},
        {.type = RESULT_COUNT, .name = STR_INIT("units of the second")},
        {.type = RESULT_COUNT, .name = STR_INIT("matched")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("F1")},
    };
    const struct label_agree_report *report = scribe->report;
    struct result_table table =
        result_new(table_name(scribe, "units"),
                   memcpy(arena_array(&scribe->output->arena, struct result_column,
                                      ROWS_OF(columns)),
                          columns, sizeof columns),
                   ROWS_OF(columns), &scribe->output->arena);

    table.corner = STR("raters");
    for (size_t i = 0; i < report->unit_count; i++) {
        const struct label_agree_units *units = &report->units[i];
        bool all = units->first == LABEL_AGREE_NONE;
        struct str name =
            all ? STR("all pairs")
                : arena_format(&scribe->output->arena, "%.*s and %.*s",
                               STR_ARG(report->data->raters[units->first]),
                               STR_ARG(report->data->raters[units->second]));
        struct result_cell *cells = add_row(scribe, &table, name);
        cells[0] = result_count(units->items);
        cells[1] = result_count(units->first_units);
        cells[2] = result_count(units->second_units);
        cells[3] = result_count(units->matched);
        cells[4] = result_number(units->f1);
        if (all)
            add_number(scribe, RESULT_REAL, "f1", cells[4]);
    }
    add_shared(scribe, RESULT_NONE, report->all.items, &table);
    run_output_shown(scribe->output, &table, "raters");
}

/* Evidence. */

/* How far raters mark the same words. */
#define IN_THEM STR_INIT("spans in these items")

static void add_span_agreement(struct scribe *scribe,
                               const struct label_span_report *report)
{
    static const struct result_column columns[] = {
        {.type = RESULT_COUNT, .name = STR_INIT("items")},
        {.type = RESULT_COUNT, .name = STR_INIT("spans of the first"), .rests = IN_THEM},
        {.type = RESULT_COUNT, .name = STR_INIT("spans of the second"), .rests = IN_THEM},
        {.type = RESULT_COUNT, .name = STR_INIT("matched"), .rests = IN_THEM},
        {.type = RESULT_COUNT, .name = STR_INIT("exact"), .rests = IN_THEM},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("F1 of spans")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("F1 of characters")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("Jaccard of characters")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("alpha of unitizing")},
    };
    struct arena *arena = &scribe->output->arena;
    struct result_table table =
        result_new(STR("spans"),
                   memcpy(arena_array(arena, struct result_column, ROWS_OF(columns)),
                          columns, sizeof columns),
                   ROWS_OF(columns), arena);

    table.corner = STR("raters");
    for (size_t i = 0; i < report->count; i++) {
        const struct label_span_pair *pair = &report->pairs[i];
        bool all = pair->first.len == 0 && pair->code.len == 0;
        struct str name =
            all ? STR("all pairs")
            : pair->code.len > 0
                ? arena_format(arena, "all pairs, %.*s", STR_ARG(pair->code))
                : arena_format(arena, "%.*s and %.*s", STR_ARG(pair->first),
                               STR_ARG(pair->second));
        struct result_cell *cells = add_row(scribe, &table, name);
        const int64_t counts[] = {pair->items, pair->first_spans, pair->second_spans,
                                  pair->matched, pair->exact};
        const double numbers[] = {pair->f1, pair->f1_characters, pair->jaccard,
                                  pair->alpha};
        for (size_t c = 0; c < ROWS_OF(counts); c++)
            cells[c] = result_count(counts[c]);
        for (size_t c = 0; c < ROWS_OF(numbers); c++)
            cells[ROWS_OF(counts) + c] = result_number(numbers[c]);
        if (all) {
            add_number(scribe, RESULT_REAL, "spans-f1",
                       result_number(pair->f1_characters));
            add_number(scribe, RESULT_REAL, "spans-alpha", result_number(pair->alpha));
        }
    }
    if (report->lost > 0)
        result_add_note(
            &table,
            arena_format(arena,
                         "%lld span%s no longer in the text of the item: left out.",
                         (long long)report->lost, report->lost == 1 ? " is" : "s are"),
            arena);
    add_list(scribe, &table, RESULT_NONE, RESULT_NONE, STR("items"),
             (struct labelling_ids){list_copied(report->items, report->item_count,
                                                sizeof *report->items, arena),
                                    report->item_count, NULL});
    run_output_shown(scribe->output, &table, "raters");
}

/* What each rater marked, item by item. */
static bool add_evidence(struct scribe *scribe, struct label *label,
                         const struct label_span_report *report, struct err *err)
{
    static const struct result_column columns[] = {
        {.type = RESULT_ITEM, .name = STR_INIT("id")},
        {.type = RESULT_TEXT, .name = STR_INIT("unit")},
        {.type = RESULT_TEXT, .name = STR_INIT("rater")},
        {.type = RESULT_TEXT, .name = STR_INIT("dimension")},
        {.type = RESULT_TEXT, .name = STR_INIT("code")},
        {.type = RESULT_TEXT, .name = STR_INIT("place")},
        {.type = RESULT_TEXT, .name = STR_INIT("quote")}};
    struct run_output_list list =
        run_output_list(scribe->output, STR("evidence"), columns, ROWS_OF(columns),
                        run_output_add_own(scribe->output, STR("evidence"), ".csv"));
    bool ok = true;

    for (size_t i = 0; i < report->item_count && ok; i++) {
        struct arena_mark mark = arena_mark(scribe->arena);
        struct label_span_said *said;
        size_t count;
        ok = label_spans_of(label, report->items[i], scribe->arena, &said, &count, err);
        for (size_t s = 0; ok && s < count; s++)
            run_output_list_add(
                &list, (struct result_cell[]){
                           result_item(said[s].item), result_text(said[s].unit),
                           result_text(said[s].rater), result_text(said[s].dimension),
                           result_text(said[s].code), result_text(said[s].place),
                           result_text(said[s].quote)});
        arena_rewind(scribe->arena, mark);
    }
    run_output_list_end(&list);
    return ok;
}

static bool add_spans(struct scribe *scribe, struct label *label, struct err *err)
{
    struct label_span_report report = {0};

    scribe->suffix = (struct str){0};
    if (label != NULL && !label_span_agree(label, scribe->arena, &report, err))
        return false;
    add_span_agreement(scribe, &report);
    return add_evidence(scribe, label, &report, err);
}

static void add_saturation(struct scribe *scribe, const struct label_agree_report *report)
{
    struct result_column column = {.type = RESULT_COUNT, .name = STR("codes used")};
    struct result_table table =
        result_new(table_name(scribe, "saturation"), &column, 1, &scribe->output->arena);

    table.corner =
        arena_format(&scribe->output->arena, "%.*s labelled", STR_ARG(counted(scribe)));
    for (size_t i = 0; i < report->saturation_count; i++) {
        char name[40];
        snprintf(name, sizeof name, "%zu", report->saturation[i].items);
        *add_row(scribe, &table, str_from(name)) =
            result_count((int64_t)report->saturation[i].codes);
    }
    run_output_shown(scribe->output, &table, table.corner.ptr);
}

static void add_agreement_numbers(struct scribe *scribe,
                                  const struct label_agree_measures *all)
{
    const struct {
        const char *name;
        const struct stats_agreement *it;
    } coefficients[] = {{"cohen", &all->cohen},
                        {"fleiss", &all->fleiss},
                        {"alpha", &all->alpha},
                        {"ac1", &all->ac1},
                        {"brennan-prediger", &all->brennan_prediger}};

    add_number(scribe, RESULT_SHARE, "agreement", result_number(all->observed));
    for (size_t i = 0; i < ROWS_OF(coefficients); i++) {
        const struct stats_agreement *it = coefficients[i].it;
        struct result_cell cell = coefficient(it, it == &all->alpha);
        cell.n = (int64_t)all->items;
        if (it->undefined != NULL)
            cell.undefined = it->undefined;
        add_number(scribe, RESULT_REAL, coefficients[i].name, cell);
    }
}

static void add_agreement(struct scribe *scribe, struct result_table *overall)
{
    const struct label_agree_report *report = scribe->report;

    fill_measures(&report->all, add_row(scribe, overall, scribe->dimension->name));
    add_shared(scribe, overall->row_count - 1, report->all.items, overall);
    add_agreement_numbers(scribe, &report->all);
    add_checkpoints(scribe);
    add_levels(scribe);
    add_codes(scribe);
    add_raters(scribe);
    add_confusion(scribe);
    if (scribe->units)
        add_units(scribe);
    add_saturation(scribe, report);
}

/* Models. */

enum { SHOWN_HASH = 12 }; /* digits of a hash that a table shows */

/* What each model says, for classifiers that rest on it. */
static bool add_answers(struct scribe *scribe, struct label *label, struct err *err)
{
    static const struct result_column columns[] = {
        {.type = RESULT_ITEM, .name = STR_INIT("id")},
        {.type = RESULT_TEXT, .name = STR_INIT("rater")},
        {.type = RESULT_TEXT, .name = STR_INIT("code")},
        {.type = RESULT_SHARE, .digits = 4, .name = STR_INIT("probability")},
        {.type = RESULT_TEXT, .name = STR_INIT("unit")}};
    struct str name = table_name(scribe, "answers");
    struct run_output_list list = run_output_list(
        scribe->output, name, columns, ROWS_OF(columns) - (scribe->units ? 0 : 1),
        run_output_add_own(scribe->output, name, ".csv"));
    struct label_model_word *words = NULL;
    size_t count = 0;
    bool ok = label == NULL || label_model_words(label, scribe->dimension->id, false,
                                                 scribe->arena, &words, &count, err);

    for (size_t i = 0; ok && i < count; i++)
        for (size_t c = 0; c < words[i].code_count; c++)
            run_output_list_add(
                &list, (struct result_cell[]){
                           result_item(words[i].item),
                           result_text(scribe->models[words[i].model].name),
                           result_text(words[i].codes[c]),
                           result_number(measure_quantity_round(words[i].probability, 6)),
                           result_text(words[i].unit != NULL ? words[i].unit->unit
                                                             : (struct str){0})});
    run_output_list_end(&list);
    return ok;
}

static bool is_model(const struct scribe *scribe, struct str rater)
{
    for (size_t m = 0; m < scribe->model_count; m++)
        if (str_eq(scribe->models[m].name, rater))
            return true;
    return false;
}

/* Pairs of people, of people and models, and of models. */
static void add_model_pairs(struct scribe *scribe,
                            const struct label_agree_report *report)
{
    static const char *const kinds[] = {"people", "people and models", "models"};
    struct result_table of = measures_table(scribe, "model-agreement", "raters", false);
    struct arena *arena = &scribe->output->arena;
    struct result_column *columns =
        arena_array(arena, struct result_column, of.column_count + 1);

    columns[0] = (struct result_column){.type = RESULT_TEXT, .name = STR("between")};
    memcpy(columns + 1, of.columns, of.column_count * sizeof *columns);
    struct result_table table = result_new(of.name, columns, of.column_count + 1, arena);
    table.corner = of.corner;
    for (size_t kind = 0; kind < ROWS_OF(kinds); kind++)
        for (size_t i = 0; i < report->pair_count; i++) {
            const struct label_agree_pair *pair = &report->pairs[i];
            struct str one = report->data->raters[pair->first],
                       two = report->data->raters[pair->second];
            if ((size_t)is_model(scribe, one) + is_model(scribe, two) != kind)
                continue;
            struct result_cell *cells =
                add_row(scribe, &table,
                        arena_format(arena, "%.*s and %.*s", STR_ARG(one), STR_ARG(two)));
            cells[0] = result_text(str_from(kinds[kind]));
            fill_measures(&pair->measures, cells + 1);
        }
    run_output_shown(scribe->output, &table, "raters");
}

/* The test of each model: over raters, and rater by rater. */
static void add_alternatives(struct scribe *scribe,
                             const struct label_agree_report *report)
{
    static const struct result_column wins[] = {
        {.type = RESULT_COUNT, .name = STR_INIT("raters tested")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("mean advantage")},
        {.type = RESULT_REAL, .digits = 2, .name = STR_INIT("winning rate, epsilon 0.1")},
        {.type = RESULT_REAL,
         .digits = 2,
         .name = STR_INIT("winning rate, epsilon 0.15")},
        {.type = RESULT_REAL,
         .digits = 2,
         .name = STR_INIT("winning rate, epsilon 0.2")}};
    static const struct result_column tests[] = {
        {.type = RESULT_COUNT, .name = STR_INIT("items")},
        {.type = RESULT_REAL, .digits = 3, .name = STR_INIT("advantage")},
        {.type = RESULT_P, .digits = 4, .name = STR_INIT("p, epsilon 0.1")},
        {.type = RESULT_P, .digits = 4, .name = STR_INIT("p, epsilon 0.15")},
        {.type = RESULT_P, .digits = 4, .name = STR_INIT("p, epsilon 0.2")}};
    struct arena *arena = &scribe->output->arena;
    struct result_table all =
        result_from("alternative", "model", wins, ROWS_OF(wins), arena);
    struct result_table each = result_from(
        "alternative-raters", "model in place of rater", tests, ROWS_OF(tests), arena);

    all.name = table_name(scribe, "alternative");
    each.name = table_name(scribe, "alternative-raters");
    for (size_t m = 0; m < scribe->model_count; m++) {
        struct str model = scribe->models[m].name;
        size_t at = str_find(model, report->data->raters, report->data->rater_count);
        if (at == report->data->rater_count)
            continue;
        struct label_alternative found =
            label_alternative(report->data, scribe->people, at, scribe->arena);
        struct result_cell *cells = add_row(scribe, &all, model);
        cells[0] = result_count((int64_t)found.tested);
        cells[1] = result_number(found.advantage);
        for (size_t e = 0; e < LABEL_ALTERNATIVE_EPSILONS; e++)
            cells[2 + e] = result_number(found.winning[e]);
        for (size_t r = 0; r < found.rater_count; r++) {
            const struct label_alternative_rater *rater = &found.raters[r];
            cells = add_row(scribe, &each,
                            arena_format(arena, "%.*s for %.*s", STR_ARG(model),
                                         STR_ARG(report->data->raters[rater->rater])));
            cells[0] = result_count((int64_t)rater->items);
            cells[1] = result_number(rater->advantage);
            for (size_t e = 0; e < LABEL_ALTERNATIVE_EPSILONS; e++) {
                cells[2 + e] = result_number(rater->p[e]);
                if (rater->undefined != NULL)
                    cells[2 + e].undefined = rater->undefined;
            }
        }
    }
    result_add_note(
        &all,
        STR("Alternative annotator test (Calderon, Reichart and Dror, ACL 2025): each "
            "rater "
            "is left out, and it is tested whether the model is as near to the others as "
            "that rater, less epsilon for what the rater costs more (0.1 raters of a "
            "crowd, "
            "0.15 skilled ones, 0.2 experts). The winning rate is the share of raters "
            "for "
            "whom it is, false discoveries kept at 5%; at 0.5 and above the model may "
            "take "
            "a rater's place. Three raters or more, with 30 items each, are wanted."),
        arena);
    result_add_note(
        &each,
        STR("p: of a one-sided t test that the model is worse by epsilon or more, "
            "adjusted "
            "over the raters that it is tested against (Benjamini and Yekutieli)."),
        arena);
    if (scribe->people < 3)
        result_add_note(
            &all, STR("There are fewer than three raters: the test says little."), arena);
    run_output_shown(scribe->output, &all, "model");
    run_output_shown(scribe->output, &each, "raters");
}

static bool add_selves(struct scribe *scribe, struct label *label, struct err *err)
{
    struct result_table table = measures_table(scribe, "self-agreement", "model", false);

    for (size_t m = 0; m < scribe->model_count && label != NULL; m++) {
        struct label_agree_measures measures;
        if (!label_model_self(label, scribe->dimension->id, m, scribe->arena, &measures,
                              err))
            return false;
        fill_measures(&measures, add_row(scribe, &table, scribe->models[m].name));
    }
    run_output_shown(scribe->output, &table, "model");
    return true;
}

static bool add_models(struct scribe *scribe, struct label *label, struct err *err)
{
    static const struct label_agree_data nothing = {0};
    struct label_agreement_options options = {.dimension = scribe->dimension->id,
                                              .models = true};
    struct label_agree_options plain = {.level = LABEL_AGREE_LEVEL};
    struct label_agree_report report;

    if (!add_answers(scribe, label, err) || !add_selves(scribe, label, err))
        return false;
    if (label == NULL)
        report = label_agree_report(&nothing, &plain, scribe->arena);
    else if (!label_agreement(label, &options, scribe->arena, &report, err))
        return false;
    add_model_pairs(scribe, &report);
    add_alternatives(scribe, &report);
    return true;
}

/* Each hash by its first digits. */
static struct str hashes(struct str list, struct arena *arena)
{
    struct buf out = {0};
    struct str hash;

    for (bool more = list.len > 0; more;) {
        more = str_cut(&list, ',', &hash);
        struct str digits = str_trim(hash), method = {0};
        bool named = str_cut(&digits, ':', &method); /* as in sha256:... */
        buf_add_format(&out, "%s%.*s%s%.*s", out.len > 0 ? ", " : "",
                       named ? (int)method.len : 0, method.ptr, named ? ":" : "",
                       STR_ARG(str_slice(named ? digits : method, 0, SHOWN_HASH)));
    }
    return buf_keep(&out, arena);
}

static struct str day(int64_t ms, struct arena *arena)
{
    struct buf out = {0};

    if (ms > 0)
        date_add_day(&out, ms);
    return buf_keep(&out, arena);
}

static struct str said_count(int64_t count, struct arena *arena)
{
    struct buf out = {0};

    buf_add_thousands(&out, (double)count, 0);
    return buf_keep(&out, arena);
}

/* Servers need not tell them. */
static struct str said_tokens(int64_t count, struct arena *arena)
{
    return count > 0 ? said_count(count, arena) : STR("");
}

/* What the guidelines on language models in studies ask for, a row each. */
static bool add_records(struct scribe *scribe, struct label *label, struct err *err)
{
    struct arena *arena = &scribe->output->arena;
    struct result_column *columns =
        arena_array(arena, struct result_column, scribe->model_count + 1);
    struct label_model_record *records = NULL;
    size_t count = 0;

    scribe->suffix = (struct str){0};
    if (label != NULL &&
        !label_model_records(label, scribe->arena, &records, &count, err))
        return false;
    for (size_t m = 0; m < count; m++)
        columns[m] = (struct result_column){.type = RESULT_TEXT,
                                            .name = records[m].settings->name};
    struct result_table table = result_new(STR("models"), columns, count, arena);
    table.corner = STR("record");
    static const char *const names[] = {"model, as asked for",
                                        "model, as answered",
                                        "server",
                                        "weights open",
                                        "weights, digest",
                                        "server's fingerprint",
                                        "first asked",
                                        "last asked",
                                        "codebook, version",
                                        "prompt, SHA-256",
                                        "held to the codes",
                                        "temperature",
                                        "seed",
                                        "further settings",
                                        "runs",
                                        "probabilities",
                                        "requests",
                                        "answers",
                                        "refused",
                                        "cut by the limit",
                                        "no code",
                                        "not taken by the server",
                                        "not taken with a schema",
                                        "no chat completion came",
                                        "asked again",
                                        "items with all runs",
                                        "items with an answer missing",
                                        "tokens in",
                                        "tokens out",
                                        "seconds"};
    for (size_t r = 0; r < ROWS_OF(names); r++) {
        struct str row = str_from(names[r]);
        if (scribe->units && str_starts(row, STR("items with")))
            row = arena_format(arena, "units%s", names[r] + strlen("items"));
        struct result_cell *cells = add_row(scribe, &table, row);
        for (size_t m = 0; m < count; m++) {
            const struct label_model_record *of = &records[m];
            const struct str texts[ROWS_OF(names)] = {
                of->asked.len > 0 ? of->asked : of->settings->model,
                of->answered_as,
                of->urls.len > 0 ? of->urls : of->settings->url,
                of->settings->open,
                hashes(of->digests, arena),
                of->fingerprints,
                day(of->first_ms, arena),
                day(of->last_ms, arena),
                of->versions,
                hashes(of->prompts, arena),
                of->constrained && of->plain ? STR("by a schema, and read strictly")
                : of->constrained            ? STR("by a schema")
                : of->plain                  ? STR("read strictly")
                                             : STR(""),
                of->temperatures,
                of->seeds,
                of->settings_sent,
                said_count(of->settings->runs, arena),
                of->probable ? STR("yes") : STR("no"),
                said_count(of->requests, arena),
                said_count(of->answered, arena),
                said_count(of->refused, arena),
                said_count(of->cut, arena),
                said_count(of->unreadable, arena),
                said_count(of->rejected, arena),
                said_count(of->plainer, arena),
                said_count(of->broken, arena),
                said_count(of->again, arena),
                said_count(of->items, arena),
                said_count(of->left, arena),
                said_tokens(of->tokens_in, arena),
                said_tokens(of->tokens_out, arena),
                said_count((int64_t)of->seconds, arena)};
            cells[m] = result_text(texts[r]);
        }
    }
    int64_t asked = 0, refused = 0;
    for (size_t m = 0; m < count; m++)
        asked += records[m].requests, refused += records[m].refused;
    add_number(scribe, RESULT_COUNT, "model-requests", result_count(asked));
    add_number(scribe, RESULT_COUNT, "model-refusals", result_count(refused));
    run_output_shown(scribe->output, &table, "record");
    return true;
}

/* Without labels agreement is that of nobody on nothing. */
static bool find_agreement(struct label *label, struct str dimension, struct arena *arena,
                           struct label_agree_report *out, struct err *err)
{
    static const struct label_agree_data nothing = {0};
    struct label_agreement_options options = {.dimension = dimension,
                                              .resamples = LABEL_AGREE_RESAMPLES};
    struct label_agree_options plain = {.level = LABEL_AGREE_LEVEL};

    if (label != NULL)
        return label_agreement(label, &options, arena, out, err);
    *out = label_agree_report(&nothing, &plain, arena);
    return true;
}

/* "300 labels unanimous, 77 unresolved". */
static void say_states(const struct label_final *finals, size_t count, struct buf *out)
{
    struct label_states all = label_count_states(finals, count, STR(""));
    const int64_t *states = all.of;
    bool any = false;

    for (enum label_state s = 0; s <= LABEL_PENDING; s++) {
        if (states[s] == 0)
            continue;
        buf_add_format(out, "%s%lld%s %s", any ? ", " : "", (long long)states[s],
                       any              ? ""
                       : states[s] == 1 ? " label"
                                        : " labels",
                       label_state_word(s));
        any = true;
    }
    if (!any)
        buf_add(out, STR("no label yet"));
    if (all.outside > 0) {
        buf_add(out, STR("; "));
        label_tell_outside(all.outside, out);
    }
}

static bool write_dimensions(struct label *label, const struct study_codebook *codebook,
                             struct scribe *scribe, struct err *err)
{
    struct label_final *finals = NULL;
    size_t count = 0;
    bool ok = label == NULL || label_finals(label, scribe->arena, &finals, &count, err);
    struct result_table overall = measures_table(scribe, "agreement", "dimension", false);

    add_codebook(scribe, codebook);
    for (size_t d = 0; d < codebook->count && ok; d++) {
        struct label_agree_report report;
        scribe->dimension = &codebook->dimensions[d];
        scribe->suffix = codebook->count > 1 ? scribe->dimension->id : (struct str){0};
        ok = find_agreement(label, scribe->dimension->id, scribe->arena, &report, err);
        if (ok) {
            scribe->report = &report;
            add_finals(scribe, finals, count);
            add_agreement(scribe, &overall);
        }
        ok = ok && (scribe->model_count == 0 || add_models(scribe, label, err));
    }
    ok = ok && (scribe->model_count == 0 || add_records(scribe, label, err));
    ok = ok && (!scribe->spans || add_spans(scribe, label, err));
    if (ok) {
        run_output_shown(scribe->output, &overall, "dimension");
        run_output_result(scribe->output, &scribe->numbers);
    }
    if (label == NULL)
        buf_add(&scribe->output->says,
                STR("nothing is labelled yet: see assay label, assay import"));
    else if (ok) {
        struct label_lost lost;
        say_states(finals, count, &scribe->output->says);
        ok = label_lost(label, scribe->arena, &lost, err);
        if (ok)
            label_tell_lost(label, &lost, &scribe->output->says);
    }
    return ok;
}

/* What raters said of the items, which the corpus may have lost or changed since, the
 * codebook as it is, and the task's settings. */
static void list_labelling(struct run_listing *listing, struct run_step *step)
{
    const struct study_labelling *labelling = &listing->study->labellings[step->index];

    step->log = true;
    step->corpus = true;
    for (size_t i = 0; i < labelling->of_count; i++)
        run_steps_need_source(listing, step, labelling->of[i]);
    run_steps_add_file(listing, step, labelling->codebook);
    run_steps_name(listing, step, labelling->name, labelling->node);
}

/* Fills output with out/labelling/NAME/: final.csv, codebook.csv with the codes that they
 * may have, and a csv for each of what `tables.*.show` names. Of a codebook with several
 * dimensions each has its own, as final.cause.csv. */
static bool make_labelling(struct run_needs *needs, const struct run_step *step,
                           struct run_output *output, struct err *err)
{
    const struct study_labelling *labelling = &needs->study->labellings[step->index];
    struct arena arena = {0};
    struct buf problems = {0};
    struct label *label = NULL;
    struct study_codebook codebook;
    struct scribe scribe = {.output = output,
                            .units = labelling->units,
                            .spans = labelling->spans != STUDY_SPANS_NO,
                            .models = labelling->models,
                            .model_count = labelling->model_count,
                            .people = labelling->rater_count,
                            .numbers = {.name = STR("numbers")},
                            .arena = &arena};
    bool ok = run_labelling_open(needs->study, labelling, &label, err);

    if (ok && label == NULL)
        ok = study_codebook_load(labelling->codebook, &arena, &codebook, &problems, err);
    else if (ok)
        codebook = *label_task(label)->codebook;
    ok = ok && write_dimensions(label, &codebook, &scribe, err);
    label_close(label);
    buf_free(&problems);
    arena_free(&arena);
    return ok;
}

const struct run_kind run_kind_labelling = {
    .name = "labelling",
    .counted = offsetof(struct study, labelling_count),
    .engine = 12,
    .list = list_labelling,
    .make = make_labelling,
};

/* Reading it back. */

struct codes_reader {
    struct arena *arena;
    struct study_codebook *out;
    LIST(struct study_codebook_code) codes; /* of all dimensions */
    LIST(struct study_codebook_dimension) dimensions;
    size_t dimension, code, name, special; /* columns */
};

static bool read_codes_head(void *context, const struct result_table *table,
                            struct err *err)
{
    struct codes_reader *reader = context;

    return result_column(table, "dimension", RESULT_TEXT, &reader->dimension, err) &&
           result_column(table, "code", RESULT_TEXT, &reader->code, err) &&
           result_column(table, "name", RESULT_TEXT, &reader->name, err) &&
           result_column(table, "special", RESULT_TEXT, &reader->special, err);
}

/* A parent stands before its children. */
static void set_place(struct study_codebook_dimension *dimension,
                      struct study_codebook_code *code)
{
    struct study_codebook_code *codes = dimension->codes;
    size_t slash = code->path.len;

    while (slash > 0 && code->path.ptr[slash - 1] != '/')
        slash--;
    code->id = str_slice(code->path, slash, code->path.len);
    code->parent = STUDY_CODEBOOK_NONE;
    code->level = 1;
    code->leaf = true;
    for (size_t i = 0; i < dimension->count && slash > 0; i++)
        if (str_eq(codes[i].path, str_slice(code->path, 0, slash - 1))) {
            code->parent = i;
            code->level = codes[i].level + 1;
            codes[i].leaf = false;
        }
}

static bool read_code(void *context, const struct result_row *row,
                      const struct result_cell *cells, struct err *err)
{
    struct codes_reader *reader = context;
    struct str id = cells[reader->dimension].text;
    size_t known = reader->dimensions.count;

    (void)row, (void)err;
    if (known == 0 || !str_eq(reader->dimensions.at[known - 1].id, id)) {
        struct str copy = arena_copy(reader->arena, id);
        list_add(&reader->dimensions,
                 ((struct study_codebook_dimension){.id = copy, .name = copy}));
    }
    reader->dimensions.at[reader->dimensions.count - 1].count++;
    list_add(&reader->codes,
             ((struct study_codebook_code){
                 .path = arena_copy(reader->arena, cells[reader->code].text),
                 .name = arena_copy(reader->arena, cells[reader->name].text),
                 .special = cells[reader->special].text.len > 0}));
    return true;
}

/* Each dimension gets its codes, which have come one after the other. */
static void part_codes(struct codes_reader *reader)
{
    const struct study_codebook_code *next = reader->codes.at;

    reader->out->count = reader->dimensions.count;
    reader->out->dimensions = arena_array(reader->arena, struct study_codebook_dimension,
                                          reader->dimensions.count + 1);
    for (size_t d = 0; d < reader->dimensions.count; d++) {
        struct study_codebook_dimension *to = &reader->out->dimensions[d];
        size_t count = reader->dimensions.at[d].count;
        *to = reader->dimensions.at[d];
        to->codes = arena_array(reader->arena, struct study_codebook_code, count + 1);
        for (to->count = 0; to->count < count; to->count++) {
            to->codes[to->count] = *next++;
            set_place(to, &to->codes[to->count]);
        }
    }
    list_free(&reader->codes);
    list_free(&reader->dimensions);
}

bool run_labelling_codebook(const struct study *study,
                            const struct study_labelling *labelling, struct arena *arena,
                            struct study_codebook *out, struct err *err)
{
    struct codes_reader reader = {.arena = arena, .out = out};
    struct result_file_rows rows = {STR("codebook"), read_codes_head, read_code, &reader};

    *out = (struct study_codebook){.id = labelling->name};
    bool ok = run_output_read_rows(study->home, "labelling", labelling->name, &rows, err);
    part_codes(&reader);
    return ok;
}

struct finals_reader {
    LIST(struct run_labelling_final) finals;
    size_t item, code, raters, chosen, outside; /* columns */
};

static bool read_finals_head(void *context, const struct result_table *table,
                             struct err *err)
{
    struct finals_reader *reader = context;

    return result_column(table, "id", RESULT_ITEM, &reader->item, err) &&
           result_column(table, "code", RESULT_TEXT, &reader->code, err) &&
           result_column(table, "raters", RESULT_COUNT, &reader->raters, err) &&
           result_column(table, "chosen", RESULT_TEXT, &reader->chosen, err) &&
           result_column(table, "outside", RESULT_TEXT, &reader->outside, err);
}

/* Several codes of an item follow each other. What nobody was asked about is left out. */
static bool read_final(void *context, const struct result_row *row,
                       const struct result_cell *cells, struct err *err)
{
    struct finals_reader *reader = context;
    size_t known = reader->finals.count;
    struct run_labelling_final final = {.item = cells[reader->item].item,
                                        .coded = cells[reader->code].text.len > 0,
                                        .chosen = cells[reader->chosen].text.len > 0 ||
                                                  cells[reader->outside].text.len > 0};

    (void)row, (void)err;
    if ((final.coded || cells[reader->raters].value != 0) &&
        (known == 0 || reader->finals.at[known - 1].item != final.item))
        list_add(&reader->finals, final);
    return true;
}

static bool read_finals(const struct study *study, struct str name, struct str table,
                        struct arena *arena, struct run_labelling_final **out,
                        size_t *count, struct err *err)
{
    struct finals_reader reader = {0};
    struct result_file_rows rows = {table, read_finals_head, read_final, &reader};
    bool ok = run_output_read_rows(study->home, "labelling", name, &rows, err);

    *count = reader.finals.count;
    *out = list_copy(&reader.finals, arena);
    list_free(&reader.finals);
    return ok;
}

bool run_labelling_finals(const struct study *study, size_t labels, struct arena *arena,
                          struct run_labelling_final **out, size_t *count,
                          struct err *err)
{
    const struct study_labels *from = &study->labels[labels];

    *count = 0;
    return from->labelling == STUDY_NONE ||
           read_finals(study, from->name, from->table, arena, out, count, err);
}

bool run_labelling_first(const struct study *study, size_t index, struct arena *arena,
                         struct run_labelling_final **out, size_t *count, struct err *err)
{
    const struct study_labelling *labelling = &study->labellings[index];
    struct study_codebook codebook;

    *count = 0;
    if (!run_labelling_codebook(study, labelling, arena, &codebook, err))
        return false;
    if (codebook.count == 0)
        return true;
    struct str table =
        codebook.count == 1
            ? STR("final")
            : arena_format(arena, "final.%.*s", STR_ARG(codebook.dimensions[0].id));
    return read_finals(study, labelling->name, table, arena, out, count, err);
}
