/* SQLite underneath. A write-ahead log that is synced at each commit (synchronous =
 * FULL) makes what was committed last. */
#include "store/acts.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "store/acts_layout.h"

extern const unsigned char store_labels_sql[];
extern const size_t store_labels_sql_len;

enum { APPLICATION_ID = 0x6173736c /* "assl" */, BUSY_MS = 5000 };

struct acts {
    struct arena arena; /* holds the struct itself */
    sqlite3 *db;
    const char *path;
    sqlite3_stmt *adding[ACTS_TABLES], *reading[ACTS_TABLES]; /* prepared on first use */
    sqlite3_stmt *finding;
};

static bool failed(struct acts *acts, struct err *err)
{
    int code = sqlite3_errcode(acts->db);

    if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT)
        return err_set(err, ERR_INPUT, "%s: not a labels.db of assay, or damaged (%s)",
                       acts->path, sqlite3_errmsg(acts->db));
    return err_set(err, ERR_SYSTEM, "cannot use %s: %s", acts->path,
                   sqlite3_errmsg(acts->db));
}

static bool run(struct acts *acts, const char *sql, struct err *err)
{
    return sqlite3_exec(acts->db, sql, NULL, NULL, NULL) == SQLITE_OK ||
           failed(acts, err);
}

static bool prepare(struct acts *acts, const char *sql, sqlite3_stmt **statement,
                    struct err *err)
{
    return *statement != NULL ||
           sqlite3_prepare_v2(acts->db, sql, -1, statement, NULL) == SQLITE_OK ||
           failed(acts, err);
}

/* Rows. */

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool prepare_adding(struct acts *acts, enum acts_table which, struct err *err)
{
    const struct acts_layout *table = acts_layout_of(which);
    struct buf sql = {0};

    buf_add_format(&sql, "INSERT INTO %s (", table->name);
    acts_layout_names(table, &sql);
    buf_add(&sql, STR(") VALUES (?"));
    for (size_t i = 1; i < acts_layout_columns(table); i++)
        buf_add(&sql, STR(", ?"));
    buf_add(&sql, STR(")"));
    buf_add_char(&sql, '\0');
    bool ok = prepare(acts, sql.ptr, &acts->adding[which], err);
    buf_free(&sql);
    return ok;
}

static bool add(struct acts *acts, enum acts_table which, void *row, struct err *err)
{
    const struct acts_layout *table = acts_layout_of(which);

    if (acts->adding[which] == NULL && !prepare_adding(acts, which, err))
        return false;
    sqlite3_stmt *statement = acts->adding[which];
    int64_t *at_ms = (int64_t *)(void *)((char *)row + table->columns[0].offset);
    if (table->timed && *at_ms == 0)
        *at_ms = now_ms();
    acts_layout_bind(statement, table, row);
    bool ok = sqlite3_step(statement) == SQLITE_DONE || failed(acts, err);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    if (ok)
        *(int64_t *)row = sqlite3_last_insert_rowid(acts->db);
    return ok;
}

bool acts_add_codebook(struct acts *acts, struct acts_codebook *row, struct err *err)
{
    return add(acts, ACTS_CODEBOOK, row, err);
}

bool acts_add_round(struct acts *acts, struct acts_round *row, struct err *err)
{
    return add(acts, ACTS_ROUND, row, err);
}

bool acts_add_round_end(struct acts *acts, struct acts_round_end *row, struct err *err)
{
    return add(acts, ACTS_ROUND_END, row, err);
}

bool acts_add_assignment(struct acts *acts, struct acts_assignment *row, struct err *err)
{
    return add(acts, ACTS_ASSIGNMENT, row, err);
}

bool acts_add_act(struct acts *acts, struct acts_act *row, struct err *err)
{
    return add(acts, ACTS_ACT, row, err);
}

bool acts_add_decision(struct acts *acts, struct acts_decision *row, struct err *err)
{
    return add(acts, ACTS_DECISION, row, err);
}

bool acts_add_proposal(struct acts *acts, struct acts_proposal *row, struct err *err)
{
    return add(acts, ACTS_PROPOSAL, row, err);
}

bool acts_add_verdict(struct acts *acts, struct acts_verdict *row, struct err *err)
{
    return add(acts, ACTS_VERDICT, row, err);
}

