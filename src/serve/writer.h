/* Writing json: values by name, commas by themselves. */
#ifndef SERVE_WRITER_H
#define SERVE_WRITER_H

#include "base/buf.h"

/* `name` is NULL for an element of a list. */
void serve_writer_open(struct buf *out, const char *name, char bracket); /* { or [ */
void serve_writer_close(struct buf *out, char bracket);                  /* } or ] */
void serve_writer_text(struct buf *out, const char *name, struct str value);
void serve_writer_int(struct buf *out, const char *name, int64_t value);
void serve_writer_real(struct buf *out, const char *name, double value); /* NAN: null */
void serve_writer_bool(struct buf *out, const char *name, bool value);
void serve_writer_null(struct buf *out, const char *name);
void serve_writer_texts(struct buf *out, const char *name, const struct str *at,
                        size_t count);

#endif
