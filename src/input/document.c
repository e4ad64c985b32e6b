/* A value is read as json at once. Only where that fails its end is looked for: where the
 * next line begins another one, else by counting brackets outside of strings, whatever
 * their kind. */
#include "input/document.h"

#include <stdio.h>
#include <string.h>

#include "text/utf8.h"

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void input_document_free(struct input_document *document)
{
    buf_free(&document->bytes);
    input_json_free(&document->tree);
}

void input_document_restart(struct input_document *document, const char *path)
{
    struct input_document fresh = {
        .path = path, .bytes = document->bytes, .tree = document->tree};

    buf_clear(&fresh.bytes);
    *document = fresh;
}

/* Where the walk is after so many bytes. */
static struct input_document_place place_behind(struct input_document_place place,
                                                struct str bytes)
{
    struct str line;

    while (str_cut(&bytes, '\n', &line))
        place = (struct input_document_place){place.line + 1, 0};
    place.column += (int64_t)text_utf8_count(line);
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

char *input_document_room(struct input_document *document, size_t size)
{
    struct buf *bytes = &document->bytes;
    size_t left = bytes->len - document->at;

    document->place =
        place_behind(document->place, str_slice(buf_str(bytes), 0, document->at));
    if (left > 0)
        memmove(bytes->ptr, bytes->ptr + document->at, left);
    bytes->len = left;
    document->at = 0;
    return buf_reserve(bytes, size + INPUT_JSON_PADDING);
}

void input_document_filled(struct input_document *document, size_t size, bool last)
{
    document->bytes.len += size;
    document->last = last;
    memset(document->bytes.ptr + document->bytes.len, 0, INPUT_JSON_PADDING);
}

void input_document_push(struct input_document *document, struct str piece, bool last)
{
    char *room = input_document_room(document, piece.len);

    if (piece.len > 0)
        memcpy(room, piece.ptr, piece.len);
    input_document_filled(document, piece.len, last);
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
        if ((c == '{' || c == '[') && ++depth > INPUT_JSON_DEPTH_MAX) {
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
                   INPUT_JSON_DEPTH_MAX);
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

/* Whether the value at document->at could be read, or is to be waited for: then *cut. */
static bool read_json(struct input_document *document, struct str *value, bool *cut)
{
    const char *end = document->bytes.ptr + document->bytes.len, *p;

    document->begin = p = document->bytes.ptr + document->at;
    document->end = input_json_read(&document->tree, &p, end);
    *cut = document->end == INPUT_JSON_CUT && !document->last &&
           document->bytes.len - document->at <= INPUT_DOCUMENT_VALUE_MAX;
    return document->end == INPUT_JSON_DONE && give(document, p, value);
}

/* Values that stand a line each: one that is broken ends where a bracket begins another
 * line before `until`; NULL: none does. */
static const char *next_line(const struct input_document *document, const char *until)
{
    const char *p = document->begin, *end = document->bytes.ptr + document->bytes.len;

    while (p < until && (p = memchr(p, '\n', (size_t)(until - p))) != NULL)
        if (++p < end && *p == '{')
            return p;
    return NULL;
}

static bool is_last_line(const struct input_document *document)
{
    const char *p = document->begin, *end = document->bytes.ptr + document->bytes.len;
    struct str rest = str_trim((struct str){p, (size_t)(end - p)});

    return document->last && memchr(rest.ptr, '\n', rest.len) == NULL;
}

/* Where the value that cannot be read ends. NULL: nowhere, or more bytes must tell. */
static const char *find_end(struct input_document *document, struct err *err)
{
    const char *p = document->begin, *behind = NULL;
    const char *end = document->bytes.ptr + document->bytes.len;
    const char *wrong = document->end == INPUT_JSON_WRONG ? document->tree.wrong : end;
    bool outside = document->where == INPUT_DOCUMENT_OUTSIDE;
    bool whole = document->last || end - p > INPUT_DOCUMENT_VALUE_MAX;
    int depth = outside ? 0 : document->wrapped ? 2 : 1;

    /* Behind what is wrong may come the end of its line and what begins the next one. */
    if (outside && !whole && end - wrong < 3)
        return NULL;
    if (outside)
        behind = next_line(document, end - wrong < 2 ? end : wrong + 2);
    if (behind != NULL)
        return behind;
    enum skip skip = *p == '{' || *p == '[' ? skip_nested(&p, end, depth, depth)
                                            : skip_scalar(&p, end, document->last);
    if (skip == SKIP_DONE)
        return p;
    bool lines = outside && skip != SKIP_DEEP;
    if (lines && !whole)
        return NULL;
    if (lines)
        behind = is_last_line(document) ? end : next_line(document, end);
    if (behind == NULL)
        (void)refuse_value(document, skip, p, err);
    return behind;
}

static bool take_item(struct input_document *document, struct str *value, struct err *err)
{
    const char *p = document->bytes.ptr + document->at;
    bool cut;

    if (memchr(",]}:", *p, 4) != NULL)
        return refuse(document, "a value", err);
    if (!read_json(document, value, &cut)) {
        p = cut ? NULL : find_end(document, err);
        if (p == NULL)
            return false;
        give(document, p, value);
    }
    if (document->where != INPUT_DOCUMENT_OUTSIDE)
        document->where = INPUT_DOCUMENT_ITEM;
    return true;
}

/* Behind the array of an object: its other members. With a bracket in place of the comma
 * they are an object. */
static bool take_rest(struct input_document *document, struct str *value, struct err *err)
{
    char *begin = document->bytes.ptr + document->at;
    const char *p = begin + 1, *end = document->bytes.ptr + document->bytes.len;
    bool cut;

    while (is_space(*p))
        p++;
    if (*p != '"' && p < end) {
        document->at = (size_t)(p - document->bytes.ptr);
        return refuse(document, "a key", err);
    }
    *begin = '{';
    if (!read_json(document, value, &cut)) {
        *begin = ',';
        p = begin;
        if (cut)
            return false;
        enum skip skip = skip_nested(&p, end, 1, 0);
        if (skip != SKIP_DONE)
            return refuse_value(document, skip, p, err);
        give(document, p, value);
    }
    document->where = INPUT_DOCUMENT_OUTSIDE;
    return true;
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

const struct input_json *input_document_decode(const struct input_document *document,
                                               struct err *err)
{
    const struct input_json_tree *tree = &document->tree;

    if (document->end == INPUT_JSON_DONE)
        return input_json_root(tree);
    if (document->end == INPUT_JSON_CUT && *document->begin == '{')
        err_record(err, ERR_INPUT, "the object that begins here is not closed");
    else
        err_record(err, ERR_INPUT, "not json: %s",
                   document->end == INPUT_JSON_WRONG ? tree->why : "it ends too early");
    input_document_fail(document, tree->wrong != NULL ? tree->wrong : document->begin,
                        err);
    return NULL;
}

struct str input_document_raw(const struct input_document *document,
                              const struct input_json *value)
{
    const char *end = document->bytes.ptr + document->bytes.len, *p = value->at;
    bool nested = value->kind == INPUT_JSON_OBJECT || value->kind == INPUT_JSON_ARRAY;

    (void)(nested ? skip_nested(&p, end, 0, 0) : skip_scalar(&p, end, true));
    return (struct str){value->at, (size_t)(p - value->at)};
}
