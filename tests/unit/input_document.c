/* Json one value after the other, and each decoded. */
#include "input/document.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "tests/tap.h"

/* Json as text: where values begin and end, and where in them something stands. */

static const struct {
    const char *name;
    const char *text;
    const char *values; /* each with a bar behind it; an item of an array with * before
                           it, the rest of an object with + */
    const char *error;  /* NULL: none */
} rows[] = {
    {"nothing", "", "", NULL},
    {"only blanks", " \r\n\t", "", NULL},
    {"lines", "{\"a\":1}\n{\"a\":2}\n", "{\"a\":1}|{\"a\":2}|", NULL},
    {"lines with CRLF", "{}\r\n{\"b\":[]}\r\n", "{}|{\"b\":[]}|", NULL},
    {"no end of the last line", "{}\n{}", "{}|{}|", NULL},
    {"empty lines", "\n{}\n\n\n{}\n\n", "{}|{}|", NULL},
    {"one over many lines", "{\n \"a\": [\n  {}\n ]\n}\n", "{\n \"a\": [\n  {}\n ]\n}|",
     NULL},
    {"nothing between", "{}[]{}", "{}|{}|", NULL},
    {"byte-order mark", "\xEF\xBB\xBF{}\n", "{}|", NULL},
    {"brackets in strings", "{\"}\":\"]\\\"}\"}{}", "{\"}\":\"]\\\"}\"}|{}|", NULL},
    {"a backslash at the end of a string", "{\"a\":\"\\\\\"}{}", "{\"a\":\"\\\\\"}|{}|",
     NULL},
    {"the wrong bracket is not our business", "{]{}", "{]|{}|", NULL},

    {"an empty array", "[ ]", "", NULL},
    {"an array", "[{\"a\":[1]},{}\n, 5 ,\"x,]\",[[]]]{}",
     "*{\"a\":[1]}|*{}|*5|*\"x,]\"|*[[]]|{}|", NULL},
    {"an array of words", "[true,null,-1.5e3]", "*true|*null|*-1.5e3|", NULL},
    {"items", "{\"items\":[{},{\"a\":1}]}\n{}", "*{}|*{\"a\":1}|{}|", NULL},
    {"items with blanks", " { \"items\"\n:\t[ {} ] } ", "*{}|", NULL},
    {"items and more", "{\"items\":[{}] ,\"a\":{\"b\":[1]},\"c\":2}{}",
     "*{}|+,\"a\":{\"b\":[1]},\"c\":2}|{}|", NULL},
    {"no items, and more", "{\"items\":[],\"a\":1}", "+,\"a\":1}|", NULL},
    {"items that are none", "{\"items\":{}}{\"items\":5}",
     "{\"items\":{}}|{\"items\":5}|", NULL},
    {"items that come later", "{\"a\":1,\"items\":[{}]}", "{\"a\":1,\"items\":[{}]}|",
     NULL},
    {"nearly items", "{\"itemss\":[]}{\"item\":[]}", "{\"itemss\":[]}|{\"item\":[]}|",
     NULL},

    {"text between", "{}\n\xC3\xA9{}", "{}|",
     "f:2:1: found byte 0xC3, expected '{' or '['"},
    {"a comma between", "{},\n{}", "{}|", "f:1:3: found ',', expected '{' or '['"},
    {"a closing bracket", "{}\n  }", "{}|", "f:2:3: found '}', expected '{' or '['"},
    {"a bare value", "12", "", "f:1:1: found '1', expected '{' or '['"},
    {"an open object", "{}\n {\"a\":[1,2]\n", "{}|",
     "f:2:2: the object that begins here is not closed"},
    {"an open array", " [{}", "*{}|", "f:1:2: the array that begins here is not closed"},
    {"an open array, behind a comma", "[{},", "*{}|",
     "f:1:1: the array that begins here is not closed"},
    {"an open item", "[{},\n{", "*{}|",
     "f:2:1: the object that begins here is not closed"},
    {"an open array in an item", "[[", "",
     "f:1:2: the array that begins here is not closed"},
    {"a cut word at the end", "[tru", "*tru|",
     "f:1:1: the array that begins here is not closed"},
    {"open items", "{}\n{\"items\":[{}", "{}|*{}|",
     "f:2:1: the object that begins here is not closed"},
    {"an open object behind items", "{\"items\":[{}]", "*{}|",
     "f:1:1: the object that begins here is not closed"},
    {"an open rest", "{\"items\":[{}],\"a\":", "*{}|",
     "f:1:14: the value that begins here is not closed"},
    {"a beginning of items", "{\"items\"", "",
     "f:1:1: the object that begins here is not closed"},
    {"an open string", "{}\n{\"\xC3\xA9\":\"b", "{}|",
     "f:2:6: the string that begins here is not closed"},
    {"a comma too many", "[{},]", "*{}|", "f:1:5: found ']', expected a value"},
    {"a comma first", "[,{}]", "", "f:1:2: found ',', expected a value"},
    {"a missing comma", "[{} {}]", "*{}|", "f:1:5: found '{', expected ',' or ']'"},
    {"the wrong end of an array", "[{}}", "*{}|",
     "f:1:4: found '}', expected ',' or ']'"},
    {"the wrong end of items", "{\"items\":[]]", "",
     "f:1:12: found ']', expected ',' or '}'"},
    {"a comma too many behind items", "{\"items\":[], }", "",
     "f:1:14: found '}', expected a key"},
    {"a string that its line cuts", "{\"a\":\"b\n{\"a\":1}\n", "",
     "f:1:8: the line ends within a string"},
    {"a string of an array that its line cuts", "[\"b\n\"]", "",
     "f:1:4: the line ends within a string"},
    {"a string that its line cuts behind a backslash", "{\"a\":\"b\\\n{\"a\":1}\n", "",
     "f:1:9: the line ends within a string"},
    {"a string that the end cuts behind a backslash", "{\"a\":\"b\\", "",
     "f:1:6: the string that begins here is not closed"},
};

