/* Alpha for unitizing against its definition in fractions, and a published example. */
#include "stats/unitize.h"

#include "tests/vectors/read.h"

static struct stats_unitize_unit *read_units(struct stats_values values,
                                             struct arena *arena)
{
    enum { NUMBERS = 5 };
    struct stats_unitize_unit *units =
        arena_array(arena, struct stats_unitize_unit, values.count / NUMBERS + 1);

    for (size_t i = 0; i + NUMBERS <= values.count; i += NUMBERS)
        units[i / NUMBERS] = (struct stats_unitize_unit){
            (size_t)values.at[i], (size_t)values.at[i + 1], (size_t)values.at[i + 2],
            (int64_t)values.at[i + 3], (int64_t)values.at[i + 4]};
    return units;
}

static void check_case(struct vectors_file *vectors)
{
    struct arena *arena = &vectors->arena;
    struct stats_values units = vectors_values(vectors, "units"),
                        pieces = vectors_values(vectors, "pieces"),
                        observed = vectors_values(vectors, "observed"),
                        expected = vectors_values(vectors, "expected"),
                        alpha = vectors_values(vectors, "alpha");
    size_t categories = (size_t)vectors_number(vectors, "categories");
    struct stats_unitize_alpha *got =
        arena_array(arena, struct stats_unitize_alpha, categories + 1);
    int64_t *lengths = arena_array(arena, int64_t, pieces.count + 1);

    for (size_t i = 0; i < pieces.count; i++)
        lengths[i] = (int64_t)pieces.at[i];
    struct stats_unitize_continuum continuum = {
        lengths, pieces.count, (size_t)vectors_number(vectors, "raters"), categories};
    stats_unitize_alpha(&continuum, read_units(units, arena), units.count / 5, arena,
                        got);
    for (size_t c = 0; c <= categories; c++) {
        CHECK_NEAR(got[c].observed, observed.at[c], 1e-14);
        CHECK_NEAR(got[c].expected, expected.at[c], 1e-14);
        CHECK_NEAR(got[c].alpha, alpha.at[c], 1e-11);
    }
}

int main(void)
{
    struct vectors_file vectors = vectors_open("unitize");

    while (vectors_next(&vectors, "alpha"))
        check_case(&vectors);
    vectors_close(&vectors);
    return tap_done();
}
