/* Where each item is found, under which licence, and the texts of posts without users. */
#include "package/internal.h"
#include "tests/unit/packaged.h"

static const char two_sources[] =
    "study: s\n"
    "sources:\n"
    "  one: {posts: p.csv, site: ai.example.com}\n"
    "  two: {posts: q.csv}\n"
    "  bugs: {rows: r.csv, columns: {id: id, title: title}}\n"
    "sets: {B: '[a] or [b]'}\n";

static bool open_two(struct packaged *test)
{
    if (!packaged_open(test, packaged_study))
        return false;
    packaged_write(test, "study.yaml", two_sources);
    packaged_write(test, "q.csv",
                   "Id,PostTypeId,CreationDate,Score,Tags,Title,Body\n"
                   "4,1,2015-01-01,,<a><b>,Q4,<p>y</p>\n"
                   "12,1,2019-01-01,1,<a>,Q12,<p>v</p>\n");
    packaged_write(test, "r.csv", "id,title\n\"https://bugs.example/1,2\",a bug\n");
    return CHECK(packaged_run(test));
}

static void check(struct packaged *test)
{
    int64_t ids[] = {3, 4, 7, item_id(1, 12), 0}; /* and the row */
    struct package_items items = {ids, ROWS(ids)}, none = {ids, 0};
    struct store *corpus;
    struct buf text = {0};

    if (!CHECK(store_open(packaged_path(test, "corpus.db"), (struct str){0}, &corpus,
                          &test->err)))
        return;
    CHECK(
        store_count(corpus, "SELECT id FROM item WHERE kind = 9", &ids[4], &test->err) &&
        item_space(ids[4]) == 2);
    struct item_name name = {ids[4], STR("https://bugs.example/1,2")};
    test->study.spaces.names = test->study.spaces.by_text = &name;
    test->study.spaces.name_count = 1;
    tap_case("the first source says which site; rows that their link calls");
    CHECK(package_add_attribution(&test->study, corpus, &items, &text, &test->err));
    buf_add_char(&text, '\0');
    CHECK_TEXT(text.ptr, "id,link,licence,licence from\n"
                         "one:3,https://ai.example.com/q/3,CC BY-SA 2.5,date\n"
                         "one:4,https://ai.example.com/q/4,CC BY-SA 3.0,date\n"
                         "one:7,https://ai.example.com/q/7,CC BY-SA 4.0,date\n"
                         "two:12,https://stackoverflow.com/q/12,CC BY-SA 4.0,date\n"
                         "\"bugs:https://bugs.example/1,2\",\"https://bugs.example/1,2\","
                         "as its source says,\n");
    tap_case("texts: what is missing is left out, and so are users");
    buf_clear(&text);
    items.count = 2;
    CHECK(package_add_posts(&test->study, corpus, &items, &text, &test->err));
    buf_add_char(&text, '\0');
    CHECK_TEXT(
        text.ptr,
        "{\"id\":\"one:3\",\"title\":\"Q "
        "\\\"3\\\"\",\"body\":\"<p>x</p>\",\"tags\":[\"a\"],"
        "\"created\":\"2010-01-01T00:00:00.000\",\"score\":5,"
        "\"licence\":\"CC BY-SA 2.5\",\"licence_from\":\"date\"}\n"
        "{\"id\":\"one:4\",\"title\":\"Q4\",\"body\":\"<p>y</p>\",\"tags\":[\"a\",\"b\"],"
        "\"created\":\"2015-01-01T00:00:00.000\",\"licence\":\"CC BY-SA "
        "3.0\",\"licence_from\":\"date\"}\n");
    tap_case("texts of rows");
    buf_clear(&text);
    CHECK(package_add_posts(&test->study, corpus, &(struct package_items){ids + 4, 1},
                            &text, &test->err));
    buf_add_char(&text, '\0');
    CHECK_TEXT(text.ptr, "{\"id\":\"bugs:https://bugs.example/1,2\",\"title\":\"a bug\","
                         "\"body\":\"\",\"tags\":[],"
                         "\"licence\":\"as its source says\"}\n");
    tap_case("no items");
    buf_clear(&text);
    CHECK(package_add_attribution(&test->study, corpus, &none, &text, &test->err));
    CHECK(str_eq(buf_str(&text), STR("id,link,licence,licence from\n")));
    buf_free(&text);
    store_close(corpus);
}

int main(void)
{
    struct packaged test;

    tap_case("a study with three sources");
    if (open_two(&test))
        check(&test);
    packaged_close(&test);
    return tap_done();
}
