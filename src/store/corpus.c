/* SQLite underneath. A corpus grows in PATH.part with a write-ahead log, so that a killed
 * ingest leaves a consistent state to go on from, and is renamed when it is complete. */
#include "store/corpus.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/date.h"
#include "base/file.h"
#include "store/internal.h"
#include "text/taglist.h"

extern const unsigned char store_schema_sql[];
extern const size_t store_schema_sql_len;

enum { APPLICATION_ID = 0x61737361 /* "assa" */, BUSY_MS = 5000 };

static const char *const statements[STORE_STATEMENTS] = {
    [STORE_POST] =
        "INSERT OR IGNORE INTO post VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,"
        "?13,?14,?15,?16,?17,?18,?19)",
    [STORE_TAG] = "INSERT OR IGNORE INTO tag VALUES (?1,?2)",
    [STORE_COMMENT] = "INSERT OR IGNORE INTO comment VALUES (?1,?2,?3,?4,?5,?6)",
    [STORE_USER] = "INSERT OR IGNORE INTO user VALUES (?1,?2,?3,?4)",
    [STORE_LINK] = "INSERT OR IGNORE INTO link VALUES (?1,?2,?3,?4,?5)",
    [STORE_CENSUS] =
        "INSERT INTO census VALUES (?1,?2,?3,?4,?5,?6,?7,?8) ON CONFLICT DO UPDATE SET "
        "questions = questions + ?3, accepted = accepted + ?4, answered = answered + ?5, "
        "closed = closed + ?6, views = views + ?7, score = score + ?8",
    [STORE_HEALTH] = "INSERT OR REPLACE INTO health VALUES (?1,?2)",
    [STORE_SET_STATE] = "INSERT OR REPLACE INTO state VALUES (?1,?2)",
    [STORE_GET_STATE] = "SELECT value FROM state WHERE name = ?1",
};

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

bool corpus_ids(struct corpus *corpus, const char *sql, struct idset *ids,
                struct err *err)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(corpus->db, sql, -1, &statement, NULL);

    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(statement);
        if (code == SQLITE_ROW)
            idset_add(ids, sqlite3_column_int64(statement, 0));
    }
    bool ok = code == SQLITE_DONE || store_failed(corpus, err);
    sqlite3_finalize(statement);
    return ok;
}

bool corpus_health(struct corpus *corpus, struct buf *out, struct err *err)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(corpus->db,
                                  "SELECT finding, value FROM health ORDER BY finding",
                                  -1, &statement, NULL);

    buf_add(out, STR("# Health of the sources\n\n| finding | value |\n|---|---|\n"));
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(statement);
        if (code == SQLITE_ROW)
            buf_add_format(out, "| %s | %s |\n", sqlite3_column_text(statement, 0),
                           sqlite3_column_text(statement, 1));
    }
    bool ok = code == SQLITE_DONE || store_failed(corpus, err);
    sqlite3_finalize(statement);
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

bool corpus_open(const char *path, struct corpus **out, struct err *err)
{
    if (!file_exists(path))
        return err_set(err, ERR_SYSTEM, "cannot open %s: %s", path, strerror(ENOENT));
    if (!open_file(path, SQLITE_OPEN_READWRITE, out, err))
        return false;
    if (check_kind(*out, err))
        return true;
    corpus_close(*out);
    return false;
}

