/* The table of keys below is the whole language; unknown keys are errors. */
#include "study/study.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/date.h"
#include "base/file.h"
#include "base/near.h"
#include "yaml/yaml.h"

struct reader {
    struct study *study;
    const char *path;
    struct arena *arena;
    struct buf *problems;
    int count;
};

static void complain(struct reader *reader, const struct yaml_node *at,
                     const char *format, ...) PRINTF_LIKE(3, 4);

static void complain(struct reader *reader, const struct yaml_node *at,
                     const char *format, ...)
{
    char text[600];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    buf_add_format(reader->problems, "%s:%d:%d: %s\n", reader->path, at->line, at->column,
                   text);
    reader->count++;
}

static struct str shown(const struct yaml_node *node)
{
    return node->type == YAML_SCALAR    ? node->text
           : node->type == YAML_MAPPING ? STR("a mapping")
                                        : STR("a list");
}

static bool read_text(struct reader *reader, const struct yaml_node *node,
                      struct str *out)
{
    if (node->type != YAML_SCALAR || node->text.len == 0) {
        complain(reader, node, "expected text, found '%.*s'", STR_ARG(shown(node)));
        return false;
    }
    *out = node->text;
    return true;
}

static void read_name(struct reader *reader, const struct yaml_node *node)
{
    read_text(reader, node, &reader->study->name);
}

static void read_title(struct reader *reader, const struct yaml_node *node)
{
    read_text(reader, node, &reader->study->title);
}

static void add_source(struct reader *reader, const struct yaml_node *node)
{
    struct study *study = reader->study;
    struct str path;

    if (!read_text(reader, node, &path))
        return;
    const char *name = arena_c_string(reader->arena, path);
    bool absolute = path.ptr[0] == '/' || str_eq(path, STR("-"));
    study->sources[study->source_count++] =
        absolute || study->folder[0] == '\0'
            ? name
            : file_join(study->folder, name, reader->arena);
}

static void read_stackexchange(struct reader *reader, const struct yaml_node *node)
{
    size_t count = node->type == YAML_SEQUENCE ? node->count : 1;

    reader->study->sources = arena_array(reader->arena, const char *, count + 1);
    if (node->type != YAML_SEQUENCE)
        add_source(reader, node);
    for (size_t i = 0; node->type == YAML_SEQUENCE && i < node->count; i++)
        add_source(reader, &node->items[i]);
}

static void read_until(struct reader *reader, const struct yaml_node *node)
{
    int64_t ms;

    if (node->type != YAML_SCALAR || !date_parse(node->text, &ms)) {
        complain(reader, node, "expected a date such as 2019-12-02, found '%.*s'",
                 STR_ARG(shown(node)));
        return;
    }
    /* A day belongs to the corpus as a whole; a moment is meant exactly. */
    reader->study->until_ms = node->text.len <= 10 ? ms + DATE_DAY_MS : ms;
}

static void read_also(struct reader *reader, const struct yaml_node *node)
{
    static const char *const names[] = {"comments", "users", "links"};
    bool *const fields[] = {&reader->study->comments, &reader->study->users,
                            &reader->study->links};

    if (node->type != YAML_SEQUENCE) {
        complain(reader, node, "expected a list of comments, users, links; found '%.*s'",
                 STR_ARG(shown(node)));
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        size_t n = 0;
        while (n < ROWS_OF(names) && !str_eq(node->items[i].text, str_from(names[n])))
            n++;
        if (n < ROWS_OF(names))
            *fields[n] = true;
        else
            complain(reader, &node->items[i],
                     "expected comments, users or links; found '%.*s'",
                     STR_ARG(shown(&node->items[i])));
    }
}

static bool is_set_name(struct str name)
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