bool acts_add_token(struct acts *acts, struct acts_token *row, struct err *err)
{
    return add(acts, ACTS_TOKEN, row, err);
}

static bool prepare_reading(struct acts *acts, const struct acts_layout *table,
                            const char *condition, sqlite3_stmt **statement,
                            struct err *err)
{
    struct buf sql = {0};

    buf_add(&sql, STR("SELECT id, "));
    acts_layout_names(table, &sql);
    buf_add_format(&sql, " FROM %s WHERE %s", table->name, condition);
    buf_add_char(&sql, '\0');
    bool ok = prepare(acts, sql.ptr, statement, err);
    buf_free(&sql);
    return ok;
}

bool acts_each(struct acts *acts, enum acts_table which, int64_t after, acts_take *take,
               void *context, struct err *err)
{
    const struct acts_layout *table = acts_layout_of(which);
    union { /* any row */
        struct acts_codebook codebook;
        struct acts_act act;
        struct acts_decision decision;
        struct acts_proposal proposal;
    } row;
    struct arena arena = {0};
    int code;

    assert(table->size <= sizeof row);
    if (!prepare_reading(acts, table, "id > ? ORDER BY id", &acts->reading[which], err))
        return false;
    sqlite3_stmt *statement = acts->reading[which];
    sqlite3_bind_int64(statement, 1, after);
    (void)arena_alloc(&arena, 1, 1); /* a chunk that rewinding does not give back */
    bool ok = true;
    while (ok && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        struct arena_mark mark = arena_mark(&arena);
        acts_layout_fetch(statement, table, &arena, &row);
        ok = take(context, &row, err);
        arena_rewind(&arena, mark);
    }
    if (ok && code != SQLITE_DONE)
        ok = failed(acts, err);
    sqlite3_reset(statement);
    arena_free(&arena);
    return ok;
}

static void keep_texts(struct acts_act *act, struct arena *arena)
{
    struct str *texts[] = {&act->kind,    &act->rater,      &act->dimension, &act->memo,
                           &act->version, &act->client_key, &act->source};

    for (size_t i = 0; i < ROWS_OF(texts); i++)
        *texts[i] = arena_copy(arena, *texts[i]);
    for (size_t i = 0; i < act->codes.count; i++)
        act->codes.at[i] = arena_copy(arena, act->codes.at[i]);
}

bool acts_find_act(struct acts *acts, struct str client_key, struct arena *arena,
                   struct acts_act *out, bool *found, struct err *err)
{
    const struct acts_layout *table = acts_layout_of(ACTS_ACT);

    if (!prepare_reading(acts, table, "client_key = ?", &acts->finding, err))
        return false;
    acts_layout_bind_text(acts->finding, 1, client_key);
    int code = sqlite3_step(acts->finding);
    *found = code == SQLITE_ROW;
    if (*found) {
        acts_layout_fetch(acts->finding, table, arena, out);
        keep_texts(out, arena);
    }
    bool ok = code == SQLITE_ROW || code == SQLITE_DONE || failed(acts, err);
    sqlite3_reset(acts->finding);
    return ok;
}

/* The file. */

static bool number(struct acts *acts, const char *sql, int64_t *out, struct err *err)
{
    sqlite3_stmt *statement = NULL;
    bool ok = prepare(acts, sql, &statement, err) &&
              (sqlite3_step(statement) == SQLITE_ROW || failed(acts, err));

    if (ok)
        *out = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return ok;
}

static bool name_study(struct acts *acts, struct str study, struct err *err)
{
    sqlite3_stmt *statement = NULL;
    bool ok = prepare(acts, "INSERT INTO about VALUES ('study', ?)", &statement, err);

    if (ok) {
        acts_layout_bind_text(statement, 1, study);
        ok = sqlite3_step(statement) == SQLITE_DONE || failed(acts, err);
    }
    sqlite3_finalize(statement);
    return ok;
}

