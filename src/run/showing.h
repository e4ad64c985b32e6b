/* A table that others made, or that shows what a step of the study gave. */
#ifndef RUN_SHOWING_H
#define RUN_SHOWING_H

#include "measure/table.h"

/* Reads `from`, and what the step has written about the items behind its numbers. */
bool showing_table(const struct study *study, const struct study_table *table,
                   struct arena *arena, struct table *out, struct err *err) MUST_USE;

#endif
