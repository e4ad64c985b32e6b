/* A task of Label Studio's JSON export. Annotations are what people said, predictions
 * what models did; the name of the control that a result came from is the dimension. */
#include <math.h>
#include <string.h>

#include "label/import_json.h"

static bool refuse(struct label_import_json *reader, struct err *err, const char *text)
{
    err_record(err, ERR_INPUT, "%s", text);
    return label_import_json_fail(reader, reader->object, err);
}

/* The task's own id is Label Studio's; which item it is stands in its data. */
static bool read_item(struct label_import_json *reader, const struct input_json *task,
                      struct str *out, struct err *err)
{
    struct str said = reader->importer->options->item_column;
    const char *key =
        said.len > 0 ? arena_c_string(&reader->importer->arena, said) : "item";
    const struct input_json *data = input_json_get(task, "data");
    const struct input_json *value = input_json_get(data, key);

    if (value == NULL && said.len == 0) {
        key = "id";
        value = input_json_get(data, key);
    }
    if (value == NULL) {
        err_record(err, ERR_INPUT,
                   "the task's data has no key '%s'; --item-column names the one that "
                   "holds the item's id or link",
                   said.len > 0 ? key : "item");
        return label_import_json_fail(reader, data != NULL ? data : task, err);
    }
    return label_import_json_text(reader, value, out, err);
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

/* Whether the way that ends with this code is the taxonomy's, by ids or names. */
static bool is_way(const struct study_codebook_dimension *dimension, size_t code,
                   const struct str *names, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        struct str text = str_trim(names[i]);
        if (code == STUDY_CODEBOOK_NONE || (!str_eq(text, dimension->codes[code].id) &&
                                            !str_eq(text, dimension->codes[code].name)))
            return false;
        code = dimension->codes[code].parent;
    }
    return code == STUDY_CODEBOOK_NONE;
}

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
        if (is_way(dimension, i, names, count)) {
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
    if (strcmp(type, "choices") != 0 && strcmp(type, "taxonomy") != 0 &&
        strcmp(type, "rating") != 0) {
        err_record(
            err, ERR_INPUT,
            "found a result of type '%.50s', expected choices, taxonomy, rating or "
            "textarea",
            type);
        return label_import_json_fail(reader, reader->object, err);
    }
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
    *out = arena_copy(&reader->importer->arena, buf_str(&memo));
    buf_free(&memo);
    return ok;
}

static bool read_results(struct label_import_json *reader, const struct input_json *of,
                         struct label_row *row, struct err *err)
{
    const struct input_json *results = input_json_get(of, "result");

    if (!input_json_is(results, INPUT_JSON_ARRAY))
        return label_import_json_refuse(reader, results, "an array 'result'", err);
    INPUT_JSON_EACH(result, results)
    {
        reader->object = result;
        if (!input_json_is(result, INPUT_JSON_OBJECT))
            return label_import_json_refuse(reader, result, "an object", err);
        if (!str_eq(input_json_text(input_json_get(result, "type")), STR("textarea"))) {
            row->dimension = dimension_of(reader, result);
            if (!read_memo(reader, results, row->dimension, &row->memo, err) ||
                !read_value(reader, result, row->dimension, err))
                return false;
            if (!label_import_json_label(reader, row, err))
                return false;
            row->seconds = NAN; /* they were for all of it */
        }
    }
    return true;
}

static bool read_annotations(struct label_import_json *reader,
                             const struct input_json *task, struct label_row *row,
                             struct err *err)
{
    const struct input_json *list = input_json_get(task, "annotations");

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
            !read_results(reader, one, row, err))
            return false;
    }
    return true;
}

static bool read_predictions(struct label_import_json *reader,
                             const struct input_json *task, struct label_row *row,
                             struct err *err)
{
    const struct input_json *list = input_json_get(task, "predictions");

    INPUT_JSON_EACH(one, list)
    {
        reader->object = one;
        if (!input_json_is(one, INPUT_JSON_OBJECT)) /* Label Studio may list ids alone */
            return label_import_json_refuse(reader, one, "an object", err);
        row->seconds = NAN;
        if (!label_import_json_text(reader, input_json_get(one, "model_version"),
                                    &row->rater, err))
            return false;
        if (row->rater.len == 0)
            row->rater = STR("model");
        if (!read_results(reader, one, row, err))
            return false;
    }
    return true;
}

bool label_import_json_studio(struct label_import_json *reader,
                              const struct input_json *task, struct err *err)
{
    struct label_row row = {0};

    return read_item(reader, task, &row.item, err) &&
           read_annotations(reader, task, &row, err) &&
           read_predictions(reader, task, &row, err);
}
