/* assay.lock while a run goes on: each step is in it as soon as its files are on the
 * disk, so that an interrupted run goes on where it was. */
#ifndef RUN_RECORDING_H
#define RUN_RECORDING_H

#include "run/ledger.h"
#include "run/output.h"
#include "run/steps.h"

struct run_recording {
    const char *home;                /* the study's folder */
    const struct run_ledger *before; /* as it was when the run began */
    struct run_steps *steps;
    struct arena *arena;
    bool orphans_removed; /* files of steps that are no more */
};

/* A step whose files have been written; `made` has its inputs. */
bool run_recording_add(struct run_recording *recording, struct run_step *step,
                       struct run_ledger_step made, const struct run_output *output,
                       struct err *err) MUST_USE;

/* When all steps are made: takes away the files of steps that are no more, and folders
 * that this leaves empty. */
bool run_recording_remove_orphans(struct run_recording *recording,
                                  struct err *err) MUST_USE;

#endif
