/* One parser for whole results and for single rows: both take tables as they come. */
#include "result/result_file.h"

#include <math.h>
#include <string.h>

enum { FIELDS_OF_CELL = 12, FIELDS_OF_ROW = 6, LEVELS_MAX = 16 };

/* Writing. */

static void add_escaped(struct str text, bool key, struct buf *out)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        char escape = c == '\t'   ? 't'
                      : c == '\n' ? 'n'
                      : c == '\r' ? 'r'
                      : c == '\\' ? '\\'
                                  : '\0';
        if (key && c == ' ')
            escape = 's';
        if (escape != '\0')
            buf_add_char(out, '\\');
        buf_add_char(out, escape != '\0' ? escape : c);
    }
}

static void add_text(struct str text, struct buf *out)
{
    buf_add_char(out, '\t');
    add_escaped(text, false, out);
}

static void add_reason(const char *text, struct buf *out)
{
    add_text(str_from(text), out);
}

static void add_int(int64_t value, struct buf *out)
{
    buf_add_char(out, '\t');
    buf_add_int(out, value);
}

/* Read back as the same number. */
static void add_exact(double value, struct buf *out)
{
    if (value == floor(value) && fabs(value) < 1e15 && !(value == 0 && signbit(value)))
        buf_add_int(out, (int64_t)value);
    else
        buf_add_format(out, "%.17g", value);
}

static void add_real(double value, struct buf *out)
{
    buf_add_char(out, '\t');
    if (!isnan(value))
        add_exact(value, out);
}

static void add_key(int64_t item, struct buf *out)
{
    struct buf key = {0};

    result_add_key(item, &key);
    add_escaped(buf_str(&key), true, out);
    buf_free(&key);
}

void result_file_begin(struct str step, struct buf *out)
{
    buf_add_format(out, "assay result %d\nstep", RESULT_FILE_VERSION);
    add_text(step, out);
    buf_add_char(out, '\n');
}

void result_file_end(struct buf *out)
{
    buf_add(out, STR("end\n"));
}

void result_file_head(const struct result_table *table, struct buf *out)
{
    buf_add(out, STR("table"));
    add_text(table->name, out);
    add_text(table->title, out);
    add_text(table->corner, out);
    buf_add_format(out, "\t%s%s%s\n", table->numbers ? "n" : "", table->apart ? "a" : "",
                   table->cut ? "c" : "");
    for (size_t c = 0; c < table->column_count; c++) {
        const struct result_column *it = &table->columns[c];
        buf_add_format(out, "column\t%s\t%d", result_types[it->type], it->digits);
        add_text(it->name, out);
        add_text(it->across, out);
        add_text(it->path, out);
        add_text(it->measures, out);
        add_text(it->unit, out);
        add_text(it->rests, out);
        buf_add_format(out, "\t%s%s\n", it->total ? "t" : "", it->interval ? "i" : "");
    }
    for (size_t i = 0; i < table->note_count; i++) {
        buf_add(out, STR("note"));
        add_text(table->notes[i], out);
        buf_add_char(out, '\n');
    }
}

void result_file_list(const struct result_list *list, struct buf *out)
{
    buf_add(out, STR("list"));
    add_text(list->row, out);
    add_text(list->across, out);
    add_text(list->what, out);
    add_text(list->value, out);
    add_text(list->csv, out);
    add_int(list->count, out);
    add_int(list->from, out);
    for (size_t i = 0; i < list->shown; i++) {
        buf_add_char(out, i > 0 ? ' ' : '\t');
        add_key(list->ids[i], out);
    }
    if (list->shown == 0)
        buf_add_char(out, '\t');
    buf_add_char(out, '\t');
    for (size_t i = 0; list->values != NULL && i < list->shown; i++) {
        if (i > 0)
            buf_add_char(out, ' ');
        if (isnan(list->values[i]))
            buf_add_char(out, '-');
        else
            add_exact(list->values[i], out);
    }
    for (size_t i = 0; list->units != NULL && i < list->shown; i++)
        add_text(list->units[i], out);
    buf_add_char(out, '\n');
}

