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
     "*{}|+{\"a\":{\"b\":[1]},\"c\":2}|{}|", NULL},
    {"no items, and more", "{\"items\":[],\"a\":1}", "+{\"a\":1}|", NULL},
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
    {"an open object", "{}\n {\"a\":[1,2]\n", "{}|{\"a\":[1,2]\n|", NULL},
    {"an open object before another line", "{}\n{\"a\":\n{}\n{}\n", "{}|{\"a\":\n|{}|{}|",
     NULL},
    {"an open object before the last line", "{\"a\":\r\n{\"b\":1}",
     "{\"a\":\r\n|{\"b\":1}|", NULL},
    {"an open object that is wrong before", "{\"a\":b,\"c\":[\n{}\n{}",
     "{\"a\":b,\"c\":[\n|{}|{}|", NULL},
    {"a broken object on a line with others", "{a}{}\n{}", "{a}|{}|{}|", NULL},
    {"an open object over many lines", "{\n \"a\": [\n", "",
     "f:1:1: the object that begins here is not closed"},
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
    {"a beginning of items", "{\"items\"", "{\"items\"|", NULL},
    {"an open string", "{}\n{\"\xC3\xA9\":\"b", "{}|{\"\xC3\xA9\":\"b|", NULL},
    {"a comma too many", "[{},]", "*{}|", "f:1:5: found ']', expected a value"},
    {"a comma first", "[,{}]", "", "f:1:2: found ',', expected a value"},
    {"a missing comma", "[{} {}]", "*{}|", "f:1:5: found '{', expected ',' or ']'"},
    {"the wrong end of an array", "[{}}", "*{}|",
     "f:1:4: found '}', expected ',' or ']'"},
    {"the wrong end of items", "{\"items\":[]]", "",
     "f:1:12: found ']', expected ',' or '}'"},
    {"a comma too many behind items", "{\"items\":[], }", "",
     "f:1:14: found '}', expected a key"},
    {"a string that its line cuts", "{\"a\":\"b\r\n{\"a\":1}\n",
     "{\"a\":\"b\r\n|{\"a\":1}|", NULL},
    {"a string that its line cuts, no object behind", "{\"a\":\"b\n \"c\":1}\n", "",
     "f:1:8: the line ends within a string"},
    {"a string of an array that its line cuts", "[\"b\n\"]", "",
     "f:1:4: the line ends within a string"},
    {"a string that its line cuts behind a backslash", "{\"a\":\"b\\\n{\"a\":1}\n",
     "{\"a\":\"b\\\n|{\"a\":1}|", NULL},
    {"a string that the end cuts behind a backslash", "[{\"a\":\"b\\", "",
     "f:1:7: the string that begins here is not closed"},
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
    char text[2 * INPUT_JSON_DEPTH_MAX + 8];
    struct input_document document = {0};
    struct err err = {0};
    struct str value;
    struct buf long_text = {0};

    for (int outer = 0; outer < 2; outer++) { /* in an array the depth is that of all */
        int depth = INPUT_JSON_DEPTH_MAX - outer;
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

static void test_document(void)
{
    check_rows();
    check_limits();
}

/* Json as a tree, and what is wrong with it in words for people. */

static const struct {
    const char *name, *text, *message; /* NULL: fine */
} decode_rows[] = {
    {"an object", "{\"a\":[1,2]}", NULL},
    {"a key twice", "{\"a\":1,\n\"a\":2}",
     "f:2:1: not json: found a key for the second time: 'a'"},
    {"a null character", "{\"a\":\"\\u0000\"}",
     "f:1:7: not json: found \\u0000, expected text"},
    {"half a character", "{\"a\":\"\\uD83Dx\"}",
     "f:1:13: not json: found half of a character, '\\uD83D'"},
    {"the second half alone", "{\"a\":\"\\uDE00\"}",
     "f:1:7: not json: found half of a character, '\\uDE00'"},
    {"a number too large", "{\"a\":1e999}",
     "f:1:6: not json: found a number that is too large"},
    {"a whole number too large", "{\"a\":9223372036854775808}",
     "f:1:6: not json: found a number that is too large"},
    {"a number that begins with 0", "{\"a\":012}",
     "f:1:6: not json: found a number that begins with 0"},
    {"no colon", "{\"a\" 1}", "f:1:6: not json: found '1', expected ':'"},
    {"no key", "{a:1}", "f:1:2: not json: found 'a', expected a key"},
    {"a word that is none", "{\"a\":nil}",
     "f:1:6: not json: found 'n', expected a value"},
    {"the wrong bracket", "{\"a\":[1}]}",
     "f:1:8: not json: found '}', expected ',' or ']'"},
    {"a tab in a string", "{\"a\":\"\t\"}",
     "f:1:7: not json: found byte 0x09 in a string, expected it escaped"},
    {"an escape that is none", "{\"a\":\"\\x\"}",
     "f:1:7: not json: found a backslash, expected one of \"\\/bfnrtu behind it"},
    {"not UTF-8", "{\"a\":\"\xff\"}", "f:1:7: not json: found a byte that is not UTF-8"},
    {"a cut character", "{\"a\":\"\xC3\"}",
     "f:1:7: not json: found a byte that is not UTF-8"},
    {"a value that the end cuts", "[tru", "f:1:2: not json: it ends too early"},
    {"an object that the end cuts", "\n {\"a\":[",
     "f:2:2: the object that begins here is not closed"},
};

static const struct {
    const char *text, *called;
} kinds[] = {
    {"{}", "an object"}, {"[]", "an array"}, {"\"x\"", "a string"}, {"1", "a number"},
    {"1.5", "a number"}, {"true", "true"},   {"false", "false"},    {"null", "null"},
};

static void check_raw(struct input_document *document, const struct input_json *root)
{
    static const char *const want[] = {"\"x\\n,]\"", "[ {} ]", "1.5", "true"};
    size_t i = 0;

    INPUT_JSON_EACH(item, root)
    {
        struct str raw = input_document_raw(document, item);
        CHECK(i < ROWS(want) && str_eq(raw, str_from(want[i])));
        i++;
    }
    CHECK(i == ROWS(want));
}

static void test_decode(void)
{
    struct input_document document = {.path = "f"};
    struct input_json_tree tree = {0};
    struct err err = {0};
    struct str value;

    for (size_t i = 0; i < ROWS(decode_rows); i++) {
        err = (struct err){0};
        tap_case("%s", decode_rows[i].name);
        if (CHECK(first_value(str_from(decode_rows[i].text), true, &document, &value,
                              &err))) {
            const struct input_json *root = input_document_decode(&document, &err);
            CHECK((root != NULL) == (decode_rows[i].message == NULL));
            CHECK_TEXT(err.text,
                       decode_rows[i].message != NULL ? decode_rows[i].message : "");
        }
    }
    for (size_t i = 0; i < ROWS(kinds); i++) {
        const struct input_json *root = input_json_parse(&tree, str_from(kinds[i].text));
        tap_case("%s is %s", kinds[i].text, kinds[i].called);
        CHECK_TEXT(input_json_called(root), kinds[i].called);
        CHECK(input_json_text(root).len == (kinds[i].text[0] == '"' ? 1 : 0));
    }
    tap_case("a value as it stands in the text");
    if (CHECK(first_value(STR("{\"a\":[\"x\\n,]\",[ {} ], 1.5 ,true]}"), true, &document,
                          &value, &err)))
        check_raw(&document, input_json_get(input_document_decode(&document, &err), "a"));
    input_json_free(&tree);
    input_document_free(&document);
}

int main(void)
{
    test_document();
    test_decode();
    return tap_done();
}
