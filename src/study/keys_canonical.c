/* One form for all ways to write the same: keys in the order of bytes, queries as they
 * are printed. */
#include <stdio.h>
#include <stdlib.h>

#include "query/query.h"
#include "study/keys.h"

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
