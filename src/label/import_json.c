/* Labels from JSON lines, our own or those of other programs; an array of the same
 * objects is read as well. */
#include "label/import_json.h"

#include <math.h>
#include <string.h>

bool label_import_json_fail(struct label_import_json *reader, const struct input_json *at,
                            struct err *err)
{
    return reader->row ? false : input_document_fail(&reader->document, at->at, err);
}

bool label_import_json_refuse(struct label_import_json *reader,
                              const struct input_json *found, const char *expected,
                              struct err *err)
{
    err_record(err, ERR_INPUT, "found %s, expected %s", input_json_called(found),
               expected);
    return label_import_json_fail(reader, found != NULL ? found : reader->object, err);
}

bool label_import_json_text(struct label_import_json *reader,
                            const struct input_json *value, struct str *out,
                            struct err *err)
{
    struct buf digits = {0};

    *out = (struct str){0};
    if (value == NULL || input_json_is(value, INPUT_JSON_NULL))
        return true;
    if (input_json_is(value, INPUT_JSON_STRING))
        buf_add(&digits, input_json_text(value));
    else if (input_json_is(value, INPUT_JSON_INTEGER))
        buf_add_int(&digits, input_json_integer(value));
    else
        return label_import_json_refuse(reader, value, "a string or a whole number", err);
    *out = buf_keep(&digits, &reader->importer->arena);
    return true;
}

bool label_import_json_codes(struct label_import_json *reader,
                             const struct input_json *value, struct err *err)
{
    struct str code;

    if (input_json_is(value, INPUT_JSON_ARRAY)) {
        INPUT_JSON_EACH(item, value)
        {
            if (input_json_is(item, INPUT_JSON_ARRAY))
                return label_import_json_refuse(reader, item, "a code", err);
            if (!label_import_json_codes(reader, item, err))
                return false;
        }
        return true;
    }
    if (input_json_is(value, INPUT_JSON_OBJECT))
        return label_import_json_refuse(reader, value, "a code or an array of codes",
                                        err);
    if (!label_import_json_text(reader, value, &code, err))
        return false;
    code = str_trim(code);
    if (code.len > 0)
        list_add(&reader->codes, code);
    return true;
}

bool label_import_json_label(struct label_import_json *reader, struct label_row *row,
                             struct err *err)
{
    row->place = reader->number;
    return label_import_row(reader->importer, row, reader->codes.at, reader->codes.count,
                            err) ||
           label_import_json_fail(reader, reader->object, err);
}

bool label_import_json_span(struct label_import_json *reader, struct label_row *row,
                            struct label_row_span *span, const struct input_json *begin,
                            const struct input_json *end, struct err *err)
{
    int64_t from = input_json_integer(begin), to = input_json_integer(end);

    row->place = reader->number;
    if (!input_json_is(begin, INPUT_JSON_INTEGER) || from < 0)
        return label_import_json_refuse(reader, begin, "where the span begins", err);
    if (!input_json_is(end, INPUT_JSON_INTEGER) || to < from || to > INT32_MAX)
        return label_import_json_refuse(reader, end, "where the span ends", err);
    span->begin = (size_t)from;
    span->end = (size_t)to;
    return label_import_span(reader->importer, row, span, err) ||
           label_import_json_fail(reader, reader->object, err);
}

/* Keys. */

/* The value of the first of these keys that is there; NULL: none. *key is its name. */
static const struct input_json *find_key(const struct input_json *object,
                                         const char *const *names, const char **key)
{
    const struct input_json *value = NULL;

    for (size_t i = 0; names[i] != NULL && value == NULL; i++) {
        *key = names[i];
        value = input_json_get(object, names[i]);
    }
    return value;
}

/* The key that the options name, else the first that is there. */
static const struct input_json *find_said(const struct label_import_json *reader,
                                          const struct input_json *object,
                                          struct str said, const char *const *usual,
                                          const char **key)
{
    if (said.len == 0)
        return find_key(object, usual, key);
    *key = arena_c_string(&reader->importer->arena, said);
    return input_json_get(object, *key);
}

