/* Objects of git's packs (gitformat-pack(5)), read from their bytes: looked up in an
 * index of version 2, inflated, put together from deltas, the last ones kept. libgit2
 * reads packs too, but with zlib and under locks, in about twice the time. Whatever looks
 * wrong here is no object; whoever asks for it then asks libgit2 why. */
#ifndef GIT_PACKED_H
#define GIT_PACKED_H

#include "git/history.h"

enum git_history_packed_type {
    GIT_HISTORY_PACKED_NONE,
    GIT_HISTORY_PACKED_COMMIT,
    GIT_HISTORY_PACKED_TREE,
    GIT_HISTORY_PACKED_BLOB,
    GIT_HISTORY_PACKED_TAG
};

enum { GIT_HISTORY_PACKED_MAX = 16 << 20 }; /* bytes of an object; a larger one is none */

/* Packs that threads share; what one of them has read is kept for all. */
struct git_history_packed;
struct git_history_packed *git_history_packed_open(void);
void git_history_packed_close(struct git_history_packed *packed); /* NULL is fine */

/* Adds a pack before anything is read; the bytes stay until it is closed. False, and
 * nothing is added, when they are not a pack and its index as we know them. `mapped`:
 * they come from file_map() and become its own; only what was touched lately is kept in
 * memory. */
bool git_history_packed_add(struct git_history_packed *packed, struct str index,
                            struct str pack, bool mapped);

/* One thread's means to read them. `once`: what is asked for will hardly be asked for
 * again, and is not kept. */
struct git_history_packed_reader;
struct git_history_packed_reader *
git_history_packed_reader_open(struct git_history_packed *packed, bool once);
void git_history_packed_reader_close(struct git_history_packed_reader *reader);

struct git_history_packed_object {
    enum git_history_packed_type type;
    struct str bytes;
};

/* The object of that hash, or NULL. The caller hands it to git_history_packed_free(). */
const struct git_history_packed_object *
git_history_packed_read(struct git_history_packed_reader *reader,
                        const struct git_history_hash *hash);
void git_history_packed_free(struct git_history_packed_reader *reader,
                             const struct git_history_packed_object *object);

/* How long it is, without making it. */
bool git_history_packed_size(struct git_history_packed_reader *reader,
                             const struct git_history_hash *hash, size_t *size);

#endif
