/* SQLite underneath. Each table is described once, column by column; adding and reading
 * rows follow from that. A write-ahead log that is synced at each commit (synchronous =
 * FULL) makes what was committed last. */
#include "store/acts.h"

#include <assert.h>
#include <math.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"

extern const unsigned char store_labels_sql[];
extern const size_t store_labels_sql_len;

enum { APPLICATION_ID = 0x6173736c /* "assl" */, BUSY_MS = 5000, COLUMNS_MAX = 16 };

struct acts {
    struct arena arena; /* holds the struct itself */
    sqlite3 *db;
    const char *path;
    sqlite3_stmt *adding[ACTS_TABLES], *reading[ACTS_TABLES]; /* prepared on first use */
    sqlite3_stmt *finding;
};

enum form {
    NUMBER,
    NUMBER_OR_NONE, /* 0: NULL */
    FLAG,
    REAL, /* NAN: NULL */
    TEXT,
    TEXT_OR_NONE, /* empty: NULL */
    CODES,
};

struct column {
    const char *name; /* NULL ends the list */
    enum form form;
    size_t offset;
};

/* The columns between id and the end; where there is at_ms, it is the first of them. */
struct table {
    const char *name;
    size_t size;
    bool timed;
    struct column columns[COLUMNS_MAX];
};

#define AT(type, field, form) \
    { \
#field, form, offsetof(struct type, field) \
    }

