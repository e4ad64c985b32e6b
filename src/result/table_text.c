/* Numbers are formatted here and nowhere else. */
#include "result/table_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "result/numbers.h"

/* An upper end that is not reached is open. */
static void add_interval(const struct result_cell *cell, double scale, int digits,
                         struct buf *out)
{
    if (isnan(cell->low) || isnan(cell->high))
        return;
    buf_add(out, STR(" ["));
    buf_add_thousands(out, cell->low * scale, digits);
    buf_add(out, STR(", "));
    buf_add_thousands(out, cell->high * scale, digits);
    buf_add_char(out, isinf(cell->high) ? ')' : ']');
}

static void add_mark(const struct result_cell *cell, struct buf *out)
{
    if (cell->mark != 0)
        buf_add_format(out, " (%c)", cell->mark);
}

void result_table_text_cell(const struct result_cell *cell,
                            const struct result_column *column, struct buf *out)
{
    int digits = column->digits;
    bool share = column->type == RESULT_SHARE;
    double scale = share ? 100 : 1, value = cell->value * scale;

    if (column->type == RESULT_TEXT) {
        buf_add(out, cell->text);
        return;
    }
    if (cell->undefined != NULL) {
        buf_add(out, STR("–"));
        add_interval(cell, scale, digits, out);
        add_mark(cell, out);
        return;
    }
    if (digits < 0) {
        result_numbers_print(value, out);
        return;
    }
    if (column->type == RESULT_P) { /* no p is 0, whatever the digits */
        result_numbers_add_p(value, out);
        return;
    }
    if (column->type == RESULT_RANK && value == floor(value))
        digits = 0;
    buf_add_thousands(out, value, digits);
    if (share)
        buf_add_char(out, '%');
    add_interval(cell, scale, digits, out);
    if (cell->small)
        buf_add_char(out, '*');
    add_mark(cell, out);
}

static int levels_of(const struct result_table *table)
{
    int levels = 1;

    for (size_t r = 0; r < table->row_count; r++)
        if (table->rows[r].level + 1 > levels)
            levels = table->rows[r].level + 1;
    return levels;
}

static struct str name_at(const struct result_table *table, size_t r, int level)
{
    while (table->rows[r].level > level)
        r = table->rows[r].parent;
    return table->rows[r].level == level ? table->rows[r].name : (struct str){0};
}

/* The ends of a column's intervals have columns of their own. */
static void add_csv_heading(const struct result_table *table, size_t c, struct str name,
                            struct buf *out)
{
    static const char *const ends[] = {"", " low", " high"};
    bool other =
        table->confidence > 0 && fabs(table->confidence - RESULT_CONFIDENCE) > 1e-9;

    for (size_t e = 0; e < (table->columns[c].interval ? ROWS_OF(ends) : 1); e++) {
        struct buf heading = {0};
        buf_add_format(&heading, "%.*s%s", STR_ARG(name), ends[e]);
        if (e > 0 && other)
            buf_add_format(&heading, " (%.4g%%)", 100 * table->confidence);
        buf_add_char(out, ',');
        buf_add_csv(out, buf_str(&heading));
        buf_free(&heading);
    }
}

static void add_csv_end(double value, struct buf *out)
{
    buf_add_char(out, ',');
    if (!isnan(value))
        result_numbers_print(value, out);
}

/* The last field of a table with `reasons`: "EM: fewer than 5 labelled items". */
static void add_csv_reasons(const struct result_table *table, size_t r, struct buf *out)
{
    struct buf all = {0};

    for (size_t c = 0; c < table->column_count; c++) {
        const char *why = result_reason(table, r, c);
        if (why == NULL)
            continue;
        buf_add(&all, all.len > 0 ? STR("; ") : STR(""));
        result_heading(&table->columns[c], &all);
        buf_add_format(&all, ": %s", why);
    }
    buf_add_char(out, ',');
    buf_add_csv(out, buf_str(&all));
    buf_free(&all);
}

