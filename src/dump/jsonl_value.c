/* The api has moments as seconds, and titles as html; others have both as text. */
#include "dump/jsonl_value.h"

#include <math.h>
#include <stdio.h>

#include "base/buf.h"
#include "text/markup.h"

static bool set_integer(struct arena *row, enum item_field field, int64_t number,
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
    return set_integer(row, field, (int64_t)number, api, post, err);
}

static bool set_string(struct arena *row, enum item_field field, struct str text,
                       bool api, struct item *post, struct err *err)
{
    struct buf plain = {0};

    if (field == ITEM_FIELD_TITLE && api) {
        text_markup_decode(text, false, &plain);
        text = buf_keep(&plain, row);
    }
    return dump_field_set(post, field, text, row, err);
}

/* The strings of a list as one, parted by blanks. */
static bool join(struct arena *row, const struct input_json *array, const char *what,
                 struct str *out, struct err *err)
{
    struct buf joined = {0};

    INPUT_JSON_EACH(item, array)
    {
        if (!input_json_is(item, INPUT_JSON_STRING)) {
            buf_free(&joined);
            return err_set(err, ERR_INPUT, "found %s, expected %s in quotes",
                           input_json_called(item), what);
        }
        buf_add(&joined, item != input_json_first(array) ? STR(" ") : STR(""));
        buf_add(&joined, input_json_text(item));
    }
    *out = buf_keep(&joined, row);
    return true;
}

bool dump_jsonl_value_set(struct arena *row, enum item_field field,
                          const struct input_json *value, bool api, struct item *post,
                          struct err *err)
{
    struct str tags;

    if (input_json_is(value, INPUT_JSON_OBJECT) && field == ITEM_FIELD_OWNER) {
        value = input_json_get(value, "user_id"); /* a user who is gone has none */
        if (value == NULL)
            return true;
    }
    switch ((enum input_json_kind)value->kind) {
    case INPUT_JSON_NULL:
        return true;
    case INPUT_JSON_STRING:
        return set_string(row, field, input_json_text(value), api, post, err);
    case INPUT_JSON_INTEGER:
        return set_integer(row, field, input_json_integer(value), api, post, err);
    case INPUT_JSON_REAL:
        return set_real(row, field, input_json_number(value), api, post, err);
    case INPUT_JSON_ARRAY:
        if (field == ITEM_FIELD_TAGS)
            return join(row, value, "a tag", &tags, err) &&
                   dump_field_set(post, field, tags, row, err);
        break;
    case INPUT_JSON_OBJECT:
    case INPUT_JSON_TRUE:
    case INPUT_JSON_FALSE:
        break;
    }
    return err_set(err, ERR_INPUT, "found %s, expected a string%s",
                   input_json_called(value),
                   dump_field_is_text(field) ? "" : " or a number");
}

bool dump_jsonl_value_text(const struct input_json *value, struct arena *row,
                           struct str *out, struct err *err)
{
    char digits[40];

    *out = (struct str){0};
    switch (value != NULL ? (enum input_json_kind)value->kind : INPUT_JSON_NULL) {
    case INPUT_JSON_NULL:
        return true;
    case INPUT_JSON_STRING:
        *out = input_json_text(value);
        return true;
    case INPUT_JSON_TRUE:
    case INPUT_JSON_FALSE:
        *out = str_from(input_json_called(value));
        return true;
    case INPUT_JSON_INTEGER:
        snprintf(digits, sizeof digits, "%lld", (long long)input_json_integer(value));
        break;
    case INPUT_JSON_REAL:
        snprintf(digits, sizeof digits, "%.17g", input_json_number(value));
        break;
    case INPUT_JSON_ARRAY:
        return join(row, value, "text", out, err);
    case INPUT_JSON_OBJECT:
        return err_set(err, ERR_INPUT, "found %s, expected a string or a number",
                       input_json_called(value));
    }
    *out = arena_copy(row, str_from(digits));
    return true;
}

int64_t dump_jsonl_value_accepted(const struct input_json *answers)
{
    INPUT_JSON_EACH(answer, answers)
    {
        const struct input_json *id = input_json_get(answer, "answer_id");
        if (input_json_is(input_json_get(answer, "is_accepted"), INPUT_JSON_TRUE) &&
            input_json_is(id, INPUT_JSON_INTEGER))
            return input_json_integer(id);
    }
    return ITEM_NONE;
}