bool label_import_json_need(struct label_import_json *reader,
                            const struct input_json *object, struct str said,
                            const char *const *usual, struct str *out, struct err *err)
{
    const char *key = "";
    const struct input_json *value = find_said(reader, object, said, usual, &key);

    if (value == NULL) {
        err_record(err, ERR_INPUT, "there is no key '%s'",
                   said.len == 0 ? usual[0] : key);
        return label_import_json_fail(reader, reader->object, err);
    }
    return label_import_json_text(reader, value, out, err);
}

static bool read_codes(struct label_import_json *reader, const struct input_json *object,
                       const char *const *usual, struct err *err)
{
    const char *key = "";
    const struct input_json *value =
        find_said(reader, object, reader->importer->options->code_column, usual, &key);

    list_clear(&reader->codes);
    if (value == NULL) {
        err_record(err, ERR_INPUT, "there is no key '%s'", key);
        return label_import_json_fail(reader, reader->object, err);
    }
    /* Programs have {"choices": [...]} where several are given. */
    if (input_json_is(value, INPUT_JSON_OBJECT) &&
        input_json_get(value, "choices") != NULL)
        value = input_json_get(value, "choices");
    return label_import_json_codes(reader, value, err);
}

/* Our own lines. */

static bool read_flag(struct label_import_json *reader, const struct input_json *object,
                      const char *key, bool *out, struct err *err)
{
    const struct input_json *value = input_json_get(object, key);

    *out = input_json_is(value, INPUT_JSON_TRUE);
    if (value == NULL || input_json_is(value, INPUT_JSON_NULL) ||
        input_json_is_boolean(value))
        return true;
    return label_import_json_refuse(reader, value, "true or false", err);
}

static bool read_number(struct label_import_json *reader, const struct input_json *object,
                        const char *key, double *out, struct err *err)
{
    const struct input_json *value = input_json_get(object, key);

    *out = NAN;
    if (value == NULL || input_json_is(value, INPUT_JSON_NULL))
        return true;
    *out = input_json_number(value);
    if (input_json_is_number(value) && *out >= 0)
        return true;
    return label_import_json_refuse(reader, value, "a number that is not below 0", err);
}

static bool read_round(struct label_import_json *reader, const struct input_json *object,
                       int64_t *out, struct err *err)
{
    const struct input_json *value = input_json_get(object, "round");

    *out = input_json_integer(value);
    if (value == NULL || (input_json_is(value, INPUT_JSON_INTEGER) && *out > 0))
        return true;
    return label_import_json_refuse(reader, value, "the number of a round", err);
}

static bool read_line(struct label_import_json *reader, const struct input_json *object,
                      struct err *err)
{
    static const char *const items[] = {"item", NULL}, *const raters[] = {"rater", NULL},
                             *const codes[] = {"codes", "code", NULL},
                             *const dimensions[] = {"dimension", NULL};
    const struct label_import_options *options = reader->importer->options;
    struct label_row row = {0};
    struct label_row_span span = {0};
    const char *key;

    if (!label_import_json_need(reader, object, options->item_column, items, &row.item,
                                err) ||
        (options->rater.len == 0 &&
         !label_import_json_need(reader, object, options->rater_column, raters,
                                 &row.rater, err)) ||
        !label_import_json_text(
            reader,
            find_said(reader, object, options->dimension_column, dimensions, &key),
            &row.dimension, err) ||
        !label_import_json_text(reader, input_json_get(object, "unit"), &row.unit, err) ||
        !label_import_json_text(reader, input_json_get(object, "place"), &row.where,
                                err) ||
        !label_import_json_text(reader, input_json_get(object, "name"), &row.called,
                                err) ||
        !label_import_json_text(reader, input_json_get(object, "memo"), &row.memo, err) ||
        !label_import_json_text(reader, input_json_get(object, "kind"), &row.kind, err) ||
        !label_import_json_text(reader, input_json_get(object, "reason"), &row.reason,
                                err) ||
        !label_import_json_text(reader, input_json_get(object, "span"), &span.place,
                                err) ||
        !label_import_json_text(reader, input_json_get(object, "quote"), &span.quote,
                                err) ||
        !read_round(reader, object, &row.round, err) ||
        !read_flag(reader, object, "again", &row.again, err) ||
        !read_flag(reader, object, "unsure", &row.unsure, err) ||
        !read_number(reader, object, "seconds", &row.seconds, err) ||
        !read_codes(reader, object, codes, err))
        return false;
    if (span.place.len > 0) {
        row.place = reader->number;
        span.code = reader->codes.count > 0 ? reader->codes.at[0] : (struct str){0};
        return label_import_span(reader->importer, &row, &span, err) ||
               label_import_json_fail(reader, reader->object, err);
    }
    if (reader->codes.count > 0)
        return label_import_json_label(reader, &row, err);
    err_record(err, ERR_INPUT, "the label has no code");
    return label_import_json_fail(reader, reader->object, err);
}

