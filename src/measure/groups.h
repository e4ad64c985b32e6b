/* A set parted: the values of a group and the items of each. */
#ifndef MEASURE_GROUPS_H
#define MEASURE_GROUPS_H

#include "measure/frame.h"
#include "measure/labels.h"
#include "study/study.h"

struct measure_groups_value {
    struct str name;
    bool others;                         /* what none of the group's values has */
    bool period;                         /* a year, quarter or month */
    bool if_any;                         /* no row or column where no item has it */
    int64_t year;                        /* of "created by year"; ITEM_NONE: none */
    size_t source;                       /* of "source"; STUDY_NONE: none */
    const struct measure_labels *labels; /* of labels: where its code stands; else NULL */
    size_t code;
    struct measure_bits bits;
};

struct measure_groups {
    struct measure_groups_value *values;
    size_t count;
};

/* A value has a bit for each item: so many of them are taken for a mistake. */
enum { MEASURE_GROUPS_MAX = 10000 };

/* What a group is made from besides the frame: sets and samples by name, bits of queries
 * (measure_frame_load() has found them, in the order of the group's values), labels. */
struct measure_groups_inputs {
    const struct study *study;
    const struct measure_frame *frame;
    bool (*find_set)(void *context, struct str name, struct measure_bits *out,
                     struct err *err);
    void *context;
    const struct measure_frame_slot *slots; /* of the group's queries */
    const struct measure_labels *labels;    /* of the group's labels */
};

/* ERR_INPUT for a field that no item has, and for more than MEASURE_GROUPS_MAX values. */
bool measure_groups_make(const struct study_group *group,
                         const struct measure_groups_inputs *inputs,
                         struct measure_groups *out, struct err *err) MUST_USE;

#endif
