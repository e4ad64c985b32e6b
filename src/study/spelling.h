/* The texts by which codes are found, without regard to the case of A to Z, to blanks
 * around a text and to their number inside it. */
#ifndef STUDY_SPELLING_H
#define STUDY_SPELLING_H

#include "base/str.h"

/* What a text is to its code. The first of them wins when a text is several. */
enum study_spelling_kind {
    STUDY_SPELLING_PATH,
    STUDY_SPELLING_ID,
    STUDY_SPELLING_NAME,
    STUDY_SPELLING_ALSO
};

struct study_spelling {
    struct str text;
    enum study_spelling_kind kind;
    size_t code;
    int line, column; /* where it is written, or its code */
};

/* A run of spellings: from, up to, not including, to. */
struct study_spelling_run {
    size_t from, to;
};

/* Below 0, 0 or above 0, as strcmp(). */
int study_spelling_compare(struct str a, struct str b);

/* By text, then kind, then code. */
void study_spelling_sort(struct study_spelling *spellings, size_t count);

/* Among sorted ones those with this text, of the first kind that has any. */
struct study_spelling_run study_spelling_find(const struct study_spelling *spellings,
                                              size_t count, struct str text);

#endif
