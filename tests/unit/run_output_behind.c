/* The files of items behind numbers. */
#include "measure/behind.h"
#include "tests/unit/filed.h"

int main(void)
{
    static const int64_t ids[] = {7, 8, 9};
    struct arena arena = {0};
    struct run_output output = {0};
    struct study_test test = {.name = STR("harder")};
    struct measure_testing_side sides[] = {
        {STR("a"), STR("a 1 of 2"), measure_bits_make(3, &arena)},
        {STR("b"), STR("b 0 of 0"), measure_bits_make(3, &arena)}};
    struct measure_testing testing = {
        .test = &test, .sides = sides, .side_count = 2, .ids = ids};

    measure_bits_set(sides[0].items, 0);
    measure_bits_set(sides[0].items, 2);
    struct result_table table = measure_testing_sides(&testing, &arena);
    run_output_shorten(&output, "tests", &table, MEASURE_BEHIND_LINES);
    tap_case("a side leads to its items that count, an empty one nowhere");
    CHECK(table.row_count == 2 && table.cells[0].list != NULL &&
          table.cells[1].list == NULL);
    CHECK(str_eq(table.lists[0]->row, STR("a")) && table.lists[0]->across.len == 0);
    filed_path(&output, 0, "out/tests/harder/0.csv");
    CHECK(str_eq(run_output_text(&output, 0), STR("id\n7\n9\n")));
    run_output_free(&output);
    arena_free(&arena);
    return tap_done();
}
