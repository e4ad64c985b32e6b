/* Tables as text: numbers as people read them, names that need quoting in csv, json and
 * Markdown. */
#include "result/table_text.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "tests/tap.h"

static const struct {
    const char *name;
    enum result_type type;
    int digits;
    double value, low, high;
    bool small;
    const char *text;
} cells[] = {
    {"a count", RESULT_COUNT, 0, 1234567, NAN, NAN, false, "1,234,567"},
    {"three digits need no comma", RESULT_COUNT, 0, 999, NAN, NAN, false, "999"},
    {"four do", RESULT_COUNT, 0, 1000, NAN, NAN, false, "1,000"},
    {"none", RESULT_COUNT, 0, 0, NAN, NAN, false, "0"},
    {"a median", RESULT_REAL, 2, 1301.05, NAN, NAN, false, "1,301.05"},
    {"negative", RESULT_REAL, 2, -1234.5, NAN, NAN, false, "-1,234.50"},
    {"what rounds to nothing has no sign", RESULT_REAL, 2, -0.001, NAN, NAN, false,
     "0.00"},
    {"a little less than nothing", RESULT_REAL, 2, -0.01, NAN, NAN, false, "-0.01"},
    {"a share with its interval", RESULT_SHARE, 2, 0.70691, 0.69, 0.72, false,
     "70.69% [69.00, 72.00]"},
    {"a share without", RESULT_SHARE, 2, 1.2, NAN, NAN, false, "120.00%"},
    {"digits that the study wants", RESULT_SHARE, 0, 0.70691, NAN, NAN, false, "71%"},
    {"a small group", RESULT_REAL, 2, 3, NAN, NAN, true, "3.00*"},
    {"a rank", RESULT_RANK, 1, 2, NAN, NAN, false, "2"},
    {"a shared rank", RESULT_RANK, 1, 2.5, NAN, NAN, false, "2.5"},
    {"a time", RESULT_DURATION, 2, 2.5, NAN, NAN, false, "2.50"},
    {"half an interval is not shown", RESULT_DURATION, 2, 2, 1, NAN, false, "2.00"},
    {"an open interval", RESULT_DURATION, 2, 2, 1, INFINITY, false, "2.00 [1.00, ∞)"},
    {"a p that rounds to nothing", RESULT_P, 4, 0.00002, NAN, NAN, false, "< .001"},
    {"a p", RESULT_P, 4, 0.0213, NAN, NAN, false, "0.0213"},
    {"as many digits as it has", RESULT_REAL, -1, 0.1, NAN, NAN, false, "0.1"},
};

static void expect(struct buf *got, const char *want)
{
    buf_add_char(got, '\0');
    CHECK_TEXT(got->ptr, want);
    buf_clear(got);
}

static void check_cells(struct buf *out)
{
    for (size_t i = 0; i < ROWS(cells); i++) {
        struct result_column column = {.type = cells[i].type, .digits = cells[i].digits};
        struct result_cell cell =
            result_estimate(cells[i].value, cells[i].low, cells[i].high);
        cell.small = cells[i].small;
        tap_case("cell: %s", cells[i].name);
        result_table_text_cell(&cell, &column, out);
        expect(out, cells[i].text);
    }
    struct result_cell missing = result_number(NAN);
    tap_case("cell: undefined is a dash");
    result_table_text_cell(&missing, &(struct result_column){.type = RESULT_REAL}, out);
    expect(out, "–");
}

/* Two levels, a name with everything that needs care, an undefined cell, a note. */
static struct result_table example(struct arena *arena)
{
    static struct result_column columns[2];

    columns[0] = (struct result_column){.type = RESULT_COUNT, .name = STR("count")};
    columns[1] = (struct result_column){.type = RESULT_SHARE,
                                        .digits = 2,
                                        .across = STR("X"),
                                        .name = STR("share"),
                                        .path = STR("X.share"),
                                        .interval = true};
    struct result_table table = result_new(STR("t"), columns, 2, arena);
    table.title = STR("A table");
    struct result_cell *row =
        result_add_row(&table, STR("a|b, \"c\""), RESULT_NONE, arena);
    row[0] = result_count(7);
    row[1] = result_estimate(0.25, 0.125, 0.5);
    row[1].small = true;
    row = result_add_row(&table, STR("inner"), 0, arena);
    row[0] = result_count(2);
    row[1].undefined = "the whole is empty";
    result_add_note(&table, STR("A \"note\"."), arena);
    return table;
}

