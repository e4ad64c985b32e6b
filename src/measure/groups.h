/* A set parted: the values of a group and the items of each. */
#ifndef MEASURE_GROUPS_H
#define MEASURE_GROUPS_H

#include "measure/frame.h"
#include "measure/labels.h"
#include "study/study.h"

struct groups_value {
    struct str name;
    bool period;                 /* a year, quarter or month */
    int64_t year;                /* of "created by year"; ITEM_NONE: none */
    const struct labels *labels; /* of labels: where its code stands; else NULL */
    size_t code;
    struct bits bits;
};

struct groups {
    struct groups_value *values;
    size_t count;
};

/* A value has a bit for each item: so many of them are taken for a mistake. */
enum { GROUPS_MAX = 10000 };

/* What a group is made from besides the frame: sets and samples by name, bits of queries
 * (frame_load() has found them, in the order of the group's values), labels. */
struct groups_inputs {
    const struct study *study;
    const struct frame *frame;
    bool (*find_set)(void *context, struct str name, struct bits *out);
    void *context;
    const struct frame_slot *slots; /* of the group's queries */
    const struct labels *labels;    /* of the group's labels */
};

/* ERR_INPUT for a field that no item has, and for more than GROUPS_MAX values. */
bool groups_make(const struct study_group *group, const struct groups_inputs *inputs,
                 struct groups *out, struct err *err) MUST_USE;

#endif
