/* SQLite underneath. A corpus grows in PATH.part with a rollback journal, so that a killed
 * ingest leaves a consistent state to go on from, and is renamed when it is complete. */
#include "store/corpus.h"

#include <assert.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "store/internal.h"

extern const unsigned char store_schema_sql[];
extern const size_t store_schema_sql_len;

enum { APPLICATION_ID = 0x61737361 /* "assa" */, BUSY_MS = 5000 };

#define ANEW "-anew" /* behind the name of a part */

bool store_failed(struct store *corpus, struct err *err)
{
    int code = sqlite3_errcode(corpus->db);

    if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT)
        return err_set(err, ERR_INPUT, "%s: not a corpus of assay, or damaged (%s)",
                       corpus->path, sqlite3_errmsg(corpus->db));
    return err_set(err, ERR_SYSTEM, "cannot use %s: %s", corpus->path,
                   sqlite3_errmsg(corpus->db));
}

bool store_damaged(struct store *corpus, const char *what, struct err *err)
{
    return err_set(err, ERR_INPUT,
                   "%s: is damaged: %s; remove it, and 'assay ingest' makes it anew",
                   corpus->path, what);
}

bool store_damaged_items(struct store *corpus, const char *what, struct err *err)
{
    if (corpus->servers.items == NULL)
        return store_damaged(corpus, what, err);
    return err_set(err, ERR_INPUT,
                   "%s: what servers hold of it (%.*s) is damaged: %s; remove it, and "
                   "'assay ingest' makes both anew",
                   corpus->path, STR_ARG(corpus->servers.addresses), what);
}

bool store_run(struct store *corpus, const char *sql, struct err *err)
{
    return sqlite3_exec(corpus->db, sql, NULL, NULL, NULL) == SQLITE_OK ||
           store_failed(corpus, err);
}

static bool open_file(const char *path, int flags, struct store **out, struct err *err)
{
    struct arena arena = {0};
    struct store *corpus = arena_array(&arena, struct store, 1);

    corpus->path = arena_c_string(&arena, str_from(path));
    corpus->arena = arena;
    if (sqlite3_open_v2(path, &corpus->db, flags, NULL) != SQLITE_OK) {
        err_set(err, ERR_SYSTEM, "cannot open %s: %s", path,
                corpus->db != NULL ? sqlite3_errmsg(corpus->db) : "no memory");
        store_close(corpus);
        return false;
    }
    sqlite3_busy_timeout(corpus->db, BUSY_MS);
    *out = corpus;
    return true;
}

bool store_open_file(const char *path, struct store **out, struct err *err)
{
    return open_file(path, SQLITE_OPEN_READWRITE, out, err);
}

void store_close(struct store *corpus)
{
    if (corpus == NULL)
        return;
    struct arena arena = corpus->arena; /* it holds *corpus itself */
    for (int i = 0; i < STORE_STATEMENTS; i++)
        sqlite3_finalize(corpus->statements[i]);
    for (int i = 0; i < STORE_KEPT_MAX; i++)
        sqlite3_finalize(corpus->kept[i].statement);
    sqlite3_close(corpus->db);
    buf_free(&corpus->tags);
    store_text_free(&corpus->texts);
    store_servers_close(&corpus->servers);
    arena_free(&arena);
}

bool store_count(struct store *corpus, const char *sql, int64_t *out, struct err *err)
{
    sqlite3_stmt *statement = NULL;
    bool ok = sqlite3_prepare_v2(corpus->db, sql, -1, &statement, NULL) == SQLITE_OK &&
              sqlite3_step(statement) == SQLITE_ROW;

    if (ok)
        *out = sqlite3_column_int64(statement, 0);
    else
        store_failed(corpus, err);
    sqlite3_finalize(statement);
    return ok;
}

