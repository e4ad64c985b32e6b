/* corpus.db: the items that a study takes from its sources. Only this folder includes
 * sqlite3.h; callers see items, never SQL. Items are appended, scanned in the order of
 * their ids, and fetched by id; what is known of the sources as a whole stands in the
 * catalogue beside them. Whatever is read is checked against sums that were made when it
 * was written: a damaged corpus is ERR_INPUT, never another result. */
#ifndef STORE_CORPUS_H
#define STORE_CORPUS_H

#include "base/idset.h"
#include "item/key.h"
#include "query/query.h"
#include "result/health.h"

enum { STORE_SCHEMA = 8 };

struct store; /* one open database */

/* Opens a corpus for reading; ERR_SYSTEM when it is not there, ERR_INPUT when it is no
 * corpus of ours or of a newer schema. One of an older schema is brought to this one. Its
 * items may be on servers: those whose addresses the study names, with blanks between
 * them, and no others, whatever the file says; ERR_INPUT where it says others. The caller
 * hands *out to store_close(). */
bool store_open(const char *path, struct str servers, struct store **out,
                struct err *err) MUST_USE;

/* The key that a corpus was built with, which lives in arena; no server is asked. */
bool store_recorded_key(const char *path, struct arena *arena, struct str *key,
                        struct err *err) MUST_USE;

/* Whether the corpus at path is of an older schema: to open it would take a while. */
bool store_is_old(const char *path);

/* Opens PATH.part, in which a new corpus grows; one left behind by an interrupted ingest
 * is continued when its key is the same, and begun anew otherwise. *resumed tells. */
bool store_build(const char *path, struct str key, struct store **out, bool *resumed,
                 struct err *err) MUST_USE;

/* The same with items and their texts on servers, whose addresses stand between blanks
 * (engine/items.h); empty: in the database. */
bool store_build_on(const char *path, struct str key, struct str servers,
                    struct store **out, bool *resumed, struct err *err) MUST_USE;

/* Makes indexes, seals the tables, and gives PATH.part its name; frees the corpus also
 * when it fails. Until then the old corpus.db stands; what it had on the same servers is
 * taken away then. */
bool store_finish(struct store *corpus, struct err *err) MUST_USE;
void store_close(struct store *corpus); /* NULL is fine; a corpus being built stays */

/* One transaction at a time, which is a batch: what is appended in it is there as a whole
 * or not at all; closing the corpus gives up one that is open. */
bool store_begin(struct store *corpus, struct err *err) MUST_USE;
bool store_commit(struct store *corpus, struct err *err) MUST_USE;

/* --- items --- */

/* Appends an item that has a kind and an id. One whose id is there already is not entered
 * again: *added is then false, and *known_ms says when the one that is there was written.
 */
bool store_append(struct store *corpus, const struct item *item, int64_t code_blocks,
                  bool *added, int64_t *known_ms, struct err *err) MUST_USE;
bool store_add_key(struct store *corpus, int64_t item, struct str key,
                   struct err *err) MUST_USE;
bool store_add_alias(struct store *corpus, int64_t item, struct str key,
                     struct err *err) MUST_USE;
bool store_add_origin(struct store *corpus, int64_t item, int64_t source,
                      struct err *err) MUST_USE;
/* An answer to a stored question that is left out, for it came after the end of its
 * source. */
bool store_add_late(struct store *corpus, int64_t answer, int64_t question,
                    struct err *err) MUST_USE;
bool store_add_field(struct store *corpus, int64_t item, struct str name,
                     struct str value, struct err *err) MUST_USE;

/* An item in a scan. Its body is read when it is asked for, and lasts until the next;
 * false with err when it cannot be read. */
struct store_row {
    struct item item; /* without the body */
    int64_t code_blocks;
    void *scan;
    const uint8_t *passed; /* see store_scan_asking(); NULL: nothing is known */
};

bool store_row_body(const struct store_row *row, struct str *body,
                    struct err *err) MUST_USE;

/* Every item of the kinds (bit 1u << kind), ascending by id; strings last only during the
 * call of take(), whose false, with err, ends the scan. */
typedef bool store_take(void *context, const struct store_row *row, struct err *err);
bool store_scan(struct store *corpus, unsigned kinds, store_take *take, void *context,
                struct err *err) MUST_USE;

