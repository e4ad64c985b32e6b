/* Tables that others made: numbers as people print them, rows as a tree, and what is
 * wrong with a file. */
#include "measure/table_file.h"

#include <math.h>
#include <stdio.h>

#include "tests/tap.h"
#include "tests/unit/packed.h"

static const struct {
    const char *name, *cell;
    double value;
} cells[] = {
    {"a count", "12", 12},
    {"a fraction", "0.5", 0.5},
    {"a percentage", "12.5%", 0.125},
    {"thousands", "\"1,234\"", 1234},
    {"millions with a fraction", "\"1,234,567.5\"", 1234567.5},
    {"a comma that parts no thousands", "\"1,5\"", NAN},
    {"four digits behind a comma", "\"1,2345\"", NAN},
    {"blanks around it", " 7 ", 7},
    {"negative", "-3", -3},
    {"a word", "none", NAN},
    {"nothing", "", NAN},
};

static bool read_table(struct packed_folder *folder, const char *text, struct str *names,
                       size_t count, struct arena *arena, struct result_table *out,
                       struct err *err)
{
    struct study_table table = {.name = STR("t"),
                                .title = STR("T"),
                                .from = packed_write(folder, "t.csv", str_from(text)),
                                .row_names = names,
                                .row_name_count = count};

    return measure_table_file_read(&table, arena, out, err);
}

static void check_cells(struct packed_folder *folder, struct arena *arena)
{
    for (size_t i = 0; i < ROWS(cells); i++) {
        char text[100];
        struct result_table got;
        struct err err = {0};
        tap_case("cell: %s", cells[i].name);
        snprintf(text, sizeof text, "kind,found\ncrash,%s\n", cells[i].cell);
        if (!CHECK(read_table(folder, text, NULL, 0, arena, &got, &err)) ||
            !CHECK(got.row_count == 1 && got.column_count == 1))
            continue;
        CHECK_NEAR(got.cells[0].value, cells[i].value, 1e-12);
        CHECK((got.cells[0].undefined != NULL) == isnan(cells[i].value));
    }
}

static void check_shares(struct packed_folder *folder, struct arena *arena)
{
    static const char text[] = "kind,a,b,c,d\nx,10%,0.5%,1,\ny,7.25%,2,3%,\nz,,40%,x,\n";
    struct result_table got;
    struct err err = {0};

    tap_case("percentages alone are shares, with the digits that they are written with");
    if (!CHECK(read_table(folder, text, NULL, 0, arena, &got, &err)) ||
        !CHECK(got.column_count == 4))
        return;
    CHECK(got.columns[0].type == RESULT_SHARE && got.columns[0].digits == 2);
    for (size_t c = 1; c < 4; c++)
        CHECK(got.columns[c].type == RESULT_REAL && got.columns[c].digits == -1);
}

static void check_tree(struct packed_folder *folder, struct arena *arena)
{
    struct str names[] = {STR("phase"), STR("kind")};
    struct result_table got;
    struct err err = {0};
    struct buf text = {0};

    tap_case("two columns that name rows make a tree; the others are numbers");
    CHECK(read_table(folder,
                     "n,phase,kind,Share found\n1,Data,load,10%\n2,Data,clean up,20%\n"
                     "3,Model,load,30%\n",
                     names, 2, arena, &got, &err));
    for (size_t r = 0; r < got.row_count; r++) {
        buf_add_format(&text, "%d %.*s:", got.rows[r].level, STR_ARG(got.rows[r].path));
        for (size_t h = 0; h < got.column_count; h++)
            buf_add_format(&text, " %g", got.cells[r * got.column_count + h].value);
        buf_add_char(&text, '\n');
    }
    buf_add_char(&text, '\0');
    CHECK_TEXT(text.ptr, "0 Data: nan nan\n1 Data.load: 1 0.1\n1 Data.clean-up: 2 0.2\n"
                         "0 Model: nan nan\n1 Model.load: 3 0.3\n");
    CHECK(got.column_count == 2 && str_eq(got.columns[1].path, STR("Share-found")));
    buf_free(&text);
}

static void check_errors(struct packed_folder *folder, struct arena *arena)
{
    static const struct {
        const char *name, *text, *error; /* behind the path */
    } rows[] = {
        {"no such column", "a,b\n1,2\n", ":1: there is no column 'kind'; there are a, b"},
        {"an empty file", "", ":1: the file is empty; expected a row of heads"},
        {"a row that is too short", "kind,b\n1\n",
         ":2:1: found 1 field, expected 2 as in the header"},
    };
    struct str names[] = {STR("kind")};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct result_table got;
        struct err err = {0};
        char want[500];
        tap_case("error: %s", rows[i].name);
        CHECK(!read_table(folder, rows[i].text, names, 1, arena, &got, &err));
        snprintf(want, sizeof want, "%s%s", folder->last, rows[i].error);
        CHECK_TEXT(err.text, want);
        CHECK(err.kind == ERR_INPUT);
    }
}

int main(void)
{
    struct packed_folder folder = packed_folder();
    struct arena arena = {0};

    check_cells(&folder, &arena);
    check_shares(&folder, &arena);
    check_tree(&folder, &arena);
    check_errors(&folder, &arena);
    packed_clean(&folder);
    arena_free(&arena);
    return tap_done();
}
