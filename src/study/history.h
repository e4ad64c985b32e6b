/* What became of the codes of a codebook's earlier versions. The file lists its changes,
 * oldest first; a change that labels rest on is never taken out again:
 *
 *   changes:
 *     - {rename: data, into: Data handling, reason: clearer}     the name, not the id
 *     - {move: data/parsing, into: model, reason: ...}           is now model/parsing
 *     - {merge: [gpu, cpu], into: hardware, reason: ...}
 *     - {split: crash, into: [crash-start, crash-end], reason: ...}
 *     - {retire: other, reason: ...}                             into: CODE is allowed
 *
 * `into: /` moves to the top; `dimension` is needed when there are several; `review: yes`
 * says that a human must look at each label concerned. Labels made before a change are
 * carried over by rule, but for those of a code that was split, or retired without a
 * successor. */
#ifndef STUDY_HISTORY_H
#define STUDY_HISTORY_H

#include "study/codebook.h"
#include "study/keys.h"

enum history_kind {
    HISTORY_RENAME,
    HISTORY_MOVE,
    HISTORY_MERGE,
    HISTORY_SPLIT,
    HISTORY_RETIRE,
    HISTORY_KINDS,
};

extern const char *const history_words[HISTORY_KINDS]; /* "rename" ... */

struct codebook_change {
    enum history_kind kind;
    struct str dimension; /* id */
    struct codebook_texts from, into;
    struct str reason;
    bool review;
};

/* Reads the list `changes`, which may be NULL, of a codebook whose codes have been read.
 * Complains when something does not fit: a code that is gone and nobody says where to, or
 * that is still there. */
void history_read(const struct yaml_node *list, struct arena *arena,
                  struct keys_problems *problems, struct codebook *codebook);

/* Where a code of an earlier version is now. */
struct history_place {
    struct str path;
    struct str review; /* not empty: why a human must look; path is then the last known */
};

/* `known` is how many changes the earlier version had. */
struct history_place history_carry(const struct codebook *codebook,
                                   const struct codebook_dimension *dimension,
                                   size_t known, struct str path, struct arena *arena);

/* The path that a move gives to a code at or below `from`. */
struct str history_moved(const struct codebook_change *change, struct str from,
                         struct str path, struct arena *arena);

bool history_has(const struct codebook_dimension *dimension, struct str path);

/* Whether the newer codebook's changes begin with all of the older one's; ERR_INPUT,
 * naming the first that is not there, if not. */
bool history_continues(const struct codebook *older, const struct codebook *newer,
                       struct err *err) MUST_USE;

/* What a reader of both would like to know, a line each: codes that are new, gone (and
 * where to), renamed, defined in other words. Empty when nothing that counts differs. */
void history_difference(const struct codebook *older, const struct codebook *newer,
                        struct arena *arena, struct buf *out);

/* "merge gpu, cpu into hardware: reason". */
void history_describe(const struct codebook_change *change, struct buf *out);

/* The name of a version: XXH3 (64 bits) of the file's bytes, 16 hex digits. */
struct str history_version(struct str text, struct arena *arena);

#endif
