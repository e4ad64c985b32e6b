/* Finding keys in their table, and collecting what is wrong with a document. */
#include "study/keys.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/near.h"

void study_keys_complain(struct study_keys_problems *problems, const struct yaml_node *at,
                         const char *format, ...)
{
    char text[1200];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (problems->count == problems->room) {
        size_t room = problems->room * 2 + 16;
        struct study_keys_problem *list =
            arena_array(problems->arena, struct study_keys_problem, room);
        if (problems->count > 0)
            memcpy(list, problems->list, problems->count * sizeof *list);
        problems->list = list;
        problems->room = room;
    }
    problems->list[problems->count++] = (struct study_keys_problem){
        at->line, at->column, arena_copy(problems->arena, str_from(text))};
}

static int compare_problems(const void *a, const void *b)
{
    const struct study_keys_problem *one = a, *two = b;

    if (one->line != two->line)
        return one->line < two->line ? -1 : 1;
    if (one->column != two->column)
        return one->column < two->column ? -1 : 1;
    return str_compare(one->text, two->text);
}

void study_keys_report(struct study_keys_problems *problems, struct buf *out)
{
    if (problems->count > 0)
        qsort(problems->list, problems->count, sizeof *problems->list, compare_problems);
    for (size_t i = 0; i < problems->count; i++)
        buf_add_format(out, "%s:%d:%d: %.*s\n", problems->path, problems->list[i].line,
                       problems->list[i].column, STR_ARG(problems->list[i].text));
}

const struct study_keys_row *study_keys_at(const char *path)
{
    for (size_t i = 0; i < study_keys_count; i++)
        if (strcmp(study_keys_table[i].path, path) == 0)
            return &study_keys_table[i];
    return NULL;
}

/* The path without the names that the user gives. */
static struct str bare(const char *path, char out[STUDY_KEYS_PATH_BYTES])
{
    struct str rest = str_from(path), name;
    size_t len = 0;

    for (bool more = true; more;) {
        more = str_cut(&rest, '.', &name);
        if (str_eq(name, STR("*")) || str_eq(name, STR("-")) ||
            len + name.len + 1 > STUDY_KEYS_PATH_BYTES)
            continue;
        if (len > 0)
            out[len++] = '.';
        memcpy(out + len, name.ptr, name.len);
        len += name.len;
    }
    return (struct str){out, len};
}

const struct study_keys_row *study_keys_find(struct str path)
{
    char text[STUDY_KEYS_PATH_BYTES];

    for (size_t i = 0; i < study_keys_count; i++)
        if (str_eq(str_from(study_keys_table[i].path), path) ||
            str_eq(bare(study_keys_table[i].path, text), path))
            return &study_keys_table[i];
    return NULL;
}

const char *study_keys_nearest(struct str path)
{
    struct str *paths;
    struct arena arena = {0};

    paths = arena_array(&arena, struct str, study_keys_count);
    for (size_t i = 0; i < study_keys_count; i++) {
        char text[STUDY_KEYS_PATH_BYTES];
        paths[i] = arena_copy(&arena, bare(study_keys_table[i].path, text));
    }
    size_t near = near_find(path, paths, study_keys_count);
    arena_free(&arena);
    return near < study_keys_count ? study_keys_table[near].path : NULL;
}

bool study_keys_number(struct str text, double *out)
{
    bool percent = text.len > 1 && text.ptr[text.len - 1] == '%';
    double value;

    if (!str_to_real(percent ? str_trim(str_slice(text, 0, text.len - 1)) : text, &value))
        return false;
    *out = percent ? value / 100 : value;
    return true;
}

bool study_keys_is_name(struct str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter &&
            (i == 0 || ((c < '0' || c > '9') && c != '-' && c != '_' && c != '.')))
            return false;
    }
    return name.len > 0;
}