static void add_cell(const struct result_cell *cell, enum result_type type,
                     struct buf *out)
{
    bool there = type == RESULT_TEXT   ? cell->text.ptr != NULL
                 : type == RESULT_ITEM ? true
                                       : !isnan(cell->value);

    buf_add_char(out, '\t');
    if (!there)
        buf_add(out, STR("\\-"));
    else if (type == RESULT_TEXT)
        add_escaped(cell->text, false, out);
    else if (type == RESULT_ITEM)
        add_key(cell->item, out);
    else
        add_exact(cell->value, out);
}

static bool is_plain(const struct result_cell *cell)
{
    return isnan(cell->low) && isnan(cell->high) && cell->n == -1 && !cell->counted &&
           !cell->small && cell->mark == 0 && cell->list == NULL && cell->whole == NULL &&
           (cell->undefined == NULL || cell->undefined[0] == '\0') &&
           cell->no_interval == NULL;
}

static void add_number(const struct result_list *list, struct buf *out)
{
    buf_add_char(out, '\t');
    if (list != NULL)
        buf_add_format(out, "%zu", list->number);
}

static void add_more(const struct result_cell *cell, size_t column, struct buf *out)
{
    char mark[2] = {cell->mark, '\0'};

    buf_add_format(out, "cell\t%zu", column);
    add_real(cell->low, out);
    add_real(cell->high, out);
    add_real(cell->n == -1 ? NAN : (double)cell->n, out);
    add_real(cell->counted ? (double)cell->count : NAN, out);
    add_number(cell->list, out);
    add_number(cell->whole, out);
    buf_add_format(out, "\t%s%s", cell->small ? "*" : "", mark);
    add_reason(cell->undefined, out);
    add_reason(cell->no_interval, out);
    add_reason(cell->words, out);
    buf_add_char(out, '\n');
}

void result_file_row(const struct result_table *table, const struct result_row *row,
                     const struct result_cell *cells, struct buf *out)
{
    buf_add_format(out, "row\t%d", row->level);
    add_text(row->slug, out);
    add_text(row->name, out);
    add_real(row->n == -1 ? NAN : (double)row->n, out);
    buf_add_format(out, "\t%s%s", row->total ? "t" : "", row->rest ? "r" : "");
    for (size_t c = 0; c < table->column_count; c++)
        add_cell(&cells[c], table->columns[c].type, out);
    buf_add_char(out, '\n');
    for (size_t c = 0; c < table->column_count; c++)
        if (!is_plain(&cells[c]))
            add_more(&cells[c], c, out);
}

void result_file_table(const struct result_table *table, struct buf *out)
{
    result_file_head(table, out);
    for (size_t i = 0; i < table->list_count; i++)
        result_file_list(table->lists[i], out);
    for (size_t r = 0; r < table->row_count; r++)
        result_file_row(table, &table->rows[r], &table->cells[r * table->column_count],
                        out);
}

/* Reading. */

struct result_file_reader {
    const char *path;
    int64_t line;
    struct str rest; /* fields of the line that are yet to be read */
    bool more;       /* there are such */
    bool lacking;    /* a field was not there */
    struct arena *arena;
    struct err *err;
    struct result_table *table; /* being read; NULL: none yet */
    bool begun;                 /* the table has a row */
    struct buf columns;         /* struct result_column */
    struct result_row row;      /* the last, to be handed on with its cells */
    struct result_cell *cells;
    int64_t row_line;
    bool pending;
    size_t row_count;                    /* of the table */
    struct result_row above[LEVELS_MAX]; /* the last row of each level, */
    size_t numbers[LEVELS_MAX];          /* its number, */
    size_t depth;                        /* and how many levels there are */
    const struct result_file_rows *rows; /* NULL: all are kept */
    bool wanted, found;                  /* the table is the one that is asked for */
    struct arena row_arena, *brief;      /* for what is gone with its row, if it is */
    struct buf tables;                   /* struct result_table */
};

