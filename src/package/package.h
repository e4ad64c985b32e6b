/* The replication package: all that others need to rerun a study and to compare, without
 * the posts of other people. A folder, or a zip of the same files. */
#ifndef PACKAGE_PACKAGE_H
#define PACKAGE_PACKAGE_H

#include "base/arena.h"
#include "base/err.h"
#include "run/run.h"
#include "study/study.h"

struct package_file {
    struct str name; /* from the package's folder, such as "out/sets/B.csv" */
    struct str text;
};

struct package {
    struct package_file *files; /* ascending by name, each name once */
    size_t count;
};

struct package_options {
    bool with_posts;  /* also the texts of the posts that were sampled or labelled */
    const char *data; /* what $data/ in paths stands for; NULL: nothing */
    const struct run_options *run; /* how to make what differs in the package */
};

/* Gathers the files of a study that is up to date: the study file with people by their
 * new names, the files that it reads, labels.db, assay.lock, the results, and what
 * explains them. ERR_INPUT when two of them would have the same name, and when the study
 * as others get it has other results. *warnings are lines about what somebody should look
 * at before it is published. */
bool package_make(const struct study *study, const struct package_options *options,
                  struct arena *arena, struct package *out, struct buf *warnings,
                  struct err *err) MUST_USE;

/* Writes a folder or, when path ends in .zip, a zip, whole or not at all; the zip's bytes
 * depend on the files alone. ERR_INPUT when path is there already. */
bool package_write(const struct package *package, const char *path,
                   struct err *err) MUST_USE;

/* ERR_INPUT when path, or what an interrupted package_write() left of it, is there. */
bool package_check_free(const char *path, struct err *err) MUST_USE;

/* The folder with results in the study's folder, and so in its package: "", or what a
 * study file with a name of its own has. */
const char *package_home(const struct study *study, struct arena *arena);

/* The numbers of a step from out/numbers/STEP.csv of a package; `path` is for messages.
 */
bool package_parse_numbers(struct str text, const char *path, struct str step,
                           struct arena *arena, struct result_numbers *out,
                           struct err *err) MUST_USE;

/* Unpacks an archive of a package (zip, tar, tar.gz and their like) into a folder that is
 * there; *inside is the folder of it that holds the study. ERR_INPUT for an archive
 * without a study, for names that lead out of the folder, and for more than 4 GB. */
bool package_unpack(const char *path, const char *folder, struct arena *arena,
                    const char **inside, struct err *err) MUST_USE;

/* The numbers of every step in a package, folder or zip, of a study whose results lie in
 * `home`; ascending by step. */
bool package_read_numbers(const char *path, const char *home, struct arena *arena,
                          struct result_numbers **out, size_t *count,
                          struct err *err) MUST_USE;

#endif
