/* Csv through input/csv.h, json through input/document.h; the first byte tells which. */
#include "cmd/fields.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/near.h"
#include "base/stop.h"
#include "dump/field.h"
#include "dump/table.h"
#include "input/csv.h"
#include "input/document.h"
#include "input/input.h"
#include "text/utf8.h"

enum { PIECE_BYTES = 1 << 20, HEAD_BYTES = 512, NAMES_MAX = 12 };

struct fields_reading {
    struct cmd_fields *fields;
    struct arena arena; /* what lasts until the end */
    struct str *values;
    struct buf piece, kept, repaired;
    bool begun, is_text; /* the first bytes are */
    enum dump_table_kind kind;
    /* Of csv: */
    struct input_csv csv;
    size_t *columns; /* of each name; NULL before the header */
    /* Of json: */
    struct input_document document;
    struct buf *texts; /* of each value that had to be made */
    bool *seen;        /* some object has the key */
    struct str *keys;  /* of the first object */
    size_t key_count;
    int64_t objects;
};

/* Controls other than blanks: stray bytes in an export do not have them at its head. */
static bool is_text(struct str bytes)
{
    for (size_t i = 0; i < bytes.len && i < HEAD_BYTES; i++)
        if ((unsigned char)bytes.ptr[i] < ' ' &&
            (bytes.ptr[i] < '\t' || bytes.ptr[i] > '\r'))
            return false;
    return true;
}

static bool no_such(const char *path, const char *what, struct str name,
                    const struct str *names, size_t count, struct err *err)
{
    size_t near = near_find(name, names, count);
    char shown[DUMP_FIELD_SHOWN_MAX];
    struct buf all = {0};

    if (near < count)
        return err_set(err, ERR_INPUT,
                       "%s:1: there is no %s '%.*s'; did you mean '%.*s'?", path, what,
                       STR_ARG(name), STR_ARG(names[near]));
    for (size_t i = 0; i < count && i < NAMES_MAX; i++)
        buf_add_format(&all, "%s%s", i > 0 ? ", " : "", dump_field_show(names[i], shown));
    err_record(err, ERR_INPUT, "%s:1: there is no %s '%.*s'; %ss are: %.*s%s", path, what,
               STR_ARG(name), what, STR_ARG(buf_str(&all)),
               count == 0          ? "none"
               : count > NAMES_MAX ? ", ..."
                                   : "");
    buf_free(&all);
    return false;
}

static bool no_such_column(const struct fields_reading *reading, struct str name,
                           const struct input_csv_row *row, struct err *err)
{
    const char *path = reading->fields->path;

    if (!reading->is_text)
        return err_set(err, ERR_INPUT,
                       "%s: is no csv or json: the first bytes are no text", path);
    if (reading->kind == DUMP_TABLE_XML)
        return err_set(err, ERR_INPUT, "%s:1: found XML, expected csv or json", path);
    return no_such(path, "column", name, row->fields, row->count, err);
}

static bool find_columns(struct fields_reading *reading, const struct input_csv_row *row,
                         struct err *err)
{
    const struct cmd_fields *fields = reading->fields;

    reading->columns = arena_array(&reading->arena, size_t, fields->count + 1);
    for (size_t i = 0; i < fields->count; i++) {
        size_t *column = reading->columns + i;
        while (*column < row->count &&
               !str_eq(str_trim(row->fields[*column]), fields->names[i]))
            ++*column;
        if (*column == row->count)
            return no_such_column(reading, fields->names[i], row, err);
    }
    return true;
}

static bool push_csv(struct fields_reading *reading, struct str piece, bool last,
                     struct err *err)
{
    const struct cmd_fields *fields = reading->fields;
    struct input_csv_row row;

