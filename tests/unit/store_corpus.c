/* A corpus comes into being whole, is gone on with after an interruption, is told from
 * other files, and says so when it is damaged. */
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

static bool add(struct store *corpus, int64_t from, int64_t to, struct err *err)
{
    if (!store_begin(corpus, err))
        return false;
    for (int64_t id = from; id < to; id++) {
        struct item post = stored_post(id);
        if (!stored_append(corpus, &post, err))
            return false;
    }
    return store_commit(corpus, err);
}

static void check_building(const char *path, struct err *err)
{
    struct store *corpus;
    bool resumed, added;
    int64_t count, known_ms;
    struct item twice = stored_post(3);
    struct str value;

    tap_case("built in one go");
    CHECK(store_build(path, STR("k1"), &corpus, &resumed, err) && !resumed);
    CHECK(add(corpus, 1, 100, err));
    CHECK(store_begin(corpus, err) &&
          store_append(corpus, &twice, 0, &added, &known_ms, err) && !added &&
          store_commit(corpus, err));
    CHECK(!file_exists(path));
    uint64_t whole = stored_hash(corpus);
    CHECK(whole != 0 && store_finish(corpus, err));
    CHECK(file_exists(path) && !file_exists(file_join(folder, "c.db.part", &arena)));
    CHECK(store_open(path, (struct str){0}, &corpus, err));
    CHECK(store_count(corpus, "SELECT count(*) FROM item", &count, err) && count == 99);
    store_close(corpus);

    tap_case(
        "interrupted, then gone on with: the same content; the old one stands till then");
    CHECK(store_build(path, STR("k2"), &corpus, &resumed, err) && !resumed);
    CHECK(add(corpus, 1, 40, err));
    CHECK(store_begin(corpus, err) &&
          store_set_state(corpus, STR("at"), STR("40"), err) &&
          store_commit(corpus, err));
    struct item lost = stored_post(70);
    CHECK(store_begin(corpus, err) && stored_append(corpus, &lost, err));
    store_close(corpus); /* without commit, as kill -9 would */
    const char *anew = file_join(folder, "c.db.part-anew", &arena);
    FILE *left = fopen(anew, "wb"); /* by one that was killed when it was nearly done */
    CHECK(left != NULL && fputs("SQLite format 3", left) >= 0 && fclose(left) == 0);
    CHECK(file_exists(path));
    CHECK(store_build(path, STR("k2"), &corpus, &resumed, err) && resumed);
    CHECK(store_get_state(corpus, STR("at"), &arena, &value, err) &&
          str_eq(value, STR("40")));
    CHECK(add(corpus, 40, 100, err));
    CHECK(stored_hash(corpus) == whole);
    CHECK(store_finish(corpus, err));

    tap_case("another key begins anew");
    CHECK(store_build(path, STR("k3"), &corpus, &resumed, err) && !resumed);
    CHECK(add(corpus, 1, 5, err));
    store_close(corpus);
    CHECK(store_build(path, STR("k4"), &corpus, &resumed, err) && !resumed);
    CHECK(store_count(corpus, "SELECT count(*) FROM item", &count, err) && count == 0);
    store_close(corpus);
}

/* --- damage --- */

/* All that can be read. Each reads something of its own. */
enum reading {
    SCAN,
    BODIES, /* a scan that asks for the bodies */
    FETCH,
    ANSWERS,
    NAMES,
    ORIGINS,
    FIELD,
    FIELDS_OF,
    COMMENTS,
    FILES,
    CENSUS,
    HEALTH,
    COUNTS,
    DOUBTS,
    QUESTION_IDS,
    POST_IDS,
    SOURCES_HASH,
    READINGS
};

static bool take_row(void *context, const struct store_row *row, struct err *err)
{
    (void)err;
    buf_add_format(context, "%lld %.*s ", (long long)row->item.id,
                   STR_ARG(row->item.title));
    return true;
}

static bool take_body(void *context, const struct store_row *row, struct err *err)
{
    struct str body;

    if (!store_row_body(row, &body, err))
        return false;
    buf_add(context, body);
    return true;
}

static bool take_item(void *context, const struct item *item, struct err *err)
{
    (void)err;
    buf_add_format(context, "%lld %.*s %.*s ", (long long)item->id, STR_ARG(item->title),
                   STR_ARG(item->body));
    return true;
}

