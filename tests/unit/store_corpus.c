/* A corpus comes into being whole, is gone on with after an interruption, and is told
 * from other files. */
#include "store/corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "tests/tap.h"
#include "tests/unit/stored.h"

static char folder[] = "/tmp/assay-test-XXXXXX";
static struct arena arena;

static bool add(struct corpus *corpus, int64_t from, int64_t to, struct err *err)
{
    bool added;

    if (!corpus_begin(corpus, err))
        return false;
    for (int64_t id = from; id < to; id++) {
        struct item post = stored_post(id);
        if (!corpus_add_post(corpus, &post, &added, err) || !added)
            return false;
    }
    return corpus_commit(corpus, err);
}

static void check_building(const char *path, struct err *err)
{
    struct corpus *corpus;
    bool resumed, added;
    int64_t count;
    uint64_t whole = 0, parts = 1;
    struct item twice = stored_post(3);
    struct str value;

    tap_case("built in one go");
    CHECK(corpus_build(path, STR("k1"), &corpus, &resumed, err) && !resumed);
    CHECK(add(corpus, 1, 100, err));
    CHECK(corpus_begin(corpus, err) && corpus_add_post(corpus, &twice, &added, err) &&
          !added && corpus_commit(corpus, err));
    CHECK(!file_exists(path));
    CHECK(corpus_hash(corpus, &whole, err) && corpus_finish(corpus, err));
    CHECK(file_exists(path) && !file_exists(file_join(folder, "c.db.part", &arena)));
    CHECK(corpus_open(path, &corpus, err));
    CHECK(corpus_count(corpus, "SELECT count(*) FROM post", &count, err) && count == 99);
    CHECK(corpus_count(corpus, "SELECT count(*) FROM tag WHERE name = 'python'", &count,
                       err) &&
          count == 99);
    CHECK(corpus_count(corpus,
                       "SELECT count(*) FROM post_text WHERE post_text MATCH 'body'",
                       &count, err) &&
          count == 99);
    corpus_close(corpus);

    tap_case(
        "interrupted, then gone on with: the same content; the old one stands till then");
    CHECK(corpus_build(path, STR("k2"), &corpus, &resumed, err) && !resumed);
    CHECK(add(corpus, 1, 40, err));
    CHECK(corpus_begin(corpus, err) &&
          corpus_set_state(corpus, STR("at"), STR("40"), err) &&
          corpus_commit(corpus, err));
    struct item lost = stored_post(70);
    CHECK(corpus_begin(corpus, err) && corpus_add_post(corpus, &lost, &added, err));
    corpus_close(corpus); /* without commit, as kill -9 would */
    CHECK(file_exists(path));
    CHECK(corpus_build(path, STR("k2"), &corpus, &resumed, err) && resumed);
    CHECK(corpus_get_state(corpus, STR("at"), &arena, &value, err) &&
          str_eq(value, STR("40")));
    CHECK(add(corpus, 40, 100, err));
    CHECK(corpus_hash(corpus, &parts, err) && parts == whole);
    CHECK(corpus_finish(corpus, err));

    tap_case("another key begins anew");
    CHECK(corpus_build(path, STR("k3"), &corpus, &resumed, err) && !resumed);
    CHECK(add(corpus, 1, 5, err));
    corpus_close(corpus);
    CHECK(corpus_build(path, STR("k4"), &corpus, &resumed, err) && !resumed);
    CHECK(corpus_count(corpus, "SELECT count(*) FROM post", &count, err) && count == 0);
    corpus_close(corpus);
}

static int64_t count_of(struct corpus *corpus, const char *sql)
{
    struct err err = {0};
    int64_t count = -1;

    CHECK(corpus_count(corpus, sql, &count, &err));
    return count;
}

/* The hash of the sources: whatever is in it changes it, and nothing else does. */
static uint64_t sources_hash(const char *path, const char *name, const char *kind,
                             const char *settings, const char *file_path,
                             const char *hash, const char *also)
{
    struct corpus_source source = {0, str_from(name), str_from(kind), str_from(settings)};
    struct corpus_file file = {0, 0, str_from(file_path), str_from(hash)};
    struct corpus *corpus;
    struct err err = {0};
    bool resumed;
    uint64_t got = 0;

    CHECK(corpus_build(path, str_from(also), &corpus, &resumed, &err));
    CHECK(corpus_add_source(corpus, &source, &err) &&
          corpus_add_file(corpus, &file, &err));
    CHECK(corpus_sources_hash(corpus, str_from(also), &got, &err));
    corpus_close(corpus);
    return got;
}

