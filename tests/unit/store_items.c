/* Items are appended, scanned and fetched: as they were given, once, in their order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "store/corpus.h"
#include "tests/tap.h"
#include "tests/unit/stored.h"

static char folder[] = "/tmp/assay-test-XXXXXX";

enum { NONE = -99 }; /* ITEM_NONE in the tables below */

static const struct {
    int64_t id, kind, parent, accepted, accepted_ms, created_ms, owner, score;
    const char *tags, *title, *body;
    int64_t code_blocks;
    enum item_form form;
} posts[] = {
    {9, 1, NONE, 0, 70, 50, NONE, NONE, "<b>", "T", "<p>a &amp; b</p>", 0, ITEM_HTML},
    {2, 1, NONE, 4, NONE, 10, 7, 3, "|a|B|", "How", "<pre>c</pre>", 1, ITEM_HTML},
    {5, 2, 2, NONE, NONE, 30, 8, 1, "", "", "five", 0, ITEM_HTML},
    {4, 2, 2, NONE, NONE, 30, NONE, 2, "", "", "four", 0, ITEM_HTML},
    {6, 2, 2, NONE, NONE, NONE, 8, 1, "", "", "six", 0, ITEM_HTML},
    {1, 2, 9, NONE, NONE, 5, -1, -1, "", "", "one", 0, ITEM_HTML},
    {8, 2, 2, NONE, NONE, 20, 8, NONE, "", "", "", 0, ITEM_HTML},
    {3, 9, NONE, NONE, NONE, NONE, NONE, NONE, "", "row", "", 0, ITEM_PLAIN},
    {INT64_C(3) << 40, 11, NONE, NONE, NONE, 60, NONE, 0, "<bug>", "is", "```x```", 2,
     ITEM_MARKDOWN},
};

static int64_t number(int64_t value)
{
    return value == NONE ? ITEM_NONE : value;
}

static bool fill(struct store *corpus, struct err *err)
{
    bool added, ok = true;
    int64_t known_ms;

    /* In two batches, so that sums are added up. */
    for (size_t i = 0; i < ROWS(posts) && ok; i++) {
        struct item item = {.id = posts[i].id,
                            .kind = posts[i].kind,
                            .parent = number(posts[i].parent),
                            .accepted = number(posts[i].accepted),
                            .accepted_ms = number(posts[i].accepted_ms),
                            .created_ms = number(posts[i].created_ms),
                            .closed_ms = 11,
                            .score = number(posts[i].score),
                            .views = 12,
                            .answers = 13,
                            .comments = 14,
                            .favorites = 15,
                            .owner = number(posts[i].owner),
                            .tags = str_from(posts[i].tags),
                            .title = str_from(posts[i].title),
                            .body = str_from(posts[i].body),
                            .form = posts[i].form};
        item.license = item_license(&item);
        if (i % 5 == 0)
            ok = store_begin(corpus, err);
        ok = ok &&
             store_append(corpus, &item, posts[i].code_blocks, &added, &known_ms, err) &&
             added;
        if (i % 5 == 4 || i + 1 == ROWS(posts))
            ok = ok && store_commit(corpus, err);
    }
    return ok;
}

static void add_number(struct buf *out, int64_t value)
{
    if (value == ITEM_NONE)
        buf_add(out, STR("- "));
    else
        buf_add_format(out, "%lld ", (long long)value);
}

static void add_item(struct buf *out, const struct item *item)
{
    const int64_t numbers[] = {item->id,       item->kind,        item->parent,
                               item->accepted, item->accepted_ms, item->created_ms,
                               item->owner,    item->score};

    for (size_t i = 0; i < ROWS(numbers); i++)
        add_number(out, numbers[i]);
    buf_add_format(out, "%.*s|%.*s|%.*s|%d", STR_ARG(item->tags), STR_ARG(item->title),
                   STR_ARG(item->license), (int)item->form);
    CHECK(item->closed_ms == 11 && item->views == 12 && item->answers == 13);
    CHECK(item->comments == 14 && item->favorites == 15);
}

static bool show_row(void *context, const struct store_row *row, struct err *err)
{
    struct str body;

    if (!store_row_body(row, &body, err))
        return false;
    CHECK(row->item.body.len == 0);
    add_item(context, &row->item);
    buf_add_format(context, "|%lld|%.*s\n", (long long)row->code_blocks, STR_ARG(body));
    return true;
}

static bool show_item(void *context, const struct item *item, struct err *err)
{
    (void)err;
    add_item(context, item);
    buf_add_format(context, "|%.*s\n", STR_ARG(item->body));
    return true;
}

static bool show_id(void *context, const struct item *item, struct err *err)
{
    (void)err;
    buf_add_format(context, "%lld ", (long long)item->id);
    return true;
}

static bool show_row_id(void *context, const struct store_row *row, struct err *err)
{
    return show_id(context, &row->item, err);
}

static bool stop_row(void *context, const struct store_row *row, struct err *err)
{
    (void)row;
    ++*(int *)context;
    return err_set(err, ERR_SYSTEM, "full");
}

