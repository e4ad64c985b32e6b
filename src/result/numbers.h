/* Every number that a step gave under its address: what expectations, tests on tables,
 * figures and LaTeX macros refer to. */
#ifndef RESULT_NUMBERS_H
#define RESULT_NUMBERS_H

#include "base/err.h"
#include "base/map.h"
#include "result/result.h"

struct result_number {
    struct str
        row; /* slugs of the row's names from the top, with / between; may be empty */
    struct str column; /* such as "TensorFlow.count" */
    enum result_type type;
    int digits;                   /* to show; -1: as suits the number */
    struct str unit;              /* "%", "minutes"; empty: none */
    double value;                 /* NAN: undefined */
    double low, high;             /* NAN: no interval */
    bool interval;                /* it has one, or others of its column may have */
    int64_t n;                    /* items that it rests on; -1: not told */
    struct str undefined;         /* why */
    bool total_row, total_column; /* it belongs to a row or a column of totals */
    bool rest_row;                /* or to what is left over: see struct result_row */
    struct str label;             /* of the row, for people */
    struct str heading;           /* of the column, for people */
};

struct result_numbers {
    struct str step;          /* "tables.trend" */
    struct result_number *at; /* NULL: the step cannot be made before there are labels */
    size_t count;
};

/* Of all tables of the result that hold numbers; texts are those of the result. */
void result_numbers_from(const struct result *result, struct arena *arena,
                         struct result_numbers *out);

/* Those of the step "KIND.NAME"; NULL: it has none. */
const struct result_numbers *result_numbers_of(const struct result_numbers *all,
                                               size_t count, const char *kind,
                                               struct str name);

/* "tables.trend.2015.count", as LaTeX macros and the draft on methods call it. */
void result_numbers_address(struct str step, const struct result_number *number,
                            struct buf *out);

/* A row by what it and those above it are called for people: "before/C++" for the row
 * before/C-plus-plus. */
struct str result_numbers_names(const struct result_numbers *numbers, struct str row,
                                struct arena *arena);

/* What tells a number from all others of a run: its step and its names, then which it is
 * of those that have the same, as counted in seen. */
struct str result_numbers_key(struct str step, const struct result_number *number,
                              struct map *seen);

/* out/numbers/STEP.csv, a line each. */
void result_numbers_csv(const struct result_numbers *numbers, struct buf *out);

/* out/numbers.csv: the same of all steps, each number with its address. */
void result_numbers_csv_all(const struct result_numbers *all, size_t count,
                            struct buf *out);

/* Whether a column is meant by a name: all of its path, the group that it is for, or what
 * it measures. */
bool result_numbers_column_is(struct str column, struct str name);

/* Whether each name means a column; else the message has it, and the columns there are. A
 * table without numbers has no columns to be missed. */
bool result_numbers_need_columns(const struct result_numbers *numbers,
                                 const struct str *names, size_t count,
                                 struct err *err) MUST_USE;

/* The numbers of a name with dots, lists and stars, without the step's name: "D.tensor",
 * "D[data,tensor].count", "*.count"; a star leaves totals out. In the order of the file;
 * into an array in arena. */
const struct result_number **result_numbers_find(const struct result_numbers *numbers,
                                                 struct str pattern, struct arena *arena,
                                                 size_t *count);

/* A number as the report shows it, or an end of its interval: 1,301, 70.7%, < .001. */
void result_numbers_show(const struct result_number *number, double value,
                         struct buf *out);

/* < .001, 0.0230, or a dash. */
void result_numbers_add_p(double p, struct buf *out);

/* The shortest decimal that reads back as the same number; inf for infinity. */
void result_numbers_print(double value, struct buf *out);

#endif
