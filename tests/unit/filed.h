/* For tests of what steps write: the files of an output. */
#ifndef TESTS_UNIT_FILED_H
#define TESTS_UNIT_FILED_H

#include <string.h>

#include "run/output.h"
#include "tests/tap.h"

static inline void filed_path(const struct run_output *output, size_t file,
                              const char *path)
{
    CHECK(file < output->count && str_eq(run_output_path(output, file), str_from(path)));
}

static inline bool filed_holds(const struct run_output *output, size_t file,
                               const char *part)
{
    struct str text = run_output_text(output, file);
    bool found = false;

    for (size_t i = 0; i + strlen(part) <= text.len; i++)
        found = found || memcmp(text.ptr + i, part, strlen(part)) == 0;
    return found;
}

/* The number of the file, or that of all. */
static inline size_t filed_find(const struct run_output *output, const char *path)
{
    size_t file = 0;

    while (file < output->count && !str_eq(run_output_path(output, file), str_from(path)))
        file++;
    CHECK(file < output->count);
    return file;
}

#endif
