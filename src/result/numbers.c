/* Names of rows may hold dots, so that a pattern is matched name by name against the
 * row's own parts, never cut at its dots. */
#include "result/numbers.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

static wide ten_to(int power)
{
    wide ten = 1;

    while (power-- > 0)
        ten *= 10;
    return ten;
}

/* The digits of a fraction that needs no exponent, by whole numbers alone, which is
 * several times as fast as the library, and as exact: mantissa * 10^places has
 * at most 53 + 67 bits. False, with nothing printed, for one that is rare. */
static bool print_fraction(double value, struct buf *out)
{
    double size = fabs(value), bound = 1e-3;
    int power, first = -4; /* the place of the first digit: 0 is that of ones */

    if (!(size >= 1e-4 && size < 1e15))
        return false;
    uint64_t mantissa = (uint64_t)ldexp(frexp(size, &power), 53);
    int shift = 53 - power; /* size is mantissa / 2^shift, and no whole number */
    if (mantissa == UINT64_C(1) << 52) /* doubles below it are closer than those above */
        return false;
    for (; size >= bound; first++)
        bound = first < -2 ? bound * 10 : first == -2 ? 1 : bound * 10;
    for (int digits = 15; digits <= 17; digits++) {
        int places = digits - 1 - first;
        wide ten = ten_to(places), all = mantissa * ten, half = (wide)1 << (shift - 1),
             rest = all & (2 * half - 1), number = all >> shift;
        bool up = rest > half || (rest == half && (number & 1) != 0);
        wide off = up ? 2 * half - rest : rest;
        number += up;
        if (number >= ten_to(digits) || number < ten_to(digits - 1))
            return false;
        /* Is it nearer to this double than to its neighbours? */
        if (2 * off > ten || (2 * off == ten && (mantissa & 1) != 0))
            continue;
        char text[40], *at = text + sizeof text;
        uint64_t left = (uint64_t)number;
        for (; left % 10 == 0; places--)
            left /= 10;
        for (; places > 0; places--, left /= 10)
            *--at = (char)('0' + left % 10);
        *--at = '.';
        do {
            *--at = (char)('0' + left % 10);
            left /= 10;
        } while (left > 0);
        if (value < 0)
            *--at = '-';
        buf_add(out, (struct str){at, (size_t)(text + sizeof text - at)});
        return true;
    }
    return false;
}

void result_numbers_print(double value, struct buf *out)
{
    char text[40];

    if (value == floor(value) && fabs(value) < 1e15 && (value != 0 || !signbit(value))) {
        buf_add_int(out, (int64_t)value);
        return;
    }
    if (value != floor(value) && print_fraction(value, out))
        return;
    /* %g drops zeros at the end, so that 15 digits are as short as a shorter number is;
     * only next to 0, where doubles have fewer digits, less may do. */
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        double back;
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (str_to_real(str_from(text), &back) && back == value)
            break;
    }
    buf_add(out, str_from(text));
}

void result_numbers_add_p(double p, struct buf *out)
{
    if (isnan(p))
        buf_add(out, STR("–"));
    else if (p < 0.001)
        buf_add(out, STR("< .001"));
    else
        buf_add_format(out, "%.4f", p);
}

void result_numbers_show(const struct result_number *number, double value,
                         struct buf *out)
{
    bool share = number->type == RESULT_SHARE;
    int digits = number->digits;

    if (number->type == RESULT_P || isnan(value)) {
        result_numbers_add_p(value, out);
        return;
    }
    value *= share ? 100 : 1;
    if (digits < 0 && (value == floor(value) || fabs(value) >= 1e4) && fabs(value) < 1e15)
        digits = 0;
    if (digits >= 0 || isinf(value))
        buf_add_thousands(out, value, digits);
    else
        buf_add_format(out, "%.4g", value);
    if (share)
        buf_add_char(out, '%');
}

static void add_known(struct buf *out, double value)
{
    buf_add_char(out, ',');
    if (!isnan(value))
        result_numbers_print(value, out);
}

