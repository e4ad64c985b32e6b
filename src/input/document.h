/* Json one value after the other, be it a line each or one document over many lines, and
 * where in the text something stands. Bytes go in, in pieces of any size, and values come
 * out; no more than one of them is kept. One that is no json but has an end is given too,
 * for its neighbours may be sound: input_document_decode() tells. */
#ifndef INPUT_DOCUMENT_H
#define INPUT_DOCUMENT_H

#include "base/err.h"
#include "input/json.h"

enum {
    INPUT_DOCUMENT_VALUE_MAX =
        32 << 20, /* bytes; what is longer is taken for a missing quote */
};

/* The walk over a text. A zeroed struct with its path set stands before the first byte;
 * input_document_free() gives its memory back. */
struct input_document {
    const char *path; /* for messages */
    bool failed;      /* input_document_next() has told an error */

    /* Private. */
    struct buf bytes; /* from line and column on, zeros behind them */
    size_t at;
    bool begun, last; /* the byte-order mark is behind us; nothing follows */
    struct input_document_place {
        int64_t line, column; /* from 0 */
    } place, opened;          /* of the bytes; of the bracket that opened the array */
    enum {
        INPUT_DOCUMENT_OUTSIDE,
        INPUT_DOCUMENT_OPENED, /* behind the array's bracket */
        INPUT_DOCUMENT_ITEM,   /* behind an item */
        INPUT_DOCUMENT_COMMA,  /* behind a comma */
        INPUT_DOCUMENT_CLOSED, /* behind the array, in the object that holds it */
    } where;
    bool wrapped; /* the array stands under "items" in an object */
    struct input_json_tree tree;
    enum input_json_end end; /* how reading the value at hand ended */
    const char *begin;       /* of that value */
};

/* What input_document_next() gives. */
enum input_document_part {
    INPUT_DOCUMENT_VALUE,    /* an object by itself */
    INPUT_DOCUMENT_IN_ARRAY, /* an item of an array: any value */
    INPUT_DOCUMENT_REST,     /* what else was in an object that began with "items" */
};

void input_document_free(struct input_document *document);

/* Before the first byte of another text, with what has been learned from this one. */
void input_document_restart(struct input_document *document, const char *path);

/* Hands over the next piece; what input_document_next() gave before is gone. `last` says
 * that nothing follows. */
void input_document_push(struct input_document *document, struct str piece, bool last);

/* The same in two steps, for bytes that need not be anywhere else before: room for `size`
 * of them, and how many there came. */
char *input_document_room(struct input_document *document, size_t size);
void input_document_filled(struct input_document *document, size_t size, bool last);

/* Takes the next object; of an array, be it by itself or the first thing in an object and
 * under the key "items", one item after the other. False at the end of the piece, and
 * when something is wrong: then document->failed is set and err is ERR_INPUT with
 * "path:line:column: ", for anything else than blanks between two values, a value or a
 * string that is not closed, too deep nesting, and a value that is too long. A byte-order
 * mark is left out. */
bool input_document_next(struct input_document *document, struct str *value,
                         enum input_document_part *part, struct err *err) MUST_USE;

/* Puts the place of that byte of the value before the error's text, and is false. Columns
 * count characters from 1. */
bool input_document_fail(const struct input_document *document, const char *at,
                         struct err *err);

/* The value that input_document_next() gave, until the next one. NULL, with ERR_INPUT and
 * its place, when it is no json, a key comes twice, or a number is too large. */
const struct input_json *input_document_decode(const struct input_document *document,
                                               struct err *err) MUST_USE;

/* A value of it as it stands in the text. */
struct str input_document_raw(const struct input_document *document,
                              const struct input_json *value);

#endif
