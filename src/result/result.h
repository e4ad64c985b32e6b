/* What a step of a study gives: tables whose columns say what they hold, and of each
 * number the items behind it. Steps hand it to each other (see result_file.h); csv, json,
 * Markdown, LaTeX and HTML are made from it (see table_text.h), and nothing reads them.
 */
#ifndef RESULT_RESULT_H
#define RESULT_RESULT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

enum result_type {
    RESULT_TEXT,
    RESULT_COUNT,
    RESULT_REAL,
    RESULT_SHARE,    /* from 0 to 1; shown as a percentage */
    RESULT_DURATION, /* in the column's unit */
    RESULT_MOMENT,   /* milliseconds since 1970 */
    RESULT_RANK,     /* whole, unless it is shared */
    RESULT_P,        /* a p value */
    RESULT_ITEM,     /* of the corpus */
    RESULT_TYPES,
};

#define RESULT_NONE SIZE_MAX

enum { RESULT_LISTS_MAX = 2000 }; /* of a table; numbers beyond them lead nowhere */

/* A zeroed one is a text without name. */
struct result_column {
    enum result_type type;
    int digits;          /* shown behind the point; -1: as many as the number has */
    struct str name;     /* the heading */
    struct str across;   /* the group that it is of; empty: all items */
    struct str path;     /* in addresses: "TensorFlow.count" */
    struct str measures; /* in the words of the study file; may be empty */
    struct str unit;     /* "minutes"; may be empty */
    struct str rests;    /* how its numbers rest on items; empty: counted or computed */
    bool interval;       /* its numbers may have one */
    bool total;          /* of all groups across */
};

struct result_row {
    struct str name;
    struct str slug; /* its own part of an address, once among its siblings */
    struct str path; /* the slugs of its names from the top, with dots */
    int level;       /* 0: at the top */
    size_t parent;   /* row, or RESULT_NONE */
    int64_t n;       /* items; -1: not told */
    bool total;
    bool rest; /* what belongs to no group, or stands below that: no group among others */
};

/* Items behind numbers. They are handles in memory and keys in files; the two meet in
 * result_add_key() and result_read_key() alone. */
struct result_list {
    size_t number;  /* among the table's lists */
    struct str row; /* names from the top, a line each; empty: all rows */
    struct str across;
    struct str what;      /* "items without an accepted answer" */
    struct str value;     /* "minutes to accepted"; empty: they have none */
    struct str csv;       /* of all, from out/; empty: there is none */
    int64_t count;        /* of all */
    int64_t from;         /* so many come before those that are here */
    size_t shown;         /* so many are here, */
    const int64_t *ids;   /* in their order */
    const double *values; /* of them; NAN: it still waits; NULL: they have none */
    /* Of units in items: which of each, with its place behind a space, if it has one;
     * NULL: it is about items as a whole. */
    const struct str *units;
};

struct result_cell {
    double value;    /* NAN: missing, or no number */
    int64_t item;    /* where the column is of items */
    struct str text; /* where it is of texts; ptr NULL: missing */
    const char
        *undefined;   /* why a number is missing, if that is known; NULL: it is there */
    double low, high; /* NAN: no interval */
    int64_t n;        /* items that it rests on, or is a share of; -1: not told */
    int64_t count;    /* of a share that is counted: so many of n */
    bool counted;
    bool small;              /* n is below the table's limit */
    char mark;               /* of the note on what it lacks; 0: none */
    const char *no_interval; /* why there is none though others of the column have one */
    const struct result_list *list;  /* NULL: it leads nowhere */
    const struct result_list *whole; /* what it is a share of; NULL: no list of items */
    const char *words; /* how it comes from its list; NULL: it leads nowhere */
};

#define RESULT_CONFIDENCE 0.95 /* of intervals, unless something else is said */

