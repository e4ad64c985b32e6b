/* A table of the study, whatever its numbers come from. */
#ifndef RUN_TABULATING_H
#define RUN_TABULATING_H

#include "run/needs.h"
#include "run/output.h"

bool tabulating_make(struct needs *needs, const struct step *step, struct output *output,
                     struct err *err) MUST_USE;

#endif
