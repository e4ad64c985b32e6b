/* They are told together, in the order of the file. */
#include "synth/problems.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/near.h"

bool problems_add(struct problems *problems, const struct yaml_node *at,
                  const char *format, ...)
{
    char text[400];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (problems->count < PROBLEMS_KEPT_MAX)
        problems->list[problems->count] = (struct problems_problem){
            at->line, at->column, arena_c_string(problems->arena, str_from(text))};
    problems->count++;
    return false;
}

struct str problems_shown(const struct yaml_node *node)
{
    struct str text = node->type == YAML_SCALAR    ? node->text
                      : node->type == YAML_MAPPING ? STR("a mapping")
                                                   : STR("a list");

    return str_slice(text, 0, text.len < 80 ? text.len : 80);
}

bool problems_wrong(struct problems *problems, const struct yaml_node *at,
                    const char *what)
{
    return problems_add(problems, at, "%s, found '%.*s'", what,
                        STR_ARG(problems_shown(at)));
}

bool problems_key(struct problems *problems, const struct yaml_node *key,
                  const struct str *names, size_t count)
{
    size_t near = near_find(key->text, names, count);

    if (near < count)
        return problems_add(problems, key, "unknown key '%.*s'; did you mean '%.*s'?",
                            STR_ARG(problems_shown(key)), STR_ARG(names[near]));
    return problems_add(problems, key,
                        "unknown key '%.*s'; assay-synth(5) lists the keys",
                        STR_ARG(problems_shown(key)));
}

static int by_place(const void *a, const void *b)
{
    const struct problems_problem *x = a, *y = b;

    return x->line != y->line ? x->line - y->line : x->column - y->column;
}

bool problems_tell(struct problems *problems, struct err *err)
{
    int kept = problems->count < PROBLEMS_KEPT_MAX ? problems->count : PROBLEMS_KEPT_MAX,
        told = 0;
    struct buf text = {0}, line = {0};

    qsort(problems->list, (size_t)kept, sizeof *problems->list, by_place);
    for (; told < kept; told++) {
        const struct problems_problem *problem = &problems->list[told];
        buf_clear(&line);
        buf_add_format(&line, "%s%s:%d:%d: %s", told > 0 ? "\n" : "", problems->path,
                       problem->line, problem->column, problem->text);
        if (told > 0 && text.len + line.len > sizeof err->text - 30)
            break;
        buf_add(&text, buf_str(&line));
    }
    if (told < problems->count)
        buf_add_format(&text, "\nand %d more", problems->count - told);
    err_record(err, ERR_INPUT, "%.*s", STR_ARG(buf_str(&text)));
    buf_free(&text);
    buf_free(&line);
    return false;
}
