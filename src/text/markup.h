/* One piece of html at a time, whatever its spelling: a tag, a comment, a reference such
 * as &eacute;. This is the reader for everything that is not frequent; what each form
 * means is said in html.h. */
#ifndef TEXT_MARKUP_H
#define TEXT_MARKUP_H

#include "base/buf.h"
#include "text/tag.h"

struct markup_source {
    struct str text;     /* UTF-8 */
    bool xml;            /* the text is escaped once more, as in an XML attribute */
    bool no_comment_end; /* found out on the way: from here on no comment ends */
};

struct markup {
    size_t end;        /* where the text goes on behind it */
    uint32_t codes[2]; /* the characters that it stands for */
    size_t count;      /* and their number; 0 for tags and comments */
    enum tag tag;      /* TAG_UNKNOWN for comments too */
    bool closing;
    struct str href; /* as it stands in the text; ptr NULL when there is none */
};

/* Reads what begins at byte `at` (at < text.len), where '<', '&' or any other ASCII
 * character stands. A '<' or '&' that begins nothing is itself. Reading a text from place
 * to place takes time proportional to its length. */
struct markup markup_read(struct markup_source *source, size_t at);

/* Adds the value of an attribute to out, decoded and without line ends and tabs. */
void markup_decode(struct str value, bool xml, struct buf *out);

#endif
