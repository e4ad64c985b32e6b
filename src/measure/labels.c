/* Votes are collected as (item, code, rater), sorted, and counted out. */
#include "measure/labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/list.h"
#include "base/map.h"
#include "base/order.h"
#include "input/csv.h"
#include "result/result_file.h"
#include "study/codebook.h"

enum { FILE_BYTES_MAX = 1 << 30 };

struct vote {
    size_t item;
    size_t unit; /* 0: the item as a whole; else plus 1 */
    int64_t code, rater;
};

struct labels_loader {
    const struct study_labels *from;
    const struct measure_frame *frame;
    struct measure_labels *out;
    const struct study_codebook *codebook;            /* NULL: none */
    const struct study_codebook_dimension *dimension; /* NULL: no codebook */
    struct map codes, raters;                         /* names to numbers */
    LIST(struct vote) votes;
    struct {
        size_t item, code, rater;
        size_t unit, place;  /* STUDY_NONE: there is no such column */
    } columns;               /* of the csv */
    struct map units, names; /* items to how many of their rows were units; item and name
                                to number */
    LIST(struct measure_labels_unit) unit_list;
    size_t unit; /* of the row at hand, as in struct vote */
};

size_t measure_labels_at_level(const struct measure_labels *labels, size_t code,
                               int level)
{
    while (level > 0 && labels->codes[code].level > level)
        code = labels->codes[code].parent;
    return code;
}

static bool add_vote(struct labels_loader *loader, size_t item, struct str code,
                     struct str rater, struct err *err)
{
    struct vote vote = {.item = item,
                        .unit = loader->unit,
                        .rater = (int64_t)map_number(&loader->raters, rater)};
    size_t found;

    code = str_trim(code);
    if (code.len == 0)
        return true;
    if (loader->dimension != NULL) {
        if (!study_codebook_find(loader->dimension, code, &found, err))
            return false;
        vote.code = (int64_t)found;
    } else {
        vote.code = (int64_t)map_number(&loader->codes, code);
    }
    loader->out->given++;
    list_add(&loader->votes, vote);
    return true;
}

static bool add_votes(struct labels_loader *loader, size_t item, struct str codes,
                      struct str rater, struct err *err)
{
    char separator = loader->from->separator;

    for (bool more = true; more;) {
        struct str code = codes;
        more = separator != '\0' && str_cut(&codes, separator, &code);
        if (!add_vote(loader, item, code, rater, err))
            return false;
    }
    return true;
}

/* `unit: row`, unless there is such a column: each row is a unit of its own. */
static bool find_unit_columns(struct labels_loader *loader,
                              const struct input_csv_row *head, struct err *err)
{
    struct str unit = loader->from->unit;

    loader->columns.unit = input_csv_rows_find(head, unit);
    loader->columns.place = input_csv_rows_find(head, STR("place"));
    if (loader->columns.place == head->count || unit.len == 0)
        loader->columns.place = STUDY_NONE;
    if (loader->columns.unit < head->count)
        return true;
    loader->columns.unit = STUDY_NONE;
    return unit.len == 0 || str_eq(unit, STR("row")) ||
           input_csv_rows_need(head, unit, &loader->columns.unit, err);
}

static bool read_head(void *context, const struct input_csv_row *head, struct err *err)
{
    struct labels_loader *loader = context;
    const struct study_labels *from = loader->from;

    return input_csv_rows_need(head, from->item, &loader->columns.item, err) &&
           input_csv_rows_need(head, from->code, &loader->columns.code, err) &&
           (from->rater.len == 0 ||
            input_csv_rows_need(head, from->rater, &loader->columns.rater, err)) &&
           find_unit_columns(loader, head, err);
}

/* The unit that a row is about; name empty: the row itself is one. */
static void find_unit(struct labels_loader *loader, size_t item, struct str name,
                      struct str place)
{
    struct arena *arena = loader->frame->arena;
    struct measure_labels_unit unit = {.item = item};

    if (name.len == 0)
        name = arena_format(
            arena, "%lld",
            (long long)++*map_put(&loader->units, arena_format(arena, "%zu", item)));
    size_t number =
        map_number(&loader->names, arena_format(arena, "%zu %.*s", item, STR_ARG(name)));
    loader->unit = number + 1;
    if (number < loader->unit_list.count)
        return;
    unit.name = arena_copy(arena, name);
    unit.place = arena_copy(arena, place);
    list_add(&loader->unit_list, unit);
}

