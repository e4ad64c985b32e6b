/* The files of a set, and of labels that come from a file. */
#ifndef RUN_SETS_H
#define RUN_SETS_H

#include "measure/labels.h"
#include "run/output.h"

struct run_sets_funnel {
    int64_t all;  /* questions of the sources; 0: not known */
    bool mixed;   /* of which some are other items than questions */
    bool overlap; /* of which some may stand in several of them */
    const struct result_numbers
        *before;     /* of the set that the query begins with; NULL: none */
    size_t together; /* see study_together() */
};

/* out/sets/NAME.csv: its ids; out/funnels/NAME.csv, .md and .tex: what each condition let
 * through. A table `funnel` of the result has what each left and took out, with lists in
 * out/funnels/NAME/; the last condition leaves the set itself, which has a list already.
 */
void run_sets_write(struct run_output *output, const struct study_set *set,
                    const struct measure_frame_slot *slot,
                    const struct measure_frame *frame, struct run_sets_funnel from);

/* out/labels/NAME.csv: item and code; out/codes/NAME.csv: the codes that there are, in
 * their order, given or not: tables have rows for all of them. */
void run_sets_write_labels(struct run_output *output, const struct study_labels *from,
                           const struct measure_labels *labels,
                           const struct measure_frame *frame);

#endif
