/* Which items are behind each number of a table. Worked out by hand from the six
 * questions below. */
#include "measure/behind.h"
#include "measure/internal.h"

#include <math.h>

#include "tests/unit/measured.h"

enum { NONE = MEASURED_NONE, YEAR = MEASURED_YEAR, FILES_MAX = 40 };

/*  id tags year views accepted after    [a]: 1 2 6   [b]: 2 3 4   [c]: 5
 *   1 a    2018 10    60 min
 *   2 a b  2018 30    120 min
 *   3 b    2019 20    -
 *   4 b    2019 -     -, one answer
 *   5 c    2020 50    10 min before it was asked
 *   6 a    -    5     - */
static const struct measured_post posts[] = {
    {.id = 1, .kind = 1, .accepted = 11, .created = 0, .views = 10, .tags = "<a>"},
    {.id = 11, .kind = 2, .parent = 1, .created = 60},
    {.id = 2, .kind = 1, .accepted = 12, .created = 9, .views = 30, .tags = "<a><b>"},
    {.id = 12, .kind = 2, .parent = 2, .created = 129},
    {.id = 3, .kind = 1, .created = YEAR, .views = 20, .tags = "<b>"},
    {.id = 4, .kind = 1, .created = YEAR, .views = NONE, .tags = "<b>"},
    {.id = 14, .kind = 2, .parent = 4, .created = YEAR + 30},
    {.id = 5, .kind = 1, .accepted = 15, .created = 2 * YEAR, .views = 50, .tags = "<c>"},
    {.id = 15, .kind = 2, .parent = 5, .created = 2 * YEAR - 10},
    {.id = 6, .kind = 1, .created = NONE, .views = 5, .tags = "<a>"},
};

#define STUDY \
    "sets: {all: 'score:-9..  or [a] or [b] or [c]', a: '[a]', b: '[b]'}\n" \
    "groups:\n" \
    "  tag: {all-of: {A: '[a]', B: '[b]'}}\n" \
    "  year: created by year\n" \
    "tables:\n  t: "

/* Of each cell: its list's ids (and values), then what a share is made of. */
static const struct {
    const char *name, *table, *cells;
} rows[] = {
    {"a count leads to what it counts, a conditional one to what meets it",
     "{of: a, columns: [count, count with accepted]}",
     "1 2 6 | 1 2 with an accepted answer"},
    {"a part leads to its numerator, and names the whole",
     "{of: b, columns: [share without accepted]}",
     "3 4 without an accepted answer, 2 of 3: 2 3 4"},
    {"a part of nobody leads to the whole", "{of: b, columns: [share closed]}",
     "2 3 4, 0 of 3: 2 3 4"},
    {"values in their order, without those that have none",
     "{of: b, columns: [median views]}", "3=20 2=30 with a value of views"},
    {"an answer older than its question is not behind a time",
     "{of: all, columns: [mean minutes to accepted]}",
     "1=60 2=120 with a value of minutes to accepted"},
    {"who still waits is behind a Kaplan-Meier median, at the end",
     "{of: b, columns: [kaplan-meier median minutes to accepted]}",
     "2=120 3=- 4=- and their minutes to accepted, if there is one"},
    {"a share of the set", "{of: a, by: tag, columns: [share]}",
     "1 2 6, 3 of 3: 1 2 6 | 2, 1 of 3: 1 2 6"},
    {"a share of the group one level up",
     "{of: all, by: [tag, year], columns: [share of group]}",
     "1 2 6, 3 of 6: 1 2 3 4 5 6 | 1 2, 2 of 3: 1 2 6 | 2 3 4, 3 of 6: 1 2 3 4 5 6 | "
     "2, 1 of 3: 2 3 4 | 3 4, 2 of 3: 2 3 4"},
    {"a share of the row", "{of: [a, b], across: tag, columns: [share of row]}",
     "1 2 6, 3 of 3: 1 2 6 | 2, 1 of 3: 1 2 6 | 2, 1 of 3: 2 3 4 | 2 3 4, 3 of 3: 2 3 4"},
    {"a share of the column is none of items",
     "{of: all, by: tag, columns: [share of column]}", "1 2 6, 3 of 6 | 2 3 4, 3 of 6"},
    {"ranks lead to what is ranked", "{of: [a, b], columns: [rank of median views]}",
     "6=5 1=10 2=30 with a value of views | 3=20 2=30 with a value of views"},
    {"a total that counts items several times has no list of its whole",
     "{of: [a, b], totals: columns, unit: rows, columns: [share with accepted]}",
     "1 2 with an accepted answer, 2 of 3: 1 2 6 | 2 with an accepted answer, 1 of 3: 2 "
     "3 4 | 1 2 with an accepted answer, 3 of 6"},
    {"nothing leads nowhere", "{of: a, by: year, where: {tag: B}, columns: [count]}",
     "2"},
};

struct files {
    struct buf at[FILES_MAX];
    size_t count;
};

static struct buf *add_file(void *context, size_t number)
{
    struct files *files = context;

