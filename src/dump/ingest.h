/* From a dump into corpus.db: the questions that a study needs, their answers, and what
 * hangs on them; a census of all questions; and a report on the dump's health. */
#ifndef DUMP_INGEST_H
#define DUMP_INGEST_H

#include "base/progress.h"
#include "query/query.h"
#include "store/corpus.h"

struct ingest_options {
    const char *corpus; /* path of corpus.db */
    const char *const *sources;
    size_t source_count;
    const struct query_node *query; /* questions that are needed; no in: in it */
    int64_t until_ms;               /* INT64_MAX: no end */
    bool comments, users, links;
    bool skip_broken;
    int64_t rest_bytes; /* at most so many are read again after an interruption */
    int threads;
    bool quiet;
    int descriptor; /* where progress goes */
};

struct ingest_result {
    bool up_to_date; /* nothing was done */
    bool resumed;    /* an interrupted one was gone on with */
    int64_t questions, answers, comments, users, links;
    int64_t census_questions, census_accepted;
    int64_t tags_checked, tags_differ; /* against Tags.xml */
    struct buf health;                 /* the report, Markdown; the caller frees it */
};

bool ingest_run(const struct ingest_options *options, struct ingest_result *result,
                struct err *err) MUST_USE;

#endif
