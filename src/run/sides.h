/* What a test compares and a figure shows side by side: several sets, or the groups of
 * one. */
#ifndef RUN_SIDES_H
#define RUN_SIDES_H

#include "measure/testing.h"
#include "run/needs.h"

struct run_sides {
    struct str what;      /* for messages: "harder" */
    const struct str *of; /* sets; none: all items */
    size_t of_count;
    size_t by; /* group or STUDY_NONE */
};

/* After run_needs_frame(). */
bool run_sides_find(struct run_needs *needs, const struct run_sides *sides,
                    struct arena *arena, struct measure_testing_group **out,
                    size_t *count, struct err *err) MUST_USE;

#endif
