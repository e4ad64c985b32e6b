/* Zips of a few files: written to wherever the caller wants, and read from memory. The
 * same members give the same bytes. */
#ifndef INPUT_ZIPFILE_H
#define INPUT_ZIPFILE_H

#include "base/err.h"
#include "base/str.h"

struct input_zipfile; /* one being written */

typedef bool input_zipfile_sink(void *context, struct str bytes, struct err *err);

/* The caller hands *out to input_zipfile_close(), whatever became of it. */
bool input_zipfile_open(input_zipfile_sink *sink, void *context,
                        struct input_zipfile **out, struct err *err) MUST_USE;
bool input_zipfile_add(struct input_zipfile *zip, struct str name, struct str bytes,
                       struct err *err) MUST_USE;
bool input_zipfile_finish(struct input_zipfile *zip, struct err *err) MUST_USE;
void input_zipfile_close(struct input_zipfile *zip); /* NULL is fine */

/* Calls take() with each file in the zip, whose bytes last during the call; its false,
 * with an error, ends the reading. ERR_INPUT with "path: " for what is no zip, and for
 * one that unpacks to more than a gigabyte. */
typedef bool input_zipfile_take(void *context, struct str name, struct str bytes,
                                struct err *err);
bool input_zipfile_read(struct str zip, const char *path, input_zipfile_take *take,
                        void *context, struct err *err) MUST_USE;

#endif
