/* A table that others made, read from a csv of the user's as it is. */
#ifndef MEASURE_TABLE_FILE_H
#define MEASURE_TABLE_FILE_H

#include "measure/table.h"

/* Cells are numbers such as 12, 1,234, 0.5 or 12% (which is 0.12); anything else is
 * undefined. Columns called "NAME low" and "NAME high" are the interval of the column
 * NAME. ERR_INPUT with "path:line: " for a column that is not there and for an empty
 * file. */
bool measure_table_file_read(const struct study_table *table, struct arena *arena,
                             struct result_table *out, struct err *err) MUST_USE;

#endif
