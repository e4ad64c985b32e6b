/* libfyaml parses; we copy its document into plain nodes, so that nothing above needs to
 * know the library or free its objects. */
#include "yaml/yaml.h"

#include <libfyaml.h>
#include <stdio.h>

enum { DEPTH_MAX = 32 }; /* below libfyaml's own limit, so that the message is ours */

struct reader {
    const char *path;
    struct arena *arena;
    struct err *err;
};

static bool copy_node(const struct reader *reader, struct fy_node *from, int depth,
                      struct yaml_node *to);

/* Where the node's first token stands. Block collections have none of their own: their
 * place is that of their first child. */
static void place_of(struct fy_node *from, struct yaml_node *to)
{
    struct fy_token *token = NULL;
    void *iterator = NULL;

    if (fy_node_is_scalar(from))
        token = fy_node_get_scalar_token(from);
    const struct fy_mark *mark = token != NULL ? fy_token_start_mark(token) : NULL;
    if (mark != NULL) {
        to->line = mark->line + 1;
        to->column = mark->column + 1;
    } else if (fy_node_is_mapping(from)) {
        struct fy_node_pair *pair = fy_node_mapping_iterate(from, &iterator);
        if (pair != NULL && fy_node_pair_key(pair) != NULL)
            place_of(fy_node_pair_key(pair), to);
    } else if (fy_node_is_sequence(from)) {
        struct fy_node *first = fy_node_sequence_iterate(from, &iterator);
        if (first != NULL)
            place_of(first, to);
    }
}

static bool wrong(const struct reader *reader, const struct yaml_node *at,
                  const char *what)
{
    return err_set(reader->err, ERR_INPUT, "%s:%d:%d: %s", reader->path, at->line,
                   at->column, what);
}

static bool copy_scalar(const struct reader *reader, struct fy_node *from,
                        struct yaml_node *to)
{
    size_t len = 0;
    const char *text = fy_node_get_scalar(from, &len);

    to->type = YAML_SCALAR;
    to->text = arena_copy(reader->arena, (struct str){text, text != NULL ? len : 0});
    return true;
}

static bool copy_sequence(const struct reader *reader, struct fy_node *from, int depth,
                          struct yaml_node *to)
{
    void *iterator = NULL;
    int count = fy_node_sequence_item_count(from);

    to->type = YAML_SEQUENCE;
    to->items =
        arena_array(reader->arena, struct yaml_node, count > 0 ? (size_t)count : 1);
    for (struct fy_node *item;
         (item = fy_node_sequence_iterate(from, &iterator)) != NULL;) {
        struct yaml_node *copy = &to->items[to->count++];
        copy->line = to->line; /* an empty item has no place of its own */
        copy->column = to->column;
        if (!copy_node(reader, item, depth + 1, copy))
            return false;
    }
    return true;
}

/* Whoever adds to a section may begin it again at the end of the file. */
static bool given_twice(const struct reader *reader, const struct yaml_node *key,
                        int first_line, struct fy_node *value)
{
    char advice[60] = "";

    if (fy_node_is_mapping(value) || fy_node_is_sequence(value))
        snprintf(advice, sizeof advice, "; put what is below it under line %d",
                 first_line);
    return err_set(
        reader->err, ERR_INPUT, "%s:%d:%d: key '%.*s' is given twice; first in line %d%s",
        reader->path, key->line, key->column, STR_ARG(key->text), first_line, advice);
}

static bool copy_mapping(const struct reader *reader, struct fy_node *from, int depth,
                         struct yaml_node *to)
{
    void *iterator = NULL;
    int count = fy_node_mapping_item_count(from);
    size_t room = count > 0 ? (size_t)count : 1;

    to->type = YAML_MAPPING;
    to->items = arena_array(reader->arena, struct yaml_node, room);
    to->keys = arena_array(reader->arena, struct yaml_node, room);
    for (struct fy_node_pair *pair;
         (pair = fy_node_mapping_iterate(from, &iterator)) != NULL; to->count++) {
        struct yaml_node *key = &to->keys[to->count], *value = &to->items[to->count];
        key->line = to->line;
        key->column = to->column;
        if (!copy_node(reader, fy_node_pair_key(pair), depth + 1, key))
            return false;
        if (key->type != YAML_SCALAR)
            return wrong(reader, key, "expected a plain key, found a collection");
        for (size_t i = 0; i < to->count; i++)
            if (str_eq(to->keys[i].text, key->text))
                return given_twice(reader, key, to->keys[i].line,
                                   fy_node_pair_value(pair));
        value->line = key->line; /* an empty value has no place of its own */
        value->column = key->column;
        if (!copy_node(reader, fy_node_pair_value(pair), depth + 1, value))
            return false;
    }
    return true;
}

static bool copy_node(const struct reader *reader, struct fy_node *from, int depth,
                      struct yaml_node *to)
{
    if (from == NULL) { /* "key:" with nothing after it */
        to->type = YAML_SCALAR;
        to->text = STR("");
        return true;
    }
    place_of(from, to);
    if (depth > DEPTH_MAX)
        return wrong(reader, to, "nested too deeply; expected at most 32 levels");
    if (fy_node_is_alias(from))
        return wrong(reader, to, "an alias (*name) is not allowed here; write it out");
    if (fy_node_is_mapping(from))
        return copy_mapping(reader, from, depth, to);
    if (fy_node_is_sequence(from))
        return copy_sequence(reader, from, depth, to);
    return copy_scalar(reader, from, to);
}

