/* Names of rows may hold dots, so that a pattern is matched name by name against the
 * row's own parts, never cut at its dots. */
#include "measure/numbers.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "input/csv.h"

enum { COLUMNS = 10 };

void numbers_print(double value, struct buf *out)
{
    char text[40];

    /* %g drops zeros at the end, so that 15 digits are as short as a shorter number is;
     * only next to 0, where doubles have fewer digits, less may do. */
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        double back;
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (str_to_real(str_from(text), &back) && back == value)
            break;
    }
    /* Whole numbers without an exponent. */
    if (value == floor(value) && fabs(value) < 1e15)
        snprintf(text, sizeof text, "%.0f", value);
    buf_add(out, str_from(text));
}

void numbers_head(struct buf *out)
{
    buf_add(out, STR("row,column,value,low,high,n,undefined,total,label,heading\n"));
}

static void add_known(struct buf *out, double value)
{
    buf_add_char(out, ',');
    if (!isnan(value))
        numbers_print(value, out);
}

void numbers_add(struct buf *out, const struct number *number)
{
    buf_add_csv(out, number->row);
    buf_add_char(out, ',');
    buf_add_csv(out, number->column);
    add_known(out, number->value);
    add_known(out, number->low);
    add_known(out, number->high);
    add_known(out, number->n < 0 ? NAN : (double)number->n);
    buf_add_char(out, ',');
    buf_add_csv(out, number->undefined);
    buf_add_format(out, ",%s%s,", number->total_row ? "row" : "",
                   number->total_column ? "column" : "");
    buf_add_csv(out, number->label);
    buf_add_char(out, ',');
    buf_add_csv(out, number->heading);
    buf_add_char(out, '\n');
}

void numbers_add_plain(struct buf *out, const char *column, double value)
{
    numbers_add(out, &(struct number){.column = str_from(column),
                                      .value = value,
                                      .low = NAN,
                                      .high = NAN,
                                      .n = -1});
}

#define N_MAX 9e15 /* whole numbers up to here are exact */

static bool read_number(struct str text, double *out)
{
    bool negative = str_starts(text, STR("-"));

    *out = NAN;
    if (str_eq(str_slice(text, negative, text.len), STR("inf"))) {
        *out = negative ? -INFINITY : INFINITY; /* such as t of a perfect correlation */
        return true;
    }
    return text.len == 0 || str_to_real(text, out);
}

static bool read_row(const struct csv_row *row, struct arena *arena, struct number *out)
{
    double n;

    if (row->count != COLUMNS || !read_number(row->fields[2], &out->value) ||
        !read_number(row->fields[3], &out->low) ||
        !read_number(row->fields[4], &out->high) || !read_number(row->fields[5], &n) ||
        n < 0 || n > N_MAX)
        return false;
    out->row = arena_copy(arena, row->fields[0]);
    out->column = arena_copy(arena, row->fields[1]);
    out->n = isnan(n) ? -1 : (int64_t)n;
    out->undefined = arena_copy(arena, row->fields[6]);
    out->total_row = str_starts(row->fields[7], STR("row"));
    out->total_column = str_ends(row->fields[7], STR("column"));
    out->label = arena_copy(arena, row->fields[8]);
    out->heading = arena_copy(arena, row->fields[9]);
    return true;
}

bool numbers_parse(struct str text, const char *path, struct str step,
                   struct arena *arena, struct numbers *out, struct err *err)
{
    struct csv csv = {.path = path};
    struct csv_row row;
    struct buf list = {0};
    bool ok = true, head = true;

    csv_push(&csv, text, true);
    while (ok && csv_next(&csv, &row, err)) {
        struct number number = {0};
        if (!head) {
            ok = read_row(&row, arena, &number) ||
                 err_set(err, ERR_INPUT, "%s:%lld: not as assay writes it", path,
                         (long long)row.line);
            buf_add(&list, (struct str){(const char *)&number, sizeof number});
        }
        head = false;
    }
    ok = ok && !csv.failed;
    *out = (struct numbers){.step = step, .count = list.len / sizeof *out->at};
    out->at = arena_array(arena, struct number, out->count + 1);
    if (list.len > 0)
        memcpy(out->at, list.ptr, list.len);
    buf_free(&list);
    csv_free(&csv);
    return ok;
}

bool numbers_column_is(struct str column, struct str name)
{
    size_t behind = column.len - name.len - 1;

    if (column.len <= name.len + 1)
        return str_eq(column, name);
    return (str_starts(column, name) && column.ptr[name.len] == '.') ||
           (str_ends(column, name) && column.ptr[behind] == '.');
}

/* Takes one part, a name of the row or the whole column, off the pattern's front: the
 * name itself, a star, or a list that has it. */
static bool take_part(struct str *pattern, struct str name, bool total)
{
    struct str rest = *pattern, list, one;

    if (rest.len > 0 && rest.ptr[0] == '.')
        rest = str_slice(rest, 1, rest.len);
    if (rest.len > 0 && rest.ptr[0] == '*') {
        *pattern = str_slice(rest, 1, rest.len);
        return !total;
    }
    if (rest.len > 0 && rest.ptr[0] == '[') {
        rest = str_slice(rest, 1, rest.len);
        if (!str_cut(&rest, ']', &list))
            return false;
        *pattern = rest;
        for (bool more = true; more;) {
            more = str_cut(&list, ',', &one);
            if (str_eq(str_trim(one), name))
                return true;
        }
        return false;
    }
    if (!str_starts(rest, name))
        return false;
    rest = str_slice(rest, name.len, rest.len);
    if (rest.len > 0 && rest.ptr[0] != '.' && rest.ptr[0] != '[')
        return false;
    *pattern = rest;
    return true;
}

/* The column: all of it, or with one measure its group alone. */
static bool take_column(struct str *pattern, struct str column, bool total,
                        bool group_alone)
{
    struct str before = *pattern;
    const char *dot = NULL;

    if (take_part(pattern, column, total) && pattern->len == 0)
        return true;
    for (size_t i = 0; i < column.len; i++)
        if (column.ptr[i] == '.')
            dot = column.ptr + i;
    if (!group_alone || dot == NULL)
        return false;
    *pattern = before;
    return take_part(pattern, str_slice(column, 0, (size_t)(dot - column.ptr)), total) &&
           pattern->len == 0;
}

static bool fits(const struct number *number, struct str pattern, bool only_column,
                 bool group_alone)
{
    struct str row = number->row, name;

    for (bool more = row.len > 0; more;) {
        more = str_cut(&row, '/', &name);
        if (!take_part(&pattern, name, number->total_row))
            return false;
    }
    return (only_column && pattern.len == 0) ||
           take_column(&pattern, number->column, number->total_column, group_alone);
}

/* The measure behind the last dot of a column. */
static struct str measure_of(struct str column)
{
    struct str rest = column, head;

    while (str_cut(&rest, '.', &head))
        ;
    return head;
}

const struct number **numbers_find(const struct numbers *numbers, struct str pattern,
                                   struct arena *arena, size_t *count)
{
    const struct number **found =
        arena_array(arena, const struct number *, numbers->count + 1);
    bool only_column = true, one_measure = true;

    *count = 0;
    for (size_t i = 1; i < numbers->count; i++) {
        only_column = only_column && str_eq(numbers->at[i].column, numbers->at[0].column);
        one_measure = one_measure && str_eq(measure_of(numbers->at[i].column),
                                            measure_of(numbers->at[0].column));
    }
    for (size_t i = 0; i < numbers->count; i++)
        if (fits(&numbers->at[i], pattern, only_column, one_measure))
            found[(*count)++] = &numbers->at[i];
    return found;
}
