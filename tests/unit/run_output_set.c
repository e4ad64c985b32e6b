/* The files of a set: ids, and a funnel whose conditions need quoting. */
#include "tests/unit/outputs.h"

static void check_set(struct studied *test)
{
    int64_t ids[] = {3, 7, 20}, *again;
    struct measure_frame frame = {.ids = ids, .count = 3};
    struct query_funnel_row rows[] = {{STR("[a|b]"), 0, 3}, {STR("\"x, y\""), 0, 2}};
    struct study_set set = {.name = STR("s")};
    static const uint8_t passed[] = {2, 1, 2};
    struct measure_frame_slot slot = {.bits = measure_bits_make(3, &test->arena),
                                      .funnel = {.rows = rows, .count = 2},
                                      .passed = passed};
    struct run_output output = {.step = STR("sets.s")};
    size_t count = 0;

    tap_case("a set: ids and funnel");
    measure_bits_set(slot.bits, 0);
    measure_bits_set(slot.bits, 2);
    run_output_set(&output, &set, &slot, &frame, (struct run_output_funnel){9, NULL, 1});
    CHECK_TEXT(outputs_text(test, &output, "out/sets/s.csv"), "id\n3\n20\n");
    CHECK_TEXT(outputs_text(test, &output, "out/funnels/s.csv"),
               "condition,questions\nall questions of the sources,9\n[a|b],3\n"
               "\"\"\"x, y\"\"\",2\n");
    CHECK_TEXT(outputs_text(test, &output, "out/funnels/s.md"),
               "# Funnel of s\n\n| condition | questions left |\n|---|---:|\n"
               "| all questions of the sources | 9 |\n| `[a\\|b]` | 3 |\n"
               "| `\"x, y\"` | 2 |\n");
    CHECK(str_eq(run_output_says(&output), STR("2 items")));
    tap_case("written, and the ids read back");
    run_output_end(&output);
    CHECK(run_output_write(&output, test->folder, &test->err));
    CHECK(run_output_read_ids(test->folder, "sets", STR("s"), &test->arena, &again,
                              &count, &test->err));
    CHECK(count == 2 && again[0] == 3 && again[1] == 20);
    run_output_free(&output);
}

int main(void)
{
    struct studied test;

    if (studied_begin(&test)) {
        check_set(&test);
        studied_end(&test);
    }
    return tap_done();
}
