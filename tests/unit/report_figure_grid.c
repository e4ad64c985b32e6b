/* The grid of a figure: which numbers are in it, what their unit is. */
#include <math.h>

#include "report/internal.h"
#include "tests/tap.h"

#define CELL(r, c, v, u) \
    { \
        .row = STR_INIT(r), .column = STR_INIT(c), .value = v, .low = NAN, .high = NAN, \
        .label = STR_INIT(r), .heading = STR_INIT(c), .unit = STR_INIT(u) \
    }

static struct result_number numbers[] = {
    CELL("a", "x.count", 1, ""),       CELL("a", "x.share-of-row", 0.5, "%"),
    CELL("a", "y.count", 2, ""),       CELL("a", "y.share-of-row", 0.25, "%"),
    CELL("a", "x.wait", 3, "minutes"), CELL("a", "x.sharecropper", 3, ""),
    CELL("total", "x.count", 9, "")};
static struct study_column columns[] = {
    {.slug = STR_INIT("count"), .measure = {.kind = STUDY_MEASURE_COUNT}},
    {.slug = STR_INIT("share-of-row"), .measure = {.kind = STUDY_MEASURE_SHARE}},
    {.slug = STR_INIT("sharecropper"), .measure = {.kind = STUDY_MEASURE_COUNT}},
    {.slug = STR_INIT("wait"),
     .measure = {.kind = STUDY_MEASURE_MEDIAN,
                 .quantity = STUDY_MEASURE_TO_FIRST,
                 .unit_ms = 60000}}};
static const struct study_table table = {.columns = columns,
                                         .column_count = ROWS(columns)};

static const struct {
    const char *name;
    struct str columns[2];
    size_t count, found;
    enum chart_number number;
    const char *says;
} rows[] = {
    {"counts of all groups", {STR_INIT("count")}, 1, 2, CHART_PLAIN, ""},
    {"shares are percentages", {STR_INIT("share-of-row")}, 1, 2, CHART_PERCENT, ""},
    {"a name that begins like a share is none",
     {STR_INIT("sharecropper")},
     1,
     1,
     CHART_PLAIN,
     ""},
    {"counts and shares",
     {STR_INIT("count"), STR_INIT("share-of-row")},
     2,
     4,
     CHART_PLAIN,
     "figure f: the columns 'x.count' and 'x.share-of-row' have different units and "
     "cannot share an axis; choose with `columns:`"},
    {"counts and times",
     {STR_INIT("count"), STR_INIT("wait")},
     2,
     3,
     CHART_PLAIN,
     "figure f: the columns 'x.count' and 'x.wait' have different units and cannot "
     "share an axis; choose with `columns:`"},
};

static void check_row(size_t i, struct arena *arena)
{
    struct result_numbers all = {STR("tables.t"), numbers, ROWS(numbers)};
    struct study_figure figure = {.name = STR("f"),
                                  .columns = (struct str *)rows[i].columns,
                                  .column_count = rows[i].count};
    struct report_figure_inputs inputs = {.numbers = &all, .table = &table};
    struct err err = {0};
    struct report_figure_maker maker = {
        .figure = &figure, .inputs = &inputs, .arena = arena, .err = &err};

    CHECK(report_figure_make_grid(&maker));
    CHECK(maker.grid.row_count == 1 && maker.grid.column_count == rows[i].found);
    CHECK(report_figure_number(&maker, 0) == rows[i].number);
    CHECK(report_figure_check_units(&maker) == (rows[i].says[0] == '\0'));
    CHECK_TEXT(err.text, rows[i].says);
}

int main(void)
{
    struct arena arena = {0};

    numbers[ROWS(numbers) - 1].total_row = true;
    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("grid: %s", rows[i].name);
        check_row(i, &arena);
    }
    arena_free(&arena);
    return tap_done();
}
