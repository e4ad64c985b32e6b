/* The results of a test while they come in: one for the whole, or for each row, block or
 * pair. */
#ifndef MEASURE_TEST_RESULTS_H
#define MEASURE_TEST_RESULTS_H

#include "measure/testing.h"

/* None yet, with room for so many. */
void measure_test_results_begin(const struct study_test *test, size_t room,
                                struct arena *arena, struct measure_testing *out);

/* A further one, in which nothing is known but its name. */
struct measure_testing_result *measure_test_results_add(struct measure_testing *out,
                                                        struct str name);

/* When all are there: sets their adjusted p values. */
void measure_test_results_correct(struct measure_testing *testing, struct arena *arena);

#endif
