/* The results of a test while they come in: one for the whole, or for each row, block or
 * pair. */
#ifndef MEASURE_TEST_RESULTS_H
#define MEASURE_TEST_RESULTS_H

#include "measure/testing.h"

/* None yet, with room for so many. */
void test_results_begin(const struct study_test *test, size_t room, struct arena *arena,
                        struct testing *out);

/* A further one, in which nothing is known but its name. */
struct testing_result *test_results_add(struct testing *out, struct str name);

/* When all are there: sets their adjusted p values. */
void test_results_correct(struct testing *testing, struct arena *arena);

#endif