static bool take_question(void *context, const struct item *post, struct err *err)
{
    (void)err;
    if (post->kind == ITEM_ANSWER)
        *(int64_t *)context = post->parent;
    return true;
}

bool measure_labels_item(const struct measure_frame *frame, struct str text, bool skip,
                         int64_t *id, struct err *err)
{
    if (!item_key_read(frame->spaces, text, id, err)) {
        *id = ITEM_NONE;
        if (skip)
            *err = (struct err){0};
        return skip;
    }
    int64_t named = *id;
    return !str_starts(str_trim(text), STR("http")) ||
           measure_frame_find(frame, named) < frame->count ||
           store_fetch(frame->corpus, &named, 1, take_question, id, err);
}

static bool add_label(struct labels_loader *loader, int64_t id,
                      struct measure_frame_unit unit, struct str codes, struct str rater,
                      struct err *err)
{
    const struct study_labels *from = loader->from;
    char shown[ITEM_KEY_SHOWN_MAX];
    size_t item = measure_frame_find(loader->frame, id);
    if (item == loader->frame->count && from->skip_unknown) {
        loader->out->unknown++;
        return true;
    }
    if (item == loader->frame->count)
        return err_set(
            err, ERR_INPUT,
            "the corpus has no item %s; `unknown: skip` passes over such labels",
            item_key_show(loader->frame->spaces, id, shown));
    if (from->unit.len > 0)
        find_unit(loader, item, unit.name, unit.place);
    return add_votes(loader, item, codes, rater, err);
}

static bool read_row(void *context, const struct input_csv_row *row, struct err *err)
{
    struct labels_loader *loader = context;
    const struct study_labels *from = loader->from;
    struct str rater = {0};
    int64_t id;

    if (!measure_labels_item(loader->frame, row->fields[loader->columns.item],
                             from->skip_unknown, &id, err))
        return false;
    if (from->rater.len > 0)
        rater = row->fields[loader->columns.rater];
    struct measure_frame_unit unit = {0};
    if (loader->columns.place != STUDY_NONE)
        unit.place = str_trim(row->fields[loader->columns.place]);
    if (loader->columns.unit != STUDY_NONE) {
        unit.name = str_trim(row->fields[loader->columns.unit]);
        if (unit.name.len == 0)
            unit.name = unit.place.len > 0 ? unit.place : STR("1");
    }
    return add_label(loader, id, unit, row->fields[loader->columns.code], rater, err);
}

/* What a step of this study gave. */

static bool find_columns(void *context, const struct result_table *table, struct err *err)
{
    struct labels_loader *loader = context;

    return result_column(table, "id", RESULT_ITEM, &loader->columns.item, err) &&
           result_column(table, "code", RESULT_TEXT, &loader->columns.code, err) &&
           (loader->from->unit.len == 0 ||
            (result_column(table, "unit", RESULT_TEXT, &loader->columns.unit, err) &&
             result_column(table, "place", RESULT_TEXT, &loader->columns.place, err)));
}

static bool take_row(void *context, const struct result_row *row,
                     const struct result_cell *cells, struct err *err)
{
    struct labels_loader *loader = context;

    (void)row;
    struct measure_frame_unit unit = {0};
    if (loader->from->unit.len > 0)
        unit = (struct measure_frame_unit){cells[loader->columns.unit].text,
                                           cells[loader->columns.place].text};
    if (loader->from->unit.len > 0 && unit.name.len == 0)
        return true; /* nobody has marked anything in the item yet */
    return add_label(loader, cells[loader->columns.item].item, unit,
                     cells[loader->columns.code].text, (struct str){0}, err);
}

static bool read_file(struct labels_loader *loader, struct err *err)
{
    struct arena arena = {0};
    struct input_csv_rows csv = {read_head, read_row, loader};
    struct result_file_rows made = {loader->from->table, find_columns, take_row, loader};
    const char *path = loader->from->from;
    struct str text;
    bool ok = file_read_max(path, FILE_BYTES_MAX, &arena, &text, err) &&
              (made.table.len > 0 ? result_file_each(text, path, &made, err)
                                  : input_csv_rows_read(text, path, &csv, err));

    arena_free(&arena);
    return ok;
}