/* A query of a scan, which servers may test themselves. */
struct store_asked {
    struct str name; /* for in: of later ones; may be empty */
    const struct query_node *query;
};

struct store_asking {
    unsigned kinds;
    unsigned brief; /* of these kinds id, kind, parent, created_ms and owner are enough */
    const struct store_asked *queries;
    size_t count;
    bool bodies; /* queries look into them */
};

enum { STORE_OPEN = 255 }; /* it has to be tested */

/* The same, but rows may say how many conditions of each query they meet, one after the
 * other, or STORE_OPEN. A row of which nothing is open may have its numbers alone. All
 * items of brief kinds may come after the others. */
bool store_scan_asking(struct store *corpus, const struct store_asking *asking,
                       store_take *take, void *context, struct err *err) MUST_USE;

/* From now on scans ask for bodies of items that may meet one of these queries: servers
 * need send no others. They must last; count 0: of any. */
void store_expect(struct store *corpus, const struct query_node *const *queries,
                  size_t count);

/* The given items with their bodies, in the order given, leaving out those that are not
 * there. */
typedef bool store_take_item(void *context, const struct item *item, struct err *err);
bool store_fetch(struct store *corpus, const int64_t *ids, size_t count,
                 store_take_item *take, void *context, struct err *err) MUST_USE;

/* The same where nobody asks for bodies: they are left out, or there at no cost. */
bool store_fetch_heads(struct store *corpus, const int64_t *ids, size_t count,
                       store_take_item *take, void *context, struct err *err) MUST_USE;

/* The answers to a question, by score (without one last), then id. */
bool store_answers_to(struct store *corpus, int64_t question, store_take_item *take,
                      void *context, struct err *err) MUST_USE;

/* Keys that are text, ascending by id, in arena; of several that an item goes by, its own
 * comes first. */
bool store_names(struct store *corpus, struct arena *arena, struct item_name **out,
                 size_t *count, struct err *err) MUST_USE;

/* Each source that an item stands in, by its name, ascending by item and within it in the
 * order of the study file; the values of one field that a source brings. */
typedef bool store_take_text(void *context, int64_t id, struct str text, struct err *err);
bool store_origins(struct store *corpus, store_take_text *take, void *context,
                   struct err *err) MUST_USE;
bool store_field(struct store *corpus, struct str name, store_take_text *take,
                 void *context, struct err *err) MUST_USE;

/* The answers that came too late, with their questions. */
typedef bool store_take_pair(void *context, int64_t id, int64_t other, struct err *err);
bool store_late(struct store *corpus, store_take_pair *take, void *context,
                struct err *err) MUST_USE;

/* All such fields of one item, by name. */
typedef bool store_take_field(void *context, struct str name, struct str value,
                              struct err *err);
bool store_fields_of(struct store *corpus, int64_t item, store_take_field *take,
                     void *context, struct err *err) MUST_USE;

/* --- what hangs on items --- */

/* Where rows stand beside the items, each a struct of the same name. */
enum store_beside {
    STORE_COMMENT,
    STORE_USER,
    STORE_LINK,
    STORE_VOTE,
    STORE_HISTORY,
    STORE_BADGE,
    STORE_SOURCE,
    STORE_FILE,
    STORE_CENSUS,
    STORE_BESIDES,
};

/* Enters a row. One whose id is there already is not entered again, but for files, which
 * are replaced, and the census, whose rows of the same source, year and tag are added up.
 */
bool store_add(struct store *corpus, enum store_beside which, const void *row,
               struct err *err) MUST_USE;

struct store_comment {
    int64_t id, item, created_ms, score, user;
    struct str text;
};

struct store_user {
    int64_t id, created_ms, reputation;
    struct str name;
};

struct store_link {
    int64_t id, item, related, type, created_ms;
};

struct store_vote {
    int64_t id, item, type, created_ms;
};

struct store_history {
    int64_t id, item, type, created_ms, user;
};

struct store_badge {
    int64_t id, user, created_ms;
    struct str name;
};

/* The comments on an item, by moment, then id. */
typedef bool store_take_comment(void *context, const struct store_comment *comment,
                                struct err *err);
bool store_comments_on(struct store *corpus, int64_t item, store_take_comment *take,
                       void *context, struct err *err) MUST_USE;

/* All comments; users with their reputation; items that link to another, with the type of
 * the link. */
