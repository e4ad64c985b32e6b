/* The pages and what they are made of: src/web/, embedded in the program. */
#ifndef SERVE_WEB_H
#define SERVE_WEB_H

#include "base/str.h"

struct serve_web_asset {
    struct str name; /* "rater.html" */
    const char *type;
    const unsigned char *bytes;
    const size_t *len;
};

const struct serve_web_asset *serve_web_find(struct str name); /* NULL: none */
struct str serve_web_text(const struct serve_web_asset *asset);

#endif