static bool stop_item(void *context, const struct item *item, struct err *err)
{
    (void)item;
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
    const int64_t ids[] = {9, 77, 3, 2, 1, 9};
    struct err err = {0};
    struct buf out = {0};
    int calls = 0;

    tap_case("scan: what is studied, by id, with bodies and licences; tags in one form");
    expect(&out, store_scan(corpus, item_studied_kinds(), show_row, &out, &err), &err,
           "2 1 - 4 - 10 7 3 <a><B>|How|CC BY-SA 2.5 (by its date)|0|1|<pre>c</pre>\n"
           "3 9 - - - - - - |row||2|0|\n"
           "9 1 - 0 70 50 - - <b>|T|CC BY-SA 2.5 (by its date)|0|0|<p>a &amp; b</p>\n"
           "3298534883328 11 - - - 60 - 0 <bug>|is||1|2|```x```\n");
    tap_case("scan: answers alone");
    expect(&out, store_scan(corpus, 1u << ITEM_ANSWER, show_row_id, &out, &err), &err,
           "1 4 5 6 8 ");
    tap_case("scan: no kind at all");
    expect(&out, store_scan(corpus, 0, show_row_id, &out, &err), &err, "");
    tap_case("fetch: in the order asked for, without what is not there");
    expect(&out, store_fetch(corpus, ids, ROWS(ids), show_item, &out, &err), &err,
           "9 1 - 0 70 50 - - <b>|T|CC BY-SA 2.5 (by its date)|0|<p>a &amp; b</p>\n"
           "3 9 - - - - - - |row||2|\n"
           "2 1 - 4 - 10 7 3 <a><B>|How|CC BY-SA 2.5 (by its date)|0|<pre>c</pre>\n"
           "1 2 9 - - 5 -1 -1 ||CC BY-SA 2.5 (by its date)|0|one\n"
           "9 1 - 0 70 50 - - <b>|T|CC BY-SA 2.5 (by its date)|0|<p>a &amp; b</p>\n");
    tap_case("fetch: heads have all but bodies");
    expect(&out, store_fetch_heads(corpus, ids, 3, show_item, &out, &err), &err,
           "9 1 - 0 70 50 - - <b>|T|CC BY-SA 2.5 (by its date)|0|\n"
           "3 9 - - - - - - |row||2|\n");
    tap_case("fetch: nothing");
    expect(&out, store_fetch(corpus, ids, 0, show_item, &out, &err), &err, "");
    tap_case("answers: by score, then id; without a score last");
    expect(&out, store_answers_to(corpus, 2, show_id, &out, &err), &err, "4 5 6 8 ");
    tap_case("answers: of what has none");
    expect(&out, store_answers_to(corpus, 3, show_id, &out, &err), &err, "");
    tap_case("the caller may stop");
    CHECK(!store_scan(corpus, item_studied_kinds(), stop_row, &calls, &err));
    CHECK_TEXT(err.text, "full");
    CHECK(!store_fetch(corpus, ids, ROWS(ids), stop_item, &calls, &err));
    CHECK(!store_answers_to(corpus, 2, stop_item, &calls, &err) && calls == 3);
    buf_free(&out);
}

static void check_twice(const char *path, struct err *err)
{
    struct store *corpus;
    struct item first = stored_post(3), again = stored_post(3);
    int64_t known_ms = 0, count;
    struct buf out = {0};
    bool resumed, added;

    tap_case("an id that is there already: not entered, and when the one there is from");
    CHECK(store_build(path, STR("twice"), &corpus, &resumed, err));
    again.created_ms = 5;
    again.title = STR("another");
    CHECK(store_begin(corpus, err) && stored_append(corpus, &first, err));
    CHECK(store_append(corpus, &again, 0, &added, &known_ms, err) && !added);
    CHECK(known_ms == first.created_ms);
    CHECK(store_commit(corpus, err));
    CHECK(store_count(corpus, "SELECT count(*) FROM item WHERE title = 'a title'", &count,
                      err) &&
          count == 1);
    tap_case("where the one that is there has no date");
    first = stored_post(4);
    first.created_ms = ITEM_NONE;
    again.id = 4;
    CHECK(store_begin(corpus, err) && stored_append(corpus, &first, err));
    CHECK(store_append(corpus, &again, 0, &added, &known_ms, err) && !added);
    CHECK(known_ms == ITEM_NONE);
    CHECK(store_commit(corpus, err));
    tap_case("the sums are of what was entered");
    expect(&out, store_scan(corpus, 1u << ITEM_QUESTION, show_row_id, &out, err), err,
           "3 4 ");
    tap_case("a batch that was not committed was never there");
    first = stored_post(5);
    CHECK(store_begin(corpus, err) && stored_append(corpus, &first, err));
    store_close(corpus);
    CHECK(store_build(path, STR("twice"), &corpus, &resumed, err) && resumed);
    expect(&out, store_scan(corpus, 1u << ITEM_QUESTION, show_row_id, &out, err), err,
           "3 4 ");
    tap_case("a batch that is open is read as well");
    CHECK(store_begin(corpus, err) && stored_append(corpus, &first, err));
    expect(&out, store_scan(corpus, 1u << ITEM_QUESTION, show_row_id, &out, err), err,
           "3 4 5 ");
    store_close(corpus);
    buf_free(&out);
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
    if (CHECK(store_build(path, STR("k"), &corpus, &resumed, &err)) &&
        CHECK(fill(corpus, &err)) && CHECK(store_finish(corpus, &err)) &&
        CHECK(store_open(path, (struct str){0}, &corpus, &err))) {
        check_reading(corpus);
        store_close(corpus);
    }
    check_twice(path, &err);
    static const char *const left[] = {"c.db", "c.db.part", "c.db.part-wal",
                                       "c.db.part-shm"};
    for (size_t i = 0; i < ROWS(left); i++)
        file_remove(file_join(folder, left[i], &arena));
    tap_case("nothing else is left behind");
    CHECK(rmdir(folder) == 0);
    arena_free(&arena);
    return tap_done();
}
