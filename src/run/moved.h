/* What a comparison of two runs comes to: all of its tests as one family, what moved
 * among them by how much speaks for it, and the whole in a few lines. */
#ifndef RUN_MOVED_H
#define RUN_MOVED_H

#include "base/list.h"
#include "result/result.h"

/* A number of both runs that was tested, or whose intervals lie apart. */
struct run_moved_test {
    const char *table;    /* of the comparison, in which it stands */
    size_t row;           /* there; RESULT_NONE: it looks the same, and is left out */
    struct str what;      /* for people */
    struct str then, now; /* as they are shown */
    double p;             /* NAN: not tested */
};

struct run_moved {
    LIST(struct run_moved_test) tests;
    int64_t words;            /* that were compared; 0: none could be */
    bool no_words;            /* no source has items then and new ones */
    struct str order, others; /* what makes the whole doubtful: the older run is the newer
                                 one, or of another study; empty: nothing */
};

#define RUN_MOVED_LEVEL 0.05

/* Fills the column "p (Holm)" of the tables: over all tests there are. Then "summary", a
 * line for each thing that was compared, and "moved", what moved: by p, then what was
 * not tested and has intervals that do not meet. */
void run_moved_tables(struct run_moved *moved, struct result_table *tables, size_t count,
                      struct arena *arena, struct result_table *summary,
                      struct result_table *out);

#endif
