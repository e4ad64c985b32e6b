/* Json as text: where values begin and end, and where in them something stands. */
#include "input/document.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "tests/tap.h"

static const struct {
    const char *name;
    const char *text;
    const char *values; /* each with a bar behind it */
    const char *error;  /* NULL: none */
} rows[] = {
    {"nothing", "", "", NULL},
    {"only blanks", " \r\n\t", "", NULL},
    {"lines", "{\"a\":1}\n{\"a\":2}\n", "{\"a\":1}|{\"a\":2}|", NULL},
    {"lines with CRLF", "{}\r\n[]\r\n", "{}|[]|", NULL},
    {"no end of the last line", "{}\n{}", "{}|{}|", NULL},
    {"empty lines", "\n{}\n\n\n{}\n\n", "{}|{}|", NULL},
    {"one over many lines", "{\n \"items\": [\n  {}\n ]\n}\n",
     "{\n \"items\": [\n  {}\n ]\n}|", NULL},
    {"nothing between", "{}[]{}", "{}|[]|{}|", NULL},
    {"byte-order mark", "\xEF\xBB\xBF{}\n", "{}|", NULL},
    {"brackets in strings", "{\"}\":\"]\\\"}\"}{}", "{\"}\":\"]\\\"}\"}|{}|", NULL},
    {"a backslash at the end of a string", "{\"a\":\"\\\\\"}{}", "{\"a\":\"\\\\\"}|{}|",
     NULL},
    {"the wrong bracket is not our business", "{]{}", "{]|{}|", NULL},
    {"text between", "{}\n\xC3\xA9{}", "{}|",
     "f:2:1: found byte 0xC3, expected '{' or '['"},
    {"a comma between", "{},\n{}", "{}|", "f:1:3: found ',', expected '{' or '['"},
    {"a closing bracket", "{}\n  }", "{}|", "f:2:3: found '}', expected '{' or '['"},
    {"a bare value", "12", "", "f:1:1: found '1', expected '{' or '['"},
    {"an open object", "{}\n {\"a\":[1,2]\n", "{}|",
     "f:2:2: the object that begins here is not closed"},
    {"an open array", "[{}", "", "f:1:1: the array that begins here is not closed"},
    {"an open string", "{}\n{\"\xC3\xA9\":\"b", "{}|",
     "f:2:6: the string that begins here is not closed"},
    {"a string that its line cuts", "{\"a\":\"b\n{\"a\":1}\n", "",
     "f:1:8: the line ends within a string"},
    {"a string that its line cuts behind a backslash", "{\"a\":\"b\\\n{\"a\":1}\n", "",
     "f:1:9: the line ends within a string"},
    {"a string that the end cuts behind a backslash", "{\"a\":\"b\\", "",
     "f:1:6: the string that begins here is not closed"},
};

static void check_rows(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct arena arena = {0};
        struct document document = {.text = arena_copy(&arena, str_from(rows[i].text)),
                                    .path = "f"};
        struct err err = {0};
        struct buf out = {0};
        struct str value;
        tap_case("document: %s", rows[i].name);
        while (document_next(&document, &value, &err)) {
            buf_add(&out, value);
            buf_add_char(&out, '|');
        }
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, rows[i].values);
        CHECK_TEXT(err.text, rows[i].error != NULL ? rows[i].error : "");
        CHECK(document.failed == (rows[i].error != NULL));
        CHECK(!document_next(&document, &value, &err));
        buf_free(&out);
        arena_free(&arena);
    }
}

static void check_depth(void)
{
    char text[2 * DOCUMENT_DEPTH_MAX + 2];
    struct document document = {.text = {text, 2 * DOCUMENT_DEPTH_MAX}, .path = "f"};
    struct document none = {.path = "f"};
    struct err err = {0};
    struct str value;

    tap_case("document: not even a pointer");
    CHECK(!document_next(&none, &value, &err) && !none.failed);

    tap_case("document: as deep as may be");
    memset(text, '[', DOCUMENT_DEPTH_MAX);
    memset(text + DOCUMENT_DEPTH_MAX, ']', DOCUMENT_DEPTH_MAX);
    CHECK(document_next(&document, &value, &err) && value.len == document.text.len);

    tap_case("document: too deep");
    document = (struct document){.text = {text, 2 * DOCUMENT_DEPTH_MAX + 2}, .path = "f"};
    memset(text, '[', DOCUMENT_DEPTH_MAX + 1);
    memset(text + DOCUMENT_DEPTH_MAX + 1, ']', DOCUMENT_DEPTH_MAX + 1);
    CHECK(!document_next(&document, &value, &err) && document.failed);
    CHECK_TEXT(err.text, "f:1:65: found more than 64 brackets in each other");
}

#define KEY(name) \
    { \
        (name), 0 \
    }
#define INDEX(number) \
    { \
        NULL, (number) \
    }

static const struct {
    const char *name;
    const char *value;
    struct document_step steps[4];
    size_t count;
    size_t offset;
} ways[] = {
    {"no step", "{\"a\":1}", {KEY(NULL)}, 0, 0},
    {"a key", "{\"a\":1,\"b\":2}", {KEY("b")}, 1, 11},
    {"blanks", "{ \"a\" : 1 ,\n \"b\" :\t2 }", {KEY("b")}, 1, 19},
    {"an item", "[1,\"a,]\",[2,3],{}]", {INDEX(3)}, 1, 15},
    {"the first item", "[ 1]", {INDEX(0)}, 1, 2},
    {"a way",
     "{\"x\":{\"items\":0},\"items\":[{},{\"a\":[true,null]}]}",
     {KEY("items"), INDEX(1), KEY("a"), INDEX(1)},
     4,
     40},
    {"a key that is not there", "{\"a\":1}", {KEY("b")}, 1, 0},
    {"an item that is not there", "{\"a\":[1]}", {KEY("a"), INDEX(7)}, 2, 5},
    {"a key of an array", "[1]", {KEY("a")}, 1, 0},
    {"an item of an object", "{\"a\":1}", {INDEX(0)}, 1, 0},
    {"an item of a number", "{\"a\":1}", {KEY("a"), INDEX(0)}, 2, 5},
    {"a key with an escape", "{\"\\u0061\":1}", {KEY("a")}, 1, 0},
    {"an empty array", "[]", {INDEX(0)}, 1, 0},
};

static void check_ways(void)
{
    for (size_t i = 0; i < ROWS(ways); i++) {
        struct str value = str_from(ways[i].value);
        tap_case("way: %s", ways[i].name);
        const char *at = document_find(value, ways[i].steps, ways[i].count);
        CHECK(at == value.ptr + ways[i].offset);
    }
}

int main(void)
{
    check_rows();
    check_depth();
    check_ways();
    return tap_done();
}
