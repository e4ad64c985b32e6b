/* SQLite underneath. A corpus grows in PATH.part with a write-ahead log, so that a killed
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

bool store_failed(struct corpus *corpus, struct err *err)
{
    int code = sqlite3_errcode(corpus->db);

    if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT)
        return err_set(err, ERR_INPUT, "%s: not a corpus of assay, or damaged (%s)",
                       corpus->path, sqlite3_errmsg(corpus->db));
    return err_set(err, ERR_SYSTEM, "cannot use %s: %s", corpus->path,
                   sqlite3_errmsg(corpus->db));
}

static bool run(struct corpus *corpus, const char *sql, struct err *err)
{
    return sqlite3_exec(corpus->db, sql, NULL, NULL, NULL) == SQLITE_OK ||
           store_failed(corpus, err);
}

static bool open_file(const char *path, int flags, struct corpus **out, struct err *err)
{
    struct arena arena = {0};
    struct corpus *corpus = arena_array(&arena, struct corpus, 1);

    corpus->path = arena_c_string(&arena, str_from(path));
    corpus->arena = arena;
    if (sqlite3_open_v2(path, &corpus->db, flags, NULL) != SQLITE_OK) {
        err_set(err, ERR_SYSTEM, "cannot open %s: %s", path,
                corpus->db != NULL ? sqlite3_errmsg(corpus->db) : "no memory");
        corpus_close(corpus);
        return false;
    }
    sqlite3_busy_timeout(corpus->db, BUSY_MS);
    *out = corpus;
    return true;
}

void corpus_close(struct corpus *corpus)
{
    if (corpus == NULL)
        return;
    struct arena arena = corpus->arena; /* it holds *corpus itself */
    for (int i = 0; i < STORE_STATEMENTS; i++)
        sqlite3_finalize(corpus->statements[i]);
    sqlite3_close(corpus->db);
    arena_free(&arena);
}

bool corpus_count(struct corpus *corpus, const char *sql, int64_t *out, struct err *err)
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

sqlite3_stmt *store_prepare(struct corpus *corpus, const char *sql)
{
    sqlite3_stmt *statement = NULL;

    return sqlite3_prepare_v2(corpus->db, sql, -1, &statement, NULL) == SQLITE_OK
               ? statement
               : NULL;
}

bool store_each(struct corpus *corpus, sqlite3_stmt *statement,
                bool (*take)(void *context, sqlite3_stmt *row, struct err *err),
                void *context, struct err *err)
{
    int code = SQLITE_ROW;
    bool ok = statement != NULL || store_failed(corpus, err);

    while (ok && (code = sqlite3_step(statement)) == SQLITE_ROW)
        ok = take(context, statement, err);
    if (ok && code != SQLITE_DONE)
        ok = store_failed(corpus, err);
    sqlite3_finalize(statement);
    return ok;
}

int64_t store_number(sqlite3_stmt *row, int column)
{
    return sqlite3_column_type(row, column) == SQLITE_NULL
               ? CORPUS_NONE
               : sqlite3_column_int64(row, column);
}

struct str store_column(sqlite3_stmt *row, int column)
{
    const unsigned char *text = sqlite3_column_text(row, column);

    return (struct str){(const char *)text,
                        text != NULL ? (size_t)sqlite3_column_bytes(row, column) : 0};
}

struct findings {
    struct health *out;
    struct arena *arena;
};

static bool take_finding(void *context, sqlite3_stmt *row, struct err *err)
{
    const struct findings *findings = context;

    (void)err;
    health_add(findings->out, store_column(row, 0), store_column(row, 1),
               findings->arena);
    return true;
}

bool corpus_findings(struct corpus *corpus, struct arena *arena, struct health *out,
                     struct err *err)
{
    *out = (struct health){0};
    return store_each(
        corpus,
        store_prepare(corpus, "SELECT finding, value FROM health ORDER BY finding"),
        take_finding, &(struct findings){out, arena}, err);
}

bool corpus_health(struct corpus *corpus, struct buf *out, struct err *err)
{
    struct arena arena = {0};
    struct health health;
    bool ok = corpus_findings(corpus, &arena, &health, err);

    health_markdown(&health, out);
    arena_free(&arena);
    return ok;
}

/* Ours, and not newer than we know? */
static bool check_kind(struct corpus *corpus, struct err *err)
{
    int64_t id, schema;

    if (!corpus_count(corpus, "PRAGMA application_id", &id, err) ||
        !corpus_count(corpus, "PRAGMA user_version", &schema, err))
        return false;
    if (id != APPLICATION_ID)
        return err_set(err, ERR_INPUT,
                       "%s: expected a corpus of assay, found another database",
                       corpus->path);
    if (schema > CORPUS_SCHEMA)
        return err_set(
            err, ERR_INPUT,
            "%s: has schema %lld, made by a newer assay; this one knows up to %d",
            corpus->path, (long long)schema, CORPUS_SCHEMA);
    return true;
}

/* Runs the sections of the schema that come after `from`. */
static bool run_schema(struct corpus *corpus, int from, struct err *err)
{
    const char *sql =
        arena_c_string(&corpus->arena, (struct str){(const char *)store_schema_sql,
                                                    store_schema_sql_len});
    char head[40], pragmas[100];

    if (from > 0) {
        snprintf(head, sizeof head, "\n-- schema %d\n", from + 1);
        sql = strstr(sql, head);
        assert(sql != NULL);
    }
    snprintf(pragmas, sizeof pragmas,
             "PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION_ID,
             CORPUS_SCHEMA);
    return run(corpus, sql, err) && run(corpus, pragmas, err);
}

