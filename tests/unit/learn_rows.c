/* Sparse rows: what was added comes back, and products are right. */
#include "learn/rows.h"

#include "tests/unit/learn_toy.h"

int main(void)
{
    struct rows_builder builder = {0}, none = {0};
    const double weights[TOY_COLUMNS] = {1, 10, 100, 1000};
    const double dots[TOY_ROWS] = {12, 101, 1030, 210, 2001, 3100};

    tap_case("no rows");
    CHECK(rows_of(&none, 3).count == 0);

    struct rows rows = toy_rows(&builder);
    tap_case("as many rows and columns as were added");
    CHECK(rows.count == TOY_ROWS && rows.columns == TOY_COLUMNS);
    for (size_t i = 0; i < TOY_ROWS; i++) {
        tap_case("product of row %zu", i);
        CHECK_NEAR(rows_dot(rows_at(&rows, i), weights), dots[i], 0);
    }
    rows_end_row(&builder);
    rows = rows_of(&builder, TOY_COLUMNS);
    tap_case("an empty row");
    CHECK(rows.count == TOY_ROWS + 1 && rows_at(&rows, TOY_ROWS).count == 0);
    rows_builder_free(&builder);
    rows_builder_free(&none);
    return tap_done();
}
