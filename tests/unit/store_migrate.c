/* A corpus that an older assay made is brought to the schema of this one: all that it
 * held is there, rows of tables under the ids that their source now gives them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "store/internal.h"
#include "tests/tap.h"
#include "tests/unit/stored.h"

static char folder[] = "/tmp/assay-test-XXXXXX";
static struct arena arena;

static bool run_file(sqlite3 *db, const char *sql)
{
    struct err err = {0};
    struct str text;

    return CHECK(file_read(sql, &arena, &text, &err)) &&
           CHECK(sqlite3_exec(db, arena_c_string(&arena, text), NULL, NULL, NULL) ==
                 SQLITE_OK);
}

/* The corpus as assay made it; then what a test changes. */
static bool make(const char *path, int schema, const char *change)
{
    sqlite3 *db;

    file_remove(path);
    bool ok = CHECK(sqlite3_open(path, &db) == SQLITE_OK) &&
              run_file(db, "tests/vectors/corpus_1.sql") &&
              (schema == 1 || run_file(db, "tests/vectors/corpus_2.sql")) &&
              CHECK(sqlite3_exec(db, change, NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_close(db);
    return ok;
}

static void add_number(struct buf *out, int64_t value)
{
    if (value == ITEM_NONE)
        buf_add(out, STR("- "));
    else if (item_space(value) > 0)
        buf_add_format(out, "%zu:%lld ", item_space(value),
                       (long long)item_number(value));
    else
        buf_add_format(out, "%lld ", (long long)value);
}

static bool show_row(void *context, const struct store_row *row, struct err *err)
{
    const struct item *item = &row->item;
    struct str body;

    if (!store_row_body(row, &body, err))
        return false;
    add_number(context, item->id);
    for (size_t i = 1; i < ITEM_NUMBERS; i++)
        if (i == ITEM_FIELD_CREATED || i == ITEM_FIELD_CLOSED ||
            i == ITEM_FIELD_ACCEPTED_AT)
            add_number(context, item->numbers[i] == ITEM_NONE
                                    ? ITEM_NONE
                                    : item->numbers[i] / 1000 % 100000);
        else
            add_number(context, item->numbers[i]);
    buf_add_format(context, "%.*s|%.*s|%.*s|%lld|%.*s\n", STR_ARG(item->tags),
                   STR_ARG(item->title), STR_ARG(item->license),
                   (long long)row->code_blocks, STR_ARG(body));
    CHECK(item->form == ITEM_HTML);
    return true;
}

static bool show_text(void *context, int64_t id, struct str text, struct err *err)
{
    (void)err;
    add_number(context, id);
    buf_add_format(context, "%.*s\n", STR_ARG(text));
    return true;
}

static bool show_comment(void *context, const struct store_comment *comment,
                         struct err *err)
{
    (void)err;
    buf_add_format(context, "%lld %lld %.*s\n", (long long)comment->id,
                   (long long)comment->user, STR_ARG(comment->text));
    return true;
}

static bool show_census(void *context, const struct store_census *census, struct err *err)
{
    (void)err;
    buf_add_format(context, "%lld '%.*s' %lld %lld %lld %lld %lld %lld\n",
                   (long long)census->year, STR_ARG(census->tag),
                   (long long)census->questions, (long long)census->accepted,
                   (long long)census->answered, (long long)census->closed,
                   (long long)census->views, (long long)census->score);
    return true;
}

static bool show_file(void *context, const struct store_file *file, struct err *err)
{
    (void)err;
    buf_add_format(context, "%lld %.*s %.*s\n", (long long)file->source,
                   STR_ARG(file->path), STR_ARG(file->hash));
    return true;
}

static void expect(struct buf *out, bool ok, const struct err *err, const char *want)
{
    buf_add_char(out, '\0');
    CHECK(ok);
    CHECK_TEXT(err->text, "");
    CHECK_TEXT(out->ptr, want);
    buf_clear(out);
}

static int64_t count_of(struct store *corpus, const char *sql)
{
    struct err err = {0};
    int64_t count = -1;

    CHECK(store_count(corpus, sql, &count, &err));
    return count;
}

#define FIRST \
    "1 1 - 2 0 5 5 60 1 1 2 70 - - - <a><C++>|How|CC BY-SA 3.0 (by its row or its " \
    "date)|1|<p>x</p><pre>y</pre>\n" \
    "2 2 1 - 1 - -3 - - 0 - -1 - - - ||CC BY-SA 3.0 (by its row or its date)|0|" \
    "<p>so</p>\n"

/* What both schemas have. */
static void check_common(struct store *corpus, struct buf *out)
{
    struct err err = {0};
    struct str value;

    tap_case("comments, users, links");
    expect(out, store_comments_on(corpus, 2, show_comment, out, &err), &err,
           "30 71 thanks\n");
    CHECK(count_of(corpus, "SELECT count(*) FROM comment WHERE (created_ms, score) = "
                           "(1400000002000, 1)") == 1);
    CHECK(count_of(corpus, "SELECT count(*) FROM user WHERE (id, created_ms, reputation, "
                           "name) = (70, 1300000000000, 15, 'A')") == 1);
    CHECK(count_of(corpus, "SELECT count(*) FROM user") == 2);
    CHECK(count_of(corpus, "SELECT count(*) FROM link WHERE (id, item, related, type, "
                           "created_ms) = (40, 7, 1, 3, 1400000003000)") == 1);
    tap_case("the census, as that of the first source");
    expect(out, store_census(corpus, 0, show_census, out, &err), &err,
           "2014 '' 9 4 6 1 600 50\n2014 'a' 3 1 2 0 90 7\n");
    tap_case("health and state");
    expect(out, store_health(corpus, out, &err), &err,
           "# Health of the sources\n\n| finding | value |\n|---|---|\n| rows | 3 |\n");
    CHECK(store_get_state(corpus, STR("dump-id"), &arena, &value, &err) &&
          str_eq(value, STR("0123456789abcdef")));
    CHECK(store_get_state(corpus, STR("key"), &arena, &value, &err) &&
          str_eq(value, STR("engine 1")));
    tap_case("the schema is ours");
    CHECK(count_of(corpus, "PRAGMA user_version") == STORE_SCHEMA);
    CHECK(count_of(corpus, "SELECT count(*) FROM sqlite_schema WHERE name IN ('tag', "
                           "'post_text')") == 0);
}

static void check_first(const char *path)
{
    struct err err = {0};
    struct buf out = {0};
    struct store *corpus;

    tap_case("schema 1: it is old");
    if (!make(path, 1, "") || !CHECK(store_is_old(path)) ||
        !CHECK(store_open(path, (struct str){0}, &corpus, &err)))
        return;
    CHECK(!store_is_old(path));
    tap_case("schema 1: items");
    expect(&out, store_scan(corpus, ~0u, show_row, &out, &err), &err,
           FIRST "7 1 - 99 - - - - - - - - - - - |Why||0|\n");
    check_common(corpus, &out);
    tap_case("schema 1: it had no sources, origins and fields");
    expect(&out, store_origins(corpus, show_text, &out, &err), &err, "");
    expect(&out, store_files(corpus, show_file, &out, &err), &err, "");
    store_close(corpus);
    buf_free(&out);
}

static void check_second(const char *path)
{
    struct err err = {0};
    struct buf out = {0};
    struct store *corpus;

    tap_case("schema 2: it is old");
    if (!make(path, 2, "") || !CHECK(store_is_old(path)) ||
        !CHECK(store_open(path, (struct str){0}, &corpus, &err)))
        return;
    tap_case("schema 2: items; rows with ids of their own move to their source's space");
    expect(&out, store_scan(corpus, ~0u, show_row, &out, &err), &err,
           FIRST "7 1 - 0 - - - - - - - - 9 - - |Why||0|\n"
                 "2:500 9 - - 0 - 4 - - - - - - - - <bug>|crash|MIT|0|it <crashed>\n"
                 "2:600 9 - - - - - - - - - - - - - |hang||0|\n"
                 "3:1 9 - - - - - - - - - - - - - |log one||0|a\n"
                 "3:2 9 - - - - - - - - - - - - - |log two||0|b\n");
    check_common(corpus, &out);
    tap_case("schema 2: origins under the new ids");
    expect(
        &out, store_origins(corpus, show_text, &out, &err), &err,
        "1 so\n7 so\n7 more\n2:500 bugs\n2:600 bugs\n2:600 logs\n3:1 logs\n3:2 logs\n");
    tap_case("schema 2: fields under the new ids");
    expect(&out, store_field(corpus, STR("os"), show_text, &out, &err), &err,
           "7 linux\n2:500 mac\n3:2 bsd\n");
    expect(&out, store_field(corpus, STR("level"), show_text, &out, &err), &err,
           "2:500 high\n");
    tap_case("schema 2: sources and files, votes, changes, badges");
    expect(&out, store_files(corpus, show_file, &out, &err), &err,
           "0 d/Posts.xml aa\n2 b.csv bb\n");
    CHECK(count_of(corpus, "SELECT count(*) FROM source WHERE (number, name, kind, "
                           "settings) = (2, 'bugs', 'rows', 'id=Id')") == 1);
    CHECK(count_of(corpus, "SELECT count(*) FROM vote WHERE (id, item, type, created_ms) "
                           "= (50, 1, 2, 1400000006000)") == 1);
    CHECK(count_of(corpus, "SELECT count(*) FROM history WHERE (id, item, type, "
                           "created_ms, user) = (60, 1, 10, 1400000005000, 70)") == 1);
    CHECK(count_of(corpus,
                   "SELECT count(*) FROM badge WHERE (id, user, name, created_ms) "
                   "= (80, 70, 'Student', 1400000007000)") == 1);
    uint64_t first = stored_hash(corpus);
    CHECK(first != 0);
    store_close(corpus);

    tap_case("to open it again changes nothing");
    CHECK(!store_is_old(path) && store_open(path, (struct str){0}, &corpus, &err));
    CHECK(stored_hash(corpus) == first);
    store_close(corpus);
    buf_free(&out);
}

/* A study with one table of rows, whose source has no name: there are no origins. */
static void check_alone(const char *path)
{
    struct err err = {0};
    struct buf out = {0};
    struct store *corpus;

    tap_case("a single source without a name: its rows keep their ids and fields");
    if (!make(path, 2,
              "DELETE FROM origin; DELETE FROM source WHERE number > 0; DELETE "
              "FROM post WHERE id <> 500; DELETE FROM field WHERE post <> 500") ||
        !CHECK(store_open(path, (struct str){0}, &corpus, &err)))
        return;
    expect(&out, store_field(corpus, STR("os"), show_text, &out, &err), &err,
           "500 mac\n");
    CHECK(count_of(corpus, "SELECT id FROM item") == 500);
    store_close(corpus);
    buf_free(&out);
}

static bool show_pair(void *context, int64_t answer, int64_t question, struct err *err)
{
    (void)err;
    buf_add_format(context, "%lld %lld\n", (long long)answer, (long long)question);
    return true;
}

#define AS_IN_SCHEMA_4 \
    "UPDATE text SET body = (SELECT body FROM post WHERE post.id = text.id); DROP VIEW " \
    "post; DROP TABLE pack; ALTER TABLE text DROP COLUMN pack; ALTER TABLE text DROP " \
    "COLUMN " \
    "place; ALTER TABLE text DROP COLUMN len; ALTER TABLE source DROP COLUMN first_ms; "

static bool count_bodies(void *context, const struct store_row *row, struct err *err)
{
    struct str body;

    return store_row_body(row, &body, err) && ++*(int64_t *)context > 0;
}

/* Schema 4 had all texts plain, and so they stay. */
static void check_fourth(const char *path)
{
    struct err err = {0};
    struct store *corpus;
    int64_t count = 0;

    tap_case("schema 4: texts stay as they are");
    if (!make(path, 2, "") || !CHECK(store_open(path, (struct str){0}, &corpus, &err)))
        return;
    uint64_t before = stored_hash(corpus);
    CHECK(stored_open_view(corpus) &&
          store_run(corpus, AS_IN_SCHEMA_4 "PRAGMA user_version = 4", &err));
    store_close(corpus);
    if (!CHECK(store_is_old(path)) ||
        !CHECK(store_open(path, (struct str){0}, &corpus, &err)))
        return;
    CHECK(!store_is_old(path) && count_of(corpus, "SELECT count(*) FROM pack") == 0);
    CHECK(stored_hash(corpus) == before);
    CHECK(store_scan(corpus, ~0u, count_bodies, &count, &err) && count == 7);
    store_close(corpus);
}

static bool show_license(void *context, const struct store_row *row, struct err *err)
{
    (void)err;
    buf_add_format(context, "%lld %.*s\n", (long long)row->item.id,
                   STR_ARG(row->item.license));
    return true;
}

static bool show_fetched(void *context, const struct item *item, struct err *err)
{
    struct store_row row = {.item = *item};

    return show_license(context, &row, err);
}

/* Until schema 6, and at first with it, licences by date had no mark. Of a post whose
 * licence is another than that of its date its row said so; of others that is known where
 * the corpus has marks at all. */
static void check_licenses(const char *path)
{
    static const int64_t ids[] = {3, 1, 2};
    static const struct {
        const char *name;
        struct str third;
        int schema;
        const char *read, *fetched;
    } rows[] = {
        {"schema 6, no mark", STR_INIT(""), 6,
         "1 CC BY-SA 3.0 (by its row or its date)\n2 CC BY-SA 4.0\n3 \n",
         "3 \n1 CC BY-SA 3.0 (by its row or its date)\n2 CC BY-SA 4.0\n"},
        {"schema 6, with marks", STR_INIT("CC BY-SA 3.0 (by its date)"), 6,
         "1 CC BY-SA 3.0\n2 CC BY-SA 4.0\n3 CC BY-SA 3.0 (by its date)\n",
         "3 CC BY-SA 3.0 (by its date)\n1 CC BY-SA 3.0\n2 CC BY-SA 4.0\n"},
        {"schema 5", STR_INIT("MIT"), 5,
         "1 CC BY-SA 3.0 (by its row or its date)\n2 CC BY-SA 4.0\n3 MIT\n",
         "3 MIT\n1 CC BY-SA 3.0 (by its row or its date)\n2 CC BY-SA 4.0\n"},
        {"schema 7", STR_INIT(""), 7, "1 CC BY-SA 3.0\n2 CC BY-SA 4.0\n3 \n",
         "3 \n1 CC BY-SA 3.0\n2 CC BY-SA 4.0\n"},
        {"made now", STR_INIT(""), STORE_SCHEMA,
         "1 CC BY-SA 3.0\n2 CC BY-SA 4.0\n3 \n",
         "3 \n1 CC BY-SA 3.0\n2 CC BY-SA 4.0\n"},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct str given[] = {STR("CC BY-SA 3.0"), STR("CC BY-SA 4.0"),
                                    rows[i].third};
        struct err err = {0};
        struct buf out = {0};
        struct store *corpus;
        bool resumed;

        tap_case("licences: %s", rows[i].name);
        file_remove(path);
        bool ok = store_build(path, STR("k"), &corpus, &resumed, &err) &&
                  store_begin(corpus, &err);
        for (size_t g = 0; g < ROWS(given) && ok; g++) {
            struct item item = stored_post((int64_t)g + 1);
            item.created_ms = INT64_C(1400000000000); /* 2014 */
            item.license = given[g];
            ok = stored_append(corpus, &item, &err);
        }
        char schema[99];
        snprintf(schema, sizeof schema, "%sPRAGMA user_version = %d",
                 rows[i].schema < STORE_SCHEMA
                     ? "ALTER TABLE source DROP COLUMN first_ms;"
                     : "",
                 rows[i].schema);
        if (!CHECK(ok && store_commit(corpus, &err) && store_finish(corpus, &err) &&
                   store_open_file(path, &corpus, &err) &&
                   store_run(corpus, schema, &err)))
            return;
        store_close(corpus);
        if (!CHECK(store_is_old(path) == (rows[i].schema < STORE_SCHEMA)) ||
            !CHECK(store_open(path, (struct str){0}, &corpus, &err)))
            return;
        expect(&out, store_scan(corpus, ~0u, show_license, &out, &err), &err,
               rows[i].read);
        expect(&out, store_fetch(corpus, ids, ROWS(ids), show_fetched, &out, &err), &err,
               rows[i].fetched);
        expect(&out, store_fetch_heads(corpus, ids, ROWS(ids), show_fetched, &out, &err),
               &err, rows[i].fetched);
        store_close(corpus);
        buf_free(&out);
    }
}

/* Until schema 7 it was not known when sources begin. */
static void check_beginnings(const char *path)
{
    static const struct {
        const char *name, *change, *error;
    } rows[] = {
        {"as they were sealed", "PRAGMA user_version = 7", ""},
        {"damaged", "UPDATE source SET last_ms = 6; PRAGMA user_version = 7",
         "/c.db: is damaged: its table 'source' is not as it was written; remove it, and "
         "'assay ingest' makes it anew"},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct err err = {0};
        struct store_span span;
        struct store *corpus;
        bool resumed;

        tap_case("sources of schema 7, %s", rows[i].name);
        file_remove(path);
        if (!CHECK(store_build(path, STR("k"), &corpus, &resumed, &err) &&
                   store_begin(corpus, &err) &&
                   store_run(corpus,
                             "INSERT INTO source (number, name, kind, settings, last_ms) "
                             "VALUES (1, 'so', 'dump', '', 5)",
                             &err) &&
                   store_commit(corpus, &err) && store_finish(corpus, &err) &&
                   store_open_file(path, &corpus, &err) &&
                   store_run(corpus, "ALTER TABLE source DROP COLUMN first_ms", &err) &&
                   store_run(corpus, rows[i].change, &err)))
            return;
        store_close(corpus);
        bool ok = store_open(path, (struct str){0}, &corpus, &err) &&
                  store_source_span(corpus, 1, &span, &err);
        CHECK(ok == (rows[i].error[0] == '\0'));
        if (ok)
            CHECK(span.first_ms == ITEM_NONE && span.last_ms == 5);
        else
            CHECK(str_ends(str_from(err.text), str_from(rows[i].error)));
        store_close(corpus);
    }
}

/* Builds of schema 3 had tables that the others had not. */
static void check_third(const char *path)
{
    static const struct {
        const char *name, *change, *late, *error;
        bool sealed;
    } rows[] = {
        {"without tables that came later",
         "DROP TABLE late; DROP TABLE alias; DELETE FROM seal WHERE name IN ('late', "
         "'alias')",
         "", "", false},
        {"with other keys alone", "DROP TABLE late; DELETE FROM seal WHERE name = 'late'",
         "", "", false},
        {"with all of them", "INSERT INTO late VALUES (9, 1)", "9 1\n", "", true},
        {"damaged", "INSERT INTO late VALUES (9, 1)", "",
         "/c.db: is damaged: its table 'late' is not as it was written; remove it, and "
         "'assay ingest' makes it anew",
         false},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct err err = {0};
        struct buf out = {0};
        struct store *corpus;
        struct item_name *names;
        size_t count = 9;

        tap_case("schema 3, %s", rows[i].name);
        if (!make(path, 2, "") ||
            !CHECK(store_open(path, (struct str){0}, &corpus, &err)))
            return;
        CHECK(store_run(corpus, rows[i].change, &err) &&
              (!rows[i].sealed || store_seal(corpus, ~0u, &err)) &&
              stored_open_view(corpus) &&
              store_run(corpus,
                        AS_IN_SCHEMA_4
                        "ALTER TABLE item DROP COLUMN wiki_ms; ALTER TABLE item DROP "
                        "COLUMN lastactive_ms; DELETE FROM seal WHERE name IN ('user', "
                        "'link'); PRAGMA user_version = 3",
                        &err));
        store_close(corpus);
        if (!CHECK(store_is_old(path)) ||
            !CHECK(store_open(path, (struct str){0}, &corpus, &err)))
            return;
        CHECK(!store_is_old(path));
        CHECK(store_migrate(path, &err)); /* another process had been first */
        bool ok = store_late(corpus, show_pair, &out, &err);
        CHECK(ok == (rows[i].error[0] == '\0'));
        CHECK_TEXT(ok ? "" : err.text + strlen(folder), rows[i].error);
        CHECK(str_eq(buf_str(&out), str_from(rows[i].late)));
        CHECK(store_names(corpus, &arena, &names, &count, &err) && count == 0);
        buf_clear(&out);
        if (ok)
            check_common(corpus, &out);
        store_close(corpus);
        buf_free(&out);
    }
}

/* What an older assay had begun cannot be gone on with. */
static void check_part(const char *path)
{
    struct err err = {0};
    struct store *corpus;
    bool resumed = false;

    tap_case("a part of an older schema is begun anew");
    for (int i = 0; i < 2; i++) {
        if (!CHECK(store_build(path, STR("k"), &corpus, &resumed, &err)))
            return;
        CHECK(resumed == (i == 1));
        CHECK(store_run(corpus, i == 1 ? "PRAGMA user_version = 3" : "", &err));
        store_close(corpus);
    }
    CHECK(store_build(path, STR("k"), &corpus, &resumed, &err) && !resumed);
    store_close(corpus);
}

static void check_interrupted(const char *path)
{
    struct err err = {0};
    struct store *corpus;
    bool resumed;

    tap_case("a migration that was interrupted is made again");
    if (!make(path, 2, "") ||
        !CHECK(store_build(path, STR("engine 1"), &corpus, &resumed, &err)))
        return;
    store_close(corpus);
    bool ok = CHECK(store_open(path, (struct str){0}, &corpus, &err));
    CHECK_TEXT(err.text, "");
    if (!ok)
        return;
    CHECK(count_of(corpus, "SELECT count(*) FROM item") == 7);
    store_close(corpus);
    CHECK(!file_exists(file_join(folder, "c.db.part", &arena)));
}

static void check_broken(const char *path)
{
    struct err err = {0};
    struct str before, after;
    struct store *corpus;

    tap_case("an old corpus that is broken is refused by name, and stays as it is");
    if (!make(path, 2, "DROP TABLE field") ||
        !CHECK(file_read(path, &arena, &before, &err)))
        return;
    CHECK(!store_open(path, (struct str){0}, &corpus, &err) &&
          strstr(err.text, path) != NULL);
    err = (struct err){0};
    CHECK(file_read(path, &arena, &after, &err) && str_eq(before, after));
}

int main(void)
{
    if (mkdtemp(folder) == NULL)
        return puts("Bail out! no temporary folder"), 1;
    const char *path = file_join(folder, "c.db", &arena);
    check_first(path);
    check_second(path);
    check_alone(path);
    check_beginnings(path);
    check_third(path);
    check_beginnings(path);
    check_fourth(path);
    check_licenses(path);
    check_part(path);
    check_interrupted(path);
    check_broken(path);
    static const char *const left[] = {"c.db", "c.db.part", "c.db.part-wal",
                                       "c.db.part-shm"};
    for (size_t i = 0; i < ROWS(left); i++)
        file_remove(file_join(folder, left[i], &arena));
    tap_case("nothing else is left behind");
    CHECK(rmdir(folder) == 0);
    arena_free(&arena);
    return tap_done();
}
