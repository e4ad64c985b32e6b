/* Texts are packed, as zlib reads them, and read as they were written, in any order,
 * however batches fell; what is damaged is noticed; packs of zstd and plain texts, which
 * corpora had before, are read too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/file.h"
#include "store/internal.h"
#include "tests/tap.h"
#include "tests/unit/stored.h"

/* So many that they are packed lightly; of few the harder way makes less. */
enum { ITEMS = 5001, FEW = 1001, LONG = 77 };

static char folder[] = "/tmp/assay-test-XXXXXX";

/* Every tenth is empty, one is longer than a pack. */
static struct str body_of(int64_t id, struct buf *out)
{
    buf_clear(out);
    for (int i = 0; id % 10 != 0 && i < 50; i++)
        buf_add_format(out, "<p>text %lld \xC3\xA9 %d</p>", (long long)id, i);
    for (int i = 0; id == LONG && i < 9000; i++)
        buf_add_format(out, "line %d\n", i);
    return buf_str(out);
}

static bool append(struct store *corpus, int64_t from, int64_t to, struct err *err)
{
    struct buf body = {0};
    bool ok = true;

    for (int64_t id = from; id < to && ok; id++) {
        struct item item = item_empty();
        item.id = id;
        item.kind = ITEM_QUESTION;
        item.body = body_of(id, &body);
        ok = stored_append(corpus, &item, err);
    }
    buf_free(&body);
    return ok;
}

/* In batches that end anywhere, one of which is lost. */
static bool build(const char *path, const int64_t *ends, size_t count, struct err *err)
{
    struct store *corpus;
    int64_t from = 1;
    bool resumed, ok = store_build(path, STR("k"), &corpus, &resumed, err);

    for (size_t i = 0; i < count && ok; i++) {
        ok = store_begin(corpus, err) && append(corpus, from, ends[i], err) &&
             store_commit(corpus, err);
        from = ends[i];
        if (i != 1 || !ok)
            continue;
        ok = store_begin(corpus, err) && append(corpus, from, from + 50, err);
        store_close(corpus);
        ok = ok && store_build(path, STR("k"), &corpus, &resumed, err) && resumed;
    }
    return ok && store_finish(corpus, err);
}

struct seen {
    struct buf body;
    int64_t count, wrong;
};

static bool see_row(void *context, const struct store_row *row, struct err *err)
{
    struct seen *seen = context;
    struct str body;

    if (!store_row_body(row, &body, err))
        return false;
    seen->count++;
    seen->wrong += !str_eq(body, body_of(row->item.id, &seen->body));
    return true;
}

static bool see_item(void *context, const struct item *item, struct err *err)
{
    struct seen *seen = context;

    (void)err;
    seen->count++;
    seen->wrong += !str_eq(item->body, body_of(item->id, &seen->body));
    return true;
}

static void check_reading(struct store *corpus, int64_t items)
{
    const int64_t some[] = {LONG, 3, items - 1, 1, 10, items - 2, LONG + 1};
    struct seen seen = {0};
    struct err err = {0};

    tap_case("all of them in their order");
    CHECK(store_scan(corpus, ~0u, see_row, &seen, &err));
    CHECK(seen.count == items - 1 && seen.wrong == 0);
    tap_case("some of them in any order");
    seen.count = 0;
    CHECK(store_fetch(corpus, some, ROWS(some), see_item, &seen, &err));
    CHECK(seen.count == (int64_t)ROWS(some) && seen.wrong == 0);
    CHECK_TEXT(err.text, "");
    buf_free(&seen.body);
}

static int64_t number(struct store *corpus, const char *sql)
{
    struct err err = {0};
    int64_t out = -1;

    return store_count(corpus, sql, &out, &err) ? out : -1;
}

/* All packs begin so: zlib's first bytes say how hard they were packed. */
static bool packed_as(struct store *corpus, const char *begin)
{
    char sql[100];

    snprintf(sql, sizeof sql, "SELECT min(hex(substr(bytes, 1, 2)) = '%s') FROM pack",
             begin);
    return number(corpus, sql) == 1;
}

