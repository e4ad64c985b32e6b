/* A table of the study, whatever its numbers come from. */
#ifndef RUN_TABULATING_H
#define RUN_TABULATING_H

#include "run/needs.h"
#include "run/output.h"

bool run_tabulating_make(struct run_needs *needs, const struct run_step *step,
                         struct run_output *output, struct err *err) MUST_USE;

#endif