/* The item's values of all fields, joined; empty when it lacks one. */
static void join_fields(const struct measure_frame_texts *texts, size_t count,
                        size_t item, struct buf *out)
{
    buf_clear(out);
    for (size_t f = 0; f < count; f++) {
        if (texts[f].of[item] == 0) {
            buf_clear(out);
            return;
        }
        if (f > 0)
            buf_add_char(out, ',');
        buf_add(out, texts[f].names[texts[f].of[item] - 1]);
    }
}

static bool read_fields(struct labels_loader *loader, struct err *err)
{
    const struct study_labels *from = loader->from;
    const struct measure_frame *frame = loader->frame;
    struct measure_frame_texts *texts =
        arena_array(frame->arena, struct measure_frame_texts, from->field_count);
    char shown[ITEM_KEY_SHOWN_MAX];
    struct buf codes = {0};
    bool ok = true;

    for (size_t f = 0; ok && f < from->field_count; f++)
        ok = measure_frame_field(frame, from->fields[f], &texts[f], err);
    for (size_t i = 0; ok && i < frame->count; i++) {
        join_fields(texts, from->field_count, i, &codes);
        ok =
            add_votes(loader, i, buf_str(&codes), (struct str){0}, err) ||
            err_at(err, "labels %.*s, item %s: ", STR_ARG(from->name),
                   item_key_show(frame->spaces, measure_column_at(frame->ids, i), shown));
    }
    buf_free(&codes);
    return ok;
}

static bool open_codebook(struct labels_loader *loader, struct err *err)
{
    struct study_codebook *own =
        arena_array(loader->frame->arena, struct study_codebook, 1);
    struct buf problems = {0};
    bool ok = true;

    if (loader->codebook == NULL && loader->from->codebook != NULL) {
        ok = study_codebook_load(loader->from->codebook, loader->frame->arena, own,
                                 &problems, err);
        if (!ok && problems.len > 0)
            err_set(err, ERR_INPUT, "%.*s", STR_ARG(str_trim(buf_str(&problems))));
        buf_free(&problems);
        loader->codebook = own;
    }
    return ok && (loader->codebook == NULL ||
                  study_codebook_choose(loader->codebook, loader->from->dimension,
                                        &loader->dimension, err));
}

/* Codes without a codebook get the order of bytes. */

static void list_plain_codes(struct labels_loader *loader)
{
    struct measure_labels *out = loader->out;
    struct arena *arena = loader->frame->arena;
    const struct map_entry *entries = map_sorted(&loader->codes, arena);
    int64_t *place = arena_array(arena, int64_t, loader->codes.count + 1);

    out->code_count = loader->codes.count;
    out->codes = arena_array(arena, struct measure_labels_code, out->code_count + 1);
    for (size_t c = 0; c < out->code_count; c++) {
        place[entries[c].value] = (int64_t)c;
        out->codes[c] = (struct measure_labels_code){.name = entries[c].key,
                                                     .id = entries[c].key,
                                                     .parent = STUDY_NONE,
                                                     .level = 1,
                                                     .leaf = true};
    }
    for (size_t v = 0; v < loader->votes.count; v++)
        loader->votes.at[v].code = place[loader->votes.at[v].code];
}

static void list_codes(struct labels_loader *loader)
{
    const struct study_codebook_dimension *dimension = loader->dimension;
    struct measure_labels *out = loader->out;

    out->code_count = dimension->count;
    out->codes = arena_array(loader->frame->arena, struct measure_labels_code,
                             dimension->count + 1);
    for (size_t c = 0; c < dimension->count; c++) {
        const struct study_codebook_code *code = &dimension->codes[c];
        out->codes[c] = (struct measure_labels_code){
            .name = code->name,
            .id = code->path,
            .parent = code->parent == STUDY_CODEBOOK_NONE ? STUDY_NONE : code->parent,
            .level = code->level,
            .leaf = code->leaf,
            .special = code->special};
    }
}

