/* Harmless html as Markdown: posts in a book that is one plain file. */
#ifndef TEXT_MARKDOWN_H
#define TEXT_MARKDOWN_H

#include "base/buf.h"

/* Adds what text_sanitise_html() gave, in GitHub's Markdown, without a line end behind
 * it. Code blocks are fenced; headings are of the lowest level, since a post is no part
 * of a book's own order; what Markdown has no sign for (sub, sup, kbd) stays html. */
void text_markdown_add(struct str harmless, struct buf *out);

/* A line of plain text, such as a title. */
void text_markdown_add_line(struct str text, struct buf *out);

/* The same, which leads to an address. */
void text_markdown_add_link(struct str text, struct str address, struct buf *out);

#endif
