/* A csv whose first row is its heads, read whole: each row goes to whoever knows what is
 * in it, and what that one finds wrong is told with the place. */
#ifndef INPUT_CSV_ROWS_H
#define INPUT_CSV_ROWS_H

#include "input/csv.h"

struct csv_rows {
    /* The first row, then each of the others; false with an error ends the reading. */
    bool (*head)(void *context, const struct csv_row *head, struct err *err);
    bool (*row)(void *context, const struct csv_row *row, struct err *err);
    void *context;
};

/* ERR_INPUT with "path:line: ", also for a text without a first row. */
bool csv_rows_read(struct str text, const char *path, const struct csv_rows *to,
                   struct err *err) MUST_USE;

/* The column of that name, but for blanks around it; head->count: there is none. */
size_t csv_rows_find(const struct csv_row *head, struct str name);

/* ERR_INPUT, with the nearest name, when there is none. */
bool csv_rows_need(const struct csv_row *head, struct str name, size_t *column,
                   struct err *err) MUST_USE;

#endif
