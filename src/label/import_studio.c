/* Label Studio's exports. Annotations are what people said, predictions what models did;
 * the name of the control that a result came from is the dimension. The whole JSON has
 * tasks with their annotations; the smaller one and the csv have an object or row for
 * each annotation, with data and controls side by side. Offsets count UTF-16. */
#include <math.h>
#include <string.h>

#include "label/import_json.h"
#include "text/plain.h"

static bool refuse(struct label_import_json *reader, struct err *err, const char *text)
{
    err_record(err, ERR_INPUT, "%s", text);
    return label_import_json_fail(reader, reader->object, err);
}

/* Words of an html or plain text, with one blank between. */
static void add_words(struct str text, bool html, struct buf *out)
{
    struct buf plain = {0};

    if (html)
        text_plain(text, &plain);
    else
        buf_add(&plain, text);
    for (size_t i = 0; i < plain.len; i++) {
        bool blank = strchr(" \t\r\n", plain.ptr[i]) != NULL;
        if (!blank)
            buf_add_char(out, plain.ptr[i]);
        else if (out->len > 0 && out->ptr[out->len - 1] != ' ')
            buf_add_char(out, ' ');
    }
    buf_free(&plain);
}

/* Whether the data have a text of so many bytes that stands in the item. */
static bool has_text_of(const struct label_parts *parts, const struct input_json *data)
{
    enum { TELLING_BYTES = 15 };
    struct buf ours = {0}, theirs = {0};
    bool found = false;

    for (size_t i = 0; i < parts->count; i++) {
        add_words(parts->at[i].text, false, &ours);
        buf_add_char(&ours, ' ');
    }
    INPUT_JSON_EACH_NAME(name, data)
    for (int html = 0; html < 2 && !found; html++) {
        buf_clear(&theirs);
        add_words(input_json_text(name + 1), html, &theirs);
        struct str words = str_trim(buf_str(&theirs));
        for (size_t i = 0;
             !found && words.len >= TELLING_BYTES && i + words.len <= ours.len; i++)
            found = memcmp(ours.ptr + i, words.ptr, words.len) == 0;
    }
    buf_free(&ours);
    buf_free(&theirs);
    return found;
}

/* The task's own id is Label Studio's. It is the item's only where that has the text of
 * the task. */
static bool is_item(struct label_import_json *reader, const struct input_json *data,
                    int64_t id)
{
    struct label *label = reader->importer->label;
    struct arena arena = {0};
    struct label_parts parts;
    struct err ignored = {0};
    bool same = label_order(label, id) != LABEL_NONE && label_has_corpus(label) &&
                label_item_parts(label, id, &arena, &parts, &ignored) &&
                has_text_of(&parts, data);

    arena_free(&arena);
    return same;
}

/* Which item it is stands in the data of a task. */
static bool read_item(struct label_import_json *reader, const struct input_json *data,
                      const struct input_json *id, struct str *out, struct err *err)
{
    static const char *const keys[] = {"item", "id", "key", "link", "url"};
    struct str said = reader->importer->options->item_column;
    const struct input_json *value = NULL;

    if (said.len > 0)
        value = input_json_member(data, said);
    for (size_t i = 0; said.len == 0 && value == NULL && i < ROWS_OF(keys); i++)
        value = input_json_get(data, keys[i]);
    /* In the smaller exports 'id' is the task's. */
    if (value != NULL && (value != id || said.len > 0))
        return label_import_json_text(reader, value, out, err);
    if (said.len == 0 && input_json_is(id, INPUT_JSON_INTEGER) &&
        is_item(reader, data, input_json_integer(id)))
        return label_import_json_text(reader, id, out, err);
    err_record(err, ERR_INPUT,
               "the task's data has no key '%.*s'%s; --item-column names the one that "
               "holds the item's id or link",
               STR_ARG(said.len > 0 ? said : STR("item")),
               said.len == 0 && id != NULL
                   ? ", and its id is that of no item with its text"
                   : "");
    return label_import_json_fail(reader, data != NULL ? data : reader->object, err);
}

