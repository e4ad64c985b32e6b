/* The items behind a set's funnel: those that each condition left, and those that it
 * took out. */
#ifndef RUN_FUNNELLING_H
#define RUN_FUNNELLING_H

#include "run/output.h"

struct run_funnelling {
    struct str set;
    const struct measure_frame_slot *slot;
    const struct measure_frame *frame;
    const struct str *conditions; /* of the funnel's rows */
    size_t count;
    size_t before; /* its first rows, which are those of the set that the query begins
                      with, and lead to the items of that one */
    size_t begun;  /* the set's first conditions, which are one row or another set's */
};

/* A table `funnel` of the set's result, of what each row left and took out, and its lists
 * in out/funnels/NAME/. The last row leaves the set itself, which has a list already. */
void run_funnelling_make(const struct run_funnelling *funnelling,
                         struct run_output *output);

#endif
