/* What the author of a study may not have meant, as the data tell: tags that no item has,
 * sets without items, sizes that a set does not have. Nothing of it stops a run. */
#ifndef RUN_DOUBTS_H
#define RUN_DOUBTS_H

#include "run/needs.h"

/* Of what was made in this run, told by options->warn; nothing when that is NULL. */
bool run_doubts_tell(struct run_needs *needs, struct err *err) MUST_USE;

/* Those that the study file alone tells, for plans. */
void run_doubts_tell_plan(const struct study *study, const struct run_options *options);

/* Numbers that texts of questions have otherwise than the study gives them; whatever was
 * made in this run. */
bool run_doubts_tell_texts(const struct study *study, const struct run_options *options,
                           struct err *err) MUST_USE;

/* Samples that will be drawn anew although items of them have been labelled. */
void run_doubts_tell_redrawn(const struct run_steps *steps,
                             const struct run_ledger *ledger,
                             const struct run_options *options);

#endif
