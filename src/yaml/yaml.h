/* YAML with places: a document as a tree whose every node knows its line and column, so
 * that messages can point at what is wrong. */
#ifndef YAML_YAML_H
#define YAML_YAML_H

#include "base/arena.h"
#include "base/err.h"

enum yaml_type { YAML_SCALAR, YAML_SEQUENCE, YAML_MAPPING };

struct yaml_node {
    enum yaml_type type;
    int line, column;        /* from 1; what has no text has the place of what holds it */
    struct str text;         /* of a scalar */
    size_t count;            /* items of a sequence, pairs of a mapping */
    struct yaml_node *items; /* of a sequence; values of a mapping */
    struct yaml_node *keys;  /* of a mapping: scalars */
};

/* Parses one document. An empty one is an empty mapping. ERR_INPUT, with
 * "path:line:column: ", for text that is not YAML or not UTF-8, a tab, a second document,
 * a key given twice, a key that is not a scalar, an alias, nesting deeper than 32, and
 * blocks (| and >) with a number, alone in their line, or whose text is not indented.
 * Everything in *root lives in arena; of text that is not YAML it has the place alone. */
bool yaml_parse(struct str text, const char *path, struct arena *arena,
                struct yaml_node *root, struct err *err) MUST_USE;

/* The value under key, or NULL. */
const struct yaml_node *yaml_get(const struct yaml_node *mapping, struct str key);

#endif
