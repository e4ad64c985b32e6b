/* A task of Label Studio's JSON export. Annotations are what people said, predictions
 * what models did; the name of the control that a result came from is the dimension. */
#include <math.h>
#include <string.h>

#include "label/import_json.h"

static bool refuse(struct label_import_json *reader, struct err *err, const char *text)
{
    err_record(err, ERR_INPUT, "%s", text);
    return label_import_json_fail(reader, err);
}

/* The task's own id is Label Studio's; which item it is stands in its data. */
static bool read_item(struct label_import_json *reader, const json_t *task,
                      struct str *out, struct err *err)
{
    struct str said = reader->importer->options->item_column;
    const char *key =
        said.len > 0 ? arena_c_string(&reader->importer->arena, said) : "item";
    const json_t *data = json_object_get(task, "data");
    const json_t *value = json_object_get(data, key);

    if (value == NULL && said.len == 0) {
        key = "id";
        value = json_object_get(data, key);
    }
    label_import_json_step(reader, "data", 0);
    if (value == NULL) {
        err_record(err, ERR_INPUT,
                   "the task's data has no key '%s'; --item-column names the one that "
                   "holds the item's id or link",
                   said.len > 0 ? key : "item");
        return label_import_json_fail(reader, err);
    }
    label_import_json_step(reader, key, 0);
    if (!label_import_json_text(reader, value, out, err))
        return false;
    reader->step_count = 0;
    return true;
}

/* A number, a name, or a user with an email. */
static bool read_person(struct label_import_json *reader, const json_t *annotation,
                        struct str *out, struct err *err)
{
    static const char *const keys[] = {"email", "username", "id"};
    const json_t *person = json_object_get(annotation, "completed_by"), *value = person;

    for (size_t i = 0; json_is_object(person) && i < ROWS_OF(keys); i++) {
        value = json_object_get(person, keys[i]);
        if (value != NULL)
            break;
    }
    label_import_json_step(reader, "completed_by", 0);
    if (!label_import_json_text(reader, value, out, err))
        return false;
    reader->step_count--;
    return out->len > 0 || reader->importer->options->rater.len > 0 ||
           refuse(reader, err, "the annotation names nobody in 'completed_by'");
}

/* Results. */

/* Whether the way that ends with this code is the taxonomy's, by ids or names. */
static bool is_way(const struct study_codebook_dimension *dimension, size_t code,
                   const json_t *way)
{
    for (size_t i = json_array_size(way); i-- > 0;) {
        struct str text = str_trim(input_document_text(json_array_get(way, i)));
        if (code == STUDY_CODEBOOK_NONE || (!str_eq(text, dimension->codes[code].id) &&
                                            !str_eq(text, dimension->codes[code].name)))
            return false;
        code = dimension->codes[code].parent;
    }
    return code == STUDY_CODEBOOK_NONE;
}

static bool read_way(struct label_import_json *reader,
                     const struct study_codebook_dimension *dimension, const json_t *way,
                     struct err *err)
{
    const json_t *last = json_array_get(way, json_array_size(way) - 1);

    for (size_t i = 0; i < json_array_size(way); i++)
        if (!json_is_string(json_array_get(way, i)))
            return label_import_json_refuse(reader, json_array_get(way, i), "a string",
                                            err);
    for (size_t i = 0; i < dimension->count && last != NULL; i++)
        if (is_way(dimension, i, way)) {
            LABEL_ADD(&reader->codes, dimension->codes[i].path);
            return true;
        }
    /* It may be another spelling of the last one. */
    return label_import_json_codes(reader, last, err);
}

static bool read_taxonomy(struct label_import_json *reader,
                          const struct study_codebook_dimension *dimension,
                          const json_t *ways, struct err *err)
{
    size_t steps = reader->step_count;

    for (size_t i = 0; i < json_array_size(ways); i++) {
        const json_t *way = json_array_get(ways, i);
        label_import_json_step(reader, NULL, i);
        if (!json_is_array(way) || json_array_size(way) == 0)
            return label_import_json_refuse(reader, way, "an array of names", err);
        if (!read_way(reader, dimension, way, err))
            return false;
        reader->step_count = steps;
    }
    return true;
}

/* The codes of a result into reader->codes. */
static bool read_value(struct label_import_json *reader, const json_t *result,
                       struct str dimension_id, struct err *err)
{
    const char *type = json_string_value(json_object_get(result, "type"));
    const json_t *value = json_object_get(result, "value"), *inner;
    const struct study_codebook_dimension *dimension;