    CHECK(number < FILES_MAX);
    files->count++;
    return &files->at[number % FILES_MAX];
}

static struct measure_behind_files to;

static struct measure_behind_files *into(struct files *files)
{
    to = (struct measure_behind_files){.folder = "items",
                                       .lines = MEASURE_BEHIND_LINES,
                                       .file = add_file,
                                       .context = files};
    return &to;
}

static void add_ids(const struct result_list *list, struct buf *out)
{
    for (size_t i = 0; i < list->shown; i++) {
        buf_add_format(out, "%s%lld", i > 0 ? " " : "", (long long)list->ids[i]);
        if (list->values != NULL && isnan(list->values[i]))
            buf_add(out, STR("=-"));
        else if (list->values != NULL)
            buf_add_format(out, "=%g", list->values[i]);
    }
}

static void tell(const struct result_table *table, struct buf *out)
{
    for (size_t c = 0; c < table->row_count * table->column_count; c++) {
        const struct result_cell *cell = &table->cells[c];
        const struct result_list *list = cell->list;
        if (list == NULL)
            continue;
        if (out->len > 0)
            buf_add(out, STR(" | "));
        add_ids(list, out);
        buf_add(out, str_slice(list->what, 5, list->what.len)); /* "items" */
        if (cell->counted)
            buf_add_format(out, ", %lld of %lld", (long long)cell->count,
                           (long long)cell->n);
        if (cell->whole != NULL) {
            buf_add(out, STR(": "));
            add_ids(cell->whole, out);
        }
    }
}

static bool make(struct measured *test, const char *text, struct measure_table *table)
{
    static char study[2000];
    struct measured_inputs inputs = {
        .posts = posts, .post_count = ROWS(posts), .study = study};

    snprintf(study, sizeof study, "%s%s\n", STUDY, text);
    if (!measured_open(test, &inputs) || !CHECK(measured_make_groups(test)))
        return false;
    struct measure_table_inputs from = {.study = &test->study,
                                        .frame = &test->frame,
                                        .find_set = measured_find_set,
                                        .context = test,
                                        .groups = test->groups};
    return CHECK(measure_table_make(&test->study.tables[0], &from, &test->arena, table,
                                    &test->err));
}

static void close_files(struct files *files)
{
    for (size_t i = 0; i < FILES_MAX; i++)
        buf_free(&files->at[i]);
}

static void check_row(size_t i, struct buf *out)
{
    struct measured test;
    struct files files = {0};
    struct measure_table table;

    if (make(&test, rows[i].table, &table)) {
        measure_behind_make(&table, into(&files), &test.arena);
        tell(&table.shown, out);
        measured_expect(out, rows[i].cells);
    }
    CHECK_TEXT(test.err.text, "");
    close_files(&files);
    measured_close(&test);
}

static void check_words(void)
{
    struct measured test;
    struct files files = {0};
    struct measure_table table;

    tap_case("rows by their names from the top, totals without one");
    if (make(&test,
             "{of: [a, b], by: year, across: tag, totals: both, columns: "
             "[count]}",
             &table)) {
        measure_behind_make(&table, into(&files), &test.arena);
        const struct result_table *got = &table.shown;
        const struct result_cell *last =
            &got->cells[got->row_count * got->column_count - 1];
        CHECK(str_eq(got->cells[3].list->row, STR("a\n2018")));
        CHECK(str_eq(got->cells[3].list->across, STR("A")));
        CHECK(last->list->row.len == 0 && last->list->across.len == 0);
    }
    CHECK_TEXT(test.err.text, "");
    close_files(&files);
    measured_close(&test);
}

/* Item 2 is in both sets. */
static void check_twice(void)
{
    struct measured test;
    struct files files = {0};
    struct measure_table table;

    tap_case("a total that counts an item twice says so");
    if (make(&test, "{of: [a, b], totals: columns, unit: rows, columns: [count]}",
             &table)) {
        measure_behind_make(&table, into(&files), &test.arena);
        const struct result_cell *cells = table.shown.cells;
        CHECK_TEXT(cells[0].words, "so many items are listed here");
        CHECK(cells[2].value == 6 && cells[2].list->count == 5);
        CHECK(str_starts(str_from(cells[2].words),
                         STR("these items, some of them several")));
    }
    CHECK_TEXT(test.err.text, "");
    close_files(&files);
    measured_close(&test);
}

/* Cells with the same items share list and file; a whole set has its file already. */
static void check_files(struct buf *out)
{
    struct measured test;
    struct files files = {0};
    struct measure_table table;

    tap_case("cells with the same items share a list, and a set's list its csv");
    if (make(&test,
             "{of: b, columns: [count, share, median views, max views, sum views, "
             "count with accepted]}",
             &table)) {
        measure_behind_make(&table, into(&files), &test.arena);
        const struct result_table *got = &table.shown;
        const struct result_cell *cells = got->cells;
        CHECK(got->list_count == 3 && files.count == 2);
        CHECK(cells[0].list == got->lists[0] && cells[1].list == got->lists[0]);
        CHECK(cells[2].list == got->lists[1] && cells[3].list == got->lists[1] &&
              cells[4].list == got->lists[1]);
        CHECK(str_eq(got->lists[0]->csv, STR("sets/b.csv")));
        CHECK(str_eq(got->lists[1]->csv, STR("items/t/1.csv")));
        buf_add(out, buf_str(&files.at[1]));
        measured_expect(out, "id,views\n3,20\n2,30\n");
        buf_add(out, buf_str(&files.at[2]));
        measured_expect(out, "id\n2\n");
        CHECK(!got->cut);
    }
    close_files(&files);
    measured_close(&test);
}