static bool check_study(struct acts *acts, struct str study, struct err *err)
{
    sqlite3_stmt *statement = NULL;
    bool ok =
        prepare(acts, "SELECT value FROM about WHERE name = 'study'", &statement, err) &&
        (sqlite3_step(statement) == SQLITE_ROW || failed(acts, err));

    if (ok && !str_eq(acts_layout_text(statement, 0), study))
        ok = err_set(err, ERR_INPUT,
                     "%s: holds the labels of the study '%.*s', not those of '%.*s'",
                     acts->path, STR_ARG(acts_layout_text(statement, 0)), STR_ARG(study));
    sqlite3_finalize(statement);
    return ok;
}

/* Ours, and not newer than we know? */
static bool check_kind(struct acts *acts, int64_t schema, struct err *err)
{
    int64_t id;

    if (!number(acts, "PRAGMA application_id", &id, err))
        return false;
    if (id != APPLICATION_ID)
        return err_set(err, ERR_INPUT,
                       "%s: expected a labels.db of assay, found another database",
                       acts->path);
    if (schema > ACTS_SCHEMA)
        return err_set(
            err, ERR_INPUT,
            "%s: has schema %lld, made by a newer assay; this one knows up to %d",
            acts->path, (long long)schema, ACTS_SCHEMA);
    return true;
}

/* Runs the sections of the schema that come after `from`. */
static bool run_schema(struct acts *acts, int64_t from, struct err *err)
{
    const char *sql = arena_c_string(
        &acts->arena, (struct str){(const char *)store_labels_sql, store_labels_sql_len});
    char head[40], pragmas[100];

    if (from > 0) {
        snprintf(head, sizeof head, "\n-- schema %d\n", (int)from + 1);
        sql = strstr(sql, head);
        assert(sql != NULL);
    }
    snprintf(pragmas, sizeof pragmas,
             "PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION_ID,
             ACTS_SCHEMA);
    return run(acts, sql, err) && run(acts, pragmas, err);
}

/* In one transaction, as two processes may open a new file at the same time. */
static bool make_or_check(struct acts *acts, struct str study, struct err *err)
{
    int64_t schema, tables_there;

    if (!number(acts, "PRAGMA user_version", &schema, err) ||
        !number(acts, "SELECT count(*) FROM sqlite_schema", &tables_there, err))
        return false;
    if (tables_there > 0 && !check_kind(acts, schema, err))
        return false;
    if (schema < ACTS_SCHEMA && !run_schema(acts, schema, err))
        return false;
    return schema == 0 ? name_study(acts, study, err) : check_study(acts, study, err);
}

bool acts_open(const char *path, struct str study, struct acts **out, struct err *err)
{
    struct arena arena = {0};
    struct acts *acts = arena_array(&arena, struct acts, 1);

    acts->path = arena_c_string(&arena, str_from(path));
    acts->arena = arena;
    bool ok = sqlite3_open_v2(path, &acts->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                              NULL) == SQLITE_OK ||
              err_set(err, ERR_SYSTEM, "cannot open %s: %s", path,
                      acts->db != NULL ? sqlite3_errmsg(acts->db) : "no memory");
    if (ok)
        sqlite3_busy_timeout(acts->db, BUSY_MS);
    ok = ok && acts_begin(acts, err) && make_or_check(acts, study, err) &&
         acts_commit(acts, err) &&
         run(acts, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", err);
    if (!ok) {
        acts_rollback(acts);
        acts_close(acts);
        return false;
    }
    *out = acts;
    return true;
}

void acts_close(struct acts *acts)
{
    if (acts == NULL)
        return;
    struct arena arena = acts->arena; /* it holds *acts itself */
    for (int i = 0; i < ACTS_TABLES; i++) {
        sqlite3_finalize(acts->adding[i]);
        sqlite3_finalize(acts->reading[i]);
    }
    sqlite3_finalize(acts->finding);
    sqlite3_close(acts->db);
    arena_free(&arena);
}

bool acts_begin(struct acts *acts, struct err *err)
{
    return run(acts, "BEGIN IMMEDIATE", err);
}

bool acts_begin_reading(struct acts *acts, struct err *err)
{
    return run(acts, "BEGIN", err);
}

bool acts_commit(struct acts *acts, struct err *err)
{
    return run(acts, "COMMIT", err);
}

void acts_rollback(struct acts *acts)
{
    if (acts != NULL && !sqlite3_get_autocommit(acts->db))
        sqlite3_exec(acts->db, "ROLLBACK", NULL, NULL, NULL);
}
