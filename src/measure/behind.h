/* The items behind a table's numbers: those that a cell counts or describes. Cells with
 * the same items share a list. */
#ifndef MEASURE_BEHIND_H
#define MEASURE_BEHIND_H

#include "base/buf.h"
#include "measure/table.h"

enum {
    BEHIND_FIRST = 100,      /* items of a list that are shown */
    BEHIND_LISTS = 2000,     /* lists of a table; numbers beyond them have none */
    BEHIND_LINES = 10000000, /* of all csv files of a table; lists beyond have no file */
};

#define BEHIND_NONE SIZE_MAX

struct behind_item {
    int64_t id;
    double value; /* NAN: none, or it still waits */
};

struct behind_list {
    struct str row; /* names from the top, a line each; empty: all of the table's sets */
    struct str across;
    struct str what;  /* "items without an accepted answer" */
    struct str value; /* what their values are: "minutes to accepted"; empty: none */
    struct str csv;   /* of all, from out/; empty: left out */
    int64_t count;
    int64_t from;                    /* so many come before those shown */
    const struct behind_item *items; /* by id, or by value where they have one */
    size_t shown;
};

struct behind_cell {
    size_t number; /* row after row */
    size_t list;   /* BEHIND_NONE: none */
    size_t whole;  /* list of what a share is a share of; BEHIND_NONE: none */
    struct str heading, text;
    struct str words; /* how the number comes from the list */
    int64_t count;    /* of a share: so many of whole_count; else -1 */
    int64_t whole_count;
};

struct behind {
    const struct behind_list *lists;
    size_t list_count;
    const struct behind_cell *cells;
    size_t cell_count;
    bool cut; /* some numbers have no list, though items are behind them */
};

/* Where lists go that are longer than what is shown. */
struct behind_files {
    const char *folder; /* "items": out/items/TABLE/NUMBER.csv */
    int64_t lines;      /* of all of them; lists beyond have no file */
    struct buf *(*file)(void *context, size_t number); /* its bytes, to be filled */
    void *context;
};

/* Everything lives in arena; the cells are all of the table's. Of a table that others
 * made or a step gave, those that its evidence is about lead to items. */
void behind_make(const struct table *table, const struct behind_files *files,
                 struct arena *arena, struct behind *out);

/* Lists and cells as csv, and back: a report is made from files alone. Only cells with a
 * list are written. `path` is for messages. */
void behind_lists_csv(const struct behind *behind, struct buf *out);
void behind_cells_csv(const struct behind *behind, struct buf *out);
bool behind_read(struct str lists, struct str cells, const char *path,
                 struct arena *arena, struct behind *out, struct err *err) MUST_USE;

#endif
