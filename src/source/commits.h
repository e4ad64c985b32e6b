/* Commits as items: from the history of a path to those that meet a query, with the
 * fields of their own that somebody asks for. What needs a comparison is made for the
 * commits that all other conditions let through, by several threads, and given in the
 * order of the walk: the same for any number of them. */
#ifndef SOURCE_COMMITS_H
#define SOURCE_COMMITS_H

#include "base/progress.h"
#include "git/history.h"
#include "query/query.h"

/* In the order of source_commits_fields. */
enum source_commits_field {
    SOURCE_COMMITS_HASH,
    SOURCE_COMMITS_COMMITTED,
    SOURCE_COMMITS_AUTHOR,
    SOURCE_COMMITS_COMMITTER,
    SOURCE_COMMITS_MERGE,
    SOURCE_COMMITS_PARENTS,
    SOURCE_COMMITS_REPO,
    SOURCE_COMMITS_REFS,
    SOURCE_COMMITS_FORK,
    SOURCE_COMMITS_BOT,
    SOURCE_COMMITS_ODD,
    SOURCE_COMMITS_IMPORTS, /* need a look at the repository, once */
    SOURCE_COMMITS_ENDINGS,
    SOURCE_COMMITS_BRANCH, /* needs a walk before */
    SOURCE_COMMITS_FILES,  /* the first that needs a comparison */
    SOURCE_COMMITS_PATH,
    SOURCE_COMMITS_LINES,
    SOURCE_COMMITS_ADDED_LINES,
    SOURCE_COMMITS_DELETED_LINES,
    SOURCE_COMMITS_ADDED,
    SOURCE_COMMITS_DELETED,
    SOURCE_COMMITS_DIFF,
    SOURCE_COMMITS_ODD_CHANGES,
    SOURCE_COMMITS_PATCH_ID,
    SOURCE_COMMITS_COPY,
    SOURCE_COMMITS_FIELDS
};

extern const struct item_own source_commits_fields[SOURCE_COMMITS_FIELDS];

/* The field of that name, or SOURCE_COMMITS_FIELDS. */
enum source_commits_field source_commits_find(struct str name);

/* The same as queries want them. */
struct query_own source_commits_own(struct arena *arena);

/* What was met, whether it was taken or not. */
struct source_commits_counts {
    int64_t commits, merges, bots, forks, late, taken;
    int64_t shared; /* with other histories */
    int64_t copies; /* whose patch another one has, of whichever history; 0 unless `copy`
                       is asked for */
    int64_t first_ms, last_ms; /* by the author's date, without late ones; ITEM_NONE: none
                                  has one */
};

/* The histories of all sources of a study, in the order in which their commits are
 * numbered, and what a walk over all of them tells: it is found when it is first needed,
 * once for all jobs. */
struct source_commits_histories;
struct source_commits_histories *source_commits_histories_open(void);
void source_commits_histories_close(
    struct source_commits_histories *histories); /* NULL is fine */

/* Before the first job; it becomes theirs, and is closed with them. */
void source_commits_histories_add(struct source_commits_histories *histories,
                                  struct git_history *history);

struct git_history *
source_commits_histories_at(const struct source_commits_histories *histories,
                            size_t number);

struct source_commits_job {
    struct git_history *history;
    struct source_commits_histories *histories; /* with it among them; NULL: it alone */
    const struct query_node *node;
    const struct query_compiled *query; /* the same */
    struct str source;                  /* its name, for source: */
    unsigned fields;   /* bit 1u << SOURCE_COMMITS_...: made for what is taken */
    int64_t first_id;  /* of the first commit of the walk */
    int64_t until_ms;  /* written then or later: not taken */
    int64_t count_max; /* 0: all; else it ends when so many are taken */
    int threads;
    struct progress *progress;
    void *context;
    /* item->extra has all fields; those that were not made are empty. */
    bool (*take)(void *context, const struct item *item, struct err *err);
};

bool source_commits_run(const struct source_commits_job *job,
                        struct source_commits_counts *counts, struct err *err) MUST_USE;

#endif
