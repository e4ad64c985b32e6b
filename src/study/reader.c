/* What stands under a key, in the forms that the readers of sections ask for. Of what has
 * a wrong form nothing is given: keys_check() has complained. */
#include "base/file.h"
#include "study/internal.h"

struct str reader_text(const struct yaml_node *section, const char *key)
{
    const struct yaml_node *node = yaml_get(section, str_from(key));

    return node != NULL && node->type == YAML_SCALAR ? node->text : (struct str){0};
}

double reader_number(const struct yaml_node *section, const char *key, double fallback)
{
    keys_number(reader_text(section, key), &fallback);
    return fallback;
}

bool reader_is(const struct yaml_node *section, const char *key, const char *text)
{
    return str_eq(reader_text(section, key), str_from(text));
}

struct str reader_item(const struct yaml_node *list, size_t i)
{
    return list->items[i].type == YAML_SCALAR ? list->items[i].text : (struct str){0};
}

/* One or several scalars under a key. */
struct str *reader_texts(struct reader *reader, const struct yaml_node *node,
                         size_t *count)
{
    *count = node == NULL                  ? 0
             : node->type == YAML_SEQUENCE ? node->count
                                           : node->type == YAML_SCALAR;
    struct str *texts = arena_array(reader->arena, struct str, *count + 1);

    for (size_t i = 0; i < *count; i++)
        texts[i] = node->type == YAML_SEQUENCE ? reader_item(node, i) : node->text;
    return texts;
}

struct study_pair *reader_pairs(struct reader *reader, const struct yaml_node *node,
                                size_t *count)
{
    *count = node != NULL && node->type == YAML_MAPPING ? node->count : 0;
    struct study_pair *pairs = arena_array(reader->arena, struct study_pair, *count + 1);

    for (size_t i = 0; i < *count; i++)
        pairs[i] = (struct study_pair){node->keys[i].text, reader_item(node, i)};
    return pairs;
}

/* The mapping of names under a top key; an empty one when it is not there. */
const struct yaml_node *reader_section(const struct reader *reader, const char *key)
{
    static const struct yaml_node none = {.type = YAML_MAPPING};
    const struct yaml_node *node = yaml_get(&reader->study->root, str_from(key));

    return node != NULL && node->type == YAML_MAPPING ? node : &none;
}

/* Paths are taken from the study's folder; $data/ stands for what the user says. */
const char *reader_path(struct reader *reader, const struct yaml_node *at,
                        struct str path)
{
    const char *name = arena_c_string(reader->arena, path);
    struct str prefix = STR("$data/");

    if (path.len == 0)
        return name;
    if (str_starts(path, prefix)) {
        if (reader->options->data != NULL)
            return file_join(reader->options->data, name + prefix.len, reader->arena);
        keys_complain(&reader->problems, at,
                      "'%s' needs a folder for $data: give --data DIR, or set ASSAY_DATA",
                      name);
        return name;
    }
    if (path.ptr[0] == '/' || str_eq(path, STR("-")) || reader->study->folder[0] == '\0')
        return name;
    return file_join(reader->study->folder, name, reader->arena);
}

bool reader_report(struct reader *reader, struct buf *problems, struct err *err)
{
    size_t count = reader->problems.count;

    keys_report(&reader->problems, problems);
    return count == 0 || err_set(err, ERR_INPUT, "%s: %zu error%s; nothing was run",
                                 reader->problems.path, count, count == 1 ? "" : "s");
}