struct result_table {
    struct str name, title;
    struct str corner; /* what the names of rows are: "class"; may be empty */
    struct result_column *columns;
    size_t column_count;
    struct result_row *rows;
    size_t row_count, row_room;
    struct result_cell *cells; /* row after row */
    const struct result_list **lists;
    size_t list_count, list_room;
    struct str *notes;
    size_t note_count;
    bool numbers; /* its cells are the numbers that the step is asked for by address */
    bool apart;   /* numbers of several rows may rest on one list */
    bool cut;     /* some numbers lead nowhere, though items are behind them */
    bool reasons; /* why a number is undefined stands in it; files of results do not say */
    /* Of its intervals; 0: RESULT_CONFIDENCE. Another one is told by a note, and by the
     * heads of files that have columns for their ends; files of results hold the note
     * alone. */
    double confidence;
};

/* All that a step gives. */
struct result {
    struct str step; /* "tables.trend" */
    struct result_table *tables;
    size_t count;
};

extern const char *const result_types[RESULT_TYPES]; /* "text", "count", ... */

/* Holds numbers, other than texts and items. */
bool result_is_number(enum result_type type);

/* The table of that name; NULL: there is none. */
const struct result_table *result_find(const struct result *result, struct str name);

/* Where the column of that name is; ERR_INPUT when there is none, or not of that type. */
bool result_column(const struct result_table *table, const char *name,
                   enum result_type type, size_t *out, struct err *err) MUST_USE;

/* A table without rows, with columns that live as long as it. Columns without a path get
 * their slug as one. */
struct result_table result_new(struct str name, struct result_column *columns,
                               size_t column_count, struct arena *arena);

/* The same with a copy of the columns; corner: what the names of rows are. */
struct result_table result_from(const char *name, const char *corner,
                                const struct result_column *columns, size_t column_count,
                                struct arena *arena);

/* A further row, below another or at the top (RESULT_NONE), with a slug made of its name.
 * Its cells are missing until they are filled; both may move when rows are added. */
struct result_cell *result_add_row(struct result_table *table, struct str name,
                                   size_t parent, struct arena *arena);

void result_add_note(struct result_table *table, struct str note, struct arena *arena);

/* Cells. */
struct result_cell result_count(int64_t count);
struct result_cell result_number(double value); /* NAN: missing */
struct result_cell result_estimate(double value, double low, double high);
struct result_cell result_text(struct str text);
struct result_cell result_item(int64_t item);

/* A step's single number: a further column of a table of one row, which is made with the
 * first. The heading is for people and may be empty. */
void result_add_number(struct result_table *table, enum result_type type, struct str path,
                       struct str heading, struct result_cell cell, struct arena *arena);

/* What the items of a list are. */
struct result_evidence {
    size_t row, column; /* RESULT_NONE: all of them */
    struct str what;
    const int64_t *ids; /* in any order; they live as long as the table */
    size_t count;
};

/* The items behind cells that are filled; what was said of them before no longer holds.
 * Missing numbers lead nowhere, nor do others if there are no items. */
void result_add_evidence(struct result_table *table,
                         const struct result_evidence *evidence, struct arena *arena);

/* The same, of units in items: `units` are as in a list; NULL: items as a whole. */
void result_add_unit_evidence(struct result_table *table,
                              const struct result_evidence *evidence,
                              const struct str *units, struct arena *arena);

/* The names of a row from the top, a line each; empty for a total, which is all rows. */
struct str result_names(const struct result_table *table, size_t row,
                        struct arena *arena);

/* A list of the table's own, which gets its number. */
void result_keep_list(struct result_table *table, struct result_list *list,
                      struct arena *arena);

/* A note tells it, unless it is RESULT_CONFIDENCE or there are no intervals. */
void result_set_confidence(struct result_table *table, double confidence,
                           struct arena *arena);

/* Numbers without an interval get the mark of a note that says why; so do undefined ones
 * of a table with `reasons`, except in rows without any number, which are headings. */
void result_mark(struct result_table *table, struct arena *arena);

/* The reason that is told of an undefined number; NULL: none is. */
const char *result_reason(const struct result_table *table, size_t row, size_t column);

/* A name as part of an address: letters, digits, _ and . as they are, anything else a
 * dash. */
void result_slug(struct str text, struct buf *out);

/* "%" of shares. */
struct str result_unit(const struct result_column *column);

/* "Caffe: count". */
void result_heading(const struct result_column *column, struct buf *out);

void result_add_key(int64_t item, struct buf *out);
bool result_read_key(struct str key, int64_t *item);

#endif
