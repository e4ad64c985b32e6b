/* Markup of posts: elements of html, one piece of html at a time, and lists of tags. */
#ifndef TEXT_MARKUP_H
#define TEXT_MARKUP_H

#include <string.h>

#include "base/buf.h"
#include "base/str.h"

/* The elements of html, as far as text cares: which of them part words. */

enum text_tag {
    TEXT_TAG_UNKNOWN, /* treated as TEXT_TAG_INLINE */
    TEXT_TAG_INLINE,  /* em, strong, sub ...: the words before and after are one */
    TEXT_TAG_BLOCK,   /* p, li, br, td ...: begins a new line */
    TEXT_TAG_PRE,
    TEXT_TAG_CODE,
    TEXT_TAG_A,
};

enum {
    TEXT_TAG_NAME_MAX = 10, /* a longer name is unknown */
    TEXT_TAG_READABLE =
        16, /* bytes that text_tag_find may look at, whatever the name's length */
};

/* A perfect hash over length, first and last letter. */
#define TEXT_TAG_SLOT(len, first, last) (((len)*36u + (first)*23u + (last)*3u) & 255u)

struct text_tag_row {
    char name[TEXT_TAG_READABLE]; /* padded with zeros */
    unsigned char len;
    unsigned char tag; /* enum text_tag */
};

extern const struct text_tag_row text_tag_rows[256];
extern const unsigned char
    text_tag_masks[2 * TEXT_TAG_READABLE]; /* half of it 255, then 0 */

/* What a lower-case name of 1 to TEXT_TAG_NAME_MAX bytes stands for. TEXT_TAG_READABLE
 * bytes are read from `name` on; those behind the name do not matter. Inline, as a post
 * has a tag every hundred bytes. */
static inline enum text_tag text_tag_find(const char *name, size_t len)
{
    const unsigned char *letters = (const unsigned char *)name;
    const struct text_tag_row *row =
        &text_tag_rows[TEXT_TAG_SLOT(len, letters[0], letters[len - 1])];
    uint64_t have[2], want[2], mask[2];

    memcpy(have, name, sizeof have);
    memcpy(want, row->name, sizeof want);
    memcpy(mask, text_tag_masks + TEXT_TAG_READABLE - len, sizeof mask);
    if ((((have[0] ^ want[0]) & mask[0]) | ((have[1] ^ want[1]) & mask[1])) != 0 ||
        row->len != len)
        return TEXT_TAG_UNKNOWN;
    return row->tag;
}

/* One piece of html at a time, whatever its spelling: a tag, a comment, a reference such
 * as &eacute;. This is the reader for everything that is not frequent; what each form
 * means is said in html.h. */

struct text_markup_source {
    struct str text;     /* UTF-8 */
    bool xml;            /* the text is escaped once more, as in an XML attribute */
    bool no_comment_end; /* found out on the way: from here on no comment ends */
};

struct text_markup {
    size_t end;        /* where the text goes on behind it */
    uint32_t codes[2]; /* the characters that it stands for */
    size_t count;      /* and their number; 0 for tags and comments */
    enum text_tag tag; /* TEXT_TAG_UNKNOWN for comments too */
    bool closing;
    struct str href; /* as it stands in the text; ptr NULL when there is none */
};

/* Reads what begins at byte `at` (at < text.len), where '<', '&' or any other ASCII
 * character stands. A '<' or '&' that begins nothing is itself. Reading a text from place
 * to place takes time proportional to its length. */
struct text_markup text_markup_read(struct text_markup_source *source, size_t at);

/* --- the XML around the html --- */

/* Reads the reference that the '&' at byte `at` of a value begins; *len counts its bytes.
 * False when XML does not have it (&nbsp; &#0; or a '&' alone): *code is then
 * UTF8_REPLACEMENT, and what has the form of a reference counts as one character. */
bool text_markup_xml_reference(struct str text, size_t at, uint32_t *code, size_t *len);

/* The same for a character that is written as itself. A line end or a tab is a blank, as
 * XML has it. False when XML forbids the character, and for bytes that are not UTF-8. */
bool text_markup_xml_character(struct str text, size_t at, uint32_t *code, size_t *len);

/* The value with each of its characters as above, references as they are. */
void text_markup_xml_repair(struct str text, struct buf *out);

/* Adds the value of an attribute to out, decoded and without line ends and tabs. */
void text_markup_decode(struct str value, bool xml, struct buf *out);

/* The tags of a question in both spellings of the dumps: "<a><b>" and "|a|b|". */

/* Takes the next tag off the front; false when there is none. */
bool text_taglist_next(struct str *rest, struct str *tag);

#endif
