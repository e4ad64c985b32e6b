/* The order of a table's rows, and which of them are shown. */
#ifndef MEASURE_TABLE_ORDER_H
#define MEASURE_TABLE_ORDER_H

#include "measure/table_maker.h"

/* From rows and cells as they were laid out to those of the finished table. */
void measure_table_order_write(struct measure_table_maker *maker);

#endif
