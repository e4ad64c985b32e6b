/* What a query asks of what is around a post, found in the tables of its dump before any
 * post is judged: a pass over each table that is asked for, with a bit kept for each post
 * or person. */
#ifndef DUMP_RELATED_H
#define DUMP_RELATED_H

#include "dump/scan.h"
#include "query/query.h"

enum { DUMP_RELATED_DUPLICATE = 3 }; /* type of a link: is a duplicate of */

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

/* The same of rows that come from elsewhere, as a dump has them. For each table that is
 * asked for, `read` shows its rows, or at least all that a relation of the field can hold
 * for. newest_ms is known here; place is for messages. */
struct dump_related_pass;
typedef bool dump_related_read(void *context, struct dump_related_pass *pass,
                               enum dump_scan_table table, enum query_field field,
                               struct err *err);
bool dump_related_ask(struct query_relations *relations,
                      const struct dump_related_job *job, const char *place,
                      int64_t newest_ms, dump_related_read *read, void *context,
                      struct err *err) MUST_USE;
bool dump_related_show(struct dump_related_pass *pass, const struct dump_rows_row *row,
                       struct err *err) MUST_USE;

#endif
