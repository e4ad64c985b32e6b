/* Rows are entered as they are given, and once. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "store/corpus.h"
#include "tests/tap.h"
#include "tests/unit/stored.h"

static char folder[] = "/tmp/assay-test-XXXXXX";

static int64_t count_of(struct corpus *corpus, const char *sql)
{
    struct err err = {0};
    int64_t count = -1;

    CHECK(corpus_count(corpus, sql, &count, &err));
    return count;
}

/* One row of each kind, and the same again: rows with the same id are not entered twice,
 * nor is a field that another source has given before. */
static void add_all(struct corpus *corpus, struct str field, struct err *err)
{
    struct corpus_comment comment = {5, 1, 2, 3, 4, STR("text")};
    struct corpus_user user = {4, 2, 3, STR("name")};
    struct corpus_link link = {6, 1, 2, 3, 4};
    struct corpus_vote vote = {7, 1, 2, ITEM_NONE};
    struct corpus_history history = {8, 1, 10, 4, 5};
    struct corpus_badge badge = {9, 4, 2, STR("Student")};
    struct corpus_census census = {2020, STR("x"), 1, 2, 3, 4, 5, 6};

    CHECK(corpus_begin(corpus, err));
    CHECK(corpus_add_comment(corpus, &comment, err));
    CHECK(corpus_add_user(corpus, &user, err));
    CHECK(corpus_add_link(corpus, &link, err));
    CHECK(corpus_add_vote(corpus, &vote, err));
    CHECK(corpus_add_history(corpus, &history, err));
    CHECK(corpus_add_badge(corpus, &badge, err));
    CHECK(corpus_add_origin(corpus, 1, 0, err));
    CHECK(corpus_add_field(corpus, 1, STR("kind"), field, err));
    CHECK(corpus_add_field(corpus, 1, STR("none"), STR(""), err));
    CHECK(corpus_add_census(corpus, &census, err));
    CHECK(corpus_commit(corpus, err));
}

static void check_rows(const char *path, struct err *err)
{
    static const struct {
        const char *name, *sql;
    } kept[] = {
        {"comment",
         "SELECT count(*) FROM comment WHERE (id, post, created_ms, score, user, "
         "text) = (5, 1, 2, 3, 4, 'text')"},
        {"user",
         "SELECT count(*) FROM user WHERE (id, created_ms, reputation, name) = (4, "
         "2, 3, 'name')"},
        {"link",
         "SELECT count(*) FROM link WHERE (id, post, related, type, created_ms) = "
         "(6, 1, 2, 3, 4)"},
        {"vote", "SELECT count(*) FROM vote WHERE (id, post, type) = (7, 1, 2) AND "
                 "created_ms IS NULL"},
        {"history",
         "SELECT count(*) FROM history WHERE (id, post, type, created_ms, user) "
         "= (8, 1, 10, 4, 5)"},
        {"badge",
         "SELECT count(*) FROM badge WHERE (id, user, name, created_ms) = (9, 4, "
         "'Student', 2)"},
        {"origin", "SELECT count(*) FROM origin WHERE (post, source) = (1, 0)"},
        {"field",
         "SELECT count(*) FROM field WHERE (post, name, value) = (1, 'kind', 'a')"},
        {"census, added up",
         "SELECT count(*) FROM census WHERE (year, tag, questions, "
         "accepted, answered, closed, views, score) = (2020, 'x', 2, 4, "
         "6, 8, 10, 12)"},
    };
    static const char *const tables[] = {
        "SELECT count(*) FROM comment", "SELECT count(*) FROM user",
        "SELECT count(*) FROM link",    "SELECT count(*) FROM vote",
        "SELECT count(*) FROM history", "SELECT count(*) FROM badge",
        "SELECT count(*) FROM origin",  "SELECT count(*) FROM field",
        "SELECT count(*) FROM census"};
    struct corpus *corpus;
    bool resumed;

    CHECK(corpus_build(path, STR("rows"), &corpus, &resumed, err));
    add_all(corpus, STR("a"), err);
    add_all(corpus, STR("b"), err);
    for (size_t i = 0; i < ROWS(kept); i++) {
        tap_case("a row, twice: %s", kept[i].name);
        CHECK(count_of(corpus, kept[i].sql) == 1);
        CHECK(count_of(corpus, tables[i]) == 1);
    }
    corpus_close(corpus);
}

static void check_licenses(const char *path, struct err *err)
{
    static const struct {
        const char *name;
        int64_t type, created_ms;
        struct str given, stored;
    } rows[] = {
        {"the first", 1, 1302220799999, STR_INIT(""), STR_INIT("CC BY-SA 2.5")},
        {"the second", 1, 1302220800000, STR_INIT(""), STR_INIT("CC BY-SA 3.0")},
        {"the third", 2, 1525219200000, STR_INIT(""), STR_INIT("CC BY-SA 4.0")},
        {"what the source says", 1, 0, STR_INIT("MIT"), STR_INIT("MIT")},
        {"no date", 1, ITEM_NONE, STR_INIT(""), STR_INIT("")},
        {"a row of a table", ITEM_ROW, 0, STR_INIT(""), STR_INIT("")},
    };
    struct corpus *corpus;
    bool resumed, added;

    CHECK(corpus_build(path, STR("licenses"), &corpus, &resumed, err));
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct item post = stored_post((int64_t)i);
        char sql[200];
        tap_case("license: %s", rows[i].name);
        post.kind = rows[i].type;
        post.created_ms = rows[i].created_ms;
        post.license = rows[i].given;
        CHECK(corpus_add_post(corpus, &post, &added, err) && added);
        snprintf(sql, sizeof sql, "SELECT license = '%s' FROM post WHERE id = %zu",
                 rows[i].stored.ptr, i);
        CHECK(count_of(corpus, sql) == 1);
    }
    corpus_close(corpus);
}

static void check_state(const char *path, struct err *err)
{
    struct corpus *corpus;
    struct arena arena = {0};
    struct str value;
    bool resumed;

    CHECK(corpus_build(path, STR("state"), &corpus, &resumed, err));
    tap_case("state: what is not there is empty");
    CHECK(corpus_get_state(corpus, STR("x"), &arena, &value, err) && value.len == 0);
    tap_case("state: bytes as they are, the newest of them");
    CHECK(corpus_set_state(corpus, STR("x"), STR("old"), err));
    CHECK(corpus_set_state(corpus, STR("x"), STR("a\0b"), err));
    CHECK(corpus_get_state(corpus, STR("x"), &arena, &value, err));
    CHECK(str_eq(value, STR("a\0b")));
    corpus_close(corpus);
    arena_free(&arena);
}

int main(void)
{
    struct arena arena = {0};
    struct err err = {0};

    if (mkdtemp(folder) == NULL)
        return puts("Bail out! no temporary folder"), 1;
    const char *path = file_join(folder, "c.db", &arena);
    check_rows(path, &err);
    check_licenses(path, &err);
    check_state(path, &err);
    static const char *const left[] = {"c.db.part", "c.db.part-wal", "c.db.part-shm"};
    for (size_t i = 0; i < ROWS(left); i++)
        file_remove(file_join(folder, left[i], &arena));
    tap_case("nothing else is left behind");
    CHECK(rmdir(folder) == 0);
    arena_free(&arena);
    return tap_done();
}