static bool fails(struct result_file_reader *reader, struct str found,
                  const char *expected)
{
    return err_set(reader->err, ERR_INPUT, "%s:%lld: found '%.*s', expected %s",
                   reader->path, (long long)reader->line,
                   (int)(found.len < 80 ? found.len : 80), found.ptr, expected);
}

/* Fields. */

static struct str next_field(struct result_file_reader *reader)
{
    struct str field;

    reader->lacking = reader->lacking || !reader->more;
    reader->more = str_cut(&reader->rest, '\t', &field);
    if (!reader->more)
        reader->rest = (struct str){0};
    return field;
}

static bool unescaped(struct result_file_reader *reader, struct str field,
                      struct str *out)
{
    if (memchr(field.ptr != NULL ? field.ptr : "", '\\', field.len) == NULL) {
        *out = (struct str){field.ptr != NULL ? field.ptr : "", field.len};
        return true;
    }
    char *to = arena_array(reader->brief, char, field.len + 1);
    size_t len = 0;
    for (size_t i = 0; i < field.len; i++) {
        static const char codes[] = "tnrs\\", chars[] = "\t\n\r \\";
        if (field.ptr[i] != '\\') {
            to[len++] = field.ptr[i];
            continue;
        }
        const char *code =
            i + 1 < field.len ? memchr(codes, field.ptr[i + 1], sizeof codes - 1) : NULL;
        if (code == NULL)
            return fails(reader, field,
                         "a text in which \\ stands before t, n, r, s or \\");
        to[len++] = chars[code - codes];
        i++;
    }
    *out = (struct str){to, len};
    return true;
}

static bool read_text(struct result_file_reader *reader, struct str *out)
{
    return unescaped(reader, next_field(reader), out);
}

/* NULL for an empty one. */
static bool read_reason(struct result_file_reader *reader, const char **out)
{
    struct str text;

    if (!read_text(reader, &text))
        return false;
    *out = text.len > 0 ? arena_c_string(reader->brief, text) : NULL;
    return true;
}

static bool to_real(struct str field, double *out)
{
    bool negative = str_starts(field, STR("-"));

    if (str_eq(str_slice(field, negative, field.len), STR("inf"))) {
        *out = negative ? -INFINITY : INFINITY; /* such as t of a perfect correlation */
        return true;
    }
    return str_to_real(field, out);
}

/* An empty field is NAN. */
static bool read_real(struct result_file_reader *reader, double *out)
{
    struct str field = next_field(reader);

    *out = NAN;
    return field.len == 0 || to_real(field, out) || fails(reader, field, "a number");
}

#define COUNT_MAX 9e15 /* whole numbers up to here are exact */

/* An empty field is -1. */
static bool read_count(struct result_file_reader *reader, int64_t *out)
{
    struct str field = next_field(reader);

    *out = -1;
    return field.len == 0 ||
           (str_to_int(field, out) && *out >= 0 && (double)*out <= COUNT_MAX) ||
           fails(reader, field, "a count");
}

static bool read_place(struct result_file_reader *reader, size_t count, size_t *out)
{
    struct str field = next_field(reader);

    return str_to_place(field, count, out) || fails(reader, field, "a place in a list");
}

/* Letters of `known`, each a flag. */
static bool read_flags(struct result_file_reader *reader, const char *known, bool **flags)
{
    struct str field = next_field(reader);

    for (size_t i = 0; i < field.len; i++) {
        const char *at = memchr(known, field.ptr[i], strlen(known));
        if (at == NULL)
            return fails(reader, field, "flags");
        *flags[at - known] = true;
    }
    return true;
}

static bool read_key(struct result_file_reader *reader, struct str field, int64_t *out)
{
    struct str key;

    return unescaped(reader, field, &key) &&
           (result_read_key(key, out) || fails(reader, field, "an item"));
}

static bool read_end_of_line(struct result_file_reader *reader)
{
    if (reader->lacking)
        return fails(reader, reader->rest, "further fields");
    return !reader->more || fails(reader, reader->rest, "the end of the line");
}

