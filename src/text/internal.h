/* What the files of text/ share only with each other. */
#ifndef TEXT_INTERNAL_H
#define TEXT_INTERNAL_H

#include "base/buf.h"
#include "base/str.h"
#include "text/words.h"

/* Where the bytes stand that matter to a reader of html, found 64 at a time where the
 * processor can. The readers then hop from place to place, and only this file knows of
 * instruction sets. */

enum {
    TEXT_MARK_HIGH = 1,    /* beyond ASCII */
    TEXT_MARK_CONTROL = 2, /* below a blank */
    TEXT_MARK_ZERO = 4,
};

/* Fills `places`, overwriting what is there, with the place of each byte that is '&', '<'
 * or `third`, in order (struct buf holds them as size_t); after them text.len stands
 * twice, so that a look at the next two needs no check. Returns what kinds of bytes there
 * are besides: TEXT_MARK_... */
unsigned text_mark_find(struct str text, char third, struct buf *places);

/* The two ways to do that; both give the same. The second only where
 * text_mark_has_avx2(). */
unsigned text_mark_find_portable(struct str text, char third, struct buf *places);
unsigned text_mark_find_avx2(struct str text, char third, struct buf *places);
bool text_mark_has_avx2(void);

/* The named characters of html: what stands between & and ; in "&eacute;". */

/* The one or two characters that a name stands for, and their number; 0 when there is no
 * such name. Names are told apart by case: "Eacute" is not "eacute". */
size_t text_entity_find(struct str name, uint32_t codes[2]);

/* The character of a numeric reference such as &#233;, as html browsers read it: 128 to
 * 159 are Windows-1252, and what is no character is U+FFFD. */
uint32_t text_entity_number(uint32_t number);

/* Where words may begin and end in a text, 64 bytes at a time, and the text in lower
 * case: what lets words.h hop from word to word without looking at each byte.
 *
 * Bit i of a mask stands for byte i of its block. Behind the text's end all bytes are
 * blanks, and there is always at least one. */

/* How many masks a text has. */
static inline size_t text_wordmask_count(struct str text)
{
    return text.len / TEXT_WORDMASK_BLOCK + 1;
}

/* Sets text_wordmask_count() masks and as many blocks of `lower`: the text with small
 * letters in place of A to Z, then blanks. `code` is whether names of code stay whole. */
void text_wordmask_find(struct str text, bool code, struct text_wordmask *masks,
                        char *lower);

/* The two ways to do that; both give the same. The second only where
 * text_wordmask_has_avx2(). */
void text_wordmask_find_portable(struct str text, bool code, struct text_wordmask *masks,
                                 char *lower);
void text_wordmask_find_avx2(struct str text, bool code, struct text_wordmask *masks,
                             char *lower);
bool text_wordmask_has_avx2(void);

#endif
