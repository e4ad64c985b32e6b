/* Correlations between the columns of a table, and within a run. */
#include "run/correlating.h"

#include <math.h>

#include "tests/unit/studied.h"

int main(void)
{
    /* R: cor(c(1, 2, 3, 4), c(2, 1, 4, 3)) is 0.6. */
    const double first[] = {1, 2, 3, 4}, second[] = {2, 1, 4, 3};
    struct result_number at[13];
    struct result_numbers numbers = {STR("tables.t"), at, 0};
    const struct str rows[] = {STR("p"), STR("q"), STR("r"), STR("s")};
    struct study_table table = {.name = STR("c"), .confidence = 0.95};
    struct arena arena = {0};
    struct result_table got;
    struct studied test;

    for (size_t i = 0; i < 4; i++) {
        at[numbers.count++] = (struct result_number){.row = rows[i],
                                                     .column = STR("A.count"),
                                                     .value = first[i],
                                                     .heading = STR("A: count")};
        at[numbers.count++] = (struct result_number){.row = rows[i],
                                                     .column = STR("B.count"),
                                                     .value = second[i],
                                                     .heading = STR("B: count")};
        at[numbers.count++] = (struct result_number){.row = rows[i],
                                                     .column = STR("total.count"),
                                                     .value = 99,
                                                     .total_column = true};
    }
    at[numbers.count++] = (struct result_number){
        .row = STR("total"), .column = STR("A.count"), .value = 10, .total_row = true};
    run_correlating_table(&table, &numbers, &arena, &got);
    tap_case("each column with each, without totals");
    CHECK(got.row_count == 2 && got.column_count == 2);
    CHECK(str_eq(got.rows[0].name, STR("A")) && str_eq(got.columns[1].name, STR("B")));
    CHECK_NEAR(got.cells[1].value, 0.6, 1e-12);
    CHECK_NEAR(got.cells[2].value, 0.6, 1e-12);
    CHECK_NEAR(got.cells[0].value, 1, 1e-12);
    CHECK(isnan(got.cells[0].low) && got.cells[1].low < 0.6);
    arena_free(&arena);

    tap_case("in a study, wherever the other table stands");
    if (!studied_begin(&test))
        return tap_done();
    studied_write(&test, "p.csv", STUDIED_POSTS);
    studied_write(&test, "study.yaml",
                  STUDIED_HEAD
                  "sets: {x: '[x] or [z]'}\ngroups:\n  g: {all-of: {A: '[a]', B: '[b]', "
                  "Z: '[z]'}}\n  y: created by month\n"
                  "tables:\n  c: {correlate: t}\n  t: {of: x, by: y, across: g}\n"
                  "figures: {f: {draw: heat, table: c}}\n");
    CHECK(studied_run(&test));
    CHECK_TEXT(test.err.text, "");
    CHECK(strstr(studied_read(&test, "out/tables/c.csv"), "group1,A,A low,A high,B,") !=
          NULL);
    tap_case("a table cannot be correlated with itself");
    studied_write(&test, "study.yaml", STUDIED_HEAD "tables: {c: {correlate: c}}\n");
    struct study study;
    struct buf problems = {0};
    struct study_options options = {0};
    CHECK(!study_load(test.folder, &options, &test.arena, &study, &problems, &test.err));
    buf_add_char(&problems, '\0');
    CHECK(strstr(problems.ptr, "'c' is itself a table of correlations") != NULL);
    buf_free(&problems);
    studied_end(&test);
    return tap_done();
}
