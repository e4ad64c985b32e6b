/* Any bytes are a tree whose every node has a place inside the text, or an error that
 * names one. */
#include "yaml/yaml.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

/* libfyaml 0.7 itself loses memory when a long quoted scalar is wrong. */
const char *__lsan_default_suppressions(void)
{
    return "leak:libfyaml.so";
}

static void check_node(const struct yaml_node *node, int lines, int depth)
{
    assert(depth <= 32);
    assert(node->line >= 1 && node->line <= lines && node->column >= 1);
    if (node->type == YAML_SCALAR) {
        assert(node->count == 0 && node->text.ptr != NULL);
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        check_node(&node->items[i], lines, depth + 1);
        if (node->type != YAML_MAPPING)
            continue;
        check_node(&node->keys[i], lines, depth + 1);
        assert(node->keys[i].type == YAML_SCALAR);
        assert(yaml_get(node, node->keys[i].text) == &node->items[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct err err = {0};
    struct yaml_node root;
    int lines = 2; /* a block scalar at the end begins in the line after the last */

    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n' || data[i] == '\r' || data[i] >= 0x80;
    if (yaml_parse((struct str){(const char *)data, size}, "f", &arena, &root, &err)) {
        assert(err.kind == ERR_NONE);
        check_node(&root, lines, 1);
    } else {
        assert(err.kind == ERR_INPUT && strncmp(err.text, "f:", 2) == 0);
        assert(err.text[2] >= '1' && err.text[2] <= '9');
    }
    arena_free(&arena);
    return 0;
}