/* Each is noticed when item 1 is fetched, or LONG. */
static const char *const damages[] = {
    "DELETE FROM pack",
    "UPDATE pack SET len = len + 1",
    "UPDATE pack SET len = -1",
    "UPDATE pack SET len = 1 << 40",
    "UPDATE pack SET bytes = zeroblob(100)",
    "UPDATE pack SET bytes = x''",
    "UPDATE pack SET bytes = substr(bytes, 1, length(bytes) - 9)",
    "UPDATE text SET place = place + 1",
    "UPDATE text SET place = -1",
    "UPDATE text SET len = len - 1",
    "UPDATE text SET len = 9000000000000000000",
    "UPDATE text SET len = NULL",
    "UPDATE text SET pack = 999",
    "UPDATE text SET pack = NULL",
    "UPDATE text SET body = 'x'",
    "UPDATE text SET sum = sum + 1",
};

static void check_damage(const char *path)
{
    const int64_t ids[] = {1, LONG};

    for (size_t i = 0; i < ROWS(damages); i++) {
        struct seen seen = {0};
        struct err err = {0};
        struct store *corpus;
        tap_case("noticed: %s", damages[i]);
        if (!CHECK(store_open(path, (struct str){0}, &corpus, &err)))
            return;
        CHECK(store_run(corpus, "BEGIN", &err) && store_run(corpus, damages[i], &err));
        for (size_t k = 0; k < ROWS(ids); k++) {
            CHECK(!store_fetch(corpus, &ids[k], 1, see_item, &seen, &err));
            CHECK(strstr(err.text, "is damaged: item ") != NULL);
            err = (struct err){0};
        }
        store_close(corpus); /* which takes it back */
        buf_free(&seen.body);
    }
}

/* The view unpacks by zlib's own decoder. */
static bool same_row(void *context, sqlite3_stmt *row, struct err *err)
{
    struct seen *seen = context;

    (void)err;
    seen->count++;
    seen->wrong +=
        !str_eq(store_column(row, 1), body_of(sqlite3_column_int64(row, 0), &seen->body));
    return true;
}

static void check_view(struct store *corpus)
{
    struct seen seen = {0};
    struct err err = {0};

    tap_case("the view has them for whoever has zlib");
    CHECK(stored_open_view(corpus) &&
          store_each(corpus, store_prepare(corpus, "SELECT id, body FROM post"), same_row,
                     &seen, &err));
    CHECK(seen.count == ITEMS - 1 && seen.wrong == 0);
    buf_free(&seen.body);
}

/* zlib's bytes as a frame of zstd. */
static void as_frame(sqlite3_context *context, int count, sqlite3_value **values)
{
    size_t len = (size_t)sqlite3_value_bytes(values[0]), room = ZSTD_compressBound(len);
    char *bytes = sqlite3_malloc((int)room);

    (void)count;
    size_t got = ZSTD_compress(bytes, room, sqlite3_value_blob(values[0]), len,
                               ZSTD_CLEVEL_DEFAULT);
    sqlite3_result_blob(context, bytes, (int)got, sqlite3_free);
}

/* As schema 5 had it: texts plain or in frames of zstd. */
static void check_older(const char *path)
{
    struct err err = {0};
    struct store *corpus;

    tap_case("a corpus of schema 5");
    if (!CHECK(store_open(path, (struct str){0}, &corpus, &err)))
        return;
    CHECK(stored_open_view(corpus) &&
          sqlite3_create_function(corpus->db, "as_frame", 1, SQLITE_UTF8, NULL, as_frame,
                                  NULL, NULL) == SQLITE_OK);
    CHECK(store_run(corpus,
                    "UPDATE text SET body = (SELECT body FROM post WHERE post.id = "
                    "text.id) WHERE id < 2000;UPDATE text SET pack = NULL, place = NULL, "
                    "len = NULL WHERE id < 2000;UPDATE pack SET bytes = "
                    "as_frame(sqlar_uncompress(bytes, len));ALTER TABLE source DROP "
                    "COLUMN first_ms;PRAGMA user_version = 5",
                    &err));
    store_close(corpus);
    CHECK(store_is_old(path));
    if (!CHECK(store_open(path, (struct str){0}, &corpus, &err)))
        return;
    CHECK(number(corpus, "PRAGMA user_version") == STORE_SCHEMA);
    CHECK(number(corpus, "SELECT count(*) FROM pack WHERE hex(substr(bytes, 1, 4)) <> "
                         "'28B52FFD'") == 0);
    check_reading(corpus, ITEMS);
    store_close(corpus);
}

