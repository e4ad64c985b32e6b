/* Packs a member once into a form that every later reading is fast on: zstd frames of a
 * few megabytes, each ending with a line where it can, and the seek table that tells
 * where they are (zstd's contrib/seekable_format). `zstd -d` unpacks it as any other. */
#ifndef INPUT_PACK_H
#define INPUT_PACK_H

#include "base/progress.h"
#include "input/input.h"

struct pack_options {
    int threads;
    int level;                 /* of zstd, 1 to 19; 0: 1, which unpacks fastest */
    int64_t frame_bytes;       /* unpacked; 0: 4 MB */
    struct progress *progress; /* NULL: none is shown */
};

struct pack_result {
    int64_t bytes;  /* unpacked */
    int64_t packed; /* the new file's */
    int64_t frames;
};

/* The file at path comes into being whole or not at all. The same member gives the same
 * bytes whatever the number of threads. */
bool pack_member(struct input *input, size_t member, const char *path,
                 const struct pack_options *options, struct pack_result *result,
                 struct err *err) MUST_USE;

#endif