static void check_sources_hash(const char *path)
{
    uint64_t first = sources_hash(path, "n", "dump", "until 5", "p", "00", "a");

    tap_case("hash of the sources: the path is not in it");
    CHECK(sources_hash(path, "n", "dump", "until 5", "q", "00", "a") == first);
    tap_case("hash of the sources: all else is");
    CHECK(sources_hash(path, "m", "dump", "until 5", "p", "00", "a") != first);
    CHECK(sources_hash(path, "n", "rows", "until 5", "p", "00", "a") != first);
    CHECK(sources_hash(path, "n", "dump", "until 6", "p", "00", "a") != first);
    CHECK(sources_hash(path, "n", "dump", "until 5", "p", "01", "a") != first);
    CHECK(sources_hash(path, "n", "dump", "until 5", "p", "00", "b") != first);
}

/* corpus_count() runs anything, but is content only with a number. */
static void run(struct corpus *corpus, const char *sql)
{
    struct err ignored = {0};
    int64_t none;

    (void)!corpus_count(corpus, sql, &none, &ignored);
}

static void check_migration(const char *path, struct err *err)
{
    static const char *const undo[] = {
        "DROP INDEX post_parent", "ALTER TABLE post DROP COLUMN accepted_ms",
        "DROP TABLE source",      "DROP TABLE source_file",
        "DROP TABLE origin",      "DROP TABLE field",
        "DROP TABLE vote",        "DROP TABLE history",
        "DROP TABLE badge",       "PRAGMA user_version = 1",
    };
    struct corpus *corpus;
    bool resumed;
    uint64_t before = 0, after = 1;

    tap_case("a corpus of schema 1 gets what it lacks");
    CHECK(corpus_build(path, STR("old"), &corpus, &resumed, err) &&
          add(corpus, 1, 10, err) && corpus_hash(corpus, &before, err) &&
          corpus_finish(corpus, err));
    CHECK(corpus_open(path, &corpus, err));
    for (size_t i = 0; i < ROWS(undo); i++)
        run(corpus, undo[i]);
    CHECK(count_of(corpus, "PRAGMA user_version") == 1);
    CHECK(count_of(corpus, "SELECT count(*) FROM sqlite_schema WHERE name = 'vote'") ==
          0);
    corpus_close(corpus);
    CHECK(corpus_open(path, &corpus, err));
    CHECK(count_of(corpus, "PRAGMA user_version") == CORPUS_SCHEMA);
    CHECK(count_of(corpus, "SELECT count(*) FROM post WHERE accepted_ms IS NULL") == 9);
    CHECK(corpus_hash(corpus, &after, err) && after == before);
    corpus_close(corpus);

    tap_case("a corpus of a newer schema is refused");
    CHECK(corpus_open(path, &corpus, err));
    run(corpus, "PRAGMA user_version = 99");
    corpus_close(corpus);
    CHECK(!corpus_open(path, &corpus, err) && err->kind == ERR_INPUT);
    CHECK(strstr(err->text, "has schema 99, made by a newer assay") != NULL);
    file_remove(path);
}

static void check_health(const char *path, struct err *err)
{
    struct corpus *corpus;
    struct buf out = {0};
    bool resumed;

    tap_case("the health report is a table, whatever the findings");
    CHECK(corpus_build(path, STR("health"), &corpus, &resumed, err));
    CHECK(corpus_set_health(corpus, STR("tags are written"), STR("|a|b|"), err));
    CHECK(corpus_set_health(corpus, STR("answers"), STR("5"), err));
    CHECK(corpus_health(corpus, &out, err));
    buf_add_char(&out, '\0');
    CHECK_TEXT(out.ptr, "# Health of the sources\n\n| finding | value |\n|---|---|\n"
                        "| answers | 5 |\n| tags are written | \\|a\\|b\\| |\n");
    buf_free(&out);
    corpus_close(corpus);
}

static void check_refusals(struct err *err)
{
    struct corpus *corpus;
    const char *other = file_join(folder, "other", &arena);

    tap_case("a file that is no database");
    CHECK(file_write(other, STR("hello, this is no database, and long enough to tell"),
                     err));
    CHECK(!corpus_open(other, &corpus, err) && err->kind == ERR_INPUT);
    CHECK(strstr(err->text, "not a corpus of assay, or damaged") != NULL);
    file_remove(other);
    tap_case("a file that is not there");
    CHECK(!corpus_open(other, &corpus, err) && err->kind == ERR_SYSTEM);
}

int main(void)
{
    struct err err = {0};

    if (mkdtemp(folder) == NULL)
        return puts("Bail out! no temporary folder"), 1;
    const char *path = file_join(folder, "c.db", &arena);
    check_building(path, &err);
    check_sources_hash(path);
    check_health(path, &err);
    check_migration(path, &err);
    check_refusals(&err);
    static const char *const left[] = {"c.db",      "c.db-wal",      "c.db-shm",
                                       "c.db.part", "c.db.part-wal", "c.db.part-shm"};
    for (size_t i = 0; i < ROWS(left); i++)
        file_remove(file_join(folder, left[i], &arena));
    tap_case("nothing else is left behind");
    CHECK(rmdir(folder) == 0);
    arena_free(&arena);
    return tap_done();
}
