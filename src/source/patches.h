/* What commits changed that somebody reads: made from the repositories of their source
 * when it is asked for, and never for all. */
#ifndef SOURCE_PATCHES_H
#define SOURCE_PATCHES_H

#include "base/arena.h"
#include "base/err.h"

struct source_patches; /* repositories stay open, once asked for */

struct source_patches *source_patches_open(void);
void source_patches_close(struct source_patches *patches); /* NULL is fine */

/* A commit as the corpus has it. */
struct source_patches_commit {
    size_t source; /* the number of its space, */
    const char *const *paths;
    size_t path_count;
    struct str repositories, hash, patch; /* its fields `repo`, `hash` and `diff` */
};

/* Notes a field of the commit; whether it is one to be shown beside the patch, which says
 * better what some of them say. */
bool source_patches_note(struct source_patches_commit *commit, struct str name,
                         struct str value);

/* The patch, in arena, as git_history_changes has it, or as the corpus does. Where there
 * is none, *why says so to people: a merge, files that are not there, repositories that
 * have gone. */
struct str source_patches_make(struct source_patches *patches,
                               const struct source_patches_commit *commit,
                               struct arena *arena, struct str *why);

#endif
