/* One cell of a table: a measure over some items. */
#ifndef MEASURE_CELL_H
#define MEASURE_CELL_H

#include "measure/quantity.h"
#include "result/result.h"
#include "study/study.h"

/* A column, ready to be computed for many groups. */
struct cell_column {
    const struct study_column *column;
    const struct frame *frame;
    struct quantity quantity;
    struct bits condition; /* items that meet the measure's condition */
    struct bits known;     /* items of which that is known */
    struct bits old;       /* items of the minimum age */
    double confidence;
};

/* find_set: as in groups.h. */
bool cell_open(const struct study_column *column, const struct frame *frame,
               double confidence,
               bool (*find_set)(void *context, struct str name, struct bits *out),
               void *context, struct cell_column *out, struct err *err) MUST_USE;

/* The larger group that a share is a share of: its size, or why there is none. */
struct cell_whole {
    int64_t count;
    const char *undefined;
};

/* The items of a cell: an item that stands in several parts counts several times. */
struct cell_items {
    const struct bits *parts;
    size_t count;
};

/* Everything but ranks. The arena is for work. */
struct result_cell cell_compute(const struct cell_column *column, struct cell_items items,
                                struct cell_whole whole, struct arena *arena);

/* The items that a cell counts or describes: those that meet its condition or have its
 * value, each once. */
struct bits cell_behind(const struct cell_column *column, struct bits items,
                        struct arena *arena);

/* The items that a part is a part of: those of which its condition is known. */
struct bits cell_known(const struct cell_column *column, struct bits items,
                       struct arena *arena);

/* Items whose wait is left out, because the answer is older than its question. */
int64_t cell_negative(const struct cell_column *column, struct bits items,
                      struct arena *arena);

/* Items that a count or share counts. */
int64_t cell_count(const struct cell_column *column, struct cell_items items,
                   struct arena *arena);

#endif
