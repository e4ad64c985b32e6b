/* The items behind a table's numbers: those that a cell counts or describes. Cells with
 * the same items share a list. */
#ifndef MEASURE_BEHIND_H
#define MEASURE_BEHIND_H

#include "measure/table.h"

enum {
    MEASURE_BEHIND_FIRST = 100, /* items of a list that are shown */
    MEASURE_BEHIND_LINES =
        10000000, /* of all csv files of a table; lists beyond have no file */
};

/* Where all items of a list go. */
struct measure_behind_files {
    const char *folder; /* "items": out/items/TABLE/NUMBER.csv */
    int64_t lines;      /* of all of them; lists beyond have no file */
    struct buf *(*file)(void *context, size_t number); /* its bytes, to be filled */
    void *context;
    const struct item_spaces *spaces; /* what items are called; NULL: plain numbers */
};

/* Sets the lists of all cells of a table that was computed; they live in arena. */
void measure_behind_make(struct measure_table *table,
                         const struct measure_behind_files *files, struct arena *arena);

/* The same for a table whose lists are there, with all of their items. */
void measure_behind_shorten(struct result_table *table,
                            const struct measure_behind_files *files,
                            struct arena *arena);

#endif
