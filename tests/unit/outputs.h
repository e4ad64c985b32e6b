/* For tests of the files that steps make. */
#ifndef TESTS_UNIT_OUTPUTS_H
#define TESTS_UNIT_OUTPUTS_H

#include "run/output.h"
#include "tests/unit/studied.h"

/* The text of the output's file at that path, "" when there is none. */
static inline const char *outputs_text(struct run_output *output, const char *path)
{
    for (size_t i = 0; i < output->count; i++)
        if (str_eq(run_output_path(output, i), str_from(path)))
            return arena_c_string(&output->arena, run_output_text(output, i));
    return "";
}

#endif
