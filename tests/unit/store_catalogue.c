/* What stands beside the items: entered once, read in its order, counted, hashed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "store/corpus.h"
#include "tests/tap.h"
#include "tests/unit/stored.h"

static char folder[] = "/tmp/assay-test-XXXXXX";

static int64_t count_of(struct store *corpus, const char *sql)
{
    struct err err = {0};
    int64_t count = -1;

    CHECK(store_count(corpus, sql, &count, &err));
    return count;
}

/* --- rows --- */

/* One row of each kind, and the same again: rows with the same id are not entered twice,
 * nor is a field that another source has given before. */
static void add_all(struct store *corpus, struct str field, struct err *err)
{
    struct store_comment comment = {5, 1, 2, 3, 4, STR("text")};
    struct store_user user = {4, 2, 3, STR("name")};
    struct store_link link = {6, 1, 2, 3, 4};
    struct store_vote vote = {7, 1, 2, ITEM_NONE};
    struct store_history history = {8, 1, 10, 4, 5};
    struct store_badge badge = {9, 4, 2, STR("Student")};
    struct store_census census = {3, 2020, 1, 2, 3, 4, 5, 6, STR("x")};

    CHECK(store_begin(corpus, err));
    CHECK(store_add(corpus, STORE_COMMENT, &comment, err));
    CHECK(store_add(corpus, STORE_USER, &user, err));
    CHECK(store_add(corpus, STORE_LINK, &link, err));
    CHECK(store_add(corpus, STORE_VOTE, &vote, err));
    CHECK(store_add(corpus, STORE_HISTORY, &history, err));
    CHECK(store_add(corpus, STORE_BADGE, &badge, err));
    CHECK(store_add_origin(corpus, 1, 0, err));
    CHECK(store_add_key(corpus, 1, field, err));
    CHECK(store_add_field(corpus, 1, STR("kind"), field, err));
    CHECK(store_add_field(corpus, 1, STR("none"), STR(""), err));
    CHECK(store_add(corpus, STORE_CENSUS, &census, err));
    CHECK(store_commit(corpus, err));
}

static void check_rows(const char *path, struct err *err)
{
    static const struct {
        const char *name, *count, *sql;
    } kept[] = {
        {"comment", "SELECT count(*) FROM comment",
         "SELECT count(*) FROM comment WHERE (id, item, created_ms, score, user, "
         "text) = (5, 1, 2, 3, 4, 'text')"},
        {"user", "SELECT count(*) FROM user",
         "SELECT count(*) FROM user WHERE (id, created_ms, reputation, name) = (4, "
         "2, 3, 'name')"},
        {"link", "SELECT count(*) FROM link",
         "SELECT count(*) FROM link WHERE (id, item, related, type, created_ms) = "
         "(6, 1, 2, 3, 4)"},
        {"vote", "SELECT count(*) FROM vote",
         "SELECT count(*) FROM vote WHERE (id, item, type) = (7, 1, 2) AND "
         "created_ms IS NULL"},
        {"history", "SELECT count(*) FROM history",
         "SELECT count(*) FROM history WHERE (id, item, type, created_ms, user) "
         "= (8, 1, 10, 4, 5)"},
        {"badge", "SELECT count(*) FROM badge",
         "SELECT count(*) FROM badge WHERE (id, user, name, created_ms) = (9, 4, "
         "'Student', 2)"},
        {"origin", "SELECT count(*) FROM origin",
         "SELECT count(*) FROM origin WHERE (item, source) = (1, 0)"},
        {"key", "SELECT count(*) FROM key",
         "SELECT count(*) FROM key WHERE (id, text) = (1, 'a')"},
        {"field", "SELECT count(*) FROM field",
         "SELECT count(*) FROM field WHERE (item, name, value) = (1, 'kind', 'a')"},
        {"census, added up", "SELECT count(*) FROM census",
         "SELECT count(*) FROM census WHERE (source, year, tag, questions, accepted, "
         "answered, closed, views, score) = (3, 2020, 'x', 2, 4, 6, 8, 10, 12)"},
    };
    struct store *corpus;
    bool resumed;

    CHECK(store_build(path, STR("rows"), &corpus, &resumed, err));
    add_all(corpus, STR("a"), err);
    add_all(corpus, STR("b"), err);
    for (size_t i = 0; i < ROWS(kept); i++) {
        tap_case("a row, twice: %s", kept[i].name);
        CHECK(count_of(corpus, kept[i].sql) == 1);
        CHECK(count_of(corpus, kept[i].count) == 1);
    }
    store_close(corpus);
}

