/* Posts in json: a line each with the dump's attributes, or what the Stack Exchange api
 * answers. Both come as one object after the other, as an array of objects, or as an
 * object with such an array under "items".
 *
 * An object's keys are the names of csv columns (field.h). Values are text as in the
 * dump, or numbers; null is the same as a missing key. Under "answers" an array of
 * objects of the same kind may stand: the question comes first, then its answers.
 *
 * An object with question_id, answer_id or post_id is the api's: its moments are seconds,
 * its title has html's entities, its tags are an array, its owner is an object. An answer
 * there has both answer_id and question_id.
 *
 * Where the mapping says that only it counts (`only`), each object is a row of its own:
 * it needs no id, and what stands under "answers" is not looked at. */
#ifndef DUMP_JSONL_H
#define DUMP_JSONL_H

#include "dump/columns.h"
#include "input/json.h"

struct dump_jsonl_options {
    const char *path; /* for messages */
    const struct dump_columns_mapping
        *mapping; /* of keys instead of columns; NULL: none */
    /* Gets each post; false with err ends the reading. Strings last during the call. */
    bool (*take)(void *context, const struct item *post, struct err *err);
    void *context;
    struct dump_field_broken
        *broken; /* gets objects that are wrong; NULL: they are errors */
};

/* A reading under way, which the caller hands to dump_jsonl_close(). *options must last
 * as long. Of an array, or of an object that begins with "items", an item at a time is
 * kept in memory; else an object. */
struct dump_jsonl;
struct dump_jsonl *dump_jsonl_open(const struct dump_jsonl_options *options);
void dump_jsonl_close(struct dump_jsonl *jsonl); /* NULL is fine */

/* The next piece of the text; `last` says that nothing follows. ERR_INPUT, with
 * "path:line:column: ", for text that is not json, a key given twice, \u0000, a number
 * too large for 64 bits, brackets deeper than DOCUMENT_DEPTH_MAX, a value longer than
 * DOCUMENT_VALUE_MAX, an object without an id, a value of the wrong kind, an error that
 * the api answered, and a key of the mapping that no object has. */
bool dump_jsonl_push(struct dump_jsonl *jsonl, struct str piece, bool last,
                     struct err *err) MUST_USE;

/* --- from a value of json to the field of a post --- */

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
