/* Numbers are formatted here and nowhere else. */
#include "measure/table_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "measure/numbers.h"

static bool is_share(const struct measure *measure)
{
    return measure->kind == MEASURE_SHARE || measure->kind == MEASURE_PART;
}

static int digits_of(const struct study_column *column)
{
    switch (column->measure.kind) {
    case MEASURE_COUNT:
    case MEASURE_DISTINCT:
        return 0;
    case MEASURE_SUM:
    case MEASURE_MIN:
    case MEASURE_MAX:
        return measure_is_time(&column->measure) ? 2 : 0;
    case MEASURE_RANK:
        return 1;
    default:
        return 2;
    }
}

void table_text_cell(const struct cell *cell, const struct study_column *column,
                     struct buf *out)
{
    int digits = column->digits >= 0 ? column->digits : digits_of(column);
    bool share = is_share(&column->measure);
    double scale = share ? 100 : 1, value = cell->value * scale;

    if (cell->undefined != NULL) {
        buf_add(out, STR("–"));
        return;
    }
    if (column->measure.kind == MEASURE_EACH && column->digits < 0) {
        numbers_print(value, out);
        return;
    }
    /* A rank is whole unless it is shared. */
    if (column->measure.kind == MEASURE_RANK && value == floor(value))
        digits = 0;
    buf_add_thousands(out, value, digits);
    if (share)
        buf_add_char(out, '%');
    if (!isnan(cell->low) && !isnan(cell->high)) {
        buf_add(out, STR(" ["));
        buf_add_thousands(out, cell->low * scale, digits);
        buf_add(out, STR(", "));
        buf_add_thousands(out, cell->high * scale, digits);
        buf_add_char(out, ']');
    }
    if (cell->small)
        buf_add_char(out, '*');
    if (cell->mark != 0)
        buf_add_format(out, " (%c)", cell->mark);
}

static int levels_of(const struct table *table)
{
    int levels = 1;

    for (size_t r = 0; r < table->row_count; r++)
        if (table->rows[r].level + 1 > levels)
            levels = table->rows[r].level + 1;
    return levels;
}

static struct str name_at(const struct table *table, size_t r, int level)
{
    while (table->rows[r].level > level)
        r = table->rows[r].parent;
    return table->rows[r].level == level ? table->rows[r].name : (struct str){0};
}

static struct str slug_at(const struct table *table, size_t r, int level)
{
    while (table->rows[r].level > level)
        r = table->rows[r].parent;
    return table->rows[r].slug;
}

void table_text_heading(const struct table_head *head, struct buf *out)
{
    buf_add(out, head->across);
    if (head->across.len > 0)
        buf_add(out, STR(": "));
    buf_add(out, head->name);
}

void table_text_csv(const struct table *table, struct buf *out)
{
    int levels = levels_of(table);
    struct buf heading = {0};

    for (int level = 0; level < levels; level++)
        buf_add_format(out, "%sgroup%d", level > 0 ? "," : "", level + 1);
    for (size_t h = 0; h < table->head_count; h++) {
        buf_clear(&heading);
        table_text_heading(&table->heads[h], &heading);
        buf_add_char(out, ',');
        buf_add_csv(out, buf_str(&heading));
    }
    buf_add_char(out, '\n');
    for (size_t r = 0; r < table->row_count; r++) {
        for (int level = 0; level < levels; level++) {
            if (level > 0)
                buf_add_char(out, ',');
            buf_add_csv(out, name_at(table, r, level));
        }
        for (size_t h = 0; h < table->head_count; h++) {
            const struct cell *cell = &table->cells[r * table->head_count + h];
            buf_add_char(out, ',');
            if (cell->undefined == NULL)
                numbers_print(cell->value, out);
        }
        buf_add_char(out, '\n');
    }
    buf_free(&heading);
}

static void add_string(const char *key, struct str text, struct buf *out)
{
    buf_add_format(out, "\"%s\":\"", key);
    buf_add_json(out, text);
    buf_add_char(out, '"');
}

static void add_cell_json(const struct cell *cell, struct buf *out)
{
    buf_add(out, STR("{\"value\":"));
    if (cell->undefined != NULL) {
        buf_add(out, STR("null,"));
        add_string("undefined", str_from(cell->undefined), out);
    } else {
        numbers_print(cell->value, out);
    }
    buf_add_format(out, ",\"n\":%lld", (long long)cell->n);
    if (!isnan(cell->low)) {
        buf_add(out, STR(",\"low\":"));
        numbers_print(cell->low, out);
    }
    if (!isnan(cell->high)) {
        buf_add(out, STR(",\"high\":"));
        numbers_print(cell->high, out);
    }
    if (cell->no_interval != NULL) {
        buf_add_char(out, ',');
        add_string("no_interval", str_from(cell->no_interval), out);
    }
    if (cell->small)
        buf_add(out, STR(",\"small\":true"));
    buf_add_char(out, '}');
}

