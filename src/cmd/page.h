/* Manual pages as plain text, for readers without man(1) at hand. */
#ifndef CMD_PAGE_H
#define CMD_PAGE_H

#include "base/buf.h"

/* The source of man/assay-NAME.5 or .7; an empty string when there is no such page. */
struct str cmd_page_source(const char *name);

/* What prose/NAME.txt says of a command: its paragraphs, a line each with an empty one
 * between them, and its examples, which may be empty. */
void cmd_page_prose(const char *name, struct buf *paragraphs, struct str *examples);

/* Adds the page as text; `keys` takes the place of the comment KEYS. */
void cmd_page_add(struct buf *out, struct str source, struct str keys);

/* Adds text folded at 80 columns, beginning at this column; every line after the first is
 * indented. */
void cmd_page_fold(struct buf *out, struct str text, size_t column, size_t indent);

#endif
