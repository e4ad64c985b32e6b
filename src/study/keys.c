/* Finding keys in their table, and collecting what is wrong with a document. */
#include "study/keys.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/near.h"
#include "base/order.h"
#include "query/query.h"

void study_keys_complain(struct study_keys_problems *problems, const struct yaml_node *at,
                         const char *format, ...)
{
    va_list args;

    va_start(args, format);
    struct str text = arena_format_arguments(problems->arena, format, args);
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
    problems->list[problems->count++] =
        (struct study_keys_problem){at->line, at->column, text};
}

static int compare_problems(const void *a, const void *b)
{
    const struct study_keys_problem *one = a, *two = b;

    return order_then(
        order_then(ORDER_BY(one->line, two->line), ORDER_BY(one->column, two->column)),
        str_compare(one->text, two->text));
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

static const struct {
    const char *path;
    struct str word;
    const char *meant;
} other_words[] = {
    {"tests.*.test", STR_INIT("t-test"), "'welch', 'student' or 'paired'"},
    {"tests.*.test", STR_INIT("t"), "'welch', 'student' or 'paired'"},
    {"tests.*.test", STR_INIT("ttest"), "'welch', 'student' or 'paired'"},
    {"tests.*.test", STR_INIT("anova"), "'kruskal-wallis', which goes by ranks"},
    {"tests.*.test", STR_INIT("chi2"), "'chi-square'"},
    {"tests.*.test", STR_INIT("u-test"), "'mann-whitney'"},
    {"tests.*.test", STR_INIT("rank-sum"), "'mann-whitney'"},
    {"tests.*.test", STR_INIT("signed-rank"), "'wilcoxon'"},
    {"tests.*.test", STR_INIT("correlation"), "'spearman', 'pearson' or 'kendall'"},
    {"tests.*.test", STR_INIT("z-test"), "'proportion'"},
    {"figures.*.draw", STR_INIT("boxplot"), "'box'"},
    {"figures.*.draw", STR_INIT("heatmap"), "'heat'"},
    {"figures.*.draw", STR_INIT("sankey"), "'alluvial'"},
    {"figures.*.draw", STR_INIT("pie"), "'shares'"},
    {"figures.*.draw", STR_INIT("line"), "'lines'"},
    {"figures.*.draw", STR_INIT("kaplan-meier"), "'survival'"},
    {"figures.*.draw", STR_INIT("cdf"), "'ecdf'"},
    {"tables.*.show", STR_INIT("kappa"), "'agreement'"},
    {"tables.*.show", STR_INIT("alpha"), "'agreement'"},
    {"tables.*.show", STR_INIT("f1"), "'scores' or 'overall'"},
};

const char *study_keys_choice(const struct study_keys_row *row, struct str word)
{
    for (size_t i = 0; i < ROWS_OF(other_words); i++)
        if (strcmp(other_words[i].path, row->path) == 0 &&
            str_eq(other_words[i].word, word))
            return other_words[i].meant;
    return NULL;
}

static bool is_choice(const struct study_keys_row *row, struct str word)
{
    struct str rest = str_from(row->forms & STUDY_KEYS_CHOICE ? row->detail : ""), name;

    while (rest.len > 0) {
        str_cut(&rest, '|', &name);
        if (str_eq(name, word))
            return true;
    }
    return study_keys_choice(row, word) != NULL;
}

const struct study_keys_row *study_keys_meant(struct str word)
{
    const struct study_keys_row *row = study_keys_find(word);

    for (size_t i = 0; i < study_keys_count && row == NULL; i++)
        if (is_choice(&study_keys_table[i], word))
            row = &study_keys_table[i];
    for (size_t i = 0; i < study_keys_count && row == NULL; i++) {
        const char *last = strrchr(study_keys_table[i].path, '.');
        if (last != NULL && str_eq(str_from(last + 1), word))
            row = &study_keys_table[i];
    }
    return row;
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

/* One form for all ways to write the same: keys in the order of bytes, queries as they
 * are printed. */
static void add_scalar(struct str text, const struct study_keys_row *row, struct buf *out)
{
    struct arena arena = {0};
    struct query_node *query;
    const struct query_own own = {.any = true}; /* as study_keys_check() has found them */
    struct err ignored = {0};
    struct buf printed = {0};

    if (row != NULL && row->forms & STUDY_KEYS_QUERY &&
        query_parse_with(text, &own, &arena, &query, &ignored)) {
        query_print(query, &printed);
        text = buf_str(&printed);
    }
    buf_add_char(out, '"');
    buf_add_json(out, text);
    buf_add_char(out, '"');
    buf_free(&printed);
    arena_free(&arena);
}

struct keys_canonical_pair {
    struct str key;
    const struct yaml_node *value;
};

static int compare_pairs(const void *a, const void *b)
{
    return str_compare(((const struct keys_canonical_pair *)a)->key,
                       ((const struct keys_canonical_pair *)b)->key);
}

static void add_mapping(const struct yaml_node *node, const char *path,
                        const struct study_keys_row *row, struct buf *out)
{
    struct arena arena = {0};
    struct keys_canonical_pair *pairs =
        arena_array(&arena, struct keys_canonical_pair, node->count + 1);
    bool ordered = row != NULL && row->forms & STUDY_KEYS_MAP;

    for (size_t i = 0; i < node->count; i++)
        pairs[i] = (struct keys_canonical_pair){node->keys[i].text, &node->items[i]};
    if (!ordered)
        qsort(pairs, node->count, sizeof *pairs, compare_pairs);
    buf_add_char(out, '{');
    for (size_t i = 0; i < node->count; i++) {
        char below[STUDY_KEYS_PATH_BYTES];
        struct str name =
            row != NULL && row->forms & STUDY_KEYS_NAMES ? STR("*") : pairs[i].key;
        snprintf(below, sizeof below, "%s%s%.*s", path, path[0] != '\0' ? "." : "",
                 STR_ARG(name));
        if (i > 0)
            buf_add_char(out, ',');
        add_scalar(pairs[i].key, NULL, out);
        buf_add_char(out, ':');
        if (ordered && pairs[i].value->type == YAML_SCALAR)
            add_scalar(pairs[i].value->text, row, out);
        else
            study_keys_canonical(pairs[i].value, below, out);
    }
    buf_add_char(out, '}');
    arena_free(&arena);
}

void study_keys_canonical(const struct yaml_node *node, const char *path, struct buf *out)
{
    const struct study_keys_row *row = study_keys_at(path);
    char below[STUDY_KEYS_PATH_BYTES];

    switch (node->type) {
    case YAML_SCALAR:
        add_scalar(node->text, row, out);
        return;
    case YAML_MAPPING:
        add_mapping(node, path, row, out);
        return;
    case YAML_SEQUENCE:
        break;
    }
    snprintf(below, sizeof below, "%s.-", path);
    buf_add_char(out, '[');
    for (size_t i = 0; i < node->count; i++) {
        if (i > 0)
            buf_add_char(out, ',');
        if (node->items[i].type == YAML_SCALAR)
            add_scalar(node->items[i].text, row, out);
        else
            study_keys_canonical(&node->items[i], below, out);
    }
    buf_add_char(out, ']');
}
