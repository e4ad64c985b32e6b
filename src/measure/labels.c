/* Votes are collected as (item, code, rater), sorted, and counted out. */
#include "measure/labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/list.h"
#include "base/map.h"
#include "base/order.h"
#include "input/csv.h"
#include "study/codebook.h"

enum { FILE_BYTES_MAX = 1 << 30 };

struct vote {
    size_t item;
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
    } columns; /* of the csv */
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

static bool read_head(void *context, const struct input_csv_row *head, struct err *err)
{
    struct labels_loader *loader = context;
    const struct study_labels *from = loader->from;

    return input_csv_rows_need(head, from->item, &loader->columns.item, err) &&
           input_csv_rows_need(head, from->code, &loader->columns.code, err) &&
           (from->rater.len == 0 ||
            input_csv_rows_need(head, from->rater, &loader->columns.rater, err));
}

static bool read_row(void *context, const struct input_csv_row *row, struct err *err)
{
    struct labels_loader *loader = context;
    const struct study_labels *from = loader->from;
    struct str rater = {0};
    char shown[ITEM_KEY_SHOWN_MAX];
    int64_t id;

    if (!item_key_read(loader->frame->spaces, row->fields[loader->columns.item], &id,
                       err)) {
        if (!from->skip_unknown)
            return false;
        *err = (struct err){0};
        id = ITEM_NONE;
    }
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
    if (from->rater.len > 0)
        rater = row->fields[loader->columns.rater];
    return add_votes(loader, item, row->fields[loader->columns.code], rater, err);
}

static bool read_file(struct labels_loader *loader, struct err *err)
{
    struct arena arena = {0};
    struct input_csv_rows to = {read_head, read_row, loader};
    const char *path = loader->from->from;
    struct str text;
    bool ok = file_read_max(path, FILE_BYTES_MAX, &arena, &text, err) &&
              input_csv_rows_read(text, path, &to, err);

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
        ok = add_votes(loader, i, buf_str(&codes), (struct str){0}, err) ||
             err_at(err, "labels %.*s, item %s: ", STR_ARG(from->name),
                    item_key_show(frame->spaces, frame->ids[i], shown));
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
        order_then(ORDER_BY(one->item, two->item), ORDER_BY(one->code, two->code)),
        ORDER_BY(one->rater, two->rater));
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
            out->entries[out->count++] =
                (struct measure_labels_entry){votes[first].item, code};
            out->codes[code].used = true;
        }
    }
    out->undecided += decided == out->count;
}

static void decide(struct labels_loader *loader)
{
    struct vote *votes = loader->votes.at;
    size_t count = loader->votes.count;
    struct arena *arena = loader->frame->arena;
    size_t *heard = arena_array(arena, size_t, loader->raters.count + 1);

    loader->out->entries = arena_array(arena, struct measure_labels_entry, count + 1);
    if (count > 0)
        qsort(votes, count, sizeof *votes, compare_votes);
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin; end < count && votes[end].item == votes[begin].item;)
            end++;
        decide_item(loader->out, votes, begin, end, raters_of(votes, begin, end, heard));
    }
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
                                   .raters = {.arena = frame->arena}};

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
    return ok;
}
