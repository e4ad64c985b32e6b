/* A table in documents: LaTeX for papers, HTML for the report. */
#include <math.h>
#include <string.h>

#include "measure/table_text.h"

static void add_heading_text(const struct table_head *head, struct buf *out)
{
    buf_add(out, head->across);
    if (head->across.len > 0)
        buf_add(out, STR(": "));
    buf_add(out, head->name);
}

static bool is_long(const struct table *table)
{
    return table->row_count > 40;
}

static void add_latex_heads(const struct table *table, struct buf *out)
{
    struct buf text = {0};

    for (size_t h = 0; h < table->head_count; h++) {
        buf_clear(&text);
        add_heading_text(&table->heads[h], &text);
        buf_add(out, STR(" & \\multicolumn{1}{r}{"));
        buf_add_latex(out, buf_str(&text));
        buf_add_char(out, '}');
    }
    buf_add(out, STR(" \\\\\n\\midrule\n"));
    buf_free(&text);
}

static void add_latex_rows(const struct table *table, struct buf *out)
{
    struct buf text = {0};

    for (size_t r = 0; r < table->row_count; r++) {
        if (table->rows[r].total)
            buf_add(out, STR("\\midrule\n"));
        if (table->rows[r].level > 0)
            buf_add_format(out, "\\hspace{%dem}", table->rows[r].level);
        buf_add(out, STR("{}")); /* a name that begins with [ or * belongs to no \\ */
        buf_add_latex(out, table->rows[r].name);
        for (size_t h = 0; h < table->head_count; h++) {
            buf_clear(&text);
            table_text_cell(&table->cells[r * table->head_count + h],
                            table->heads[h].column, &text);
            buf_add(out, STR(" & "));
            buf_add_latex(out, buf_str(&text));
        }
        buf_add(out, STR(" \\\\\n"));
    }
    buf_free(&text);
}

static void add_latex_notes(const struct table *table, struct buf *out)
{
    for (size_t i = 0; i < table->note_count; i++) {
        buf_add(out, STR("\\par\\footnotesize "));
        buf_add_latex(out, table->notes[i]);
        buf_add_char(out, '\n');
    }
}

void table_text_latex(const struct table *table, struct buf *out)
{
    bool longer = is_long(table);
    struct str caption = table->title.len > 0 ? table->title : table->name;

    buf_add(out, STR("% needs booktabs"));
    buf_add(out, longer ? STR(" and longtable\n\\begin{longtable}{l")
                        : STR("\n\\begin{table}\n\\centering\n\\caption{"));
    if (!longer) {
        buf_add_latex(out, caption);
        buf_add(out, STR("}\n\\label{tab:"));
        buf_add(out, table->name);
        buf_add(out, STR("}\n\\begin{tabular}{l"));
    }
    for (size_t h = 0; h < table->head_count; h++)
        buf_add_char(out, 'r');
    buf_add(out, STR("}\n"));
    if (longer) {
        buf_add(out, STR("\\caption{"));
        buf_add_latex(out, caption);
        buf_add(out, STR("}\\label{tab:"));
        buf_add(out, table->name);
        buf_add(out, STR("} \\\\\n"));
    }
    buf_add(out, STR("\\toprule\n"));
    add_latex_heads(table, out);
    if (longer)
        buf_add(out, STR("\\endhead\n"));
    add_latex_rows(table, out);
    buf_add(out, STR("\\bottomrule\n"));
    buf_add(out, longer ? STR("\\end{longtable}\n") : STR("\\end{tabular}\n"));
    add_latex_notes(table, out);
    if (!longer)
        buf_add(out, STR("\\end{table}\n"));
}

/* Groups of cells with the same items behind them; 0 when nothing is known of them. */
static size_t measures_of(const struct table *table)
{
    size_t count = 1;

    while (count < table->head_count &&
           str_eq(table->heads[count].across, table->heads[0].across))
        count++;
    return count;
}

static int64_t count_items(const struct table *table, size_t r, size_t h)
{
    struct bits row = table->rows[r].bits, across = table->heads[h].bits;
    int64_t count = 0;

    for (size_t i = bits_next(row, 0); table->ids != NULL && i < row.count;
         i = bits_next(row, i + 1))
        count += bits_has(across, i);
    return count;
}

