/* What the files of git/ share with each other. */
#ifndef GIT_INTERNAL_H
#define GIT_INTERNAL_H

#include <git2.h>
#include <pthread.h>

#include "git/history.h"

/* ---- bundle.c: the head of a bundle, and its pack as a database of objects */

struct git_history_bundle_ref {
    struct git_history_hash hash;
    struct str name;
};

struct git_history_bundle_head {
    int version;
    bool filtered; /* made with --filter: some objects are left out on purpose */
    LIST(struct git_history_bundle_ref) refs, prerequisites;
    size_t len; /* where the pack begins */
};

enum git_history_bundle_state {
    GIT_HISTORY_BUNDLE_WHOLE,
    GIT_HISTORY_BUNDLE_MORE, /* the head goes on behind these bytes */
    GIT_HISTORY_BUNDLE_WRONG,
};

/* Reads the head of a bundle (gitformat-bundle(5), versions 2 and 3) from the beginning
 * of its bytes. Names are slices of them. WRONG sets err, without a place. */
enum git_history_bundle_state
git_history_bundle_read(struct str bytes, struct git_history_bundle_head *head,
                        struct err *err);
void git_history_bundle_free(struct git_history_bundle_head *head);

bool git_history_bundle_begins(struct str bytes); /* whether these are one's first */

/* ---- history.c */

struct git_history_tip {
    git_oid id; /* of a commit */
    struct str name;
};

/* Its packs, open as long as some thread reads them. */
struct git_history_shared {
    pthread_mutex_t mutex;
    size_t users;
    struct git_history_packed *packed;
};

/* A repository and how to come by its objects. */
struct git_history_place {
    struct git_history_repository shown;
    const char *index;     /* which has its one pack's index instead */
    const char *temporary; /* folder to be taken away */
    struct git_history_shared *shared;
    bool walked;                       /* what a walk finds is in the findings */
    LIST(struct git_history_tip) tips; /* by id, then name */
    LIST(git_oid) shallow;             /* by id */
};

struct git_history {
    struct arena arena;
    LIST(struct git_history_place) places;
};

/* Counts an oddity; the text is kept if it is the first. */
void git_history_note(struct git_history_findings *findings,
                      enum git_history_oddity oddity, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* A handle of its own for each thread. The caller hands *out to git_odb_free(). */
bool git_history_objects_of(const struct git_history_place *place, git_odb **out,
                            struct err *err) MUST_USE;

/* What libgit2 said last. */
const char *git_history_said(void);

/* Unpacks the bundle that the place names, with its refs. */
bool git_history_bundle_open(struct git_history_place *place, struct arena *arena,
                             struct err *err) MUST_USE;

/* Adds a ref that leads to a commit, whatever tags lie between; one that does not is a
 * finding unless it is a tag of something else. */
void git_history_add_tip(struct git_history_place *place, git_odb *odb, git_oid id,
                         struct str name);

bool git_history_has(const git_oid *sorted, size_t count, const git_oid *id);

/* ---- objects.c: the bytes of many objects */

/* One thread's means to read them, of one place. `once`: each is asked for but once. */
struct git_history_objects;
bool git_history_objects_open(const struct git_history_place *place, bool once,
                              struct git_history_objects **out, struct err *err) MUST_USE;
void git_history_objects_close(struct git_history_objects *objects); /* NULL is fine */

struct git_history_object {
    git_object_t type;
    struct str bytes;
    bool large; /* not read: has more than size_max bytes */
    /* Whose they are: */
    const struct git_history_packed_object *packed;
    git_odb_object *other;
};

/* False: it is large, or cannot be read. The caller hands *out to
 * git_history_object_free() in both cases. */
bool git_history_object_read(struct git_history_objects *objects, const git_oid *id,
                             size_t size_max, struct git_history_object *out);
void git_history_object_free(struct git_history_objects *objects,
                             struct git_history_object *object);
bool git_history_object_size(struct git_history_objects *objects, const git_oid *id,
                             size_t *size);

/* ---- commit.c: an object of git as a commit */

struct git_history_reading {
    struct buf text;    /* the whole object in UTF-8, if it had to be recoded */
    struct buf subject; /* if its lines had to be joined */
    LIST(struct git_history_hash) parents;
};

void git_history_reading_free(struct git_history_reading *reading);

/* Only what a walk needs: parents into reading->parents, the tree, and the committer's
 * date in seconds (0 when it has none) unless it is NULL. False when there is no tree. */
bool git_history_read_links(struct str object, struct git_history_reading *reading,
                            git_oid *tree, int64_t *committed_s);

/* The rest; commit->hash is set. Slices are of the object or of reading. */
void git_history_read_commit(struct str object, struct git_history_reading *reading,
                             struct git_history_commit *commit,
                             struct git_history_findings *findings);

/* ---- rename.c: which of the added files were there before under another name */

struct git_history_blob {
    struct str path;
    unsigned mode;
    git_oid id;
};

struct git_history_rename {
    size_t from, to; /* places in the lists below */
    int score;       /* up to GIT_HISTORY_SCORE_MAX */
};

enum { GIT_HISTORY_SCORE_MAX = 60000 };

struct git_history_renaming {
    const struct git_history_blob *deleted, *added; /* in the order of the trees */
    size_t deleted_count, added_count;
    void *context;
    bool (*size)(void *context, const git_oid *id, size_t *size);
    /* The bytes of a blob, until the next call but one; false: not to be had. */
    bool (*bytes)(void *context, const git_oid *id, struct str *bytes);
    bool too_many; /* only exact renames and equal last names were looked for */
};

/* Finds them as git does; `found` has room for the shorter of the two lists. */
void git_history_find_renames(struct git_history_renaming *renaming, struct arena *arena,
                              struct git_history_rename *found, size_t *count);

bool git_history_is_binary(struct str bytes);

#endif