/* A number, a name, or a user with an email. */
static bool read_person(struct label_import_json *reader,
                        const struct input_json *annotation, struct str *out,
                        struct err *err)
{
    static const char *const keys[] = {"email", "username", "id"};
    const struct input_json *person = input_json_get(annotation, "completed_by"),
                            *value = person;

    for (size_t i = 0; input_json_is(person, INPUT_JSON_OBJECT) && i < ROWS_OF(keys);
         i++) {
        value = input_json_get(person, keys[i]);
        if (value != NULL)
            break;
    }
    if (!label_import_json_text(reader, value, out, err))
        return false;
    return out->len > 0 || reader->importer->options->rater.len > 0 ||
           refuse(reader, err, "the annotation names nobody in 'completed_by'");
}

/* Results. */

static bool read_way(struct label_import_json *reader,
                     const struct study_codebook_dimension *dimension,
                     const struct input_json *way, struct err *err)
{
    struct str *names =
        arena_array(&reader->importer->arena, struct str, input_json_count(way));
    const struct input_json *last = NULL;
    size_t count = 0;

    INPUT_JSON_EACH(name, way)
    {
        if (!input_json_is(name, INPUT_JSON_STRING))
            return label_import_json_refuse(reader, name, "a string", err);
        names[count++] = input_json_text(name);
        last = name;
    }
    for (size_t i = 0; i < dimension->count; i++)
        if (label_import_is_way(dimension, i, names, count)) {
            list_add(&reader->codes, dimension->codes[i].path);
            return true;
        }
    /* It may be another spelling of the last one. */
    return label_import_json_codes(reader, last, err);
}

static bool read_taxonomy(struct label_import_json *reader,
                          const struct study_codebook_dimension *dimension,
                          const struct input_json *ways, struct err *err)
{

    INPUT_JSON_EACH(way, ways)
    {
        if (!input_json_is(way, INPUT_JSON_ARRAY) || input_json_count(way) == 0)
            return label_import_json_refuse(reader, way, "an array of names", err);
        if (!read_way(reader, dimension, way, err))
            return false;
    }
    return true;
}

/* The codes of a result into reader->codes. */
static bool read_value(struct label_import_json *reader, const struct input_json *result,
                       struct str dimension_id, struct err *err)
{
    const struct input_json *said = input_json_get(result, "type");
    const char *type = arena_c_string(&reader->importer->arena, input_json_text(said));
    const struct input_json *value = input_json_get(result, "value"), *inner;
    const struct study_codebook_dimension *dimension;

    list_clear(&reader->codes);
    if (!input_json_is(said, INPUT_JSON_STRING))
        return refuse(reader, err, "the result has no 'type'");
    if (!label_import_dimension(reader->importer, dimension_id, &dimension, err))
        return label_import_json_fail(reader, reader->object, err);
    inner = input_json_get(value, type);
    if (inner == NULL)
        return label_import_json_refuse(reader, NULL, type, err);
    return strcmp(type, "taxonomy") == 0 ? read_taxonomy(reader, dimension, inner, err)
                                         : label_import_json_codes(reader, inner, err);
}

/* Which dimension a control stands for; with one dimension any name will do. */
static struct str dimension_of(const struct label_import_json *reader,
                               const struct input_json *result)
{
    struct str name = input_json_text(input_json_get(result, "from_name"));

    return reader->importer->label->effective.count > 1 ? name : (struct str){0};
}

/* Notes: what stands in "DIMENSION.memo" belongs to that dimension, any other to all. */
static bool read_memo(struct label_import_json *reader, const struct input_json *results,
                      struct str dimension, struct str *out, struct err *err)
{
    struct buf memo = {0};
    bool ok = true;

