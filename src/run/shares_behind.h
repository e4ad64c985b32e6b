/* The items behind estimated shares. */
#ifndef RUN_SHARES_BEHIND_H
#define RUN_SHARES_BEHIND_H

#include "result/result.h"
#include "run/shares_items.h"

struct run_shares_behind {
    const struct run_shares_items *read;
    const struct measure_frame *frame;
    const struct measure_bits
        *truly; /* of each class, where the truth is known; else NULL */
    struct result_table *out;
    struct arena *arena;
};

/* The row is the class in the items for which `in` is not 0. */
void run_shares_behind_add(struct run_shares_behind *it, size_t row, size_t class,
                           const uint8_t *in);

/* How shares by the method rest on labelled items; NULL: they are computed from them. */
const char *run_shares_behind_rests(enum learn_quantify_method method);

/* An estimate without an interval says why. */
void run_shares_behind_interval(struct result_cell *cell);

#endif