static const struct table tables[ACTS_TABLES] = {
    [ACTS_CODEBOOK] = {"codebook",
                       sizeof(struct acts_codebook),
                       true,
                       {AT(acts_codebook, at_ms, NUMBER), AT(acts_codebook, task, TEXT),
                        AT(acts_codebook, version, TEXT),
                        AT(acts_codebook, changes, NUMBER),
                        AT(acts_codebook, text, TEXT)}},
    [ACTS_ROUND] = {"round",
                    sizeof(struct acts_round),
                    true,
                    {AT(acts_round, at_ms, NUMBER), AT(acts_round, task, TEXT),
                     AT(acts_round, kind, TEXT), AT(acts_round, by, TEXT),
                     AT(acts_round, source, TEXT)}},
    [ACTS_ROUND_END] = {"round_end",
                        sizeof(struct acts_round_end),
                        true,
                        {AT(acts_round_end, at_ms, NUMBER),
                         AT(acts_round_end, round, NUMBER),
                         AT(acts_round_end, by, TEXT)}},
    [ACTS_ASSIGNMENT] =
        {"assignment",
         sizeof(struct acts_assignment),
         false,
         {AT(acts_assignment, round, NUMBER), AT(acts_assignment, rater, TEXT),
          AT(acts_assignment, position, NUMBER), AT(acts_assignment, item, NUMBER),
          AT(acts_assignment, again, FLAG), AT(acts_assignment, score, REAL)}},
    [ACTS_ACT] = {"act",
                  sizeof(struct acts_act),
                  true,
                  {AT(acts_act, at_ms, NUMBER), AT(acts_act, kind, TEXT),
                   AT(acts_act, round, NUMBER), AT(acts_act, rater, TEXT),
                   AT(acts_act, item, NUMBER), AT(acts_act, again, FLAG),
                   AT(acts_act, dimension, TEXT), AT(acts_act, codes, CODES),
                   AT(acts_act, memo, TEXT), AT(acts_act, unsure, FLAG),
                   AT(acts_act, seconds, REAL), AT(acts_act, version, TEXT),
                   AT(acts_act, supersedes, NUMBER_OR_NONE),
                   AT(acts_act, client_key, TEXT_OR_NONE), AT(acts_act, source, TEXT)}},
    [ACTS_DECISION] = {"decision",
                       sizeof(struct acts_decision),
                       true,
                       {AT(acts_decision, at_ms, NUMBER), AT(acts_decision, task, TEXT),
                        AT(acts_decision, item, NUMBER),
                        AT(acts_decision, dimension, TEXT),
                        AT(acts_decision, codes, CODES), AT(acts_decision, version, TEXT),
                        AT(acts_decision, by, TEXT), AT(acts_decision, reason, TEXT),
                        AT(acts_decision, text, TEXT)}},
    [ACTS_PROPOSAL] = {"proposal",
                       sizeof(struct acts_proposal),
                       true,
                       {AT(acts_proposal, at_ms, NUMBER), AT(acts_proposal, task, TEXT),
                        AT(acts_proposal, rater, TEXT),
                        AT(acts_proposal, dimension, TEXT),
                        AT(acts_proposal, parent, TEXT), AT(acts_proposal, code, TEXT),
                        AT(acts_proposal, name, TEXT), AT(acts_proposal, text, TEXT),
                        AT(acts_proposal, item, NUMBER)}},
    [ACTS_VERDICT] = {"verdict",
                      sizeof(struct acts_verdict),
                      true,
                      {AT(acts_verdict, at_ms, NUMBER),
                       AT(acts_verdict, proposal, NUMBER),
                       AT(acts_verdict, accepted, FLAG), AT(acts_verdict, by, TEXT),
                       AT(acts_verdict, reason, TEXT)}},
    [ACTS_TOKEN] = {"token",
                    sizeof(struct acts_token),
                    true,
                    {AT(acts_token, at_ms, NUMBER), AT(acts_token, task, TEXT),
                     AT(acts_token, person, TEXT), AT(acts_token, token, TEXT)}},
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

static size_t columns_of(const struct table *table)
{
    size_t count = 0;

    while (count < COLUMNS_MAX && table->columns[count].name != NULL)
        count++;
    return count;
}

static void add_names(const struct table *table, struct buf *sql)
{
    for (size_t i = 0; i < columns_of(table); i++)
        buf_add_format(sql, "%s%s", i > 0 ? ", " : "", table->columns[i].name);
}

/* Paths have no quotes and no backslashes, so that JSON needs no escapes. */
static struct str codes_text(const struct acts_codes *codes, struct buf *out)
{
    buf_clear(out);
    buf_add_char(out, '[');
    for (size_t i = 0; i < codes->count; i++)
        buf_add_format(out, "%s\"%.*s\"", i > 0 ? "," : "", STR_ARG(codes->at[i]));
    buf_add_char(out, ']');
    return buf_str(out);
}

static struct acts_codes codes_from(struct str text, struct arena *arena)
{
    struct acts_codes codes = {arena_array(arena, struct str, text.len / 2 + 1), 0};
    struct str between;

    while (str_cut(&text, '"', &between) && str_cut(&text, '"', &codes.at[codes.count]))
        codes.count++;
    return codes;
}

static void bind_text(sqlite3_stmt *statement, int at, struct str text)
{
    sqlite3_bind_text(statement, at, text.len > 0 ? text.ptr : "", (int)text.len,
                      SQLITE_TRANSIENT);
}

static void bind(sqlite3_stmt *statement, int at, enum form form, const void *field)
{
    struct buf codes = {0};

    switch (form) {
    case NUMBER_OR_NONE:
        if (*(const int64_t *)field == 0)
            break;
        sqlite3_bind_int64(statement, at, *(const int64_t *)field);
        break;
    case NUMBER:
        sqlite3_bind_int64(statement, at, *(const int64_t *)field);
        break;
    case FLAG:
        sqlite3_bind_int64(statement, at, *(const bool *)field);
        break;
    case REAL:
        sqlite3_bind_double(statement, at, *(const double *)field); /* NAN: NULL */
        break;
    case TEXT_OR_NONE:
        if (((const struct str *)field)->len > 0)
            bind_text(statement, at, *(const struct str *)field);
        break;
    case TEXT:
        bind_text(statement, at, *(const struct str *)field);
        break;
    case CODES:
        bind_text(statement, at, codes_text(field, &codes));
        break;
    }
    buf_free(&codes);
}

static struct str text_of(sqlite3_stmt *row, int column)
{
    const unsigned char *text = sqlite3_column_text(row, column);

    return (struct str){(const char *)text,
                        text != NULL ? (size_t)sqlite3_column_bytes(row, column) : 0};
}

static void fetch(sqlite3_stmt *row, int column, enum form form, struct arena *arena,
                  void *field)
{
    switch (form) {
    case NUMBER:
    case NUMBER_OR_NONE:
        *(int64_t *)field = sqlite3_column_int64(row, column);
        break;
    case FLAG:
        *(bool *)field = sqlite3_column_int64(row, column) != 0;
        break;
    case REAL:
        *(double *)field = sqlite3_column_type(row, column) == SQLITE_NULL
                               ? NAN
                               : sqlite3_column_double(row, column);
        break;
    case TEXT:
    case TEXT_OR_NONE:
        *(struct str *)field = text_of(row, column);
        break;
    case CODES:
        *(struct acts_codes *)field = codes_from(text_of(row, column), arena);
        break;
    }
}

static void fetch_row(sqlite3_stmt *row, const struct table *table, struct arena *arena,
                      void *out)
{
    *(int64_t *)out = sqlite3_column_int64(row, 0);
    for (size_t i = 0; i < columns_of(table); i++)
        fetch(row, (int)i + 1, table->columns[i].form, arena,
              (char *)out + table->columns[i].offset);
}

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool prepare_adding(struct acts *acts, enum acts_table which, struct err *err)
{
    const struct table *table = &tables[which];
    struct buf sql = {0};

    buf_add_format(&sql, "INSERT INTO %s (", table->name);
    add_names(table, &sql);
    buf_add(&sql, STR(") VALUES (?"));
    for (size_t i = 1; i < columns_of(table); i++)
        buf_add(&sql, STR(", ?"));
    buf_add(&sql, STR(")"));
    buf_add_char(&sql, '\0');
    bool ok = prepare(acts, sql.ptr, &acts->adding[which], err);
    buf_free(&sql);
    return ok;
}

static bool add(struct acts *acts, enum acts_table which, void *row, struct err *err)
{
    const struct table *table = &tables[which];

    if (acts->adding[which] == NULL && !prepare_adding(acts, which, err))
        return false;
    sqlite3_stmt *statement = acts->adding[which];
    int64_t *at_ms = (int64_t *)(void *)((char *)row + table->columns[0].offset);
    if (table->timed && *at_ms == 0)
        *at_ms = now_ms();
    for (size_t i = 0; i < columns_of(table); i++)
        bind(statement, (int)i + 1, table->columns[i].form,
             (const char *)row + table->columns[i].offset);
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

static bool prepare_reading(struct acts *acts, const struct table *table,
                            const char *condition, sqlite3_stmt **statement,
                            struct err *err)
{
    struct buf sql = {0};

    buf_add(&sql, STR("SELECT id, "));
    add_names(table, &sql);
    buf_add_format(&sql, " FROM %s WHERE %s", table->name, condition);
    buf_add_char(&sql, '\0');
    bool ok = prepare(acts, sql.ptr, statement, err);
    buf_free(&sql);
    return ok;
}

bool acts_each(struct acts *acts, enum acts_table which, int64_t after, acts_take *take,
               void *context, struct err *err)
{
    const struct table *table = &tables[which];
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
        fetch_row(statement, table, &arena, &row);
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
    const struct table *table = &tables[ACTS_ACT];

    if (!prepare_reading(acts, table, "client_key = ?", &acts->finding, err))
        return false;
    bind_text(acts->finding, 1, client_key);
    int code = sqlite3_step(acts->finding);
    *found = code == SQLITE_ROW;
    if (*found) {
        fetch_row(acts->finding, table, arena, out);
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
        bind_text(statement, 1, study);
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

    if (ok && !str_eq(text_of(statement, 0), study))
        ok = err_set(err, ERR_INPUT,
                     "%s: holds the labels of the study '%.*s', not those of '%.*s'",
                     acts->path, STR_ARG(text_of(statement, 0)), STR_ARG(study));
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
