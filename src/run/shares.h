/* Shares of a classifier's classes in sets and groups, with intervals: a table. */
#ifndef RUN_SHARES_H
#define RUN_SHARES_H

#include "learn/quantify.h"
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
    RUN_SHARES_SAID,  /* 0 or 1; missing, like the probability: nothing is predicted */
    RUN_SHARES_PROBABILITY,
    RUN_SHARES_COLUMNS, /* so many */
};

/* The table while it is filled: of a study, and of posts without one. */
struct run_shares {
    /* Set by the caller: */
    const struct learn_quantify_items *items;
    const struct str *names; /* of classes */
    double confidence;
    struct arena *arena;
    struct result_table out;
    /* Private: */
    struct buf few;             /* subsets with too few labels */
    struct buf joined, unknown; /* those with strata that have fewer than two */
    struct buf silent;          /* those with items that have no prediction */
    struct buf known;           /* those whose items are all labelled */
    bool weighted;              /* some have strata */
    bool singular;              /* adjusted counts of some are undefined */
};

/* truth: with a last column, which the caller fills. */
void run_shares_begin(struct run_shares *shares, struct str name, bool truth);

/* A row that others stand below, which is returned; parent: RESULT_NONE at the top. */
size_t run_shares_above(struct run_shares *shares, struct str name, size_t parent,
                        int64_t n);

/* A row for each class in the items that are marked in `in`; what they are called. */
struct learn_quantify run_shares_add(struct run_shares *shares, struct str what,
                                     const uint8_t *in, size_t parent);

/* Says below the table what its numbers rest on, and gives private memory back. */
void run_shares_end(struct run_shares *shares);

struct run_shares_set {
    struct str name;
    struct measure_bits bits;
};

struct run_shares_inputs {
    const struct study_table *table;
    const char *folder;    /* of the study */
    struct str classifier; /* whose items are read */
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
