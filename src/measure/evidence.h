/* The items behind the numbers of a csv that a step has written, and why some of them
 * have no interval: a second csv beside the first. Rows and columns are given by their
 * numbers, without the column that names rows and without those of intervals. */
#ifndef MEASURE_EVIDENCE_H
#define MEASURE_EVIDENCE_H

#include "base/buf.h"
#include "measure/table.h"

enum { EVIDENCE_ALL = -1 }; /* rows or columns */

struct evidence_place {
    int64_t row, column;
};

void evidence_begin(struct buf *out);

/* Later lines win: first what holds for all, then what holds for one. A list without
 * items leaves the number without a link. */
void evidence_add(struct buf *out, struct evidence_place place, struct str what,
                  const int64_t *ids, size_t count);
void evidence_no_interval(struct buf *out, struct evidence_place place, const char *why);

/* Into the table, which has been read from the csv. `path` is for messages. */
bool evidence_read(struct str text, const char *path, struct arena *arena,
                   struct table *out, struct err *err) MUST_USE;

/* Numbers without an interval get the mark of a note that says why. */
void evidence_mark(struct table *table, struct arena *arena);

#endif
