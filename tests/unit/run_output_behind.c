/* The files of items behind numbers: of a table, and of a test's sides. */
#include <math.h>

#include "tests/unit/filed.h"

int main(void)
{
    static const int64_t ids[] = {7, 8, 9};
    struct arena arena = {0};
    struct output output = {0};
    struct study_test test = {.name = STR("harder")};
    struct testing_side sides[] = {{STR("a"), STR("a 1 of 2"), bits_make(3, &arena)},
                                   {STR("b"), STR("b 0 of 0"), bits_make(3, &arena)}};
    struct testing testing = {.test = &test, .sides = sides, .side_count = 2, .ids = ids};
    struct behind behind;

    bits_set(sides[0].items, 0);
    bits_set(sides[0].items, 2);
    output_test_behind(&output, &testing, &behind);
    tap_case("a side leads to its items that count, an empty one nowhere");
    CHECK(behind.cell_count == 2 && behind.cells[0].list == 0 &&
          behind.cells[1].list == BEHIND_NONE);
    CHECK(str_eq(behind.lists[0].row, STR("a")) && behind.lists[0].across.len == 0);
    filed_path(&output, 0, "out/tests/harder/0.csv");
    CHECK(str_eq(output_text(&output, 0), STR("id\n7\n9\n")));
    tap_case("lists and cells stand beside them");
    CHECK(filed_holds(&output, filed_find(&output, "out/tests/harder/lists.csv"), "7 9"));
    CHECK(filed_holds(&output, filed_find(&output, "out/tests/harder/cells.csv"),
                      "\n0,0,,a: items,2,"));
    output_free(&output);
    arena_free(&arena);
    return tap_done();
}
