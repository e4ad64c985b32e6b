/* A corpus of an older schema is brought to this one, so that its sources need not be
 * there any more. Of schemas 1 and 2 it is read once and written anew, by the same verbs
 * as any other; schemas 3 and 4 lacked tables and columns, schema 5 packed texts in
 * another way, which is still read, in schema 6 licences got their mark, and schema 7 did
 * not know when sources begin. */
#include "item/license.h"
#include "store/internal.h"

/* Schemas 1 and 2 had posts in one table, with type 100 for rows of tables, and one space
 * of ids but for rows without ids of their own. */
#define OLD_ROW 100

struct migration {
    struct store *old, *new;
    bool fields; /* schema 2 */
};

/* Behind the fields of an item, which are read in their order. */
enum { CODE_BLOCKS = ITEM_FIELDS, SPACE };

static bool take_post(void *context, sqlite3_stmt *row, struct err *err)
{
    const struct migration *migration = context;
    struct item item = item_empty();
    int64_t known_ms, space = sqlite3_column_int64(row, SPACE);
    bool added;

    for (int i = 0; i < ITEM_NUMBERS; i++)
        item.numbers[i] = store_number(row, i);
    if (item.kind == OLD_ROW)
        item.kind = ITEM_ROW;
    /* A row with an id of its own, behind the first source, is now of its source's space.
     */
    if (item.kind == ITEM_ROW && item_space(item.id) == 0)
        item.id = item_id((size_t)space, item.id);
    for (int i = 0; i < ITEM_TEXTS; i++)
        item.texts[i] = store_column(row, ITEM_NUMBERS + i);
    return store_append(migration->new, &item, sqlite3_column_int64(row, CODE_BLOCKS),
                        &added, &known_ms, err);
}

static bool copy_posts(struct migration *migration, struct err *err)
{
    return store_each(
        migration->old,
        store_prepare(
            migration->old,
            migration->fields
                ? "SELECT id, type, parent, accepted, created_ms, closed_ms, score, "
                  "views, answers, comments, favorites, owner, accepted_ms, NULL, NULL, "
                  "tags, title, "
                  "license, body, code_blocks, ifnull((SELECT min(source) FROM origin "
                  "WHERE post = id), 0) FROM post ORDER BY id"
                : "SELECT id, type, parent, accepted, created_ms, closed_ms, score, "
                  "views, answers, comments, favorites, owner, NULL, NULL, NULL, tags, "
                  "title, "
                  "license, body, code_blocks, 0 FROM post ORDER BY id"),
        take_post, migration, err);
}

/* Tables that only changed a name of a column, and the census, which had no source. The
 * id of a row that moved to its source's space is found by the condition on its kind. */
static const char *const old_tables[] = {
    "INSERT INTO comment SELECT id, post, created_ms, score, user, text FROM old.comment",
    "INSERT INTO user SELECT id, created_ms, reputation, name FROM old.user",
    "INSERT INTO link SELECT id, post, related, type, created_ms FROM old.link",
    ("INSERT INTO census SELECT 0, year, tag, questions, accepted, answered, closed, "
     "views, score FROM old.census"),
    "INSERT INTO health SELECT finding, value FROM old.health",
    "INSERT INTO state SELECT name, value FROM old.state WHERE name <> 'key'",
};

#define MOVED \
    "(SELECT CASE WHEN type = 100 AND id < 1099511627776 THEN id + 1099511627776 * " \
    "(SELECT min(o.source) FROM old.origin o WHERE o.post = p.id) ELSE id END FROM " \
    "old.post p WHERE p.id = t.post)"

static const char *const newer_tables[] = {
    "INSERT INTO source SELECT number, name, kind, settings, NULL, NULL FROM old.source",
    "INSERT INTO source_file SELECT source, number, path, hash FROM old.source_file",
    "INSERT INTO origin SELECT " MOVED ", source FROM old.origin t",
    "INSERT INTO field SELECT ifnull(" MOVED ", post), name, value FROM old.field t",
    "INSERT INTO vote SELECT id, post, type, created_ms FROM old.vote",
    "INSERT INTO history SELECT id, post, type, created_ms, user FROM old.history",
    "INSERT INTO badge SELECT id, user, name, created_ms FROM old.badge",
};

static bool copy_tables(struct migration *migration, struct err *err)
{
    bool ok = true;

    for (size_t i = 0; i < ROWS_OF(old_tables) && ok; i++)
        ok = store_run(migration->new, old_tables[i], err);
    for (size_t i = 0; i < ROWS_OF(newer_tables) && ok && migration->fields; i++)
        ok = store_run(migration->new, newer_tables[i], err);
    return ok;
}

