/* A table in the making, as its parts hand it on: table_layout finds rows and heads,
 * table_cells measures, table_order sorts and cuts, table_notes says what a reader has to
 * know. table.c is the way through them. */
#ifndef MEASURE_TABLE_MAKER_H
#define MEASURE_TABLE_MAKER_H

#include "base/map.h"
#include "measure/table.h"

struct measure_table_maker_row {
    struct result_row shown;
    struct measure_bits bits;
    struct measure_cell_items
        items;    /* the same; of a total of rows that overlap, each row */
    int64_t year; /* of "created by year" */
    size_t block; /* the row, or STUDY_NONE, whose set its shares are shares of */
    bool leaf;    /* no rows below */
    const struct measure_groups_value *value;
};

/* A group, or a combination of groups, that stands beside others. */
struct measure_table_maker_beside {
    struct str name, path;
    struct measure_bits bits;
    bool total;
};

/* What the rows of a block add up to in a column. Kept, for it is asked for row after
 * row. */
struct measure_table_maker_sum {
    bool known;
    size_t block;
    int64_t sum;
};

/* What is in the making. */
struct measure_table_maker {
    const struct study_table *table;
    const struct measure_table_inputs *inputs;
    struct arena *arena;
    struct measure_table *out;
    struct measure_table_maker_row *rows;
    size_t count, room;
    struct measure_bits *sets; /* of table->of; one with all items when there is none */
    size_t set_count;
    struct measure_table_maker_beside
        *across; /* groups beside each other; one with all items */
    size_t across_count;
    struct measure_bits in_across; /* items of any of them */
    struct measure_table_maker_sum
        *sums; /* of each head: what shares of a column are shares of */
    struct measure_cell_column *columns;
    struct map row_paths, head_paths; /* how often a path was wanted */
    int64_t *census; /* of year 0 .. 9999, [0]: of all years; NULL: there is none */
};

#endif
