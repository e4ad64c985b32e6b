/* Bytes that grow: what a writer fills before it goes to disk. A zeroed buf is empty and
 * ready; buf_free() gives its memory back. Growing never fails (see arena.h). */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/str.h"

struct buf {
    char *ptr;
    size_t len;
    size_t capacity;
};

void buf_free(struct buf *buf);

/* Its bytes, copied to where they stay, with a NUL behind them; frees the buffer. */
struct str buf_keep(struct buf *buf, struct arena *arena);

void buf_grow(struct buf *buf, size_t more); /* room for `more` further bytes */

/* The fast path is inline: the simulator spends its time here. */
static inline char *buf_reserve(struct buf *buf, size_t more)
{
    if (buf->capacity - buf->len < more)
        buf_grow(buf, more);
    return buf->ptr + buf->len;
}

static inline void buf_add(struct buf *buf, struct str s)
{
    if (s.len > 0) {
        memcpy(buf_reserve(buf, s.len), s.ptr, s.len);
        buf->len += s.len;
    }
}

static inline void buf_add_char(struct buf *buf, char c)
{
    *buf_reserve(buf, 1) = c;
    buf->len++;
}

static inline void buf_clear(struct buf *buf)
{
    buf->len = 0;
}

static inline struct str buf_str(const struct buf *buf)
{
    return (struct str){buf->ptr, buf->len};
}

void buf_add_int(struct buf *buf, int64_t value);
void buf_add_thousands(struct buf *buf, double value, int digits); /* 1,301.05 */

/* Whole numbers with their thousands apart, others with ten digits at the most; a dash
 * for NAN. */
void buf_add_number(struct buf *buf, double value);

void buf_add_format(struct buf *buf, const char *format, ...) PRINTF_LIKE(2, 3);
void buf_add_arguments(struct buf *buf, const char *format, va_list arguments)
    PRINTF_LIKE(2, 0);

/* The same text inside an XML attribute, a JSON string (without its quotes), a CSV field
 * (quoted where RFC 4180 wants it), a paragraph of LaTeX. */
void buf_add_xml(struct buf *buf, struct str s);
void buf_add_json(struct buf *buf, struct str s);
void buf_add_csv(struct buf *buf, struct str s);
void buf_add_latex(struct buf *buf, struct str s);
/* How much of a word LaTeX keeps in one line: a long one may be divided behind that, an
 * address at its slashes, a name of code where a capital begins. */
size_t buf_latex_piece(struct str word);
void buf_add_markdown(struct buf *buf, struct str s); /* a cell of a table */

/* HTML in which each % stands for a text, a struct str that is escaped, and each $ for a
 * number, a double. */
void buf_add_html(struct buf *buf, const char *html, ...);

#endif
