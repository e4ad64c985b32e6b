/* What stands under a key, in the forms that the readers of sections ask for. Of what has
 * a wrong form nothing is given: study_keys_check() has complained. */
#include "base/file.h"
#include "study/internal.h"

struct str study_read_text(const struct yaml_node *section, const char *key)
{
    const struct yaml_node *node = yaml_get(section, str_from(key));

    return node != NULL && node->type == YAML_SCALAR ? node->text : (struct str){0};
}

double study_read_number(const struct yaml_node *section, const char *key,
                         double fallback)
{
    study_keys_number(study_read_text(section, key), &fallback);
    return fallback;
}

bool study_read_is(const struct yaml_node *section, const char *key, const char *text)
{
    return str_eq(study_read_text(section, key), str_from(text));
}

struct str study_read_item(const struct yaml_node *list, size_t i)
{
    return list->items[i].type == YAML_SCALAR ? list->items[i].text : (struct str){0};
}

/* One or several scalars under a key. */
struct str *study_read_texts(struct study_reader *reader, const struct yaml_node *node,
                             size_t *count)
{
    *count = node == NULL                  ? 0
             : node->type == YAML_SEQUENCE ? node->count
                                           : node->type == YAML_SCALAR;
    struct str *texts = arena_array(reader->arena, struct str, *count + 1);

    for (size_t i = 0; i < *count; i++)
        texts[i] = node->type == YAML_SEQUENCE ? study_read_item(node, i) : node->text;
    return texts;
}

struct study_pair *study_read_pairs(struct study_reader *reader,
                                    const struct yaml_node *node, size_t *count)
{
    *count = node != NULL && node->type == YAML_MAPPING ? node->count : 0;
    struct study_pair *pairs = arena_array(reader->arena, struct study_pair, *count + 1);

    for (size_t i = 0; i < *count; i++)
        pairs[i] = (struct study_pair){node->keys[i].text, study_read_item(node, i)};
    return pairs;
}

/* The mapping of names under a top key; an empty one when it is not there. */
const struct yaml_node *study_read_section(const struct study_reader *reader,
                                           const char *key)
{
    static const struct yaml_node none = {.type = YAML_MAPPING};
    const struct yaml_node *node = yaml_get(&reader->study->root, str_from(key));

    return node != NULL && node->type == YAML_MAPPING ? node : &none;
}

/* Paths are taken from the study's folder; $data/ stands for what the user says. */
const char *study_read_path(struct study_reader *reader, const struct yaml_node *at,
                            struct str path)
{
    const char *name = arena_c_string(reader->arena, path);
    struct str prefix = STR("$data/");

    if (path.len == 0)
        return name;
    if (str_starts(path, prefix)) {
        if (reader->options->data != NULL)
            return file_join(reader->options->data, name + prefix.len, reader->arena);
        study_keys_complain(
            &reader->problems, at,
            "'%s' needs a folder for $data: give --data DIR, or set ASSAY_DATA", name);
        return name;
    }
    if (path.ptr[0] == '/' || str_eq(path, STR("-")) || reader->study->folder[0] == '\0')
        return name;
    return file_join(reader->study->folder, name, reader->arena);
}

bool study_read_report(struct study_reader *reader, struct buf *problems, struct err *err)
{
    size_t count = reader->problems.count;

    study_keys_report(&reader->problems, problems);
    return count == 0 || err_set(err, ERR_INPUT, "%s: %zu error%s; nothing was run",
                                 reader->problems.path, count, count == 1 ? "" : "s");
}
