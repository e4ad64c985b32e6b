/* Brackets are counted outside of strings, whatever their kind: a decoder looks at the
 * rest. */
#include "input/document.h"

#include <stdio.h>
#include <string.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void input_document_free(struct input_document *document)
{
    buf_free(&document->bytes);
}

/* Where the walk is after so many bytes. */
static struct input_document_place place_behind(struct input_document_place place,
                                                struct str bytes)
{
    struct str line;

    while (str_cut(&bytes, '\n', &line))
        place = (struct input_document_place){place.line + 1, 0};
    for (size_t i = 0; i < line.len; i++)
        place.column += (line.ptr[i] & 0xC0) != 0x80;
    return place;
}

static struct input_document_place place_of(const struct input_document *document,
                                            const char *at)
{
    const char *begin = document->bytes.ptr;

    return place_behind(document->place, (struct str){begin, (size_t)(at - begin)});
}

static bool fail_at(const struct input_document *document,
                    struct input_document_place place, struct err *err)
{
    return err_at(err, "%s:%lld:%lld: ", document->path, (long long)place.line + 1,
                  (long long)place.column + 1);
}

bool input_document_fail(const struct input_document *document, const char *at,
                         struct err *err)
{
    return fail_at(document, place_of(document, at), err);
}

void input_document_push(struct input_document *document, struct str piece, bool last)
{
    struct buf *bytes = &document->bytes;
    size_t left = bytes->len - document->at;

    document->place =
        place_behind(document->place, str_slice(buf_str(bytes), 0, document->at));
    if (left > 0)
        memmove(bytes->ptr, bytes->ptr + document->at, left);
    bytes->len = left;
    document->at = 0;
    document->last = last;
    buf_add(bytes, piece);
}

/* From the opening quote to behind the closing one; NULL when the line or the text ends
 * before, and *stop is where. */
static const char *skip_string(const char *p, const char *end, const char **stop)
{
    for (p++; p < end && *p != '\n' && *p != '\r'; p++) {
        if (*p == '"')
            return p + 1;
        if (*p == '\\' && p + 1 < end && p[1] != '\n' && p[1] != '\r')
            p++;
    }
    *stop = p;
    return NULL;
}

enum skip { SKIP_DONE, SKIP_CUT, SKIP_LINE_END, SKIP_DEEP };

/* From a place that lies `depth` brackets deep to behind the bracket that leads back to
 * depth `until`, or to what is wrong. */
static enum skip skip_nested(const char **at, const char *end, int depth, int until)
{
    const char *p = *at, *stop = p;

    while (p < end) {
        char c = *p;
        if (c == '"') {
            const char *behind = skip_string(p, end, &stop);
            if (behind == NULL) {
                *at = stop < end ? stop : p;
                return stop < end ? SKIP_LINE_END : SKIP_CUT;
            }
            p = behind;
            continue;
        }
        if ((c == '{' || c == '[') && ++depth > INPUT_DOCUMENT_DEPTH_MAX) {
            *at = p;
            return SKIP_DEEP;
        }
        p++;
        if ((c == '}' || c == ']') && --depth == until) {
            *at = p;
            return SKIP_DONE;
        }
    }
    return SKIP_CUT;
}

/* A string, or a number or a word: up to what may follow it. */
static enum skip skip_scalar(const char **at, const char *end, bool last)
{
    const char *p = *at, *stop = p;

    if (*p == '"') {
        p = skip_string(p, end, &stop);
        *at = p != NULL ? p : stop < end ? stop : *at;
        return p != NULL ? SKIP_DONE : stop < end ? SKIP_LINE_END : SKIP_CUT;
    }
    while (p < end && !is_space(*p) && memchr(",]}", *p, 3) == NULL)
        p++;
    if (p == end && !last)
        return SKIP_CUT;
    *at = p;
    return SKIP_DONE;
}