/* A corpus of an older schema lacks what is new, but can be read. */
static bool migrate(struct corpus *corpus, struct err *err)
{
    int64_t schema;

    if (!corpus_count(corpus, "PRAGMA user_version", &schema, err))
        return false;
    if (schema == CORPUS_SCHEMA)
        return true;
    /* Another process may just have done it. */
    bool ok = corpus_begin(corpus, err) &&
              corpus_count(corpus, "PRAGMA user_version", &schema, err) &&
              (schema == CORPUS_SCHEMA || run_schema(corpus, (int)schema, err)) &&
              corpus_commit(corpus, err);
    if (!ok)
        corpus_rollback(corpus);
    return ok;
}

bool corpus_open(const char *path, struct corpus **out, struct err *err)
{
    if (!file_exists(path))
        return err_set(err, ERR_SYSTEM, "cannot open %s: %s", path, strerror(ENOENT));
    if (!open_file(path, SQLITE_OPEN_READWRITE, out, err))
        return false;
    if (check_kind(*out, err) && migrate(*out, err))
        return true;
    corpus_close(*out);
    return false;
}

static bool create_schema(struct corpus *corpus, struct str key, struct err *err)
{
    return corpus_begin(corpus, err) && run_schema(corpus, 0, err) &&
           corpus_set_state(corpus, STR("key"), key, err) && corpus_commit(corpus, err);
}

static void remove_database(const char *path)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS_OF(endings); i++) {
        struct buf name = {0};
        buf_add_format(&name, "%s%s", path, endings[i]);
        file_remove(arena_c_string(&arena, buf_str(&name)));
        buf_free(&name);
    }
    arena_free(&arena);
}

static const char *part_of(const char *path, struct arena *arena)
{
    struct buf name = {0};

    buf_add_format(&name, "%s.part", path);
    const char *part = arena_c_string(arena, buf_str(&name));
    buf_free(&name);
    return part;
}

/* A part that was begun for the same key; anything else there is thrown away. */
static bool same_part(const char *part, struct str key, struct corpus **out)
{
    struct err ignored = {0};
    struct str found;

    if (!file_exists(part) || !open_file(part, SQLITE_OPEN_READWRITE, out, &ignored))
        return false;
    if (check_kind(*out, &ignored) &&
        corpus_get_state(*out, STR("key"), &(*out)->arena, &found, &ignored) &&
        str_eq(found, key))
        return true;
    corpus_close(*out);
    return false;
}

bool corpus_build(const char *path, struct str key, struct corpus **out, bool *resumed,
                  struct err *err)
{
    struct arena arena = {0};
    const char *part = part_of(path, &arena);
    bool ok = true;

    *resumed = same_part(part, key, out);
    if (!*resumed) {
        remove_database(part);
        ok = open_file(part, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, out, err);
    }
    arena_free(&arena);
    if (!ok)
        return false;
    (*out)->final_path = arena_c_string(&(*out)->arena, str_from(path));
    /* The part may be lost in a power cut, but what it holds must be consistent. */
    ok = run(*out,
             *resumed ? "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32000"
                      : "PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; "
                        "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32000",
             err) &&
         (*resumed || create_schema(*out, key, err));
    if (!ok)
        corpus_close(*out);
    return ok;
}

bool corpus_finish(struct corpus *corpus, struct err *err)
{
    struct arena arena = {0};
    const char *path = arena_c_string(&arena, str_from(corpus->final_path));
    const char *part = arena_c_string(&arena, str_from(corpus->path));
    bool ok = run(
        corpus,
        /* All that items_answers() gives, in its order. */
        "CREATE INDEX IF NOT EXISTS post_parent ON post (parent, created_ms, id, owner, "
        "score) WHERE parent NOT NULL;"
        "CREATE INDEX IF NOT EXISTS post_owner ON post (owner);"
        "CREATE INDEX IF NOT EXISTS post_created ON post (created_ms);"
        "CREATE INDEX IF NOT EXISTS tag_name ON tag (name);"
        "CREATE INDEX IF NOT EXISTS comment_post ON comment (post);"
        "CREATE INDEX IF NOT EXISTS vote_post ON vote (post);"
        "CREATE INDEX IF NOT EXISTS history_post ON history (post);"
        "CREATE INDEX IF NOT EXISTS badge_user ON badge (user);"
        "DROP TABLE IF EXISTS post_text;"
        "CREATE VIRTUAL TABLE post_text USING fts5 (title, prose, content = 'post', "
        "content_rowid = 'id');"
        "INSERT INTO post_text (post_text, rank) VALUES ('hashsize', 16777216);"
        "INSERT INTO post_text (post_text) VALUES ('rebuild');"
        "PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE);",
        err);

    corpus_close(corpus);
    if (ok && rename(part, path) != 0)
        ok = err_set(err, ERR_SYSTEM, "cannot write %s: %s", path, strerror(errno));
    if (ok)
        remove_database(part); /* its empty log */
    arena_free(&arena);
    return ok;
}

bool corpus_begin(struct corpus *corpus, struct err *err)
{
    return run(corpus, "BEGIN IMMEDIATE", err);
}

bool corpus_commit(struct corpus *corpus, struct err *err)
{
    return run(corpus, "COMMIT", err);
}

void corpus_rollback(struct corpus *corpus)
{
    if (corpus != NULL && !sqlite3_get_autocommit(corpus->db))
        sqlite3_exec(corpus->db, "ROLLBACK", NULL, NULL, NULL);
}
