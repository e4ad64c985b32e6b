/* Rows of labels.db, through a database in memory and back: every form of a column, there
 * and missing. Each table goes through a file in store_acts. */
#include "store/acts_layout.h"

#include <math.h>
#include <string.h>

#include "tests/tap.h"

/* Writes the row into a table with the names of the layout and reads it again. */
static bool round_trip(enum store_acts_table which, const void *row, struct arena *arena,
                       void *out, sqlite3 *db, sqlite3_stmt **reading)
{
    const struct store_acts_layout *layout = store_acts_layout_of(which);
    struct buf sql = {0};
    sqlite3_stmt *adding = NULL;

    buf_add(&sql, STR("CREATE TABLE t (id INTEGER PRIMARY KEY, "));
    store_acts_layout_names(layout, &sql);
    buf_add(&sql, STR(")"));
    buf_add_char(&sql, '\0');
    bool ok = sqlite3_exec(db, sql.ptr, NULL, NULL, NULL) == SQLITE_OK;
    buf_clear(&sql);
    buf_add(&sql, STR("INSERT INTO t VALUES (NULL"));
    for (size_t i = 0; i < store_acts_layout_columns(layout); i++)
        buf_add(&sql, STR(", ?"));
    buf_add(&sql, STR(")"));
    buf_add_char(&sql, '\0');
    ok = ok && sqlite3_prepare_v2(db, sql.ptr, -1, &adding, NULL) == SQLITE_OK;
    if (ok) {
        store_acts_layout_bind(adding, layout, row);
        ok = sqlite3_step(adding) == SQLITE_DONE;
    }
    sqlite3_finalize(adding);
    ok = ok &&
         sqlite3_prepare_v2(db, "SELECT * FROM t", -1, reading, NULL) == SQLITE_OK &&
         sqlite3_step(*reading) == SQLITE_ROW;
    if (ok)
        store_acts_layout_fetch(*reading, layout, arena, out);
    buf_free(&sql);
    return ok;
}

static void check(const char *name, const struct store_acts_act *act, struct arena *arena)
{
    struct store_acts_act got = {0};
    sqlite3 *db = NULL;
    sqlite3_stmt *reading = NULL;

    tap_case("%s", name);
    if (CHECK(sqlite3_open(":memory:", &db) == SQLITE_OK) &&
        CHECK(round_trip(STORE_ACTS_ACT, act, arena, &got, db, &reading))) {
        CHECK(got.id == 1 && got.at_ms == act->at_ms && got.item == act->item);
        CHECK(got.again == act->again && got.supersedes == act->supersedes);
        CHECK(str_eq(got.rater, act->rater) && str_eq(got.client_key, act->client_key));
        CHECK(isnan(act->seconds) ? isnan(got.seconds) : got.seconds == act->seconds);
        CHECK(got.codes.count == act->codes.count);
        for (size_t i = 0; i < got.codes.count && i < act->codes.count; i++)
            CHECK(str_eq(got.codes.at[i], act->codes.at[i]));
        /* client_key is the fourteenth column behind the id. */
        CHECK((sqlite3_column_type(reading, 14) == SQLITE_NULL) ==
              (act->client_key.len == 0));
    }
    sqlite3_finalize(reading);
    sqlite3_close(db);
}

int main(void)
{
    struct arena arena = {0};
    struct str codes[] = {STR("data/parse"), STR("model")};
    struct store_acts_act whole = {.at_ms = 5,
                                   .kind = STR("label"),
                                   .round = 1,
                                   .rater = STR("ann"),
                                   .item = 11,
                                   .again = true,
                                   .dimension = STR("d"),
                                   .codes = {codes, 2},
                                   .memo = STR("x"),
                                   .seconds = 2.5,
                                   .supersedes = 7,
                                   .client_key = STR("k")};
    struct store_acts_act bare = {.kind = STR("undo"), .seconds = NAN};

    check("everything is there", &whole, &arena);
    check("what may be missing is", &bare, &arena);
    tap_case("every table is described");
    for (int i = 0; i < STORE_ACTS_TABLES; i++) {
        const struct store_acts_layout *layout =
            store_acts_layout_of((enum store_acts_table)i);
        CHECK(layout->name != NULL && store_acts_layout_columns(layout) > 1);
        CHECK(!layout->timed || strcmp(layout->columns[0].name, "at_ms") == 0);
    }
    arena_free(&arena);
    return tap_done();
}
