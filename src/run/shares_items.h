/* What a classifier left of each item, read back for shares. */
#ifndef RUN_SHARES_ITEMS_H
#define RUN_SHARES_ITEMS_H

#include "learn/quantify.h"
#include "measure/frame.h"

struct shares_items {
    struct quantify_items known;
    size_t *places;      /* of each item in the frame */
    struct str *classes; /* ids of their codes */
};

/* Reads items.csv. ERR_INPUT with the line when it is not as the classifier wrote it. */
bool shares_items_read(const char *path, const struct frame *frame, struct arena *arena,
                       struct shares_items *out, struct err *err) MUST_USE;

#endif