static void check_state(const char *path, struct err *err)
{
    struct store *corpus;
    struct arena arena = {0};
    struct str value;
    bool resumed;

    CHECK(store_build(path, STR("state"), &corpus, &resumed, err));
    tap_case("state: what is not there is empty");
    CHECK(store_get_state(corpus, STR("x"), &arena, &value, err) && value.len == 0);
    tap_case("state: bytes as they are, the newest of them");
    CHECK(store_set_state(corpus, STR("x"), STR("old"), err));
    CHECK(store_set_state(corpus, STR("x"), STR("a\0b"), err));
    CHECK(store_get_state(corpus, STR("x"), &arena, &value, err));
    CHECK(str_eq(value, STR("a\0b")));
    store_close(corpus);
    arena_free(&arena);
}

/* --- reading --- */

/* Questions 1, 2, 3, of which 1 stands in a second space too; answers 4 (accepted by 1,
 * older than it) and 5; a row 6. The answer that 2 accepted is not there; 3 says when its
 * answer was written, before itself, and not which it is. */
static bool fill_items(struct store *corpus, struct err *err)
{
    static const struct {
        int64_t id, kind, parent, accepted, accepted_ms, owner, created_ms;
    } items[] = {
        {1, 1, ITEM_NONE, 4, ITEM_NONE, 70, 100},
        {2, 1, ITEM_NONE, 99, ITEM_NONE, 71, 100},
        {3, 1, ITEM_NONE, 0, 50, ITEM_NONE, 100},
        {4, 2, 1, ITEM_NONE, ITEM_NONE, -1, 50},
        {5, 2, 1, ITEM_NONE, ITEM_NONE, 70, 150},
        {6, ITEM_ROW, ITEM_NONE, ITEM_NONE, ITEM_NONE, ITEM_NONE, 100},
        {(INT64_C(1) << 40) + 1, 1, ITEM_NONE, ITEM_NONE, ITEM_NONE,
         (INT64_C(1) << 40) + 72, 100},
    };
    bool ok = true;

    for (size_t i = 0; i < ROWS(items) && ok; i++) {
        struct item item = stored_post(items[i].id);
        item.kind = items[i].kind;
        item.parent = items[i].parent;
        item.accepted = items[i].accepted;
        item.accepted_ms = items[i].accepted_ms;
        item.owner = items[i].owner;
        item.created_ms = items[i].created_ms;
        ok = stored_append(corpus, &item, err);
    }
    return ok;
}

static bool fill_rest(struct store *corpus, struct err *err)
{
    const struct store_source sources[] = {
        {0, STR_INIT("s"), STR_INIT("posts"), STR_INIT("")},
        {1, STR_INIT("r"), STR_INIT("posts"), STR_INIT("")}};
    const struct store_census census[] = {{1, 2019, 6, 3, 3, 0, 9, 9, STR_INIT("python")},
                                          {1, 2019, 7, 4, 3, 1, 8, -9, STR_INIT("")},
                                          {0, 2019, 1, 1, 1, 1, 1, 1, STR_INIT("")},
                                          {0, 2018, 4, 1, 3, 0, 9, 9, STR_INIT("")}};
    const struct store_file files[] = {{1, 0, STR_INIT("c.csv"), STR_INIT("33")},
                                       {0, 1, STR_INIT("b.csv"), STR_INIT("22")},
                                       {0, 0, STR_INIT("a.csv"), STR_INIT("11")}};
    const struct store_comment comments[] = {{8, 2, 20, 1, 1, STR_INIT("later")},
                                             {7, 2, 10, ITEM_NONE, 1, STR_INIT("first")},
                                             {9, 3, 30, 1, 1, STR_INIT("thanks")}};
    const struct store_user users[] = {{.id = 70, .name = STR_INIT("a")},
                                       {.id = 71, .name = STR_INIT("b")}};
    const struct store_vote vote = {.id = 1, .item = 1, .type = 2, .created_ms = 100};
    bool ok = store_add(corpus, STORE_VOTE, &vote, err);

    for (size_t i = 0; i < ROWS(files) && ok; i++)
        ok = store_add(corpus, STORE_FILE, &files[i], err);
    for (size_t i = 0; i < ROWS(sources) && ok; i++)
        ok = store_add(corpus, STORE_SOURCE, &sources[i], err);
    for (size_t i = 0; i < ROWS(census) && ok; i++)
        ok = store_add(corpus, STORE_CENSUS, &census[i], err);
    for (size_t i = 0; i < ROWS(comments) && ok; i++)
        ok = store_add(corpus, STORE_COMMENT, &comments[i], err);
    for (size_t i = 0; i < ROWS(users) && ok; i++)
        ok = store_add(corpus, STORE_USER, &users[i], err);
    return ok && store_note_span(corpus, 1, (struct store_span){300, 500}, err) &&
           store_note_span(corpus, 1, (struct store_span){200, 400}, err) &&
           store_note_span(corpus, 1, (struct store_span){ITEM_NONE, ITEM_NONE}, err) &&
           store_add_key(corpus, 6, STR("ABC-6"), err) &&
           store_add_key(corpus, 3, STR("f00d"), err) &&
           store_add_origin(corpus, 3, 1, err) && store_add_origin(corpus, 2, 1, err) &&
           store_add_origin(corpus, 2, 0, err) &&
           store_add_field(corpus, 3, STR("kind"), STR("x"), err) &&
           store_add_field(corpus, 2, STR("other"), STR("w"), err) &&
           store_add_field(corpus, 2, STR("kind"), STR("y z"), err) &&
           store_set_health(corpus, STR("tags are written"), STR("|a|b|"), err) &&
           store_set_health(corpus, STR("answers"), STR("5"), err);
}

