/* From the sources of a study into corpus.db: the questions that it needs, their answers,
 * and what hangs on them; rows of tables; a census of all questions; and a report on the
 * sources' health. */
#ifndef SOURCE_INGEST_H
#define SOURCE_INGEST_H

#include "base/progress.h"
#include "query/query.h"
#include "source/source.h"
#include "store/corpus.h"

/* An extra column of a table that is kept with each item. */
struct source_ingest_field {
    struct str name,
        column; /* column as in a mapping: "Id#2" is the second one named Id */
};

struct source_ingest_source {
    struct str name; /* as in the study file; empty when it has none */
    const struct source_kind *kind;
    const char *const *paths;
    const char *const
        *names; /* the same as the user wrote them, for what is kept; NULL: paths */
    size_t path_count;
    const char *mapping; /* "field=Column, ..." (columns.h); NULL: usual names */
    const struct source_ingest_field *fields; /* none for a dump */
    size_t field_count;
    struct str dates_of;      /* a field: the number of the post that a row speaks of; */
    const char *const *dates; /* tables of dated posts to date it by, see dates.h; */
    const char *const *dates_names; /* as written */
    size_t dates_count;             /* the last two fields are then earliest and latest */
    int64_t until_ms;               /* INT64_MAX: no end */
    struct str site;                /* for messages */
    size_t space;                   /* of its ids, see item/key.h */
    unsigned also;                  /* bit 1u << ITEM_ALSO_...: of dumps */
};

/* A post that stands in several sources of one site is stored once, as the first of them
 * has it. Rows of a table without ids are numbered from 1 on. */
struct source_ingest_options {
    const char *corpus; /* path of corpus.db */
    struct str servers; /* that hold its items (store_build_on()); empty: none do */
    const struct source_ingest_source *sources;
    size_t source_count;
    const struct query_node *query; /* questions that are needed; no in: in it */
    bool skip_broken;               /* rows */
    int64_t rest_bytes; /* at most so many are read again after an interruption */
    int threads;
    bool quiet;
    int descriptor; /* where progress goes */
    /* Says in err which path has to be read and is not there; is false. NULL: it is told
     * as the system does. */
    bool (*tell_absent)(const void *context, const char *path, struct err *err);
    const void *context;
};

struct source_ingest_result {
    bool up_to_date; /* nothing was done */
    bool resumed;    /* an interrupted one was gone on with */
    struct store_counts stored;
    int64_t tags_checked, tags_differ; /* against Tags.xml */
    struct buf health;                 /* the report, Markdown; the caller frees it */
};

/* A source that is not there any more does no harm as long as nothing has to be read: its
 * files are taken to be as they were. The first such path as the user wrote it; NULL: all
 * are there. */
const char *source_ingest_absent(const struct source_ingest_options *options);

/* The corpus then has the state "dump-id": 16 hexadecimal digits that stand for what the
 * sources hold and how they are read, whatever their paths and the query are. */
bool source_ingest_run(const struct source_ingest_options *options,
                       struct source_ingest_result *result, struct err *err) MUST_USE;

/* Why source_ingest_run() would read the sources, in a few words that always last; empty:
 * the corpus is up to date. Nothing is changed. */
bool source_ingest_reason(const struct source_ingest_options *options, struct str *reason,
                          struct err *err) MUST_USE;

#endif
