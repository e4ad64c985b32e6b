/* Groupings that need no further words: "created by year", "source". */
#ifndef STUDY_GROUPING_H
#define STUDY_GROUPING_H

#include "base/buf.h"
#include "base/err.h"

enum study_grouping {
    STUDY_GROUPING_YEAR,
    STUDY_GROUPING_QUARTER,
    STUDY_GROUPING_MONTH,
    STUDY_GROUPING_SOURCE,
    STUDY_GROUPING_FIRST_OF, /* from here on with keys of their own */
    STUDY_GROUPING_ALL_OF,
    STUDY_GROUPING_SETS,
    STUDY_GROUPING_FIELD,
    STUDY_GROUPING_LABELS,
};

bool study_grouping_parse(struct str text, enum study_grouping *out,
                          struct err *err) MUST_USE;

/* The name of the period that a moment belongs to: 2018, 2018-Q3, 2018-09. */
void study_grouping_period(enum study_grouping grouping, int64_t ms, struct buf *out);

#endif