static int compare_votes(const void *a, const void *b)
{
    const struct vote *one = a, *two = b;

    return order_then(
        order_then(ORDER_BY(one->item, two->item), ORDER_BY(one->unit, two->unit)),
        order_then(ORDER_BY(one->code, two->code), ORDER_BY(one->rater, two->rater)));
}

/* Raters who said anything about the item whose votes are [begin, end); `heard` has of
 * each rater the vote, plus 1, with which an item was last counted. */
static size_t raters_of(const struct vote *votes, size_t begin, size_t end, size_t *heard)
{
    size_t raters = 0;

    for (size_t v = begin; v < end; v++) {
        raters += heard[votes[v].rater] <= begin;
        heard[votes[v].rater] = v + 1;
    }
    return raters;
}

static void decide_item(struct measure_labels *out, const struct vote *votes,
                        size_t begin, size_t end, size_t raters)
{
    size_t decided = out->count;

    for (size_t v = begin; v < end;) {
        size_t first = v, given = 0;
        for (; v < end && votes[v].code == votes[first].code; v++)
            given += v == first || votes[v].rater != votes[v - 1].rater;
        if (given * 2 > raters) {
            size_t code = (size_t)votes[first].code;
            if (votes[first].unit > 0)
                out->unit_entries[out->unit_entry_count++] =
                    (struct measure_labels_unit_entry){votes[first].unit - 1, code};
            out->entries[out->count++] =
                (struct measure_labels_entry){votes[first].item, code};
            out->codes[code].used = true;
        }
    }
    out->undecided += decided == out->count;
}

static int compare_labelled(const void *a, const void *b)
{
    const struct measure_labels_entry *one = a, *two = b;

    return order_then(ORDER_BY(one->item, two->item), ORDER_BY(one->code, two->code));
}

/* An item has the codes of its units, each once. */
static void join_units(struct measure_labels *out)
{
    size_t kept = 0;

    if (out->count > 0)
        qsort(out->entries, out->count, sizeof *out->entries, compare_labelled);
    for (size_t i = 0; i < out->count; i++)
        if (kept == 0 || compare_labelled(&out->entries[i], &out->entries[kept - 1]) != 0)
            out->entries[kept++] = out->entries[i];
    out->count = kept;
}

static void decide(struct labels_loader *loader)
{
    struct vote *votes = loader->votes.at;
    size_t count = loader->votes.count;
    struct arena *arena = loader->frame->arena;
    size_t *heard = arena_array(arena, size_t, loader->raters.count + 1);

    loader->out->entries = arena_array(arena, struct measure_labels_entry, count + 1);
    loader->out->unit_entries =
        arena_array(arena, struct measure_labels_unit_entry, count + 1);
    loader->out->unit_count = loader->unit_list.count;
    loader->out->units =
        arena_array(arena, struct measure_labels_unit, loader->unit_list.count + 1);
    if (loader->unit_list.count > 0)
        memcpy(loader->out->units, loader->unit_list.at,
               loader->unit_list.count * sizeof *loader->unit_list.at);
    if (count > 0)
        qsort(votes, count, sizeof *votes, compare_votes);
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin; end < count && votes[end].item == votes[begin].item &&
                          votes[end].unit == votes[begin].unit;)
            end++;
        decide_item(loader->out, votes, begin, end, raters_of(votes, begin, end, heard));
    }
    if (loader->unit_list.count > 0)
        join_units(loader->out);
}

bool measure_labels_load(const struct study_labels *from,
                         const struct study_codebook *codebook,
                         const struct measure_frame *frame, struct measure_labels *out,
                         struct err *err)
{
    struct labels_loader loader = {.from = from,
                                   .codebook = codebook,
                                   .frame = frame,
                                   .out = out,
                                   .codes = {.arena = frame->arena},
                                   .raters = {.arena = frame->arena},
                                   .units = {.arena = frame->arena},
                                   .names = {.arena = frame->arena}};

    *out = (struct measure_labels){0};
    bool ok = open_codebook(&loader, err) &&
              (from->from != NULL ? read_file(&loader, err) : read_fields(&loader, err));
    if (ok) {
        if (loader.dimension != NULL)
            list_codes(&loader);
        else
            list_plain_codes(&loader);
        decide(&loader);
    }
    list_free(&loader.votes);
    list_free(&loader.unit_list);
    return ok;
}
