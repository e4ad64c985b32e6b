/* Files that the study file names and that are not there. */
#include "study/study.h"

/* The value of a section's key, or the section itself. */
static const struct yaml_node *value_of(const struct yaml_node *section, const char *key)
{
    const struct yaml_node *value = yaml_get(section, str_from(key));

    return value != NULL ? value : section;
}

static bool is_same(const char *path, const char *other)
{
    return other != NULL && str_eq(str_from(path), str_from(other));
}

struct absent_place {
    const struct yaml_node *at;
    const char *what, *expected;
};

/* A source is told by the element of a list of paths. */
static void find_source(const struct study *study, const char *path,
                        struct absent_place *place)
{
    for (size_t i = 0; i < study->source_count; i++) {
        const struct study_source *source = &study->sources[i];
        const struct yaml_node *section =
            source->name.len == 0
                ? yaml_get(&study->root, STR("source"))
                : yaml_get(yaml_get(&study->root, STR("sources")), source->name);
        const struct yaml_node *value = value_of(section, source->kind->key);
        for (size_t p = 0; p < source->path_count; p++)
            if (is_same(path, source->paths[p]))
                *place = (struct absent_place){
                    value->type == YAML_SEQUENCE ? &value->items[p] : value,
                    source->kind->path_is, source->kind->expected};
    }
}

bool study_tell_absent(const struct study *study, const char *path, struct err *err)
{
    struct absent_place place = {&study->root, "file", "a file"};

    find_source(study, path, &place);
    for (size_t i = 0; i < study->label_count; i++)
        if (is_same(path, study->labels[i].from)) {
            place.at = value_of(study->labels[i].node, "from");
            place.expected = "a csv of labels, as in assay-labels(7)";
        }
    for (size_t i = 0; i < study->classifier_count; i++)
        if (is_same(path, study->classifiers[i].keywords)) {
            place.at = value_of(study->classifiers[i].node, "keywords");
            place.expected = "a csv with the columns class and word";
        }
    for (size_t i = 0; i < study->table_count; i++)
        if (is_same(path, study->tables[i].from)) {
            place.at = value_of(study->tables[i].node, "from");
            place.expected = "a csv with a row of heads";
        }
    return err_set(err, ERR_INPUT, "%s:%d:%d: there is no %s '%s'; expected %s",
                   study->path, place.at->line, place.at->column, place.what, path,
                   place.expected);
}
