/* A column gives back what went in, whatever its range. */
#include "measure/column.h"

#include "base/rng.h"
#include "tests/tap.h"

enum { MANY = 5000 };

/* Numbers from `least` on, spread over `range`; every `gap`-th is missing. */
static void check(const char *what, int64_t least, uint64_t range, size_t gap)
{
    struct measure_column_maker maker = {0};
    struct arena arena = {0};
    struct rng rng = rng_stream(1, range, gap);
    int64_t *numbers = arena_array(&arena, int64_t, MANY);
    size_t counts[] = {0, 1, MEASURE_COLUMN_BLOCK, MEASURE_COLUMN_BLOCK + 1, MANY};

    for (size_t i = 0; i < MANY; i++) {
        uint64_t more = i % 7 == 0            ? range
                        : i % 7 == 1          ? 0
                        : range == UINT64_MAX ? rng_next(&rng)
                                              : rng_below(&rng, range + 1);
        numbers[i] =
            gap > 0 && i % gap == 0 ? ITEM_NONE : (int64_t)((uint64_t)least + more);
    }
    tap_case("%s: as they went in", what);
    for (size_t c = 0; c < ROWS(counts); c++) {
        struct measure_column column = measure_column_of(numbers, counts[c], &arena);
        CHECK(column.count == counts[c] && column.blocks != NULL);
        for (size_t i = 0; i < counts[c]; i++)
            CHECK(measure_column_at(column, i) == numbers[i]);
    }
    tap_case("%s: a maker that is given up, then used again", what);
    for (size_t i = 0; i < MANY; i++)
        measure_column_add(&maker, 5, &arena);
    measure_column_free(&maker);
    measure_column_add(&maker, numbers[1], &arena);
    struct measure_column one = measure_column_end(&maker, &arena);
    CHECK(one.count == 1 && measure_column_at(one, 0) == numbers[1]);
    arena_free(&arena);
}

int main(void)
{
    static const struct {
        const char *what;
        int64_t least;
        uint64_t range;
        size_t gap;
    } rows[] = {
        {"one number", 7, 0, 0},
        {"one number or none", 7, 0, 3},
        {"none at all", 0, 0, 1},
        {"a byte", -100, 255, 0},
        {"a byte, and some missing", -100, 254, 5},
        {"too many for a byte by the missing one", 0, 255, 5},
        {"moments", 1217540572171, 500000000000, 2},
        {"seven bytes", -5, (UINT64_C(1) << 56) - 1, 0},
        {"more than seven by the missing one", -5, (UINT64_C(1) << 56) - 1, 4},
        {"all that are no ITEM_NONE", INT64_MIN + 1, UINT64_MAX - 1, 0},
        {"the same, and it", INT64_MIN + 1, UINT64_MAX - 1, 6},
    };

    for (size_t i = 0; i < ROWS(rows); i++)
        check(rows[i].what, rows[i].least, rows[i].range, rows[i].gap);
    return tap_done();
}
