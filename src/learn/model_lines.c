/* Each word is taken off the front of the line, and only when it is what it should be. */
#include "learn/model_lines.h"

#include <math.h>

bool model_lines_next(struct model_lines *lines, struct err *err)
{
    lines->number++;
    if (lines->rest.len == 0)
        return err_set(err, ERR_INPUT, "the model ends too early");
    str_cut(&lines->rest, '\n', &lines->line);
    return true;
}

bool model_lines_bad(const struct model_lines *lines, const char *expected,
                     struct err *err)
{
    struct str shown = str_slice(lines->line, 0, 40);

    return err_set(err, ERR_INPUT, "found '%.*s', expected %s", STR_ARG(shown), expected);
}

bool model_lines_expect(struct model_lines *lines, const char *word, struct err *err)
{
    struct str head, line;

    if (!model_lines_next(lines, err))
        return false;
    line = lines->line;
    str_cut(&line, ' ', &head);
    if (!str_eq(head, str_from(word)))
        return model_lines_bad(lines, word, err);
    lines->line = line.len > 0 ? line : (struct str){"", 0};
    return true;
}

bool model_lines_real(struct model_lines *lines, double *out, struct err *err)
{
    struct str word, line = lines->line;

    str_cut(&line, ' ', &word);
    if (!str_to_real(word, out) || !(fabs(*out) <= MODEL_LINES_MAX))
        return model_lines_bad(lines, "a number", err);
    lines->line = line;
    return true;
}

bool model_lines_weight(struct model_lines *lines, double *out, struct err *err)
{
    struct model_lines before = *lines;

    return model_lines_real(lines, out, err) &&
           (*out >= 0 || model_lines_bad(&before, "a number that is not below 0", err));
}

bool model_lines_int(struct model_lines *lines, int64_t lowest, int64_t highest,
                     int64_t *out, struct err *err)
{
    struct str word, line = lines->line;

    str_cut(&line, ' ', &word);
    if (!str_to_int(word, out) || *out < lowest || *out > highest)
        return model_lines_bad(lines, "a whole number that fits", err);
    lines->line = line;
    return true;
}

bool model_lines_end(const struct model_lines *lines, struct err *err)
{
    return lines->line.len == 0 || model_lines_bad(lines, "the end of the line", err);
}

bool model_lines_name(struct model_lines *lines, const char *const *names, size_t count,
                      size_t *out, struct err *err)
{
    struct str word, line = lines->line;

    str_cut(&line, ' ', &word);
    for (*out = 0; *out < count; ++*out)
        if (str_eq(word, str_from(names[*out]))) {
            lines->line = line;
            return true;
        }
    return model_lines_bad(lines, "a known name", err);
}

int64_t model_lines_left(const struct model_lines *lines)
{
    return (int64_t)lines->rest.len;
}
