/* Markup of posts: elements of html, one piece of html at a time, and lists of tags. */
#ifndef TEXT_MARKUP_H
#define TEXT_MARKUP_H

#include <string.h>

#include "base/buf.h"
#include "base/str.h"

/* The elements of html, as far as text cares: which of them part words. */

enum tag {
    TAG_UNKNOWN, /* treated as TAG_INLINE */
    TAG_INLINE,  /* em, strong, sub ...: the words before and after are one */
    TAG_BLOCK,   /* p, li, br, td ...: begins a new line */
    TAG_PRE,
    TAG_CODE,
    TAG_A,
};

enum {
    TAG_NAME_MAX = 10, /* a longer name is unknown */
    TAG_READABLE = 16, /* bytes that tag_find may look at, whatever the name's length */
};

/* A perfect hash over length, first and last letter. */
#define TAG_SLOT(len, first, last) (((len)*36u + (first)*23u + (last)*3u) & 255u)

struct tag_row {
    char name[TAG_READABLE]; /* padded with zeros */
    unsigned char len;
    unsigned char tag; /* enum tag */
};

extern const struct tag_row tag_rows[256];
extern const unsigned char tag_masks[2 * TAG_READABLE]; /* half of it 255, then 0 */

/* What a lower-case name of 1 to TAG_NAME_MAX bytes stands for. TAG_READABLE bytes are
 * read from `name` on; those behind the name do not matter. Inline, as a post has a tag
 * every hundred bytes. */
static inline enum tag tag_find(const char *name, size_t len)
{
    const unsigned char *letters = (const unsigned char *)name;
    const struct tag_row *row = &tag_rows[TAG_SLOT(len, letters[0], letters[len - 1])];
    uint64_t have[2], want[2], mask[2];

    memcpy(have, name, sizeof have);
    memcpy(want, row->name, sizeof want);
    memcpy(mask, tag_masks + TAG_READABLE - len, sizeof mask);
    if ((((have[0] ^ want[0]) & mask[0]) | ((have[1] ^ want[1]) & mask[1])) != 0 ||
        row->len != len)
        return TAG_UNKNOWN;
    return row->tag;
}

/* One piece of html at a time, whatever its spelling: a tag, a comment, a reference such
 * as &eacute;. This is the reader for everything that is not frequent; what each form
 * means is said in html.h. */

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

/* The tags of a question in both spellings of the dumps: "<a><b>" and "|a|b|". */

/* Takes the next tag off the front; false when there is none. */
bool taglist_next(struct str *rest, struct str *tag);

#endif
