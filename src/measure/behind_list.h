/* Lists of items behind numbers, while they are made: two with the same items, the same
 * values and the same part shown are one. */
#ifndef MEASURE_BEHIND_LIST_H
#define MEASURE_BEHIND_LIST_H

#include "base/map.h"
#include "measure/behind.h"

struct measure_behind_maker {
    const struct measure_table *from; /* NULL: lists are given */
    struct result_table *table;
    const struct measure_behind_files *to;
    struct arena *arena;
    struct map lists, files; /* what a list holds to its number plus 1 */
    int64_t lines;
};

/* What a list is to hold. */
struct measure_behind_wanted {
    struct measure_bits items;
    const struct result_list *given;          /* NULL: the items are bits */
    struct result_list list;                  /* its words */
    const struct measure_cell_column *valued; /* NULL: no values */
    double around; /* the value to be seen; NAN: the smallest */
    bool middle;   /* the middle one is to be seen */
};

/* Copied to where the lists live; the text is freed. */
struct str measure_behind_list_printed(struct measure_behind_maker *maker,
                                       struct buf *text);

/* The list, which is made when there is none like it; NULL: it has no items, or there are
 * too many lists. */
const struct result_list *measure_behind_list_of(struct measure_behind_maker *maker,
                                                 struct measure_behind_wanted *wanted);

#endif
