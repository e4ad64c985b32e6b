/* Sets of items: every operation at the borders of words. Expected values are counted by
 * hand. */
#include "measure/bits.h"

#include "tests/tap.h"

static const struct {
    const char *name;
    size_t count;
    int64_t thirds; /* of 0, 3, 6 ... below count */
} sizes[] = {
    {"no items", 0, 0},
    {"one item", 1, 1},
    {"a word but one", 63, 21},
    {"a word", 64, 22},
    {"a word and one", 65, 22},
    {"two words", 128, 43},
    {"two words and some", 130, 44},
};

static void check_size(size_t count, int64_t thirds)
{
    struct arena arena = {0};
    struct measure_bits none = measure_bits_make(count, &arena),
                        all = measure_bits_all(count, &arena);
    struct measure_bits third = measure_bits_make(count, &arena),
                        even = measure_bits_make(count, &arena);
    int64_t seen = 0;

    for (size_t i = 0; i < count; i += 3)
        measure_bits_set(third, i);
    for (size_t i = 0; i < count; i += 2)
        measure_bits_set(even, i);
    CHECK(measure_bits_count(none) == 0 && measure_bits_count(all) == (int64_t)count);
    CHECK(measure_bits_count(third) == thirds);
    CHECK(measure_bits_next(none, 0) == count && measure_bits_next(all, count) == count);
    for (size_t i = measure_bits_next(third, 0); i < count;
         i = measure_bits_next(third, i + 1), seen++)
        CHECK(i % 3 == 0 && measure_bits_has(third, i));
    CHECK(seen == thirds);
    struct measure_bits sixth = measure_bits_and(third, even, &arena);
    for (size_t i = 0; i < count; i++)
        CHECK(measure_bits_has(sixth, i) == (i % 6 == 0));
    measure_bits_add(sixth, all);
    CHECK(measure_bits_count(sixth) == (int64_t)count);
    arena_free(&arena);
}

int main(void)
{
    for (size_t i = 0; i < ROWS(sizes); i++) {
        tap_case("bits: %s", sizes[i].name);
        check_size(sizes[i].count, sizes[i].thirds);
    }
    return tap_done();
}
