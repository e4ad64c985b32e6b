/* Lists of items behind numbers, while they are made: two with the same items, the same
 * values and the same part shown are one. */
#ifndef MEASURE_BEHIND_LIST_H
#define MEASURE_BEHIND_LIST_H

#include "base/map.h"
#include "measure/behind.h"

struct behind_maker {
    const struct table *table;
    const struct behind_files *to;
    struct arena *arena;
    struct map lists, files; /* what a list holds to its number plus 1 */
    struct behind_list *all;
    size_t count;
    int64_t lines;
    bool cut;
};

/* What a list is to hold. */
struct behind_wanted {
    struct bits items;
    const struct table_evidence *given; /* NULL: the items are bits */
    struct behind_list list;            /* its words */
    const struct cell_column *valued;   /* NULL: no values */
    double around;                      /* the value to be seen; NAN: the smallest */
    bool middle;                        /* the middle one is to be seen */
};

/* Copied to where the lists live; the text is freed. */
struct str behind_list_printed(struct behind_maker *maker, struct buf *text);

/* The names of a row from the top, a line each; empty for all rows. */
struct str behind_list_row(struct behind_maker *maker, size_t row);

/* The number of the list, which is made when there is none like it; BEHIND_NONE: it has
 * no items, or there are too many lists. */
size_t behind_list_of(struct behind_maker *maker, struct behind_wanted *wanted);

#endif
