/* The columns that name rows make the rows' tree; all others are numbers, which are shown
 * as they are written: shares where all of a column are percentages. */
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
    struct result_table *out;
    size_t names[NAMES_MAX]; /* columns that name the row */
    size_t name_count;
    /* Of each column: the csv's of its number and of its interval's ends; STUDY_NONE. */
    struct ends {
        size_t value, low, high;
        bool plain, percent; /* whether any number is written so */
        int digits;          /* the most that stand behind the point of a percentage */
    } * numbers;
};

/* The column whose interval a column "NAME low" or "NAME high" belongs to. */
static size_t owner_of(const struct input_csv_row *row, size_t column, const char *ending)
{
    struct str name = str_trim(row->fields[column]), end = str_from(ending);

    return str_ends(name, end)
               ? input_csv_rows_find(row, str_slice(name, 0, name.len - end.len))
               : row->count;
}

static bool is_number(const struct file *file, const struct input_csv_row *row,
                      size_t column)
{
    for (size_t n = 0; n < file->name_count; n++)
        if (file->names[n] == column)
            return false;
    return owner_of(row, column, " low") == row->count &&
           owner_of(row, column, " high") == row->count;
}

static void add_column(struct file *file, const struct input_csv_row *row, size_t c)
{
    struct ends *ends = &file->numbers[file->out->column_count];
    struct str name = arena_copy(file->arena, str_trim(row->fields[c]));

    *ends = (struct ends){.value = c, .low = STUDY_NONE, .high = STUDY_NONE};
    for (size_t e = 0; e < row->count; e++) {
        if (owner_of(row, e, " low") == c)
            ends->low = e;
        if (owner_of(row, e, " high") == c)
            ends->high = e;
    }
    file->out->columns[file->out->column_count++] = (struct result_column){
        .type = RESULT_REAL, .digits = -1, .name = name, .measures = name};
}

static bool read_head(void *context, const struct input_csv_row *row, struct err *err)
{
    struct file *file = context;
    const struct study_table *table = file->table;

    file->name_count = table->row_name_count > 0 ? table->row_name_count : 1;
    if (file->name_count > NAMES_MAX)
        return err_set(err, ERR_INPUT, "more than %d columns that name rows", NAMES_MAX);
    for (size_t n = 0; n < table->row_name_count; n++)
        if (!input_csv_rows_need(row, table->row_names[n], &file->names[n], err))
            return false;
    file->out->columns = arena_array(file->arena, struct result_column, row->count + 1);
    file->numbers = arena_array(file->arena, struct ends, row->count + 1);
    for (size_t c = 0; c < row->count; c++)
        if (is_number(file, row, c))
            add_column(file, row, c);
    *file->out =
        result_new(table->name, file->out->columns, file->out->column_count, file->arena);
    file->out->title = table->title;
    file->out->numbers = true;
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
    return study_keys_number(str_from(plain), &value) ? value : NAN;
}

static double number_at(struct file *file, const struct input_csv_row *row, size_t column)
{
    return column < row->count ? number_in(file, row->fields[column]) : NAN;
}

/* What is no number says nothing of its column. */
static void note_form(struct ends *ends, struct str text)
{
    struct str before, after = str_trim(text);
    bool percent = str_ends(after, STR("%"));

    ends->percent |= percent;
    ends->plain |= !percent;
    if (percent && str_cut(&after, '.', &before))
        ends->digits = after.len > (size_t)ends->digits + 1 ? (int)after.len - 1
                                                            : ends->digits;
}

/* The row of the names up to this level, made when it is not the last one made there. */
static size_t row_at(struct file *file, const struct input_csv_row *csv, size_t level,
                     size_t parent)
{
    struct result_table *out = file->out;
    struct str name = str_trim(csv->fields[file->names[level]]);
    bool last = level + 1 == file->name_count;

    for (size_t r = out->row_count; !last && r-- > 0 && out->rows[r].level >= (int)level;)
        if (out->rows[r].level == (int)level && out->rows[r].parent == parent &&
            str_eq(out->rows[r].name, name))
            return r;
    struct result_cell *cells = result_add_row(out, name, parent, file->arena);
    for (size_t c = 0; c < out->column_count; c++) {
        struct ends *ends = &file->numbers[c];
        if (last)
            cells[c] = result_estimate(number_at(file, csv, ends->value),
                                       number_at(file, csv, ends->low),
                                       number_at(file, csv, ends->high));
        if (cells[c].undefined != NULL)
            cells[c].undefined = "the table has no number there";
        else if (last)
            note_form(ends, csv->fields[ends->value]);
    }
    return out->row_count - 1;
}

static bool read_row(void *context, const struct input_csv_row *row, struct err *err)
{
    struct file *file = context;

    (void)err;
    for (size_t level = 0, parent = STUDY_NONE; level < file->name_count; level++)
        parent = row_at(file, row, level, parent);
    return true;
}

bool measure_table_file_read(const struct study_table *table, struct arena *arena,
                             struct result_table *out, struct err *err)
{
    struct file file = {.table = table, .arena = arena, .out = out};
    struct input_csv_rows to = {read_head, read_row, &file};
    struct str text;

    *out = (struct result_table){0};
    if (!file_read_max(table->from, FILE_BYTES_MAX, arena, &text, err) ||
        !input_csv_rows_read(text, table->from, &to, err))
        return false;
    for (size_t c = 0; c < out->column_count; c++)
        if (file.numbers[c].percent && !file.numbers[c].plain) {
            out->columns[c].type = RESULT_SHARE;
            out->columns[c].digits = file.numbers[c].digits;
        }
    return true;
}
