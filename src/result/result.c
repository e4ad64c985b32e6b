/* Tables grow by rows; what they hold lives in the caller's arena. */
#include "result/result.h"

#include <math.h>
#include <string.h>

enum { MARKS_MAX = 26 };

const char *const result_types[RESULT_TYPES] = {
    [RESULT_TEXT] = "text",         [RESULT_COUNT] = "count",
    [RESULT_REAL] = "real",         [RESULT_SHARE] = "share",
    [RESULT_DURATION] = "duration", [RESULT_MOMENT] = "moment",
    [RESULT_RANK] = "rank",         [RESULT_P] = "p",
    [RESULT_ITEM] = "item"};

bool result_is_number(enum result_type type)
{
    return type != RESULT_TEXT && type != RESULT_ITEM;
}

const struct result_table *result_find(const struct result *result, struct str name)
{
    for (size_t i = 0; i < result->count; i++)
        if (str_eq(result->tables[i].name, name))
            return &result->tables[i];
    return NULL;
}

bool result_column(const struct result_table *table, const char *name,
                   enum result_type type, size_t *out, struct err *err)
{
    for (*out = 0; *out < table->column_count; ++*out)
        if (str_eq(table->columns[*out].name, str_from(name)) &&
            table->columns[*out].type == type)
            return true;
    return err_set(err, ERR_INPUT, "the table '%.*s' has no column '%s'",
                   STR_ARG(table->name), name);
}

void result_slug(struct str text, struct buf *out)
{
    bool gap = false, any = false;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        /* C, C++ and C# are three languages. */
        struct str word = c == '+'   ? STR("plus")
                          : c == '#' ? STR("sharp")
                                     : (struct str){text.ptr + i, 1};
        bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                    (c >= '0' && c <= '9') || c == '_' || c == '.' ||
                    (unsigned char)c >= 0x80 || word.len > 1;
        if (kept && any && (gap || word.len > 1))
            buf_add_char(out, '-');
        if (kept)
            buf_add(out, word);
        any = any || kept;
        gap = !kept || word.len > 1;
    }
}

struct str result_unit(const struct result_column *column)
{
    return column->type == RESULT_SHARE ? STR("%") : column->unit;
}

void result_heading(const struct result_column *column, struct buf *out)
{
    buf_add(out, column->across);
    if (column->across.len > 0)
        buf_add(out, STR(": "));
    buf_add(out, column->name);
}

/* The only place that knows how an item is called in files. */

void result_add_key(int64_t item, struct buf *out)
{
    buf_add_int(out, item);
}

bool result_read_key(struct str key, int64_t *item)
{
    return str_to_int(key, item);
}

/* Rows and columns. */

static struct str slug_of(struct str name, struct arena *arena)
{
    struct buf slug = {0};

    result_slug(name, &slug);
    return buf_keep(&slug, arena);
}

struct result_table result_new(struct str name, struct result_column *columns,
                               size_t column_count, struct arena *arena)
{
    for (size_t c = 0; c < column_count; c++)
        if (columns[c].path.len == 0)
            columns[c].path = slug_of(columns[c].name, arena);
    return (struct result_table){
        .name = name, .columns = columns, .column_count = column_count};
}

struct result_table result_from(const char *name, const char *corner,
                                const struct result_column *columns, size_t column_count,
                                struct arena *arena)
{
    struct result_column *own =
        arena_array(arena, struct result_column, column_count + 1);

    if (column_count > 0)
        memcpy(own, columns, column_count * sizeof *own);
    struct result_table table = result_new(str_from(name), own, column_count, arena);
    table.corner = str_from(corner);
    return table;
}

/* Twice the room, with what is there. */
static void *grown(const void *from, size_t count, size_t room, size_t size,
                   struct arena *arena)
{
    void *to = arena_alloc(arena, room, size);

    if (count > 0)
        memcpy(to, from, count * size);
    return to;
}

static struct result_cell missing(void)
{
    return (struct result_cell){
        .value = NAN, .undefined = "", .low = NAN, .high = NAN, .n = -1};
}