/* Takes all that is there by now. */
static void take(struct input_document *document, struct buf *out, struct err *err)
{
    static const char *const marks[] = {[INPUT_DOCUMENT_VALUE] = "",
                                        [INPUT_DOCUMENT_IN_ARRAY] = "*",
                                        [INPUT_DOCUMENT_REST] = "+"};
    enum input_document_part part;
    struct str value;

    while (input_document_next(document, &value, &part, err))
        buf_add_format(out, "%s%.*s|", marks[part], STR_ARG(value));
}

/* In pieces of that size; the last one is empty. */
static void check_row(size_t row, size_t piece)
{
    struct str text = str_from(rows[row].text);
    struct input_document document = {.path = "f"};
    struct err err = {0};
    struct buf out = {0};
    struct arena arena = {0};

    for (size_t at = 0; at < text.len && !document.failed; at += piece) {
        input_document_push(&document,
                            arena_copy(&arena, str_slice(text, at, at + piece)), false);
        take(&document, &out, &err);
    }
    if (!document.failed) {
        input_document_push(&document, (struct str){0}, true);
        take(&document, &out, &err);
    }
    take(&document, &out, &err); /* nothing more comes */
    buf_add_char(&out, '\0');
    CHECK_TEXT(out.ptr, rows[row].values);
    CHECK_TEXT(err.text, rows[row].error != NULL ? rows[row].error : "");
    CHECK(document.failed == (rows[row].error != NULL));
    buf_free(&out);
    arena_free(&arena);
    input_document_free(&document);
}

static void check_rows(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("document: %s", rows[i].name);
        for (size_t piece = 1; piece < 9; piece++)
            check_row(i, piece);
        check_row(i, 1000);
    }
}

static bool first_value(struct str text, bool last, struct input_document *document,
                        struct str *value, struct err *err)
{
    enum input_document_part part;

    input_document_free(document);
    *document = (struct input_document){.path = "f"};
    input_document_push(document, text, last);
    return input_document_next(document, value, &part, err);
}

