/* Writing json: values by name, commas by themselves. */
#ifndef SERVE_WRITER_H
#define SERVE_WRITER_H

#include "base/buf.h"

/* `name` is NULL for an element of a list. */
void writer_open(struct buf *out, const char *name, char bracket); /* { or [ */
void writer_close(struct buf *out, char bracket);                  /* } or ] */
void writer_text(struct buf *out, const char *name, struct str value);
void writer_int(struct buf *out, const char *name, int64_t value);
void writer_real(struct buf *out, const char *name, double value); /* NAN: null */
void writer_bool(struct buf *out, const char *name, bool value);
void writer_null(struct buf *out, const char *name);
void writer_texts(struct buf *out, const char *name, const struct str *at, size_t count);

#endif
