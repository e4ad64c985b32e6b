/* From a document to the study's parts. study_keys_check() complains about keys, forms
 * and names; here is complained about what only several keys together tell. What has a
 * wrong form is passed over in silence, so that all errors come at once and each only
 * once. */
#include "study/study.h"

#include <string.h>

#include "base/file.h"
#include "study/internal.h"

static const char *folder_of(const char *path, struct arena *arena)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL
               ? ""
               : arena_c_string(
                     arena, (struct str){path, (size_t)(slash - path + (slash == path))});
}

static const char *home_of(const char *path, const char *folder, struct arena *arena)
{
    const char *slash = strrchr(path, '/');
    struct str name = str_from(slash != NULL ? slash + 1 : path);
    struct str stem =
        str_ends(name, STR(".yaml")) ? str_slice(name, 0, name.len - 5) : name;

    if (str_eq(name, STR("study.yaml")))
        return folder;
    /* Without an ending its own name would be that of the folder. */
    return file_join(
        folder, arena_c_string(arena, stem.len < name.len ? stem : STR("study")), arena);
}

bool study_parse(struct str text, const char *path, const struct study_options *options,
                 struct arena *arena, struct study *out, struct buf *problems,
                 struct err *err)
{
    struct study_reader reader = {.study = out,
                                  .options = options,
                                  .arena = arena,
                                  .problems = {.path = path, .arena = arena}};

    *out = (struct study){.path = path, .folder = folder_of(path, arena)};
    out->home = home_of(path, out->folder, arena);
    if (!yaml_parse(text, path, arena, &out->root, err)) {
        buf_add_format(problems, "%s\n", err->text);
        return err_set(err, ERR_INPUT, "%s: 1 error; nothing was run", path);
    }
    study_keys_check(&out->root, arena, &reader.problems);
    reader.own = study_keys_own(&out->root, arena);
    out->name = study_read_text(&out->root, "study");
    out->title = study_read_text(&out->root, "title");
    out->simulated = study_read_is(&out->root, "simulated", "yes");
    study_read_sources(&reader);
    study_read_sets(&reader);
    study_read_labels(&reader);
    study_read_labellings(&reader);
    study_read_learning(&reader);
    study_read_groups(&reader);
    study_read_samples(&reader);
    study_read_tables(&reader);
    study_read_tests(&reader);
    study_read_figures(&reader);
    study_read_expectations(&reader);
    study_read_check_sources(&reader);
    return study_read_report(&reader, problems, err);
}

bool study_load(const char *path, const struct study_options *options,
                struct arena *arena, struct study *out, struct buf *problems,
                struct err *err)
{
    bool here = strcmp(path, ".") == 0;
    const char *inside = here ? "study.yaml" : file_join(path, "study.yaml", arena);
    struct str text;

    if (file_is_folder(path) || file_exists(inside))
        path = inside;
    return file_read(path, arena, &text, err) &&
           study_parse(text, path, options, arena, out, problems, err) &&
           study_check_codebooks(out, options, arena, problems, err);
}