static bool take_text(void *context, int64_t id, struct str text, struct err *err)
{
    (void)err;
    buf_add_format(context, "%lld %.*s ", (long long)id, STR_ARG(text));
    return true;
}

static bool take_field(void *context, struct str name, struct str value, struct err *err)
{
    (void)err;
    buf_add_format(context, "%.*s %.*s ", STR_ARG(name), STR_ARG(value));
    return true;
}

static bool take_comment(void *context, const struct store_comment *comment,
                         struct err *err)
{
    (void)err;
    buf_add_format(context, "%lld %.*s ", (long long)comment->id, STR_ARG(comment->text));
    return true;
}

static bool take_file(void *context, const struct store_file *file, struct err *err)
{
    (void)err;
    buf_add_format(context, "%.*s %.*s ", STR_ARG(file->path), STR_ARG(file->hash));
    return true;
}

static bool take_census(void *context, const struct store_census *census, struct err *err)
{
    (void)err;
    buf_add_format(context, "%lld %.*s %lld ", (long long)census->year,
                   STR_ARG(census->tag), (long long)census->questions);
    return true;
}

static bool read_names(struct store *corpus, struct buf *out, struct err *err)
{
    struct item_name *names;
    size_t count;
    bool ok = store_names(corpus, &arena, &names, &count, err);

    for (size_t i = 0; ok && i < count; i++)
        ok = take_text(out, names[i].id, names[i].text, err);
    return ok;
}

static bool read_ids(struct store *corpus, enum reading what, struct buf *out,
                     struct err *err)
{
    struct idset ids = {0}, owners = {0};
    bool ok = what == QUESTION_IDS ? store_question_ids(corpus, 0, &ids, err)
                                   : store_post_ids(corpus, 0, &ids, &owners, err);

    idset_save(&ids, out);
    idset_save(&owners, out);
    idset_free(&ids);
    idset_free(&owners);
    return ok;
}

static bool read_numbers(struct store *corpus, enum reading what, struct buf *out,
                         struct err *err)
{
    struct store_counts counts = {0};
    int64_t numbers[3] = {0};
    uint64_t hash = 0;
    bool ok = what == COUNTS ? store_counts(corpus, &counts, err)
              : what == DOUBTS
                  ? store_doubts(corpus, &numbers[0], &numbers[1], &numbers[2], err)
                  : store_sources_hash(corpus, STR(""), &hash, err);

    buf_add(out, (struct str){(const char *)&counts, sizeof counts});
    buf_add(out, (struct str){(const char *)numbers, sizeof numbers});
    buf_add(out, (struct str){(const char *)&hash, sizeof hash});
    return ok;
}

static bool read_of(struct store *corpus, enum reading what, struct buf *out,
                    struct err *err)
{
    static const int64_t ids[] = {1, 2, 4, 6};

    switch (what) {
    case SCAN:
        return store_scan(corpus, item_studied_kinds(), take_row, out, err);
    case BODIES:
        return store_scan(corpus, item_studied_kinds(), take_body, out, err);
    case FETCH:
        return store_fetch(corpus, ids, ROWS(ids), take_item, out, err);
    case ANSWERS:
        return store_answers_to(corpus, 1, take_item, out, err);
    case NAMES:
        return read_names(corpus, out, err);
    case ORIGINS:
        return store_origins(corpus, take_text, out, err);
    case FIELD:
        return store_field(corpus, STR("os"), take_text, out, err);
    case FIELDS_OF:
        return store_fields_of(corpus, 1, take_field, out, err);
    case COMMENTS:
        return store_comments_on(corpus, 1, take_comment, out, err);
    case FILES:
        return store_files(corpus, take_file, out, err);
    case CENSUS:
        return store_census(corpus, STORE_ALL, take_census, out, err);
    case HEALTH:
        return store_health(corpus, out, err);
    case QUESTION_IDS:
    case POST_IDS:
        return read_ids(corpus, what, out, err);
    default:
        return read_numbers(corpus, what, out, err);
    }
}

#define BIT(reading) (1u << (reading))

