/* Items, answers and what else is read of a corpus: in their order, all of them, with
 * texts as a query sees them. The property test query_sql compares at random. */
#include "store/items.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "tests/tap.h"

static char folder[] = "/tmp/assay-test-XXXXXX";

enum { NONE = -99 }; /* ITEM_NONE in the tables below */

static const struct {
    int64_t id, type, parent, accepted, accepted_ms, created_ms, owner, score;
    const char *tags, *title, *body, *prose, *code;
    int64_t code_blocks;
} posts[] = {
    {9, 1, NONE, 0, 70, 50, NONE, NONE, "<b>", "T", "<p>a &amp; b</p>", "T\na & b", "",
     0},
    {2, 1, NONE, 4, NONE, 10, 7, 3, "<a><b>", "How", "<pre>c</pre>", "How", "c", 1},
    {5, 2, 2, NONE, NONE, 30, 8, 1, "", "", "", "", "", 0},
    {4, 2, 2, NONE, NONE, 30, NONE, 2, "", "", "", "", "", 0},
    {6, 2, 2, NONE, NONE, NONE, 8, 0, "", "", "", "", "", 0},
    {1, 2, 9, NONE, NONE, 5, 8, -1, "", "", "", "", "", 0},
    {8, 2, 2, NONE, NONE, 20, 8, NONE, "", "", "", "", "", 0},
    {3, 100, NONE, NONE, NONE, NONE, NONE, NONE, "", "row", "", "row", "", 0},
};

static int64_t number(int64_t value)
{
    return value == NONE ? ITEM_NONE : value;
}

static bool fill(struct corpus *corpus, struct err *err)
{
    const struct corpus_source sources[] = {
        {0, STR_INIT("s"), STR_INIT("posts"), STR_INIT("")},
        {1, STR_INIT("r"), STR_INIT("posts"), STR_INIT("")}};
    const struct corpus_census census[] = {{2020, STR_INIT("b"), 1, 2, 3, 4, 5, 6},
                                           {2019, STR_INIT(""), 7, 0, 0, 0, 0, 0}};
    const struct corpus_file files[] = {{1, 0, STR_INIT("c.csv"), STR_INIT("33")},
                                        {0, 1, STR_INIT("b.csv"), STR_INIT("22")},
                                        {0, 0, STR_INIT("a.csv"), STR_INIT("11")}};
    bool added, ok = corpus_begin(corpus, err);

    for (size_t i = 0; i < ROWS(posts) && ok; i++) {
        struct item post = {.id = posts[i].id,
                                   .type = posts[i].kind,
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
                                   .prose = str_from(posts[i].prose),
                                   .code = str_from(posts[i].code),
                                   .code_blocks = posts[i].code_blocks};
        ok = corpus_add_post(corpus, &post, &added, err);
    }
    for (size_t i = 0; i < ROWS(files) && ok; i++)
        ok = corpus_add_file(corpus, &files[i], err);
    for (size_t i = 0; i < 2 && ok; i++)
        ok = corpus_add_source(corpus, &sources[i], err) &&
             corpus_add_census(corpus, &census[i], err);
    return ok && corpus_add_origin(corpus, 9, 1, err) &&
           corpus_add_origin(corpus, 2, 1, err) && corpus_add_origin(corpus, 2, 0, err) &&
           corpus_add_field(corpus, 9, STR("kind"), STR("x"), err) &&
           corpus_add_field(corpus, 2, STR("kind"), STR("y z"), err) &&
           corpus_add_field(corpus, 2, STR("other"), STR("w"), err) &&
           corpus_commit(corpus, err);
}

static void add_number(struct buf *out, int64_t value)
{
    if (value == ITEM_NONE)
        buf_add(out, STR("- "));
    else
        buf_add_format(out, "%lld ", (long long)value);
}

static bool show_item(void *context, const struct query_item *item,
                      const struct item *row, struct err *err)
{
    static const enum query_text order[] = {QUERY_BODY, QUERY_TITLE, QUERY_CODE,
                                            QUERY_PROSE};
    const int64_t numbers[] = {row->id,       row->kind,        row->parent,
                               row->accepted, row->accepted_ms, row->created_ms,
                               row->owner,    row->score};

    (void)err;
    for (size_t i = 0; i < ROWS(numbers); i++)
        add_number(context, numbers[i]);
    buf_add_format(context, "%.*s", STR_ARG(row->tags));
    for (size_t i = 0; i < ROWS(order); i++)
        buf_add_format(context, "|%.*s", STR_ARG(item->text(item->context, order[i])));
    buf_add(context, item->has_code(item->context) ? STR("|code\n") : STR("|\n"));
    CHECK(item->id == row->id && item->kind == row->kind && item->parent == row->parent);
    CHECK(item->accepted == row->accepted && item->created_ms == row->created_ms);
    CHECK(item->owner == row->owner && item->score == row->score);
    CHECK(str_eq(item->tags, row->tags) && item->in_set == NULL);
    CHECK(row->closed_ms == 11 && row->views == 12 && row->answers == 13);
    CHECK(row->comments == 14 && row->favorites == 15);
    CHECK(item->closed_ms == 11 && item->views == 12 && item->answers == 13);
    CHECK(item->comments == 14 && item->favorites == 15);
    return true;
}

