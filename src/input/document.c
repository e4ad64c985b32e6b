/* Brackets are counted outside of strings, whatever their kind: a decoder looks at the
 * rest. */
#include "input/document.h"

#include <stdio.h>
#include <string.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool document_fail(const struct document *document, const char *at, struct err *err)
{
    struct str before = {document->text.ptr, (size_t)(at - document->text.ptr)}, line;
    long long lines = 1, column = 1;

    while (str_cut(&before, '\n', &line))
        lines++;
    for (size_t i = 0; i < line.len; i++)
        column += (line.ptr[i] & 0xC0) != 0x80;
    return err_at(err, "%s:%lld:%lld: ", document->path, lines, column);
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

/* From an opening bracket to behind the closing one, or to what is wrong. */
static enum skip skip_nested(const char **at, const char *end)
{
    const char *p = *at, *stop = p;
    int depth = 0;

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
        if ((c == '{' || c == '[') && ++depth > DOCUMENT_DEPTH_MAX) {
            *at = p;
            return SKIP_DEEP;
        }
        p++;
        if ((c == '}' || c == ']') && --depth == 0) {
            *at = p;
            return SKIP_DONE;
        }
    }
    return SKIP_CUT;
}

static bool refuse(struct document *document, const char *at, struct err *err)
{
    unsigned char c = (unsigned char)*at;
    char found[20];

    snprintf(found, sizeof found, c >= 0x20 && c < 0x7F ? "'%c'" : "byte 0x%02X", c);
    err_record(err, ERR_INPUT, "found %s, expected '{' or '['", found);
    document->failed = true;
    return document_fail(document, at, err);
}

bool document_next(struct document *document, struct str *value, struct err *err)
{
    if (document->failed || document->text.len == 0)
        return false;
    const char *text = document->text.ptr, *end = text + document->text.len;
    if (document->at == 0 && str_starts(document->text, STR("\xEF\xBB\xBF")))
        document->at = 3;
    while (document->at < document->text.len && is_space(text[document->at]))
        document->at++;
    const char *begin = text + document->at, *p = begin;
    if (p == end)
        return false;
    if (*p != '{' && *p != '[')
        return refuse(document, p, err);
    switch (skip_nested(&p, end)) {
    case SKIP_DONE:
        *value = (struct str){begin, (size_t)(p - begin)};
        document->at = (size_t)(p - text);
        return true;
    case SKIP_CUT:
        err_record(err, ERR_INPUT, "the %s that begins here is not closed",
                   *p == '{'   ? "object"
                   : *p == '[' ? "array"
                               : "string");
        break;
    case SKIP_LINE_END:
        err_record(err, ERR_INPUT, "the line ends within a string");
        break;
    case SKIP_DEEP:
        err_record(err, ERR_INPUT, "found more than %d brackets in each other",
                   DOCUMENT_DEPTH_MAX);
        break;
    }
    document->failed = true;
    return document_fail(document, p, err);
}

/* --- inside a value that is json --- */

struct cursor {
    const char *at, *end;
};

static bool at_byte(struct cursor *cursor, char c)
{
    while (cursor->at < cursor->end && is_space(*cursor->at))
        cursor->at++;
    return cursor->at < cursor->end && *cursor->at == c;
}

static bool take_byte(struct cursor *cursor, char c)
{
    bool there = at_byte(cursor, c);

    cursor->at += there;
    return there;
}

static bool take_string(struct cursor *cursor, struct str *raw)
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

static bool skip_value(struct cursor *cursor)
{
    struct str raw;

    if (at_byte(cursor, '"'))
        return take_string(cursor, &raw);
    if (at_byte(cursor, '{') || at_byte(cursor, '['))
        return skip_nested(&cursor->at, cursor->end) == SKIP_DONE;
    while (cursor->at < cursor->end && memchr(",]}", *cursor->at, 3) == NULL)
        cursor->at++;
    return true;
}

/* From a value to the one that the step leads to. */
static bool follow(struct cursor *cursor, const struct document_step *step)
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

const char *document_find(struct str value, const struct document_step *steps,
                          size_t count)
{
    struct cursor cursor = {value.ptr, value.ptr + value.len}, next = cursor;

    for (size_t i = 0; i < count && follow(&next, &steps[i]); i++)
        cursor = next;
    return cursor.at;
}