void table_text_first(const struct table *table, struct buf *out)
{
    size_t measures = measures_of(table);

    buf_add(out, STR("row,across,items,ids\n"));
    for (size_t r = 0; table->ids != NULL && r < table->row_count; r++)
        for (size_t h = 0; h < table->head_count; h += measures) {
            struct bits row = table->rows[r].bits, across = table->heads[h].bits;
            int listed = 0;
            buf_add_csv(out, table->rows[r].path);
            buf_add_char(out, ',');
            buf_add_csv(out, table->heads[h].across);
            buf_add_format(out, ",%lld,", (long long)count_items(table, r, h));
            for (size_t i = bits_next(row, 0); i < row.count && listed < TABLE_TEXT_FIRST;
                 i = bits_next(row, i + 1)) {
                if (!bits_has(across, i))
                    continue;
                if (listed++ > 0)
                    buf_add_char(out, ' ');
                buf_add_int(out, table->ids[i]);
            }
            buf_add_char(out, '\n');
        }
}

void table_text_items(const struct table *table, struct buf *out)
{
    size_t measures = measures_of(table);

    buf_add(out, STR("row,across,id\n"));
    for (size_t r = 0; table->ids != NULL && r < table->row_count; r++) {
        struct bits row = table->rows[r].bits;
        if (!table->rows[r].leaf || table->rows[r].total)
            continue;
        for (size_t h = 0; h < table->head_count; h += measures) {
            struct bits across = table->heads[h].bits;
            if (table->heads[h].total)
                continue;
            for (size_t i = bits_next(row, 0); i < row.count; i = bits_next(row, i + 1)) {
                if (!bits_has(across, i))
                    continue;
                buf_add_csv(out, table->rows[r].path);
                buf_add_char(out, ',');
                buf_add_csv(out, table->heads[h].across);
                buf_add_char(out, ',');
                buf_add_int(out, table->ids[i]);
                buf_add_char(out, '\n');
            }
        }
    }
}

static void add_html_cell(const struct table *table, size_t r, size_t h, size_t measures,
                          struct buf *out)
{
    const struct cell *cell = &table->cells[r * table->head_count + h];
    size_t group = (r * table->head_count + h) / measures;
    bool linked = group < TABLE_TEXT_PAGES && count_items(table, r, h) > 0;
    struct buf text = {0};

    table_text_cell(cell, table->heads[h].column, &text);
    buf_add(out, STR("<td"));
    if (cell->undefined == NULL) {
        buf_add(out, STR(" data-value=\""));
        buf_add_format(out, "%.17g\"", cell->value);
    } else {
        buf_add(out, STR(" title=\""));
        buf_add_xml(out, str_from(cell->undefined));
        buf_add_char(out, '"');
    }
    buf_add_char(out, '>');
    if (linked)
        buf_add_format(out, "<a href=\"rows/%.*s/%zu.html\">", STR_ARG(table->name),
                       group);
    buf_add_xml(out, buf_str(&text));
    if (linked)
        buf_add(out, STR("</a>"));
    buf_add(out, STR("</td>"));
    buf_free(&text);
}

void table_text_html(const struct table *table, struct buf *out)
{
    size_t measures = measures_of(table);
    struct buf text = {0};

    buf_add(out, STR("<table class=\"numbers\">\n<thead><tr><th scope=\"col\"></th>"));
    for (size_t h = 0; h < table->head_count; h++) {
        buf_clear(&text);
        add_heading_text(&table->heads[h], &text);
        buf_add(out, STR("<th scope=\"col\">"));
        buf_add_xml(out, buf_str(&text));
        buf_add(out, STR("</th>"));
    }
    buf_add(out, STR("</tr></thead>\n<tbody>\n"));
    for (size_t r = 0; r < table->row_count; r++) {
        buf_add_format(out, "<tr%s><th scope=\"row\" class=\"level%d\">",
                       table->rows[r].total ? " class=\"total\"" : "",
                       table->rows[r].level);
        buf_add_xml(out, table->rows[r].name);
        buf_add(out, STR("</th>"));
        for (size_t h = 0; h < table->head_count; h++)
            add_html_cell(table, r, h, measures, out);
        buf_add(out, STR("</tr>\n"));
    }
    buf_add(out, STR("</tbody></table>\n"));
    for (size_t i = 0; i < table->note_count; i++) {
        buf_add(out, STR("<p class=\"note\">"));
        buf_add_xml(out, table->notes[i]);
        buf_add(out, STR("</p>\n"));
    }
    buf_free(&text);
}
