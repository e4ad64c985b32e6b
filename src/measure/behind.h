/* The items behind a table's numbers: those that a cell counts or describes. Cells with
 * the same items share a list. */
#ifndef MEASURE_BEHIND_H
#define MEASURE_BEHIND_H

#include "measure/table.h"

enum {
    BEHIND_FIRST = 100,      /* items of a list that are shown */
    BEHIND_LINES = 10000000, /* of all csv files of a table; lists beyond have no file */
};

/* Where all items of a list go. */
struct behind_files {
    const char *folder; /* "items": out/items/TABLE/NUMBER.csv */
    int64_t lines;      /* of all of them; lists beyond have no file */
    struct buf *(*file)(void *context, size_t number); /* its bytes, to be filled */
    void *context;
    const struct item_spaces *spaces; /* what items are called; NULL: plain numbers */
};

/* Sets the lists of all cells of a table that was computed; they live in arena. */
void behind_make(struct table *table, const struct behind_files *files,
                 struct arena *arena);

/* The same for a table whose lists are there, with all of their items. */
void behind_shorten(struct result_table *table, const struct behind_files *files,
                    struct arena *arena);

#endif