static const char *const statements[STORE_STATEMENTS] = {
    [STORE_ITEM] = "INSERT OR IGNORE INTO item VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,"
                   "?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21)",
    [STORE_TEXT] = "INSERT INTO text (id, body, pack, place, len, sum) VALUES "
                   "(?1,?2,?3,?4,?5,?6)",
    [STORE_ADD_PACK] =
        "INSERT OR REPLACE INTO pack (number, len, bytes) VALUES (?1,?2,?3)",
    [STORE_PACK] = "SELECT len, bytes FROM pack WHERE number = ?1",
    [STORE_KNOWN] = "SELECT created_ms FROM item WHERE id = ?1",
    [STORE_BODY] = "SELECT body, pack, place, len, sum FROM text WHERE id = ?1",
    [STORE_ALIAS] = "INSERT OR IGNORE INTO alias (id, text) VALUES (?1,?2)",
    [STORE_KEY] = "INSERT OR IGNORE INTO key (id, text) VALUES (?1,?2)",
    [STORE_COMMENT] = "INSERT OR IGNORE INTO comment (id, item, created_ms, score, user, "
                      "text) VALUES (?1,?2,?3,?4,?5,?6)",
    [STORE_USER] = "INSERT OR IGNORE INTO user (id, created_ms, reputation, name) VALUES "
                   "(?1,?2,?3,?4)",
    [STORE_LINK] = "INSERT OR IGNORE INTO link (id, item, related, type, created_ms) "
                   "VALUES (?1,?2,?3,?4,?5)",
    [STORE_VOTE] = "INSERT OR IGNORE INTO vote (id, item, type, created_ms) VALUES "
                   "(?1,?2,?3,?4)",
    [STORE_HISTORY] = "INSERT OR IGNORE INTO history (id, item, type, created_ms, user) "
                      "VALUES (?1,?2,?3,?4,?5)",
    [STORE_BADGE] = "INSERT OR IGNORE INTO badge (id, user, created_ms, name) VALUES "
                    "(?1,?2,?3,?4)",
    [STORE_SPAN] = "UPDATE source SET first_ms = min(ifnull(first_ms, ?2), ?2), last_ms "
                   "= max(ifnull(last_ms, ?3), ?3) WHERE number = ?1",
    [STORE_SOURCE] = "INSERT OR IGNORE INTO source (number, name, kind, settings) "
                     "VALUES (?1,?2,?3,?4)",
    [STORE_FILE] = "INSERT OR REPLACE INTO source_file (source, number, path, hash) "
                   "VALUES (?1,?2,?3,?4)",
    [STORE_ORIGIN] = "INSERT OR IGNORE INTO origin (item, source) VALUES (?1,?2)",
    [STORE_LATE] = "INSERT OR IGNORE INTO late (answer, question) VALUES (?1,?2)",
    [STORE_FIELD] = "INSERT OR IGNORE INTO field (item, name, value) VALUES (?1,?2,?3)",
    [STORE_CENSUS] =
        "INSERT INTO census (source, year, tag, questions, accepted, answered, closed, "
        "views, score) VALUES (?1,?2,?9,?3,?4,?5,?6,?7,?8) ON CONFLICT DO UPDATE SET "
        "questions = questions + ?3, accepted = accepted + ?4, answered = answered + ?5, "
        "closed = closed + ?6, views = views + ?7, score = score + ?8",
    [STORE_HEALTH] = "INSERT OR REPLACE INTO health (finding, value) VALUES (?1,?2)",
    [STORE_BATCH] = "INSERT INTO batch (items, item_sum, texts, text_sum) VALUES "
                    "(?1,?2,?3,?4)",
    [STORE_SET_STATE] = "INSERT OR REPLACE INTO state (name, value) VALUES (?1,?2)",
    [STORE_GET_STATE] = "SELECT value FROM state WHERE name = ?1",
};

sqlite3_stmt *store_ready(struct store *corpus, int which, struct err *err)
{
    sqlite3_stmt **statement = &corpus->statements[which];

    if (*statement == NULL &&
        sqlite3_prepare_v3(corpus->db, statements[which], -1, SQLITE_PREPARE_PERSISTENT,
                           statement, NULL) != SQLITE_OK) {
        store_failed(corpus, err);
        return NULL;
    }
    sqlite3_reset(*statement);
    return *statement;
}

void store_bind_number(sqlite3_stmt *statement, int place, int64_t value)
{
    if (value == ITEM_NONE)
        sqlite3_bind_null(statement, place);
    else
        sqlite3_bind_int64(statement, place, value);
}

void store_bind_text(sqlite3_stmt *statement, int place, struct str text)
{
    sqlite3_bind_text64(statement, place, text.len > 0 ? text.ptr : "", text.len,
                        SQLITE_STATIC, SQLITE_UTF8);
}

bool store_step(struct store *corpus, sqlite3_stmt *statement, struct err *err)
{
    int code = sqlite3_step(statement);

    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return code == SQLITE_DONE || store_failed(corpus, err);
}

sqlite3_stmt *store_prepare(struct store *corpus, const char *sql)
{
    sqlite3_stmt *statement = NULL;

    return sqlite3_prepare_v2(corpus->db, sql, -1, &statement, NULL) == SQLITE_OK
               ? statement
               : NULL;
}

