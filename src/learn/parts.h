/* A post as a classifier sees it: five parts, each of which becomes features of its own.
 */
#ifndef LEARN_PARTS_H
#define LEARN_PARTS_H

#include "text/html.h"

enum parts_name {
    PARTS_TITLE,
    PARTS_PROSE,
    PARTS_CODE,
    PARTS_INLINE,
    PARTS_TAGS,
    PARTS_COUNT,
};

/* As the study file calls them: "title", "inline-code". */
extern const char *const parts_names[PARTS_COUNT];

struct parts {
    struct str at[PARTS_COUNT];
};

/* What splitting needs; a zeroed one is ready, and is used for post after post. */
struct parts_splitter {
    struct html_parts html;
    struct buf prose, code, inline_code;
};

void parts_splitter_free(struct parts_splitter *splitter);

/* Sets prose, code and inline code from a body: html when it has a paragraph or a code
 * element of html, else Markdown, whose fences (``` or ~~~) are code and whose single
 * backticks are inline code. Inline code stays in the prose as well. They last until the
 * next call. */
void parts_split(struct str body, struct parts_splitter *splitter, struct parts *parts);

/* The same, but what *parts has already stays. */
void parts_complete(struct str body, struct parts_splitter *splitter,
                    struct parts *parts);

#endif