static void check_limits(void)
{
    char text[2 * INPUT_DOCUMENT_DEPTH_MAX + 8];
    struct input_document document = {0};
    struct err err = {0};
    struct str value;
    struct buf long_text = {0};

    for (int outer = 0; outer < 2; outer++) { /* in an array the depth is that of all */
        int depth = INPUT_DOCUMENT_DEPTH_MAX - outer;
        struct str all = {text, (size_t)(2 * depth + 4 + 2 * outer)};
        memset(text, '[', (size_t)outer);
        memset(text, '{', sizeof text);
        memset(text, '[', (size_t)outer);
        memset(text + outer + depth, '}', sizeof text - (size_t)(outer + depth));
        tap_case("document: as deep as may be, %d arrays around", outer);
        CHECK(first_value(all, true, &document, &value, &err) &&
              value.len == (size_t)(2 * depth));
        tap_case("document: too deep, %d arrays around", outer);
        memset(text + outer, '{', (size_t)depth + 1);
        CHECK(!first_value(all, true, &document, &value, &err) && document.failed);
        CHECK_TEXT(err.text, "f:1:65: found more than 64 brackets in each other");
    }

    tap_case("document: a value that never ends");
    memset(buf_reserve(&long_text, INPUT_DOCUMENT_VALUE_MAX + 2), ' ',
           INPUT_DOCUMENT_VALUE_MAX + 2);
    memcpy(long_text.ptr, "\n{", 2);
    long_text.len = INPUT_DOCUMENT_VALUE_MAX + 1;
    CHECK(!first_value(buf_str(&long_text), false, &document, &value, &err) &&
          !document.failed);
    long_text.len++;
    CHECK(!first_value(buf_str(&long_text), false, &document, &value, &err) &&
          document.failed);
    CHECK_TEXT(err.text, "f:2:1: the value that begins here has no end in 32 MB");
    buf_free(&long_text);
    input_document_free(&document);
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
    struct input_document_step steps[4];
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
        const char *at = input_document_find(value, ways[i].steps, ways[i].count);
        CHECK(at == value.ptr + ways[i].offset);
    }
}

static void test_document(void)
{
    check_rows();
    check_limits();
    check_ways();
}

/* Json as a tree, and what is wrong with it in words for people. */

static const struct {
    const char *name, *text, *message; /* NULL: fine */
} decode_rows[] = {
    {"an object", "{\"a\":[1,2]}", NULL},
    {"a key twice", "{\"a\":1,\n\"a\":2}",
     "f:2:3: not json: found a key for the second time"},
    {"a null character", "{\"a\":\"\\u0000\"}", "not json: found \\u0000, expected text"},
    {"a number too large", "{\"a\":1e999}", "not json: found a number that is too large"},
    {"no json", "{\"a\" 1}", "f:1:6: not json"},
    {"not UTF-8", "{\"a\":\"\xff\"}", "not json: found a byte that is not UTF-8"},
};

static const struct {
    const char *text, *kind;
} kinds[] = {
    {"{}", "an object"}, {"[]", "an array"}, {"\"x\"", "a string"}, {"1", "a number"},
    {"1.5", "a number"}, {"true", "true"},   {"false", "false"},    {"null", "null"},
};

static void test_decode(void)
{
    for (size_t i = 0; i < ROWS(decode_rows); i++) {
        struct input_document document = {.path = "f"};
        enum input_document_part part;
        struct err err = {0};
        struct str value;
        tap_case("%s", decode_rows[i].name);
        input_document_push(&document, str_from(decode_rows[i].text), true);
        if (CHECK(input_document_next(&document, &value, &part, &err))) {
            json_t *tree = input_document_decode(&document, value, value.ptr, &err);
            CHECK((tree != NULL) == (decode_rows[i].message == NULL));
            if (decode_rows[i].message != NULL &&
                !CHECK(strstr(err.text, decode_rows[i].message) != NULL))
                CHECK_TEXT(err.text, decode_rows[i].message);
            json_decref(tree);
        }
        input_document_free(&document);
    }
    for (size_t i = 0; i < ROWS(kinds); i++) {
        json_t *value = json_loads(kinds[i].text, JSON_DECODE_ANY, NULL);
        tap_case("%s is %s", kinds[i].text, kinds[i].kind);
        CHECK_TEXT(input_document_kind(value), kinds[i].kind);
        CHECK(input_document_text(value).len == (json_is_string(value) ? 1 : 0));
        json_decref(value);
    }
}

int main(void)
{
    test_document();
    test_decode();
    return tap_done();
}
