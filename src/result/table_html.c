/* A table in the report: an element of HTML. */
#include <math.h>
#include <string.h>

#include "result/table_text.h"

/* An interval stays on one line. */
static void add_number(struct str text, struct buf *out)
{
    size_t from = 0;

    for (size_t i = 0; i + 1 < text.len; i++)
        if (text.ptr[i] == ',' && text.ptr[i + 1] == ' ') {
            buf_add_xml(out, str_slice(text, from, i + 1));
            buf_add(out, STR("&#160;"));
            from = i + 2;
        }
    buf_add_xml(out, str_slice(text, from, text.len));
}

static void add_html_cell(const struct result_table *table, size_t r, size_t h,
                          struct buf *out)
{
    size_t number = r * table->column_count + h;
    const struct result_cell *cell = &table->cells[number];
    struct buf text = {0};

    result_table_text_cell(cell, &table->columns[h], &text);
    buf_add(out, STR("<td"));
    if (table->columns[h].type == RESULT_TEXT) {
        buf_add(out, STR(" class=\"words\""));
    } else if (cell->undefined == NULL) {
        buf_add(out, STR(" data-value=\""));
        buf_add_format(out, "%.17g\"", cell->value);
    } else {
        buf_add_html(out, " title=\"%\"", str_from(cell->undefined));
    }
    buf_add_char(out, '>');
    if (cell->list != NULL)
        buf_add_format(out, "<a href=\"rows/%.*s/%zu.html#c%zu\">", STR_ARG(table->name),
                       cell->list->number, number);
    if (table->columns[h].type == RESULT_TEXT)
        buf_add_xml(out, buf_str(&text));
    else
        add_number(buf_str(&text), out);
    if (cell->list != NULL)
        buf_add(out, STR("</a>"));
    buf_add(out, STR("</td>"));
    buf_free(&text);
}

void result_table_text_html(const struct result_table *table, struct buf *out)
{
    struct buf text = {0};

    buf_add_html(out, "<table class=\"numbers\">\n<thead><tr><th scope=\"col\">%</th>",
                 table->corner);
    for (size_t h = 0; h < table->column_count; h++) {
        buf_clear(&text);
        result_heading(&table->columns[h], &text);
        buf_add_format(out, "<th scope=\"col\"%s>",
                       table->columns[h].type == RESULT_TEXT ? " class=\"words\"" : "");
        buf_add_html(out, "%</th>", buf_str(&text));
    }
    buf_add(out, STR("</tr></thead>\n<tbody>\n"));
    for (size_t r = 0; r < table->row_count; r++) {
        buf_add_format(out, "<tr%s><th scope=\"row\" class=\"level%d\">",
                       table->rows[r].total ? " class=\"total\"" : "",
                       table->rows[r].level);
        buf_add_xml(out, table->rows[r].name);
        buf_add(out, STR("</th>"));
        for (size_t h = 0; h < table->column_count; h++)
            add_html_cell(table, r, h, out);
        buf_add(out, STR("</tr>\n"));
    }
    buf_add(out, STR("</tbody></table>\n"));
    for (size_t i = 0; i < table->note_count; i++)
        buf_add_html(out, "<p class=\"note\">%</p>\n", table->notes[i]);
    if (table->cut)
        buf_add_format(out,
                       "<p class=\"note\">This table has very many numbers: those after "
                       "the first %d lists of items do not lead to theirs.</p>\n",
                       RESULT_LISTS_MAX);
    buf_free(&text);
}