    buf_clear(&reader->codes);
    if (type == NULL)
        return refuse(reader, err, "the result has no 'type'");
    if (strcmp(type, "choices") != 0 && strcmp(type, "taxonomy") != 0 &&
        strcmp(type, "rating") != 0) {
        err_record(
            err, ERR_INPUT,
            "found a result of type '%.50s', expected choices, taxonomy, rating or "
            "textarea",
            type);
        return label_import_json_fail(reader, err);
    }
    if (!label_import_dimension(reader->importer, dimension_id, &dimension, err))
        return label_import_json_fail(reader, err);
    inner = json_object_get(value, type);
    label_import_json_step(reader, "value", 0);
    if (inner == NULL)
        return label_import_json_refuse(reader, NULL, type, err);
    label_import_json_step(reader, type, 0);
    return strcmp(type, "taxonomy") == 0 ? read_taxonomy(reader, dimension, inner, err)
                                         : label_import_json_codes(reader, inner, err);
}

/* Which dimension a control stands for; with one dimension any name will do. */
static struct str dimension_of(const struct label_import_json *reader,
                               const json_t *result)
{
    struct str name = input_document_text(json_object_get(result, "from_name"));

    return reader->importer->label->effective.count > 1 ? name : (struct str){0};
}

/* Notes: what stands in "DIMENSION.memo" belongs to that dimension, any other to all. */
static bool read_memo(struct label_import_json *reader, const json_t *results,
                      struct str dimension, struct str *out, struct err *err)
{
    struct buf memo = {0};
    bool ok = true;

    for (size_t i = 0; ok && i < json_array_size(results); i++) {
        const json_t *result = json_array_get(results, i);
        struct str type = input_document_text(json_object_get(result, "type"));
        struct str name = input_document_text(json_object_get(result, "from_name")), head;
        const json_t *text = json_object_get(json_object_get(result, "value"), "text");
        if (!str_eq(type, STR("textarea")))
            continue;
        if (str_ends(name, STR(".memo"))) {
            head = str_slice(name, 0, name.len - 5);
            if (dimension.len > 0 && !str_eq(head, dimension))
                continue;
        }
        for (size_t t = 0; ok && t < json_array_size(text); t++) {
            struct str one;
            ok = label_import_json_text(reader, json_array_get(text, t), &one, err);
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

static bool read_results(struct label_import_json *reader, const json_t *of,
                         struct label_row *row, struct err *err)
{
    const json_t *results = json_object_get(of, "result");
    size_t steps = reader->step_count;

    if (!json_is_array(results))
        return label_import_json_refuse(reader, results, "an array 'result'", err);
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *result = json_array_get(results, i);
        label_import_json_step(reader, "result", 0);
        label_import_json_step(reader, NULL, i);
        if (!json_is_object(result))
            return label_import_json_refuse(reader, result, "an object", err);
        if (!str_eq(input_document_text(json_object_get(result, "type")),
                    STR("textarea"))) {
            size_t within = reader->step_count;
            row->dimension = dimension_of(reader, result);
            if (!read_memo(reader, results, row->dimension, &row->memo, err) ||
                !read_value(reader, result, row->dimension, err))
                return false;
            reader->step_count = within;
            if (!label_import_json_label(reader, row, err))
                return false;
            row->seconds = NAN; /* they were for all of it */
        }
        reader->step_count = steps;
    }
    return true;
}

static bool read_annotations(struct label_import_json *reader, const json_t *task,
                             struct label_row *row, struct err *err)
{
    const json_t *list = json_object_get(task, "annotations");

    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        const json_t *time = json_object_get(one, "lead_time");
        reader->step_count = 0;
        label_import_json_step(reader, "annotations", 0);
        label_import_json_step(reader, NULL, i);
        if (!json_is_object(one))
            return label_import_json_refuse(reader, one, "an object", err);
        if (json_is_true(json_object_get(one, "was_cancelled")))
            continue; /* skipped by the annotator */
        row->seconds = json_is_number(time) ? json_number_value(time) : NAN;
        if (!read_person(reader, one, &row->rater, err) ||
            !read_results(reader, one, row, err))
            return false;
    }
    return true;
}

static bool read_predictions(struct label_import_json *reader, const json_t *task,
                             struct label_row *row, struct err *err)
{
    const json_t *list = json_object_get(task, "predictions");

    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        reader->step_count = 0;
        label_import_json_step(reader, "predictions", 0);
        label_import_json_step(reader, NULL, i);
        if (!json_is_object(one)) /* Label Studio may list ids alone */
            return label_import_json_refuse(reader, one, "an object", err);
        row->seconds = NAN;
        if (!label_import_json_text(reader, json_object_get(one, "model_version"),
                                    &row->rater, err))
            return false;
        if (row->rater.len == 0)
            row->rater = STR("model");
        if (!read_results(reader, one, row, err))
            return false;
    }
    return true;
}

bool label_import_json_studio(struct label_import_json *reader, const json_t *task,
                              struct err *err)
{
    struct label_row row = {0};

    return read_item(reader, task, &row.item, err) &&
           read_annotations(reader, task, &row, err) &&
           read_predictions(reader, task, &row, err);
}
