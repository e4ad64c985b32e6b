/* The items behind what a labelling task shows: out/labelling/TASK/behind/. */
#ifndef RUN_LABELLING_BEHIND_H
#define RUN_LABELLING_BEHIND_H

#include "label/label.h"
#include "run/output.h"

/* One dimension of a task. */
struct labelling_behind {
    struct output *output;
    const struct item_spaces *spaces;
    struct str task;
    struct str suffix; /* of files: the dimension's id, or empty for the only one */
    const struct agree_report *report;
    struct arena *arena;
};

/* The file for what is shown under that word, with its heads. */
struct buf *labelling_behind_file(const struct labelling_behind *it, const char *shown);

/* The row of this dimension in a table of all. */
void labelling_behind_whole(const struct labelling_behind *it, int64_t row,
                            struct buf *out);

/* Checkpoints, levels, codes, pairs of raters, and what they took for what. */
void labelling_behind_parts(const struct labelling_behind *it);

/* How labels became final. */
void labelling_behind_states(const struct labelling_behind *it,
                             const struct label_final *finals, size_t count);

#endif
