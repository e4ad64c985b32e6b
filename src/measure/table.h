/* A table of the study, computed: rows by sets and groups, cells by measures. */
#ifndef MEASURE_TABLE_H
#define MEASURE_TABLE_H

#include "measure/groups.h"
#include "result/result.h"

struct measure_cell_column;

/* A set or sample that the table is of. */
struct measure_table_set {
    struct str name;
    bool sample;
    struct measure_bits bits;
};

/* The year, quarter or month that a row or column is of, itself or by what it stands
 * below, and its place without that: rows of one line follow each other in time. */
struct measure_table_period {
    struct str name; /* empty: it is of none */
    enum study_grouping grouping;
    struct str line;
};

/* A result, and what it was computed from. */
struct measure_table {
    struct result_table shown;
    struct measure_table_items { /* of each row */
        struct measure_bits bits;
        struct measure_bits set; /* the items of the table's set that it belongs to */
        const struct measure_groups_value *value; /* NULL: of a set, or a total */
        struct measure_table_period period;
    } * items;
    struct measure_bits *across; /* of each column: the items of its group across */
    struct measure_table_period *heads;     /* of each column */
    struct measure_column ids;              /* of the frame's items */
    const struct measure_frame_unit *units; /* of the frame's units; NULL: it has items */
    const struct measure_cell_column *columns; /* of each group across the same */
    size_t column_count;
    struct measure_bits in_across; /* items of any group across */
    struct measure_table_set *sets;
    size_t set_count;
};

struct measure_table_inputs {
    const struct study *study;
    const struct measure_frame *frame;
    bool (*find_set)(void *context, struct str name, struct measure_bits *out,
                     struct err *err);
    void *context;
    const struct measure_groups *groups; /* of each group of the study that is needed */
};

/* Everything in *out lives in arena. */
bool measure_table_make(const struct study_table *table,
                        const struct measure_table_inputs *inputs, struct arena *arena,
                        struct measure_table *out, struct err *err) MUST_USE;

#endif
