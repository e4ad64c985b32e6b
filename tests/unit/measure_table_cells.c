/* Numbers of a table: what a share is a share of, and ranks. */
#include "measure/internal.h"

#include "tests/unit/tabled.h"

static const struct tabled_row rows[] = {
    {"sets as rows: the column is all of them",
     "{of: [a, c], totals: columns, small: 0, columns: [count, share of column, share]}",
     "group1,count,share of column,share\na,3,0.75,1\nc,1,0.25,1\ntotal,4,1,1\n", ""},
    {"sets over groups: a block each",
     "{of: [a, c], by: kind, totals: columns, small: 0, columns: [count, share, share of "
     "column]}",
     "group1,group2,count,share,share of column\n"
     "a,,3,1,1.5\na,x,1,0.3333333333333333,0.5\na,y,1,0.3333333333333333,0.5\n"
     "c,,1,1,1\nc,x,1,1,1\nc,y,0,0,0\n"
     "total,,3,0.75,1\n",
     "1 item belongs to no group of kind."},
    {"share of the column in the total of rows that overlap",
     "{by: four, totals: columns, columns: [count, share of column], small: 0}",
     "group1,count,share of column\nA,3,0.42857142857142855\nB,3,0.42857142857142855\n"
     "C,1,0.14285714285714285\nZ,0,0\ntotal,6,\n",
     "Rows overlap: their counts add up to 7, the total counts each of its 6 items once."
     "– undefined: items stand in several of the rows."},
    {"share of the row", "{by: year, across: tag, columns: share of row, small: 0}",
     "group1,A: share of row,B: share of row\n2018,1,0.5\n2019,0,1\n2020,,\n",
     "– undefined: the whole is empty.1 item belongs to no group of year."
     "1 item belongs to no group of tag."},
    {"share of the row does not change with a total beside it",
     "{by: year, across: tag, columns: share of row, small: 0, totals: rows}",
     "group1,A: share of row,B: share of row,total: share of row\n2018,1,0.5,1\n"
     "2019,0,1,1\n2020,,,\n",
     "– undefined: the whole is empty.1 item belongs to no group of year."
     "1 item belongs to no group of tag."},
    {"share of the census of the year",
     "{of: ab, by: year, columns: [count, share of census], small: 0}",
     "group1,count,share of census\n2018,2,0.2\n2019,2,0.5\n",
     "1 item belongs to no group of year."},
    {"share of the whole census", "{of: ab, columns: share of census}",
     "group1,share of census\nab,0.05\n", ""},
    {"ranks: largest first, ties share, a total has none",
     "{by: four, totals: columns, columns: [count, rank of count, rank of median views "
     "ascending], small: 0}",
     "group1,count,rank of count,rank of median views ascending\n"
     "A,3,1.5,1\nB,3,1.5,2\nC,1,3,3\nZ,0,4,\ntotal,6,,\n",
     "Rows overlap: their counts add up to 7, the total counts each of its 6 items once."
     "– undefined: the group is empty.– undefined: a total has no rank."},
    {"ranks are those among rows of one parent",
     "{of: ab, by: [kind, tag], columns: [count, rank of count]}",
     "group1,group2,count,rank of count\nx,,2,1.5\nx,A,1,1.5\nx,B,1,1.5\n"
     "y,,2,1.5\ny,A,1,2\ny,B,2,1\n",
     "Rows overlap: 1 item stands in several, and each counts."
     "1 item belongs to no group of kind."},
};

/* The census counts questions: commits and issues are no part of it. */
static void test_other_kinds(void)
{
    static const struct measured_post posts[] = {
        {.id = 1, .kind = ITEM_QUESTION, .tags = "<q>"},
        {.id = 2, .kind = ITEM_COMMIT, .tags = "<m><x>"},
        {.id = 3, .kind = ITEM_ISSUE, .tags = "<x>"},
    };
    const struct measured_inputs inputs = {
        .posts = posts,
        .post_count = ROWS(posts),
        .census = tabled_census,
        .census_count = ROWS(tabled_census),
        .study =
            "sets: {q: '[q]', m: '[m]', x: '[x]', all: '[q] or [x]'}\n"
            "tables: {t: {of: [q, m, x, all], columns: share of census, small: 0}}\n"};
    struct measured test;
    struct measure_table table;
    struct buf out = {0};

    tap_case("table: a share of the census is one of questions");
    if (measured_open(&test, &inputs) && CHECK(tabled_make(&test, &table) != NULL)) {
        result_table_text_csv(&table.shown, &out);
        measured_expect(
            &out,
            "group1,share of census,share of census low,"
            "share of census high\n"
            "q,0.01,0.001767432064140646,0.054486196178705294\nm,,,\nx,,,\nall,,,\n");
        for (size_t n = 0; n < table.shown.note_count; n++)
            buf_add(&out, table.shown.notes[n]);
        measured_expect(
            &out,
            "– undefined: the census counts questions; these are commits."
            "– undefined: the census counts questions; these are commits and issues."
            "– undefined: the census counts questions; these are questions, commits "
            "and issues.");
    }
    measured_close(&test);
    buf_free(&out);
}

int main(void)
{
    tabled_check(rows, ROWS(rows));
    test_other_kinds();
    return tap_done();
}
