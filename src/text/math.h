/* Mathematics in prose, as MathJax reads it: $...$, $$...$$, \(...\), \[...\] and
 * \begin{name}...\end{name}. What stands there is no word.
 *
 * A dollar sign begins inline mathematics where no letter, digit or backslash stands
 * before it and no blank behind it, and ends it on the same line where no blank stands
 * before it and no letter or digit behind it: so not in
 * "$5 or $6" and "$HOME/bin:$PATH".
 */
#ifndef TEXT_MATH_H
#define TEXT_MATH_H

#include "base/buf.h"
#include "base/str.h"

/* The text with blanks in place of mathematics: itself where there is none, else a copy
 * in `room`, of the same length. */
struct str text_math_blank(struct str text, struct buf *room);

#endif
