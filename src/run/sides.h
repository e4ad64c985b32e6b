/* What a test compares and a figure shows side by side: several sets, or the groups of
 * one. */
#ifndef RUN_SIDES_H
#define RUN_SIDES_H

#include "measure/testing.h"
#include "run/needs.h"

struct sides {
    struct str what;      /* for messages: "harder" */
    const struct str *of; /* sets; none: all items */
    size_t of_count;
    size_t by; /* group or STUDY_NONE */
};

/* After needs_frame(). */
bool sides_find(struct needs *needs, const struct sides *sides, struct arena *arena,
                struct testing_group **out, size_t *count, struct err *err) MUST_USE;

#endif
