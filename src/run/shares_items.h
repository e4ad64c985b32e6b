/* What a classifier left of each item, read back for shares. */
#ifndef RUN_SHARES_ITEMS_H
#define RUN_SHARES_ITEMS_H

#include "learn/quantify.h"
#include "measure/frame.h"

/* The columns of the table `items`: of each class three, whose name is its code. */
enum {
    SHARES_ITEMS_ID,
    SHARES_ITEMS_ROLE,    /* "drawn", "chosen"; missing: not labelled */
    SHARES_ITEMS_STRATUM, /* missing: not known */
    SHARES_ITEMS_CLASSES, /* they begin here */
};

enum {
    SHARES_ITEMS_TRULY, /* 0 or 1; missing: not labelled */
    SHARES_ITEMS_SAID,
    SHARES_ITEMS_PROBABILITY,
    SHARES_ITEMS_COLUMNS, /* so many */
};

struct shares_items {
    struct quantify_items known;
    size_t *places;      /* of each item in the frame */
    struct str *classes; /* ids of their codes */
};

/* From the classifier's result in the study's folder. ERR_INPUT with the line when it is
 * not as the classifier left it. */
bool shares_items_read(const char *folder, struct str classifier,
                       const struct frame *frame, struct arena *arena,
                       struct shares_items *out, struct err *err) MUST_USE;

#endif
