/* What our reader of json says of a text beside what jansson says of it. */
#ifndef TESTS_SAME_JSON_H
#define TESTS_SAME_JSON_H

#include <jansson.h>
#include <string.h>

#include "input/json.h"

/* Names that are asked for by their address. */
static const char *const same_fixed[] = {"a", "Z", "0", "url", "aurl", "", "7"};

static bool same_value(const struct input_json *ours, const json_t *theirs)
{
    static const json_type types[] = {
        [INPUT_JSON_NULL] = JSON_NULL,   [INPUT_JSON_FALSE] = JSON_FALSE,
        [INPUT_JSON_TRUE] = JSON_TRUE,   [INPUT_JSON_INTEGER] = JSON_INTEGER,
        [INPUT_JSON_REAL] = JSON_REAL,   [INPUT_JSON_STRING] = JSON_STRING,
        [INPUT_JSON_ARRAY] = JSON_ARRAY, [INPUT_JSON_OBJECT] = JSON_OBJECT,
    };
    size_t i = 0;

    if (json_typeof(theirs) != types[ours->kind])
        return false;
    switch ((enum input_json_kind)ours->kind) {
    case INPUT_JSON_INTEGER:
        return input_json_integer(ours) == json_integer_value(theirs);
    case INPUT_JSON_REAL:
        return input_json_number(ours) == json_real_value(theirs);
    case INPUT_JSON_STRING:
        return str_eq(input_json_text(ours), (struct str){json_string_value(theirs),
                                                          json_string_length(theirs)});
    case INPUT_JSON_ARRAY:
        INPUT_JSON_EACH(item, ours)
        if (!same_value(item, json_array_get(theirs, i++)))
            return false;
        return i == json_array_size(theirs) && i == input_json_count(ours);
    case INPUT_JSON_OBJECT:
        for (size_t k = 0; k < ROWS_OF(same_fixed); k++)
            if (input_json_fixed(ours, same_fixed[k]) !=
                input_json_get(ours, same_fixed[k]))
                return false;
        INPUT_JSON_EACH_NAME(name, ours)
        {
            struct str key = input_json_text(name);
            json_t *value = json_object_getn(theirs, key.ptr, key.len);
            if (value == NULL || !same_value(name + 1, value) ||
                input_json_member(ours, key) != name + 1)
                return false;
            i++;
        }
        return i == json_object_size(theirs) && i == ours->len;
    default:
        return true;
    }
}

/* Depth apart, of which jansson allows more, and a zero byte behind a value, which it
 * does not see. */
static bool same_json(struct input_json_tree *tree, struct str text)
{
    json_t *theirs =
        json_loadb(text.ptr, text.len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
    const struct input_json *ours = input_json_parse(tree, text);
    bool same = ours != NULL ? theirs != NULL && same_value(ours, theirs)
                             : theirs == NULL || strstr(tree->why, "brackets") != NULL ||
                                   memchr(text.ptr, '\0', text.len) != NULL;

    json_decref(theirs);
    return same;
}

#endif