static void read_sets(struct reader *reader, const struct yaml_node *node)
{
    struct study *study = reader->study;

    if (node->type != YAML_MAPPING) {
        complain(reader, node, "expected 'name: query' lines, found '%.*s'",
                 STR_ARG(shown(node)));
        return;
    }
    study->sets = arena_array(reader->arena, struct study_set, node->count + 1);
    for (size_t i = 0; i < node->count; i++) {
        struct study_set *set = &study->sets[study->set_count];
        struct err err = {0};
        if (!is_set_name(node->keys[i].text))
            complain(
                reader, &node->keys[i],
                "expected a name of letters, digits, - _ . that begins with a letter, "
                "found '%.*s'",
                STR_ARG(node->keys[i].text));
        if (!read_text(reader, &node->items[i], &set->text))
            continue;
        set->name = node->keys[i].text;
        set->line = node->items[i].line;
        set->column = node->items[i].column;
        if (query_parse(set->text, reader->arena, &set->query, &err))
            study->set_count++;
        else
            complain(reader, &node->items[i], "set %.*s: %s", STR_ARG(set->name),
                     err.text);
    }
}

struct key {
    const char *name;
    void (*read)(struct reader *reader, const struct yaml_node *node);
};

static void read_keys(struct reader *reader, const struct yaml_node *node,
                      const struct key *keys, size_t count)
{
    struct str names[16] = {{0}};

    if (node->type != YAML_MAPPING) {
        complain(reader, node, "expected 'key: value' lines, found '%.*s'",
                 STR_ARG(shown(node)));
        return;
    }
    for (size_t k = 0; k < count; k++)
        names[k] = str_from(keys[k].name);
    for (size_t i = 0; i < node->count; i++) {
        size_t k = 0;
        while (k < count && !str_eq(node->keys[i].text, names[k]))
            k++;
        if (k < count) {
            keys[k].read(reader, &node->items[i]);
            continue;
        }
        size_t near = near_find(node->keys[i].text, names, count);
        if (near < count)
            complain(reader, &node->keys[i], "unknown key '%.*s'; did you mean '%.*s'?",
                     STR_ARG(node->keys[i].text), STR_ARG(names[near]));
        else
            complain(reader, &node->keys[i], "unknown key '%.*s'",
                     STR_ARG(node->keys[i].text));
    }
}

static void read_source(struct reader *reader, const struct yaml_node *node)
{
    static const struct key keys[] = {
        {"stackexchange", read_stackexchange},
        {"until", read_until},
        {"also", read_also},
    };

    read_keys(reader, node, keys, ROWS_OF(keys));
}

static const struct key top_keys[] = {
    {"study", read_name},
    {"title", read_title},
    {"source", read_source},
    {"sets", read_sets},
};

static struct study_set *find_set(const struct study *study, struct str name)
{
    for (size_t i = 0; i < study->set_count; i++)
        if (str_eq(study->sets[i].name, name))
            return &study->sets[i];
    return NULL;
}

static struct yaml_node place(const struct study_set *set)
{
    return (struct yaml_node){.line = set->line, .column = set->column};
}

static void unknown_set(struct reader *reader, const struct study_set *set,
                        struct str name)
{
    struct str *names =
        arena_array(reader->arena, struct str, reader->study->set_count + 1);
    struct yaml_node at = place(set);

    for (size_t i = 0; i < reader->study->set_count; i++)
        names[i] = reader->study->sets[i].name;
    size_t near = near_find(name, names, reader->study->set_count);
    if (near < reader->study->set_count)
        complain(reader, &at, "set %.*s: in:%.*s is not a set; did you mean '%.*s'?",
                 STR_ARG(set->name), STR_ARG(name), STR_ARG(names[near]));
    else
        complain(reader, &at, "set %.*s: in:%.*s is not a set", STR_ARG(set->name),
                 STR_ARG(name));
}

/* A copy of the query with every in:SET written out. `depth` counts sets inside sets:
 * more than there are means a circle. */
