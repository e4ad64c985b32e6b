/* The study as others get it, run once in a folder of its own: so a package holds what
 * comes out of what it holds. */
#ifndef PACKAGE_STAGE_H
#define PACKAGE_STAGE_H

#include "package/package.h"
#include "package/people.h"

struct package_stage {
    const char *folder;         /* to be removed with file_remove_temporary() */
    struct study study;         /* there; up to date */
    const char *labels;         /* its labels.db; NULL: it has none */
    struct package_file *files; /* the study file and what it reads */
    size_t file_count;
    struct str *outside; /* paths, as written, of what it reads from $data */
    size_t outside_count;
};

/* Writes the study anew: people by their new names, files that lie elsewhere below
 * inputs/, sources that lie elsewhere below $data/; and runs it. *out needs its folder
 * removed also when this fails. */
bool package_stage(const struct study *study, const struct package_people *people,
                   const struct package_options *options, struct arena *arena,
                   struct package_stage *out, struct err *err) MUST_USE;

/* The paths of a source in the study file: one node, or a sequence. */
const struct yaml_node *package_source_paths(const struct study *study, size_t source);
const struct yaml_node *package_source_path(const struct yaml_node *paths, size_t i);

#endif