/* A pack that would not be smaller is kept as it is. */
static void check_short(const char *path)
{
    static const int64_t ids[] = {1};
    struct store *corpus;
    struct err err = {0};
    struct item item = stored_post(1);
    struct seen seen = {0};
    bool resumed;

    tap_case("a text too short to be packed");
    item.body = STR("x");
    CHECK(store_build(path, STR("k"), &corpus, &resumed, &err) &&
          store_begin(corpus, &err) && stored_append(corpus, &item, &err) &&
          store_commit(corpus, &err) && store_finish(corpus, &err));
    if (!CHECK(store_open(path, (struct str){0}, &corpus, &err)))
        return;
    CHECK(number(corpus, "SELECT count(*) FROM pack WHERE bytes = x'78' AND len = 1") ==
          1);
    CHECK(store_fetch(corpus, ids, 1, see_item, &seen, &err) && seen.count == 1);
    store_close(corpus);
    buf_free(&seen.body);
}

static void check_few(const char *path)
{
    static const int64_t ends[] = {60, 300, FEW};
    struct store *corpus;
    struct err err = {0};

    tap_case("few texts are packed harder");
    if (!CHECK(build(path, ends, ROWS(ends), &err)) ||
        !CHECK(store_open(path, (struct str){0}, &corpus, &err)))
        return;
    CHECK(packed_as(corpus, "789C"));
    check_reading(corpus, FEW);
    store_close(corpus);
}

int main(void)
{
    static const int64_t one[] = {1000, 2500, ITEMS}, other[] = {60, 100, 101, ITEMS};
    int64_t packs[2] = {0};
    struct arena arena = {0};
    struct err err = {0};
    struct store *corpus;

    if (mkdtemp(folder) == NULL)
        return puts("Bail out! no temporary folder"), 1;
    const char *path = file_join(folder, "c.db", &arena);
    for (int way = 0; way < 2; way++) {
        tap_case("batches that end %s", way == 0 ? "here" : "elsewhere");
        if (!CHECK(way == 0 ? build(path, one, ROWS(one), &err)
                            : build(path, other, ROWS(other), &err)) ||
            !CHECK(store_open(path, (struct str){0}, &corpus, &err)))
            break;
        CHECK(number(corpus, "SELECT count(*) FROM text WHERE pack IS NOT NULL") == 4500);
        CHECK(number(corpus, "SELECT count(*) FROM text WHERE body <> ''") == 0);
        CHECK(number(corpus, "SELECT count(*) FROM pack") > 70);
        CHECK(number(corpus, "SELECT sum(length(bytes)) * 3 < sum(len) FROM pack") == 1);
        CHECK(number(corpus, "SELECT count(*) FROM pack WHERE len < 65536") <= 1);
        packs[way] =
            number(corpus, "SELECT sum(number * (len + length(bytes))) FROM pack");
        CHECK(way == 0 || packs[1] == packs[0]); /* the same packs */
        CHECK(packed_as(corpus, "7801"));
        check_reading(corpus, ITEMS);
        check_view(corpus);
        store_close(corpus);
    }
    check_damage(path);
    check_older(path);
    check_few(path);
    check_short(path);
    file_remove(path);
    CHECK(rmdir(folder) == 0);
    arena_free(&arena);
    return tap_done();
}
