/* Results of a test: p values adjusted for each other, as R's p.adjust does. */
#include "measure/internal.h"

#include <math.h>

#include "tests/tap.h"

static const double p[] = {0.01, 0.02, 0.04};

static const struct {
    const char *name;
    enum study_test_kind kind;
    enum study_correct correct;
    double adjusted[3];
} rows[] = {
    {"none", STUDY_WELCH, STUDY_NO_CORRECTION, {0.01, 0.02, 0.04}},
    {"Bonferroni", STUDY_WELCH, STUDY_BONFERRONI, {0.03, 0.06, 0.12}},
    {"Holm", STUDY_WELCH, STUDY_HOLM, {0.03, 0.04, 0.04}},
    {"Benjamini-Hochberg", STUDY_WELCH, STUDY_BENJAMINI, {0.03, 0.03, 0.04}},
    {"the test before its pairs", STUDY_KRUSKAL_WALLIS, STUDY_HOLM, {0.01, 0.04, 0.04}},
};

int main(void)
{
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct study_test test = {
            .kind = rows[i].kind, .correct = rows[i].correct, .table = STUDY_NONE};
        struct measure_testing testing;
        tap_case("adjusted: %s", rows[i].name);
        measure_test_results_begin(&test, ROWS(p), &arena, &testing);
        CHECK(testing.count == 0 && testing.statistic_name != NULL);
        for (size_t r = 0; r < ROWS(p); r++) {
            struct measure_testing_result *result =
                measure_test_results_add(&testing, STR("r"));
            CHECK(isnan(result->statistic) && isnan(result->p) && isnan(result->low));
            result->p = p[r];
        }
        measure_test_results_correct(&testing, &arena);
        for (size_t r = 0; r < ROWS(p); r++)
            CHECK_NEAR(testing.results[r].adjusted, rows[i].adjusted[r], 1e-15);
    }
    tap_case("a result alone stays as it is");
    struct study_test test = {
        .kind = STUDY_WELCH, .correct = STUDY_HOLM, .table = STUDY_NONE};
    struct measure_testing testing;
    measure_test_results_begin(&test, 1, &arena, &testing);
    measure_test_results_add(&testing, STR(""))->p = 0.04;
    measure_test_results_correct(&testing, &arena);
    CHECK(testing.results[0].adjusted == 0.04);
    arena_free(&arena);
    return tap_done();
}
