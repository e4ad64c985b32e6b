/* Topics within a run: two kinds of text are told apart, and part a table. */
#include "tests/unit/studied.h"

enum { POSTS = 60 };

#define STUDY \
    "study: s\nsource: {posts: p.csv}\nsets: {x: '[x]', none: '[none]'}\n" \
    "topics: {t: {of: x, topics: 2..3, runs: 2, iterations: 100, seed: 1}}\n" \
    "groups: {topic: {topics: t}, kind: {first-of: [food, cars]}}\n" \
    "tables:\n  topics: {topics: t, show: topics}\n" \
    "  sweep: {topics: t, show: sweep}\n" \
    "  words: {topics: t, show: words}\n" \
    "  cross: {of: x, by: topic, across: kind}\n"

static void write_posts(struct studied *test)
{
    static const char *const words[2][6] = {
        {"bread", "butter", "cheese", "oven", "dough", "salt"},
        {"engine", "wheel", "brake", "petrol", "gear", "road"}};
    struct buf posts = {0};

    buf_add(&posts, STR("Id,PostTypeId,Tags,CreationDate,Title,Body\n"));
    for (int i = 0; i < POSTS; i++) {
        const char *const *own = words[i % 2];
        buf_add_format(&posts, "%d,1,<x><%s>,2019-01-01,%s %s,<p>", i + 1,
                       i % 2 == 0 ? "food" : "cars", own[i % 6], own[(i / 2) % 6]);
        for (int w = 0; w < 12; w++)
            buf_add_format(&posts, "%s ", own[(i * 5 + w * w) % 6]);
        buf_add(&posts, STR("</p>\n"));
    }
    buf_add_char(&posts, '\0');
    studied_write(test, "p.csv", posts.ptr);
    buf_free(&posts);
}

int main(void)
{
    struct studied test;

    if (!studied_begin(&test))
        return tap_done();
    write_posts(&test);
    studied_write(&test, "study.yaml", STUDY);
    tap_case("two numbers of topics are tried");
    CHECK(studied_run(&test));
    CHECK_TEXT(test.err.text, "");
    const char *sweep = studied_read(&test, "out/topics/t/sweep.csv");
    CHECK(strstr(sweep, "\n2,") != NULL && strstr(sweep, "\n3,") != NULL);

    tap_case("every post has a main topic, and no topic is of both kinds");
    struct str cross = str_from(studied_read(&test, "out/tables/cross.csv")), line;
    int64_t posts = 0, mixed = 0, rows = 0;
    while (cross.len > 0) {
        struct str cars, food;
        int64_t a = 0, b = 0;
        str_cut(&cross, '\n', &line);
        struct str rest = line;
        for (size_t i = rest.len; i-- > 0;)
            if (rest.ptr[i] == ',') {
                cars = str_slice(rest, i + 1, rest.len);
                rest = str_slice(rest, 0, i);
                break;
            }
        for (size_t i = rest.len; i-- > 0;)
            if (rest.ptr[i] == ',') {
                food = str_slice(rest, i + 1, rest.len);
                break;
            }
        if (rows++ == 0) /* heads */
            continue;
        CHECK(str_to_int(food, &a) && str_to_int(cars, &b));
        posts += a + b;
        mixed += a > 0 && b > 0;
    }
    CHECK(posts == POSTS && mixed == 0);

    tap_case("words stand below their topic");
    CHECK(strstr(studied_read(&test, "out/tables/words.csv"), ",bread,") != NULL);
    CHECK(strstr(studied_read(&test, "out/tables/words.csv"), ",engine,") != NULL);

    tap_case("a set without words has no topics, and the study goes on");
    studied_write(&test, "study.yaml",
                  "study: s\nsource: {posts: p.csv}\nsets: {none: '[none]', x: '[x]'}\n"
                  "topics: {t: {of: none, topics: 2, seed: 1}}\n"
                  "tables: {topics: {topics: t, show: topics}, all: {of: x}}\n");
    CHECK(studied_run(&test));
    CHECK_TEXT(test.err.text, "");
    CHECK_TEXT(studied_read(&test, "out/topics/t/main.csv"), "id,code,share\n");
    CHECK_TEXT(studied_read(&test, "out/tables/all.csv"), "group1,count\nx,60\n");
    studied_end(&test);
    return tap_done();
}
