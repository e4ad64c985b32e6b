/* Every number that a step gave, in one form: what expectations, tests on tables, figures
 * and LaTeX macros refer to. out/numbers/STEP.csv, a line each. */
#ifndef MEASURE_NUMBERS_H
#define MEASURE_NUMBERS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

struct number {
    struct str
        row; /* slugs of the row's names from the top, with / between; may be empty */
    struct str column;            /* such as "TensorFlow.count" */
    double value;                 /* NAN: undefined */
    double low, high;             /* NAN: no interval */
    int64_t n;                    /* items that it rests on; -1: not told */
    struct str undefined;         /* why */
    bool total_row, total_column; /* it belongs to a row or a column of totals */
    struct str label;             /* of the row, for people */
    struct str heading;           /* of the column, for people */
};

struct numbers {
    struct str step; /* "tables.trend" */
    struct number *at;
    size_t count;
};

void numbers_head(struct buf *out);
void numbers_add(struct buf *out, const struct number *number);

/* A number without row, interval and n. */
void numbers_add_plain(struct buf *out, const char *column, double value);

bool numbers_parse(struct str text, const char *path, struct str step,
                   struct arena *arena, struct numbers *out, struct err *err) MUST_USE;

/* Whether a column is meant by a name: all of its path, the group that it is for, or what
 * it measures. */
bool numbers_column_is(struct str column, struct str name);

/* The numbers of a name with dots, lists and stars, without the step's name: "D.tensor",
 * "D[data,tensor].count", "*.count"; a star leaves totals out. In the order of the file;
 * into an array in arena. */
const struct number **numbers_find(const struct numbers *numbers, struct str pattern,
                                   struct arena *arena, size_t *count);

/* The shortest decimal that reads back as the same number; inf for infinity. */
void numbers_print(double value, struct buf *out);

#endif
