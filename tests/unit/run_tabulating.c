/* Tables, whatever they come from. What is in them is tested with each source:
 * measure_table, run_shares, run_correlating, measure_table_file. */
#include "run/tabulating.h"

#include "tests/unit/filed.h"
#include "tests/unit/needed.h"

static const char study[] = STUDIED_HEAD STUDIED_SETS STUDIED_GROUPS STUDIED_LABELS
    "tables:\n  t: {of: x, by: g, across: c}\n  c: {correlate: t}\n";

static const struct {
    const char *name;
    const char *table, *want; /* the beginning of its csv */
} rows[] = {
    {"from the frame", "t", "group1,One: count,Two: count\nA,1,0\nB,0,1\n"},
    {"from another table", "c", "group1,One,Two\n"},
};

int main(void)
{
    struct needed test;

    if (!needed_begin(&test, study, false))
        return tap_done();
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct str name = str_from(rows[i].table);
        size_t table = 0;
        struct run_output output = {0};
        while (!str_eq(test.study.tables[table].name, name))
            table++;
        size_t step = run_steps_find(&test.steps, RUN_STEPS_TABLE, table);
        tap_case("%s", rows[i].name);
        CHECK(run_tabulating_make(&test.needs, &test.steps.at[step], &output,
                                  &test.studied.err));
        CHECK_TEXT(test.studied.err.text, "");
        struct buf path = {0};
        buf_add_format(&path, "out/tables/%s.csv%c", rows[i].table, 0);
        size_t file = filed_find(&output, path.ptr);
        CHECK(str_starts(run_output_text(&output, file), str_from(rows[i].want)));
        buf_free(&path);
        run_output_free(&output);
    }
    needed_end(&test);
    return tap_done();
}