void result_table_text_csv(const struct result_table *table, struct buf *out)
{
    int levels = levels_of(table);
    struct buf heading = {0};

    for (int level = 0; level < levels; level++)
        buf_add_format(out, "%sgroup%d", level > 0 ? "," : "", level + 1);
    for (size_t h = 0; h < table->column_count; h++) {
        buf_clear(&heading);
        result_heading(&table->columns[h], &heading);
        add_csv_heading(table, h, buf_str(&heading), out);
    }
    buf_add(out, table->reasons ? STR(",undefined\n") : STR("\n"));
    for (size_t r = 0; r < table->row_count; r++) {
        for (int level = 0; level < levels; level++) {
            if (level > 0)
                buf_add_char(out, ',');
            buf_add_csv(out, name_at(table, r, level));
        }
        for (size_t h = 0; h < table->column_count; h++) {
            const struct result_cell *cell = &table->cells[r * table->column_count + h];
            buf_add_char(out, ',');
            if (table->columns[h].type == RESULT_TEXT)
                buf_add_csv(out, cell->text);
            else if (cell->undefined == NULL)
                result_numbers_print(cell->value, out);
            if (table->columns[h].interval) {
                add_csv_end(cell->low, out);
                add_csv_end(cell->high, out);
            }
        }
        if (table->reasons)
            add_csv_reasons(table, r, out);
        buf_add_char(out, '\n');
    }
    buf_free(&heading);
}

static void add_step_number(double value, enum result_type type, struct buf *out)
{
    buf_add_char(out, ',');
    if (isnan(value))
        return;
    if (type == RESULT_COUNT)
        buf_add_format(out, "%.0f", value);
    else if (type != RESULT_SHARE && value == floor(value))
        buf_add_format(out, "%.1f", value); /* what is no count keeps its point */
    else
        result_numbers_print(value, out);
}

static void add_step_row(const struct result_table *table, size_t r, int levels,
                         struct buf *out)
{
    for (int level = 0; level < levels; level++) {
        if (level > 0)
            buf_add_char(out, ',');
        buf_add_csv(out, name_at(table, r, level));
    }
    for (size_t c = 0; c < table->column_count; c++) {
        const struct result_cell *cell = &table->cells[r * table->column_count + c];
        const struct result_column *column = &table->columns[c];
        if (column->type == RESULT_TEXT) {
            buf_add_char(out, ',');
            buf_add_csv(out, cell->text);
            continue;
        }
        add_step_number(cell->value, column->type, out);
        if (column->interval) {
            add_step_number(cell->low, column->type, out);
            add_step_number(cell->high, column->type, out);
        }
    }
    buf_add_char(out, '\n');
}

void result_table_text_step(const struct result_table *table, const char *heads,
                            struct buf *out)
{
    int levels = levels_of(table);

    buf_add_format(out, "%s", heads);
    for (size_t c = 0; c < table->column_count; c++)
        add_csv_heading(table, c, table->columns[c].name, out);
    buf_add_char(out, '\n');
    for (size_t r = 0; r < table->row_count; r++)
        if (table->rows[r].level + 1 == levels)
            add_step_row(table, r, levels, out);
}

static void add_string(const char *key, struct str text, struct buf *out)
{
    buf_add_format(out, "\"%s\":\"", key);
    buf_add_json(out, text);
    buf_add_char(out, '"');
}

static void add_cell_json(const struct result_cell *cell, enum result_type type,
                          struct buf *out)
{
    if (type == RESULT_TEXT) {
        buf_add_char(out, '{');
        add_string("text", cell->text, out);
        buf_add_char(out, '}');
        return;
    }
    buf_add(out, STR("{\"value\":"));
    if (cell->undefined != NULL) {
        buf_add(out, STR("null,"));
        add_string("undefined", str_from(cell->undefined), out);
    } else {
        result_numbers_print(cell->value, out);
    }
    buf_add_format(out, ",\"n\":%lld", (long long)cell->n);
    if (!isnan(cell->low)) {
        buf_add(out, STR(",\"low\":"));
        result_numbers_print(cell->low, out);
    }
    if (!isnan(cell->high)) {
        buf_add(out, STR(",\"high\":"));
        if (isinf(cell->high)) /* JSON has no word for it */
            buf_add(out, STR("null"));
        else
            result_numbers_print(cell->high, out);
    }
    if (cell->no_interval != NULL) {
        buf_add_char(out, ',');
        add_string("no_interval", str_from(cell->no_interval), out);
    }
    if (cell->small)
        buf_add(out, STR(",\"small\":true"));
    buf_add_char(out, '}');
}

