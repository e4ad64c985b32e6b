/* Makes one step of a study, of any kind: its files, and in a few words what came out. */
#ifndef RUN_MAKING_H
#define RUN_MAKING_H

#include "run/needs.h"
#include "run/output.h"

/* Nothing is written yet. */
bool making_step(struct needs *needs, const struct step *step, struct output *output,
                 struct err *err) MUST_USE;

#endif
