/* A git bundle in the making: objects are added one by one and come out as one file that
 * `git clone` and git_history_open() read. Objects are stored without compression, so
 * that the bytes depend on no library. */
#ifndef GIT_PACK_H
#define GIT_PACK_H

#include "base/map.h"
#include "git/history.h"

enum git_history_pack_type {
    GIT_HISTORY_PACK_COMMIT = 1,
    GIT_HISTORY_PACK_TREE,
    GIT_HISTORY_PACK_BLOB
};

/* A zeroed one is empty; git_history_pack_free() gives its memory back. */
struct git_history_pack {
    struct arena arena;
    struct buf objects;
    struct map known; /* hash -> 1 */
    uint32_t count;
};

/* What is there already is not entered again. */
struct git_history_hash git_history_pack_add(struct git_history_pack *pack,
                                             enum git_history_pack_type type,
                                             struct str bytes);

struct git_history_pack_ref {
    const char *name; /* "refs/heads/main" */
    struct git_history_hash hash;
};

/* Adds the bundle to out. */
void git_history_pack_bundle(const struct git_history_pack *pack,
                             const struct git_history_pack_ref *refs, size_t ref_count,
                             struct buf *out);
void git_history_pack_free(struct git_history_pack *pack);

#endif
