/* What people decided on candidate tags: a csv with the columns tag and accepted (yes, no
 * or nothing), and perhaps who and why. */
#ifndef SOURCE_DECIDED_H
#define SOURCE_DECIDED_H

#include "base/arena.h"
#include "base/err.h"

enum source_decided_verdict { SOURCE_UNDECIDED, SOURCE_ACCEPTED, SOURCE_REFUSED };

struct source_decided {
    struct str tag; /* in lower case */
    enum source_decided_verdict verdict;
    struct str who, why;
};

/* Rows in their order; they live in arena. A tag has one row of each person. ERR_INPUT
 * with path:line otherwise. And the same of text already in memory. */
bool source_decided_parse(struct str text, const char *path, struct arena *arena,
                          struct source_decided **out, size_t *count,
                          struct err *err) MUST_USE;
bool source_decided_read(const char *path, struct arena *arena,
                         struct source_decided **out, size_t *count,
                         struct err *err) MUST_USE;

#endif