/* Lines. */

static bool hand_on(struct result_file_reader *reader)
{
    if (!reader->pending)
        return true;
    reader->pending = false;
    if (reader->rows == NULL) {
        struct result_table *table = reader->table;
        struct result_cell *cells =
            result_add_row(table, (struct str){0}, RESULT_NONE, reader->arena);
        table->rows[table->row_count - 1] = reader->row;
        if (table->column_count > 0)
            memcpy(cells, reader->cells, table->column_count * sizeof *cells);
        return true;
    }
    return !reader->wanted ||
           reader->rows->row(reader->rows->context, &reader->row, reader->cells,
                             reader->err) ||
           err_at(reader->err, "%s:%lld: ", reader->path, (long long)reader->row_line);
}

/* The columns are known when something else comes. */
static bool begin_rows(struct result_file_reader *reader)
{
    struct result_table *table = reader->table;

    if (reader->begun)
        return true;
    reader->begun = true;
    table->column_count = reader->columns.len / sizeof *table->columns;
    table->columns =
        arena_array(reader->arena, struct result_column, table->column_count + 1);
    if (table->column_count > 0)
        memcpy(table->columns, reader->columns.ptr, reader->columns.len);
    reader->cells =
        arena_array(reader->arena, struct result_cell, table->column_count + 1);
    return !reader->wanted || reader->rows == NULL || reader->rows->head == NULL ||
           reader->rows->head(reader->rows->context, table, reader->err) ||
           err_at(reader->err, "%s:%lld: ", reader->path, (long long)reader->line);
}

static bool end_table(struct result_file_reader *reader)
{
    if (reader->table == NULL)
        return true;
    if (!begin_rows(reader) || !hand_on(reader))
        return false;
    if (reader->rows == NULL)
        buf_add(&reader->tables,
                (struct str){(const char *)reader->table, sizeof *reader->table});
    return true;
}

static bool read_table(struct result_file_reader *reader)
{
    if (!end_table(reader))
        return false;
    struct result_table *table = arena_array(reader->arena, struct result_table, 1);
    bool *flags[] = {&table->numbers, &table->apart, &table->cut};
    reader->table = table;
    reader->begun = false;
    reader->depth = reader->row_count = 0;
    buf_clear(&reader->columns);
    if (!read_text(reader, &table->name) || !read_text(reader, &table->title) ||
        !read_text(reader, &table->corner) || !read_flags(reader, "nac", flags))
        return false;
    reader->wanted = reader->rows != NULL && str_eq(table->name, reader->rows->table);
    reader->found = reader->found || reader->wanted;
    return true;
}

static bool read_type(struct result_file_reader *reader, enum result_type *out)
{
    struct str field = next_field(reader);

    for (*out = 0; *out < RESULT_TYPES; (*out)++)
        if (str_eq(field, str_from(result_types[*out])))
            return true;
    return fails(reader, field, "the type of a column");
}

static bool read_column(struct result_file_reader *reader)
{
    struct result_column column = {0};
    bool *flags[] = {&column.total, &column.interval};
    int64_t digits;

    if (reader->begun)
        return fails(reader, STR("column"), "a row");
    if (!read_type(reader, &column.type))
        return false;
    struct str field = next_field(reader);
    if (!str_to_int(field, &digits) || digits < -1 || digits > 20)
        return fails(reader, field, "a number of digits");
    column.digits = (int)digits;
    if (!read_text(reader, &column.name) || !read_text(reader, &column.across) ||
        !read_text(reader, &column.path) || !read_text(reader, &column.measures) ||
        !read_text(reader, &column.unit) || !read_text(reader, &column.rests) ||
        !read_flags(reader, "ti", flags))
        return false;
    buf_add(&reader->columns, (struct str){(const char *)&column, sizeof column});
    return true;
}

static bool read_note(struct result_file_reader *reader)
{
    struct str note;

    if (!read_text(reader, &note))
        return false;
    result_add_note(reader->table, note, reader->arena);
    return true;
}

