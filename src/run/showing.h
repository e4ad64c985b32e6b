/* A table that others made, or that shows what a step of the study gave. */
#ifndef RUN_SHOWING_H
#define RUN_SHOWING_H

#include "result/result.h"
#include "study/study.h"

/* Reads `from`. Lists behind numbers that a step gave have all of their items. */
bool run_showing_table(const struct study_table *table, struct arena *arena,
                       struct result_table *out, struct err *err) MUST_USE;

#endif
