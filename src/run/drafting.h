/* Drafts the section on methods of a study that is up to date. */
#ifndef RUN_DRAFTING_H
#define RUN_DRAFTING_H

#include "base/err.h"
#include "study/study.h"

/* Writes out/methods.md and out/methods.tex, which are no step's: they are made whenever
 * they are asked for. */
bool run_drafting_make(const struct study *study, const char *version,
                       struct err *err) MUST_USE;

#endif