/* Which of them it is. */

static bool has(const struct input_json *object, const char *key)
{
    return input_json_get(object, key) != NULL;
}

static bool recognise(struct label_import_json *reader, const struct input_json *object,
                      struct err *err)
{
    const struct label_import_options *options = reader->importer->options;

    reader->format = options->format;
    if (reader->format != LABEL_FORMAT_ANY)
        return true;
    if (has(object, "data") && (has(object, "annotations") ||
                                has(object, "completions") || has(object, "predictions")))
        reader->format = LABEL_FORMAT_STUDIO;
    else if (has(object, "annotation_id") && has(object, "annotator"))
        reader->format = LABEL_FORMAT_STUDIO;
    else if (has(object, "label_annotations") || has(object, "span_annotations"))
        reader->format = LABEL_FORMAT_POTATO;
    else if (options->code_column.len > 0 || has(object, "codes") || has(object, "code"))
        reader->format = LABEL_FORMAT_JSONL;
    else if (has(object, "label") || has(object, "labels") || has(object, "entities") ||
             has(object, "annotations"))
        reader->format = LABEL_FORMAT_DOCCANO;
    if (reader->format != LABEL_FORMAT_ANY)
        return true;
    err_record(
        err, ERR_INPUT,
        "expected an object with 'item' and 'codes', with 'data' and 'annotations' "
        "(Label Studio), with 'id' and 'label' (doccano), or with 'label_annotations' "
        "(Potato)");
    return label_import_json_fail(reader, reader->object, err);
}

static bool read_object(struct label_import_json *reader, const struct input_json *object,
                        struct err *err)
{
    if (!input_json_is(object, INPUT_JSON_OBJECT))
        return label_import_json_refuse(reader, object, "an object", err);
    if (reader->number++ == 0 && !recognise(reader, object, err))
        return false;
    switch (reader->format) {
    case LABEL_FORMAT_STUDIO:
        return has(object, "data") ? label_import_json_studio(reader, object, err)
                                   : label_import_json_small(reader, object, err);
    case LABEL_FORMAT_DOCCANO:
        return label_import_json_doccano(reader, object, err);
    case LABEL_FORMAT_POTATO:
        return label_import_json_potato(reader, object, err);
    default:
        return read_line(reader, object, err);
    }
}

bool label_import_json(struct label_importer *importer, struct str text, struct err *err)
{
    struct label_import_json reader = {.importer = importer,
                                       .document = {.path = importer->path}};
    enum input_document_part part;
    struct str value;
    bool ok = true;

    input_document_push(&reader.document, text, true);
    while (ok && input_document_next(&reader.document, &value, &part, err)) {
        if (part == INPUT_DOCUMENT_REST) /* behind "items": nothing that we know */
            continue;
        reader.object = input_document_decode(&reader.document, err);
        ok = reader.object != NULL && (read_object(&reader, reader.object, err) ||
                                       label_import_problem(importer, err));
        /* What was not recognised is said once. */
        if (importer->problem_count > 0 && reader.format == LABEL_FORMAT_ANY)
            break;
    }
    ok = ok && !reader.document.failed;
    input_document_free(&reader.document);
    list_free(&reader.codes);
    return ok;
}
