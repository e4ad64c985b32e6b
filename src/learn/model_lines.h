/* The lines of a model's file, read word by word. Everything that is not as expected is
 * ERR_INPUT with what was found. */
#ifndef LEARN_MODEL_LINES_H
#define LEARN_MODEL_LINES_H

#include "base/err.h"
#include "base/str.h"

/* No number of a model is larger; so no sum or product of them gets out of bounds. */
#define MODEL_LINES_MAX 1e9

struct model_lines {
    struct str rest, line; /* lines to come; what is left of this one */
    int64_t number;        /* of the line */
};

bool model_lines_next(struct model_lines *lines, struct err *err) MUST_USE;

/* The next line, whose first word must be that; the rest of it stays in line. */
bool model_lines_expect(struct model_lines *lines, const char *word,
                        struct err *err) MUST_USE;

/* The line's next word, which is a number up to MODEL_LINES_MAX, a whole number within
 * bounds, or one of the names, whose place is set. */
bool model_lines_real(struct model_lines *lines, double *out, struct err *err) MUST_USE;
bool model_lines_weight(struct model_lines *lines, double *out,
                        struct err *err) MUST_USE; /* not below 0 */
bool model_lines_int(struct model_lines *lines, int64_t lowest, int64_t highest,
                     int64_t *out, struct err *err) MUST_USE;
bool model_lines_name(struct model_lines *lines, const char *const *names, size_t count,
                      size_t *out, struct err *err) MUST_USE;
bool model_lines_end(const struct model_lines *lines, struct err *err) MUST_USE;

/* Says what was found in place of that; false. */
bool model_lines_bad(const struct model_lines *lines, const char *expected,
                     struct err *err);

/* Every count is bounded by the bytes that are left: what it counts has a line each. */
int64_t model_lines_left(const struct model_lines *lines);

#endif
