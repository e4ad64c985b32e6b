/* The tests that a study may ask for: what goes into each and how it is carried out. */
#ifndef MEASURE_TEST_KINDS_H
#define MEASURE_TEST_KINDS_H

#include "measure/testing.h"
#include "stats/contingency.h"
#include "stats/effect.h"

/* What goes into one result. */
struct measure_test_kinds_task {
    const struct study_test *test;
    struct arena *arena;
    struct measure_testing_result *result;
    const struct stats_values *groups; /* values of each side or group */
    size_t group_count;
    struct stats_contingency counts; /* of tests on counts */
};

struct measure_test_kinds_kind {
    const char *statistic; /* its name */
    /* Sets the result; NULL: only whoever has the items can. */
    void (*carry_out)(struct measure_test_kinds_task *task);
    bool counts; /* else values */
    size_t most; /* groups; 0: any number */
};

const struct measure_test_kinds_kind *measure_test_kinds_find(enum study_test_kind kind);

/* An effect that is undefined is left out. */
void measure_test_kinds_effect(struct measure_testing_result *result, const char *name,
                               struct stats_effect effect);

#endif
