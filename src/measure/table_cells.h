/* The numbers of a table. */
#ifndef MEASURE_TABLE_CELLS_H
#define MEASURE_TABLE_CELLS_H

#include "measure/table_maker.h"

/* Row by row, when rows and heads are laid out; false when the user stops it. */
bool measure_table_cells_compute(struct measure_table_maker *maker,
                                 struct err *err) MUST_USE;

/* Puts ranks in place of the values of columns that are ranks. */
void measure_table_cells_rank(struct measure_table_maker *maker);

/* The set that a row's shares are shares of. */
struct measure_bits measure_table_cells_set(const struct measure_table_maker *maker,
                                            const struct measure_table_maker_row *row);

#endif