    input_csv_push(&reading->csv, piece, last);
    while (input_csv_next(&reading->csv, &row, err)) {
        if (reading->columns == NULL) {
            if (!find_columns(reading, &row, err))
                return false;
            continue;
        }
        for (size_t i = 0; i < fields->count; i++)
            reading->values[i] = row.fields[reading->columns[i]];
        if (!fields->take(fields->context, reading->values, err))
            return false;
    }
    return !reading->csv.failed;
}

static bool add_items(const json_t *list, struct buf *out, struct err *err)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        if (!json_is_string(item))
            return err_set(err, ERR_INPUT, "found %s in a list, expected strings",
                           input_document_kind(item));
        buf_add(out, i > 0 ? STR(" ") : STR(""));
        buf_add(out, input_document_text(item));
    }
    return true;
}

static bool value_of(const json_t *json, struct buf *text, struct str *out,
                     struct err *err)
{
    buf_clear(text);
    *out = (struct str){"", 0};
    switch (json == NULL ? JSON_NULL : json_typeof(json)) {
    case JSON_NULL:
        return true;
    case JSON_STRING:
        *out = input_document_text(json);
        return true;
    case JSON_INTEGER:
        buf_add_int(text, json_integer_value(json));
        break;
    case JSON_REAL:
        buf_add_format(text, "%.17g", json_real_value(json));
        break;
    case JSON_ARRAY:
        if (!add_items(json, text, err))
            return false;
        break;
    default:
        return err_set(err, ERR_INPUT, "found %s, expected text",
                       input_document_kind(json));
    }
    *out = buf_str(text);
    return true;
}

static void keep_keys(struct fields_reading *reading, json_t *object)
{
    reading->keys =
        arena_array(&reading->arena, struct str, json_object_size(object) + 1);
    for (void *at = json_object_iter(object); at != NULL;
         at = json_object_iter_next(object, at))
        reading->keys[reading->key_count++] =
            arena_copy(&reading->arena, str_from(json_object_iter_key(at)));
}

static bool take_object(struct fields_reading *reading, json_t *object, struct str value,
                        struct err *err)
{
    const struct cmd_fields *fields = reading->fields;

    if (!json_is_object(object)) {
        err_record(err, ERR_INPUT, "found %s, expected an object",
                   input_document_kind(object));
        return input_document_fail(&reading->document, value.ptr, err);
    }
    if (reading->objects++ == 0)
        keep_keys(reading, object);
    for (size_t i = 0; i < fields->count; i++) {
        char *key = arena_c_string(&reading->arena, fields->names[i]);
        const json_t *found = json_object_get(object, key);
        reading->seen[i] |= found != NULL;
        if (!value_of(found, reading->texts + i, reading->values + i, err)) {
            struct input_document_step step = {key, 0};
            err_locate(err, "key '%s': ", key);
            return input_document_fail(&reading->document,
                                       input_document_find(value, &step, 1), err);
        }
    }
    return fields->take(fields->context, reading->values, err);
}

static bool push_json(struct fields_reading *reading, struct str piece, bool last,
                      struct err *err)
{
    enum input_document_part part;
    struct str value;

    input_document_push(&reading->document, piece, last);
    while (input_document_next(&reading->document, &value, &part, err)) {
        if (part == INPUT_DOCUMENT_REST)
            continue;
        struct arena_mark mark = arena_mark(&reading->arena);
        char *text = arena_c_string(&reading->arena, value);
        json_t *object = input_document_decode(&reading->document, value, text, err);
        bool ok = object != NULL && take_object(reading, object, value, err);
        json_decref(object);
        if (!ok)
            return false;
        if (reading->objects > 1) /* the first one's keys are kept */
            arena_rewind(&reading->arena, mark);
    }
    if (reading->document.failed)
        return false;
    for (size_t i = 0; i < reading->fields->count && last && reading->objects > 0; i++)
        if (!reading->seen[i])
            return no_such(reading->fields->path, "key", reading->fields->names[i],
                           reading->keys, reading->key_count, err);
    return true;
}

