/* What a classifier left of each item, read back for shares. */
#ifndef RUN_SHARES_ITEMS_H
#define RUN_SHARES_ITEMS_H

#include "learn/quantify.h"
#include "measure/frame.h"

/* The columns of the table `items`: of each class three, whose name is its code. */
enum {
    RUN_SHARES_ITEMS_ID,
    RUN_SHARES_ITEMS_ROLE,    /* "drawn", "chosen"; missing: not labelled */
    RUN_SHARES_ITEMS_STRATUM, /* missing: not known */
    RUN_SHARES_ITEMS_CLASSES, /* they begin here */
};

enum {
    RUN_SHARES_ITEMS_TRULY, /* 0 or 1; missing: not labelled */
    RUN_SHARES_ITEMS_SAID,
    RUN_SHARES_ITEMS_PROBABILITY,
    RUN_SHARES_ITEMS_COLUMNS, /* so many */
};

struct run_shares_items {
    struct learn_quantify_items known;
    size_t *places;      /* of each item in the frame */
    struct str *classes; /* ids of their codes */
};

/* From the classifier's result in the study's folder. ERR_INPUT with the line when it is
 * not as the classifier left it. */
bool run_shares_items_read(const char *folder, struct str classifier,
                           const struct measure_frame *frame, struct arena *arena,
                           struct run_shares_items *out, struct err *err) MUST_USE;

#endif