static bool create_schema(struct corpus *corpus, struct str key, struct err *err)
{
    char *sql =
        arena_c_string(&corpus->arena, (struct str){(const char *)store_schema_sql,
                                                    store_schema_sql_len});
    char pragmas[100];

    snprintf(pragmas, sizeof pragmas,
             "PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION_ID,
             CORPUS_SCHEMA);
    return corpus_begin(corpus, err) && run(corpus, sql, err) &&
           run(corpus, pragmas, err) && corpus_set_state(corpus, STR("key"), key, err) &&
           corpus_commit(corpus, err);
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
        "CREATE INDEX IF NOT EXISTS post_parent ON post (parent) WHERE parent NOT NULL;"
        "CREATE INDEX IF NOT EXISTS post_owner ON post (owner);"
        "CREATE INDEX IF NOT EXISTS post_created ON post (created_ms);"
        "CREATE INDEX IF NOT EXISTS tag_name ON tag (name);"
        "CREATE INDEX IF NOT EXISTS comment_post ON comment (post);"
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

/* A prepared statement, ready to be bound; NULL with err. */
static sqlite3_stmt *ready(struct corpus *corpus, enum store_statement which,
                           struct err *err)
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

static void bind_number(sqlite3_stmt *statement, int place, int64_t value)
{
    if (value == CORPUS_NONE)
        sqlite3_bind_null(statement, place);
    else
        sqlite3_bind_int64(statement, place, value);
}

static void bind_text(sqlite3_stmt *statement, int place, struct str text)
{
    sqlite3_bind_text64(statement, place, text.len > 0 ? text.ptr : "", text.len,
                        SQLITE_STATIC, SQLITE_UTF8);
}

static bool finish(struct corpus *corpus, sqlite3_stmt *statement, struct err *err)
{
    int code = sqlite3_step(statement);

    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return code == SQLITE_DONE || store_failed(corpus, err);
}

static bool add_tags(struct corpus *corpus, const struct corpus_post *post,
                     struct err *err)
{
    struct str rest = post->tags, tag;
    struct arena scratch = {0};
    bool ok = true;

    while (ok && taglist_next(&rest, &tag)) {
        sqlite3_stmt *statement = ready(corpus, STORE_TAG, err);
        ok = statement != NULL;
        if (!ok)
            break;
        char *folded = arena_c_string(&scratch, tag);
        query_fold(tag, folded);
        bind_number(statement, 1, post->id);
        bind_text(statement, 2, (struct str){folded, tag.len});
        ok = finish(corpus, statement, err);
    }
    arena_free(&scratch);
    return ok;
}

/* Stack Exchange's licence changed twice. */
static struct str license_of(int64_t created_ms)
{
    if (created_ms < date_from_civil((struct date){2011, 4, 8}))
        return STR("CC BY-SA 2.5");
    if (created_ms < date_from_civil((struct date){2018, 5, 2}))
        return STR("CC BY-SA 3.0");
    return STR("CC BY-SA 4.0");
}

bool corpus_add_post(struct corpus *corpus, const struct corpus_post *post, bool *added,
                     struct err *err)
{
    const int64_t numbers[] = {post->id,       post->type,       post->parent,
                               post->accepted, post->created_ms, post->closed_ms,
                               post->score,    post->views,      post->answers,
                               post->comments, post->favorites,  post->owner};
    struct str rest = post->tags, tag;
    struct buf tags = {0};
    sqlite3_stmt *statement = ready(corpus, STORE_POST, err);

    if (statement == NULL)
        return false;
    for (size_t i = 0; i < ROWS_OF(numbers); i++)
        bind_number(statement, (int)i + 1, numbers[i]);
    while (taglist_next(&rest, &tag))
        buf_add_format(&tags, "<%.*s>", STR_ARG(tag));
    if (tags.len > 0)
        bind_text(statement, 13, buf_str(&tags));
    if (post->title.len > 0)
        bind_text(statement, 14, post->title);
    bind_text(statement, 15, post->body);
    bind_text(statement, 16, post->prose);
    bind_text(statement, 17, post->code);
    bind_number(statement, 18, post->code_blocks);
    bind_text(statement, 19, license_of(post->created_ms));
    bool ok = finish(corpus, statement, err);
    buf_free(&tags);
    *added = ok && sqlite3_changes(corpus->db) > 0;
    return ok && (!*added || add_tags(corpus, post, err));
}

bool corpus_add_comment(struct corpus *corpus, const struct corpus_comment *comment,
                        struct err *err)
{
    sqlite3_stmt *statement = ready(corpus, STORE_COMMENT, err);

    if (statement == NULL)
        return false;
    bind_number(statement, 1, comment->id);
    bind_number(statement, 2, comment->post);
    bind_number(statement, 3, comment->created_ms);
    bind_number(statement, 4, comment->score);
    bind_number(statement, 5, comment->user);
    bind_text(statement, 6, comment->text);
    return finish(corpus, statement, err);
}

bool corpus_add_user(struct corpus *corpus, const struct corpus_user *user,
                     struct err *err)
{
    sqlite3_stmt *statement = ready(corpus, STORE_USER, err);

    if (statement == NULL)
        return false;
    bind_number(statement, 1, user->id);
    bind_number(statement, 2, user->created_ms);
    bind_number(statement, 3, user->reputation);
    bind_text(statement, 4, user->name);
    return finish(corpus, statement, err);
}

bool corpus_add_link(struct corpus *corpus, const struct corpus_link *link,
                     struct err *err)
{
    const int64_t numbers[] = {link->id, link->post, link->related, link->type,
                               link->created_ms};
    sqlite3_stmt *statement = ready(corpus, STORE_LINK, err);

    if (statement == NULL)
        return false;
    for (size_t i = 0; i < ROWS_OF(numbers); i++)
        bind_number(statement, (int)i + 1, numbers[i]);
    return finish(corpus, statement, err);
}

bool corpus_add_census(struct corpus *corpus, const struct corpus_census *census,
                       struct err *err)
{
    const int64_t numbers[] = {census->questions, census->accepted, census->answered,
                               census->closed,    census->views,    census->score};
    sqlite3_stmt *statement = ready(corpus, STORE_CENSUS, err);

    if (statement == NULL)
        return false;
    bind_number(statement, 1, census->year);
    bind_text(statement, 2, census->tag);
    for (size_t i = 0; i < ROWS_OF(numbers); i++)
        bind_number(statement, (int)i + 3, numbers[i]);
    return finish(corpus, statement, err);
}

static bool set_pair(struct corpus *corpus, enum store_statement which, struct str name,
                     struct str value, bool blob, struct err *err)
{
    sqlite3_stmt *statement = ready(corpus, which, err);

    if (statement == NULL)
        return false;
    bind_text(statement, 1, name);
    if (blob)
        sqlite3_bind_blob64(statement, 2, value.len > 0 ? value.ptr : "", value.len,
                            SQLITE_STATIC);
    else
        bind_text(statement, 2, value);
    return finish(corpus, statement, err);
}

bool corpus_set_health(struct corpus *corpus, struct str finding, struct str value,
                       struct err *err)
{
    return set_pair(corpus, STORE_HEALTH, finding, value, false, err);
}

bool corpus_set_state(struct corpus *corpus, struct str name, struct str value,
                      struct err *err)
{
    return set_pair(corpus, STORE_SET_STATE, name, value, true, err);
}

bool corpus_get_state(struct corpus *corpus, struct str name, struct arena *arena,
                      struct str *value, struct err *err)
{
    sqlite3_stmt *statement = ready(corpus, STORE_GET_STATE, err);

    *value = (struct str){0};
    if (statement == NULL)
        return false;
    bind_text(statement, 1, name);
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        *value =
            arena_copy(arena, (struct str){sqlite3_column_blob(statement, 0),
                                           (size_t)sqlite3_column_bytes(statement, 0)});
    bool ok = code == SQLITE_ROW || code == SQLITE_DONE || store_failed(corpus, err);
    sqlite3_reset(statement);
    return ok;
}
