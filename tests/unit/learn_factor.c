/* Against numpy 1.24's linalg.svd of the same matrix. */
#include "learn/factor.h"

#include <math.h>
#include <string.h>

#include "tests/tap.h"

enum { ROW_COUNT = 7, COLUMN_COUNT = 5 };

static const float matrix[ROW_COUNT][COLUMN_COUNT] = {
    {0, 3, 1, 0, 2}, {2, 1, 0, 4, 3}, {4, 0, 4, 4, 0}, {0, 2, 3, 0, 0},
    {3, 0, 0, 4, 1}, {0, 0, 1, 4, 0}, {0, 1, 0, 0, 3}};
static const double values[COLUMN_COUNT] = {10.0605922328, 5.1756457954, 4.7112791274,
                                            2.4940404422, 1.2572930378};
/* Row 0 of U U' for the first two directions: signs cancel out. */
static const double projected[ROW_COUNT] = {0.4402044242, 0.2510918565,  -0.1133253991,
                                            0.1878249769, -0.0338256657, -0.0667001653,
                                            0.3600880628};

static struct rows fill(struct rows_builder *builder, size_t columns)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        for (uint32_t c = 0; c < columns; c++)
            if (matrix[i][c] > 0)
                rows_add_cell(builder, c, matrix[i][c]);
        rows_end_row(builder);
    }
    return rows_of(builder, columns);
}

int main(void)
{
    struct arena arena = {0};
    struct rows_builder builder = {0}, none = {0};
    struct rows rows = fill(&builder, COLUMN_COUNT);
    struct rng rng = rng_seeded(1), same = rng_seeded(1);

    tap_case("as many as there are");
    struct factor all = factor_make(&rows, 64, &rng, &arena);
    CHECK(all.rank == COLUMN_COUNT);
    for (size_t k = 0; k < COLUMN_COUNT; k++)
        CHECK_NEAR(all.values[k], values[k], 1e-9);

    tap_case("the two strongest");
    struct factor two = factor_make(&rows, 2, &rng, &arena);
    CHECK(two.rank == 2);
    for (size_t i = 0; i < ROW_COUNT; i++)
        CHECK_NEAR(two.left[0] * two.left[2 * i] + two.left[1] * two.left[2 * i + 1],
                   projected[i], 1e-9);

    tap_case("the same seed gives the same bits");
    struct factor again = factor_make(&rows, 64, &same, &arena);
    CHECK(memcmp(all.left, again.left, ROW_COUNT * all.rank * sizeof *all.left) == 0);

    tap_case("columns that say the same have one direction");
    for (int i = 0; i < 4; i++) {
        rows_add_cell(&none, 0, 1);
        rows_add_cell(&none, 1, 2);
        rows_end_row(&none);
    }
    rows = rows_of(&none, 2);
    struct factor one = factor_make(&rows, 2, &rng, &arena);
    CHECK_NEAR(one.values[0], sqrt(20), 1e-9);
    CHECK_NEAR(one.values[1], 0, 1e-6);

    tap_case("nothing");
    rows = (struct rows){0};
    CHECK(factor_make(&rows, 3, &rng, &arena).rank == 0);
    rows_builder_free(&builder);
    rows_builder_free(&none);
    arena_free(&arena);
    return tap_done();
}