struct result_cell *result_add_row(struct result_table *table, struct str name,
                                   size_t parent, struct arena *arena)
{
    size_t columns = table->column_count;

    if (table->row_count == table->row_room) {
        table->row_room = table->row_room * 2 + 16;
        table->rows = grown(table->rows, table->row_count, table->row_room,
                            sizeof *table->rows, arena);
        table->cells = grown(table->cells, table->row_count * columns,
                             table->row_room * columns + 1, sizeof *table->cells, arena);
    }
    struct result_row *row = &table->rows[table->row_count];
    struct buf path = {0};
    *row = (struct result_row){.name = arena_copy(arena, name),
                               .slug = slug_of(name, arena),
                               .parent = parent,
                               .n = -1};
    if (parent != RESULT_NONE) {
        row->level = table->rows[parent].level + 1;
        buf_add_format(&path, "%.*s.", STR_ARG(table->rows[parent].path));
    }
    buf_add(&path, row->slug);
    row->path = buf_keep(&path, arena);
    struct result_cell *cells = &table->cells[table->row_count++ * columns];
    for (size_t c = 0; c < columns; c++)
        cells[c] = missing();
    return cells;
}

void result_add_note(struct result_table *table, struct str note, struct arena *arena)
{
    table->notes = grown(table->notes, table->note_count, table->note_count + 1,
                         sizeof *table->notes, arena);
    table->notes[table->note_count++] = arena_copy(arena, note);
}

/* Cells. */

struct result_cell result_estimate(double value, double low, double high)
{
    struct result_cell cell = missing();

    if (isnan(value))
        return cell;
    cell.value = value;
    cell.undefined = NULL;
    cell.low = low;
    cell.high = high;
    return cell;
}

struct result_cell result_number(double value)
{
    return result_estimate(value, NAN, NAN);
}

struct result_cell result_count(int64_t count)
{
    return result_number((double)count);
}

struct result_cell result_text(struct str text)
{
    return (struct result_cell){
        .value = NAN, .text = text, .low = NAN, .high = NAN, .n = -1};
}

struct result_cell result_item(int64_t item)
{
    return (struct result_cell){
        .value = NAN, .item = item, .low = NAN, .high = NAN, .n = -1};
}

void result_add_number(struct result_table *table, enum result_type type, struct str path,
                       struct str heading, struct result_cell cell, struct arena *arena)
{
    size_t count = table->column_count;

    if (table->row_count == 0) {
        table->numbers = true;
        result_add_row(table, (struct str){0}, RESULT_NONE, arena);
    }
    table->columns =
        grown(table->columns, count, count + 1, sizeof *table->columns, arena);
    table->cells = grown(table->cells, count, count + 1, sizeof *table->cells, arena);
    table->row_room = 1;
    table->columns[count] = (struct result_column){.type = type,
                                                   .digits = -1,
                                                   .name = arena_copy(arena, heading),
                                                   .path = arena_copy(arena, path)};
    table->cells[count] = cell;
    table->column_count++;
}

/* Evidence. */

struct str result_names(const struct result_table *table, size_t row, struct arena *arena)
{
    const struct result_row *it = &table->rows[row];
    struct buf text = {0};

    if (it->total)
        return (struct str){0};
    if (it->parent == RESULT_NONE)
        return it->name;
    buf_add_format(&text, "%.*s\n%.*s", STR_ARG(result_names(table, it->parent, arena)),
                   STR_ARG(it->name));
    return buf_keep(&text, arena);
}

void result_keep_list(struct result_table *table, struct result_list *list,
                      struct arena *arena)
{
    if (table->list_count == table->list_room) {
        table->list_room = table->list_room * 2 + 16;
        table->lists = grown(table->lists, table->list_count, table->list_room,
                             sizeof *table->lists, arena);
    }
    list->number = table->list_count;
    table->lists[table->list_count++] = list;
}

