/* What the readers of JSON formats share: the walk over a file's objects, and where in
 * one of them something stands. */
#ifndef LABEL_IMPORT_JSON_H
#define LABEL_IMPORT_JSON_H

#include "input/document.h"
#include "label/internal.h"

struct label_import_json {
    struct label_importer *importer;
    enum label_format format;
    struct input_document document;
    const struct input_json *object; /* at hand */
    int64_t number;                  /* of it, from 1 */
    LIST(struct str) codes;          /* of the label at hand */
    bool row; /* the object is a row of a csv, whose reader says where it is */
};

/* Puts the place of a value before the error, and is false. */
bool label_import_json_fail(struct label_import_json *reader, const struct input_json *at,
                            struct err *err);

/* The same for something that is not what it should be: "found an array, expected ...".
 * NULL is not there in the object at hand. */
bool label_import_json_refuse(struct label_import_json *reader,
                              const struct input_json *found, const char *expected,
                              struct err *err);

/* A string, or a number as text; the text lives in the importer's arena. *out is empty
 * for null and for NULL. */
bool label_import_json_text(struct label_import_json *reader,
                            const struct input_json *value, struct str *out,
                            struct err *err) MUST_USE;

/* Adds the codes that stand in a string, a number or an array of them, to
 * reader->codes. */
bool label_import_json_codes(struct label_import_json *reader,
                             const struct input_json *value, struct err *err) MUST_USE;

/* Hands over a label with reader->codes. */
bool label_import_json_label(struct label_import_json *reader, struct label_row *row,
                             struct err *err) MUST_USE;

/* The text of the key that the options name, else of the first usual one that is there;
 * one there must be. */
bool label_import_json_need(struct label_import_json *reader,
                            const struct input_json *object, struct str said,
                            const char *const *usual, struct str *out,
                            struct err *err) MUST_USE;

/* Hands over a span from one character to before another. */
bool label_import_json_span(struct label_import_json *reader, struct label_row *row,
                            struct label_row_span *span, const struct input_json *begin,
                            const struct input_json *end, struct err *err) MUST_USE;

/* An item of doccano, old or new, with categories or spans; one of Potato. */
bool label_import_json_doccano(struct label_import_json *reader,
                               const struct input_json *object, struct err *err) MUST_USE;
bool label_import_json_potato(struct label_import_json *reader,
                              const struct input_json *object, struct err *err) MUST_USE;

/* A task of Label Studio. */
bool label_import_json_studio(struct label_import_json *reader,
                              const struct input_json *task, struct err *err) MUST_USE;

/* An annotation of Label Studio's smaller exports, JSON-MIN and csv. */
bool label_import_json_small(struct label_import_json *reader,
                             const struct input_json *annotation,
                             struct err *err) MUST_USE;

#endif
