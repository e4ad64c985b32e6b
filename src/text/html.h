/* The html of a Stack Exchange post into its parts: prose, code, links. One pass over the
 * bytes, also where they are still escaped as in the dump's XML, and no allocation once
 * the buffers have grown to the longest post.
 *
 * What is read as what:
 * - <pre> is a code block, with or without <code> in it; every other <code> is inline and
 *   stays in the prose. A <pre> that is not closed lasts to the end.
 * - Elements such as p, li, br, td begin a new line, unless the part is empty or a line
 *   has just begun; elements such as em, code, a do not part words. No other white space
 *   is added or removed.
 * - Numeric references and the names of html become characters; a reference needs its
 *   semicolon, and one that is unknown stays as it is. What is no character (bad UTF-8,
 *   NUL, &#xD800;) becomes U+FFFD. In the XML, the five names of XML and numeric
 *   references are decoded first, and what XML forbids (a control, &nbsp;, &#x1F;)
 *   becomes U+FFFD.
 * - A tag is "<" or "</", a name, attributes with or without quotes, ">". Where something
 *   else stands (no end, "<" before the end, a stray quote) the "<" is text, so that no
 *   text gets lost. Comments and <!DOCTYPE ...> are left out; one without end is text. */
#ifndef TEXT_HTML_H
#define TEXT_HTML_H

#include "base/buf.h"

/* What the caller asks for: less is faster. */
enum text_html_want {
    TEXT_HTML_PROSE = 1,  /* text outside of code blocks */
    TEXT_HTML_CODE = 2,   /* text of code blocks, each beginning a new line */
    TEXT_HTML_INLINE = 4, /* text of inline code, one a line; gives the prose as well */
    TEXT_HTML_LINKS = 8,  /* href of each <a>, decoded, one a line */
    TEXT_HTML_BODY = 16,  /* prose and code in the order of the post */
    TEXT_HTML_ALL = 31,
    TEXT_HTML_PORTABLE =
        32, /* without the processor's vectors: the same result, slower */
};

/* All zeros is a valid start. Every call overwrites what the last one left. */
struct text_html_parts {
    struct str lead; /* to be set before a call: plain text, such as a title, that goes
                        before the prose, on a line of its own; empty: none */
    struct buf prose, code, inline_code, links, body;
    size_t code_count;          /* code blocks; counted whatever the caller wants */
    size_t inline_count;        /* with TEXT_HTML_INLINE */
    size_t link_count;          /* with TEXT_HTML_LINKS */
    struct buf marks, repaired; /* what the pass itself needs */
    struct buf rendered;        /* html of what is no html: see form.h */
};

void text_html_split(struct str html, unsigned want, struct text_html_parts *parts);

/* The same from the value of an XML attribute as it stands in the file, between its
 * quotes: Body="&lt;p&gt;..." A line end or a tab that is not escaped is a blank. */
void text_html_split_xml(struct str value, unsigned want, struct text_html_parts *parts);

void text_html_parts_free(struct text_html_parts *parts);

#endif