static void check_open_end(struct arena *arena)
{
    static struct result_column waits[] = {
        {.type = RESULT_DURATION, .digits = 1, .name = STR_INIT("w"), .interval = true}};
    struct result_table table = result_new(STR("t"), waits, 1, arena);
    struct buf out = {0};

    result_add_row(&table, STR("r"), RESULT_NONE, arena)[0] =
        result_estimate(2, 1, INFINITY);
    struct result_cell *never = result_add_row(&table, STR("s"), RESULT_NONE, arena);
    never[0].undefined = "for more than half it did not happen";
    never[0].low = 3;
    never[0].high = INFINITY;
    tap_case("an interval without an upper end: inf in csv, null in json");
    result_table_text_csv(&table, &out);
    expect(&out, "group1,w,w low,w high\nr,2,1,inf\ns,,3,inf\n");
    result_table_text_json(&table, &out);
    json_t *root = json_loadb(out.ptr, out.len, 0, NULL);
    const json_t *row = json_array_get(json_object_get(root, "rows"), 0);
    const json_t *cell = json_array_get(json_object_get(row, "cells"), 0);
    CHECK(json_is_null(json_object_get(cell, "high")) &&
          json_number_value(json_object_get(cell, "low")) == 1);
    json_decref(root);
    buf_clear(&out);
    tap_case("a bound is shown where the value itself is not known");
    result_table_text_cell(&never[0], &waits[0], &out);
    expect(&out, "– [3.0, ∞)");
    buf_free(&out);
}

/* A text is one whether it has letters or not. */
static void check_json_texts(struct arena *arena)
{
    static struct result_column said[] = {{.type = RESULT_TEXT, .name = STR_INIT("x")}};
    static const struct str texts[] = {STR_INIT("so"), STR_INIT(""), {NULL, 0}};
    struct result_table table = result_new(STR("t"), said, 1, arena);
    struct buf out = {0};

    for (size_t i = 0; i < ROWS(texts); i++)
        result_add_row(&table, STR("r"), RESULT_NONE, arena)[0] = result_text(texts[i]);
    tap_case("json: texts");
    result_table_text_json(&table, &out);
    json_t *root = json_loadb(out.ptr, out.len, 0, NULL);
    for (size_t i = 0; i < ROWS(texts); i++) {
        const json_t *row = json_array_get(json_object_get(root, "rows"), i);
        const json_t *cell = json_array_get(json_object_get(row, "cells"), 0);
        CHECK_TEXT(json_string_value(json_object_get(cell, "text")), i == 0 ? "so" : "");
        CHECK(json_object_size(cell) == 1);
    }
    json_decref(root);
    buf_free(&out);
}

static void check_json(const struct result_table *table, struct buf *out)
{
    json_error_t error;

    tap_case("json: read back by another reader");
    result_table_text_json(table, out);
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
    struct arena arena = {0};
    struct buf out = {0};

    check_cells(&out);
    struct result_table table = example(&arena);
    tap_case("csv: quoted where it must be, undefined is empty, ends of intervals");
    result_table_text_csv(&table, &out);
    expect(&out, "group1,group2,count,X: share,X: share low,X: share high\n"
                 "\"a|b, \"\"c\"\"\",,7,0.25,0.125,0.5\n"
                 "\"a|b, \"\"c\"\"\",inner,2,,,\n");
    tap_case("Markdown: a bar in a name does not end its column");
    result_table_text_markdown(&table, &out);
    expect(&out, "# A table\n\n|  | count | X: share |\n|---|---:|---:|\n"
                 "| a\\|b, \"c\" | 7 | 25.00% [12.50, 50.00]* |\n"
                 "| &nbsp;&nbsp;inner | 2 | – |\n\nA \"note\".\n");
    check_json(&table, &out);
    check_open_end(&arena);
    check_json_texts(&arena);
    tap_case("as steps leave it: intervals in columns, shares as fractions, leaves");
    result_table_text_step(&table, "class,kind", &out);
    expect(&out, "class,kind,count,share,share low,share high\n"
                 "\"a|b, \"\"c\"\"\",inner,2,,,\n");
    table.row_count = 1;
    table.columns[0].type = RESULT_REAL;
    result_table_text_step(&table, "class", &out);
    expect(&out, "class,count,share,share low,share high\n"
                 "\"a|b, \"\"c\"\"\",7.0,0.25,0.125,0.5\n");
    tap_case("a table without rows and columns");
    table = (struct result_table){.name = STR("t")};
    result_table_text_csv(&table, &out);
    result_table_text_markdown(&table, &out);
    expect(&out, "group1\n# t\n\n|  |\n|---|\n");
    buf_free(&out);
    arena_free(&arena);
    return tap_done();
}
