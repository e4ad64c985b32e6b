/* The units that raters marked in items, as a frame of their own: what tables with
 * `count: units` are computed from. Everything that an item has its units have, too;
 * labels of units are those of each. */
#ifndef MEASURE_UNITS_H
#define MEASURE_UNITS_H

#include "measure/groups.h"

struct measure_units {
    struct measure_frame frame; /* a row for each unit, by item */
    const size_t *item_of;      /* of each: its item in the frame of items */
};

/* Of the units that some of the labels tell; items without units are not in it. The frame
 * of items must last as long. */
void measure_units_make(const struct measure_frame *items,
                        const struct measure_labels *const *labels, size_t count,
                        struct arena *arena, struct measure_units *out);

/* The units of some items. */
struct measure_bits measure_units_lift(const struct measure_units *units,
                                       struct measure_bits items, struct arena *arena);

/* Groups of items as groups of units; labels: of the group, where it is made of labels
 * that tell units; else NULL. */
struct measure_groups measure_units_group(const struct measure_units *units,
                                          const struct study_group *group,
                                          const struct measure_groups *items,
                                          const struct measure_labels *labels,
                                          struct arena *arena);

#endif
