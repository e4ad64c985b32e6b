/* A value of a document (document.h) as jansson's tree, with messages for people. */
#ifndef INPUT_DECODE_H
#define INPUT_DECODE_H

#include <jansson.h>

#include "input/document.h"

/* The tree of text, which is the value, or what was made of it without moving a byte; the
 * caller hands it to json_decref(). NULL, with ERR_INPUT and its place, when it is no
 * json, a key comes twice, or a number is too large. */
json_t *decode_json(const struct document *document, struct str value, const char *text,
                    struct err *err) MUST_USE;

const char *decode_kind(const json_t *value); /* "an object", "true", ... */

struct str decode_text(const json_t *string);

#endif
