/* What a table's column or a test measures, as the study file says it: "count", "share
 * without accepted", "median minutes to accepted". Only the language; assay-measure(7) is
 * its manual. */
#ifndef STUDY_MEASURE_H
#define STUDY_MEASURE_H

#include "query/query.h"

enum study_measure_kind {
    STUDY_MEASURE_COUNT,    /* items, or those that meet the condition */
    STUDY_MEASURE_SHARE,    /* of items in a larger whole: see measure_whole */
    STUDY_MEASURE_PART,     /* share of the cell's own items that meet the condition */
    STUDY_MEASURE_DISTINCT, /* askers, answerers, values of a field */
    STUDY_MEASURE_SUM,
    STUDY_MEASURE_MEAN,
    STUDY_MEASURE_MEDIAN,
    STUDY_MEASURE_QUANTILE, /* at level */
    STUDY_MEASURE_MIN,
    STUDY_MEASURE_MAX,
    STUDY_MEASURE_SD,
    STUDY_MEASURE_SURVIVAL, /* Kaplan-Meier median: who still waits is censored */
    STUDY_MEASURE_RANK,     /* of another measure among the rows of the block */
    STUDY_MEASURE_EACH, /* the quantity of each item: for tests and figures, not tables */
};

enum study_measure_whole {
    STUDY_MEASURE_OF_SET,    /* the table's set */
    STUDY_MEASURE_OF_PARENT, /* the group one level up */
    STUDY_MEASURE_OF_ROOT,   /* the top-level code, or the topmost group */
    STUDY_MEASURE_OF_ROW,    /* the row over all groups across */
    STUDY_MEASURE_OF_COLUMN, /* the sum of the column: labels rather than items */
    STUDY_MEASURE_OF_CENSUS, /* all questions of the site, of the same year if rows are
                                years */
};

enum study_measure_condition {
    STUDY_MEASURE_ALL,
    STUDY_MEASURE_ACCEPTED,
    STUDY_MEASURE_ANSWERED,
    STUDY_MEASURE_ENDORSED, /* who asked gave thanks for an answer */
    STUDY_MEASURE_CLOSED,
    STUDY_MEASURE_IN_SET, /* name */
};

enum study_measure_quantity {
    STUDY_MEASURE_NUMBER,      /* field */
    STUDY_MEASURE_TO_FIRST,    /* time from the question to its first answer */
    STUDY_MEASURE_TO_ACCEPTED, /* ... to its accepted answer */
    STUDY_MEASURE_TO_ENDORSED, /* ... to the first that who asked gave thanks for */
    STUDY_MEASURE_ASKER,
    STUDY_MEASURE_ANSWERER,
    STUDY_MEASURE_FIELD, /* name: one that a source brings */
};

struct study_measure {
    enum study_measure_kind kind;
    enum study_measure_whole whole;
    enum study_measure_condition condition;
    bool negated; /* "without" */
    enum study_measure_quantity quantity;
    enum item_field field; /* of STUDY_MEASURE_NUMBER */
    int64_t unit_ms;       /* of a time: 1,000 for seconds and so on */
    double within;   /* the condition is met in that time, of the quantity and unit; 0: at
                        any time */
    double level;    /* of a quantile */
    struct str name; /* of a field or set */
    struct study_measure *ranked;
    bool ascending; /* rank 1 is the smallest */
};

/* own: the fields that sources bring; NULL: not known, and `field NAME` takes any name.
 * ERR_INPUT says what was found and what may stand there; no place. Strings point into
 * text. */
bool study_measure_parse(struct str text, const struct query_own *own,
                         struct arena *arena, struct study_measure *out,
                         struct err *err) MUST_USE;

/* "minutes", "%" ... for headings and axes; empty: a plain number. */
struct str study_measure_unit(const struct study_measure *measure);

/* Whether it rests on which answers are endorsed. */
bool study_measure_asks_endorsed(const struct study_measure *measure);

bool study_measure_is_time(const struct study_measure *measure);

#endif
