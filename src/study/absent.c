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

bool study_tell_absent(const struct study *study, const char *path, struct err *err)
{
    const struct yaml_node *at = &study->root;
    const char *expected = "a file";

    for (size_t i = 0; i < study->label_count; i++)
        if (is_same(path, study->labels[i].from)) {
            at = value_of(study->labels[i].node, "from");
            expected = "a csv of labels, as in assay-labels(7)";
        }
    for (size_t i = 0; i < study->classifier_count; i++)
        if (is_same(path, study->classifiers[i].keywords)) {
            at = value_of(study->classifiers[i].node, "keywords");
            expected = "a csv with the columns class and word";
        }
    for (size_t i = 0; i < study->table_count; i++)
        if (is_same(path, study->tables[i].from)) {
            at = value_of(study->tables[i].node, "from");
            expected = "a csv with a row of heads";
        }
    return err_set(err, ERR_INPUT, "%s:%d:%d: there is no file '%s'; expected %s",
                   study->path, at->line, at->column, path, expected);
}