    INPUT_JSON_EACH(result, results)
    {
        struct str type = input_json_text(input_json_get(result, "type"));
        struct str name = input_json_text(input_json_get(result, "from_name")), head;
        const struct input_json *text =
            input_json_get(input_json_get(result, "value"), "text");
        if (!str_eq(type, STR("textarea")))
            continue;
        if (str_ends(name, STR(".memo"))) {
            head = str_slice(name, 0, name.len - 5);
            if (dimension.len > 0 && !str_eq(head, dimension))
                continue;
        }
        INPUT_JSON_EACH(line, text)
        {
            struct str one;
            ok = ok && label_import_json_text(reader, line, &one, err);
            if (ok && memo.len > 0)
                buf_add_char(&memo, '\n');
            if (ok)
                buf_add(&memo, one);
        }
    }
    *out = buf_keep(&memo, &reader->importer->arena);
    return ok;
}

/* Spans of texts and of html, which tells characters of all of it aside. */
static bool is_span(const struct input_json *value, const struct input_json **begin,
                    const struct input_json **end)
{
    const struct input_json *all = input_json_get(value, "globalOffsets");

    *begin = input_json_get(all != NULL ? all : value, "start");
    *end = input_json_get(all != NULL ? all : value, "end");
    return input_json_is(*begin, INPUT_JSON_INTEGER) &&
           input_json_is(*end, INPUT_JSON_INTEGER);
}

/* The dimension that a control of spans stands for: by its name, else the one that has
 * the code. */
static struct str span_dimension(const struct label_import_json *reader,
                                 struct str control, struct str code)
{
    const struct study_codebook *codebook = &reader->importer->label->effective;
    struct err ignored = {0};
    size_t found;

    if (str_ends(control, STR(".span")))
        control.len -= 5;
    for (size_t i = 0; i < codebook->count; i++)
        if (str_eq(codebook->dimensions[i].id, control))
            return control;
    for (size_t i = 0; i < codebook->count; i++)
        if (study_codebook_find(&codebook->dimensions[i], code, &found, &ignored))
            return codebook->dimensions[i].id;
    return (struct str){0};
}

/* Labels of one region of a text; without any it is evidence for the item. */
static bool read_span(struct label_import_json *reader, const struct input_json *value,
                      struct str control, struct str text, struct label_row *row,
                      struct err *err)
{
    static const char *const names[] = {"labels", "hypertextlabels"};
    struct str dimension = row->dimension;
    const struct input_json *begin, *end, *labels = NULL;
    bool ok = is_span(value, &begin, &end);

    for (size_t i = 0; i < ROWS_OF(names) && labels == NULL; i++)
        labels = input_json_get(value, names[i]);
    struct label_row_span span = {.text = text,
                                  .utf16 = true,
                                  .quote =
                                      input_json_text(input_json_get(value, "text"))};
    if (input_json_count(labels) == 0)
        return ok && label_import_json_span(reader, row, &span, begin, end, err);
    INPUT_JSON_EACH(label, labels)
    {
        struct label_row_span one = span;
        ok = ok && label_import_json_text(reader, label, &one.code, err);
        if (ok)
            row->dimension = span_dimension(reader, control, one.code);
        ok = ok && label_import_json_span(reader, row, &one, begin, end, err);
    }
    row->dimension = dimension;
    return ok;
}

enum studio_result { STUDIO_CODES, STUDIO_MEMO, STUDIO_SPAN, STUDIO_OTHER };

static enum studio_result kind_of(const struct input_json *result)
{
    struct str type = input_json_text(input_json_get(result, "type"));
    const struct input_json *begin, *end;

    if (str_eq(type, STR("choices")) || str_eq(type, STR("taxonomy")) ||
        str_eq(type, STR("rating")) || type.len == 0)
        return STUDIO_CODES;
    if (str_eq(type, STR("textarea")))
        return STUDIO_MEMO;
    return (str_eq(type, STR("labels")) || str_eq(type, STR("hypertextlabels"))) &&
                   is_span(input_json_get(result, "value"), &begin, &end)
               ? STUDIO_SPAN
               : STUDIO_OTHER;
}

/* What we wrote ourselves of the unit that a result is about. */
static bool read_unit(struct label_import_json *reader, const struct input_json *result,
                      struct label_row *row, struct err *err)
{
    const struct input_json *meta = input_json_get(result, "meta");

