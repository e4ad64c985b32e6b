/* Tables of a study that others made, or that show what a step gave. */
#ifndef RUN_TABULATING_H
#define RUN_TABULATING_H

#include "result/result.h"
#include "study/study.h"

struct run_needs;

/* Reads `from`. Lists behind numbers that a step gave have all of their items. */
bool run_tabulating_show(const struct study_table *table, struct arena *arena,
                         struct result_table *out, struct err *err) MUST_USE;

/* Shares of the classes of a table's classifier, corrected for its errors. The frame and
 * the table's groups are there. */
bool run_tabulating_shares(struct run_needs *needs, const struct study_table *table,
                           struct arena *arena, struct result_table *out,
                           struct err *err) MUST_USE;

#endif
