/* Tables in documents: escapes, links to items behind numbers, long tables. */
#include <math.h>
#include <string.h>

#include "measure/table_text.h"
#include "tests/tap.h"

enum { ITEMS = 150 };

static bool holds(struct buf *got, const char *part)
{
    buf_add_char(got, '\0');
    got->len--;
    return strstr(got->ptr, part) != NULL;
}

/* Two rows (items 0..119 and 120..149), two groups across (even and odd items). */
static struct table example(struct arena *arena)
{
    static struct study_column column = {.text = STR_INIT("count"),
                                         .name = STR_INIT("count"),
                                         .slug = STR_INIT("count"),
                                         .digits = -1};
    static int64_t ids[ITEMS];
    struct table table = {.name = STR("t_1"), .title = STR("50% & <more>"), .ids = ids};

    table.rows = arena_array(arena, struct table_row, 3);
    table.heads = arena_array(arena, struct table_head, 2);
    table.cells = arena_array(arena, struct cell, 6);
    table.notes = arena_array(arena, struct str, 1);
    table.notes[table.note_count++] = STR("100% #1");
    table.rows[0] =
        (struct table_row){.name = STR("a_b"), .path = STR("a_b"), .leaf = true};
    table.rows[1] =
        (struct table_row){.name = STR("c & d"), .path = STR("c-d"), .leaf = true};
    table.rows[2] = (struct table_row){
        .name = STR("total"), .path = STR("total"), .total = true, .leaf = true};
    table.row_count = 3;
    for (size_t r = 0; r < 3; r++) {
        table.rows[r].parent = STUDY_NONE;
        table.rows[r].bits = bits_make(ITEMS, arena);
    }
    for (size_t h = 0; h < 2; h++)
        table.heads[h] =
            (struct table_head){.across = h == 0 ? STR("even") : STR("odd"),
                                .name = STR("count"),
                                .path = h == 0 ? STR("even.count") : STR("odd.count"),
                                .column = &column,
                                .bits = bits_make(ITEMS, arena)};
    table.head_count = 2;
    for (size_t i = 0; i < ITEMS; i++) {
        ids[i] = (int64_t)i + 1000;
        bits_set(table.rows[i < 120 ? 0 : 1].bits, i);
        bits_set(table.rows[2].bits, i);
        bits_set(table.heads[i % 2].bits, i);
    }
    for (size_t c = 0; c < 6; c++)
        table.cells[c] = (struct cell){.value = 60, .low = NAN, .high = NAN, .n = 60};
    table.cells[3] = (struct cell){
        .value = NAN, .undefined = "the \"group\" is empty", .low = NAN, .high = NAN};
    return table;
}

static void check_latex(struct table *table, struct buf *out)
{
    tap_case("latex: everything that LaTeX reads otherwise is escaped");
    table_text_latex(table, out);
    CHECK(holds(out, "\\caption{50\\% \\& \\textless{}more\\textgreater{}}"));
    CHECK(holds(out, "{}a\\_b & 60 & 60 \\\\\n"));
    CHECK(holds(out, "{}c \\& d & 60 & – \\\\\n"));
    CHECK(holds(out, "\\midrule\n{}total"));
    CHECK(holds(out, "100\\% \\#1"));
    CHECK(holds(out, "\\begin{tabular}{lrr}\n\\toprule"));
    buf_clear(out);
    tap_case("latex: a long table breaks over pages");
    size_t rows = table->row_count;
    table->row_count = 41;
    struct table_row *few = table->rows, many[41];
    struct cell *own = table->cells, cells[82];
    for (size_t r = 0; r < 41; r++) {
        many[r] = few[0];
        cells[2 * r] = cells[2 * r + 1] = own[0];
    }
    table->rows = many;
    table->cells = cells;
    table_text_latex(table, out);
    CHECK(holds(out, "\\begin{longtable}{lrr}") && holds(out, "\\endhead") &&
          holds(out, "\\end{longtable}"));
    buf_clear(out);
    table->rows = few;
    table->cells = own;
    table->row_count = rows;
}

static void check_html(const struct table *table, struct buf *out)
{
    struct behind_cell cells[6];
    struct behind behind = {.cells = cells, .cell_count = ROWS(cells)};

    for (size_t c = 0; c < ROWS(cells); c++)
        cells[c] = (struct behind_cell){.number = c, .list = c < 2 ? 7 : BEHIND_NONE};
    tap_case("html: names are escaped, numbers lead to their items");
    table_text_html(table, &behind, out);
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
    behind.cut = true;
    buf_clear(out);
    table_text_html(table, &behind, out);
    CHECK(holds(out, "those after the first 2000 lists of items do not lead to theirs"));
    buf_clear(out);
}

int main(void)
{
    struct arena arena = {0};
    struct buf out = {0};
    struct table table = example(&arena);

    check_latex(&table, &out);
    check_html(&table, &out);
    buf_free(&out);
    arena_free(&arena);
    return tap_done();
}