    return label_import_json_text(reader, input_json_get(meta, "unit"), &row->unit,
                                  err) &&
           label_import_json_text(reader, input_json_get(meta, "place"), &row->where,
                                  err) &&
           label_import_json_text(reader, input_json_get(meta, "name"), &row->called,
                                  err);
}

/* The longest text of the data: that which spans count in. */
static struct str text_of(const struct input_json *data)
{
    struct str longest = input_json_text(input_json_get(data, "text"));

    if (longest.len == 0 && input_json_is(data, INPUT_JSON_OBJECT))
        INPUT_JSON_EACH_NAME(name, data)
        {
            struct str text = input_json_text(name + 1);
            longest = text.len > longest.len ? text : longest;
        }
    return longest;
}

static bool read_result(struct label_import_json *reader,
                        const struct input_json *results, const struct input_json *result,
                        struct str text, struct label_row *row, struct err *err)
{
    reader->object = result;
    if (!input_json_is(result, INPUT_JSON_OBJECT))
        return label_import_json_refuse(reader, result, "an object", err);
    if (!read_unit(reader, result, row, err))
        return false;
    switch (kind_of(result)) {
    case STUDIO_MEMO:
        return true;
    case STUDIO_OTHER:
        reader->importer->others++;
        return true;
    case STUDIO_SPAN:
        return read_span(reader, input_json_get(result, "value"),
                         input_json_text(input_json_get(result, "from_name")), text, row,
                         err);
    default:
        break;
    }
    row->dimension = dimension_of(reader, result);
    if (!read_memo(reader, results, row->dimension, &row->memo, err) ||
        !read_value(reader, result, row->dimension, err) ||
        !label_import_json_label(reader, row, err))
        return false;
    row->seconds = NAN; /* they were for all of it */
    return true;
}

static bool read_results(struct label_import_json *reader, const struct input_json *of,
                         struct str text, struct label_row *row, struct err *err)
{
    const struct input_json *results = input_json_get(of, "result");

    if (!input_json_is(results, INPUT_JSON_ARRAY))
        return label_import_json_refuse(reader, results, "an array 'result'", err);
    INPUT_JSON_EACH(result, results)
    {
        if (!read_result(reader, results, result, text, row, err) &&
            !label_import_problem(reader->importer, err))
            return false;
    }
    return true;
}

static bool read_annotations(struct label_import_json *reader,
                             const struct input_json *task, struct str text,
                             struct label_row *row, struct err *err)
{
    const struct input_json *list = input_json_get(task, "annotations");

    if (list == NULL) /* before version 1.0 */
        list = input_json_get(task, "completions");
    INPUT_JSON_EACH(one, list)
    {
        reader->object = one;
        const struct input_json *time = input_json_get(one, "lead_time");
        if (!input_json_is(one, INPUT_JSON_OBJECT))
            return label_import_json_refuse(reader, one, "an object", err);
        if (input_json_is(input_json_get(one, "was_cancelled"), INPUT_JSON_TRUE))
            continue; /* skipped by the annotator */
        row->seconds = input_json_is_number(time) ? input_json_number(time) : NAN;
        if (!read_person(reader, one, &row->rater, err) ||
            !read_results(reader, one, text, row, err))
            return false;
    }
    return true;
}

static bool read_predictions(struct label_import_json *reader,
                             const struct input_json *task, struct str text,
                             struct label_row *row, struct err *err)
{
    const struct input_json *list = input_json_get(task, "predictions");

    INPUT_JSON_EACH(one, list)
    {
        reader->object = one;
        if (input_json_is(one, INPUT_JSON_INTEGER)) /* their ids alone */
            continue;
        if (!input_json_is(one, INPUT_JSON_OBJECT))
            return label_import_json_refuse(reader, one, "an object", err);
        row->seconds = NAN;
        if (!label_import_json_text(reader, input_json_get(one, "model_version"),
                                    &row->rater, err))
            return false;
        if (row->rater.len == 0)
            row->rater = STR("model");
        if (!read_results(reader, one, text, row, err))
            return false;
    }
    return true;
}

/* The smaller exports. */