static bool show_text(void *context, int64_t id, struct str text, struct err *err)
{
    (void)err;
    buf_add_format(context, "%lld %.*s\n", (long long)id, STR_ARG(text));
    return true;
}

static bool show_field(void *context, struct str name, struct str value, struct err *err)
{
    (void)err;
    buf_add_format(context, "%.*s %.*s\n", STR_ARG(name), STR_ARG(value));
    return true;
}

static bool show_file(void *context, const struct store_file *file, struct err *err)
{
    (void)err;
    buf_add_format(context, "%lld %lld %.*s %.*s\n", (long long)file->source,
                   (long long)file->number, STR_ARG(file->path), STR_ARG(file->hash));
    return true;
}

static bool show_comment(void *context, const struct store_comment *comment,
                         struct err *err)
{
    (void)err;
    buf_add_format(context, "%lld %lld %lld%s %lld %.*s\n", (long long)comment->id,
                   (long long)comment->item, (long long)comment->created_ms,
                   comment->score == ITEM_NONE ? " no score" : "",
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

static bool stop_text(void *context, int64_t id, struct str text, struct err *err)
{
    (void)id, (void)text;
    ++*(int *)context;
    return err_set(err, ERR_SYSTEM, "full");
}

static void expect(struct buf *out, bool ok, const struct err *err, const char *want)
{
    buf_add_char(out, '\0');
    CHECK(ok);
    CHECK_TEXT(err->text, "");
    CHECK_TEXT(out->ptr, want);
    buf_clear(out);
}

static void check_reading(struct store *corpus)
{
    struct arena arena = {0};
    struct err err = {0};
    struct buf out = {0};
    struct item_name *names;
    size_t count;
    int calls = 0;

    tap_case("origins: by item, in the order of the study file");
    expect(&out, store_origins(corpus, show_text, &out, &err), &err, "2 s\n2 r\n3 r\n");
    tap_case("fields: of one name");
    expect(&out, store_field(corpus, STR("kind"), show_text, &out, &err), &err,
           "2 y z\n3 x\n");
    tap_case("fields: of no name that is there");
    expect(&out, store_field(corpus, STR(""), show_text, &out, &err), &err, "");
    tap_case("fields: of one item, by name");
    expect(&out, store_fields_of(corpus, 2, show_field, &out, &err), &err,
           "kind y z\nother w\n");
    tap_case("files: by source and number");
    expect(&out, store_files(corpus, show_file, &out, &err), &err,
           "0 0 a.csv 11\n0 1 b.csv 22\n1 0 c.csv 33\n");
    tap_case("comments on an item: by moment");
    expect(&out, store_comments_on(corpus, 2, show_comment, &out, &err), &err,
           "7 2 10 no score 1 first\n8 2 20 1 later\n");
    tap_case("census: all sources added up, by year and tag");
    expect(&out, store_census(corpus, STORE_ALL, show_census, &out, &err), &err,
           "2018 '' 4 1 3 0 9 9\n2019 '' 8 5 4 2 9 -8\n2019 'python' 6 3 3 0 9 9\n");
    tap_case("census: of one source");
    expect(&out, store_census(corpus, 1, show_census, &out, &err), &err,
           "2019 '' 7 4 3 1 8 -9\n2019 'python' 6 3 3 0 9 9\n");
    tap_case("the health report is a table, whatever the findings");
    expect(&out, store_health(corpus, &out, &err), &err,
           "# Health of the sources\n\n| finding | value |\n|---|---|\n"
           "| answers | 5 |\n| tags are written | \\|a\\|b\\| |\n");
    tap_case("the oldest and the newest post of a source");
    struct store_span span;
    CHECK(store_source_span(corpus, 1, &span, &err) && span.first_ms == 200 &&
          span.last_ms == 500);
    CHECK(store_source_span(corpus, 0, &span, &err) && span.first_ms == ITEM_NONE &&
          span.last_ms == ITEM_NONE);
    CHECK(store_source_span(corpus, 9, &span, &err) && span.last_ms == ITEM_NONE);
    tap_case("keys that are text: by id");
    CHECK(store_names(corpus, &arena, &names, &count, &err));
    if (CHECK(count == 2)) {
        CHECK(names[0].id == 3 && str_eq(names[0].text, STR("f00d")));
        CHECK(names[1].id == 6 && str_eq(names[1].text, STR("ABC-6")));
    }
    tap_case("the caller may stop");
    CHECK(!store_origins(corpus, stop_text, &calls, &err) && calls == 1);
    CHECK_TEXT(err.text, "full");
    buf_free(&out);
    arena_free(&arena);
}

/* --- counts and ids --- */

static void check_counts(struct store *corpus)
{
    struct store_counts counts;
    struct err err = {0};
    int64_t too_old = -1, missing = -1, several = -1;

    tap_case("each kind is counted, and the census over its years");
    CHECK(store_counts(corpus, &counts, &err));
    CHECK(counts.questions == 4 && counts.answers == 2 && counts.rows == 1);
    CHECK(counts.users == 2 && counts.votes == 1 && counts.comments == 3);
    CHECK(counts.links == 0 && counts.history == 0 && counts.badges == 0);
    CHECK(counts.census_questions == 12 && counts.census_accepted == 6);
    tap_case("accepted answers that are too old or missing");
    CHECK(store_doubts(corpus, &too_old, &missing, &several, &err));
    CHECK(too_old == 2 && missing == 1 && several == 1);
}

static void check_ids(struct store *corpus)
{
    struct idset questions = {0}, others = {0}, posts = {0}, owners = {0};
    struct err err = {0};

    tap_case("ids: questions of a space, as their source numbers them");
    CHECK(store_question_ids(corpus, 0, &questions, &err));
    CHECK(questions.ids == 3 && idset_has(&questions, 3) && !idset_has(&questions, 4));
    CHECK(store_question_ids(corpus, 1, &others, &err));
    CHECK(others.ids == 1 && idset_has(&others, 1));
    tap_case("ids: questions and answers, and who wrote them, each once");
    CHECK(store_post_ids(corpus, 0, &posts, &owners, &err));
    CHECK(posts.ids == 5 && idset_has(&posts, 5) && !idset_has(&posts, 6));
    CHECK(owners.ids == 2 && idset_has(&owners, 70) && idset_has(&owners, 71));
    tap_case("ids: of another space");
    idset_free(&owners);
    owners = (struct idset){0};
    CHECK(store_post_ids(corpus, 1, &posts, &owners, &err));
    CHECK(owners.ids == 1 && idset_has(&owners, 72));
    idset_free(&questions);
    idset_free(&others);
    idset_free(&posts);
    idset_free(&owners);
}

/* --- the hash of the sources: whatever is in it changes it, and nothing else does --- */

static uint64_t sources_hash(const char *path, const char *name, const char *kind,
                             const char *settings, const char *file_path,
                             const char *hash, const char *also)
{
    struct store_source source = {0, str_from(name), str_from(kind), str_from(settings)};
    struct store_file file = {0, 0, str_from(file_path), str_from(hash)};
    struct store *corpus;
    struct err err = {0};
    bool resumed;
    uint64_t got = 0;
    static int round; /* none goes on with the one before */
    char key[20];

    snprintf(key, sizeof key, "sources %d", ++round);
    CHECK(store_build(path, str_from(key), &corpus, &resumed, &err) && !resumed);
    CHECK(store_add(corpus, STORE_SOURCE, &source, &err) &&
          store_add(corpus, STORE_FILE, &file, &err));
    CHECK(store_sources_hash(corpus, str_from(also), &got, &err));
    store_close(corpus);
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

int main(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct store *corpus;
    bool resumed;

    if (mkdtemp(folder) == NULL)
        return puts("Bail out! no temporary folder"), 1;
    const char *path = file_join(folder, "c.db", &arena);
    check_rows(path, &err);
    check_state(path, &err);
    check_sources_hash(path);
    if (CHECK(store_build(path, STR("k"), &corpus, &resumed, &err)) &&
        CHECK(store_begin(corpus, &err) && fill_items(corpus, &err) &&
              fill_rest(corpus, &err) && store_commit(corpus, &err)) &&
        CHECK(store_finish(corpus, &err)) &&
        CHECK(store_open(path, (struct str){0}, &corpus, &err))) {
        check_reading(corpus);
        check_counts(corpus);
        check_ids(corpus);
        store_close(corpus);
    }
    static const char *const left[] = {"c.db", "c.db.part", "c.db.part-wal",
                                       "c.db.part-shm"};
    for (size_t i = 0; i < ROWS(left); i++)
        file_remove(file_join(folder, left[i], &arena));
    tap_case("nothing else is left behind");
    CHECK(rmdir(folder) == 0);
    arena_free(&arena);
    return tap_done();
}
