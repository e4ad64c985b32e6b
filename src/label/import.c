/* Labels that were made elsewhere: a round of its own, opened and closed at once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/near.h"
#include "input/csv.h"
#include "label/internal.h"

enum { FILE_BYTES_MAX = 1 << 30 };

struct columns {
    size_t item, code, rater, dimension, memo; /* LABEL_NONE: there is none */
};

struct given { /* a code */
    int64_t item;
    int64_t rater; /* index in raters */
    size_t dimension, code;
    int64_t line;
    struct str memo;
};

struct importer {
    struct label *label;
    const struct label_import_options *options;
    struct arena arena;
    struct map raters;
    struct buf given; /* struct given */
};

static size_t column_at(const struct csv_row *head, struct str name)
{
    for (size_t i = 0; i < head->count; i++)
        if (str_eq(str_trim(head->fields[i]), name))
            return i;
    return LABEL_NONE;
}

/* A column that must be there. */
static bool need_column(const struct csv_row *head, struct str name, size_t *column,
                        struct err *err)
{
    *column = column_at(head, name);
    if (*column != LABEL_NONE)
        return true;
    size_t near = near_find(name, head->fields, head->count);
    if (near < head->count)
        return err_set(err, ERR_INPUT, "there is no column '%.*s'; did you mean '%.*s'?",
                       STR_ARG(name), STR_ARG(head->fields[near]));
    return err_set(err, ERR_INPUT, "there is no column '%.*s'", STR_ARG(name));
}

static struct str or_usual(struct str name, struct str usual)
{
    return name.len > 0 ? name : usual;
}

static bool find_columns(const struct importer *importer, const struct csv_row *head,
                         struct columns *out, struct err *err)
{
    const struct label_import_options *options = importer->options;
    struct str dimension = or_usual(options->dimension, STR("dimension"));

    out->dimension = column_at(head, dimension);
    out->memo = column_at(head, STR("memo"));
    out->rater = LABEL_NONE;
    if (!need_column(head, or_usual(options->item, STR("item")), &out->item, err) ||
        !need_column(head, or_usual(options->code, STR("code")), &out->code, err))
        return false;
    if (options->as.len == 0 &&
        !need_column(head, or_usual(options->rater, STR("rater")), &out->rater, err))
        return false;
    return out->dimension != LABEL_NONE ||
           (options->dimension.len == 0 && importer->label->file.count == 1) ||
           need_column(head, dimension, &out->dimension, err);
}

/* An id, or a link to a question: the first part of its path that is a number. */
static bool item_id(struct str text, int64_t *id)
{
    struct str part, rest;

    text = str_trim(text);
    for (bool more = true; more;) {
        more = str_cut(&text, '/', &rest);
        str_cut(&rest, '#', &part);
        rest = part;
        str_cut(&rest, '?', &part);
        if (str_to_int(part, id))
            return true;
    }
    return false;
}

static bool add_code(struct importer *importer, struct given given, struct str code,
                     struct err *err)
{
    const struct codebook_dimension *dimension =
        &importer->label->effective.dimensions[given.dimension];

    given.code = label_code(dimension, code);
    if (given.code == LABEL_NONE && !codebook_find(dimension, code, &given.code, err))
        return false;
    LABEL_ADD(&importer->given, given);
    return true;
}

static bool add_codes(struct importer *importer, const struct given *given,
                      struct str cell, struct err *err)
{
    char separator = importer->options->separator;
    bool any = false;

    for (bool more = true; more;) {
        struct str code = cell;
        more = separator != '\0' && str_cut(&cell, separator, &code);
        code = str_trim(code);
        if (code.len > 0 && !add_code(importer, *given, code, err))
            return false;
        any = any || code.len > 0;
    }
    return any || err_set(err, ERR_INPUT, "the row has no code");
}

static bool find_dimension(const struct importer *importer, struct str name, size_t *out,
                           struct err *err)
{
    const struct codebook_dimension *dimension;

    if (!codebook_choose(&importer->label->effective, name, &dimension, err))
        return false;
    *out = (size_t)(dimension - importer->label->effective.dimensions);
    return true;
}

static int64_t number_of(struct map *map, struct str name)
{
    size_t before = map->count;
    int64_t *number = map_put(map, name);

    if (map->count > before)
        *number = (int64_t)before;
    return *number;
}

static bool add_row(struct importer *importer, const struct csv_row *row,
                    const struct columns *columns, struct err *err)
{
    struct given given = {.line = row->line};
    struct str item = row->fields[columns->item];
    struct str rater = columns->rater != LABEL_NONE
                           ? str_trim(row->fields[columns->rater])
                           : importer->options->as;
    struct str dimension = columns->dimension != LABEL_NONE
                               ? str_trim(row->fields[columns->dimension])
                               : STR("");

    if (!item_id(item, &given.item))
        return err_set(err, ERR_INPUT,
                       "found '%.*s', expected an item's id, or a link to it",
                       STR_ARG(str_slice(item, 0, 100)));
    if (label_order(importer->label, given.item) == LABEL_NONE)
        return err_set(err, ERR_INPUT, "item %lld is not among the task's items",
                       (long long)given.item);
    if (rater.len == 0)
        return err_set(err, ERR_INPUT, "the row names no rater");
    given.rater = number_of(&importer->raters, rater);
    if (columns->memo != LABEL_NONE)
        given.memo = arena_copy(&importer->arena, row->fields[columns->memo]);
    return find_dimension(importer, dimension, &given.dimension, err) &&
           add_codes(importer, &given, row->fields[columns->code], err);
}

