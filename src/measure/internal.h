/* What the parts of this folder share: lists of items behind numbers, cells, tests. */
#ifndef MEASURE_INTERNAL_H
#define MEASURE_INTERNAL_H

#include "base/map.h"
#include "measure/behind.h"
#include "measure/quantity.h"
#include "measure/table.h"
#include "measure/testing.h"
#include "result/result.h"
#include "stats/contingency.h"
#include "stats/effect.h"
#include "study/study.h"

/* One cell of a table: a measure over some items. */
/* A column, ready to be computed for many groups. */
struct measure_cell_column {
    const struct study_column *column;
    const struct measure_frame *frame;
    struct measure_quantity quantity;
    struct measure_bits condition; /* items that meet the measure's condition */
    struct measure_bits known;     /* items of which that is known */
    struct measure_bits old;       /* items of the minimum age */
    struct measure_bits young; /* "within": items that cannot have waited so long yet */
    double confidence;
};

/* find_set: as in groups.h. */
bool measure_cell_open(const struct study_column *column,
                       const struct measure_frame *frame, double confidence,
                       bool (*find_set)(void *context, struct str name,
                                        struct measure_bits *out, struct err *err),
                       void *context, struct measure_cell_column *out,
                       struct err *err) MUST_USE;

/* The larger group that a share is a share of: its size, or why there is none. */
struct measure_cell_whole {
    int64_t count;
    const char *undefined;
};

/* The items of a cell: an item that stands in several parts counts several times. */
struct measure_cell_items {
    const struct measure_bits *parts;
    size_t count;
};

/* Everything but ranks. The arena is for work. */
struct result_cell measure_cell_compute(const struct measure_cell_column *column,
                                        struct measure_cell_items items,
                                        struct measure_cell_whole whole,
                                        struct arena *arena);

/* The items that a cell counts or describes: those that meet its condition or have its
 * value, each once. */
struct measure_bits measure_cell_behind(const struct measure_cell_column *column,
                                        struct measure_bits items, struct arena *arena);

/* The items that a part is a part of: those of which its condition is known. */
struct measure_bits measure_cell_known(const struct measure_cell_column *column,
                                       struct measure_bits items, struct arena *arena);

/* Items whose wait is left out, because the answer is older than its question. */
int64_t measure_cell_negative(const struct measure_cell_column *column,
                              struct measure_bits items, struct arena *arena);

/* Items whose wait is left out, because the moment of their answer is not known; of
 * endorsed answers, because nobody knows who asked. */
int64_t measure_cell_unknown(const struct measure_cell_column *column,
                             struct measure_bits items, struct arena *arena);

/* Items of which it cannot be said yet whether they waited that long. */
int64_t measure_cell_young(const struct measure_cell_column *column,
                           struct measure_bits items, struct arena *arena);

/* Items that a count or share counts. */
int64_t measure_cell_count(const struct measure_cell_column *column,
                           struct measure_cell_items items, struct arena *arena);

/* What a column's shares are of, for rows of one set or for all. */
struct measure_behind_column {
    bool known, all;
    const uint64_t *set;
    struct measure_bits items;
    int64_t count;
    bool listed;
    const struct result_list *list; /* of the items, once it was asked for */
};

/* Lists of items behind numbers, while they are made: two with the same items, the same
 * values and the same part shown are one. */
struct measure_behind_maker {
    const struct measure_table *from; /* NULL: lists are given */
    struct result_table *table;
    const struct measure_behind_files *to;
    struct arena *arena;
    struct map lists, files; /* what a list holds to its number plus 1 */
    int64_t lines;
    struct measure_behind_column *columns;
};

/* What a list is to hold. */
struct measure_behind_wanted {
    struct measure_bits items;
    const struct result_list *given;          /* NULL: the items are bits */
    struct result_list list;                  /* its words */
    const struct measure_cell_column *valued; /* NULL: no values */
    double around; /* the value to be seen; NAN: the smallest */
    bool middle;   /* the middle one is to be seen */
};

/* The list, which is made when there is none like it; NULL: it has no items, or there are
 * too many lists. */
const struct result_list *measure_behind_list_of(struct measure_behind_maker *maker,
                                                 struct measure_behind_wanted *wanted);

/* The tests that a study may ask for: what goes into each and how it is carried out. */
/* What goes into one result. */
struct measure_test_kinds_task {
    const struct study_test *test;
    struct arena *arena;
    struct measure_testing_result *result;
    const struct stats_values *groups; /* values of each side or group */
    size_t group_count;
    struct stats_contingency counts; /* of tests on counts */
};

struct measure_test_kinds_kind {
    const char *statistic; /* its name */
    /* Sets the result; NULL: only whoever has the items can. */
    void (*carry_out)(struct measure_test_kinds_task *task);
    bool counts; /* else values */
    size_t most; /* groups; 0: any number */
};

const struct measure_test_kinds_kind *measure_test_kinds_find(enum study_test_kind kind);

/* An effect that is undefined is left out. */
void measure_test_kinds_effect(struct measure_testing_result *result, const char *name,
                               struct stats_effect effect);

/* The results of a test while they come in: one for the whole, or for each row, block or
 * pair. */
/* None yet, with room for so many. */
void measure_test_results_begin(const struct study_test *test, size_t room,
                                struct arena *arena, struct measure_testing *out);

/* A further one, in which nothing is known but its name. */
struct measure_testing_result *measure_test_results_add(struct measure_testing *out,
                                                        struct str name);

/* Corrected for their number; NAN stays. */
const double *measure_test_results_adjust(enum study_correct correct,
                                          struct stats_values p, struct arena *arena);

/* How many results stand before those that are corrected: 1 where the test of all groups
 * comes before their pairs. */
size_t measure_test_results_before(const struct measure_testing *testing);

/* When all are there: sets their adjusted p values. */
void measure_test_results_correct(struct measure_testing *testing, struct arena *arena);

#endif
