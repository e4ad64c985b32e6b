/* Codebooks are part of the study: what is wrong with them, and with the dimensions that
 * are asked for, is told before anything runs. */
#include "base/file.h"
#include "study/codebook.h"
#include "study/internal.h"

/* A labelling with several dimensions must be asked for one of them, and one with a
 * single dimension for none. */
static void check_dimension(struct study_reader *reader, size_t labelling,
                            const struct yaml_node *node)
{
    const struct study_labelling *task = &reader->study->labellings[labelling];
    struct str given = study_read_text(node, "dimension");
    struct study_codebook codebook;
    struct buf ignored = {0}, known = {0};
    struct err err = {0};
    bool found = false;

    if (task->codebook == NULL ||
        !study_codebook_load(task->codebook, reader->arena, &codebook, &ignored, &err)) {
        buf_free(&ignored); /* as has been said */
        return;
    }
    for (size_t d = 0; d < codebook.count; d++) {
        found = found || str_eq(codebook.dimensions[d].id, given);
        buf_add_format(&known, "%s%.*s", d > 0 ? ", " : "",
                       STR_ARG(codebook.dimensions[d].id));
    }
    if (codebook.count == 1 && given.len > 0)
        study_keys_complain(
            &reader->problems, yaml_get(node, STR("dimension")),
            "the codebook of '%.*s' has one dimension: leave `dimension` out",
            STR_ARG(task->name));
    else if (codebook.count > 1 && !found)
        study_keys_complain(&reader->problems, node,
                            "the codebook of '%.*s' has several dimensions: expected "
                            "`dimension`, one of %.*s; found '%.*s'",
                            STR_ARG(task->name), STR_ARG(buf_str(&known)),
                            STR_ARG(given));
    buf_free(&known);
}

static void check_dimensions(struct study_reader *reader)
{
    const struct study *study = reader->study;

    for (size_t i = 0; i < study->group_count; i++) {
        const struct study_group *group = &study->groups[i];
        if (group->grouping == STUDY_GROUPING_LABELS && group->labels != STUDY_NONE &&
            study->labels[group->labels].labelling != STUDY_NONE)
            check_dimension(reader, study->labels[group->labels].labelling, group->node);
    }
    for (size_t i = 0; i < study->classifier_count; i++) {
        size_t train = study->classifiers[i].train;
        if (train != STUDY_NONE && study->labels[train].labelling != STUDY_NONE)
            check_dimension(reader, study->labels[train].labelling,
                            study->classifiers[i].node);
    }
    for (size_t i = 0; i < study->table_count; i++)
        if (study_shows_dimension(&study->tables[i]))
            check_dimension(reader, study->tables[i].made_by, study->tables[i].node);
}

bool study_check_codebooks(const struct study *study, const struct study_options *options,
                           struct arena *arena, struct buf *problems, struct err *err)
{
    const struct yaml_node *codebooks = yaml_get(&study->root, STR("codebooks"));
    bool ok = true;

    struct study found = *study;
    struct study_reader reader = {.study = &found,
                                  .options = options,
                                  .arena = arena,
                                  .problems = {.path = study->path, .arena = arena}};
    for (size_t i = 0; codebooks != NULL && i < codebooks->count; i++) {
        struct study_codebook codebook;
        const char *path =
            study_read_path(&reader, &codebooks->items[i], codebooks->items[i].text);
        if (!file_exists(path))
            study_keys_complain(&reader.problems, &codebooks->items[i],
                                "there is no file '%s'; expected a codebook, as in "
                                "assay-codebook(5)",
                                path);
        else
            ok = study_codebook_load(path, arena, &codebook, problems, err) && ok;
    }
    if (!ok)
        return false;
    if (reader.problems.count == 0)
        check_dimensions(&reader);
    return study_read_report(&reader, problems, err);
}