static bool read_rows(struct importer *importer, struct csv *csv, struct err *err)
{
    struct columns columns = {0};
    struct csv_row row;
    bool head = true;

    while (csv_next(csv, &row, err)) {
        bool ok = head ? find_columns(importer, &row, &columns, err)
                       : add_row(importer, &row, &columns, err);
        if (!ok)
            return err_at(err, "%s:%lld: ", csv->path, (long long)row.line);
        head = false;
    }
    if (head && !csv->failed)
        return err_set(err, ERR_INPUT, "%s:1: the file is empty; expected a row of heads",
                       csv->path);
    return !csv->failed;
}

static bool read_file(struct importer *importer, const char *path, struct err *err)
{
    struct csv csv = {.path = path};
    struct arena arena = {0};
    struct str text;
    bool ok = file_read_max(path, FILE_BYTES_MAX, &arena, &text, err);

    if (ok) {
        csv_push(&csv, text, true);
        ok = read_rows(importer, &csv, err);
    }
    if (ok && importer->given.len == 0)
        ok = err_set(err, ERR_INPUT, "%s: there are no labels in it", path);
    csv_free(&csv);
    arena_free(&arena);
    return ok;
}

/* Codes of one rater, item and dimension stand together, in the order of the file. */
static int compare_given(const void *a, const void *b)
{
    const struct given *one = a, *two = b;

    if (one->rater != two->rater)
        return one->rater < two->rater ? -1 : 1;
    if (one->item != two->item)
        return one->item < two->item ? -1 : 1;
    if (one->dimension != two->dimension)
        return one->dimension < two->dimension ? -1 : 1;
    return one->line < two->line ? -1 : one->line > two->line;
}

static bool same_label(const struct given *a, const struct given *b)
{
    return a->rater == b->rater && a->item == b->item && a->dimension == b->dimension;
}

/* A label, with the line that it was first seen in: acts keep the order of the file. */
struct imported {
    struct acts_act act;
    int64_t line;
};

static int compare_imported(const void *a, const void *b)
{
    const struct imported *one = a, *two = b;

    return one->line < two->line ? -1 : one->line > two->line;
}

static bool make_label(struct importer *importer, const struct given *given, size_t count,
                       const struct str *raters, struct imported *out, struct err *err)
{
    const struct codebook_dimension *dimension =
        &importer->label->effective.dimensions[given->dimension];
    struct str *codes = arena_array(&importer->arena, struct str, count);

    *out = (struct imported){.line = given->line};
    out->act = (struct acts_act){.kind = STR("label"),
                                 .rater = raters[given->rater],
                                 .item = given->item,
                                 .dimension = dimension->id,
                                 .memo = given->memo,
                                 .seconds = NAN,
                                 .version = importer->label->task.version};
    for (size_t i = 0; i < count; i++)
        codes[i] = dimension->codes[given[i].code].path;
    return label_check_codes(dimension, codes, count, &importer->arena, &out->act.codes,
                             err);
}

static struct imported *make_labels(struct importer *importer, const char *path,
                                    size_t *count, struct err *err)
{
    size_t given_count = LABEL_COUNT(importer->given, struct given), next;
    struct given *given = LABEL_LIST(importer->given, struct given);
    struct imported *labels =
        arena_array(&importer->arena, struct imported, given_count + 1);
    struct str *raters =
        arena_array(&importer->arena, struct str, importer->raters.count + 1);

    for (size_t i = 0; i < importer->raters.capacity; i++)
        if (importer->raters.entries[i].key.ptr != NULL)
            raters[importer->raters.entries[i].value] = importer->raters.entries[i].key;
    qsort(given, given_count, sizeof *given, compare_given);
    *count = 0;
    for (size_t i = 0; i < given_count; i = next) {
        for (next = i + 1; next < given_count && same_label(&given[i], &given[next]);)
            next++;
        if (!make_label(importer, &given[i], next - i, raters, &labels[*count], err)) {
            err_at(err, "%s:%lld: ", path, (long long)given[next - 1].line);
            return NULL;
        }
        ++*count;
    }
    qsort(labels, *count, sizeof *labels, compare_imported);
    return labels;
}

static bool store_labels(struct label *label, struct imported *labels, size_t count,
                         const char *path, struct str by, struct err *err)
{
    struct acts_round round = {.task = label->settings->name,
                               .kind = STR("main"),
                               .by = by,
                               .source = str_from(path)};

    if (!acts_add_round(label->acts, &round, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        labels[i].act.round = round.id;
        labels[i].act.source = round.source;
        if (!acts_add_act(label->acts, &labels[i].act, err))
            return false;
    }
    struct acts_round_end end = {.round = round.id, .by = by};
    return acts_add_round_end(label->acts, &end, err);
}

bool label_import(struct label *label, const char *path,
                  const struct label_import_options *options, struct str by,
                  int64_t *imported, struct err *err)
{
    struct importer importer = {.label = label, .options = options};
    size_t count = 0;
    bool own;

    importer.raters.arena = &importer.arena;
    if (!label_change_begin(label, &own, err))
        return false;
    bool ok = read_file(&importer, path, err);
    struct imported *labels = ok ? make_labels(&importer, path, &count, err) : NULL;
    ok = labels != NULL && store_labels(label, labels, count, path, by, err);
    *imported = (int64_t)count;
    buf_free(&importer.given);
    arena_free(&importer.arena);
    return label_change_end(label, own, ok, err);
}