static size_t count_words(struct str text)
{
    size_t count = text.len > 0;

    for (size_t i = 0; i < text.len; i++)
        count += text.ptr[i] == ' ';
    return count;
}

/* Those of a list of units stand behind all else. */
static bool read_units(struct result_file_reader *reader, struct result_list *list)
{
    struct str *units = arena_array(reader->arena, struct str, list->shown + 1);

    for (size_t i = 0; i < list->shown; i++)
        if (!read_text(reader, &units[i]))
            return false;
    list->units = units;
    return true;
}

static bool read_items(struct result_file_reader *reader, struct result_list *list)
{
    struct str keys = next_field(reader), values = next_field(reader), one;
    size_t count = count_words(keys);
    bool valued = list->value.len > 0;
    int64_t *ids = arena_array(reader->arena, int64_t, count + 1);
    double *of_ids = valued ? arena_array(reader->arena, double, count + 1) : NULL;

    if (count_words(values) != (valued ? count : 0))
        return fails(reader, values, "a value of each item");
    for (size_t i = 0; i < count; i++) {
        str_cut(&keys, ' ', &one);
        if (!read_key(reader, one, &ids[i]))
            return false;
        if (!valued)
            continue;
        str_cut(&values, ' ', &one);
        of_ids[i] = NAN;
        if (!str_eq(one, STR("-")) && !to_real(one, &of_ids[i]))
            return fails(reader, one, "a number");
    }
    list->ids = ids;
    list->values = of_ids;
    list->shown = count;
    return !reader->more || read_units(reader, list);
}

static bool read_list(struct result_file_reader *reader)
{
    struct result_table *table = reader->table;
    struct result_list *list = arena_array(reader->arena, struct result_list, 1);

    if (!begin_rows(reader) || !hand_on(reader))
        return false;
    if (!read_text(reader, &list->row) || !read_text(reader, &list->across) ||
        !read_text(reader, &list->what) || !read_text(reader, &list->value) ||
        !read_text(reader, &list->csv) || !read_count(reader, &list->count) ||
        !read_count(reader, &list->from) || !read_items(reader, list))
        return false;
    if (list->from < 0 || list->count < list->from + (int64_t)list->shown)
        return fails(reader, list->what, "no more items than the list has");
    result_keep_list(table, list, reader->arena);
    return true;
}

static bool read_cell(struct result_file_reader *reader, enum result_type type,
                      struct result_cell *cell)
{
    struct str field = next_field(reader);

    *cell = (struct result_cell){.value = NAN, .low = NAN, .high = NAN, .n = -1};
    if (str_eq(field, STR("\\-"))) {
        cell->undefined = result_is_number(type) ? "" : NULL;
        return type != RESULT_ITEM || fails(reader, field, "an item");
    }
    if (type == RESULT_TEXT)
        return unescaped(reader, field, &cell->text);
    if (type == RESULT_ITEM)
        return read_key(reader, field, &cell->item);
    return to_real(field, &cell->value) || fails(reader, field, "a number");
}

/* A row below the last of the level above it. */
static bool set_parent(struct result_file_reader *reader, struct str level)
{
    struct result_row *row = &reader->row;
    struct buf path = {0};
    size_t depth;

    if (!str_to_place(level, LEVELS_MAX, &depth) || depth > reader->depth)
        return fails(reader, level, "a level, one below the row before at the most");
    row->level = (int)depth;
    row->parent = depth > 0 ? reader->numbers[depth - 1] : RESULT_NONE;
    if (depth > 0)
        buf_add_format(&path, "%.*s.", STR_ARG(reader->above[depth - 1].path));
    buf_add(&path, row->slug);
    row->path = depth > 0 ? arena_copy(reader->brief, buf_str(&path)) : row->slug;
    buf_free(&path);
    reader->above[depth] = *row;
    reader->numbers[depth] = reader->row_count++;
    reader->depth = depth + 1;
    return true;
}

