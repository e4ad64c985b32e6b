/* The items behind what a labelling task shows. */
#ifndef RUN_LABELLING_BEHIND_H
#define RUN_LABELLING_BEHIND_H

#include "label/label.h"
#include "result/result.h"

/* One dimension of a task. */
struct run_labelling_behind {
    const struct item_spaces *spaces;
    struct str dimension; /* its id, or empty for the only one */
    const struct label_agree_report *report;
    struct arena *arena; /* for work */
    struct arena *lists; /* for what tables hold */
};

/* The first so many items that two raters or more have labelled, behind a row or, with
 * RESULT_NONE, all of them. */
void run_labelling_behind_shared(const struct run_labelling_behind *it, size_t row,
                                 size_t count, struct result_table *out);

/* The rows of the table are the codes of the report, its pairs of raters, or the codes
 * that pairs used (as columns are). */
void run_labelling_behind_codes(const struct run_labelling_behind *it,
                                struct result_table *out);
void run_labelling_behind_raters(const struct run_labelling_behind *it,
                                 struct result_table *out);
void run_labelling_behind_confusion(const struct run_labelling_behind *it,
                                    struct result_table *out);

/* The rows are the ways in which labels became final. */
void run_labelling_behind_states(const struct run_labelling_behind *it,
                                 const struct label_final *finals, size_t count,
                                 struct result_table *out);

#endif
