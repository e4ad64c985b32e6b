/* Json as a tree, and what is wrong with it in words for people. */
#include "input/decode.h"

#include <string.h>

#include "tests/tap.h"

static const struct {
    const char *name, *text, *message; /* NULL: fine */
} rows[] = {
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

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct document document = {.path = "f"};
        enum document_part part;
        struct err err = {0};
        struct str value;
        tap_case("%s", rows[i].name);
        document_push(&document, str_from(rows[i].text), true);
        if (CHECK(document_next(&document, &value, &part, &err))) {
            json_t *tree = decode_json(&document, value, value.ptr, &err);
            CHECK((tree != NULL) == (rows[i].message == NULL));
            if (rows[i].message != NULL &&
                !CHECK(strstr(err.text, rows[i].message) != NULL))
                CHECK_TEXT(err.text, rows[i].message);
            json_decref(tree);
        }
        document_free(&document);
    }
    for (size_t i = 0; i < ROWS(kinds); i++) {
        json_t *value = json_loads(kinds[i].text, JSON_DECODE_ANY, NULL);
        tap_case("%s is %s", kinds[i].text, kinds[i].kind);
        CHECK_TEXT(decode_kind(value), kinds[i].kind);
        CHECK(decode_text(value).len == (json_is_string(value) ? 1 : 0));
        json_decref(value);
    }
    return tap_done();
}
