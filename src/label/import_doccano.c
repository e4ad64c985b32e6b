/* Items of doccano. Today they have a list 'label' of categories, or of spans as [begin,
 * end, label], or 'entities'; before version 1.3 a list 'annotations' or 'labels', with
 * the number of whoever made each. Offsets count characters. */
#include <math.h>

#include "label/import_json.h"

/* doccano writes a file for each user, called by the user's name. */
static struct str rater_of_file(const struct label_import_json *reader)
{
    struct str rest = str_from(reader->importer->path), name, stem;

    while (str_cut(&rest, '/', &name))
        continue;
    str_cut(&name, '.', &stem);
    return label_rater(reader->importer->label, stem) <
                   reader->importer->label->settings->rater_count
               ? stem
               : (struct str){0};
}

static bool read_comments(struct label_import_json *reader,
                          const struct input_json *comments, struct str *memo,
                          struct err *err)
{
    struct buf all = {0};
    bool ok = true;

    INPUT_JSON_EACH(comment, comments)
    {
        struct str one;
        ok = ok && label_import_json_text(reader, comment, &one, err);
        if (all.len > 0)
            buf_add_char(&all, '\n');
        if (ok)
            buf_add(&all, one);
    }
    *memo = buf_keep(&all, &reader->importer->arena);
    return ok;
}

/* The item's own key; what was uploaded with an item may be in 'meta'. */
static bool read_item(struct label_import_json *reader, const struct input_json *object,
                      struct str *out, struct err *err)
{
    static const char *const keys[] = {"item", "id", "doc_id", NULL}, *const own[] = {
                                                                          "item", NULL};
    const struct input_json *meta = input_json_get(object, "meta");
    struct str said = reader->importer->options->item_column;
    const char *name =
        said.len > 0 ? arena_c_string(&reader->importer->arena, said) : "item";

    if (input_json_get(object, name) == NULL && input_json_get(meta, name) != NULL)
        return label_import_json_need(reader, meta, said, own, out, err);
    return label_import_json_need(reader, object, said, keys, out, err);
}

static bool need_rater(struct label_import_json *reader, struct label_row *row,
                       struct err *err)
{
    if (row->rater.len == 0)
        row->rater = rater_of_file(reader);
    if (row->rater.len > 0 || reader->importer->options->rater.len > 0)
        return true;
    err_record(err, ERR_INPUT, "doccano names no rater here; give --rater NAME");
    return label_import_json_fail(reader, reader->object, err);
}

static bool read_span(struct label_import_json *reader, const struct input_json *begin,
                      const struct input_json *end, const struct input_json *label,
                      struct str text, struct label_row *row, struct err *err)
{
    struct label_row_span span = {.text = text};

    return need_rater(reader, row, err) &&
           label_import_json_text(reader, label, &span.code, err) &&
           label_import_json_span(reader, row, &span, begin, end, err);
}

/* A category, [begin, end, label], or an object that has either. */
static bool read_label(struct label_import_json *reader, const struct input_json *one,
                       struct str text, struct label_row *row, struct err *err)
{
    const struct input_json *begin = input_json_get(one, "start_offset"),
                            *label = input_json_get(one, "label");
    struct str by = row->rater, user;

    if (input_json_is(one, INPUT_JSON_ARRAY) && input_json_count(one) == 3) {
        const struct input_json *first = input_json_first(one),
                                *second = input_json_next(one, first);
        return read_span(reader, first, second, input_json_next(one, second), text, row,
                         err);
    }
    if (!input_json_is(one, INPUT_JSON_OBJECT))
        return label_import_json_codes(reader, one, err);
    if (!label_import_json_text(reader, input_json_get(one, "user"), &user, err))
        return false;
    if (label == NULL)
        return label_import_json_refuse(reader, one, "an object with a 'label'", err);
    if (user.len > 0)
        row->rater = user;
    if (begin != NULL) {
        bool ok = read_span(reader, begin, input_json_get(one, "end_offset"), label, text,
                            row, err);
        row->rater = by;
        return ok;
    }
    if (user.len == 0)
        return label_import_json_codes(reader, label, err);
    /* Labels of several users stand in one list. */
    list_clear(&reader->codes);
    bool ok = label_import_json_codes(reader, label, err) &&
              label_import_json_label(reader, row, err);
    list_clear(&reader->codes);
    row->rater = by;
    return ok;
}

bool label_import_json_doccano(struct label_import_json *reader,
                               const struct input_json *object, struct err *err)
{
    static const char *const lists[] = {"label", "labels", "cats", "entities",
                                        "annotations"};
    const struct label_import_options *options = reader->importer->options;
    struct label_row row = {.seconds = NAN};
    struct str text = input_json_text(input_json_get(object, "text"));
    const char *rater =
        options->rater_column.len > 0
            ? arena_c_string(&reader->importer->arena, options->rater_column)
            : "username";
    bool any = false;

    if (text.len == 0)
        text = input_json_text(input_json_get(object, "data"));
    if (!read_item(reader, object, &row.item, err) ||
        !label_import_json_text(reader, input_json_get(object, rater), &row.rater, err) ||
        !read_comments(reader, input_json_get(object, "Comments"), &row.memo, err))
        return false;
    list_clear(&reader->codes);
    for (size_t i = 0; i < ROWS_OF(lists); i++) {
        const char *name =
            i == 0 && options->code_column.len > 0
                ? arena_c_string(&reader->importer->arena, options->code_column)
                : lists[i];
        const struct input_json *list = input_json_get(object, name);
        any = any || list != NULL;
        if (list != NULL && !input_json_is(list, INPUT_JSON_ARRAY) &&
            !label_import_json_codes(reader, list, err))
            return false;
        INPUT_JSON_EACH(one, list)
        {
            if (!read_label(reader, one, text, &row, err))
                return false;
        }
    }
    if (!any) {
        err_record(err, ERR_INPUT, "there is no key 'label'");
        return label_import_json_fail(reader, reader->object, err);
    }
    /* Without codes it is not labelled yet. */
    return reader->codes.count == 0 ||
           (need_rater(reader, &row, err) && label_import_json_label(reader, &row, err));
}
