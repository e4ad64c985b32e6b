/* The study file: everything a study does, declared in one place. So far it says where
 * the posts come from and which sets are made of them. */
#ifndef STUDY_STUDY_H
#define STUDY_STUDY_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "query/query.h"

struct study_set {
    struct str name;
    struct str text;            /* the query as written */
    struct query_node *query;   /* as written, in: not resolved */
    struct query_node *written; /* every in:SET replaced by what the set says */
    int line, column;
};

struct study {
    const char *path, *folder; /* of the study file; "" is the current one */
    struct str name, title;
    const char **sources; /* dumps, as paths from here */
    size_t source_count;
    int64_t until_ms;            /* posts from then on are left out; INT64_MAX: none */
    bool comments, users, links; /* to be taken besides the posts */
    struct study_set *sets;
    size_t set_count;
};

/* Reads and checks the study file; path may also be the folder that holds study.yaml.
 * All that is wrong is added to *problems, a line or more each, with file:line:column;
 * then the result is ERR_INPUT and counts them. *out lives in arena. */
bool study_load(const char *path, struct arena *arena, struct study *out,
                struct buf *problems, struct err *err) MUST_USE;

/* The same for text already in memory; path names it in messages. */
bool study_parse(struct str text, const char *path, struct arena *arena,
                 struct study *out, struct buf *problems, struct err *err) MUST_USE;

/* A question is needed when any set takes it. */
struct query_node *study_needed(const struct study *study, struct arena *arena);

#endif
