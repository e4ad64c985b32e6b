/* Posts as JSON and CSV: what is missing is left out, what is odd is escaped. */
#include "dump/format.h"

#include "tests/tap.h"

int main(void)
{
    struct buf out = {0};
    struct item post = item_empty();
    const struct dump_format_own none = {0};

    tap_case("json: a question with everything that needs escaping");
    post.id = 7;
    post.kind = ITEM_QUESTION;
    post.created_ms = 1390338223500;
    post.score = -2;
    post.tags = STR("|a|c++|");
    post.title = STR("say \"hi\"\\");
    post.body = STR("<p>a\nb\x01</p>");
    dump_format_json(&post, none, &out);
    buf_add_char(&out, '\0');
    CHECK_TEXT(
        out.ptr,
        "{\"id\":7,\"type\":1,\"created\":\"2014-01-21T21:03:43.500\",\"score\":-2,"
        "\"tags\":[\"a\",\"c++\"],\"title\":\"say \\\"hi\\\"\\\\\","
        "\"body\":\"<p>a\\nb\\u0001</p>\"}\n");
    tap_case("csv: missing is empty, not 0");
    buf_clear(&out);
    dump_format_csv_head(none, &out);
    dump_format_csv(&post, none, &out);
    buf_add_char(&out, '\0');
    CHECK_TEXT(out.ptr,
               "id,type,parent,accepted,created,closed,score,views,answers,comments,"
               "favorites,owner,tags,title,license,body\n"
               "7,1,,,2014-01-21T21:03:43.500,,-2,,,,,,|a|c++|,\"say \"\"hi\"\"\\\",,"
               "\"<p>a\nb\x01</p>\"\n");
    tap_case("json: a post with nothing is still an object");
    buf_clear(&out);
    post = item_empty();
    dump_format_json(&post, none, &out);
    buf_add_char(&out, '\0');
    CHECK_TEXT(out.ptr, "{\"id\":null,\"body\":\"\"}\n");
    tap_case("a key, and fields that the source brings");
    const struct item_own state = {.name = STR_INIT("state"), .type = ITEM_TEXT};
    const struct str value = STR("open");
    const struct dump_format_own own = {&state, 1};
    post = item_empty();
    post.id = 7;
    post.key = STR("o/n#7");
    post.extra = &value;
    buf_clear(&out);
    dump_format_json(&post, own, &out);
    dump_format_csv(&post, own, &out);
    buf_add_char(&out, '\0');
    CHECK_TEXT(out.ptr, "{\"id\":\"o/n#7\",\"state\":\"open\",\"body\":\"\"}\n"
                        "o/n#7,,,,,,,,,,,,,,,,open\n");
    buf_free(&out);
    return tap_done();
}
