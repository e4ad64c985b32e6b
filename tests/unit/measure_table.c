/* Tables: rows, columns, wholes of shares, totals, ranks, order, notes. Every number is
 * worked out by hand from the six questions below. */
#include "measure/table.h"

#include <math.h>
#include <string.h>

#include "measure/table_text.h"
#include "tests/unit/measured.h"

enum { NONE = MEASURED_NONE, YEAR = MEASURED_YEAR };

/*  id tags year views accepted after    [a]: 1 2 6   [b]: 2 3 4   [c]: 5
 *   1 a    2018 10    60 min            in:ab: 1 2 3 4 6
 *   2 a b  2018 30    120 min           kind x: 1 3 5, y: 2 4
 *   3 b    2019 20    -
 *   4 b    2019 -     -, one answer
 *   5 c    2020 50    10 min before it was asked
 *   6 a    -    5     - */
static const struct measured_post posts[] = {
    {.id = 1,
     .type = 1,
     .accepted = 11,
     .created = 0,
     .views = 10,
     .owner = 1,
     .tags = "<a>"},
    {.id = 11, .type = 2, .parent = 1, .created = 60, .owner = 9},
    {.id = 2,
     .type = 1,
     .accepted = 12,
     .created = 9,
     .views = 30,
     .owner = 1,
     .tags = "<a><b>"},
    {.id = 12, .type = 2, .parent = 2, .created = 129, .owner = 9},
    {.id = 3, .type = 1, .created = YEAR, .views = 20, .owner = 2, .tags = "<b>"},
    {.id = 4, .type = 1, .created = YEAR, .views = NONE, .owner = 3, .tags = "<b>"},
    {.id = 14, .type = 2, .parent = 4, .created = YEAR + 30, .owner = 9},
    {.id = 5, .type = 1, .accepted = 15, .created = 2 * YEAR, .views = 50, .tags = "<c>"},
    {.id = 15, .type = 2, .parent = 5, .created = 2 * YEAR - 10, .owner = 9},
    {.id = 6, .type = 1, .created = NONE, .views = 5, .tags = "<a>"},
};

static const struct measured_field fields[] = {{1, "kind", "x"},
                                               {2, "kind", "y"},
                                               {3, "kind", "x"},
                                               {4, "kind", "y"},
                                               {5, "kind", "x"}};

static const int64_t census[][2] = {{2018, 10}, {2019, 4}, {2020, 86}};

#define STUDY \
    "sets: {ab: '[a] or [b]', a: '[a]', c: '[c]', none: '[z]'}\n" \
    "groups:\n" \
    "  tag: {all-of: {A: '[a]', B: '[b]'}}\n" \
    "  four: {all-of: {A: '[a]', B: '[b]', C: '[c]', Z: '[z]'}}\n" \
    "  one: {first-of: {A: '[a]', B: '[b]'}, others: rest}\n" \
    "  year: created by year\n" \
    "  quarter: created by quarter\n" \
    "  kind: {field: kind}\n" \
    "tables:\n  t: "