bool store_comments(struct store *corpus, store_take_comment *take, void *context,
                    struct err *err) MUST_USE;
bool store_reputations(struct store *corpus, store_take_pair *take, void *context,
                       struct err *err) MUST_USE;
bool store_links(struct store *corpus, store_take_pair *take, void *context,
                 struct err *err) MUST_USE;

/* --- the catalogue --- */

struct store_source {
    int64_t number; /* from 0 */
    struct str name, kind, settings;
};

/* A file that was read for a source. */
struct store_file {
    int64_t source, number;
    struct str path, hash;
};

struct store_census {
    int64_t source; /* of one source; not set where sources are added up */
    int64_t year, questions, accepted, answered, closed, views, score;
    struct str tag; /* empty: all questions */
};

/* When the oldest and the newest of all posts of a source were written, stored or not;
 * ITEM_NONE: not known. */
struct store_span {
    int64_t first_ms, last_ms;
};

/* Of several calls the oldest and the newest count. */
bool store_note_span(struct store *corpus, size_t source, struct store_span span,
                     struct err *err) MUST_USE;
bool store_set_health(struct store *corpus, struct str finding, struct str value,
                      struct err *err) MUST_USE;

/* The files that were read for sources, in the order of the study file. */
typedef bool store_take_file(void *context, const struct store_file *file,
                             struct err *err);
bool store_files(struct store *corpus, store_take_file *take, void *context,
                 struct err *err) MUST_USE;

bool store_source_span(struct store *corpus, size_t source, struct store_span *out,
                       struct err *err) MUST_USE;

/* The census by year, within it by tag; of one source, or with STORE_ALL of all of them
 * added up. */
#define STORE_ALL (-1)
typedef bool store_take_census(void *context, const struct store_census *census,
                               struct err *err);
bool store_census(struct store *corpus, int64_t source, store_take_census *take,
                  void *context, struct err *err) MUST_USE;

/* What the sources were like, by name; and the same as Markdown. */
bool store_findings(struct store *corpus, struct arena *arena, struct result_health *out,
                    struct err *err) MUST_USE;
bool store_health(struct store *corpus, struct buf *out, struct err *err) MUST_USE;

/* A hash of what the sources are and what their files hold, the same wherever they lie
 * and whichever of their questions were needed: of the names, kinds, settings and files
 * of all sources, and of what else the caller says. */
bool store_sources_hash(struct store *corpus, struct str also, uint64_t *hash,
                        struct err *err) MUST_USE;

/* Named bytes. Reading one that is not there gives an empty string. STORE_OLDER_IDS is
 * set where an older assay gave items their ids, for which posts of all sites were of
 * one. */
#define STORE_OLDER_IDS STR("older-ids")
bool store_set_state(struct store *corpus, struct str name, struct str value,
                     struct err *err) MUST_USE;
bool store_get_state(struct store *corpus, struct str name, struct arena *arena,
                     struct str *value, struct err *err) MUST_USE;

/* How much of each kind it holds, and of how many questions all its sources speak. */
struct store_counts {
    int64_t questions, answers, rows;
    int64_t comments, users, links, votes, history, badges;
    int64_t census_questions, census_accepted;
    int64_t kinds[ITEM_KINDS]; /* items */
};

/* Adds ", 12 issues, 5 topics": what there is of other kinds than those of dumps and
 * tables. */
void store_counts_add(const struct store_counts *counts, struct buf *out);

bool store_counts(struct store *corpus, struct store_counts *out,
                  struct err *err) MUST_USE;

/* What is doubtful about accepted answers: those older than their question, and those
 * that are not there. */
bool store_doubts(struct store *corpus, int64_t *too_old, int64_t *missing,
                  int64_t *several, struct err *err) MUST_USE;

/* Adds these ids to a set: questions of all sources; questions and answers, and who wrote
 * them, of the sources that share a space. */
bool store_question_ids(struct store *corpus, size_t space, struct idset *ids,
                        struct err *err) MUST_USE;
bool store_post_ids(struct store *corpus, size_t space, struct idset *posts,
                    struct idset *owners, struct err *err) MUST_USE;

/* The one number that a statement gives: for this folder, and for tests that look inside.
 */
bool store_count(struct store *corpus, const char *sql, int64_t *out,
                 struct err *err) MUST_USE;

#endif