/* `notice` must fail; the others must give what they gave before, or fail as well. */
static const struct {
    const char *sql;
    unsigned notice;
} damages[] = {
    {"UPDATE item SET score = score + 1 WHERE id = 2", BIT(SCAN) | BIT(FETCH)},
    {"UPDATE item SET score = NULL WHERE id = 2", BIT(SCAN) | BIT(FETCH)},
    {"UPDATE item SET title = 'another' WHERE id = 1", BIT(SCAN) | BIT(FETCH)},
    {"UPDATE item SET tags = title, title = tags WHERE id = 1", BIT(SCAN) | BIT(FETCH)},
    {"UPDATE item SET tags = tags || title, title = '' WHERE id = 1",
     BIT(SCAN) | BIT(FETCH)},
    {"UPDATE item SET form = 1 WHERE id = 1", BIT(SCAN) | BIT(FETCH)},
    {"UPDATE item SET code_blocks = 7 WHERE id = 1", BIT(SCAN) | BIT(FETCH)},
    {"UPDATE item SET sum = sum + 1 WHERE id = 1", BIT(SCAN) | BIT(FETCH)},
    {"UPDATE item SET id = 77 WHERE id = 6", BIT(SCAN)},
    {"UPDATE item SET score = 100 WHERE id = 4", BIT(SCAN) | BIT(FETCH) | BIT(ANSWERS)},
    {"DELETE FROM item WHERE id = 6", BIT(SCAN)},
    {"DELETE FROM item", BIT(SCAN)},
    {"INSERT INTO item SELECT 70, kind, parent, accepted, created_ms, closed_ms, score, "
     "views, answers, comments, favorites, owner, accepted_ms, wiki_ms, "
     "lastactive_ms, tags, title, license, "
     "code_blocks, form, sum FROM item WHERE id = 1",
     BIT(SCAN)},
    {"UPDATE batch SET items = items + 1", BIT(SCAN)},
    {"DELETE FROM batch", BIT(SCAN)},
    {"UPDATE text SET body = body || ' ' WHERE id = 2", BIT(BODIES) | BIT(FETCH)},
    {"UPDATE text SET len = 0 WHERE id = 2", BIT(BODIES) | BIT(FETCH)},
    {"UPDATE text SET sum = 0 WHERE id = 1", BIT(BODIES) | BIT(FETCH)},
    {"UPDATE text SET (place, len, sum) = (SELECT place, len, sum FROM text WHERE id = "
     "2) WHERE id = 1",
     BIT(BODIES) | BIT(FETCH)},
    {"DELETE FROM text WHERE id = 2", BIT(BODIES) | BIT(FETCH)},
    {"DELETE FROM text WHERE id = 4", BIT(FETCH) | BIT(ANSWERS)},
    {"UPDATE origin SET source = 0 WHERE item = 2", BIT(ORIGINS)},
    {"UPDATE origin SET item = 6 WHERE item = 2", BIT(ORIGINS)},
    {"DELETE FROM origin WHERE item = 2", BIT(ORIGINS)},
    {"UPDATE source SET name = 'other' WHERE number = 1", BIT(ORIGINS)},
    {"DELETE FROM source WHERE number = 1", BIT(ORIGINS)},
    {"UPDATE field SET value = 'mac' WHERE item = 1", BIT(FIELD) | BIT(FIELDS_OF)},
    {"UPDATE field SET name = 'version' WHERE item = 2", BIT(FIELD) | BIT(FIELDS_OF)},
    {"DELETE FROM field WHERE item = 1", BIT(FIELD) | BIT(FIELDS_OF)},
    {"INSERT INTO field VALUES (6, 'os', 'mac')", BIT(FIELD) | BIT(FIELDS_OF)},
    {"UPDATE key SET text = 'B' WHERE id = 6", BIT(NAMES)},
    {"DELETE FROM key", BIT(NAMES)},
    {"UPDATE alias SET text = 'C' WHERE id = 6", BIT(NAMES)},
    {"DELETE FROM alias", BIT(NAMES)},
    {"UPDATE comment SET text = 'no' WHERE id = 9", BIT(COMMENTS)},
    {"DELETE FROM comment WHERE id = 9", BIT(COMMENTS)},
    {"UPDATE source_file SET hash = '22'", BIT(FILES)},
    {"DELETE FROM source_file", BIT(FILES)},
    {"UPDATE census SET questions = questions + 1 WHERE tag = 'a'", BIT(CENSUS)},
    {"UPDATE census SET questions = CAST(questions AS TEXT) || 'x' WHERE tag = 'a'",
     BIT(CENSUS)},
    {"DELETE FROM census WHERE tag = 'a'", BIT(CENSUS)},
    {"UPDATE health SET value = '0'", BIT(HEALTH)},
    {"DELETE FROM health", BIT(HEALTH)},
    {"UPDATE seal SET sum = sum + 1 WHERE name = 'census'", BIT(CENSUS)},
    {"DELETE FROM seal", BIT(NAMES) | BIT(ORIGINS) | BIT(FIELD) | BIT(FIELDS_OF) |
                             BIT(COMMENTS) | BIT(FILES) | BIT(CENSUS) | BIT(HEALTH)},
};