static void add_number(const struct result_number *number, struct buf *out)
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

const struct result_numbers *result_numbers_of(const struct result_numbers *all,
                                               size_t count, const char *kind,
                                               struct str name)
{
    for (size_t i = 0; i < count; i++) {
        struct str rest = all[i].step, head;
        if (str_cut(&rest, '.', &head) && str_eq(head, str_from(kind)) &&
            str_eq(rest, name))
            return &all[i];
    }
    return NULL;
}

void result_numbers_address(struct str step, const struct result_number *number,
                            struct buf *out)
{
    buf_add(out, step);
    if (number->row.len > 0) {
        buf_add_char(out, '.');
        for (size_t i = 0; i < number->row.len; i++)
            buf_add_char(out, number->row.ptr[i] == '/' ? '.' : number->row.ptr[i]);
    }
    buf_add_format(out, ".%.*s", STR_ARG(number->column));
}

struct str result_numbers_names(const struct result_numbers *numbers, struct str row,
                                struct arena *arena)
{
    struct buf names = {0};
    struct str rest = row, part;
    bool more = row.len > 0;

    while (more) {
        more = str_cut(&rest, '/', &part);
        struct str above = str_slice(row, 0, (size_t)(part.ptr - row.ptr) + part.len);
        size_t i = 0;
        while (i < numbers->count && !str_eq(numbers->at[i].row, above))
            i++;
        if (i < numbers->count && numbers->at[i].label.len > 0)
            part = numbers->at[i].label;
        buf_add_format(&names, "%s%.*s", names.len > 0 ? "/" : "", STR_ARG(part));
    }
    struct str all = buf_keep(&names, arena);
    buf_free(&names);
    return all;
}

struct str result_numbers_key(struct str step, const struct result_number *number,
                              struct map *seen)
{
    struct str names = arena_format(seen->arena, "%.*s\n%.*s\n%.*s", STR_ARG(step),
                                    STR_ARG(number->row), STR_ARG(number->column));

    return arena_format(seen->arena, "%.*s\n%lld", STR_ARG(names),
                        (long long)++*map_put(seen, names));
}

#define NUMBERS_HEAD "row,column,value,low,high,n,undefined,total,label,heading\n"

void result_numbers_csv(const struct result_numbers *numbers, struct buf *out)
{
    buf_add(out, STR(NUMBERS_HEAD));
    for (size_t i = 0; i < numbers->count; i++)
        add_number(&numbers->at[i], out);
}

void result_numbers_csv_all(const struct result_numbers *all, size_t count,
                            struct buf *out)
{
    struct buf address = {0};

    buf_add(out, STR("address,step," NUMBERS_HEAD));
    for (size_t s = 0; s < count; s++)
        for (size_t i = 0; i < all[s].count; i++) {
            buf_clear(&address);
            result_numbers_address(all[s].step, &all[s].at[i], &address);
            buf_add_csv(out, buf_str(&address));
            buf_add_char(out, ',');
            buf_add_csv(out, all[s].step);
            buf_add_char(out, ',');
            add_number(&all[s].at[i], out);
        }
    buf_free(&address);
}

/* Slugs from the top. */
static struct str row_address(const struct result_table *table, size_t row,
                              struct arena *arena)
{
    const struct result_row *it = &table->rows[row];
    struct buf text = {0};

    if (it->parent == RESULT_NONE)
        return it->slug;
    buf_add_format(&text, "%.*s/%.*s", STR_ARG(row_address(table, it->parent, arena)),
                   STR_ARG(it->slug));
    return buf_keep(&text, arena);
}

static struct str heading_of(const struct result_column *column, struct arena *arena)
{
    struct buf text = {0};

    result_heading(column, &text);
    return buf_keep(&text, arena);
}

static void add_table(const struct result_table *table, struct arena *arena,
                      struct result_numbers *out)
{
    struct str *headings = arena_array(arena, struct str, table->column_count + 1);