/* How many bytes at the end begin a character whose rest comes with the next piece. */
static size_t cut_off(struct str text)
{
    size_t back = 1;

    while (back < 4 && back < text.len &&
           ((unsigned char)text.ptr[text.len - back] & 0xC0) == 0x80)
        back++;
    if (text.len == 0 || back > text.len)
        return 0;
    unsigned char lead = (unsigned char)text.ptr[text.len - back];
    size_t whole = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    return whole > back ? back : 0;
}

static bool begin(struct fields_reading *reading, struct str bytes, struct err *err)
{
    const char *path = reading->fields->path;

    if (bytes.len == 0 && !reading->fields->again)
        return err_set(err, ERR_INPUT, "%s: the file is empty", path);
    if (str_starts(bytes, STR("\xFF\xFE")) || str_starts(bytes, STR("\xFE\xFF")))
        return err_set(err, ERR_INPUT,
                       "%s: found text as UTF-16, expected csv or json as UTF-8", path);
    reading->kind = dump_table_kind(bytes);
    reading->is_text = is_text(bytes);
    reading->begun = true;
    return true;
}

/* Exports do hold stray bytes: they must not stop a study. */
static bool push(struct fields_reading *reading, bool last, struct err *err)
{
    struct str piece = buf_str(&reading->piece);

    if (piece.len == 0 && !last) /* a pipe gave but the begin of a character */
        return true;
    if (!reading->begun && !begin(reading, piece, err))
        return false;
    if (!text_utf8_valid(piece)) {
        buf_clear(&reading->repaired);
        text_utf8_repair(piece, &reading->repaired);
        reading->fields->repaired = true;
        piece = buf_str(&reading->repaired);
    }
    return reading->kind == DUMP_TABLE_JSON ? push_json(reading, piece, last, err)
                                            : push_csv(reading, piece, last, err);
}

static bool read_stream(struct fields_reading *reading, struct input_stream *stream,
                        struct err *err)
{
    struct buf *piece = &reading->piece;

    for (size_t got = 1; got > 0;) {
        buf_clear(piece);
        buf_add(piece, buf_str(&reading->kept));
        char *room = buf_reserve(piece, PIECE_BYTES);
        if (!input_stream_read(stream, room, PIECE_BYTES, &got, err))
            return false;
        piece->len += got;
        size_t cut = got > 0 ? cut_off(buf_str(piece)) : 0;
        piece->len -= cut;
        buf_clear(&reading->kept);
        buf_add(&reading->kept, (struct str){piece->ptr + piece->len, cut});
        if (!push(reading, got == 0, err) || !stop_check(err))
            return false;
    }
    return input_stream_finish(stream, err);
}

bool cmd_fields_read(struct cmd_fields *fields, struct err *err)
{
    struct fields_reading reading = {.fields = fields,
                                     .csv = {.path = fields->path},
                                     .document = {.path = fields->path}};
    struct input *input = NULL;
    struct input_stream *stream = NULL;

    fields->repaired = false;
    if (file_is_folder(fields->path))
        return err_set(err, ERR_INPUT, "%s: is a folder, expected a csv or json file",
                       fields->path);
    reading.values = arena_array(&reading.arena, struct str, fields->count + 1);
    reading.texts = arena_array(&reading.arena, struct buf, fields->count + 1);
    reading.seen = arena_array(&reading.arena, bool, fields->count + 1);
    bool ok =
        input_open(fields->path, &input, err) &&
        input_stream_open(input, 0, &(struct input_stream_options){0}, &stream, err) &&
        read_stream(&reading, stream, err);
    input_stream_close(stream);
    input_close(input);
    for (size_t i = 0; i < fields->count; i++)
        buf_free(reading.texts + i);
    input_csv_free(&reading.csv);
    input_document_free(&reading.document);
    buf_free(&reading.piece);
    buf_free(&reading.kept);
    buf_free(&reading.repaired);
    arena_free(&reading.arena);
    return ok;
}