/* Questions 1 and 2, answers 4 and 5 to 1, a row 6 with a key, and one row of each other
 * table or two. */
static bool fill(struct store *corpus, struct err *err)
{
    static const int64_t rows[][3] = {{1, ITEM_QUESTION, ITEM_NONE},
                                      {2, ITEM_QUESTION, ITEM_NONE},
                                      {4, ITEM_ANSWER, 1},
                                      {5, ITEM_ANSWER, 1},
                                      {6, ITEM_ROW, ITEM_NONE}};
    const struct store_source sources[] = {{0, STR("s"), STR("dump"), STR("")},
                                           {1, STR("t"), STR("posts"), STR("")}};
    const struct store_census census[] = {{0, 2019, 7, 4, 3, 1, 8, -9, STR("")},
                                          {0, 2019, 3, 2, 1, 0, 4, 4, STR("a")}};
    const struct store_comment comment = {9, 1, 2, 3, 4, STR("yes")};
    const struct store_file file = {0, 0, STR("d.xml"), STR("11")};
    bool ok = store_begin(corpus, err);

    for (size_t i = 0; i < ROWS(rows) && ok; i++) {
        struct item item = stored_post(rows[i][0]);
        item.kind = rows[i][1];
        item.parent = rows[i][2];
        if (rows[i][0] == 2)
            item.body = STR("<p>two</p>");
        ok = stored_append(corpus, &item, err);
    }
    for (size_t i = 0; i < 2 && ok; i++)
        ok = store_add(corpus, STORE_SOURCE, &sources[i], err) &&
             store_add(corpus, STORE_CENSUS, &census[i], err);
    return ok && store_add(corpus, STORE_COMMENT, &comment, err) &&
           store_add(corpus, STORE_FILE, &file, err) &&
           store_add_key(corpus, 6, STR("A"), err) &&
           store_add_alias(corpus, 6, STR("B"), err) &&
           store_add_origin(corpus, 1, 0, err) && store_add_origin(corpus, 2, 1, err) &&
           store_add_field(corpus, 1, STR("os"), STR("linux"), err) &&
           store_add_field(corpus, 2, STR("os"), STR("windows"), err) &&
           store_set_health(corpus, STR("rows"), STR("5"), err) &&
           store_commit(corpus, err);
}

/* store_count() runs anything, but is content only with a number. */
static void run(struct store *corpus, const char *sql)
{
    struct err ignored = {0};
    int64_t none;

    (void)!store_count(corpus, sql, &none, &ignored);
}

static void read_all(const char *path, struct buf *out)
{
    for (int i = 0; i < READINGS; i++) {
        struct store *corpus;
        struct err err = {0};
        CHECK(store_open(path, (struct str){0}, &corpus, &err));
        CHECK(read_of(corpus, (enum reading)i, &out[i], &err));
        CHECK_TEXT(err.text, "");
        store_close(corpus);
    }
}

/* Whether what is read fails, with a message that names the file. */
static bool reading_fails(struct store *corpus, const char *path, enum reading what,
                          struct buf *out)
{
    struct err err = {0};

    buf_clear(out);
    bool ok = read_of(corpus, what, out, &err);
    CHECK(ok == (err.kind == ERR_NONE));
    CHECK(ok || strstr(err.text, path) != NULL);
    return !ok;
}

/* The same, or the corpus cannot even be opened. */
static bool fails(const char *path, enum reading what, struct buf *out)
{
    struct store *corpus;
    struct err err = {0};

    if (!store_open(path, (struct str){0}, &corpus, &err)) {
        CHECK(strstr(err.text, path) != NULL);
        return true;
    }
    bool failed = reading_fails(corpus, path, what, out);
    store_close(corpus);
    return failed;
}

static bool make_corpus(const char *path, struct err *err)
{
    struct store *corpus;
    bool resumed;

    return store_build(path, STR("damage"), &corpus, &resumed, err) &&
           fill(corpus, err) && store_finish(corpus, err);
}

