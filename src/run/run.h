/* Brings a study up to date: the corpus, then every step that is not. */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "result/numbers.h"
#include "run/steps.h"
#include "source/ingest.h"
#include "study/study.h"

struct run_options {
    const char *version; /* of assay, for the report */
    int threads;
    bool quiet, skip_broken;
    int64_t rest_bytes; /* see ingest.h */
    int descriptor;     /* where progress goes */
    /* Told once a step: "tables.trend", "made", "12 rows". */
    void (*tell)(void *context, struct str step, const char *what, struct str text);
    /* Told of what was wrong with the sources, and of what queries may not mean, when the
     * sources have been read; NULL: nobody. */
    void (*warn)(void *context, struct str text);
    void *context;
};

/* The corpus alone, and out/health.md where it is not as the corpus has it. *result's
 * health is freed.
 */
bool run_ingest(const struct study *study, const struct run_options *options,
                struct source_ingest_result *result, struct err *err) MUST_USE;

/* What the study's sources, sets and options ask for, as source_ingest_run() takes it. */
struct source_ingest_options run_ingest_options(const struct study *study,
                                                const struct run_options *options,
                                                struct arena *arena);

/* Lists the steps with the reason why each would run; nothing is changed. *corpus_reason
 * is empty when the corpus is up to date. */
bool run_plan(const struct study *study, const struct run_options *options,
              struct arena *arena, struct run_steps *out, struct str *corpus_reason,
              struct err *err) MUST_USE;

/* Keys that are text, from the corpus into the study, so that they can be read and
 * written. They live in arena. */
bool run_name_items(struct store *corpus, struct arena *arena, struct study *study,
                    struct err *err) MUST_USE;

/* *made counts the steps that were made, the corpus included. */
bool run_study(const struct study *study, const struct run_options *options,
               int64_t *made, struct err *err) MUST_USE;

/* The numbers of every step of a study that is up to date, and of the corpus. Steps that
 * wait for labels have none. */
bool run_numbers(const struct study *study, struct arena *arena,
                 struct result_numbers **out, size_t *count, struct err *err) MUST_USE;

#endif
