/* The items behind a set's funnel: those that each condition left, and those that it
 * took out. */
#ifndef RUN_FUNNELLING_H
#define RUN_FUNNELLING_H

#include "run/output.h"

struct funnelling {
    struct str set;
    const struct frame_slot *slot;
    const struct frame *frame;
    const struct str *conditions; /* of the funnel's rows */
    size_t count;
    size_t before; /* its first rows, which are those of the set that the query begins
                      with, and lead to the items of that one */
    size_t begun;  /* the set's first conditions, which are one row or another set's */
};

/* out/funnels/NAME/: lists.csv, cells.csv and the lists. Cell 2 * i is what row i of the
 * funnel left, cell 2 * i + 1 what it took out. The last row leaves the set itself, which
 * has a list already. */
void funnelling_make(const struct funnelling *funnelling, struct output *output);

#endif
