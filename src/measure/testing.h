/* Statistical tests of the study: which numbers go in, what comes out, in numbers and in
 * a sentence that a person understands. */
#ifndef MEASURE_TESTING_H
#define MEASURE_TESTING_H

#include "measure/cell.h"
#include "measure/groups.h"
#include "result/numbers.h"

struct testing_result {
    struct str name;      /* of the row, block or pair; empty: the only one */
    double statistic, df; /* NAN: the test has none */
    double p, adjusted;   /* adjusted for the other results of the test */
    double effect, low, high;
    const char *effect_name, *effect_word;
    const char *undefined; /* of everything */
    const char
        *no_interval; /* why the effect has none; NULL: it has one, or none is known */
    struct str sides; /* what was compared: "deployment 70.69% of 3,023 v ..." */
};

/* One of the things that are compared, and its items that count. */
struct testing_side {
    struct str name, text; /* "deployment", "deployment 70.69% (2137 of 3023)" */
    struct bits items;
};

struct testing {
    const struct study_test *test;
    const struct testing_side *sides; /* of items; none of cells of a table */
    size_t side_count;
    const int64_t *ids; /* of the frame's items */
    const char *statistic_name;
    struct testing_result *results;
    size_t count;
    struct str warning; /* empty: none */
};

/* Items to compare, by sets or groups. */
struct testing_group {
    struct str name;
    struct bits bits;
};

struct testing_inputs {
    const struct frame *frame;
    const struct testing_group *groups;
    size_t count;
    bool (*find_set)(void *context, struct str name, struct bits *out); /* groups.h */
    void *context;
};

bool testing_items(const struct study_test *test, const struct testing_inputs *inputs,
                   struct arena *arena, struct testing *out, struct err *err) MUST_USE;

/* Cells of a table to compare. `percentages`: the table gives shares, so counts would do
 * better. */
bool testing_cells(const struct study_test *test, const struct numbers *table,
                   bool percentages, struct arena *arena, struct testing *out,
                   struct err *err) MUST_USE;

void testing_add_p(double p, struct buf *out); /* < .001, 0.0230, or a dash */
void testing_csv(const struct testing *testing, struct buf *out);
void testing_markdown(const struct testing *testing, struct buf *out);

/* Sides lead to "tests/TEST/LIST.html#cSIDE", where their numbers have lists. */
void testing_html(const struct testing *testing, const struct result_table *sides,
                  struct buf *out);

/* The results as numbers; and the sides, each the number of its items and these. */
struct result_table testing_table(const struct testing *testing, struct arena *arena);
struct result_table testing_sides(const struct testing *testing, struct arena *arena);

#endif