sqlite3_stmt *store_prepare_kept(struct store *corpus, const char *sql)
{
    for (int i = 0; i < STORE_KEPT_MAX; i++) {
        struct store_kept *kept = &corpus->kept[i];
        if (kept->sql == NULL) {
            *kept = (struct store_kept){arena_c_string(&corpus->arena, str_from(sql)),
                                        store_prepare(corpus, sql), true};
            if (kept->statement == NULL)
                *kept = (struct store_kept){0};
            return kept->statement;
        }
        if (!kept->taken && strcmp(kept->sql, sql) == 0) {
            kept->taken = true;
            return kept->statement;
        }
    }
    return store_prepare(corpus, sql);
}

void store_give_back(struct store *corpus, sqlite3_stmt *statement)
{
    for (int i = 0; i < STORE_KEPT_MAX; i++)
        if (statement != NULL && corpus->kept[i].statement == statement) {
            sqlite3_reset(statement);
            sqlite3_clear_bindings(statement);
            corpus->kept[i].taken = false;
            return;
        }
    sqlite3_finalize(statement);
}

bool store_each(struct store *corpus, sqlite3_stmt *statement,
                bool (*take)(void *context, sqlite3_stmt *row, struct err *err),
                void *context, struct err *err)
{
    int code = SQLITE_ROW;
    bool ok = statement != NULL || store_failed(corpus, err);

    while (ok && (code = sqlite3_step(statement)) == SQLITE_ROW)
        ok = take(context, statement, err);
    if (ok && code != SQLITE_DONE)
        ok = store_failed(corpus, err);
    store_give_back(corpus, statement);
    return ok;
}

int64_t store_number(sqlite3_stmt *row, int column)
{
    return sqlite3_column_type(row, column) == SQLITE_NULL
               ? ITEM_NONE
               : sqlite3_column_int64(row, column);
}

struct str store_column(sqlite3_stmt *row, int column)
{
    const unsigned char *text = sqlite3_column_text(row, column);

    return (struct str){(const char *)text,
                        text != NULL ? (size_t)sqlite3_column_bytes(row, column) : 0};
}

/* Ours, and not newer than we know? */
static bool check_kind(struct store *corpus, int64_t *schema, struct err *err)
{
    int64_t id;

    if (!store_count(corpus, "PRAGMA application_id", &id, err) ||
        !store_count(corpus, "PRAGMA user_version", schema, err))
        return false;
    if (id != APPLICATION_ID)
        return err_set(err, ERR_INPUT,
                       "%s: expected a corpus of assay, found another database",
                       corpus->path);
    if (*schema > STORE_SCHEMA)
        return err_set(
            err, ERR_INPUT,
            "%s: has schema %lld, made by a newer assay; this one knows up to %d",
            corpus->path, (long long)*schema, STORE_SCHEMA);
    return true;
}

/* The schema itself, and what its numbers mean. */
static bool run_schema(struct store *corpus, struct err *err)
{
    const char *sql =
        arena_c_string(&corpus->arena, (struct str){(const char *)store_schema_sql,
                                                    store_schema_sql_len});
    char text[100];
    bool ok = store_run(corpus, sql, err);

    for (int kind = 1; kind < ITEM_KINDS && ok; kind++) {
        sqlite3_snprintf(sizeof text, text, "INSERT INTO kind VALUES (%d, '%s')", kind,
                         item_kind_name((enum item_kind)kind).ptr);
        ok = store_run(corpus, text, err);
    }
    snprintf(text, sizeof text, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             APPLICATION_ID, STORE_SCHEMA);
    return ok && store_run(corpus, text, err);
}

bool store_is_old(const char *path)
{
    struct store *corpus;
    struct err ignored = {0};
    int64_t schema;

    if (!file_exists(path) || !open_file(path, SQLITE_OPEN_READONLY, &corpus, &ignored))
        return false;
    bool old = check_kind(corpus, &schema, &ignored) && schema < STORE_SCHEMA;
    store_close(corpus);
    return old;
}

static bool open_ours(const char *path, struct store **out, struct err *err)
{
    int64_t schema;

    *out = NULL;
    if (!file_exists(path))
        return err_set(err, ERR_SYSTEM, "cannot open %s: %s", path, strerror(ENOENT));
    if (store_is_old(path) && !store_migrate(path, err))
        return false;
    if (!open_file(path, SQLITE_OPEN_READWRITE, out, err))
        return false;
    if (check_kind(*out, &schema, err))
        return true;
    store_close(*out);
    *out = NULL;
    return false;
}

