/* The history that git keeps: commits of a repository, of a bundle, or of a folder of
 * many of them, and what each changed. Everything is read through libgit2 or by our own
 * code: no program is started, no hook, filter or attribute plays a part, and neither
 * the user's configuration nor the repository's changes a result. That is why it does
 * not matter who owns the files.
 *
 * Only this folder includes git2.h. libgit2 calls its own things git_..., so all names
 * of this folder go on with history. */
#ifndef GIT_HISTORY_H
#define GIT_HISTORY_H

#include "base/buf.h"
#include "base/list.h"
#include "item/item.h"

struct git_history; /* an opened path */

enum git_history_form {
    GIT_HISTORY_WORKTREE,
    GIT_HISTORY_BARE,
    GIT_HISTORY_BUNDLE,
};

/* What is odd about a repository, counted where it is met. */
enum git_history_oddity {
    GIT_HISTORY_UNREADABLE,     /* the repository itself */
    GIT_HISTORY_EMPTY,          /* it has no refs, or none of them leads to a commit */
    GIT_HISTORY_DETACHED,       /* HEAD is on no branch */
    GIT_HISTORY_SHALLOW,        /* commits at which the history was cut off */
    GIT_HISTORY_ABSENT_COMMITS, /* parents and refs whose commit is not there */
    GIT_HISTORY_PREREQUISITES,  /* commits that a bundle builds on and does not hold */
    GIT_HISTORY_FILTERED,       /* a bundle without all its files */
    GIT_HISTORY_BROKEN_REFS,
    GIT_HISTORY_REPLACEMENTS,   /* refs/replace, which are not followed */
    GIT_HISTORY_BROKEN_COMMITS, /* objects that are no commits as git writes them */
    GIT_HISTORY_UNDATED,        /* commits whose author or committer has no usable date */
    GIT_HISTORY_RECODED,        /* commits that name an encoding other than UTF-8 */
    GIT_HISTORY_STRANGE_CODES,  /* of these: in an encoding that is not known */
    GIT_HISTORY_REPAIRED,       /* commits with bytes that are no characters */
    GIT_HISTORY_ABSENT_OBJECTS, /* trees and files that a diff needed */
    GIT_HISTORY_LARGE_FILES,    /* that a diff leaves out */
    GIT_HISTORY_LARGE_PATCHES,  /* that are cut */
    GIT_HISTORY_MANY_RENAMES,   /* commits with too many files to look for all renames */
    GIT_HISTORY_MANY_CHANGES,   /* commits that change too many files to be compared */
    GIT_HISTORY_ODDITIES
};

/* How it is called in a report: "commits that are not there". */
const char *git_history_oddity_name(enum git_history_oddity oddity);

struct git_history_findings {
    int64_t count[GIT_HISTORY_ODDITIES];
    char first[GIT_HISTORY_ODDITIES][200]; /* what the first of them is about */
};

struct git_history_repository {
    struct str name; /* as below the folder, without .git and .bundle */
    const char *path;
    const char *objects; /* the folder that they lie in; NULL: a bundle has them */
    enum git_history_form form;
    struct git_history_findings findings; /* so far */
};

/* Looks for repositories at each path: one, or all below a folder that is not one itself
 * (bundles there have .bundle in their names), sorted by name. ERR_INPUT when there is
 * none, and when the only one cannot be read; of several, those that cannot be read have
 * a finding. A bundle is unpacked into a folder in TMPDIR, which git_history_close()
 * takes away. */
bool git_history_open(const char *const *paths, size_t count, struct git_history **out,
                      struct err *err) MUST_USE;
void git_history_close(struct git_history *history); /* NULL is fine */

size_t git_history_count(const struct git_history *history);
const struct git_history_repository *git_history_at(const struct git_history *history,
                                                    size_t repository);

/* Those of all repositories together; the first of each begins with the repository's
 * name. */
struct git_history_findings git_history_findings(const struct git_history *history);

/* All that leads into a repository's history: a line for each ref, with its commit. */
void git_history_add_tips(const struct git_history *history, size_t repository,
                          struct buf *out);

/* Whether git_history_open() would find something at the path, by a look at names and
 * first bytes. */
bool git_history_is(const char *path);

/* Whether the folder is a repository itself, and not one of several. */
bool git_history_is_one(const char *folder);

/* Stands for what can be reached from the path, without unpacking bundles: a line for
 * each repository, of its refs or of the bundle's size and date. */
bool git_history_add_state(const char *path, struct buf *out, struct err *err) MUST_USE;

