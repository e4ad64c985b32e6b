/* How rows of labels.db lie in memory and in the database. */
#ifndef STORE_ACTS_LAYOUT_H
#define STORE_ACTS_LAYOUT_H

#include <sqlite3.h>
#include <stddef.h>

#include "base/buf.h"
#include "store/acts.h"

enum { STORE_ACTS_LAYOUT_COLUMNS_MAX = 32 };

enum store_acts_layout_form {
    STORE_ACTS_LAYOUT_NUMBER,
    STORE_ACTS_LAYOUT_NUMBER_OR_NONE, /* 0: NULL */
    STORE_ACTS_LAYOUT_FLAG,
    STORE_ACTS_LAYOUT_REAL, /* NAN: NULL */
    STORE_ACTS_LAYOUT_TEXT,
    STORE_ACTS_LAYOUT_TEXT_OR_NONE, /* empty: NULL */
    STORE_ACTS_LAYOUT_TEXT_LATER,   /* the same, of a column that came after checksums */
    STORE_ACTS_LAYOUT_CODES,
};

struct store_acts_layout_column {
    const char *name; /* NULL ends the list */
    enum store_acts_layout_form form;
    size_t offset;
};

/* The columns between id and the end; where there is at_ms, it is the first of them. */
struct store_acts_layout {
    const char *name;
    size_t size;
    bool timed;
    struct store_acts_layout_column columns[STORE_ACTS_LAYOUT_COLUMNS_MAX];
    int since; /* the schema that brought the table; 0: the first */
};

const struct store_acts_layout *store_acts_layout_of(enum store_acts_table table);
size_t store_acts_layout_columns(const struct store_acts_layout *table);

/* The names of its columns, by commas, in their order. */
void store_acts_layout_names(const struct store_acts_layout *table, struct buf *sql);

/* A row without its id into the parameters of a statement, from the first on. */
void store_acts_layout_bind(sqlite3_stmt *statement,
                            const struct store_acts_layout *table, const void *row);
void store_acts_layout_bind_text(sqlite3_stmt *statement, int at, struct str text);

/* A row from the id and the columns of the table; texts last until the statement goes on,
 * lists of codes as long as arena. */
void store_acts_layout_fetch(sqlite3_stmt *row, const struct store_acts_layout *table,
                             struct arena *arena, void *out);
struct str store_acts_layout_text(sqlite3_stmt *row, int column);

/* The checksum of a row with its id, given that of the row before it, which for the first
 * is store_acts_layout_start(). Both are the same on every machine and for ever. */
uint64_t store_acts_layout_start(const struct store_acts_layout *table);
uint64_t store_acts_layout_checksum(const struct store_acts_layout *table,
                                    const void *row, uint64_t before,
                                    struct buf *scratch);

#endif
