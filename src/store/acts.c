/* SQLite underneath. A write-ahead log that is synced at each commit (synchronous =
 * FULL) makes what was committed last. */
#include "store/acts.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

#include "base/file.h"
#include "store/acts_layout.h"

extern const unsigned char store_labels_sql[];
extern const size_t store_labels_sql_len;

enum {
    APPLICATION_ID = 0x6173736c /* "assl" */,
    BUSY_MS = 5000,
    FIRST_WITH_CHECKSUMS = 3, /* schema */
    FIRST_PRIVATE = 5,        /* the same: the file is for its owner alone */
};

#define WHAT_TO_DO \
    "; restore it from a backup, or save what is right as 'assay help labels' says"

struct store_acts {
    struct arena arena; /* holds the struct itself */
    sqlite3 *db;
    const char *path;
    sqlite3_stmt *adding[STORE_ACTS_TABLES],
        *reading[STORE_ACTS_TABLES]; /* prepared on first use */
    sqlite3_stmt *before[STORE_ACTS_TABLES];
    sqlite3_stmt *finding, *message, *newest, *renewing;
    struct buf scratch;
};

static bool failed(struct store_acts *acts, struct err *err)
{
    int code = sqlite3_errcode(acts->db);

    if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT)
        return err_set(err, ERR_INPUT,
                       "%s: not a labels.db of assay, or damaged (%s)" WHAT_TO_DO,
                       acts->path, sqlite3_errmsg(acts->db));
    return err_set(err, ERR_SYSTEM, "cannot use %s: %s", acts->path,
                   sqlite3_errmsg(acts->db));
}

static bool run(struct store_acts *acts, const char *sql, struct err *err)
{
    return sqlite3_exec(acts->db, sql, NULL, NULL, NULL) == SQLITE_OK ||
           failed(acts, err);
}

