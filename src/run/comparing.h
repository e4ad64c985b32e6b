/* Two runs of a study side by side, such as of an older dump and a newer one: what moved,
 * and what still holds. Steps and rows meet by their names, items by their keys. */
#ifndef RUN_COMPARING_H
#define RUN_COMPARING_H

#include "result/numbers.h"
#include "result/result.h"
#include "study/study.h"

/* A run that is up to date as far as it was made. */
struct run_comparing_side {
    const struct study *study;
    struct result_numbers *numbers;
    size_t count;
};

enum { RUN_COMPARING_TABLES = 10 };

/* A random sample of the items that only the newer run has, which tells, once it is
 * labelled, whether each classifier still fits: rows of csv with a head. */
struct run_comparing_fresh {
    uint64_t seed;
    struct buf *out;
};

/* Up to RUN_COMPARING_TABLES tables: "summary", then "moved" if anything did (see
 * run/moved.h), then what they stand on, of which those that neither run has anything
 * for are left out; they live in arena. fresh: NULL: no sample is drawn. */
bool run_comparing(const struct run_comparing_side *old,
                   const struct run_comparing_side *new,
                   const struct run_comparing_fresh *fresh, struct arena *arena,
                   struct result_table *out, size_t *count, struct err *err) MUST_USE;

#endif