static const struct {
    const char *name, *table, *csv;
    const char *notes; /* one behind the other */
} rows[] = {
    {"all items", "{columns: count}", "group1,count\nall,6\n", ""},
    {"a set", "{of: a, columns: [count, share]}", "group1,count,share\na,3,1\n",
     "* rests on fewer than 5 items."},
    {"an empty set", "{of: none, columns: [count, share, median views]}",
     "group1,count,share,median views\nnone,0,,\n",
     "– undefined: the whole is empty.– undefined: the group is empty."},
    {"overlapping groups with a total of items",
     "{of: ab, by: tag, totals: columns, small: 0, columns: [count, share, share of "
     "column, "
     "median views, share without accepted]}",
     "group1,count,share,share of column,median views,share without accepted\n"
     "A,3,0.6,0.5,10,0.3333333333333333\n"
     "B,3,0.6,0.5,25,0.6666666666666666\n"
     "total,5,1,0.8333333333333334,15,0.6\n",
     "Rows overlap: their counts add up to 6, the total counts each of its 5 items "
     "once."},
    {"the same with rows as the unit",
     "{of: ab, by: tag, totals: columns, unit: rows, small: 0, columns: [count, share, "
     "share of column, median views, share without accepted]}",
     "group1,count,share,share of column,median views,share without accepted\n"
     "A,3,0.6,0.5,10,0.3333333333333333\n"
     "B,3,0.6,0.5,25,0.6666666666666666\n"
     "total,6,1.2,1,20,0.5\n",
     "Rows overlap: the total counts 6, of which 5 are different items."},
    {"nested: below others only what occurs",
     "{of: ab, by: [year, tag], small: 0, columns: [count, share of group, share]}",
     "group1,group2,count,share of group,share\n"
     "2018,,2,0.4,0.4\n2018,A,2,1,0.4\n2018,B,1,0.5,0.2\n"
     "2019,,2,0.4,0.4\n2019,B,2,1,0.4\n",
     "1 item belongs to no group of year."},
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
    {"across, with totals of both kinds",
     "{by: year, across: tag, totals: both, columns: count}",
     "group1,A: count,B: count,total: count\n2018,2,1,2\n2019,0,2,2\n2020,0,0,0\n"
     "total,2,3,4\n",
     "1 item belongs to no group of year.1 item belongs to no group of tag."},
    {"across two groups", "{across: [one, kind], columns: count}",
     "group1,\"A, x: count\",\"A, y: count\",\"B, x: count\",\"B, y: count\","
     "\"rest, x: count\",\"rest, y: count\"\nall,1,1,1,1,1,0\n",
     "1 item belongs to no group of kind."},
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
    {"empty periods at both ends are no rows", "{of: c, by: quarter, columns: count}",
     "group1,count\n2020-Q1,1\n", ""},
    {"only what belongs to a group", "{where: {kind: x, tag: A}, columns: count}",
     "group1,count\nall,1\n", ""},
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
     "1 item belongs to no group of kind."},
    {"sorted: largest first, undefined last",
     "{by: four, columns: [median views], sort: median views, small: 0}",
     "group1,median views\nC,50\nB,25\nA,10\nZ,\n", "– undefined: the group is empty."},
    {"sorted: smallest first, undefined last as well",
     "{by: four, columns: [median views], sort: median views, descending: no, small: 0}",
     "group1,median views\nA,10\nB,25\nC,50\nZ,\n", "– undefined: the group is empty."},
    {"sorted by name, whatever `descending` is by default",
     "{by: four, columns: count, sort: name}", "group1,count\nA,3\nB,3\nC,1\nZ,0\n", ""},
    {"sorted: equal ones stay in their order", "{by: four, columns: count, sort: count}",
     "group1,count\nA,3\nB,3\nC,1\nZ,0\n", ""},
    {"sorted by the total beside",
     "{by: year, across: tag, columns: count, sort: count, "
     "descending: no, totals: rows}",
     "group1,A: count,B: count,total: count\n2020,0,0,0\n2018,2,1,2\n2019,0,2,2\n",
     "1 item belongs to no group of year.1 item belongs to no group of tag."},
    {"only the top rows of each block; the total is of all",
     "{of: [ab, c], by: four, columns: count, sort: count, top: 1, totals: columns}",
     "group1,group2,count\nab,,5\nab,A,3\nc,,1\nc,C,1\ntotal,,6\n",
     "Rows overlap: their counts add up to 7, the total counts each of its 6 items "
     "once."},
    {"negative waits are left out and counted once",
     "{by: kind, totals: columns, columns: [median minutes to accepted], small: 0}",
     "group1,median minutes to accepted\nx,60\ny,120\ntotal,90\n",
     "median minutes to accepted: 1 answer older than its question is left out."
     "1 item belongs to no group of kind."},
    {"the order of two columns is compared",
     "{by: four, columns: [count, median views], rank-correlation: [count, median "
     "views], "
     "small: 0}",
     "group1,count,median views\nA,3,10\nB,3,25\nC,1,50\nZ,0,\n",
     "Rank correlation of count and median views over 3 rows: Spearman -0.8660 "},
};

static const struct table *make(struct measured *test, struct table *table)
{
    struct table_inputs inputs = {.study = &test->study,
                                  .frame = &test->frame,
                                  .find_set = measured_find_set,
                                  .context = test,
                                  .groups = test->groups};

    return table_make(&test->study.tables[0], &inputs, &test->arena, table, &test->err)
               ? table
               : NULL;
}

static bool open_table(struct measured *test, const char *text)
{
    static char study[2000];
    struct measured_inputs inputs = {.posts = posts,
                                     .post_count = ROWS(posts),
                                     .fields = fields,
                                     .field_count = ROWS(fields),
                                     .census = census,
                                     .census_count = ROWS(census),
                                     .study = study};

    snprintf(study, sizeof study, "%s%s\n", STUDY, text);
    return measured_open(test, &inputs) && CHECK(measured_make_groups(test));
}

static void check_row(size_t i, struct buf *out)
{
    struct measured test;
    struct table table;

    if (open_table(&test, rows[i].table) && CHECK(make(&test, &table) != NULL)) {
        table_text_csv(&table, out);
        measured_expect(out, rows[i].csv);
        for (size_t n = 0; n < table.note_count; n++)
            buf_add(out, table.notes[n]);
        /* p values and further reasons may follow. */
        size_t len = strlen(rows[i].notes);
        if (strstr(rows[i].notes, "Spearman") != NULL && out->len > len)
            out->len = len;
        measured_expect(out, rows[i].notes);
    }
    CHECK_TEXT(test.err.text, "");
    measured_close(&test);
}

static void check_refusals(void)
{
    struct measured test;
    struct table table;

    tap_case("a group's value that is not there");
    if (open_table(&test, "{where: {kind: zz}, columns: count}"))
        CHECK(make(&test, &table) == NULL);
    CHECK_TEXT(test.err.text, "table t: the group kind has no value 'zz'");
    measured_close(&test);
}

int main(void)
{
    struct buf out = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("table: %s", rows[i].name);
        check_row(i, &out);
    }
    check_refusals();
    buf_free(&out);
    return tap_done();
}
