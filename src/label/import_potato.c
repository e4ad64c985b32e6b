/* Items of Potato, annotated_instances.jsonl of one user: 'label_annotations' has an
 * object for each scheme, in it the labels that were given; 'span_annotations' a list of
 * spans, or of version 2 an object whose names say all: "scheme:label:begin:end". */
#include <math.h>
#include <string.h>

#include "label/import_json.h"

/* The folder of the file is called as the user. */
static struct str rater_of_folder(const struct label_import_json *reader)
{
    struct str rest = str_from(reader->importer->path), part, folder = {0};

    while (str_cut(&rest, '/', &part))
        folder = part;
    return folder;
}

/* "Time spent: 0d 0h 18m 41s " */
static double read_time(struct str text)
{
    static const struct {
        char unit;
        double seconds;
    } units[] = {{'d', 86400}, {'h', 3600}, {'m', 60}, {'s', 1}};
    double total = 0;
    struct str before, number;

    if (!str_cut(&text, ':', &before))
        return NAN;
    text = str_trim(text);
    for (size_t i = 0; i < ROWS_OF(units); i++) {
        int64_t value;
        if (!str_cut(&text, units[i].unit, &number) ||
            !str_to_int(str_trim(number), &value) || value < 0 || value > 100000)
            return NAN;
        total += (double)value * units[i].seconds;
    }
    return total;
}

/* A scheme is a dimension; with one dimension any that has a code of it. */
static bool is_dimension(const struct label_import_json *reader, struct str scheme)
{
    const struct study_codebook *codebook = &reader->importer->label->effective;

    for (size_t i = 0; i < codebook->count; i++)
        if (str_eq(codebook->dimensions[i].id, scheme))
            return true;
    return false;
}

static bool is_given(const struct input_json *value)
{
    struct str text = str_trim(input_json_text(value));

    return !input_json_is(value, INPUT_JSON_FALSE) &&
           !input_json_is(value, INPUT_JSON_NULL) && !str_eq(text, STR("false")) &&
           !str_eq(text, STR("0")) &&
           (text.len > 0 || !input_json_is(value, INPUT_JSON_STRING));
}

/* Names of the labels that were given, of which some may be no codes: text that was
 * written is a memo. */
static bool read_scheme(struct label_import_json *reader, struct str scheme,
                        const struct input_json *labels, struct label_row *row,
                        struct err *err)
{
    const struct study_codebook *codebook = &reader->importer->label->effective;
    bool own = is_dimension(reader, scheme);
    struct err ignored = {0};
    size_t found;

    list_clear(&reader->codes);
    if (!input_json_is(labels, INPUT_JSON_OBJECT))
        return label_import_json_refuse(reader, labels, "an object of labels", err);
    INPUT_JSON_EACH_NAME(name, labels)
    {
        struct str code = str_trim(input_json_text(name));
        if (!is_given(name + 1))
            continue;
        if (own || (codebook->count == 1 && study_codebook_find(&codebook->dimensions[0],
                                                                code, &found, &ignored)))
            list_add(&reader->codes, arena_copy(&reader->importer->arena, code));
        else
            reader->importer->others++;
    }
    row->dimension = own ? arena_copy(&reader->importer->arena, scheme) : (struct str){0};
    return reader->codes.count == 0 || label_import_json_label(reader, row, err);
}

static bool read_span(struct label_import_json *reader, const struct input_json *one,
                      struct str text, struct label_row *row, struct err *err)
{
    static const char *const labels[] = {"annotation", "name", "label"};
    const struct input_json *label = NULL;
    struct label_row_span span = {.text = text};
    struct str scheme = input_json_text(input_json_get(one, "schema"));

    for (size_t i = 0; i < ROWS_OF(labels) && label == NULL; i++)
        label = input_json_get(one, labels[i]);
    if (!input_json_is(one, INPUT_JSON_OBJECT))
        return label_import_json_refuse(reader, one, "a span", err);
    row->dimension = is_dimension(reader, scheme) ? scheme : (struct str){0};
    return label_import_json_text(reader, label, &span.code, err) &&
           label_import_json_text(reader, input_json_get(one, "span"), &span.quote,
                                  err) &&
           label_import_json_span(reader, row, &span, input_json_get(one, "start"),
                                  input_json_get(one, "end"), err);
}

/* "entities:ANIMAL:16:19" */
static bool read_named_span(struct label_import_json *reader, struct str name,
                            struct str text, struct label_row *row, struct err *err)
{
    struct str rest = name, scheme, code, begin;
    struct label_row_span span = {.text = text};
    int64_t from, to;

    row->place = reader->number;
    if (!str_cut(&rest, ':', &scheme) || !str_cut(&rest, ':', &code) ||
        !str_cut(&rest, ':', &begin) || !str_to_int(begin, &from) ||
        !str_to_int(rest, &to) || from < 0 || to < from || to > INT32_MAX) {
        err_record(err, ERR_INPUT,
                   "found '%.*s' as a span, expected 'scheme:label:begin:end'",
                   STR_ARG(str_slice(name, 0, 100)));
        return label_import_json_fail(reader, reader->object, err);
    }
    row->dimension = is_dimension(reader, scheme) ? scheme : (struct str){0};
    span.code = arena_copy(&reader->importer->arena, code);
    span.begin = (size_t)from;
    span.end = (size_t)to;
    return label_import_span(reader->importer, row, &span, err) ||
           label_import_json_fail(reader, reader->object, err);
}

static bool read_spans(struct label_import_json *reader, const struct input_json *spans,
                       struct str text, struct label_row *row, struct err *err)
{
    INPUT_JSON_EACH(one, spans)
    {
        if (!read_span(reader, one, text, row, err))
            return false;
    }
    if (!input_json_is(spans, INPUT_JSON_OBJECT))
        return true;
    INPUT_JSON_EACH_NAME(name, spans)
    {
        if (is_given(name + 1) &&
            !read_named_span(reader, input_json_text(name), text, row, err))
            return false;
    }
    return true;
}

bool label_import_json_potato(struct label_import_json *reader,
                              const struct input_json *object, struct err *err)
{
    static const char *const items[] = {"item", "id", "instance_id", NULL};
    const struct label_import_options *options = reader->importer->options;
    const struct input_json *schemes = input_json_get(object, "label_annotations"),
                            *spent = input_json_get(
                                input_json_get(object, "behavioral_data"), "time_string");
    struct label_row row = {.seconds = read_time(input_json_text(spent))};
    struct str text = input_json_text(input_json_get(object, "displayed_text"));

    if (!label_import_json_need(reader, object, options->item_column, items, &row.item,
                                err) ||
        !label_import_json_text(reader, input_json_get(object, "user_id"), &row.rater,
                                err))
        return false;
    if (row.rater.len == 0)
        row.rater = rater_of_folder(reader);
    if (schemes != NULL && !input_json_is(schemes, INPUT_JSON_OBJECT))
        return label_import_json_refuse(reader, schemes, "an object of schemes", err);
    if (schemes != NULL)
        INPUT_JSON_EACH_NAME(name, schemes)
        {
            if (!read_scheme(reader, input_json_text(name), name + 1, &row, err))
                return false;
            row.seconds = NAN; /* they were for all of it */
        }
    return read_spans(reader, input_json_get(object, "span_annotations"), text, &row,
                      err);
}
