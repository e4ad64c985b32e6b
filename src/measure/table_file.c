/* The columns that name rows make the rows' tree; all others are numbers. */
#include "measure/table_file.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "input/csv.h"
#include "study/keys.h"

enum { FILE_BYTES_MAX = 64 << 20, NAMES_MAX = 8 };

struct file {
    const struct study_table *table;
    struct arena *arena;
    struct table *out;
    size_t names[NAMES_MAX]; /* columns that name the row */
    size_t name_count;
    /* Of each head: the columns of its number and of its interval's ends; STUDY_NONE. */
    struct ends {
        size_t value, low, high;
    } * numbers;
    struct study_column *columns;
    struct buf rows, cells;
};

static struct str slug(struct file *file, struct str text)
{
    struct buf out = {0};

    measure_slug(text, &out);
    struct str copy = arena_copy(file->arena, buf_str(&out));
    buf_free(&out);
    return copy;
}

/* The column whose interval a column "NAME low" or "NAME high" belongs to. */
static size_t owner_of(const struct file *file, const struct csv_row *row, size_t column,
                       const char *ending)
{
    struct str name = str_trim(row->fields[column]), end = str_from(ending);

    /* There columns are codes, whatever they are called. */
    bool codes = str_eq(file->table->show, STR("confusion"));

    return str_ends(name, end) && !codes
               ? csv_rows_find(row, str_slice(name, 0, name.len - end.len))
               : row->count;
}

static bool is_number(const struct file *file, const struct csv_row *row, size_t column)
{
    for (size_t n = 0; n < file->name_count; n++)
        if (file->names[n] == column)
            return false;
    return owner_of(file, row, column, " low") == row->count &&
           owner_of(file, row, column, " high") == row->count;
}

static void add_head(struct file *file, const struct csv_row *row, size_t c,
                     struct study_column *column)
{
    struct table *out = file->out;
    struct ends *ends = &file->numbers[out->head_count];

    column->name = column->text = arena_copy(file->arena, str_trim(row->fields[c]));
    column->slug = slug(file, column->name);
    column->measure.kind = MEASURE_EACH;
    column->digits = column->round_first = -1;
    *ends = (struct ends){c, STUDY_NONE, STUDY_NONE};
    for (size_t e = 0; e < row->count; e++) {
        if (owner_of(file, row, e, " low") == c)
            ends->low = e;
        if (owner_of(file, row, e, " high") == c)
            ends->high = e;
    }
    out->heads[out->head_count++] =
        (struct table_head){.name = column->name, .path = column->slug, .column = column};
}

/* What names rows. In a table of what was taken for what, columns have names as well. */
static struct str corner_of(struct file *file, const struct csv_row *row)
{
    struct buf text = {0};

    if (str_eq(file->table->show, STR("confusion")))
        return file->table->maker == STUDY_BY_CLASSIFIER
                   ? STR("true class (columns: what it was taken for)")
                   : STR("code (columns: what the other rater said)");
    for (size_t n = 0; n < file->name_count && row->count > 0; n++)
        buf_add_format(&text, "%s%.*s", n > 0 ? ", " : "",
                       STR_ARG(str_trim(row->fields[file->names[n]])));
    struct str corner = arena_copy(file->arena, buf_str(&text));
    buf_free(&text);
    return corner;
}

static bool read_head(void *context, const struct csv_row *row, struct err *err)
{
    struct file *file = context;
    const struct study_table *table = file->table;

    file->name_count = table->row_name_count > 0 ? table->row_name_count : 1;
    if (file->name_count > NAMES_MAX)
        return err_set(err, ERR_INPUT, "more than %d columns that name rows", NAMES_MAX);
    for (size_t n = 0; n < table->row_name_count; n++) {
        file->names[n] = csv_rows_find(row, table->row_names[n]);
        if (file->names[n] == row->count)
            return err_set(err, ERR_INPUT, "there is no column '%.*s'",
                           STR_ARG(table->row_names[n]));
    }
    if (table->maker != STUDY_NO_MAKER)
        file->out->corner = corner_of(file, row);
    file->out->heads = arena_array(file->arena, struct table_head, row->count + 1);
    file->numbers = arena_array(file->arena, struct ends, row->count + 1);
    file->columns = arena_array(file->arena, struct study_column, row->count + 1);
    for (size_t c = 0; c < row->count; c++)
        if (is_number(file, row, c))
            add_head(file, row, c, &file->columns[file->out->head_count]);
    return true;
}

/* Whether a comma parts thousands: three digits and no more are behind it. 1,5 is not
 * read as 15. */