static bool check_syntax(struct fy_diag *diag, const char *path, struct err *err)
{
    void *iterator = NULL;
    struct fy_diag_error *first = fy_diag_errors_iterate(diag, &iterator);

    if (first == NULL) /* nothing but comments: no document, and no error either */
        return true;
    return err_set(err, ERR_INPUT, "%s:%d:%d: not readable as YAML: %s", path,
                   first->line, first->column, first->msg);
}

/* How many bytes the character at the front has, or 0 when YAML knows no such character:
 * controls other than tab and newline, and what is not UTF-8. libfyaml would take either
 * for the end of the text and say nothing. */
static size_t char_len(struct str text)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)text.ptr[0];
    size_t len = first < 0x80   ? 1
                 : first < 0xC0 ? 0
                 : first < 0xE0 ? 2
                 : first < 0xF0 ? 3
                                : 4;
    uint32_t code = len == 1 ? first : first & (0x7Fu >> len);

    if (len == 0 || len > text.len || first >= 0xF8)
        return 0;
    for (size_t i = 1; i < len; i++) {
        unsigned char next = (unsigned char)text.ptr[i];
        if ((next & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (next & 0x3F);
    }
    if (code < least[len] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return 0;
    bool control = (code < 32 && code != '\t' && code != '\n' && code != '\r') ||
                   (code >= 0x7F && code < 0xA0 && code != 0x85) || code == 0xFFFE ||
                   code == 0xFFFF;
    return control ? 0 : len;
}

static bool check_characters(struct str text, const char *path, struct err *err)
{
    int line = 1, column = 1;

    while (text.len > 0) {
        size_t len = char_len(text);
        if (text.ptr[0] == '\t') /* libfyaml 0.7 crashes on some that are out of place */
            return err_set(
                err, ERR_INPUT,
                "%s:%d:%d: found a tab; expected blanks (or \\t in \"quotes\")", path,
                line, column);
        if (len == 0)
            return err_set(
                err, ERR_INPUT,
                "%s:%d:%d: not readable as YAML: byte 0x%02X is not text in UTF-8", path,
                line, column, (unsigned)(unsigned char)text.ptr[0]);
        column = text.ptr[0] == '\n' ? 1 : column + 1;
        line += text.ptr[0] == '\n';
        text = str_slice(text, len, text.len);
    }
    return true;
}

/* What follows the first document must be nothing. */
static bool check_end(const struct reader *reader, struct fy_parser *parser,
                      struct fy_diag *diag)
{
    struct yaml_node at = {.line = 1, .column = 1};
    struct fy_document *second = fy_parse_load_document(parser);

    if (second == NULL)
        return check_syntax(diag, reader->path, reader->err);
    if (fy_document_root(second) != NULL)
        place_of(fy_document_root(second), &at);
    fy_parse_document_destroy(parser, second);
    return wrong(reader, &at, "a second document begins here; expected only one");
}

bool yaml_parse(struct str text, const char *path, struct arena *arena,
                struct yaml_node *root, struct err *err)
{
    struct fy_diag_cfg diag_cfg = {.level = FYET_ERROR, .module_mask = ~0u};
    struct fy_diag *diag = fy_diag_create(&diag_cfg);
    struct fy_parse_cfg cfg = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG |
                                        FYPCF_ALLOW_DUPLICATE_KEYS,
                               .diag = diag};
    struct reader reader = {path, arena, err};
    struct fy_parser *parser = NULL;
    struct fy_document *document = NULL;
    bool ok = false;

    *root = (struct yaml_node){.type = YAML_MAPPING, .line = 1, .column = 1};
    if (diag == NULL)
        arena_exhausted();
    if (!check_characters(text, path, err))
        goto done;
    fy_diag_set_collect_errors(diag, true);
    parser = fy_parser_create(&cfg);
    if (parser == NULL ||
        fy_parser_set_string(parser, text.len > 0 ? text.ptr : "", text.len))
        arena_exhausted();
    document = fy_parse_load_document(parser);
    if (document == NULL) {
        ok = check_syntax(diag, path, err);
        goto done;
    }
    struct fy_node *top = fy_document_root(document);
    ok = (top == NULL || copy_node(&reader, top, 1, root)) &&
         check_end(&reader, parser, diag);
    if (ok && root->type == YAML_SCALAR && root->text.len == 0)
        root->type = YAML_MAPPING;
done:
    if (parser != NULL)
        fy_parse_document_destroy(parser, document);
    fy_parser_destroy(parser);
    fy_diag_destroy(diag);
    return ok;
}

const struct yaml_node *yaml_get(const struct yaml_node *mapping, struct str key)
{
    if (mapping->type == YAML_MAPPING)
        for (size_t i = 0; i < mapping->count; i++)
            if (str_eq(mapping->keys[i].text, key))
                return &mapping->items[i];
    return NULL;
}