static bool refuse(struct input_document *document, const char *expected, struct err *err)
{
    const char *at = document->bytes.ptr + document->at;
    unsigned char c = (unsigned char)*at;
    char found[20];

    snprintf(found, sizeof found, c >= 0x20 && c < 0x7F ? "'%c'" : "byte 0x%02X", c);
    err_record(err, ERR_INPUT, "found %s, expected %s", found, expected);
    document->failed = true;
    return input_document_fail(document, at, err);
}

/* The value that begins at document->at does not end where it should. */
static bool refuse_value(struct input_document *document, enum skip why, const char *at,
                         struct err *err)
{
    const char *begin = document->bytes.ptr + document->at;

    if (why == SKIP_CUT && !document->last) {
        if (document->bytes.len - document->at <= INPUT_DOCUMENT_VALUE_MAX)
            return false; /* more is to come */
        at = begin;
        err_record(err, ERR_INPUT, "the value that begins here has no end in %d MB",
                   INPUT_DOCUMENT_VALUE_MAX >> 20);
    } else if (why == SKIP_CUT) {
        err_record(err, ERR_INPUT, "the %s that begins here is not closed",
                   *at == '{'   ? "object"
                   : *at == '[' ? "array"
                   : *at == '"' ? "string"
                                : "value");
    } else if (why == SKIP_LINE_END) {
        err_record(err, ERR_INPUT, "the line ends within a string");
    } else {
        err_record(err, ERR_INPUT, "found more than %d brackets in each other",
                   INPUT_DOCUMENT_DEPTH_MAX);
    }
    document->failed = true;
    return input_document_fail(document, at, err);
}

/* The end of the piece is reached between two values: fine, unless it is the end of all
 * within brackets. */
static bool end_here(struct input_document *document, struct err *err)
{
    if (!document->last || document->where == INPUT_DOCUMENT_OUTSIDE)
        return false;
    err_record(err, ERR_INPUT, "the %s that begins here is not closed",
               document->wrapped ? "object" : "array");
    document->failed = true;
    return fail_at(document, document->opened, err);
}

enum prefix { PREFIX_NO, PREFIX_YES, PREFIX_CUT };

/* Whether {"items":[ stands here, blanks between; *at is then behind it. */
static enum prefix opens_items(const char **at, const char *end)
{
    static const char *const parts[] = {"{", "\"items\"", ":", "["};
    const char *p = *at;

    for (size_t i = 0; i < ROWS_OF(parts); i++) {
        while (p < end && is_space(*p))
            p++;
        for (const char *c = parts[i]; *c != '\0'; c++, p++) {
            if (p == end)
                return PREFIX_CUT;
            if (*p != *c)
                return PREFIX_NO;
        }
    }
    *at = p;
    return PREFIX_YES;
}

/* Enters an array, if one opens here; false when more bytes must tell. */
static bool enter(struct input_document *document, bool *entered)
{
    const char *begin = document->bytes.ptr + document->at, *p = begin;
    enum prefix prefix = *p == '['
                             ? PREFIX_YES
                             : opens_items(&p, document->bytes.ptr + document->bytes.len);

    *entered = prefix == PREFIX_YES;
    if (prefix == PREFIX_CUT && !document->last &&
        document->bytes.len - document->at <= INPUT_DOCUMENT_VALUE_MAX)
        return false;
    if (!*entered)
        return true;
    document->wrapped = *p != '[' || p > begin;
    document->opened = place_of(document, begin);
    document->where = INPUT_DOCUMENT_OPENED;
    document->at += document->wrapped ? (size_t)(p - begin) : 1;
    return true;
}

/* Gives out what lies between document->at and p. */
static bool give(struct input_document *document, const char *p, struct str *value)
{
    const char *begin = document->bytes.ptr + document->at;

    *value = (struct str){begin, (size_t)(p - begin)};
    document->at += value->len;
    return true;
}

