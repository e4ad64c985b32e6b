/* Which rows a table has, and which columns stand beside each other. */
#ifndef MEASURE_TABLE_LAYOUT_H
#define MEASURE_TABLE_LAYOUT_H

#include "measure/table_maker.h"

/* Of the sets, which are known. ERR_INPUT when there are too many. */
bool measure_table_layout_rows(struct measure_table_maker *maker,
                               struct err *err) MUST_USE;

void measure_table_layout_heads(struct measure_table_maker *maker);

/* A last row over all others. It counts each item once, or, where the study says that
 * rows are its unit, once for each row that it stands in. */
void measure_table_layout_total(struct measure_table_maker *maker);

#endif