void table_text_json(const struct table *table, struct buf *out)
{
    buf_add_char(out, '{');
    add_string("table", table->name, out);
    buf_add_char(out, ',');
    add_string("title", table->title, out);
    buf_add(out, STR(",\n\"columns\":["));
    for (size_t h = 0; h < table->head_count; h++) {
        const struct table_head *head = &table->heads[h];
        buf_add(out, h > 0 ? STR(",\n{") : STR("\n{"));
        add_string("path", head->path, out);
        buf_add_char(out, ',');
        add_string("across", head->across, out);
        buf_add_char(out, ',');
        add_string("name", head->name, out);
        buf_add_char(out, ',');
        add_string("measure", head->column->text, out);
        buf_add_char(out, ',');
        add_string("unit", measure_unit(&head->column->measure), out);
        buf_add_char(out, '}');
    }
    buf_add(out, STR("],\n\"rows\":["));
    for (size_t r = 0; r < table->row_count; r++) {
        const struct table_row *row = &table->rows[r];
        buf_add(out, r > 0 ? STR(",\n{") : STR("\n{"));
        add_string("path", row->path, out);
        buf_add_char(out, ',');
        add_string("name", row->name, out);
        buf_add_format(out, ",\"level\":%d,\"n\":%lld%s,\"cells\":[", row->level,
                       (long long)row->n, row->total ? ",\"total\":true" : "");
        for (size_t h = 0; h < table->head_count; h++) {
            if (h > 0)
                buf_add_char(out, ',');
            add_cell_json(&table->cells[r * table->head_count + h], out);
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

void table_text_numbers(const struct table *table, struct buf *out)
{
    struct buf row = {0}, heading = {0};

    numbers_head(out);
    for (size_t r = 0; r < table->row_count; r++) {
        buf_clear(&row);
        for (int level = 0; level <= table->rows[r].level; level++) {
            if (level > 0)
                buf_add_char(&row, '/');
            buf_add(&row, slug_at(table, r, level));
        }
        for (size_t h = 0; h < table->head_count; h++) {
            const struct cell *cell = &table->cells[r * table->head_count + h];
            buf_clear(&heading);
            table_text_heading(&table->heads[h], &heading);
            numbers_add(
                out, &(struct number){.row = buf_str(&row),
                                      .column = table->heads[h].path,
                                      .value = cell->value,
                                      .low = cell->low,
                                      .high = cell->high,
                                      .n = cell->n,
                                      .undefined = str_from(
                                          cell->undefined != NULL ? cell->undefined : ""),
                                      .total_row = table->rows[r].total,
                                      .total_column = table->heads[h].total,
                                      .label = table->rows[r].name,
                                      .heading = buf_str(&heading)});
        }
    }
    buf_free(&row);
    buf_free(&heading);
}

void table_text_markdown(const struct table *table, struct buf *out)
{
    struct buf cell = {0};

    buf_add(out, STR("# "));
    buf_add_markdown(out, table->title.len > 0 ? table->title : table->name);
    buf_add(out, STR("\n\n| "));
    buf_add_markdown(out, table->corner);
    for (size_t h = 0; h < table->head_count; h++) {
        buf_clear(&cell);
        table_text_heading(&table->heads[h], &cell);
        buf_add(out, STR(" | "));
        buf_add_markdown(out, buf_str(&cell));
    }
    buf_add(out, STR(" |\n|---|"));
    for (size_t h = 0; h < table->head_count; h++)
        buf_add(out, STR("---:|"));
    buf_add_char(out, '\n');
    for (size_t r = 0; r < table->row_count; r++) {
        buf_add(out, STR("| "));
        for (int i = 0; i < table->rows[r].level; i++)
            buf_add(out, STR("&nbsp;&nbsp;"));
        buf_add_markdown(out, table->rows[r].name);
        for (size_t h = 0; h < table->head_count; h++) {
            buf_add(out, STR(" | "));
            table_text_cell(&table->cells[r * table->head_count + h],
                            table->heads[h].column, out);
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
