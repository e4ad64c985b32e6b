/* For tests of tables: six questions, and rows that say what a table of them is. Every
 * number is worked out by hand. */
#ifndef TESTS_UNIT_TABLED_H
#define TESTS_UNIT_TABLED_H

#include <string.h>

#include "measure/table.h"
#include "result/table_text.h"
#include "tests/unit/measured.h"

/*  id tags year views accepted after    [a]: 1 2 6   [b]: 2 3 4   [c]: 5
 *   1 a    2018 10    60 min            in:ab: 1 2 3 4 6
 *   2 a b  2018 30    120 min           kind x: 1 3 5, y: 2 4
 *   3 b    2019 20    -
 *   4 b    2019 -     -, one answer
 *   5 c    2020 50    10 min before it was asked
 *   6 a    -    5     - */
static const struct measured_post tabled_posts[] = {
    {.id = 1,
     .kind = 1,
     .accepted = 11,
     .created = 0,
     .views = 10,
     .owner = 1,
     .tags = "<a>"},
    {.id = 11, .kind = 2, .parent = 1, .created = 60, .owner = 9},
    {.id = 2,
     .kind = 1,
     .accepted = 12,
     .created = 9,
     .views = 30,
     .owner = 1,
     .tags = "<a><b>"},
    {.id = 12, .kind = 2, .parent = 2, .created = 129, .owner = 9},
    {.id = 3,
     .kind = 1,
     .created = MEASURED_YEAR,
     .views = 20,
     .owner = 2,
     .tags = "<b>"},
    {.id = 4,
     .kind = 1,
     .created = MEASURED_YEAR,
     .views = MEASURED_NONE,
     .owner = 3,
     .tags = "<b>"},
    {.id = 14, .kind = 2, .parent = 4, .created = MEASURED_YEAR + 30, .owner = 9},
    {.id = 5,
     .kind = 1,
     .accepted = 15,
     .created = 2 * MEASURED_YEAR,
     .views = 50,
     .tags = "<c>"},
    {.id = 15, .kind = 2, .parent = 5, .created = 2 * MEASURED_YEAR - 10, .owner = 9},
    {.id = 6, .kind = 1, .created = MEASURED_NONE, .views = 5, .tags = "<a>"},
};

static const struct measured_field tabled_fields[] = {{1, "kind", "x"},
                                                      {2, "kind", "y"},
                                                      {3, "kind", "x"},
                                                      {4, "kind", "y"},
                                                      {5, "kind", "x"}};

static const int64_t tabled_census[][2] = {{2018, 10}, {2019, 4}, {2020, 86}};

#define TABLED_STUDY \
    "sets: {ab: '[a] or [b]', a: '[a]', c: '[c]', none: '[z]'}\n" \
    "groups:\n" \
    "  tag: {all-of: {A: '[a]', B: '[b]'}}\n" \
    "  four: {all-of: {A: '[a]', B: '[b]', C: '[c]', Z: '[z]'}}\n" \
    "  one: {first-of: {A: '[a]', B: '[b]'}, others: rest}\n" \
    "  year: created by year\n" \
    "  quarter: created by quarter\n" \
    "  kind: {field: kind}\n" \
    "tables:\n  t: "

struct tabled_row {
    const char *name, *table, *csv;
    const char *notes; /* one behind the other */
};

static inline const struct measure_table *tabled_make(struct measured *test,
                                                      struct measure_table *table)
{
    struct measure_table_inputs inputs = {.study = &test->study,
                                          .frame = &test->frame,
                                          .find_set = measured_find_set,
                                          .context = test,
                                          .groups = test->groups};

    return measure_table_make(&test->study.tables[0], &inputs, &test->arena, table,
                              &test->err)
               ? table
               : NULL;
}

static inline bool tabled_open(struct measured *test, const char *text)
{
    static char study[2000];
    struct measured_inputs inputs = {.posts = tabled_posts,
                                     .post_count = ROWS(tabled_posts),
                                     .fields = tabled_fields,
                                     .field_count = ROWS(tabled_fields),
                                     .census = tabled_census,
                                     .census_count = ROWS(tabled_census),
                                     .study = study};

    snprintf(study, sizeof study, "%s%s\n", TABLED_STUDY, text);
    return measured_open(test, &inputs) && CHECK(measured_make_groups(test));
}

/* Values alone: what intervals are is tested where they are computed. */
static inline void tabled_csv(const struct result_table *table, struct buf *out)
{
    struct result_table values = *table;
    struct arena arena = {0};
    struct result_column *columns =
        arena_array(&arena, struct result_column, table->column_count);

    for (size_t c = 0; c < table->column_count; c++) {
        columns[c] = table->columns[c];
        columns[c].interval = false;
    }
    values.columns = columns;
    result_table_text_csv(&values, out);
    arena_free(&arena);
}

static inline void tabled_check_row(const struct tabled_row *row, struct buf *out)
{
    struct measured test;
    struct measure_table table;

    if (tabled_open(&test, row->table) && CHECK(tabled_make(&test, &table) != NULL)) {
        tabled_csv(&table.shown, out);
        measured_expect(out, row->csv);
        for (size_t n = 0; n < table.shown.note_count; n++)
            buf_add(out, table.shown.notes[n]);
        /* p values and further reasons may follow. */
        size_t len = strlen(row->notes);
        if (strstr(row->notes, "Spearman") != NULL && out->len > len)
            out->len = len;
        measured_expect(out, row->notes);
    }
    CHECK_TEXT(test.err.text, "");
    measured_close(&test);
}

static inline void tabled_check(const struct tabled_row *rows, size_t count)
{
    struct buf out = {0};

    for (size_t i = 0; i < count; i++) {
        tap_case("table: %s", rows[i].name);
        tabled_check_row(&rows[i], &out);
    }
    buf_free(&out);
}

#endif
