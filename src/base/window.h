/* A stretch of a file where the system keeps it, without a copy of ours. Somebody may
 * shorten the file meanwhile, or its disk may fail: then what is missing reads as zeros,
 * and window_close() tells that it was. */
#ifndef BASE_WINDOW_H
#define BASE_WINDOW_H

#include "base/err.h"
#include "base/str.h"

struct window {
    struct str bytes; /* what was asked for */
    /* Private: whole pages, and the place in the list of open windows. */
    char *pages;
    size_t pages_len, place;
};

/* `len` bytes of the file from offset on, and `behind` more that can be read, whatever
 * they are. They are read once and in order. False when that cannot be had: the system
 * does not map such a file, or too many windows are open. Then the file has to be read as
 * any other. */
bool window_open(struct window *window, int descriptor, int64_t offset, size_t len,
                 size_t behind) MUST_USE;

/* Whether all that was looked at, but for what is behind, was the file's. A zeroed window
 * is none, and fine. */
bool window_close(struct window *window);

#endif