static bool prepare(struct store_acts *acts, const char *sql, sqlite3_stmt **statement,
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

union any_row { /* the id is first in all of them */
    struct store_acts_codebook codebook;
    struct store_acts_act act;
    struct store_acts_decision decision;
    struct store_acts_proposal proposal;
    struct store_acts_answer answer;
};

/* The last row of a table, as it must be: what reading has to come to, and what the next
 * row goes on from. */
struct end {
    int64_t id; /* 0: there is none */
    uint64_t checksum;
};

static bool read_newest(struct store_acts *acts, const struct store_acts_layout *table,
                        struct end *out, struct err *err)
{
    if (!prepare(acts, "SELECT id, checksum FROM newest WHERE name = ?", &acts->newest,
                 err))
        return false;
    store_acts_layout_bind_text(acts->newest, 1, str_from(table->name));
    int code = sqlite3_step(acts->newest);
    *out = (struct end){sqlite3_column_int64(acts->newest, 0),
                        (uint64_t)sqlite3_column_int64(acts->newest, 1)};
    bool ok = code == SQLITE_ROW ||
              (code == SQLITE_DONE
                   ? err_set(err, ERR_INPUT,
                             "%s: damaged: its table 'newest' does not say where the "
                             "table '%s' ends" WHAT_TO_DO,
                             acts->path, table->name)
                   : failed(acts, err));
    sqlite3_reset(acts->newest);
    return ok;
}

static bool write_newest(struct store_acts *acts, const struct store_acts_layout *table,
                         struct end end, struct err *err)
{
    if (!prepare(acts, "REPLACE INTO newest (name, id, checksum) VALUES (?, ?, ?)",
                 &acts->renewing, err))
        return false;
    store_acts_layout_bind_text(acts->renewing, 1, str_from(table->name));
    sqlite3_bind_int64(acts->renewing, 2, end.id);
    sqlite3_bind_int64(acts->renewing, 3, (int64_t)end.checksum);
    bool ok = sqlite3_step(acts->renewing) == SQLITE_DONE || failed(acts, err);
    sqlite3_reset(acts->renewing);
    return ok;
}

static bool prepare_adding(struct store_acts *acts, enum store_acts_table which,
                           struct err *err)
{
    const struct store_acts_layout *table = store_acts_layout_of(which);
    struct buf sql = {0};

    buf_add_format(&sql, "INSERT INTO %s (", table->name);
    store_acts_layout_names(table, &sql);
    buf_add(&sql, STR(", id, checksum) VALUES (?, ?, ?"));
    for (size_t i = 1; i < store_acts_layout_columns(table); i++)
        buf_add(&sql, STR(", ?"));
    buf_add(&sql, STR(")"));
    buf_add_char(&sql, '\0');
    bool ok = prepare(acts, sql.ptr, &acts->adding[which], err);
    buf_free(&sql);
    return ok;
}

static bool insert(struct store_acts *acts, enum store_acts_table which, void *row,
                   struct err *err)
{
    const struct store_acts_layout *table = store_acts_layout_of(which);
    int columns = (int)store_acts_layout_columns(table);
    struct end end;

    if ((acts->adding[which] == NULL && !prepare_adding(acts, which, err)) ||
        !read_newest(acts, table, &end, err))
        return false;
    sqlite3_stmt *statement = acts->adding[which];
    int64_t *at_ms = (int64_t *)(void *)((char *)row + table->columns[0].offset);
    if (table->timed && *at_ms == 0)
        *at_ms = now_ms();
    end.id = *(int64_t *)row = end.id + 1;
    end.checksum = store_acts_layout_checksum(table, row, end.checksum, &acts->scratch);
    store_acts_layout_bind(statement, table, row);
    sqlite3_bind_int64(statement, columns + 1, end.id);
    sqlite3_bind_int64(statement, columns + 2, (int64_t)end.checksum);
    bool ok = sqlite3_step(statement) == SQLITE_DONE || failed(acts, err);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return ok && write_newest(acts, table, end, err);
}

/* The row and the table's end change together. */
bool store_acts_add(struct store_acts *acts, enum store_acts_table table, void *row,
                    struct err *err)
{
    if (!sqlite3_get_autocommit(acts->db))
        return insert(acts, table, row, err);
    bool ok = store_acts_begin(acts, err) && insert(acts, table, row, err) &&
              store_acts_commit(acts, err);
    if (!ok)
        store_acts_rollback(acts);
    return ok;
}

/* Columns are the id, those of the layout, the checksum, then `more`. */
static bool prepare_reading(struct store_acts *acts,
                            const struct store_acts_layout *table, const char *more,
                            const char *condition, sqlite3_stmt **statement,
                            struct err *err)
{
    struct buf sql = {0};

    buf_add(&sql, STR("SELECT id, "));
    store_acts_layout_names(table, &sql);
    buf_add_format(&sql, ", checksum%s FROM %s WHERE %s", more, table->name, condition);
    buf_add_char(&sql, '\0');
    bool ok = prepare(acts, sql.ptr, statement, err);
    buf_free(&sql);
    return ok;
}

/* Fetches a row, which must be as it was written after the row that `end` stands for;
 * `end` moves on to it. */
static bool fetch_checked(struct store_acts *acts, sqlite3_stmt *statement,
                          const struct store_acts_layout *table, struct end *end,
                          struct arena *arena, void *row, struct err *err)
{
    int column = (int)store_acts_layout_columns(table) + 1;

    store_acts_layout_fetch(statement, table, arena, row);
    int64_t id = *(int64_t *)row;
    uint64_t checksum =
        store_acts_layout_checksum(table, row, end->checksum, &acts->scratch);
    if (sqlite3_column_type(statement, column) != SQLITE_INTEGER ||
        (uint64_t)sqlite3_column_int64(statement, column) != checksum)
        return err_set(err, ERR_INPUT,
                       "%s: damaged: row %lld of its table '%s' is not as it was "
                       "written%s" WHAT_TO_DO,
                       acts->path, (long long)id, table->name,
                       id != end->id + 1 ? ", or rows before it are missing" : "");
    *end = (struct end){id, checksum};
    return true;
}

/* The row that reading goes on after, which has been read before. */
static bool read_before(struct store_acts *acts, enum store_acts_table which, int64_t id,
                        struct end *out, struct err *err)
{
    const struct store_acts_layout *table = store_acts_layout_of(which);

    *out = (struct end){0, store_acts_layout_start(table)};
    if (id == 0)
        return true;
    if (!prepare_reading(acts, table, "", "id = ?", &acts->before[which], err))
        return false;
    sqlite3_stmt *statement = acts->before[which];
    sqlite3_bind_int64(statement, 1, id);
    int code = sqlite3_step(statement);
    *out = (struct end){id, (uint64_t)sqlite3_column_int64(
                                statement, (int)store_acts_layout_columns(table) + 1)};
    bool ok = code == SQLITE_ROW ||
              (code == SQLITE_DONE
                   ? err_set(err, ERR_INPUT,
                             "%s: damaged: row %lld of its table '%s' is gone" WHAT_TO_DO,
                             acts->path, (long long)id, table->name)
                   : failed(acts, err));
    sqlite3_reset(statement);
    return ok;
}

static bool check_end(struct store_acts *acts, const struct store_acts_layout *table,
                      struct end found, struct end expected, struct err *err)
{
    if (found.id != expected.id)
        return err_set(err, ERR_INPUT,
                       "%s: damaged: its table '%s' ends with row %lld, and row %lld "
                       "should be its last" WHAT_TO_DO,
                       acts->path, table->name, (long long)found.id,
                       (long long)expected.id);
    if (found.checksum != expected.checksum)
        return err_set(err, ERR_INPUT,
                       "%s: damaged: row %lld of its table '%s', the last, is not the "
                       "one that its table 'newest' tells of" WHAT_TO_DO,
                       acts->path, (long long)found.id, table->name);
    return true;
}

static bool read_rows(struct store_acts *acts, enum store_acts_table which, int64_t after,
                      store_acts_take *take, void *context, struct err *err)
{
    const struct store_acts_layout *table = store_acts_layout_of(which);
    union any_row row;
    struct arena arena = {0};
    struct end end, newest;
    int code;

    assert(table->size <= sizeof row);
    if (!read_newest(acts, table, &newest, err))
        return false;
    if (after > 0 && after == newest.id)
        return true;
    if (!read_before(acts, which, after, &end, err) ||
        !prepare_reading(acts, table, "", "id > ? ORDER BY id", &acts->reading[which],
                         err))
        return false;
    sqlite3_stmt *statement = acts->reading[which];
    sqlite3_bind_int64(statement, 1, after);
    (void)arena_alloc(&arena, 1, 1); /* a chunk that rewinding does not give back */
    bool ok = true;
    while (ok && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        struct arena_mark mark = arena_mark(&arena);
        ok = fetch_checked(acts, statement, table, &end, &arena, &row, err) &&
             take(context, &row, err);
        arena_rewind(&arena, mark);
    }
    if (ok && code != SQLITE_DONE)
        ok = failed(acts, err);
    sqlite3_reset(statement);
    arena_free(&arena);
    return ok && check_end(acts, table, end, newest, err);
}

/* Rows and where they end are of one moment. */
bool store_acts_each(struct store_acts *acts, enum store_acts_table which, int64_t after,
                     store_acts_take *take, void *context, struct err *err)
{
    if (!sqlite3_get_autocommit(acts->db))
        return read_rows(acts, which, after, take, context, err);
    bool ok = store_acts_begin_reading(acts, err) &&
              read_rows(acts, which, after, take, context, err) &&
              store_acts_commit(acts, err);
    if (!ok)
        store_acts_rollback(acts);
    return ok;
}

static void keep_texts(struct store_acts_act *act, struct arena *arena)
{
    struct str *texts[] = {&act->kind,    &act->rater,      &act->dimension, &act->memo,
                           &act->version, &act->client_key, &act->source,    &act->unit,
                           &act->place,   &act->seen};

    for (size_t i = 0; i < ROWS_OF(texts); i++)
        *texts[i] = arena_copy(arena, *texts[i]);
    for (size_t i = 0; i < act->codes.count; i++)
        act->codes.at[i] = arena_copy(arena, act->codes.at[i]);
}

bool store_acts_find_act(struct store_acts *acts, struct str client_key,
                         struct arena *arena, struct store_acts_act *out, bool *found,
                         struct err *err)
{
    const struct store_acts_layout *table = store_acts_layout_of(STORE_ACTS_ACT);
    struct end before = {0, store_acts_layout_start(table)};

    if (!prepare_reading(acts, table,
                         ", (SELECT b.id FROM act b WHERE b.id < act.id ORDER BY b.id "
                         "DESC LIMIT 1), (SELECT b.checksum FROM act b WHERE b.id < "
                         "act.id ORDER BY b.id DESC LIMIT 1)",
                         "client_key = ?", &acts->finding, err))
        return false;
    store_acts_layout_bind_text(acts->finding, 1, client_key);
    int code = sqlite3_step(acts->finding),
        column = (int)store_acts_layout_columns(table) + 2;
    *found = code == SQLITE_ROW;
    bool ok = code == SQLITE_ROW || code == SQLITE_DONE || failed(acts, err);
    if (*found && sqlite3_column_type(acts->finding, column) != SQLITE_NULL)
        before = (struct end){sqlite3_column_int64(acts->finding, column),
                              (uint64_t)sqlite3_column_int64(acts->finding, column + 1)};
    if (*found)
        ok = fetch_checked(acts, acts->finding, table, &before, arena, out, err);
    if (ok && *found)
        keep_texts(out, arena);
    sqlite3_reset(acts->finding);
    return ok;
}

/* Whoever knows the hash can tell whether the text is right. */
bool store_acts_find_message(struct store_acts *acts, struct str hash,
                             struct arena *arena, struct store_acts_message *out,
                             bool *found, struct err *err)
{
    if (!prepare(acts, "SELECT id, before, text FROM message WHERE hash = ?",
                 &acts->message, err))
        return false;
    store_acts_layout_bind_text(acts->message, 1, hash);
    int code = sqlite3_step(acts->message);
    *found = code == SQLITE_ROW;
    if (*found)
        *out = (struct store_acts_message){
            sqlite3_column_int64(acts->message, 0), arena_copy(arena, hash),
            arena_copy(arena, store_acts_layout_text(acts->message, 1)),
            arena_copy(arena, store_acts_layout_text(acts->message, 2))};
    sqlite3_reset(acts->message);
    return *found || code == SQLITE_DONE || failed(acts, err);
}

/* The file. */

static bool number(struct store_acts *acts, const char *sql, int64_t *out,
                   struct err *err)
{
    sqlite3_stmt *statement = NULL;
    bool ok = prepare(acts, sql, &statement, err) &&
              (sqlite3_step(statement) == SQLITE_ROW || failed(acts, err));

    if (ok)
        *out = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return ok;
}

static bool name_study(struct store_acts *acts, struct str study, struct err *err)
{
    sqlite3_stmt *statement = NULL;
    bool ok = prepare(acts, "INSERT INTO about VALUES ('study', ?)", &statement, err);

    if (ok) {
        store_acts_layout_bind_text(statement, 1, study);
        ok = sqlite3_step(statement) == SQLITE_DONE || failed(acts, err);
    }
    sqlite3_finalize(statement);
    return ok;
}

static bool check_study(struct store_acts *acts, struct str study, struct err *err)
{
    sqlite3_stmt *statement = NULL;
    bool ok =
        prepare(acts, "SELECT value FROM about WHERE name = 'study'", &statement, err);
    int code = ok ? sqlite3_step(statement) : SQLITE_ERROR;

    if (code == SQLITE_DONE)
        ok = err_set(err, ERR_INPUT,
                     "%s: damaged: it does not say which study it is of" WHAT_TO_DO,
                     acts->path);
    else if (ok && code != SQLITE_ROW)
        ok = failed(acts, err);
    if (ok && !str_eq(store_acts_layout_text(statement, 0), study))
        ok = err_set(err, ERR_INPUT,
                     "%s: holds the labels of the study '%.*s', not those of '%.*s'",
                     acts->path, STR_ARG(store_acts_layout_text(statement, 0)),
                     STR_ARG(study));
    sqlite3_finalize(statement);
    return ok;
}

/* What is said under a name; empty when nothing is. */
static bool read_about(struct store_acts *acts, const char *name, struct arena *arena,
                       struct str *value, struct err *err)
{
    sqlite3_stmt *statement = NULL;
    bool ok = prepare(acts, "SELECT value FROM about WHERE name = ?1", &statement, err);

    *value = (struct str){0};
    if (ok) {
        store_acts_layout_bind_text(statement, 1, str_from(name));
        int code = sqlite3_step(statement);
        if (code == SQLITE_ROW)
            *value = arena_copy(arena, store_acts_layout_text(statement, 0));
        ok = code == SQLITE_ROW || code == SQLITE_DONE || failed(acts, err);
    }
    sqlite3_finalize(statement);
    return ok;
}

static bool write_about(struct store_acts *acts, const char *name, struct str value,
                        struct err *err)
{
    sqlite3_stmt *statement = NULL;
    bool ok =
        prepare(acts, "INSERT OR REPLACE INTO about VALUES (?1, ?2)", &statement, err);

    if (ok) {
        store_acts_layout_bind_text(statement, 1, str_from(name));
        store_acts_layout_bind_text(statement, 2, value);
        ok = sqlite3_step(statement) == SQLITE_DONE || failed(acts, err);
    }
    sqlite3_finalize(statement);
    return ok;
}

bool store_acts_check_source(struct store_acts *acts, size_t number, struct str called,
                             bool only, struct err *err)
{
    struct arena arena = {0};
    struct str known;
    char name[40];

    sqlite3_snprintf(sizeof name, name, "source %d", (int)number + 1);
    bool ok = read_about(acts, name, &arena, &known, err);
    if (ok && !str_eq(known, called))
        ok = known.len == 0 || only
                 ? write_about(acts, name, called, err)
                 : err_set(err, ERR_INPUT,
                           "%s: its labels have '%.*s' as %s, and the study file now has "
                           "'%.*s' there: put the sources into the order in which they "
                           "were labelled",
                           acts->path, STR_ARG(known), name, STR_ARG(called));
    arena_free(&arena);
    return ok;
}

/* Ours, and not newer than we know? */
static bool check_kind(struct store_acts *acts, int64_t schema, struct err *err)
{
    int64_t id;

    if (!number(acts, "PRAGMA application_id", &id, err))
        return false;
    if (id != APPLICATION_ID)
        return err_set(err, ERR_INPUT,
                       "%s: expected a labels.db of assay, found another database",
                       acts->path);
    if (schema > STORE_ACTS_SCHEMA)
        return err_set(
            err, ERR_INPUT,
            "%s: has schema %lld, made by a newer assay; this one knows up to %d",
            acts->path, (long long)schema, STORE_ACTS_SCHEMA);
    return true;
}

/* What is damaged must not get a checksum that says otherwise. */
static bool check_whole(struct store_acts *acts, struct err *err)
{
    sqlite3_stmt *statement = NULL;
    bool ok = prepare(acts, "PRAGMA integrity_check(1)", &statement, err) &&
              (sqlite3_step(statement) == SQLITE_ROW || failed(acts, err));

    if (ok && !str_eq(store_acts_layout_text(statement, 0), STR("ok")))
        ok = err_set(err, ERR_INPUT, "%s: damaged (%.*s)" WHAT_TO_DO, acts->path,
                     STR_ARG(store_acts_layout_text(statement, 0)));
    sqlite3_finalize(statement);
    return ok;
}

/* Binds what becomes of a row to the statement that changes it, all but the row's id. */
typedef void bind_change(void *context, const void *row, sqlite3_stmt *writing);

/* Every row of a table, in their order; the change has the id as its second value. */
static bool change_rows(struct store_acts *acts, const struct store_acts_layout *table,
                        const char *change, bind_change *bind, void *context,
                        struct err *err)
{
    sqlite3_stmt *reading = NULL, *writing = NULL;
    union any_row row;
    struct arena arena = {0};
    int code = SQLITE_ERROR;
    bool ok = prepare_reading(acts, table, "", "id > 0 ORDER BY id", &reading, err) &&
              prepare(acts, change, &writing, err);

    assert(table->size <= sizeof row);
    while (ok && (code = sqlite3_step(reading)) == SQLITE_ROW) {
        store_acts_layout_fetch(reading, table, &arena, &row);
        bind(context, &row, writing);
        sqlite3_bind_int64(writing, 2, row.act.id);
        ok = sqlite3_step(writing) == SQLITE_DONE || failed(acts, err);
        sqlite3_reset(writing);
    }
    if (ok && code != SQLITE_DONE)
        ok = failed(acts, err);
    sqlite3_finalize(reading);
    sqlite3_finalize(writing);
    arena_free(&arena);
    return ok;
}

struct sealing {
    struct store_acts *acts;
    const struct store_acts_layout *table;
    struct end end;
};

static void bind_checksum(void *context, const void *row, sqlite3_stmt *writing)
{
    struct sealing *sealing = context;
    const union any_row *any = row;

    sealing->end.id = any->act.id;
    sealing->end.checksum = store_acts_layout_checksum(
        sealing->table, row, sealing->end.checksum, &sealing->acts->scratch);
    sqlite3_bind_int64(writing, 1, (int64_t)sealing->end.checksum);
}

/* Gives the rows of a table their checksums, and says where it ends. */
static bool seal_table(struct store_acts *acts, enum store_acts_table which,
                       struct err *err)
{
    const struct store_acts_layout *table = store_acts_layout_of(which);
    struct sealing sealing = {acts, table, {0, store_acts_layout_start(table)}};
    char sql[100];

    snprintf(sql, sizeof sql, "UPDATE %s SET checksum = ? WHERE id = ?", table->name);
    return change_rows(acts, table, sql, bind_checksum, &sealing, err) &&
           write_newest(acts, table, sealing.end, err);
}

/* All tables of a file that had no checksums, else those that are new. */
static bool seal_tables(struct store_acts *acts, int64_t from, struct err *err)
{
    for (int table = 0; table < STORE_ACTS_TABLES; table++)
        if ((from < FIRST_WITH_CHECKSUMS ||
             store_acts_layout_of((enum store_acts_table)table)->since > from) &&
            !seal_table(acts, (enum store_acts_table)table, err))
            return false;
    return true;
}

/* SQL with the name of each table whose rows speak of an item. */
static bool run_on_items(struct store_acts *acts, const char *before, const char *behind,
                         struct err *err)
{
    for (int i = 0; i < STORE_ACTS_TABLES; i++) {
        const struct store_acts_layout *table =
            store_acts_layout_of((enum store_acts_table)i);
        for (size_t c = 0; c < store_acts_layout_columns(table); c++)
            if (strcmp(table->columns[c].name, "item") == 0) {
                char text[200];
                snprintf(text, sizeof text, "%s %s %s", before, table->name, behind);
                if (!run(acts, text, err))
                    return false;
            }
    }
    return true;
}

static bool name_each(struct store_acts *acts, store_acts_name *name, void *context,
                      bool *any, struct err *err)
{
    sqlite3_stmt *reading = NULL, *writing = NULL;
    int code = SQLITE_ERROR;
    bool ok =
        prepare(acts,
                "SELECT was, (SELECT value FROM about WHERE name = 'item ' || was) FROM "
                "named ORDER BY was",
                &reading, err) &&
        prepare(acts, "UPDATE named SET now = ?2 WHERE was = ?1", &writing, err);

    while (ok && (code = sqlite3_step(reading)) == SQLITE_ROW) {
        int64_t item = sqlite3_column_int64(reading, 0), now = item;
        ok = name(context, &now, store_acts_layout_text(reading, 1), err);
        *any |= now != item;
        sqlite3_bind_int64(writing, 1, item);
        sqlite3_bind_int64(writing, 2, now);
        ok = ok && (sqlite3_step(writing) == SQLITE_DONE || failed(acts, err));
        sqlite3_reset(writing);
    }
    if (ok && code != SQLITE_DONE)
        ok = failed(acts, err);
    sqlite3_finalize(reading);
    sqlite3_finalize(writing);
    return ok;
}

static bool take_nothing(void *context, const void *row, struct err *err)
{
    (void)context, (void)row, (void)err;
    return true;
}

/* Rows get other checksums, so what they are now must be right. */
static bool check_rows(struct store_acts *acts, struct err *err)
{
    for (int i = 0; i < STORE_ACTS_TABLES; i++)
        if (!store_acts_each(acts, (enum store_acts_table)i, 0, take_nothing, NULL, err))
            return false;
    return true;
}

static bool name_items(struct store_acts *acts, store_acts_name *name, void *context,
                       struct err *err)
{
    bool any = false;

    if (!run(acts,
             "CREATE TEMP TABLE named (was INTEGER PRIMARY KEY, now INTEGER NOT NULL "
             "DEFAULT 0)",
             err) ||
        !run_on_items(acts, "INSERT OR IGNORE INTO named (was) SELECT item FROM", "",
                      err) ||
        !name_each(acts, name, context, &any, err))
        return false;
    return (!any ||
            (check_rows(acts, err) &&
             run_on_items(acts, "UPDATE",
                          "SET item = (SELECT now FROM named WHERE was = item)", err) &&
             seal_tables(acts, 0, err))) &&
           run(acts, "DROP TABLE named", err);
}

bool store_acts_name_items(struct store_acts *acts, store_acts_name *name, void *context,
                           struct err *err)
{
    struct arena arena = {0};
    struct str known;
    bool ok = read_about(acts, "source 1", &arena, &known, err);
    bool old = ok && known.len == 0;

    arena_free(&arena);
    if (!old)
        return ok;
    /* The one time that rows change. */
    sqlite3_db_config(acts->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    ok = store_acts_begin(acts, err) && name_items(acts, name, context, err) &&
         store_acts_commit(acts, err);
    if (!ok)
        store_acts_rollback(acts);
    sqlite3_db_config(acts->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 1, NULL);
    return ok;
}

struct hiding {
    store_acts_hide *hide;
    void *context;
};

static void bind_hidden(void *context, const void *row, sqlite3_stmt *writing)
{
    const struct hiding *hiding = context;

    store_acts_layout_bind_text(writing, 1, hiding->hide(hiding->context, row));
}

static bool hide_tokens(struct store_acts *acts, store_acts_hide *hide, void *context,
                        struct err *err)
{
    struct hiding hiding = {hide, context};

    return change_rows(acts, store_acts_layout_of(STORE_ACTS_TOKEN),
                       "UPDATE token SET token = ?1 WHERE id = ?2", bind_hidden, &hiding,
                       err) &&
           seal_table(acts, STORE_ACTS_TOKEN, err);
}

bool store_acts_hide_tokens(struct store_acts *acts, store_acts_hide *hide, void *context,
                            struct err *err)
{
    bool ok = store_acts_begin(acts, err) && hide_tokens(acts, hide, context, err) &&
              store_acts_commit(acts, err);

    if (!ok)
        store_acts_rollback(acts);
    else /* older pages are still in the log beside the file */
        sqlite3_wal_checkpoint_v2(acts->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    return ok;
}

bool store_acts_copy(struct store_acts *acts, struct buf *out, struct err *err)
{
    sqlite3_int64 size = 0;
    unsigned char *bytes = sqlite3_serialize(acts->db, "main", &size, 0);

    if (bytes == NULL)
        return failed(acts, err);
    buf_add(out, (struct str){(const char *)bytes, (size_t)size});
    sqlite3_free(bytes);
    return true;
}

void store_acts_settle(struct store_acts *acts)
{
    sqlite3_wal_checkpoint_v2(acts->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
}

/* Runs the sections of the schema that come after `from`. */
static bool run_schema(struct store_acts *acts, int64_t from, struct err *err)
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
             STORE_ACTS_SCHEMA);
    return (from == 0 || check_whole(acts, err)) && run(acts, sql, err) &&
           seal_tables(acts, from, err) && run(acts, pragmas, err);
}

/* In one transaction, as two processes may open a new file at the same time. */
static bool make_or_check(struct store_acts *acts, struct str study, struct err *err)
{
    int64_t schema, tables_there;

    if (!number(acts, "PRAGMA user_version", &schema, err) ||
        !number(acts, "SELECT count(*) FROM sqlite_schema", &tables_there, err))
        return false;
    if (tables_there > 0 && !check_kind(acts, schema, err))
        return false;
    if (schema < STORE_ACTS_SCHEMA && !run_schema(acts, schema, err))
        return false;
    if (schema > 0 && schema < FIRST_PRIVATE)
        file_keep_private(acts->path);
    return schema == 0 ? name_study(acts, study, err) : check_study(acts, study, err);
}

bool store_acts_open(const char *path, struct str study, struct store_acts **out,
                     struct err *err)
{
    struct arena arena = {0};
    struct store_acts *acts = arena_array(&arena, struct store_acts, 1);

    acts->path = arena_c_string(&arena, str_from(path));
    acts->arena = arena;
    if (!file_exists(path))
        file_keep_private(path);
    bool ok = sqlite3_open_v2(path, &acts->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                              NULL) == SQLITE_OK ||
              err_set(err, ERR_SYSTEM, "cannot open %s: %s", path,
                      acts->db != NULL ? sqlite3_errmsg(acts->db) : "no memory");
    if (ok)
        sqlite3_busy_timeout(acts->db, BUSY_MS);
    /* Of what is taken out nothing stays in the file. */
    ok = ok && run(acts, "PRAGMA secure_delete = ON", err) &&
         store_acts_begin(acts, err) && make_or_check(acts, study, err) &&
         store_acts_commit(acts, err) &&
         run(acts, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", err);
    if (!ok) {
        store_acts_rollback(acts);
        store_acts_close(acts);
        return false;
    }
    *out = acts;
    return true;
}

void store_acts_close(struct store_acts *acts)
{
    if (acts == NULL)
        return;
    struct arena arena = acts->arena; /* it holds *acts itself */
    for (int i = 0; i < STORE_ACTS_TABLES; i++) {
        sqlite3_finalize(acts->adding[i]);
        sqlite3_finalize(acts->reading[i]);
        sqlite3_finalize(acts->before[i]);
    }
    sqlite3_finalize(acts->finding);
    sqlite3_finalize(acts->message);
    sqlite3_finalize(acts->newest);
    sqlite3_finalize(acts->renewing);
    buf_free(&acts->scratch);
    sqlite3_close(acts->db);
    arena_free(&arena);
}

bool store_acts_begin(struct store_acts *acts, struct err *err)
{
    return run(acts, "BEGIN IMMEDIATE", err);
}

bool store_acts_begin_reading(struct store_acts *acts, struct err *err)
{
    return run(acts, "BEGIN", err);
}

bool store_acts_commit(struct store_acts *acts, struct err *err)
{
    return run(acts, "COMMIT", err);
}

void store_acts_rollback(struct store_acts *acts)
{
    if (acts != NULL && !sqlite3_get_autocommit(acts->db))
        sqlite3_exec(acts->db, "ROLLBACK", NULL, NULL, NULL);
}

/* The digest of a task: rows are hashed in the order in which they came. */

static const struct {
    const char *sql;
    int since; /* schema */
} selections[] = {
    {"SELECT version FROM codebook WHERE task = ?1 ORDER BY id", 1},
    {"SELECT id, kind, source FROM round WHERE task = ?1 ORDER BY id", 1},
    {"SELECT e.round FROM round_end e JOIN round r ON r.id = e.round WHERE r.task = ?1 "
     "ORDER BY e.id",
     1},
    {"SELECT a.round, a.rater, a.position, a.item, a.again FROM assignment a "
     "JOIN round r ON r.id = a.round WHERE r.task = ?1 ORDER BY a.id",
     1},
    {"SELECT a.id, a.kind, a.round, a.rater, a.item, a.again, a.dimension, a.codes, "
     "a.unsure, a.seconds, a.version, a.supersedes FROM act a "
     "JOIN round r ON r.id = a.round WHERE r.task = ?1 AND a.kind <> 'remark' "
     "ORDER BY a.id",
     1},
    {"SELECT item, dimension, codes, version, by, reason FROM decision WHERE task = ?1 "
     "ORDER BY id",
     1},
    /* None where no units are marked: older results stay up to date. */
    {"SELECT a.id, a.unit, a.place FROM act a JOIN round r ON r.id = a.round "
     "WHERE r.task = ?1 AND a.unit IS NOT NULL ORDER BY a.id",
     4},
    {"SELECT id, unit, unit_of FROM decision WHERE task = ?1 AND unit IS NOT NULL "
     "ORDER BY id",
     4},
    {"SELECT a.id, a.place FROM act a JOIN round r ON r.id = a.round "
     "WHERE r.task = ?1 AND a.kind IN ('span', 'unspan') ORDER BY a.id",
     6},
    {"SELECT id, rater, item, dimension, run, state, codes, probability, version, reply, "
     "tokens_in, tokens_out FROM answer WHERE task = ?1 ORDER BY id",
     7},
    {"SELECT p.dimension, p.parent, p.code, p.name, v.accepted FROM proposal p "
     "JOIN verdict v ON v.proposal = p.id WHERE p.task = ?1 ORDER BY v.id",
     1},
};

static void hash_row(sqlite3_stmt *row, XXH3_state_t *state)
{
    for (int c = 0; c < sqlite3_column_count(row); c++) {
        const void *text = sqlite3_column_text(row, c);
        int len = sqlite3_column_bytes(row, c);
        XXH3_64bits_update(state, &len, sizeof len);
        if (len > 0)
            XXH3_64bits_update(state, text, (size_t)len);
    }
}

static bool hash_rows(sqlite3 *db, const char *sql, struct str task, XXH3_state_t *state)
{
    sqlite3_stmt *statement = NULL;
    int step = SQLITE_ERROR;

    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK) {
        sqlite3_bind_text(statement, 1, task.ptr, (int)task.len, SQLITE_STATIC);
        while ((step = sqlite3_step(statement)) == SQLITE_ROW)
            hash_row(statement, state);
    }
    sqlite3_finalize(statement);
    return step == SQLITE_DONE;
}

static int64_t schema_of(sqlite3 *db)
{
    sqlite3_stmt *statement = NULL;
    int64_t schema = STORE_ACTS_SCHEMA; /* what is no labels.db is told of later */

    if (sqlite3_prepare_v2(db, "PRAGMA user_version", -1, &statement, NULL) ==
            SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        schema = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return schema;
}

bool store_acts_digest(const char *path, struct str task, uint64_t *out, struct err *err)
{
    sqlite3 *db = NULL;

    *out = 0;
    if (!file_exists(path))
        return true;
    XXH3_state_t *state = XXH3_createState();
    XXH3_64bits_reset(state);
    bool ok = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
              sqlite3_busy_timeout(db, BUSY_MS) == SQLITE_OK;
    int64_t schema = ok ? schema_of(db) : 0;
    for (size_t i = 0; i < ROWS_OF(selections) && ok; i++)
        ok =
            selections[i].since > schema || hash_rows(db, selections[i].sql, task, state);
    if (!ok)
        err_set(err, ERR_INPUT, "%s: %s", path, sqlite3_errmsg(db));
    *out = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    sqlite3_close(db);
    return ok;
}
