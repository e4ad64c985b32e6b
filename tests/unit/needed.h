/* For tests of what a run's steps rest on: the studied study, run once, and its needs as
 * a run has them that is to make everything again. */
#ifndef TESTS_UNIT_NEEDED_H
#define TESTS_UNIT_NEEDED_H

#include "run/needs.h"
#include "tests/unit/studied.h"

struct needed {
    struct studied studied;
    struct study study;
    struct run_options options;
    struct run_steps steps;
    struct run_needs needs;
};

/* study.yaml is `text`. Otherwise than `up_to_date` all steps have to be made. */
static inline bool needed_begin(struct needed *test, const char *text, bool up_to_date)
{
    struct studied *studied = &test->studied;
    struct arena *arena = &studied->arena;
    struct err *err = &studied->err;
    struct run_ledger ledger = {0};

    *test = (struct needed){0};
    if (!studied_begin(studied))
        return false;
    studied_fill(studied);
    studied_write(studied, "study.yaml", text);
    if (!CHECK(studied_run(studied)) || !CHECK(studied_load(studied, &test->study)) ||
        (up_to_date && !CHECK(run_ledger_load(studied_path(studied, "assay.lock"), arena,
                                              &ledger, err))))
        return false;
    test->options = studied_options(studied);
    run_steps_list(&test->study, arena, &test->steps);
    test->needs = (struct run_needs){.study = &test->study,
                                     .options = &test->options,
                                     .steps = &test->steps,
                                     .arena = arena};
    if (!CHECK(store_open(studied_path(studied, "corpus.db"), (struct str){0},
                          &test->needs.corpus, err)))
        return false;
    struct str id;
    CHECK(store_get_state(test->needs.corpus, STR("dump-id"), arena, &id, err));
    for (size_t i = 0; i < test->steps.count; i++)
        CHECK(run_steps_judge(&test->steps, i, &ledger, run_steps_hash(id), true, arena,
                              err));
    return true;
}

static inline void needed_end(struct needed *test)
{
    store_close(test->needs.corpus);
    studied_end(&test->studied);
}

#endif