static bool read_unmarked(struct store *corpus, struct err *err)
{
    struct str unmarked;

    if (!store_get_state(corpus, STORE_UNMARKED, &corpus->arena, &unmarked, err))
        return false;
    corpus->unmarked = unmarked.len > 0;
    return true;
}

bool store_open(const char *path, struct str servers, struct store **out, struct err *err)
{
    if (!open_ours(path, out, err))
        return false;
    if (read_unmarked(*out, err) && store_servers_open(*out, servers, false, err))
        return true;
    store_close(*out);
    *out = NULL;
    return false;
}

bool store_recorded_key(const char *path, struct arena *arena, struct str *key,
                        struct err *err)
{
    struct store *corpus;

    if (!open_ours(path, &corpus, err))
        return false;
    bool ok = store_get_state(corpus, STR("key"), arena, key, err);
    store_close(corpus);
    return ok;
}

static bool create_schema(struct store *corpus, struct str key, struct str servers,
                          struct err *err)
{
    return store_begin(corpus, err) && run_schema(corpus, err) &&
           store_set_state(corpus, STR("key"), key, err) &&
           store_servers_name(corpus, servers, err) && store_commit(corpus, err);
}

static void remove_database(const char *path)
{
    static const char *const endings[] = {"",         "-wal", "-shm",
                                          "-journal", ANEW,   ANEW "-journal"};
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS_OF(endings); i++)
        file_remove(arena_format(&arena, "%s%s", path, endings[i]).ptr);
    arena_free(&arena);
}

/* A part that was begun for the same key; anything else there is thrown away. */
static bool same_part(const char *part, struct str key, struct str servers,
                      struct store **out)
{
    struct err ignored = {0};
    struct str found;
    int64_t schema;

    if (!file_exists(part) ||
        !open_file(part, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, out, &ignored))
        return false;
    if (check_kind(*out, &schema, &ignored) && schema == STORE_SCHEMA &&
        store_get_state(*out, STR("key"), &(*out)->arena, &found, &ignored) &&
        str_eq(found, key) && (servers.len == 0 || store_servers_own(*out, servers)))
        return true;
    store_close(*out);
    return false;
}

bool store_build_on(const char *path, struct str key, struct str servers,
                    struct store **out, bool *resumed, struct err *err)
{
    struct arena arena = {0};
    const char *part = arena_format(&arena, "%s.part", path).ptr;
    bool ok = true;

    *resumed = same_part(part, key, servers, out);
    if (!*resumed) {
        store_servers_drop(part, servers);
        remove_database(part);
        ok = open_file(part,
                       SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                       out, err);
    }
    arena_free(&arena);
    if (!ok)
        return false;
    (*out)->final_path = arena_c_string(&(*out)->arena, str_from(path));
    /* The part may be lost in a power cut, but what it holds must be consistent. */
    ok = store_run(*out,
                   *resumed ? "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32000"
                            : "PRAGMA page_size = 16384; PRAGMA synchronous = NORMAL; "
                              "PRAGMA cache_size = -32000",
                   err) &&
         (*resumed || create_schema(*out, key, servers, err)) &&
         store_servers_open(*out, servers, true, err);
    if (!ok) {
        store_close(*out);
        *out = NULL;
    }
    return ok;
}

bool store_build(const char *path, struct str key, struct store **out, bool *resumed,
                 struct err *err)
{
    return store_build_on(path, key, (struct str){0}, out, resumed, err);
}

/* Where a corpus is written anew. */
static const char *anew_of(const char *part, struct arena *arena)
{
    return arena_format(arena, "%s" ANEW, part).ptr;
}

/* Pages that suit large corpora would be most of a small one, whose tables are mostly
 * empty: a page each. It is written anew, beside the old one, which stays whole; unless
 * it has to stay the file that it is. */
static bool shrink(struct store *corpus, bool *anew, struct err *err)
{
    enum { SMALL_BYTES = 32 << 20 };
    int64_t pages, page_bytes;
    bool bound;

    *anew = false;
    if (!store_count(corpus, "PRAGMA page_count", &pages, err) ||
        !store_count(corpus, "PRAGMA page_size", &page_bytes, err) ||
        !store_servers_bound(corpus, &bound, err))
        return false;
    if (pages * page_bytes > SMALL_BYTES)
        return true;
    if (bound)
        return store_run(corpus, "PRAGMA page_size = 1024; VACUUM", err);
    const char *path = anew_of(corpus->path, &corpus->arena);
    remove_database(path); /* of an ingest that was killed here */
    char *sql = sqlite3_mprintf("PRAGMA page_size = 1024; VACUUM INTO %Q", path);
    if (sql == NULL)
        arena_exhausted();
    *anew = store_run(corpus, sql, err);
    sqlite3_free(sql);
    if (!*anew)
        remove_database(path);
    return *anew;
}

