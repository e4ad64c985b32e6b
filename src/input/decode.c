/* What jansson says is for programmers; its places are turned into those of the file. */
#include "input/decode.h"

#include <string.h>

const char *decode_kind(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_NULL:
        break;
    }
    return "null";
}

struct str decode_text(const json_t *string)
{
    return (struct str){json_string_value(string), json_string_length(string)};
}

/* What jansson says in words that mean something to its callers only. */
static const char *in_our_words(enum json_error_code code)
{
    switch (code) {
    case json_error_null_character:
    case json_error_null_byte_in_key:
        return "found \\u0000, expected text";
    case json_error_invalid_utf8:
        return "found a byte that is not UTF-8";
    case json_error_numeric_overflow:
        return "found a number that is too large";
    case json_error_duplicate_key:
        return "found a key for the second time";
    default:
        return NULL;
    }
}

/* Where jansson stopped reading, and why. */
static void refuse(const struct document *document, struct str value,
                   const json_error_t *error, struct err *err)
{
    enum json_error_code code = json_error_code(error);
    const char *ours = in_our_words(code), *near = strstr(error->text, " near ");
    size_t offset = error->position > 0 ? (size_t)error->position : 0;

    if (offset > 0 && code != json_error_invalid_utf8)
        offset--; /* it is behind what it does not like, except here */
    if (offset > value.len)
        offset = value.len;
    if (ours != NULL)
        err_record(err, ERR_INPUT, "not json: %s%s", ours, near != NULL ? near : "");
    else
        err_record(err, ERR_INPUT, "not json: %s", error->text);
    for (char *p = err->text; *p != '\0'; p++)
        if ((unsigned char)*p < 0x20)
            *p = ' ';
    document_fail(document, value.ptr + offset, err);
}

json_t *decode_json(const struct document *document, struct str value, const char *text,
                    struct err *err)
{
    json_error_t error;
    json_t *root =
        json_loadb(text, value.len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);

    if (root == NULL)
        refuse(document, value, &error, err);
    return root;
}
