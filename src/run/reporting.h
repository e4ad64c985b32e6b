/* The last step: the report, made from the files of all others. */
#ifndef RUN_REPORTING_H
#define RUN_REPORTING_H

#include "run/output.h"
#include "store/corpus.h"
#include "study/study.h"

/* Fills output with out/report/ and out/numbers.tex. corpus may be NULL: a study without
 * sources. */
bool run_reporting_make(const struct study *study, struct store *corpus,
                        const char *version, struct run_output *output,
                        struct err *err) MUST_USE;

#endif
