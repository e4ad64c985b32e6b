/* What a table's column or a test measures, as the study file says it: "count", "share
 * without accepted", "median minutes to accepted". Only the language; assay-measure(7) is
 * its manual. */
#ifndef STUDY_MEASURE_H
#define STUDY_MEASURE_H

#include "query/query.h"

enum measure_kind {
    MEASURE_COUNT,    /* items, or those that meet the condition */
    MEASURE_SHARE,    /* of items in a larger whole: see measure_whole */
    MEASURE_PART,     /* share of the cell's own items that meet the condition */
    MEASURE_DISTINCT, /* askers, answerers, values of a field */
    MEASURE_SUM,
    MEASURE_MEAN,
    MEASURE_MEDIAN,
    MEASURE_QUANTILE, /* at level */
    MEASURE_MIN,
    MEASURE_MAX,
    MEASURE_SD,
    MEASURE_SURVIVAL, /* Kaplan-Meier median: who still waits is censored */
    MEASURE_RANK,     /* of another measure among the rows of the block */
    MEASURE_EACH,     /* the quantity of each item: for tests and figures, not tables */
};

enum measure_whole {
    MEASURE_OF_SET,    /* the table's set */
    MEASURE_OF_PARENT, /* the group one level up */
    MEASURE_OF_ROW,    /* the row over all groups across */
    MEASURE_OF_COLUMN, /* the sum of the column: labels rather than items */
    MEASURE_OF_CENSUS, /* all questions of the site, of the same year if rows are years */
};

enum measure_condition {
    MEASURE_ALL,
    MEASURE_ACCEPTED,
    MEASURE_ANSWERED,
    MEASURE_CLOSED,
    MEASURE_IN_SET, /* name */
};

enum measure_quantity {
    MEASURE_NUMBER,      /* field */
    MEASURE_TO_FIRST,    /* time from the question to its first answer */
    MEASURE_TO_ACCEPTED, /* ... to its accepted answer */
    MEASURE_ASKER,
    MEASURE_ANSWERER,
    MEASURE_FIELD, /* name: one that a source brings */
};

struct measure {
    enum measure_kind kind;
    enum measure_whole whole;
    enum measure_condition condition;
    bool negated; /* "without" */
    enum measure_quantity quantity;
    enum item_field field; /* of MEASURE_NUMBER */
    int64_t unit_ms;       /* of a time: 1,000 for seconds and so on */
    double level;          /* of a quantile */
    struct str name;       /* of a field or set */
    struct measure *ranked;
    bool ascending; /* rank 1 is the smallest */
};

/* own: the fields that sources bring; NULL: not known, and `field NAME` takes any name.
 * ERR_INPUT says what was found and what may stand there; no place. Strings point into
 * text. */
bool measure_parse(struct str text, const struct query_own *own, struct arena *arena,
                   struct measure *out, struct err *err) MUST_USE;

/* "minutes", "%" ... for headings and axes; empty: a plain number. */
struct str measure_unit(const struct measure *measure);

bool measure_is_time(const struct measure *measure);

#endif