static bool read_row(struct result_file_reader *reader)
{
    struct result_table *table = reader->table;
    struct result_row *row = &reader->row;
    bool *flags[] = {&row->total, &row->rest};

    if (!begin_rows(reader) || !hand_on(reader))
        return false;
    *row = (struct result_row){0};
    struct str level = next_field(reader);
    if (reader->rows != NULL && str_eq(level, STR("0")))
        arena_rewind(&reader->row_arena, (struct arena_mark){0});
    if (!read_text(reader, &row->slug) || !read_text(reader, &row->name) ||
        !read_count(reader, &row->n) || !read_flags(reader, "tr", flags) ||
        !set_parent(reader, level))
        return false;
    for (size_t c = 0; c < table->column_count; c++)
        if (!read_cell(reader, table->columns[c].type, &reader->cells[c]))
            return false;
    reader->pending = true;
    reader->row_line = reader->line;
    return true;
}

static bool read_mark(struct result_file_reader *reader, struct result_cell *cell)
{
    struct str field = next_field(reader);

    for (size_t i = 0; i < field.len; i++)
        if (field.ptr[i] == '*')
            cell->small = true;
        else if (field.ptr[i] >= 'a' && field.ptr[i] <= 'z')
            cell->mark = field.ptr[i];
        else
            return fails(reader, field, "* and the mark of a note");
    return true;
}

static bool read_more(struct result_file_reader *reader)
{
    struct result_table *table = reader->table;
    size_t column, list, whole;
    const char *undefined;

    if (!reader->pending || !read_place(reader, table->column_count, &column) ||
        column == RESULT_NONE)
        return fails(reader, STR("cell"), "a row before it");
    struct result_cell *cell = &reader->cells[column];
    if (!read_real(reader, &cell->low) || !read_real(reader, &cell->high) ||
        !read_count(reader, &cell->n) || !read_count(reader, &cell->count) ||
        !read_place(reader, table->list_count, &list) ||
        !read_place(reader, table->list_count, &whole) || !read_mark(reader, cell) ||
        !read_reason(reader, &undefined) || !read_reason(reader, &cell->no_interval) ||
        !read_reason(reader, &cell->words))
        return false;
    cell->counted = cell->count >= 0;
    cell->count = cell->counted ? cell->count : 0;
    cell->list = list != RESULT_NONE ? table->lists[list] : NULL;
    cell->whole = whole != RESULT_NONE ? table->lists[whole] : NULL;
    if (undefined != NULL && cell->undefined == NULL)
        return fails(reader, str_from(undefined), "no reason for a number that is there");
    if (undefined != NULL)
        cell->undefined = undefined;
    return true;
}

static bool read_line(struct result_file_reader *reader)
{
    static const struct {
        const char *name;
        bool (*read)(struct result_file_reader *reader);
    } kinds[] = {{"row", read_row},       {"cell", read_more},   {"list", read_list},
                 {"column", read_column}, {"table", read_table}, {"note", read_note}};
    struct str kind = next_field(reader);

    for (size_t i = 0; i < ROWS_OF(kinds); i++)
        if (str_eq(kind, str_from(kinds[i].name))) {
            if (reader->table == NULL && kinds[i].read != read_table)
                return fails(reader, kind, "a table");
            bool of_row = kinds[i].read == read_row || kinds[i].read == read_more;
            reader->brief =
                reader->rows != NULL && of_row ? &reader->row_arena : reader->arena;
            return kinds[i].read(reader) && read_end_of_line(reader);
        }
    return fails(reader, kind, "table, column, note, list, row, cell or end");
}

static bool next_line(struct result_file_reader *reader, struct str *text)
{
    reader->line++;
    reader->more = true;
    reader->lacking = false;
    return str_cut(text, '\n', &reader->rest);
}

static bool read_begin(struct result_file_reader *reader, struct str *text,
                       struct str *step)
{
    static const char version[] = "assay result 1";

    if (!next_line(reader, text) || !str_eq(reader->rest, str_from(version)))
        return fails(reader, reader->rest, version);
    if (!next_line(reader, text) || !str_eq(next_field(reader), STR("step")))
        return fails(reader, reader->rest, "the name of a step");
    return read_text(reader, step) && read_end_of_line(reader);
}

