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

/* --- the XML around the html --- */

/* Reads the reference that the '&' at byte `at` of a value begins; *len counts its bytes.
 * False when XML does not have it (&nbsp; &#0; or a '&' alone): *code is then
 * UTF8_REPLACEMENT, and what has the form of a reference counts as one character. */
bool markup_xml_reference(struct str text, size_t at, uint32_t *code, size_t *len);

/* The same for a character that is written as itself. A line end or a tab is a blank, as
 * XML has it. False when XML forbids the character, and for bytes that are not UTF-8. */
bool markup_xml_character(struct str text, size_t at, uint32_t *code, size_t *len);

/* Whether no line end, tab or control stands in a value; and the value with each of its
 * characters as above, references as they are. */
bool markup_xml_plain(struct str text);
void markup_xml_repair(struct str text, struct buf *out);

/* Adds the value of an attribute to out, decoded and without line ends and tabs. */
void markup_decode(struct str value, bool xml, struct buf *out);

#endif
