/* The table of tests: each kind has its row. What comes out of each is compared with R in
 * measure_testing_items and measure_testing_cells. */
#include "measure/internal.h"

#include <math.h>

#include "tests/tap.h"

static void check_rows(void)
{
    tap_case("every kind can be carried out, but for those that need the items");
    for (int kind = STUDY_PROPORTION; kind <= STUDY_KENDALL; kind++) {
        const struct measure_test_kinds_kind *found =
            measure_test_kinds_find((enum study_test_kind)kind);
        CHECK(found->statistic != NULL);
        CHECK((found->carry_out == NULL) ==
              (kind == STUDY_LOG_RANK || kind == STUDY_SCOTT_KNOTT));
        CHECK(found->counts == (kind <= STUDY_FISHER));
    }
}

/* Odds ratio 10 * 40 / (20 * 30); chi-square without correction 100 (10 * 40 - 20 * 30)^2
 * / (30 * 70 * 40 * 60). */
static void check_counts(struct arena *arena)
{
    const int64_t counts[] = {10, 20, 30, 40};
    struct study_test test = {.kind = STUDY_CHI_SQUARE, .level = 0.05};
    struct measure_testing_result result = {.effect = NAN};
    struct measure_test_kinds_task task = {
        .test = &test, .arena = arena, .result = &result, .counts = {counts, 2, 2}};

    tap_case("a task of counts");
    measure_test_kinds_find(test.kind)->carry_out(&task);
    CHECK(result.undefined == NULL && result.df == 1);
    CHECK_NEAR(result.statistic, 100 * 40000.0 / (30.0 * 70 * 40 * 60), 1e-12);
    CHECK_TEXT(result.effect_name, "odds ratio");
    CHECK_NEAR(result.effect, 400.0 / 600, 1e-12);
}

static void check_effect(void)
{
    struct measure_testing_result result = {.effect = NAN, .low = NAN, .high = NAN};

    tap_case("an effect that is undefined says why, an interval likewise");
    measure_test_kinds_effect(&result, "g",
                              (struct stats_effect){.undefined = "no items"});
    CHECK(isnan(result.effect) && isnan(result.low));
    CHECK_TEXT(result.effect_name, "g");
    CHECK_TEXT(result.no_interval, "no items");
    measure_test_kinds_effect(
        &result, "g",
        (struct stats_effect){
            .estimate = 2, .low = 1, .high = 3, .interval_undefined = "one item"});
    CHECK(result.effect == 2 && isnan(result.low) && isnan(result.high));
}

int main(void)
{
    struct arena arena = {0};

    check_rows();
    check_counts(&arena);
    check_effect();
    arena_free(&arena);
    return tap_done();
}
