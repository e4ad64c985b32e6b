/* From a value of json to the field of a post. */
#ifndef DUMP_JSONL_VALUE_H
#define DUMP_JSONL_VALUE_H

#include "dump/field.h"
#include "input/json.h"

/* `api`: the object is one of the Stack Exchange API. Texts live in row. ERR_INPUT,
 * without a place, for what the field cannot be. */
bool dump_jsonl_value_set(struct arena *row, enum item_field field,
                          const struct input_json *value, bool api, struct item *post,
                          struct err *err) MUST_USE;

/* As text, empty for null and NULL; the strings of a list are parted by blanks. An object
 * cannot be kept. */
bool dump_jsonl_value_text(const struct input_json *value, struct arena *row,
                           struct str *out, struct err *err) MUST_USE;

/* The api's answers say themselves which of them is the accepted one; ITEM_NONE: none. */
int64_t dump_jsonl_value_accepted(const struct input_json *answers);

#endif
