/* Tables in documents: escapes, links to items behind numbers, long tables. */
#include <math.h>
#include <string.h>

#include "result/table_text.h"
#include "tests/tap.h"

static bool holds(struct buf *got, const char *part)
{
    buf_add_char(got, '\0');
    got->len--;
    return strstr(got->ptr, part) != NULL;
}

/* Two rows and a total, two groups across. */
static struct result_table example(struct arena *arena)
{
    static struct result_column columns[2];

    for (size_t c = 0; c < 2; c++)
        columns[c] = (struct result_column){.type = RESULT_COUNT,
                                            .across = c == 0 ? STR("even") : STR("odd"),
                                            .name = STR("count")};
    struct result_table table = result_new(STR("t_1"), columns, 2, arena);
    static const char *const names[] = {"a_b", "c & d", "total"};
    table.title = STR("50% & <more>");
    result_add_note(&table, STR("100% #1"), arena);
    for (size_t r = 0; r < ROWS(names); r++) {
        struct result_cell *cells =
            result_add_row(&table, str_from(names[r]), RESULT_NONE, arena);
        cells[0] = cells[1] = result_count(60);
    }
    table.rows[2].total = true;
    table.cells[3] = result_number(NAN);
    table.cells[3].undefined = "the \"group\" is empty";
    return table;
}

static void check_latex(struct result_table *table, struct buf *out)
{
    tap_case("latex: everything that LaTeX reads otherwise is escaped");
    result_table_text_latex(table, out);
    CHECK(holds(out, "\\caption{50\\% \\& \\textless{}more\\textgreater{}}"));
    CHECK(holds(out, "{}a\\_b & 60 & 60 \\\\\n"));
    CHECK(holds(out, "{}c \\& d & 60 & – \\\\\n"));
    CHECK(holds(out, "\\midrule\n{}total"));
    CHECK(holds(out, "100\\% \\#1"));
    CHECK(holds(out, "\\begin{tabular}{@{}lrr@{}}\n\\toprule"));
    CHECK(holds(out, "\\begin{table}\n") && !holds(out, "(continued)"));
    buf_clear(out);
    tap_case("latex: a long table breaks over pages");
    size_t rows = table->row_count;
    table->row_count = 41;
    struct result_row *few = table->rows, many[41];
    struct result_cell *own = table->cells, cells[82];
    for (size_t r = 0; r < 41; r++) {
        many[r] = few[0];
        cells[2 * r] = cells[2 * r + 1] = own[0];
    }
    table->rows = many;
    table->cells = cells;
    result_table_text_latex(table, out);
    CHECK(holds(out, " (continued)}\n") && holds(out, "\\addtocounter{table}{-1}"));
    buf_clear(out);
    table->rows = few;
    table->cells = own;
    table->row_count = rows;
}

static void check_html(struct result_table *table, struct buf *out)
{
    struct result_list list = {.number = 7};

    table->cells[0].list = table->cells[1].list = &list;
    tap_case("html: names are escaped, numbers lead to their items");
    result_table_text_html(table, out);
    CHECK(holds(out, "<th scope=\"row\" class=\"level0\">c &amp; d</th>"));
    CHECK(holds(out, "<td data-value=\"60\"><a href=\"rows/t_1/7.html#c0\">60</a></td>"));
    CHECK(holds(out, "<a href=\"rows/t_1/7.html#c1\">"));
    CHECK(holds(out, "<tr class=\"total\">"));
    tap_case("html: a number without items is no link");
    CHECK(holds(out, "<td data-value=\"60\">60</td>"));
    tap_case("html: undefined says why");
    CHECK(holds(out, "<td title=\"the &quot;group&quot; is empty\">"));
    CHECK(!holds(out, "very many numbers"));
    tap_case("html: numbers that lead nowhere are told");
    table->cut = true;
    buf_clear(out);
    result_table_text_html(table, out);
    CHECK(holds(out, "those after the first 2000 lists of items do not lead to theirs"));
    buf_clear(out);
}

int main(void)
{
    struct arena arena = {0};
    struct buf out = {0};
    struct result_table table = example(&arena);

    check_latex(&table, &out);
    check_html(&table, &out);
    buf_free(&out);
    arena_free(&arena);
    return tap_done();
}
