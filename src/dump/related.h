/* What a query asks of what is around a post, found in the tables of its dump before any
 * post is judged: a pass over each table that is asked for, with a bit kept for each post
 * or person. */
#ifndef DUMP_RELATED_H
#define DUMP_RELATED_H

#include "dump/scan.h"
#include "query/query.h"

struct dump_related_job {
    unsigned also; /* bit 1u << ITEM_ALSO_...: tables that may be read; what is asked of
                      others holds for nothing */
    bool newest;   /* relative dates are asked: find *newest_ms first */
    int64_t until_ms; /* posts and comments from then on count as absent */
    int threads;
    bool skip_broken;
    struct progress *progress;
};

/* Fills the relations. *newest_ms is when the newest post was written; ITEM_NONE: that is
 * not asked, or none has a date. A table that is not there is an error that says who asks
 * for it. */
bool dump_related_find(struct input *input, struct query_relations *relations,
                       const struct dump_related_job *job, int64_t *newest_ms,
                       struct err *err) MUST_USE;

#endif