static const struct result_list *add_list(struct result_table *table,
                                          const struct result_evidence *evidence,
                                          const struct str *units, struct arena *arena)
{
    struct result_list *list = arena_array(arena, struct result_list, 1);

    *list = (struct result_list){.what = arena_copy(arena, evidence->what),
                                 .count = (int64_t)evidence->count,
                                 .shown = evidence->count,
                                 .ids = evidence->ids,
                                 .units = units};
    if (evidence->row != RESULT_NONE)
        list->row = result_names(table, evidence->row, arena);
    if (evidence->column != RESULT_NONE)
        list->across = table->columns[evidence->column].name;
    result_keep_list(table, list, arena);
    return list;
}

static void set_list(struct result_cell *cell, const struct result_column *column,
                     const struct result_list *list, struct arena *arena)
{
    if (cell->undefined != NULL)
        return;
    cell->list = list;
    cell->words = list == NULL            ? NULL
                  : column->rests.len > 0 ? arena_c_string(arena, column->rests)
                  : column->type == RESULT_COUNT && cell->value == (double)list->count
                      ? "so many items are listed here"
                      : "computed from these items";
}

void result_add_evidence(struct result_table *table,
                         const struct result_evidence *evidence, struct arena *arena)
{
    result_add_unit_evidence(table, evidence, NULL, arena);
}

void result_add_unit_evidence(struct result_table *table,
                              const struct result_evidence *evidence,
                              const struct str *units, struct arena *arena)
{
    const struct result_list *list =
        evidence->count > 0 ? add_list(table, evidence, units, arena) : NULL;
    size_t row = evidence->row, column = evidence->column;

    for (size_t r = row == RESULT_NONE ? 0 : row; r < table->row_count && r <= row; r++)
        for (size_t c = column == RESULT_NONE ? 0 : column;
             c < table->column_count && c <= column; c++)
            set_list(&table->cells[r * table->column_count + c], &table->columns[c], list,
                     arena);
}

void result_set_confidence(struct result_table *table, double confidence,
                           struct arena *arena)
{
    bool any = false;

    for (size_t i = 0; i < table->row_count * table->column_count; i++)
        any = any || !isnan(table->cells[i].low) || !isnan(table->cells[i].high);
    table->confidence = confidence;
    if (any && fabs(confidence - RESULT_CONFIDENCE) > 1e-9)
        result_add_note(table,
                        arena_format(arena, "Intervals are %.4g%% confidence intervals.",
                                     100 * confidence),
                        arena);
}

const char *result_reason(const struct result_table *table, size_t row, size_t column)
{
    const struct result_cell *cells = table->cells + row * table->column_count;
    const char *why = cells[column].undefined;
    bool heading = true;

    if (!table->reasons || why == NULL || why[0] == '\0')
        return NULL;
    for (size_t c = 0; c < table->column_count && heading; c++)
        heading = !result_is_number(table->columns[c].type) || cells[c].undefined != NULL;
    return heading ? NULL : why;
}

void result_mark(struct result_table *table, struct arena *arena)
{
    struct {
        const char *why;
        bool interval;
    } reasons[MARKS_MAX];
    size_t count = 0;

    for (size_t i = 0; i < table->row_count * table->column_count; i++) {
        struct result_cell *cell = &table->cells[i];
        const char *why =
            result_reason(table, i / table->column_count, i % table->column_count);
        bool interval = why == NULL;
        size_t r = 0;
        if (interval)
            why = cell->no_interval;
        if (why == NULL)
            continue;
        while (r < count &&
               (reasons[r].interval != interval || strcmp(reasons[r].why, why) != 0))
            r++;
        if (r == MARKS_MAX)
            continue;
        cell->mark = (char)('a' + r);
        if (r == count) {
            reasons[count].why = why;
            reasons[count++].interval = interval;
            result_add_note(table,
                            arena_format(arena, "(%c) %s: %s.", cell->mark,
                                         interval ? "No interval" : "Undefined", why),
                            arena);
        }
    }
}
