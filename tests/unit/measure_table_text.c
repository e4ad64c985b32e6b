/* Tables as text: numbers as people read them, names that need quoting in csv, json and
 * Markdown. */
#include "measure/table_text.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "tests/tap.h"

static const struct {
    const char *name, *measure;
    int digits;
    double value, low, high;
    bool small;
    const char *text;
} cells[] = {
    {"a count", "count", -1, 1234567, NAN, NAN, false, "1,234,567"},
    {"three digits need no comma", "count", -1, 999, NAN, NAN, false, "999"},
    {"four do", "count", -1, 1000, NAN, NAN, false, "1,000"},
    {"none", "count", -1, 0, NAN, NAN, false, "0"},
    {"a median", "median views", -1, 1301.05, NAN, NAN, false, "1,301.05"},
    {"negative", "median score", -1, -1234.5, NAN, NAN, false, "-1,234.50"},
    {"what rounds to nothing has no sign", "mean score", -1, -0.001, NAN, NAN, false,
     "0.00"},
    {"a little less than nothing", "mean score", -1, -0.01, NAN, NAN, false, "-0.01"},
    {"a share with its interval", "share", -1, 0.70691, 0.69, 0.72, false,
     "70.69% [69.00, 72.00]"},
    {"a share without", "share", -1, 1.2, NAN, NAN, false, "120.00%"},
    {"digits that the study wants", "share", 0, 0.70691, NAN, NAN, false, "71%"},
    {"a small group", "median views", -1, 3, NAN, NAN, true, "3.00*"},
    {"a rank", "rank of count", -1, 2, NAN, NAN, false, "2"},
    {"a shared rank", "rank of count", -1, 2.5, NAN, NAN, false, "2.5"},
    {"the largest time has digits", "max hours to accepted", -1, 2.5, NAN, NAN, false,
     "2.50"},
    {"the largest number has none", "max views", -1, 2, NAN, NAN, false, "2"},
    {"half an interval is not shown", "kaplan-meier median hours to accepted", -1, 2, 1,
     NAN, false, "2.00"},
};

static void expect(struct buf *got, const char *want)
{
    buf_add_char(got, '\0');
    CHECK_TEXT(got->ptr, want);
    buf_clear(got);
}

static void check_cells(struct arena *arena, struct buf *out)
{
    struct err err = {0};

    for (size_t i = 0; i < ROWS(cells); i++) {
        struct study_column column = {.digits = cells[i].digits};
        struct cell cell = {.value = cells[i].value,
                            .low = cells[i].low,
                            .high = cells[i].high,
                            .small = cells[i].small};
        tap_case("cell: %s", cells[i].name);
        CHECK(measure_parse(str_from(cells[i].measure), NULL, arena, &column.measure, &err));
        table_text_cell(&cell, &column, out);
        expect(out, cells[i].text);
    }
    struct study_column column = {.digits = -1};
    struct cell cell = {.value = NAN, .undefined = "nobody", .low = NAN, .high = NAN};
    tap_case("cell: undefined is a dash");
    table_text_cell(&cell, &column, out);
    expect(out, "–");
}

/* Two levels, a name with everything that needs care, an undefined cell, a note. */
static struct table example(struct study_column columns[2], struct cell values[4])
{
    static struct table_row rows[] = {{.name = STR_INIT("a|b, \"c\""),
                                       .path = STR_INIT("a-b-c"),
                                       .parent = STUDY_NONE,
                                       .n = 7},
                                      {.name = STR_INIT("inner"),
                                       .path = STR_INIT("a-b-c.inner"),
                                       .level = 1,
                                       .parent = 0,
                                       .n = 2}};
    static struct table_head heads[2];
    static struct str notes[] = {STR_INIT("A \"note\".")};

    columns[0] = (struct study_column){
        .text = STR("count"), .name = STR("count"), .slug = STR("count"), .digits = -1};
    columns[1] = (struct study_column){.text = STR("share"),
                                       .name = STR("share"),
                                       .slug = STR("share"),
                                       .digits = -1,
                                       .measure = {.kind = MEASURE_SHARE}};
    heads[0] = (struct table_head){
        .name = STR("count"), .path = STR("count"), .column = &columns[0]};
    heads[1] = (struct table_head){.across = STR("X"),
                                   .name = STR("share"),
                                   .path = STR("X.share"),
                                   .column = &columns[1]};
    values[0] = (struct cell){
        .value = 7, .undefined = NULL, .low = NAN, .high = NAN, .n = 7, .small = false};
    values[1] = (struct cell){.value = 0.25,
                              .undefined = NULL,
                              .low = 0.125,
                              .high = 0.5,
                              .n = 4,
                              .small = true};
    values[2] = (struct cell){
        .value = 2, .undefined = NULL, .low = NAN, .high = NAN, .n = 2, .small = false};
    values[3] = (struct cell){.value = NAN,
                              .undefined = "the whole is empty",
                              .low = NAN,
                              .high = NAN,
                              .n = 0,
                              .small = false};
    return (struct table){.name = STR("t"),
                          .title = STR("A table"),
                          .rows = rows,
                          .row_count = 2,
                          .heads = heads,
                          .head_count = 2,
                          .cells = values,
                          .notes = notes,
                          .note_count = 1};
}

static void check_json(const struct table *table, struct buf *out)
{
    json_error_t error;

    tap_case("json: read back by another reader");
    table_text_json(table, out);
    json_t *root = json_loadb(out->ptr, out->len, 0, &error);
    if (CHECK(root != NULL)) {
        const json_t *row = json_array_get(json_object_get(root, "rows"), 0);
        const json_t *cell = json_array_get(json_object_get(row, "cells"), 1);
        CHECK_TEXT(json_string_value(json_object_get(row, "name")), "a|b, \"c\"");
        CHECK(json_real_value(json_object_get(cell, "low")) == 0.125);
        CHECK(json_is_true(json_object_get(cell, "small")));
        row = json_array_get(json_object_get(root, "rows"), 1);
        cell = json_array_get(json_object_get(row, "cells"), 1);
        CHECK(json_is_null(json_object_get(cell, "value")));
        CHECK_TEXT(json_string_value(json_object_get(cell, "undefined")),
                   "the whole is empty");
        CHECK_TEXT(json_string_value(json_array_get(json_object_get(root, "notes"), 0)),
                   "A \"note\".");
    }
    json_decref(root);
    buf_clear(out);
}

int main(void)
{
    struct study_column columns[2];
    struct cell values[4];
    struct arena arena = {0};
    struct buf out = {0};

    check_cells(&arena, &out);
    struct table table = example(columns, values);
    tap_case("csv: quoted where it must be, undefined is empty");
    table_text_csv(&table, &out);
    expect(&out, "group1,group2,count,X: share\n\"a|b, \"\"c\"\"\",,7,0.25\n"
                 "\"a|b, \"\"c\"\"\",inner,2,\n");
    tap_case("Markdown: a bar in a name does not end its column");
    table_text_markdown(&table, &out);
    expect(&out, "# A table\n\n|  | count | X: share |\n|---|---:|---:|\n"
                 "| a\\|b, \"c\" | 7 | 25.00% [12.50, 50.00]* |\n"
                 "| &nbsp;&nbsp;inner | 2 | – |\n\nA \"note\".\n");
    check_json(&table, &out);
    tap_case("a table without rows and columns");
    table = (struct table){.name = STR("t")};
    table_text_csv(&table, &out);
    table_text_markdown(&table, &out);
    expect(&out, "group1\n# t\n\n|  |\n|---|\n");
    buf_free(&out);
    arena_free(&arena);
    return tap_done();
}
