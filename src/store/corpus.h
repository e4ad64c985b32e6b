/* corpus.db: the posts that a study takes from its sources. Only this folder includes
 * sqlite3.h; callers see posts, never SQL. */
#ifndef STORE_CORPUS_H
#define STORE_CORPUS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/idset.h"
#include "query/query.h"

#define CORPUS_NONE INT64_MIN /* stored as NULL */

enum { CORPUS_SCHEMA = 1 }; /* number of the newest migration */

struct corpus; /* one open database */

struct corpus_post {
    int64_t id, type, parent, accepted, created_ms, closed_ms;
    int64_t score, views, answers, comments, favorites, owner;
    struct str tags; /* "<a><b>" or "|a|b|"; stored as the first */
    struct str title, body, prose, code;
    int64_t code_blocks;
};

struct corpus_comment {
    int64_t id, post, created_ms, score, user;
    struct str text;
};

struct corpus_user {
    int64_t id, created_ms, reputation;
    struct str name;
};

struct corpus_link {
    int64_t id, post, related, type, created_ms;
};

struct corpus_census {
    int64_t year;
    struct str tag; /* empty: all questions */
    int64_t questions, accepted, answered, closed, views, score;
};

/* Opens a corpus for reading; ERR_SYSTEM when it is not there, ERR_INPUT when it is no
 * corpus of ours or of a newer schema. The caller hands *out to corpus_close(). */
bool corpus_open(const char *path, struct corpus **out, struct err *err) MUST_USE;

/* Opens PATH.part, in which a new corpus grows; one left behind by an interrupted ingest
 * is gone on with when its key is the same, and begun anew otherwise. *resumed tells. */
bool corpus_build(const char *path, struct str key, struct corpus **out, bool *resumed,
                  struct err *err) MUST_USE;

/* Makes indexes and full-text search, and gives PATH.part its name; frees the corpus also
 * when it fails. Until then the old corpus.db stands. */
bool corpus_finish(struct corpus *corpus, struct err *err) MUST_USE;
void corpus_close(struct corpus *corpus); /* NULL is fine; a corpus being built stays */

/* One transaction at a time; rolling back when none is open does nothing. */
bool corpus_begin(struct corpus *corpus, struct err *err) MUST_USE;
bool corpus_commit(struct corpus *corpus, struct err *err) MUST_USE;
void corpus_rollback(struct corpus *corpus);

/* A row whose id is there already is not entered again: *added is then false. Census rows
 * of the same year and tag are added up. */
bool corpus_add_post(struct corpus *corpus, const struct corpus_post *post, bool *added,
                     struct err *err) MUST_USE;
bool corpus_add_comment(struct corpus *corpus, const struct corpus_comment *comment,
                        struct err *err) MUST_USE;
bool corpus_add_user(struct corpus *corpus, const struct corpus_user *user,
                     struct err *err) MUST_USE;
bool corpus_add_link(struct corpus *corpus, const struct corpus_link *link,
                     struct err *err) MUST_USE;
bool corpus_add_census(struct corpus *corpus, const struct corpus_census *census,
                       struct err *err) MUST_USE;
bool corpus_set_health(struct corpus *corpus, struct str finding, struct str value,
                       struct err *err) MUST_USE;

/* Named bytes. Reading one that is not there gives an empty string. */
bool corpus_set_state(struct corpus *corpus, struct str name, struct str value,
                      struct err *err) MUST_USE;
bool corpus_get_state(struct corpus *corpus, struct str name, struct arena *arena,
                      struct str *value, struct err *err) MUST_USE;

/* The answer to a question that only SQL can give: one number. */
bool corpus_count(struct corpus *corpus, const char *sql, int64_t *out,
                  struct err *err) MUST_USE;

/* Adds the ids that a statement gives to a set. */
bool corpus_ids(struct corpus *corpus, const char *sql, struct idset *ids,
                struct err *err) MUST_USE;

/* The health report as Markdown. */
bool corpus_health(struct corpus *corpus, struct buf *out, struct err *err) MUST_USE;

/* Ids of the posts that meet the query, ascending. Sets (in:) must have been written out.
 * The query is compiled to SQL; texts are tested by the query engine itself, so that a
 * stored post and a scanned one are judged alike. */
bool corpus_select(struct corpus *corpus, const struct query_node *query,
                   struct arena *arena, int64_t **ids, size_t *count,
                   struct err *err) MUST_USE;

/* A hash of everything the corpus says, the same for the same content however it came
 * about; state is left out. */
bool corpus_hash(struct corpus *corpus, uint64_t *hash, struct err *err) MUST_USE;

#endif
