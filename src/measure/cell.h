/* One cell of a table: a measure over some items. */
#ifndef MEASURE_CELL_H
#define MEASURE_CELL_H

#include "measure/quantity.h"
#include "result/result.h"
#include "study/study.h"

/* A column, ready to be computed for many groups. */
struct measure_cell_column {
    const struct study_column *column;
    const struct measure_frame *frame;
    struct measure_quantity quantity;
    struct measure_bits condition; /* items that meet the measure's condition */
    struct measure_bits known;     /* items of which that is known */
    struct measure_bits old;       /* items of the minimum age */
    double confidence;
};

/* find_set: as in groups.h. */
bool measure_cell_open(const struct study_column *column,
                       const struct measure_frame *frame, double confidence,
                       bool (*find_set)(void *context, struct str name,
                                        struct measure_bits *out),
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

/* Items that a count or share counts. */
int64_t measure_cell_count(const struct measure_cell_column *column,
                           struct measure_cell_items items, struct arena *arena);

#endif
