/* A table of correlations between the columns of another one. */
#ifndef RUN_CORRELATING_H
#define RUN_CORRELATING_H

#include "result/numbers.h"
#include "study/study.h"

/* Pearson's r of each two columns over the rows that have both, with its interval; totals
 * do not count. numbers: those of the table it is about. */
void run_correlating_table(const struct study_table *table,
                           const struct result_numbers *numbers, struct arena *arena,
                           struct result_table *out);

#endif