static bool attach(struct migration *migration, const char *path, struct err *err)
{
    sqlite3_stmt *statement = store_prepare(migration->new, "ATTACH ?1 AS old");

    if (statement == NULL)
        return store_failed(migration->new, err);
    store_bind_text(statement, 1, str_from(path));
    bool ok = store_step(migration->new, statement, err);
    sqlite3_finalize(statement);
    return ok;
}

/* Late answers and other keys came within schema 3: a corpus of it has none of these
 * tables, one or both. Users and links had no seals. */
static bool add_tables(struct store *corpus, struct err *err)
{
    return store_run(corpus,
                     "CREATE TABLE IF NOT EXISTS alias (id INTEGER NOT NULL, text TEXT "
                     "NOT NULL, PRIMARY KEY (id, text)) WITHOUT ROWID;CREATE TABLE IF "
                     "NOT EXISTS late (answer INTEGER PRIMARY KEY, question INTEGER NOT "
                     "NULL);INSERT OR IGNORE INTO seal VALUES ('alias', 0, 0), ('late', "
                     "0, 0);ALTER TABLE item ADD COLUMN wiki_ms INTEGER;ALTER TABLE item "
                     "ADD COLUMN lastactive_ms INTEGER",
                     err) &&
           store_seal(corpus, 1u << STORE_TABLE_USER | 1u << STORE_TABLE_LINK, err);
}

/* Until schema 4 no text was packed; those that are there stay plain. */
static bool add_packs(struct store *corpus, struct err *err)
{
    return store_run(
        corpus,
        "ALTER TABLE text ADD COLUMN pack INTEGER;ALTER TABLE text ADD "
        "COLUMN place INTEGER;ALTER TABLE text ADD COLUMN len INTEGER;CREATE "
        "TABLE pack (number INTEGER PRIMARY KEY, len INTEGER NOT NULL, bytes "
        "BLOB NOT NULL)",
        err);
}

/* Schema 6 began without marks: a corpus that has some was made with them. Of one whose
 * items servers hold that is not known, and they are not asked. */
static bool note_unmarked(struct store *corpus, int64_t schema, struct err *err)
{
    int64_t marked = 0;

    if (schema == 6 && !store_count(corpus,
                                    "SELECT EXISTS(SELECT 1 FROM item WHERE license LIKE "
                                    "'%" ITEM_LICENSE_BY_DATE "')",
                                    &marked, err))
        return false;
    return marked != 0 || store_set_state(corpus, STORE_UNMARKED, STR("yes"), err);
}

/* Which schema it is of is asked once more: another process may have been first. */
static bool add_what_lacks(struct store *corpus, struct err *err)
{
    int64_t schema;

    if (!store_begin(corpus, err) ||
        !store_count(corpus, "PRAGMA user_version", &schema, err))
        return false;
    if (schema == STORE_SCHEMA)
        return store_run(corpus, "ROLLBACK", err);
    return (schema > 3 || add_tables(corpus, err)) &&
           (schema > 4 || add_packs(corpus, err)) &&
           (schema > 6 || note_unmarked(corpus, schema, err)) &&
           store_run(corpus,
                     "ALTER TABLE source ADD COLUMN first_ms INTEGER;"
                     "PRAGMA user_version = 8",
                     err) &&
           store_commit(corpus, err);
}

static bool write_anew(struct store *old, const char *path, int64_t schema,
                       struct err *err)
{
    struct migration migration = {.old = old, .fields = schema > 1};
    struct arena arena = {0};
    struct str key;
    bool resumed, ok = store_get_state(old, STR("key"), &arena, &key, err) &&
                       store_build(path, key, &migration.new, &resumed, err);

    arena_free(&arena);
    if (!ok)
        return false;
    ok = attach(&migration, path, err) && store_begin(migration.new, err) &&
         copy_posts(&migration, err) && copy_tables(&migration, err) &&
         store_set_state(migration.new, STORE_OLDER_IDS, STR("yes"), err) &&
         note_unmarked(migration.new, schema, err) &&
         store_commit(migration.new, err) && store_run(migration.new, "DETACH old", err);
    if (ok)
        return store_finish(migration.new, err);
    store_close(migration.new);
    return false;
}

bool store_migrate(const char *path, struct err *err)
{
    struct store *old;
    int64_t schema;

    if (!store_open_file(path, &old, err))
        return false;
    bool ok =
        store_count(old, "PRAGMA user_version", &schema, err) &&
        (schema >= 3 ? add_what_lacks(old, err) : write_anew(old, path, schema, err));
    store_close(old);
    return ok;
}