void result_table_text_json(const struct result_table *table, struct buf *out)
{
    buf_add_char(out, '{');
    add_string("table", table->name, out);
    buf_add_char(out, ',');
    add_string("title", table->title, out);
    buf_add(out, STR(",\n\"columns\":["));
    for (size_t h = 0; h < table->column_count; h++) {
        const struct result_column *head = &table->columns[h];
        buf_add(out, h > 0 ? STR(",\n{") : STR("\n{"));
        add_string("path", head->path, out);
        buf_add_char(out, ',');
        add_string("across", head->across, out);
        buf_add_char(out, ',');
        add_string("name", head->name, out);
        buf_add_char(out, ',');
        add_string("measure", head->measures, out);
        buf_add_char(out, ',');
        add_string("unit", result_unit(head), out);
        buf_add_char(out, '}');
    }
    buf_add(out, STR("],\n\"rows\":["));
    for (size_t r = 0; r < table->row_count; r++) {
        const struct result_row *row = &table->rows[r];
        buf_add(out, r > 0 ? STR(",\n{") : STR("\n{"));
        add_string("path", row->path, out);
        buf_add_char(out, ',');
        add_string("name", row->name, out);
        buf_add_format(out, ",\"level\":%d,\"n\":%lld%s,\"cells\":[", row->level,
                       (long long)row->n, row->total ? ",\"total\":true" : "");
        for (size_t h = 0; h < table->column_count; h++) {
            if (h > 0)
                buf_add_char(out, ',');
            add_cell_json(&table->cells[r * table->column_count + h],
                          table->columns[h].type, out);
        }
        buf_add(out, STR("]}"));
    }
    buf_add(out, STR("],\n\"notes\":["));
    for (size_t i = 0; i < table->note_count; i++) {
        buf_add(out, i > 0 ? STR(",\n\"") : STR("\n\""));
        buf_add_json(out, table->notes[i]);
        buf_add_char(out, '"');
    }
    buf_add(out, STR("]}\n"));
}

void result_table_text_markdown(const struct result_table *table, struct buf *out)
{
    struct buf cell = {0};

    buf_add(out, STR("# "));
    buf_add_markdown(out, table->title.len > 0 ? table->title : table->name);
    buf_add(out, STR("\n\n| "));
    buf_add_markdown(out, table->corner);
    for (size_t h = 0; h < table->column_count; h++) {
        buf_clear(&cell);
        result_heading(&table->columns[h], &cell);
        buf_add(out, STR(" | "));
        buf_add_markdown(out, buf_str(&cell));
    }
    buf_add(out, STR(" |\n|---|"));
    for (size_t h = 0; h < table->column_count; h++)
        buf_add(out, table->columns[h].type == RESULT_TEXT ? STR("---|") : STR("---:|"));
    buf_add_char(out, '\n');
    for (size_t r = 0; r < table->row_count; r++) {
        buf_add(out, STR("| "));
        for (int i = 0; i < table->rows[r].level; i++)
            buf_add(out, STR("&nbsp;&nbsp;"));
        buf_add_markdown(out, table->rows[r].name);
        for (size_t h = 0; h < table->column_count; h++) {
            buf_clear(&cell);
            result_table_text_cell(&table->cells[r * table->column_count + h],
                                   &table->columns[h], &cell);
            buf_add(out, STR(" | "));
            if (table->columns[h].type == RESULT_TEXT)
                buf_add_markdown(out, buf_str(&cell));
            else
                buf_add(out, buf_str(&cell));
        }
        buf_add(out, STR(" |\n"));
    }
    for (size_t i = 0; i < table->note_count; i++) {
        buf_add(out, STR("\n"));
        buf_add_markdown(out, table->notes[i]);
        buf_add_char(out, '\n');
    }
    buf_free(&cell);
}