    for (size_t c = 0; c < table->column_count; c++)
        headings[c] = heading_of(&table->columns[c], arena);
    for (size_t r = 0; r < table->row_count; r++) {
        struct str row = row_address(table, r, arena);
        for (size_t c = 0; c < table->column_count; c++) {
            const struct result_column *column = &table->columns[c];
            const struct result_cell *cell = &table->cells[r * table->column_count + c];
            if (result_is_number(column->type))
                out->at[out->count++] = (struct result_number){
                    .row = row,
                    .column = column->path,
                    .type = column->type,
                    .digits = column->digits,
                    .unit = result_unit(column),
                    .value = cell->value,
                    .low = cell->low,
                    .high = cell->high,
                    .interval =
                        column->interval || !isnan(cell->low) || !isnan(cell->high),
                    .n = cell->n,
                    .undefined = str_from(cell->undefined),
                    .total_row = table->rows[r].total,
                    .rest_row = table->rows[r].rest,
                    .total_column = column->total,
                    .label = table->rows[r].name,
                    .heading = headings[c]};
        }
    }
}

void result_numbers_from(const struct result *result, struct arena *arena,
                         struct result_numbers *out)
{
    size_t room = 1;

    for (size_t t = 0; t < result->count; t++)
        room += result->tables[t].row_count * result->tables[t].column_count;
    *out = (struct result_numbers){.step = result->step,
                                   .at = arena_array(arena, struct result_number, room)};
    for (size_t t = 0; t < result->count; t++)
        if (result->tables[t].numbers)
            add_table(&result->tables[t], arena, out);
}

bool result_numbers_column_is(struct str column, struct str name)
{
    size_t behind = column.len - name.len - 1;

    if (column.len <= name.len + 1)
        return str_eq(column, name);
    return (str_starts(column, name) && column.ptr[name.len] == '.') ||
           (str_ends(column, name) && column.ptr[behind] == '.');
}

static bool has_column(const struct result_numbers *numbers, struct str name)
{
    for (size_t i = 0; i < numbers->count; i++)
        if (result_numbers_column_is(numbers->at[i].column, name))
            return true;
    return numbers->count == 0;
}

bool result_numbers_need_columns(const struct result_numbers *numbers,
                                 const struct str *names, size_t count, struct err *err)
{
    size_t n = 0, before;
    struct buf all = {0};

    while (n < count && has_column(numbers, names[n]))
        n++;
    if (n == count)
        return true;
    for (size_t i = 0; i < numbers->count; i++) {
        struct str column = numbers->at[i].column;
        for (before = 0; before < i; before++)
            if (str_eq(numbers->at[before].column, column))
                break;
        if (before == i)
            buf_add_format(&all, "%s%.*s", i > 0 ? ", " : "", STR_ARG(column));
    }
    err_record(err, ERR_INPUT, "the table has no column '%.*s'; it has %.*s",
               STR_ARG(names[n]), STR_ARG(buf_str(&all)));
    buf_free(&all);
    return false;
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

static bool fits(const struct result_number *number, struct str pattern, bool only_column,
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

const struct result_number **result_numbers_find(const struct result_numbers *numbers,
                                                 struct str pattern, struct arena *arena,
                                                 size_t *count)
{
    const struct result_number **found =
        arena_array(arena, const struct result_number *, numbers->count + 1);
    bool only_column = true, one_measure = true;

    *count = 0;
    for (size_t i = 1; i < numbers->count; i++) {
        only_column = only_column && str_eq(numbers->at[i].column, numbers->at[0].column);
        one_measure = one_measure && str_eq(str_last(numbers->at[i].column, '.'),
                                            str_last(numbers->at[0].column, '.'));
    }
    for (size_t i = 0; i < numbers->count; i++)
        if (fits(&numbers->at[i], pattern, only_column, one_measure))
            found[(*count)++] = &numbers->at[i];
    return found;
}