static bool parts_thousands(const char *comma)
{
    return strspn(comma + 1, "0123456789") == 3;
}

/* 1,234 and 12% as people print them. */
static double number_in(struct file *file, struct str text)
{
    char *plain = arena_c_string(file->arena, str_trim(text)), *to = plain;
    double value;

    for (const char *c = plain; *c != '\0'; c++)
        if (*c != ',' || !parts_thousands(c))
            *to++ = *c;
    *to = '\0';
    return keys_number(str_from(plain), &value) ? value : NAN;
}

static double number_at(struct file *file, const struct csv_row *row, size_t column)
{
    return row != NULL && column < row->count ? number_in(file, row->fields[column])
                                              : NAN;
}

/* row NULL: of a row that only holds others together. */
static struct cell cell_of(struct file *file, const struct csv_row *row, struct ends ends)
{
    double value = number_at(file, row, ends.value);

    return (struct cell){.value = value,
                         .undefined =
                             isnan(value) ? "the table has no number there" : NULL,
                         .low = number_at(file, row, ends.low),
                         .high = number_at(file, row, ends.high),
                         .n = -1};
}

/* A table of ours is shown like one that was computed: shares as percentages, counts
 * without digits. What others printed stays as it was. */
static void note_form(struct file *file, const struct csv_row *row, size_t head)
{
    struct study_column *column = &file->columns[head];
    struct str text = str_trim(row->fields[file->numbers[head].value]);

    if (file->table->maker == STUDY_NO_MAKER || text.len == 0)
        return;
    bool share = str_ends(text, STR("%")),
         whole = memchr(text.ptr, '.', text.len) == NULL;
    column->measure.kind = share ? MEASURE_SHARE : MEASURE_EACH;
    if (share)
        column->digits = 2;
    else if (!whole || column->digits < 0)
        column->digits = whole ? 0 : 3;
}

/* The row of the names up to this level, made when it is not the last one made there. */
static size_t row_at(struct file *file, const struct csv_row *csv, size_t level,
                     size_t parent)
{
    struct table_row *rows = (struct table_row *)(void *)file->rows.ptr;
    size_t count = file->rows.len / sizeof *rows;
    struct str name = str_trim(csv->fields[file->names[level]]);
    bool last = level + 1 == file->name_count;
    struct buf path = {0};

    for (size_t r = count; !last && r-- > 0 && rows[r].level >= (int)level;)
        if (rows[r].level == (int)level && rows[r].parent == parent &&
            str_eq(rows[r].name, name))
            return r;
    if (parent != STUDY_NONE)
        buf_add_format(&path, "%.*s.", STR_ARG(rows[parent].path));
    measure_slug(name, &path);
    struct table_row row = {.name = arena_copy(file->arena, name),
                            .slug = slug(file, name),
                            .path = arena_copy(file->arena, buf_str(&path)),
                            .level = (int)level,
                            .parent = parent,
                            .n = -1};
    buf_free(&path);
    buf_add(&file->rows, (struct str){(const char *)&row, sizeof row});
    for (size_t h = 0; h < file->out->head_count; h++) {
        struct cell cell = cell_of(file, last ? csv : NULL, file->numbers[h]);
        note_form(file, csv, h);
        buf_add(&file->cells, (struct str){(const char *)&cell, sizeof cell});
    }
    return count;
}

static bool read_row(void *context, const struct csv_row *row, struct err *err)
{
    struct file *file = context;

    (void)err;
    for (size_t level = 0, parent = STUDY_NONE; level < file->name_count; level++)
        parent = row_at(file, row, level, parent);
    return true;
}

bool table_file_read(const struct study_table *table, struct arena *arena,
                     struct table *out, struct err *err)
{
    struct file file = {.table = table, .arena = arena, .out = out};
    struct csv_rows to = {read_head, read_row, &file};
    struct str text;

    *out = (struct table){.name = table->name, .title = table->title};
    if (!file_read_max(table->from, FILE_BYTES_MAX, arena, &text, err))
        return false;
    bool ok = csv_rows_read(text, table->from, &to, err);
    out->row_count = file.rows.len / sizeof *out->rows;
    out->rows = arena_array(arena, struct table_row, out->row_count + 1);
    out->cells = arena_array(arena, struct cell, out->row_count * out->head_count + 1);
    if (file.rows.len > 0)
        memcpy(out->rows, file.rows.ptr, file.rows.len);
    if (file.cells.len > 0)
        memcpy(out->cells, file.cells.ptr, file.cells.len);
    buf_free(&file.rows);
    buf_free(&file.cells);
    return ok;
}
