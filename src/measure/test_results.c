/* Several results at once make false alarms likelier: their p values are adjusted. The
 * test of all groups that stands before those of their pairs is none of them. */
#include "measure/test_results.h"

#include <math.h>

#include "measure/test_kinds.h"
#include "stats/adjust.h"

static struct measure_testing_result blank(void)
{
    return (struct measure_testing_result){.statistic = NAN,
                                           .df = NAN,
                                           .p = NAN,
                                           .adjusted = NAN,
                                           .effect = NAN,
                                           .low = NAN,
                                           .high = NAN};
}

void measure_test_results_begin(const struct study_test *test, size_t room,
                                struct arena *arena, struct measure_testing *out)
{
    *out = (struct measure_testing){
        .test = test, .statistic_name = measure_test_kinds_find(test->kind)->statistic};
    out->results = arena_array(arena, struct measure_testing_result, room + 1);
}

struct measure_testing_result *measure_test_results_add(struct measure_testing *out,
                                                        struct str name)
{
    struct measure_testing_result *result = &out->results[out->count++];

    *result = blank();
    result->name = name;
    return result;
}

void measure_test_results_correct(struct measure_testing *testing, struct arena *arena)
{
    size_t from =
        testing->test->kind == STUDY_KRUSKAL_WALLIS && testing->test->table == STUDY_NONE;
    size_t count = testing->count - from;
    double *p = arena_array(arena, double, testing->count + 1), *adjusted = p;

    for (size_t i = 0; i < testing->count; i++)
        p[i] = testing->results[i].adjusted = testing->results[i].p;
    struct stats_values all = {p + from, count};
    switch (count > 1 ? testing->test->correct : STUDY_NO_CORRECTION) {
    case STUDY_NO_CORRECTION:
        return;
    case STUDY_BONFERRONI:
        adjusted = stats_adjust_bonferroni(all, arena);
        break;
    case STUDY_HOLM:
        adjusted = stats_adjust_holm(all, arena);
        break;
    case STUDY_BENJAMINI:
        adjusted = stats_adjust_benjamini_hochberg(all, arena);
        break;
    }
    for (size_t i = 0; i < count; i++)
        testing->results[from + i].adjusted = adjusted[i];
}
