/* The api has moments as seconds, and titles as html; others have both as text. */
#include "dump/jsonl_value.h"

#include <math.h>
#include <stdio.h>

#include "base/buf.h"
#include "input/document.h"
#include "text/markup.h"

static bool set_integer(struct arena *row, enum item_field field, json_int_t number,
                        bool api, struct item *post, struct err *err)
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%lld", (long long)number);

    if (dump_field_is_date(field) && api)
        return dump_field_set_epoch(post, field, number, err);
    if (dump_field_is_text(field))
        return err_set(err, ERR_INPUT, "found %s, expected a string", digits);
    return dump_field_set(post, field, (struct str){digits, (size_t)len}, row, err);
}

static bool set_real(struct arena *row, enum item_field field, double number, bool api,
                     struct item *post, struct err *err)
{
    /* Beyond 2^53 a double no longer tells which whole number was meant. */
    if (floor(number) != number || fabs(number) > 9007199254740992.0)
        return err_set(err, ERR_INPUT, "found %.17g, expected a whole number", number);
    return set_integer(row, field, (json_int_t)number, api, post, err);
}

static bool set_string(struct arena *row, enum item_field field, struct str text,
                       bool api, struct item *post, struct err *err)
{
    struct buf plain = {0};

    if (field == ITEM_FIELD_TITLE && api) {
        text_markup_decode(text, false, &plain);
        text = arena_copy(row, buf_str(&plain));
        buf_free(&plain);
    }
    return dump_field_set(post, field, text, row, err);
}

/* The strings of a list as one, parted by blanks. */
static bool join(struct arena *row, const json_t *array, const char *what,
                 struct str *out, struct err *err)
{
    struct buf joined = {0};

    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *item = json_array_get(array, i);
        if (!json_is_string(item)) {
            buf_free(&joined);
            return err_set(err, ERR_INPUT, "found %s, expected %s in quotes",
                           input_document_kind(item), what);
        }
        buf_add(&joined, i > 0 ? STR(" ") : STR(""));
        buf_add(&joined, input_document_text(item));
    }
    *out = arena_copy(row, buf_str(&joined));
    buf_free(&joined);
    return true;
}

bool dump_jsonl_value_set(struct arena *row, enum item_field field, json_t *value,
                          bool api, struct item *post, struct err *err)
{
    struct str tags;

    if (json_is_object(value) && field == ITEM_FIELD_OWNER) {
        value = json_object_get(value, "user_id"); /* a user who is gone has none */
        if (value == NULL)
            return true;
    }
    switch (json_typeof(value)) {
    case JSON_NULL:
        return true;
    case JSON_STRING:
        return set_string(row, field, input_document_text(value), api, post, err);
    case JSON_INTEGER:
        return set_integer(row, field, json_integer_value(value), api, post, err);
    case JSON_REAL:
        return set_real(row, field, json_real_value(value), api, post, err);
    case JSON_ARRAY:
        if (field == ITEM_FIELD_TAGS)
            return join(row, value, "a tag", &tags, err) &&
                   dump_field_set(post, field, tags, row, err);
        break;
    case JSON_OBJECT:
    case JSON_TRUE:
    case JSON_FALSE:
        break;
    }
    return err_set(err, ERR_INPUT, "found %s, expected a string%s",
                   input_document_kind(value),
                   dump_field_is_text(field) ? "" : " or a number");
}

bool dump_jsonl_value_text(const json_t *value, struct arena *row, struct str *out,
                           struct err *err)
{
    char digits[40];

    *out = (struct str){0};
    switch (value != NULL ? json_typeof(value) : JSON_NULL) {
    case JSON_NULL:
        return true;
    case JSON_STRING:
        *out = input_document_text(value);
        return true;
    case JSON_TRUE:
    case JSON_FALSE:
        *out = str_from(input_document_kind(value));
        return true;
    case JSON_INTEGER:
        snprintf(digits, sizeof digits, "%lld", (long long)json_integer_value(value));
        break;
    case JSON_REAL:
        snprintf(digits, sizeof digits, "%.17g", json_real_value(value));
        break;
    case JSON_ARRAY:
        return join(row, value, "text", out, err);
    case JSON_OBJECT:
        return err_set(err, ERR_INPUT, "found %s, expected a string or a number",
                       input_document_kind(value));
    }
    *out = arena_copy(row, str_from(digits));
    return true;
}

int64_t dump_jsonl_value_accepted(const json_t *answers)
{
    for (size_t i = 0; i < json_array_size(answers); i++) {
        const json_t *answer = json_array_get(answers, i);
        const json_t *id = json_object_get(answer, "answer_id");
        if (json_is_true(json_object_get(answer, "is_accepted")) && json_is_integer(id))
            return json_integer_value(id);
    }
    return ITEM_NONE;
}
