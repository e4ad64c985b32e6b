/* What the readers of JSON formats share: the walk over a file's objects, and where in
 * one of them something stands. */
#ifndef LABEL_IMPORT_JSON_H
#define LABEL_IMPORT_JSON_H

#include "input/document.h"
#include "label/internal.h"

enum {
    LABEL_IMPORT_JSON_STEPS_MAX = 8
}; /* annotations, 0, result, 3, value, choices, 1 */

struct label_import_json {
    struct label_importer *importer;
    enum label_format format;
    struct input_document document;
    struct str value; /* the object at hand */
    int64_t number;   /* of it, from 1 */
    struct input_document_step steps[LABEL_IMPORT_JSON_STEPS_MAX];
    size_t step_count;
    struct buf codes; /* struct str: of the label at hand */
};

/* Further down, to the value of a key, or to an item when key is NULL. */
void label_import_json_step(struct label_import_json *reader, const char *key,
                            size_t index);

/* Puts the place that the steps lead to before the error, and is false. */
bool label_import_json_fail(struct label_import_json *reader, struct err *err);

/* The same for something that is not what it should be: "found an array, expected ...".
 */
bool label_import_json_refuse(struct label_import_json *reader, const json_t *found,
                              const char *expected, struct err *err);

/* A string, or a number as text; the text lives in the importer's arena. *out is empty
 * for null and for NULL. */
bool label_import_json_text(struct label_import_json *reader, const json_t *value,
                            struct str *out, struct err *err) MUST_USE;

/* Adds the codes that stand in a string, a number or an array of them, to
 * reader->codes. */
bool label_import_json_codes(struct label_import_json *reader, const json_t *value,
                             struct err *err) MUST_USE;

/* Hands over a label with reader->codes. */
bool label_import_json_label(struct label_import_json *reader, struct label_row *row,
                             struct err *err) MUST_USE;

/* A task of Label Studio. */
bool label_import_json_studio(struct label_import_json *reader, const json_t *task,
                              struct err *err) MUST_USE;

#endif
