/* Groupings that need no further words: "created by year", "source". */
#ifndef STUDY_GROUPING_H
#define STUDY_GROUPING_H

#include "base/buf.h"
#include "base/err.h"

enum grouping {
    GROUPING_YEAR,
    GROUPING_QUARTER,
    GROUPING_MONTH,
    GROUPING_SOURCE,
    GROUPING_FIRST_OF, /* from here on with keys of their own */
    GROUPING_ALL_OF,
    GROUPING_SETS,
    GROUPING_FIELD,
    GROUPING_LABELS,
};

bool grouping_parse(struct str text, enum grouping *out, struct err *err) MUST_USE;

/* The name of the period that a moment belongs to: 2018, 2018-Q3, 2018-09. */
void grouping_period(enum grouping grouping, int64_t ms, struct buf *out);

#endif
