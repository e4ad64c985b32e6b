/* Reading results back: numbers, items, rows; and what is not there. */
#include "tests/unit/outputs.h"

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

    if (studied_begin(&test)) {
        write_results(&test);
        check_reading(&test);
        studied_end(&test);
    }
    return tap_done();
}