bool store_finish(struct store *corpus, struct err *err)
{
    struct arena arena = {0};
    const char *path = arena_c_string(&arena, str_from(corpus->final_path));
    const char *part = arena_c_string(&arena, str_from(corpus->path));
    struct str servers = arena_copy(&arena, corpus->servers.addresses);
    bool anew = false;
    bool ok = store_begin(corpus, err) && store_text_settle(corpus, err) &&
              store_seal(corpus, ~0u, err) && store_servers_replace(corpus, path, err) &&
              store_run(corpus,
                        "CREATE INDEX IF NOT EXISTS item_parent ON item (parent) WHERE "
                        "parent NOT NULL;CREATE INDEX IF NOT EXISTS comment_item ON "
                        "comment (item);CREATE INDEX IF NOT EXISTS vote_item ON vote "
                        "(item);CREATE INDEX IF NOT EXISTS history_item ON history "
                        "(item);CREATE INDEX IF NOT EXISTS badge_user ON badge (user);",
                        err) &&
              store_commit(corpus, err) &&
              store_run(corpus, "PRAGMA optimize; PRAGMA journal_mode = DELETE;", err) &&
              shrink(corpus, &anew, err);

    store_close(corpus);
    if (ok &&
        ((anew && rename(anew_of(part, &arena), part) != 0) || rename(part, path) != 0))
        ok = err_set(err, ERR_SYSTEM, "cannot write %s: %s", path, strerror(errno));
    if (ok) {
        remove_database(part); /* journals, if any are left */
        store_servers_clear(path, servers);
    }
    arena_free(&arena);
    return ok;
}

bool store_begin(struct store *corpus, struct err *err)
{
    corpus->items = corpus->bodies = (struct store_total){0};
    return store_run(corpus, "BEGIN IMMEDIATE", err) && store_servers_begin(corpus, err);
}

/* What the batch holds stands beside it. */
static bool add_batch(struct store *corpus, struct err *err)
{
    sqlite3_stmt *statement;

    if (corpus->items.rows == 0)
        return true;
    statement = store_ready(corpus, STORE_BATCH, err);
    if (statement == NULL)
        return false;
    sqlite3_bind_int64(statement, 1, corpus->items.rows);
    sqlite3_bind_int64(statement, 2, (int64_t)corpus->items.sum);
    sqlite3_bind_int64(statement, 3, corpus->bodies.rows);
    sqlite3_bind_int64(statement, 4, (int64_t)corpus->bodies.sum);
    corpus->items = corpus->bodies = (struct store_total){0};
    return store_step(corpus, statement, err);
}

bool store_commit(struct store *corpus, struct err *err)
{
    if (corpus->servers.items != NULL && corpus->items.rows > 0 &&
        !store_servers_settle(corpus, err))
        return false;
    return store_text_flush(corpus, err) && add_batch(corpus, err) &&
           store_run(corpus, "COMMIT", err);
}

bool store_set_state(struct store *corpus, struct str name, struct str value,
                     struct err *err)
{
    sqlite3_stmt *statement = store_ready(corpus, STORE_SET_STATE, err);

    if (statement == NULL)
        return false;
    store_bind_text(statement, 1, name);
    sqlite3_bind_blob64(statement, 2, value.len > 0 ? value.ptr : "", value.len,
                        SQLITE_STATIC);
    return store_step(corpus, statement, err);
}

bool store_get_state(struct store *corpus, struct str name, struct arena *arena,
                     struct str *value, struct err *err)
{
    sqlite3_stmt *statement = store_ready(corpus, STORE_GET_STATE, err);

    *value = (struct str){0};
    if (statement == NULL)
        return false;
    store_bind_text(statement, 1, name);
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        *value =
            arena_copy(arena, (struct str){sqlite3_column_blob(statement, 0),
                                           (size_t)sqlite3_column_bytes(statement, 0)});
    bool ok = code == SQLITE_ROW || code == SQLITE_DONE || store_failed(corpus, err);
    sqlite3_reset(statement);
    return ok;
}
