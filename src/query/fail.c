/* Errors in a query: the column and what is wrong, the query, a caret under the place. */
#include "query/query.h"

#include "query/internal.h"

#include <stdarg.h>
#include <stdio.h>

enum { SHOWN_MAX = 72, SHOWN_BEFORE = 48 }; /* characters of a long query */

/* The characters that begin before byte `end`; a byte that is not UTF-8 is one. */
static size_t count_characters(struct str text, size_t end)
{
    size_t count = 0;
    uint32_t character;

    for (size_t i = 0; i < end && i < text.len; count++) {
        size_t len = query_decode(str_slice(text, i, text.len), &character);
        i += len > 0 ? len : 1;
    }
    return count;
}

/* The characters from number `from` up to `to`, on one line. */
static void add_characters(struct buf *out, struct str text, size_t from, size_t to)
{
    size_t number = 0;
    uint32_t character;

    for (size_t i = 0; i < text.len && number < to; number++) {
        size_t len = query_decode(str_slice(text, i, text.len), &character);
        size_t bytes = len > 0 ? len : 1;
        if (number >= from && len == 0)
            buf_add_char(out, '?');
        else if (number >= from && (character < ' ' || character == 0x7F))
            buf_add_char(out, ' ');
        else if (number >= from)
            buf_add(out, str_slice(text, i, i + bytes));
        i += bytes;
    }
}

/* The second and third line. Of a long query only the part around the place is shown. */
static void add_place(struct buf *out, struct str text, size_t at)
{
    size_t all = count_characters(text, text.len), place = count_characters(text, at);
    size_t from = 0, to = all;

    if (all > SHOWN_MAX) {
        from = place > SHOWN_BEFORE ? place - SHOWN_BEFORE : 0;
        from = from + SHOWN_MAX > all ? all - SHOWN_MAX : from;
        to = from + SHOWN_MAX;
    }
    buf_add(out, STR("\n  "));
    if (from > 0)
        buf_add(out, STR("..."));
    add_characters(out, text, from, to);
    if (to < all)
        buf_add(out, STR("..."));
    buf_add_format(out, "\n  %*s^", (int)(place - from + (from > 0 ? 3 : 0)), "");
}

bool query_fail(struct str text, size_t at, struct err *err, const char *format, ...)
{
    char message[400];
    struct buf out = {0};
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    buf_add_format(&out, "column %zu: %s", count_characters(text, at) + 1, message);
    add_place(&out, text, at);
    err_record(err, ERR_INPUT, "%.*s", STR_ARG(buf_str(&out)));
    buf_free(&out);
    return false;
}
