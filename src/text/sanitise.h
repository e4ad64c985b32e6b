/* The html of posts made harmless: what comes out is made of a short list of elements
 * without attributes, of links, and of text. A post may say anything, and is shown on a
 * page that may save labels; so nothing of it is passed on that is not known. */
#ifndef TEXT_SANITISE_H
#define TEXT_SANITISE_H

#include "base/buf.h"

/* Elements inside one another; further ones are left out, their text stays. */
enum { TEXT_SANITISE_DEPTH_MAX = 60 };

/* Adds the html to out: UTF-8, every element closed. Allowed are p br pre code blockquote
 * ul ol li dl dt dd h1 h2 h3 strong em del kbd sub sup hr and those of tables; b and i
 * become strong and em, smaller headings h3. Of other elements, the text stays, but that
 * of script, style and the like goes. A link leads to http, https or mailto, opens a new
 * page and tells nothing of this one. An image becomes a link to it, since nothing is
 * loaded from elsewhere; one that stands in a link, as on Stack Exchange, leaves that
 * where it leads. Such html begins with TEXT_SANITISE_IMAGE, and the first attribute
 * behind it, href or data-image, is the address of the image. The language of code, where
 * a class, lang or a comment of Stack Exchange names it, is a class lang-NAME of pre or
 * code. Doing it twice changes nothing. */
#define TEXT_SANITISE_IMAGE "<a class=\"image\" "

void text_sanitise_html(struct str html, struct buf *out);

#endif
