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

enum study_history_kind {
    STUDY_HISTORY_RENAME,
    STUDY_HISTORY_MOVE,
    STUDY_HISTORY_MERGE,
    STUDY_HISTORY_SPLIT,
    STUDY_HISTORY_RETIRE,
    STUDY_HISTORY_KINDS,
};

extern const char *const study_history_words[STUDY_HISTORY_KINDS]; /* "rename" ... */

struct study_codebook_change {
    enum study_history_kind kind;
    struct str dimension; /* id */
    struct study_codebook_texts from, into;
    struct str reason;
    bool review;
};

/* Reads the list `changes`, which may be NULL, of a codebook whose codes have been read.
 * Complains when something does not fit: a code that is gone and nobody says where to, or
 * that is still there. */
void study_history_read(const struct yaml_node *list, struct arena *arena,
                        struct study_keys_problems *problems,
                        struct study_codebook *codebook);

/* Where a code of an earlier version is now. */
struct study_history_place {
    struct str path;
    struct str review; /* not empty: why a human must look; path is then the last known */
};

/* `known` is how many changes the earlier version had. */
struct study_history_place
study_history_carry(const struct study_codebook *codebook,
                    const struct study_codebook_dimension *dimension, size_t known,
                    struct str path, struct arena *arena);

/* Whether the newer codebook's changes begin with all of the older one's; ERR_INPUT,
 * naming the first that is not there, if not. */
bool study_history_continues(const struct study_codebook *older,
                             const struct study_codebook *newer,
                             struct err *err) MUST_USE;

/* What a reader of both would like to know, a line each: codes that are new, gone (and
 * where to), renamed, defined in other words. Empty when nothing that counts differs. */
void study_history_difference(const struct study_codebook *older,
                              const struct study_codebook *newer, struct arena *arena,
                              struct buf *out);

/* "merge gpu, cpu into hardware: reason". */
void study_history_describe(const struct study_codebook_change *change, struct buf *out);

/* The name of a version: XXH3 (64 bits) of the file's bytes, 16 hex digits. */
struct str study_history_version(struct str text, struct arena *arena);

#endif
