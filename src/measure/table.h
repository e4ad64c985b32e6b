/* A table of the study, computed: rows by sets and groups, cells by measures. */
#ifndef MEASURE_TABLE_H
#define MEASURE_TABLE_H

#include "measure/cell.h"
#include "measure/groups.h"

/* A set or sample that the table is of. */
struct table_set {
    struct str name;
    bool sample;
    struct bits bits;
};

/* A result, and what it was computed from. */
struct table {
    struct result_table shown;
    struct table_items { /* of each row */
        struct bits bits;
        struct bits set; /* the items of the table's set that it belongs to */
    } * items;
    struct bits *across;               /* of each column: the items of its group across */
    const int64_t *ids;                /* of the frame's items */
    const struct cell_column *columns; /* of each group across the same */
    size_t column_count;
    struct bits in_across; /* items of any group across */
    struct table_set *sets;
    size_t set_count;
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