enum { GIT_HISTORY_HASH_BYTES = 20, GIT_HISTORY_HASH_DIGITS = 40 };

struct git_history_hash {
    unsigned char bytes[GIT_HISTORY_HASH_BYTES];
};

void git_history_hash_text(const struct git_history_hash *hash,
                           char out[GIT_HISTORY_HASH_DIGITS]);

struct git_history_person {
    struct str name, mail;
    int64_t ms;       /* ITEM_NONE: no date, or none within the years 0 to 9999 */
    int zone_minutes; /* east of Greenwich */
};

struct git_history_commit {
    struct git_history_hash hash;
    struct str key;              /* the same as digits */
    struct str message, subject; /* UTF-8; the subject as `git log --format=%s` has it */
    struct git_history_person author, committer;
    const struct git_history_hash *parents;
    size_t parent_count;
    const struct str *refs; /* that point at it: "master", "origin/dev", "v1.0", "HEAD" */
    size_t ref_count;
    size_t repository;
    bool cut;      /* its parents are known to be missing: what it changed is not known */
    bool repaired; /* bytes were no characters; U+FFFD stands for them */
};

/* Every commit that some ref, or a detached HEAD, leads to, each once, from the newest
 * to the oldest: of those that are waiting the one with the latest committer's date comes
 * next, and of equal dates the one with the smaller hash. That is the order of `git log
 * --all` but for equal dates, and the same each time. The commit lasts until `take`
 * returns. What cannot be read is a finding, and the walk goes on. */
bool git_history_walk(struct git_history *history, size_t repository,
                      bool (*take)(void *context, const struct git_history_commit *commit,
                                   struct err *err),
                      void *context, struct err *err) MUST_USE;

/* What a repository is made of, at its newest commit: lists, a line each, sorted. What
 * cannot be read is left out, as are files above 1 MB. */
struct git_history_survey {
    struct str imports; /* modules: the first parts of the names in Python's import, Lua's
                           require, C's #include */
    struct str endings; /* of its files' names: py, prototxt */
};

bool git_history_survey(const struct git_history *history, size_t repository,
                        struct arena *arena, struct git_history_survey *out,
                        struct err *err) MUST_USE;

/* ---- what a commit changed */

enum git_history_want {
    GIT_HISTORY_FILES = 1,    /* which files, with their status; needs only trees unless
                                 files were added and deleted */
    GIT_HISTORY_LINES = 2,    /* how many lines of each */
    GIT_HISTORY_PATCH = 4,    /* as text */
    GIT_HISTORY_ADDED = 8,    /* the lines that were added, */
    GIT_HISTORY_DELETED = 16, /* and deleted */
    GIT_HISTORY_PATCH_ID = 32,
};

struct git_history_file {
    struct str path, old_path; /* as in the tree: any bytes; equal unless renamed */
    char status;               /* A, D, M, T or R, as in `git log --name-status -M` */
    int similarity;            /* percent, of R */
    int64_t added, deleted;    /* lines; ITEM_NONE: binary, or left out as too large */
    bool large, absent;        /* left out; not there */
    unsigned old_mode, new_mode;
    struct git_history_hash old_hash, new_hash;
};

struct git_history_changes {
    bool known; /* false: merges, which change nothing of their own, and what cannot be
                   told since something is missing */
    const struct git_history_file *files; /* in the order of git's trees */
    size_t file_count;
    int64_t added, deleted; /* of all files */
    struct str patch;       /* git's unified format with whole hashes; the files' bytes
                               as they are */
    struct str added_lines, deleted_lines;
    struct str patch_id; /* `git log -p --full-index | git patch-id --stable`: 40 digits,
                            empty when nothing was changed */
    const struct git_history_findings *findings; /* about this commit */
};

/* One thread's means to compare; for one history, until that is closed. */
struct git_history_differ;
struct git_history_differ *git_history_differ_open(const struct git_history *history);
void git_history_differ_close(struct git_history_differ *differ); /* NULL is fine */

/* What a commit changed: compared with its parent, or with nothing if it has none.
 * Renames are those that `git log -M` finds. *out lasts until the next commit. What is
 * missing or too large is in out->findings. */
bool git_history_compare(struct git_history_differ *differ, size_t repository,
                         const struct git_history_hash *commit, unsigned want,
                         struct git_history_changes *out, struct err *err) MUST_USE;

/* Adds what was found in a comparison to the repository's findings. */
void git_history_keep_findings(struct git_history *history, size_t repository,
                               const struct git_history_findings *findings);

#endif
