/* Where the bytes stand that matter to a reader of html, found 64 at a time where the
 * processor can. The readers then hop from place to place, and only this file knows of
 * instruction sets. */
#ifndef TEXT_MARK_H
#define TEXT_MARK_H

#include "base/buf.h"

/* Fills `places`, overwriting what is there, with the place of each byte that is '&', '<'
 * or `third`, in order (struct buf holds them as size_t); after them text.len stands
 * twice, so that a look at the next two needs no check. True when the text is plain:
 * every byte is ASCII and none is 0. */
bool mark_find(struct str text, char third, struct buf *places);

/* The two ways to do that; both give the same. The second only where mark_has_avx2(). */
bool mark_find_portable(struct str text, char third, struct buf *places);
bool mark_find_avx2(struct str text, char third, struct buf *places);
bool mark_has_avx2(void);

#endif