static struct query_node *write_out(struct reader *reader, const struct study_set *set,
                                    const struct query_node *node, size_t depth)
{
    struct query_node *copy = arena_array(reader->arena, struct query_node, 1);
    struct query_node **tail = &copy->first;

    if (node->kind == QUERY_SET) {
        const struct study_set *other = find_set(reader->study, node->text);
        struct yaml_node at = place(set);
        if (other == NULL) {
            unknown_set(reader, set, node->text);
        } else if (depth > reader->study->set_count) {
            complain(reader, &at, "set %.*s: in:%.*s leads back to itself",
                     STR_ARG(set->name), STR_ARG(node->text));
        } else {
            return write_out(reader, set, other->query, depth + 1);
        }
        copy->kind = QUERY_ALL;
        return copy;
    }
    *copy = *node;
    copy->next = NULL;
    copy->first = NULL;
    for (const struct query_node *child = node->first; child != NULL;
         child = child->next) {
        *tail = write_out(reader, set, child, depth);
        tail = &(*tail)->next;
    }
    return copy;
}

static void check_whole(struct reader *reader)
{
    struct study *study = reader->study;
    struct yaml_node top = {.line = 1, .column = 1};

    if (study->source_count == 0)
        complain(reader, &top, "expected 'source:' with 'stackexchange: PATH' in it");
    if (study->set_count == 0 && reader->count == 0)
        complain(reader, &top, "expected 'sets:' with at least one 'name: query' line");
    for (size_t i = 0; i < study->set_count; i++)
        study->sets[i].written =
            write_out(reader, &study->sets[i], study->sets[i].query, 0);
}

static const char *folder_of(const char *path, struct arena *arena)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL
               ? ""
               : arena_c_string(
                     arena, (struct str){path, (size_t)(slash - path + (slash == path))});
}

bool study_parse(struct str text, const char *path, struct arena *arena,
                 struct study *out, struct buf *problems, struct err *err)
{
    struct reader reader = {
        .study = out, .path = path, .arena = arena, .problems = problems};
    struct yaml_node root;

    *out = (struct study){
        .path = path, .folder = folder_of(path, arena), .until_ms = INT64_MAX};
    if (!yaml_parse(text, path, arena, &root, err)) {
        buf_add_format(problems, "%s\n", err->text);
        return err_set(err, ERR_INPUT, "%s: 1 error; nothing was run", path);
    }
    read_keys(&reader, &root, top_keys, ROWS_OF(top_keys));
    check_whole(&reader);
    if (reader.count > 0)
        return err_set(err, ERR_INPUT, "%s: %d error%s; nothing was run", path,
                       reader.count, reader.count == 1 ? "" : "s");
    return true;
}

bool study_load(const char *path, struct arena *arena, struct study *out,
                struct buf *problems, struct err *err)
{
    bool here = strcmp(path, ".") == 0;
    const char *inside = here ? "study.yaml" : file_join(path, "study.yaml", arena);
    struct str text;

    if (file_exists(inside))
        path = inside;
    return file_read(path, arena, &text, err) &&
           study_parse(text, path, arena, out, problems, err);
}

struct query_node *study_needed(const struct study *study, struct arena *arena)
{
    struct query_node *any = arena_array(arena, struct query_node, 1);
    struct query_node **tail = &any->first;

    any->kind = study->set_count > 1 ? QUERY_OR : QUERY_ALL;
    if (study->set_count == 1)
        return study->sets[0].written;
    for (size_t i = 0; i < study->set_count; i++) {
        /* An OR holds no OR: its children come up. */
        const struct query_node *query = study->sets[i].written;
        bool joined = query->kind == QUERY_OR;
        const struct query_node *child = joined ? query->first : query;
        for (; child != NULL; child = joined ? child->next : NULL) {
            *tail = arena_array(arena, struct query_node, 1);
            **tail = *child;
            (*tail)->next = NULL;
            tail = &(*tail)->next;
        }
    }
    return any;
}
