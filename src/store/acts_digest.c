/* Rows are hashed in the order in which they came. */
#include "store/acts_digest.h"

#include <sqlite3.h>
#include <xxhash.h>

#include "base/file.h"

enum { BUSY_MS = 5000 };

static const char *const selections[] = {
    "SELECT version FROM codebook WHERE task = ?1 ORDER BY id",
    "SELECT id, kind, source FROM round WHERE task = ?1 ORDER BY id",
    "SELECT e.round FROM round_end e JOIN round r ON r.id = e.round WHERE r.task = ?1 "
    "ORDER BY e.id",
    "SELECT a.round, a.rater, a.position, a.item, a.again FROM assignment a "
    "JOIN round r ON r.id = a.round WHERE r.task = ?1 ORDER BY a.id",
    "SELECT a.id, a.kind, a.round, a.rater, a.item, a.again, a.dimension, a.codes, "
    "a.unsure, a.seconds, a.version, a.supersedes FROM act a "
    "JOIN round r ON r.id = a.round WHERE r.task = ?1 ORDER BY a.id",
    "SELECT item, dimension, codes, version, by, reason FROM decision WHERE task = ?1 "
    "ORDER BY id",
    "SELECT p.dimension, p.parent, p.code, p.name, v.accepted FROM proposal p "
    "JOIN verdict v ON v.proposal = p.id WHERE p.task = ?1 ORDER BY v.id",
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
    for (size_t i = 0; i < ROWS_OF(selections) && ok; i++)
        ok = hash_rows(db, selections[i], task, state);
    if (!ok)
        err_set(err, ERR_INPUT, "%s: %s", path, sqlite3_errmsg(db));
    *out = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    sqlite3_close(db);
    return ok;
}