/* Of many values those around the number are shown. */
static void check_window(void)
{
    enum { MANY = 1000 };
    struct arena arena = {0};
    int64_t *ids = arena_array(&arena, int64_t, MANY),
            *views = arena_array(&arena, int64_t, MANY);

    /* The values fall with the ids, and are 1 .. 1000. */
    for (int64_t i = 0; i < MANY; i++) {
        ids[i] = i + 1;
        views[i] = MANY - i;
    }
    struct measure_frame frame = {
        .arena = &arena, .count = MANY, .views = measure_column_of(views, MANY, &arena)};
    struct study_column column = {
        .measure = {.kind = STUDY_MEASURE_MEDIAN, .field = ITEM_FIELD_VIEWS},
        .digits = -1};
    struct measure_cell_column opened = {
        .column = &column,
        .frame = &frame,
        .quantity = {.frame = &frame, .measure = &column.measure, .round_first = -1},
        .old = measure_bits_all(MANY, &arena)};
    struct result_row row = {.name = STR("r"), .parent = STUDY_NONE};
    struct result_column shown = {.type = RESULT_REAL};
    struct measure_table_items whole = {.bits = measure_bits_all(MANY, &arena)};
    struct measure_bits across = measure_bits_all(MANY, &arena);
    struct result_cell cell = {.value = 500.5};
    struct measure_table table = {.shown = {.name = STR("t"),
                                            .rows = &row,
                                            .row_count = 1,
                                            .columns = &shown,
                                            .column_count = 1,
                                            .cells = &cell},
                                  .items = &whole,
                                  .across = &across,
                                  .ids = measure_column_of(ids, MANY, &arena),
                                  .columns = &opened,
                                  .column_count = 1};
    struct files files = {0};

    measure_behind_make(&table, into(&files), &arena);
    tap_case("of many values the hundred around the median are shown");
    CHECK(cell.list->count == MANY && cell.list->shown == MEASURE_BEHIND_FIRST);
    CHECK(cell.list->from == 450 && cell.list->values[0] == 451 &&
          cell.list->values[99] == 550);
    tap_case("of a maximum the last hundred");
    column.measure.kind = STUDY_MEASURE_MAX;
    cell.value = MANY;
    measure_behind_make(&table, into(&files), &arena);
    CHECK(cell.list->from == MANY - MEASURE_BEHIND_FIRST &&
          cell.list->values[99] == MANY);
    close_files(&files);
    arena_free(&arena);
}

/* A table of two rows that a step gave. */
static void check_given(void)
{
    static const int64_t all[] = {3, 1, 2}, one[] = {2};
    struct arena arena = {0};
    struct result_column columns[] = {{.type = RESULT_COUNT, .name = STR("items")},
                                      {.type = RESULT_REAL, .name = STR("kappa")}};
    struct result_table table = result_new(STR("t"), columns, 2, &arena);
    struct files files = {0};

    for (size_t r = 0; r < 2; r++) {
        struct result_cell *cells =
            result_add_row(&table, r == 0 ? STR("r") : STR("s"), RESULT_NONE, &arena);
        cells[0] = result_count(3);
        cells[1] = result_number(0.5);
    }
    result_add_evidence(&table, &(struct result_evidence){1, 0, STR("of one"), one, 1},
                        &arena);
    for (size_t r = 0; r < 2; r++)
        result_add_evidence(
            &table, &(struct result_evidence){r, 1, STR("of all"), all, 3}, &arena);
    measure_behind_shorten(&table, into(&files), &arena);
    tap_case("lists that a step gave stand in the order of the numbers, equal ones once");
    CHECK(table.list_count == 2 && table.cells[0].list == NULL &&
          table.cells[1].list == table.lists[0] &&
          table.cells[3].list == table.lists[0] && table.cells[2].list == table.lists[1]);
    CHECK(table.lists[0]->ids[0] == 1 && table.lists[0]->ids[2] == 3);
    CHECK(str_eq(table.lists[1]->row, STR("s")) &&
          str_eq(table.lists[1]->across, STR("items")) &&
          str_eq(table.lists[1]->csv, STR("items/t/1.csv")));
    close_files(&files);
    arena_free(&arena);
}

int main(void)
{
    struct buf out = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("behind: %s", rows[i].name);
        check_row(i, &out);
    }
    check_given();
    check_twice();
    check_words();
    check_files(&out);
    check_window();
    buf_free(&out);
    return tap_done();
}
