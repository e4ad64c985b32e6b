/* Tables, whatever they come from. What is in them is tested with each source:
 * measure_table, run_shares, run_correlating, measure_table_file. */
#include "run/tabulating.h"

#include "tests/unit/needed.h"
#include "tests/unit/outputs.h"

static const char study[] = STUDIED_HEAD STUDIED_SETS STUDIED_GROUPS STUDIED_LABELS
    "tables:\n  t: {of: x, by: g, across: c}\n  c: {correlate: t}\n";

static const struct {
    const char *name;
    const char *table, *want; /* the beginning of its csv */
} rows[] = {
    {"from the frame", "t", "group1,One: count,Two: count\nA,1,0\nB,0,1\n"},
    {"from another table", "c", "group1,One,One low,One high,Two,Two low,Two high\n"},
};

/* Tables that show a step, with the items behind their numbers. */
static void write_states(struct studied *test)
{
    static const int64_t ids[] = {4, 5};
    struct run_output output = {.step = STR("labelling.l")};
    struct result_column columns[] = {{.type = RESULT_COUNT, .name = STR("items")},
                                      {.type = RESULT_SHARE, .name = STR("share")}};
    struct result_table table = result_new(STR("states"), columns, 2, &output.arena);

    table.corner = STR("state");
    result_add_row(&table, STR("open"), RESULT_NONE, &output.arena)[0] = result_count(2);
    result_add_evidence(&table, &(struct result_evidence){0, 0, STR("items"), ids, 2},
                        &output.arena);
    run_output_result(&output, &table);
    run_output_end(&output);
    CHECK(run_output_write(&output, test->folder, &test->err));
    run_output_free(&output);
}

static void check_shown(void)
{
    struct studied test;
    struct result_table table;

    if (!studied_begin(&test))
        return;
    write_states(&test);
    struct study_table shown = {.name = STR("t"),
                                .title = STR("T"),
                                .from =
                                    studied_path(&test, "out/results/labelling.l.result"),
                                .part = STR("states")};
    tap_case("a step's table under the study's name, with its types and items");
    CHECK(run_tabulating_show(&shown, &test.arena, &table, &test.err));
    CHECK(str_eq(table.name, STR("t")) && str_eq(table.title, STR("T")) &&
          str_eq(table.corner, STR("state")) && table.numbers);
    CHECK(table.columns[1].type == RESULT_SHARE && table.cells[0].value == 2 &&
          table.cells[0].list->ids[1] == 5);
    CHECK_TEXT(table.cells[1].undefined, "the table has no number there");
    tap_case("one that the step does not have");
    shown.part = STR("codes");
    CHECK(!run_tabulating_show(&shown, &test.arena, &table, &test.err));
    CHECK(strstr(test.err.text, "labelling.l.result: there is no table 'codes'") != NULL);
    tap_case("a table of others has percentages and no items");
    studied_write(&test, "t.csv", "kind,found\ncrash,50%\n");
    shown.part = (struct str){0};
    shown.from = studied_path(&test, "t.csv");
    CHECK(run_tabulating_show(&shown, &test.arena, &table, &test.err));
    CHECK(table.cells[0].value == 0.5 && table.columns[0].type == RESULT_SHARE &&
          table.list_count == 0 && table.corner.len == 0);
    studied_end(&test);
}

static void check_made(void)
{
    struct needed test;

    if (!needed_begin(&test, study, false))
        return;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct str name = str_from(rows[i].table);
        size_t table = 0;
        struct run_output output = {0};
        while (!str_eq(test.study.tables[table].name, name))
            table++;
        size_t step = run_steps_find(&test.steps, &run_kind_table, table);
        tap_case("%s", rows[i].name);
        CHECK(run_kind_table.make(&test.needs, &test.steps.at[step], &output,
                                  &test.studied.err));
        CHECK_TEXT(test.studied.err.text, "");
        struct buf path = {0};
        buf_add_format(&path, "out/tables/%s.csv%c", rows[i].table, 0);
        CHECK(str_starts(str_from(outputs_text(&output, path.ptr)),
                         str_from(rows[i].want)));
        buf_free(&path);
        run_output_free(&output);
    }
    needed_end(&test);
}

int main(void)
{
    check_made();
    check_shown();
    return tap_done();
}