static bool read_all(struct result_file_reader *reader, struct str text, struct str *step)
{
    if (!read_begin(reader, &text, step))
        return false;
    while (next_line(reader, &text) && !str_eq(reader->rest, STR("end")))
        if (!read_line(reader))
            return false;
    if (!str_eq(reader->rest, STR("end")) || text.len > 0)
        return fails(reader, reader->rest, "the end, and nothing behind it");
    return end_table(reader);
}

bool result_file_read(struct str text, const char *path, struct arena *arena,
                      struct result *out, struct err *err)
{
    struct result_file_reader reader = {
        .path = path, .arena = arena, .brief = arena, .err = err};

    *out = (struct result){0};
    bool ok = read_all(&reader, text, &out->step);
    out->count = reader.tables.len / sizeof *out->tables;
    out->tables = arena_array(arena, struct result_table, out->count + 1);
    if (out->count > 0)
        memcpy(out->tables, reader.tables.ptr, reader.tables.len);
    buf_free(&reader.tables);
    buf_free(&reader.columns);
    return ok;
}

/* Up to the separator that stands behind so many parts; the whole where there are fewer.
 */
static struct str first_parts(struct str text, char separator, size_t parts)
{
    for (size_t i = 0, seen = 0; i < text.len; i++)
        if (text.ptr[i] == separator && ++seen == parts)
            return str_slice(text, 0, i);
    return text;
}

/* What a damaged line lacks is not added. */
static void add_brief_list(struct str line, size_t items, struct buf *out)
{
    enum { BEFORE = 8 }; /* fields, before those of keys and values */
    struct str head = first_parts(line, '\t', BEFORE), field;
    struct str rest = str_slice(line, head.len, line.len);

    buf_add(out, head);
    for (int i = 0; i < 2 && rest.len > 0; i++) {
        rest = str_slice(rest, 1, rest.len);
        field = first_parts(rest, '\t', 1);
        rest = str_slice(rest, field.len, rest.len);
        buf_add_char(out, '\t');
        buf_add(out, first_parts(field, ' ', items));
    }
    buf_add(out, first_parts(rest, '\t', items + 1)); /* units, a tab before each */
}

struct str result_file_brief(struct str text, size_t items, struct arena *arena)
{
    struct buf brief = {0};
    struct str line;

    while (text.len > 0) {
        bool ends = str_cut(&text, '\n', &line);
        if (str_starts(line, STR("list\t")))
            add_brief_list(line, items, &brief);
        else
            buf_add(&brief, line);
        if (ends)
            buf_add_char(&brief, '\n');
    }
    return buf_keep(&brief, arena);
}

bool result_file_each(struct str text, const char *path,
                      const struct result_file_rows *rows, struct err *err)
{
    struct arena arena = {0};
    struct result_file_reader reader = {
        .path = path, .arena = &arena, .brief = &arena, .err = err, .rows = rows};
    struct str step;
    bool ok = read_all(&reader, text, &step);

    if (ok && !reader.found)
        ok = err_set(err, ERR_INPUT, "%s: there is no table '%.*s'", path,
                     STR_ARG(rows->table));
    buf_free(&reader.columns);
    arena_free(&reader.row_arena);
    arena_free(&arena);
    return ok;
}

bool result_file_items(struct str text, const char *path, struct arena *arena,
                       int64_t **ids, size_t *count, struct err *err)
{
    struct arena work = {0};
    struct result result;
    bool ok = result_file_read(text, path, &work, &result, err);
    const struct result_table *table = ok ? result_find(&result, STR("numbers")) : NULL;
    const struct result_list *list =
        table != NULL && table->column_count > 0 && table->row_count > 0
            ? table->cells[0].list
            : NULL;

    *count = list != NULL ? list->shown : 0;
    *ids = arena_array(arena, int64_t, *count + 1);
    for (size_t i = 0; i < *count; i++)
        (*ids)[i] = list->ids[i];
    arena_free(&work);
    return ok;
}
