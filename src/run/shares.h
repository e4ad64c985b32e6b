/* Shares of a classifier's classes in sets and groups, with intervals: a table. */
#ifndef RUN_SHARES_H
#define RUN_SHARES_H

#include "measure/groups.h"
#include "result/result.h"

/* The columns of the table `items`: of each class three, whose name is its code. */
enum {
    RUN_SHARES_ID,
    RUN_SHARES_ROLE,    /* "drawn", "chosen"; missing: not labelled */
    RUN_SHARES_STRATUM, /* missing: not known */
    RUN_SHARES_CLASSES, /* they begin here */
};

enum {
    RUN_SHARES_TRULY, /* 0 or 1; missing: not labelled */
    RUN_SHARES_SAID,
    RUN_SHARES_PROBABILITY,
    RUN_SHARES_COLUMNS, /* so many */
};

struct run_shares_set {
    struct str name;
    struct measure_bits bits;
};

struct run_shares_inputs {
    const struct study_table *table;
    const char *folder;    /* of the study */
    struct str classifier; /* whose items are read */
    uint64_t seed;
    const struct measure_frame *frame;
    const struct measure_labels
        *labels;                        /* that it learned from, for the names of codes */
    const struct measure_labels *truth; /* of all items; NULL: not known */
    size_t asked, unresolved; /* items that raters labelled; without a final label */
    size_t taken;             /* items with one that are from samples by `top` alone */
    int level;                /* of the tree that it learned */
    const struct run_shares_set *sets;
    size_t set_count;
    const struct measure_groups *groups; /* NULL: sets are not parted */
};

/* ERR_INPUT when the classifier's result is not as it left it. */
bool run_shares_table(const struct run_shares_inputs *inputs, struct arena *arena,
                      struct result_table *out, struct err *err) MUST_USE;

#endif
