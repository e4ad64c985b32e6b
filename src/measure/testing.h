/* Statistical tests of the study: which numbers go in, what comes out, in numbers and in
 * a sentence that a person understands. */
#ifndef MEASURE_TESTING_H
#define MEASURE_TESTING_H

#include "measure/groups.h"
#include "result/numbers.h"
#include "result/result.h"
#include "study/study.h"

struct measure_testing_result {
    struct str name;      /* of the row, block or pair, for people; empty: the only one */
    struct str slug;      /* of a row or block, as its table calls it */
    double statistic, df; /* NAN: the test has none */
    double p, adjusted;   /* adjusted for the other results of the test */
    double effect, low, high;
    const char *effect_name, *effect_word;
    bool simulated;        /* p is that of random tables */
    const char *undefined; /* of everything */
    const char *no_interval; /* why the effect, which may be NAN, has none; NULL: it has
                              * one, or none is known */
    struct str sides; /* what was compared: "deployment 70.69% of 3,023 v ..." */
};

/* One of the things that are compared, and its items that count. */
struct measure_testing_side {
    struct str name, text; /* "deployment", "deployment 70.69% (2137 of 3023)" */
    struct measure_bits items;
};

struct measure_testing {
    const struct study_test *test;
    const struct measure_testing_side *sides; /* of items; none of cells of a table */
    size_t side_count;
    struct measure_column ids; /* of the frame's items */
    const char *statistic_name;
    struct measure_testing_result *results;
    size_t count;
    struct str warning; /* empty: none */
};

/* Items to compare, by sets or groups. */
struct measure_testing_group {
    struct str name;
    struct measure_bits bits;
};

struct measure_testing_inputs {
    const struct measure_frame *frame;
    const struct measure_testing_group *groups;
    size_t count;
    bool (*find_set)(void *context, struct str name, struct measure_bits *out,
                     struct err *err); /* groups.h */
    void *context;
};

bool measure_testing_items(const struct study_test *test,
                           const struct measure_testing_inputs *inputs,
                           struct arena *arena, struct measure_testing *out,
                           struct err *err) MUST_USE;

/* Cells of a table to compare. Where they are shares a warning says that counts would do
 * better. */
bool measure_testing_cells(const struct study_test *test,
                           const struct result_numbers *table, struct arena *arena,
                           struct measure_testing *out, struct err *err) MUST_USE;

/* One result, of which only is known why there is none. */
struct measure_testing measure_testing_undefined(const struct study_test *test,
                                                 const char *why, struct arena *arena);

void measure_testing_csv(const struct measure_testing *testing, struct buf *out);
void measure_testing_markdown(const struct measure_testing *testing, struct buf *out);

/* A paragraph for a paper: what test, on what, between whom, and what came out. */
void measure_testing_latex(const struct measure_testing *testing, struct buf *out);

/* Sides lead to "tests/TEST/LIST.html#cSIDE", where their numbers have lists. */
void measure_testing_html(const struct measure_testing *testing,
                          const struct result_table *sides, struct buf *out);

/* The results as numbers; and the sides, each the number of its items and these. */
struct result_table measure_testing_table(const struct measure_testing *testing,
                                          struct arena *arena);
struct result_table measure_testing_sides(const struct measure_testing *testing,
                                          struct arena *arena);

#endif