static bool show_post(void *context, const struct item *post, struct err *err)
{
    (void)err;
    add_number(context, post->id);
    add_number(context, post->kind);
    add_number(context, post->score);
    buf_add_format(context, "%.*s %.*s %.*s %.*s\n", STR_ARG(post->tags),
                   STR_ARG(post->title), STR_ARG(post->body), STR_ARG(post->license));
    return true;
}

static bool show_file(void *context, const struct corpus_file *file, struct err *err)
{
    (void)err;
    buf_add_format(context, "%lld %lld %.*s %.*s\n", (long long)file->source,
                   (long long)file->number, STR_ARG(file->path), STR_ARG(file->hash));
    return true;
}

static bool stop_item(void *context, const struct query_item *item,
                      const struct item *row, struct err *err)
{
    (void)item, (void)row;
    ++*(int *)context;
    return err_set(err, ERR_SYSTEM, "full");
}

static bool show_answer(void *context, const struct items_answer *answer, struct err *err)
{
    const int64_t numbers[] = {answer->question, answer->id, answer->created_ms,
                               answer->owner, answer->score};

    (void)err;
    for (size_t i = 0; i < ROWS(numbers); i++)
        add_number(context, numbers[i]);
    buf_add_char(context, '\n');
    return true;
}

static bool show_text(void *context, int64_t id, struct str text, struct err *err)
{
    (void)err;
    buf_add_format(context, "%lld %.*s\n", (long long)id, STR_ARG(text));
    return true;
}

static bool show_census(void *context, const struct corpus_census *census,
                        struct err *err)
{
    (void)err;
    buf_add_format(context, "%lld '%.*s' %lld %lld %lld %lld %lld %lld\n",
                   (long long)census->year, STR_ARG(census->tag),
                   (long long)census->questions, (long long)census->accepted,
                   (long long)census->answered, (long long)census->closed,
                   (long long)census->views, (long long)census->score);
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

static void check_all(struct corpus *corpus)
{
    const int64_t ids[] = {9, 77, 3, 2, 1};
    struct err err = {0};
    struct buf out = {0};
    int calls = 0;

    tap_case("items: questions and rows by id, texts as queries see them");
    expect(&out, items_each(corpus, show_item, &out, &err), &err,
           "2 1 - 4 - 10 7 3 <a><b>|c\n|How|c|How|code\n"
           "3 100 - - - - - - ||row||row|\n"
           "9 1 - 0 70 50 - - <b>|a & b\n|T||T\na & b|\n");
    tap_case("answers: by question, moment, id");
    expect(&out, items_answers(corpus, show_answer, &out, &err), &err,
           "2 6 - 8 0 \n2 8 20 8 - \n2 4 30 - 2 \n2 5 30 8 1 \n9 1 5 8 -1 \n");
    tap_case("origins: by item, in the order of the study file");
    expect(&out, items_origins(corpus, show_text, &out, &err), &err, "2 s\n2 r\n9 r\n");
    tap_case("fields: of one name");
    expect(&out, items_fields(corpus, STR("kind"), show_text, &out, &err), &err,
           "2 y z\n9 x\n");
    tap_case("fields: of no name that is there");
    expect(&out, items_fields(corpus, STR(""), show_text, &out, &err), &err, "");
    tap_case("posts: in the order asked for, with their licence");
    expect(&out, items_posts(corpus, ids, ROWS(ids), show_post, &out, &err), &err,
           "9 1 - <b> T <p>a &amp; b</p> CC BY-SA 2.5\n3 100 - "
           " row  \n"
           "2 1 3 <a><b> How <pre>c</pre> CC BY-SA 2.5\n1 2 -1    CC BY-SA 2.5\n");
    tap_case("files: by source and number");
    expect(&out, items_files(corpus, show_file, &out, &err), &err,
           "0 0 a.csv 11\n0 1 b.csv 22\n1 0 c.csv 33\n");
    tap_case("census: by year and tag");
    expect(&out, items_census(corpus, show_census, &out, &err), &err,
           "2019 '' 7 0 0 0 0 0\n2020 'b' 1 2 3 4 5 6\n");
    tap_case("the caller may stop");
    CHECK(!items_each(corpus, stop_item, &calls, &err) && calls == 1);
    CHECK_TEXT(err.text, "full");
    buf_free(&out);
}

int main(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct corpus *corpus;
    bool resumed;

    if (mkdtemp(folder) == NULL)
        return puts("Bail out! no temporary folder"), 1;
    const char *path = file_join(folder, "c.db", &arena);
    if (CHECK(corpus_build(path, STR("k"), &corpus, &resumed, &err)) &&
        CHECK(fill(corpus, &err)) && CHECK(corpus_finish(corpus, &err)) &&
        CHECK(corpus_open(path, &corpus, &err))) {
        check_all(corpus);
        corpus_close(corpus);
    }
    file_remove(path);
    tap_case("nothing else is left behind");
    CHECK(rmdir(folder) == 0);
    arena_free(&arena);
    return tap_done();
}
