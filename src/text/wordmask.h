/* Where words may begin and end in a text, 64 bytes at a time, and the text in lower
 * case: what lets words.h hop from word to word without looking at each byte.
 *
 * Bit i of a mask stands for byte i of its block. Behind the text's end all bytes are
 * blanks, and there is always at least one. */
#ifndef TEXT_WORDMASK_H
#define TEXT_WORDMASK_H

#include "base/str.h"

enum { WORDMASK_BLOCK = 64 };

struct wordmask {
    uint64_t starts; /* a word begins here, if one did not before */
    uint64_t stops;  /* a word that came so far ends here */
    uint64_t unsure; /* of both kinds: only if a closer look says so, too */
};

/* How many masks a text has. */
static inline size_t wordmask_count(struct str text)
{
    return text.len / WORDMASK_BLOCK + 1;
}

/* Sets wordmask_count() masks and as many blocks of `lower`: the text with small letters
 * in place of A to Z, then blanks. `code` is whether names of code stay whole. */
void wordmask_find(struct str text, bool code, struct wordmask *masks, char *lower);

/* The two ways to do that; both give the same. The second only where
 * wordmask_has_avx2(). */
void wordmask_find_portable(struct str text, bool code, struct wordmask *masks,
                            char *lower);
void wordmask_find_avx2(struct str text, bool code, struct wordmask *masks, char *lower);
bool wordmask_has_avx2(void);

#endif