/* What is no control. */
static bool is_own_key(struct str name)
{
    static const struct str names[] = {
        STR_INIT("id"),         STR_INIT("annotator"),  STR_INIT("annotation_id"),
        STR_INIT("created_at"), STR_INIT("updated_at"), STR_INIT("lead_time"),
        STR_INIT("item"),       STR_INIT("agreement"),
    };

    for (size_t i = 0; i < ROWS_OF(names); i++)
        if (str_eq(names[i], name))
            return true;
    return false;
}

/* Of a control with several answers they stand in an object below its type. */
static const struct input_json *inner_of(const struct input_json *value)
{
    static const char *const types[] = {"choices", "taxonomy", "rating"};

    for (size_t i = 0; i < ROWS_OF(types); i++)
        if (input_json_get(value, types[i]) != NULL)
            return input_json_get(value, types[i]);
    return value;
}

/* Whether a value can be the codes of a dimension: a way of a taxonomy is an array in an
 * array. */
static bool is_codes(const struct study_codebook_dimension *dimension,
                     const struct input_json *value)
{
    struct err ignored = {0};
    size_t found;

    if (input_json_is(value, INPUT_JSON_ARRAY))
        return input_json_count(value) > 0 &&
               is_codes(dimension, input_json_first(value));
    return input_json_is(value, INPUT_JSON_STRING) &&
           study_codebook_find(dimension, str_trim(input_json_text(value)), &found,
                               &ignored);
}

static bool read_control(struct label_import_json *reader, const struct input_json *name,
                         struct str text, struct label_row *row, struct err *err)
{
    const struct study_codebook *codebook = &reader->importer->label->effective;
    struct str control = input_json_text(name),
               said = reader->importer->options->code_column;
    const struct input_json *value = inner_of(name + 1), *begin, *end;
    const struct study_codebook_dimension *dimension = NULL;

    if (is_span(input_json_first(value), &begin, &end)) {
        INPUT_JSON_EACH(one, value)
        {
            if (!read_span(reader, one, control, text, row, err))
                return false;
        }
        return true;
    }
    for (size_t i = 0; i < codebook->count; i++)
        if (str_eq(codebook->dimensions[i].id, control))
            dimension = &codebook->dimensions[i];
    if (said.len > 0 ? str_eq(said, control)
                     : dimension == NULL && codebook->count == 1 &&
                           (value != name + 1 || is_codes(codebook->dimensions, value)))
        dimension = codebook->dimensions;
    if (dimension == NULL || (said.len > 0 && !str_eq(said, control)))
        return true;
    row->dimension = codebook->count > 1 ? dimension->id : (struct str){0};
    list_clear(&reader->codes);
    bool way = input_json_is(input_json_first(value), INPUT_JSON_ARRAY);
    if (!(way ? read_taxonomy(reader, dimension, value, err)
              : label_import_json_codes(reader, value, err)))
        return false;
    if (reader->codes.count == 0)
        return true;
    bool ok = label_import_json_label(reader, row, err);
    row->seconds = NAN;
    return ok;
}

bool label_import_json_small(struct label_import_json *reader,
                             const struct input_json *annotation, struct err *err)
{
    const struct input_json *time = input_json_get(annotation, "lead_time");
    struct label_row row = {
        .seconds = input_json_is_number(time) ? input_json_number(time) : NAN};
    struct str text = text_of(annotation);

    if (!read_item(reader, annotation, input_json_get(annotation, "id"), &row.item,
                   err) ||
        !label_import_json_text(reader, input_json_get(annotation, "annotator"),
                                &row.rater, err))
        return false;
    INPUT_JSON_EACH_NAME(name, annotation)
    {
        if (!is_own_key(input_json_text(name)) &&
            !read_control(reader, name, text, &row, err))
            return false;
    }
    return true;
}

bool label_import_json_studio(struct label_import_json *reader,
                              const struct input_json *task, struct err *err)
{
    const struct input_json *data = input_json_get(task, "data");
    struct label_row row = {0};
    struct str text = text_of(data);

    return read_item(reader, data, input_json_get(task, "id"), &row.item, err) &&
           read_annotations(reader, task, text, &row, err) &&
           read_predictions(reader, task, text, &row, err);
}