static void check_damage(const char *path, struct err *err)
{
    struct buf whole[READINGS] = {0}, got = {0};
    struct store *corpus;

    tap_case("a whole corpus is read");
    if (!CHECK(make_corpus(path, err)))
        return;
    read_all(path, whole);
    for (size_t i = 0; i < ROWS(damages); i++) {
        tap_case("damage: %s", damages[i].sql);
        CHECK(make_corpus(path, err) && store_open(path, (struct str){0}, &corpus, err));
        run(corpus, damages[i].sql);
        int64_t changes = 0;
        CHECK(store_count(corpus, "SELECT total_changes()", &changes, err) &&
              changes > 0);
        store_close(corpus);
        for (int r = 0; r < READINGS; r++)
            if (damages[i].notice >> r & 1)
                CHECK(fails(path, (enum reading)r, &got));
            else if (r < COUNTS && r != FETCH && r != ANSWERS)
                CHECK(fails(path, (enum reading)r, &got) ||
                      str_eq(buf_str(&got), buf_str(&whole[r])));
    }
    for (int r = 0; r < READINGS; r++)
        buf_free(&whole[r]);
    buf_free(&got);
}

/* Bytes of the file itself: whatever is hit, a reading fails or gives what it gave.
 * Opening is the dear part, so each file is opened once. */
static void check_flips(const char *path, struct err *err)
{
    struct buf whole[READINGS] = {0}, got = {0}, bytes = {0};
    int failed = 0, same = 0, other = 0;

    tap_case("bytes of the file that are flipped");
    if (!CHECK(make_corpus(path, err)))
        return;
    read_all(path, whole);
    struct str content;
    CHECK(file_read(path, &arena, &content, err));
    buf_add(&bytes, content);
    for (size_t at = 101; at < bytes.len; at += 211) {
        bytes.ptr[at] = (char)(bytes.ptr[at] ^ 0x15);
        CHECK(file_write(path, buf_str(&bytes), err));
        struct store *corpus;
        struct err refused = {0};
        bool opened = store_open(path, (struct str){0}, &corpus, &refused);
        CHECK(opened || strstr(refused.text, path) != NULL);
        failed += !opened;
        for (int r = 0; r < COUNTS && opened; r++) {
            if (r == FETCH || r == ANSWERS)
                continue;
            bool bad = reading_fails(corpus, path, (enum reading)r, &got);
            failed += bad;
            same += !bad && str_eq(buf_str(&got), buf_str(&whole[r]));
            other += !bad && !str_eq(buf_str(&got), buf_str(&whole[r]));
        }
        if (opened)
            store_close(corpus);
        bytes.ptr[at] = (char)(bytes.ptr[at] ^ 0x15);
    }
    CHECK(failed > 0 && same > 0 && other == 0);
    for (int r = 0; r < READINGS; r++)
        buf_free(&whole[r]);
    buf_free(&got);
    buf_free(&bytes);
}

static void check_newer(const char *path, struct err *err)
{
    struct store *corpus;

    tap_case("a corpus of a newer schema is refused");
    CHECK(make_corpus(path, err) && store_open(path, (struct str){0}, &corpus, err));
    run(corpus, "PRAGMA user_version = 99");
    store_close(corpus);
    CHECK(!store_open(path, (struct str){0}, &corpus, err) && err->kind == ERR_INPUT);
    CHECK(strstr(err->text, "has schema 99, made by a newer assay") != NULL);
    file_remove(path);
    *err = (struct err){0};
}

static void check_refusals(struct err *err)
{
    struct store *corpus;
    const char *other = file_join(folder, "other", &arena);

    tap_case("a file that is no database");
    CHECK(file_write(other, STR("hello, this is no database, and long enough to tell"),
                     err));
    CHECK(!store_open(other, (struct str){0}, &corpus, err) && err->kind == ERR_INPUT);
    CHECK(strstr(err->text, "not a corpus of assay, or damaged") != NULL);
    file_remove(other);
    tap_case("a file that is not there");
    CHECK(!store_open(other, (struct str){0}, &corpus, err) && err->kind == ERR_SYSTEM);
}

int main(void)
{
    struct err err = {0};

    if (mkdtemp(folder) == NULL)
        return puts("Bail out! no temporary folder"), 1;
    const char *path = file_join(folder, "c.db", &arena);
    check_building(path, &err);
    check_damage(path, &err);
    check_flips(path, &err);
    check_newer(path, &err);
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
