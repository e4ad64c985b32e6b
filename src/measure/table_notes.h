/* What stands below a table: how rows overlap, what was left out, why cells are empty. */
#ifndef MEASURE_TABLE_NOTES_H
#define MEASURE_TABLE_NOTES_H

#include "measure/table_maker.h"

enum { MEASURE_TABLE_NOTES_MAX = 16 }; /* further ones are dropped */

void measure_table_notes_add(struct measure_table_maker *maker, const char *format, ...)
    PRINTF_LIKE(2, 3);

/* How far two columns that the study names put the rows in the same order; before some of
 * them are cut. */
void measure_table_notes_ranks(struct measure_table_maker *maker);

/* Of the finished table. */
void measure_table_notes_left_out(struct measure_table_maker *maker);

#endif
