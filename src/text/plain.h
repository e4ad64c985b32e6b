/* The text of harmless html (see sanitise.h) as one run of characters, into which places
 * can be counted: all character data as it is, references decoded, and a line end where
 * an element such as p, li, br, td or pre begins or ends, unless nothing came before it
 * or a line has just begun. Nothing else is added or removed, so that a browser that
 * walks over the same elements comes to the same text (web/spans.js). */
#ifndef TEXT_PLAIN_H
#define TEXT_PLAIN_H

#include "base/buf.h"

/* Adds the text to out. */
void text_plain(struct str html, struct buf *out);

/* The byte where the character of a number begins, from 0; the text's length for those
 * behind its end. */
size_t text_plain_byte(struct str text, size_t character);

#endif
