/* The files of steps: paths, items behind numbers; and reading results back: numbers,
 * items, rows, and what is not there. */
#include "measure/behind.h"
#include "measure/testing.h"
#include "tests/unit/outputs.h"

static void check_files(void)
{
    struct run_output output = {.step = STR("topics.t")};
    struct result_table numbers = {.name = STR("numbers")};

    tap_case("a result and its numbers stand under the step's name");
    result_add_number(&numbers, RESULT_COUNT, STR("topics"), STR(""), result_count(3),
                      &output.arena);
    run_output_result(&output, &numbers);
    run_output_end(&output);
    CHECK(strncmp(outputs_text(&output, "out/results/topics.t.result"),
                  "assay result 1\nstep\ttopics.t\ntable\tnumbers\t", 43) == 0);
    CHECK_TEXT(outputs_text(&output, "out/numbers/topics.t.csv"),
               "row,column,value,low,high,n,undefined,total,label,heading\n"
               ",topics,3,,,,,,,\n");
    tap_case("a file in the folder of what made it");
    buf_add(run_output_add_own(&output, STR("main"), ".csv"), STR("id\n"));
    CHECK_TEXT(outputs_text(&output, "out/topics/t/main.csv"), "id\n");
    run_output_free(&output);
}

static void check_behind(void)
{
    static const int64_t ids[] = {7, 8, 9};
    struct arena arena = {0};
    struct run_output output = {0};
    struct study_test test = {.name = STR("harder")};
    struct measure_testing_side sides[] = {
        {STR("a"), STR("a 1 of 2"), measure_bits_make(3, &arena)},
        {STR("b"), STR("b 0 of 0"), measure_bits_make(3, &arena)}};
    struct measure_testing testing = {.test = &test,
                                      .sides = sides,
                                      .side_count = 2,
                                      .ids = measure_column_of(ids, 3, &arena)};

    measure_bits_set(sides[0].items, 0);
    measure_bits_set(sides[0].items, 2);
    struct result_table table = measure_testing_sides(&testing, &arena);
    run_output_shorten(&output, "tests", &table, MEASURE_BEHIND_LINES);
    tap_case(
        "behind numbers: a side leads to its items that count, an empty one nowhere");
    CHECK(table.row_count == 2 && table.cells[0].list != NULL &&
          table.cells[1].list == NULL);
    CHECK(str_eq(table.lists[0]->row, STR("a")) && table.lists[0]->across.len == 0);
    CHECK_TEXT(outputs_text(&output, "out/tests/harder/0.csv"), "id\n7\n9\n");
    run_output_free(&output);
    arena_free(&arena);
}

static void write_results(struct studied *test)
{
    static const int64_t ids[] = {5, -1};
    struct run_output output = {.step = STR("sets.s")}, empty = {.step = STR("sets.e")};
    struct result_table numbers = {.name = STR("numbers")}, none = numbers;

    result_add_number(&numbers, RESULT_COUNT, STR("count"), STR(""), result_count(2),
                      &output.arena);
    result_add_evidence(&numbers, &(struct result_evidence){0, 0, STR("items"), ids, 2},
                        &output.arena);
    run_output_result(&output, &numbers);
    run_output_end(&output);
    CHECK(run_output_write(&output, test->folder, &test->err));
    result_add_number(&none, RESULT_COUNT, STR("count"), STR(""), result_count(0),
                      &empty.arena);
    run_output_result(&empty, &none);
    run_output_end(&empty);
    CHECK(run_output_write(&empty, test->folder, &test->err));
    run_output_free(&output);
    run_output_free(&empty);
}

static bool take_row(void *context, const struct result_row *row,
                     const struct result_cell *cells, struct err *err)
{
    double *value = context;

    (void)row, (void)err;
    *value = cells[0].value;
    return true;
}

static void check_reading(struct studied *test)
{
    struct result_numbers numbers;
    int64_t *ids = NULL;
    size_t count = 0;
    double value = 0;
    struct result_file_rows rows = {STR("numbers"), NULL, take_row, &value};

    tap_case("the items of a set, in their order");
    CHECK(run_output_read_ids(test->folder, "sets", STR("s"), &test->arena, &ids, &count,
                              &test->err));
    CHECK(count == 2 && ids[0] == 5 && ids[1] == -1);
    tap_case("of an empty one");
    CHECK(run_output_read_ids(test->folder, "sets", STR("e"), &test->arena, &ids, &count,
                              &test->err));
    CHECK(count == 0);
    tap_case("numbers of a step, and rows of one of its tables");
    CHECK(run_output_read_numbers(test->folder, STR("sets.s"), &test->arena, &numbers,
                                  &test->err));
    CHECK(numbers.count == 1 && numbers.at[0].value == 2);
    CHECK(run_output_read_rows(test->folder, "sets", STR("s"), &rows, &test->err));
    CHECK(value == 2);
    tap_case("of a step that was not made");
    CHECK(!run_output_read_numbers(test->folder, STR("sets.none"), &test->arena, &numbers,
                                   &test->err));
    tap_case("what is damaged is told with its place");
    studied_write(test, "out/results/sets.s.result", "assay result 1\nstep\tsets.s\n");
    CHECK(!run_output_read_ids(test->folder, "sets", STR("s"), &test->arena, &ids, &count,
                               &test->err));
    CHECK(strstr(test->err.text, "out/results/sets.s.result:3: found '', expected the "
                                 "end") != NULL);
}

int main(void)
{
    struct studied test;

    check_files();
    check_behind();
    if (studied_begin(&test)) {
        write_results(&test);
        check_reading(&test);
        studied_end(&test);
    }
    return tap_done();
}
