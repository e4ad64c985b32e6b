/* corpus.db: the posts that a study takes from its sources. Only this folder includes
 * sqlite3.h; callers see posts, never SQL. */
#ifndef STORE_CORPUS_H
#define STORE_CORPUS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/idset.h"
#include "query/query.h"
#include "result/health.h"

#define CORPUS_NONE INT64_MIN /* stored as NULL */

enum { CORPUS_SCHEMA = 2 }; /* number of the newest section of schema.sql */

struct corpus; /* one open database */

struct corpus_post {
    int64_t id, type, parent, accepted, accepted_ms, created_ms, closed_ms;
    int64_t score, views, answers, comments, favorites, owner;
    struct str tags; /* "<a><b>" or "|a|b|"; stored as the first */
    struct str title, body, prose, code;
    int64_t code_blocks;
    struct str license; /* empty: the one that follows from the date of a post */
};

/* Numbers as Stack Exchange has them; a row of a table is an item of its own. */
enum { CORPUS_QUESTION = 1, CORPUS_ANSWER = 2, CORPUS_ROW = 100 };

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

struct corpus_vote {
    int64_t id, post, type, created_ms;
};

struct corpus_history {
    int64_t id, post, type, created_ms, user;
};

struct corpus_badge {
    int64_t id, user, created_ms;
    struct str name;
};

/* Where posts come from, and the files that were read for it. */
struct corpus_source {
    int64_t number; /* from 0 */
    struct str name, kind, settings;
};

struct corpus_file {
    int64_t source, number;
    struct str path, hash;
};

struct corpus_census {
    int64_t year;
    struct str tag; /* empty: all questions */
    int64_t questions, accepted, answered, closed, views, score;
};

/* Opens a corpus for reading; ERR_SYSTEM when it is not there, ERR_INPUT when it is no
 * corpus of ours or of a newer schema. One of an older schema gets the tables and columns
 * that it lacks, empty. The caller hands *out to corpus_close(). */
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
bool corpus_add_vote(struct corpus *corpus, const struct corpus_vote *vote,
                     struct err *err) MUST_USE;
bool corpus_add_history(struct corpus *corpus, const struct corpus_history *history,
                        struct err *err) MUST_USE;
bool corpus_add_badge(struct corpus *corpus, const struct corpus_badge *badge,
                      struct err *err) MUST_USE;
bool corpus_add_source(struct corpus *corpus, const struct corpus_source *source,
                       struct err *err) MUST_USE;
bool corpus_add_file(struct corpus *corpus, const struct corpus_file *file,
                     struct err *err) MUST_USE;
bool corpus_add_origin(struct corpus *corpus, int64_t post, int64_t source,
                       struct err *err) MUST_USE;
bool corpus_add_field(struct corpus *corpus, int64_t post, struct str name,
                      struct str value, struct err *err) MUST_USE;
bool corpus_add_census(struct corpus *corpus, const struct corpus_census *census,
                       struct err *err) MUST_USE;
bool corpus_set_health(struct corpus *corpus, struct str finding, struct str value,
                       struct err *err) MUST_USE;

/* A hash of what the sources are and what their files hold, the same wherever they lie
 * and whichever of their questions were needed: of the names, kinds, settings and files
 * of all sources, and of what else the caller says. */
bool corpus_sources_hash(struct corpus *corpus, struct str also, uint64_t *hash,
                         struct err *err) MUST_USE;

/* Named bytes. Reading one that is not there gives an empty string. */
bool corpus_set_state(struct corpus *corpus, struct str name, struct str value,
                      struct err *err) MUST_USE;
bool corpus_get_state(struct corpus *corpus, struct str name, struct arena *arena,
                      struct str *value, struct err *err) MUST_USE;

/* How much of each kind it holds, and of how many questions all its sources speak. */
struct corpus_counts {
    int64_t questions, answers, rows;
    int64_t comments, users, links, votes, history, badges;
    int64_t census_questions, census_accepted;
};

bool corpus_counts(struct corpus *corpus, struct corpus_counts *out,
                   struct err *err) MUST_USE;

/* What is doubtful about accepted answers: those older than their question, and those
 * that are not there. */
bool corpus_doubts(struct corpus *corpus, int64_t *too_old, int64_t *missing,
                   struct err *err) MUST_USE;

/* Adds these ids to a set. */
enum corpus_which { CORPUS_QUESTION_IDS, CORPUS_POST_IDS, CORPUS_OWNER_IDS };
bool corpus_ids(struct corpus *corpus, enum corpus_which which, struct idset *ids,
                struct err *err) MUST_USE;

/* The one number that a statement gives: for this folder, and for tests that look inside.
 */
bool corpus_count(struct corpus *corpus, const char *sql, int64_t *out,
                  struct err *err) MUST_USE;

/* What the sources were like, by name; and the same as Markdown. */
bool corpus_findings(struct corpus *corpus, struct arena *arena, struct health *out,
                     struct err *err) MUST_USE;
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
