/* Makes one step of a study, of any kind: its files, and in a few words what came out. */
#ifndef RUN_MAKING_H
#define RUN_MAKING_H

#include "run/needs.h"
#include "run/output.h"

/* Nothing is written yet. */
bool run_making_step(struct run_needs *needs, const struct run_step *step,
                     struct run_output *output, struct err *err) MUST_USE;

#endif