static bool take_item(struct input_document *document, struct str *value, struct err *err)
{
    const char *p = document->bytes.ptr + document->at;
    const char *end = document->bytes.ptr + document->bytes.len;
    int depth = document->where == INPUT_DOCUMENT_OUTSIDE ? 0 : document->wrapped ? 2 : 1;

    if (memchr(",]}:", *p, 4) != NULL)
        return refuse(document, "a value", err);
    enum skip skip = *p == '{' || *p == '[' ? skip_nested(&p, end, depth, depth)
                                            : skip_scalar(&p, end, document->last);
    if (skip != SKIP_DONE)
        return refuse_value(document, skip, p, err);
    if (document->where != INPUT_DOCUMENT_OUTSIDE)
        document->where = INPUT_DOCUMENT_ITEM;
    return give(document, p, value);
}

/* Behind the array of an object: its other keys. */
static bool take_rest(struct input_document *document, struct str *value, struct err *err)
{
    const char *p = document->bytes.ptr + document->at;
    const char *end = document->bytes.ptr + document->bytes.len;
    enum skip skip = skip_nested(&p, end, 1, 0);

    if (skip != SKIP_DONE)
        return refuse_value(document, skip, p, err);
    const char *key = document->bytes.ptr + document->at + 1;
    while (is_space(*key))
        key++;
    if (*key != '"') {
        document->at = (size_t)(key - document->bytes.ptr);
        return refuse(document, "a key", err);
    }
    document->where = INPUT_DOCUMENT_OUTSIDE;
    return give(document, p, value);
}

static bool skip_mark(struct input_document *document)
{
    struct str bytes = buf_str(&document->bytes);

    if (document->begun)
        return true;
    if (bytes.len < 3 && !document->last)
        return false;
    if (str_starts(bytes, STR("\xEF\xBB\xBF")))
        document->at = 3;
    document->begun = true;
    return true;
}

bool input_document_next(struct input_document *document, struct str *value,
                         enum input_document_part *part, struct err *err)
{
    bool entered;

    if (document->failed || !skip_mark(document))
        return false;
    for (;;) {
        while (document->at < document->bytes.len &&
               is_space(document->bytes.ptr[document->at]))
            document->at++;
        if (document->at == document->bytes.len)
            return end_here(document, err);
        char c = document->bytes.ptr[document->at];
        *part = INPUT_DOCUMENT_IN_ARRAY;
        switch (document->where) {
        case INPUT_DOCUMENT_OUTSIDE:
            if (c != '{' && c != '[')
                return refuse(document, "'{' or '['", err);
            if (!enter(document, &entered))
                return false;
            *part = INPUT_DOCUMENT_VALUE;
            if (!entered)
                return take_item(document, value, err);
            continue;
        case INPUT_DOCUMENT_OPENED:
            if (c != ']')
                return take_item(document, value, err);
            break;
        case INPUT_DOCUMENT_COMMA:
            return take_item(document, value, err);
        case INPUT_DOCUMENT_ITEM:
            if (c != ',' && c != ']')
                return refuse(document, "',' or ']'", err);
            if (c == ',')
                document->where = INPUT_DOCUMENT_COMMA;
            break;
        case INPUT_DOCUMENT_CLOSED:
            *part = INPUT_DOCUMENT_REST;
            if (c == ',')
                return take_rest(document, value, err);
            if (c != '}')
                return refuse(document, "',' or '}'", err);
            document->where = INPUT_DOCUMENT_OUTSIDE;
            break;
        }
        document->at++;
        if (c == ']')
            document->where =
                document->wrapped ? INPUT_DOCUMENT_CLOSED : INPUT_DOCUMENT_OUTSIDE;
    }
}

/* --- inside a value that is json --- */

struct document_cursor {
    const char *at, *end;
};

static bool at_byte(struct document_cursor *cursor, char c)
{
    while (cursor->at < cursor->end && is_space(*cursor->at))
        cursor->at++;
    return cursor->at < cursor->end && *cursor->at == c;
}

