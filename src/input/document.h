/* Json as text: one value after the other, be it a line each or one document over many
 * lines, and where in the text something stands. Nothing is decoded here. */
#ifndef INPUT_DOCUMENT_H
#define INPUT_DOCUMENT_H

#include "base/err.h"
#include "base/str.h"

enum { DOCUMENT_DEPTH_MAX = 64 }; /* of objects and arrays in each other */

/* The walk over a text. A struct with text and path set stands before the first value. */
struct document {
    struct str text;
    const char *path; /* for messages */
    size_t at;
    bool failed; /* document_next() has told an error */
};

/* Takes the next object or array, from its opening to its closing bracket. False at the
 * end, and when something is wrong: then document->failed is set and err is ERR_INPUT
 * with "path:line:column: ", for anything else than blanks between two values, a value or
 * a string that is not closed, and too deep nesting. That what lies between the brackets
 * is json has to be checked by whoever decodes it. A byte-order mark is left out. */
bool document_next(struct document *document, struct str *value,
                   struct err *err) MUST_USE;

/* Puts the place of that byte before the error's text, and is false. Columns count
 * characters from 1. */
bool document_fail(const struct document *document, const char *at, struct err *err);

/* One step down: to the value of a key, or, when key is NULL, to an item of an array. */
struct document_step {
    const char *key;
    size_t index;
};

/* Where in a value, which must be json, the steps lead to; as far as they can be
 * followed. Keys are compared as they stand, so that one with an escape is not found. */
const char *document_find(struct str value, const struct document_step *steps,
                          size_t count);

#endif
