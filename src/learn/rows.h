/* Sparse rows: of each post the columns that are not zero. Plain data; a row's columns
 * are in no particular order but always in the same. */
#ifndef LEARN_ROWS_H
#define LEARN_ROWS_H

#include "base/arena.h"
#include "base/buf.h"

struct rows {
    size_t count, columns;
    const size_t *begin; /* count + 1 of them: where a row's cells begin and end */
    const struct rows_cell *cells;
};

struct rows_cell {
    uint32_t column;
    float value;
};

/* One row, borrowed. */
struct rows_row {
    const struct rows_cell *cells;
    size_t count;
};

static inline struct rows_row rows_at(const struct rows *rows, size_t row)
{
    return (struct rows_row){rows->cells + rows->begin[row],
                             rows->begin[row + 1] - rows->begin[row]};
}

/* Rows while they grow. A zeroed one is empty; rows_builder_free() gives it back. */
struct rows_builder {
    struct buf begins, cells;
};

void rows_builder_free(struct rows_builder *builder);
void rows_add_cell(struct rows_builder *builder, uint32_t column, float value);
void rows_end_row(struct rows_builder *builder);

/* What was added so far, as rows of so many columns; valid until more is added. */
struct rows rows_of(struct rows_builder *builder, size_t columns);

/* The sum of a row's cells, each times the weight of its column. */
double rows_dot(struct rows_row row, const double *weights);

#endif