static bool take_byte(struct document_cursor *cursor, char c)
{
    bool there = at_byte(cursor, c);

    cursor->at += there;
    return there;
}

static bool take_string(struct document_cursor *cursor, struct str *raw)
{
    const char *stop;

    if (!at_byte(cursor, '"'))
        return false;
    const char *begin = cursor->at + 1;
    const char *behind = skip_string(cursor->at, cursor->end, &stop);
    if (behind == NULL)
        return false;
    *raw = (struct str){begin, (size_t)(behind - 1 - begin)};
    cursor->at = behind;
    return true;
}

static bool skip_value(struct document_cursor *cursor)
{
    struct str raw;

    if (at_byte(cursor, '"'))
        return take_string(cursor, &raw);
    if (at_byte(cursor, '{') || at_byte(cursor, '['))
        return skip_nested(&cursor->at, cursor->end, 0, 0) == SKIP_DONE;
    while (cursor->at < cursor->end && memchr(",]}", *cursor->at, 3) == NULL)
        cursor->at++;
    return true;
}

/* From a value to the one that the step leads to. */
static bool follow(struct document_cursor *cursor, const struct input_document_step *step)
{
    struct str key;

    if (!take_byte(cursor, step->key != NULL ? '{' : '['))
        return false;
    for (size_t i = 0;; i++) {
        if (step->key != NULL && (!take_string(cursor, &key) || !take_byte(cursor, ':')))
            return false;
        if (step->key != NULL ? str_eq(key, str_from(step->key)) : i == step->index)
            break;
        if (!skip_value(cursor) || !take_byte(cursor, ','))
            return false;
    }
    return !at_byte(cursor, ']') && cursor->at < cursor->end; /* not an empty array */
}

const char *input_document_find(struct str value, const struct input_document_step *steps,
                                size_t count)
{
    struct document_cursor cursor = {value.ptr, value.ptr + value.len}, next = cursor;

    for (size_t i = 0; i < count && follow(&next, &steps[i]); i++)
        cursor = next;
    return cursor.at;
}

/* What jansson says is for programmers; its places are turned into those of the file. */

const char *input_document_kind(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_NULL:
        break;
    }
    return "null";
}

struct str input_document_text(const json_t *string)
{
    return (struct str){json_string_value(string), json_string_length(string)};
}

/* What jansson says in words that mean something to its callers only. */
static const char *in_our_words(enum json_error_code code)
{
    switch (code) {
    case json_error_null_character:
    case json_error_null_byte_in_key:
        return "found \\u0000, expected text";
    case json_error_invalid_utf8:
        return "found a byte that is not UTF-8";
    case json_error_numeric_overflow:
        return "found a number that is too large";
    case json_error_duplicate_key:
        return "found a key for the second time";
    default:
        return NULL;
    }
}

/* Where jansson stopped reading, and why. */
static void decode_refuse(const struct input_document *document, struct str value,
                          const json_error_t *error, struct err *err)
{
    enum json_error_code code = json_error_code(error);
    const char *ours = in_our_words(code), *near = strstr(error->text, " near ");
    size_t offset = error->position > 0 ? (size_t)error->position : 0;

    if (offset > 0 && code != json_error_invalid_utf8)
        offset--; /* it is behind what it does not like, except here */
    if (offset > value.len)
        offset = value.len;
    if (ours != NULL)
        err_record(err, ERR_INPUT, "not json: %s%s", ours, near != NULL ? near : "");
    else
        err_record(err, ERR_INPUT, "not json: %s", error->text);
    for (char *p = err->text; *p != '\0'; p++)
        if ((unsigned char)*p < 0x20)
            *p = ' ';
    input_document_fail(document, value.ptr + offset, err);
}

json_t *input_document_decode(const struct input_document *document, struct str value,
                              const char *text, struct err *err)
{
    json_error_t error;
    json_t *root =
        json_loadb(text, value.len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);

    if (root == NULL)
        decode_refuse(document, value, &error, err);
    return root;
}
