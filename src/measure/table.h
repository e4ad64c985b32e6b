/* A table of the study, computed: rows by sets and groups, cells by measures. */
#ifndef MEASURE_TABLE_H
#define MEASURE_TABLE_H

#include "measure/cell.h"
#include "measure/groups.h"

struct table_row {
    struct str name;
    struct str slug; /* its own part of an address, once among its siblings */
    struct str path; /* in addresses: the slugs of its names from the top, with dots */
    int level;       /* 0: at the top */
    size_t parent;   /* row, or STUDY_NONE */
    int64_t n;       /* items */
    bool total, leaf;
    struct bits bits; /* its items; without words: not known */
    struct bits set;  /* the items of the table's set that it belongs to */
};

struct table_head {
    struct str across; /* the group; empty: all items */
    struct str name;   /* the column's heading */
    struct str path;   /* in addresses: "TensorFlow.count" */
    const struct study_column *column;
    struct bits bits;  /* items of the group across */
    bool total;        /* of all groups across */
    const char *rests; /* how its numbers rest on evidence; NULL: counted or computed */
};

/* A set or sample that the table is of. */
struct table_set {
    struct str name;
    bool sample;
    struct bits bits;
};

/* The items behind numbers of a table that a step gave. */
struct table_evidence {
    size_t row, head; /* STUDY_NONE: all of them */
    struct str what;  /* "items that the rater called 'crash'" */
    const int64_t *ids;
    size_t count;
};

struct table {
    struct str name, title;
    struct str corner; /* what the names of rows are: "class"; may be empty */
    struct table_row *rows;
    size_t row_count;
    struct table_head *heads;
    size_t head_count;
    struct cell *cells; /* row after row */
    const int64_t *ids; /* of the frame's items; NULL: others made the table, and what
                           follows up to `evidence` is not there */
    const struct cell_column *columns; /* of each group across the same */
    size_t column_count;
    struct bits in_across; /* items of any group across */
    struct table_set *sets;
    size_t set_count;
    const struct table_evidence *evidence; /* of several for a cell the last holds */
    size_t evidence_count;
    struct str *notes;
    size_t note_count;
};

struct table_inputs {
    const struct study *study;
    const struct frame *frame;
    bool (*find_set)(void *context, struct str name, struct bits *out);
    void *context;
    const struct groups *groups; /* of each group of the study that is needed */
};

/* Everything in *out lives in arena. */
bool table_make(const struct study_table *table, const struct table_inputs *inputs,
                struct arena *arena, struct table *out, struct err *err) MUST_USE;

#endif
