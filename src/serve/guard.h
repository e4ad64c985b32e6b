/* Which requests are let in, before anything else looks at them. Pages of other sites,
 * and names that lead to this machine without our knowing (DNS rebinding), must reach
 * nothing of a study. Pure: header texts in, yes or no out. */
#ifndef SERVE_GUARD_H
#define SERVE_GUARD_H

#include "base/str.h"

struct serve_guard {
    struct str url; /* the address that raters use, as "https://label.example.org/study",
                       when a proxy stands between; empty: none */
};

/* Whether a url may be given: http:// or https://, a name, perhaps a port, perhaps a path
 * that does not end in a slash, and no more. */
bool serve_guard_is_url(struct str url);

/* The path in a url: "/study"; empty: none. */
struct str serve_guard_path(struct str url);

/* The Host header: an ip address or localhost, or the name in the url. Any port will do:
 * that of a tunnel (ssh -L) is another than ours, and a foreign name is what tells a
 * rebinding. */
bool serve_guard_host(const struct serve_guard *guard, struct str host);

/* The Origin header of a request whose Host was let in: a page of ours. */
bool serve_guard_origin(const struct serve_guard *guard, struct str host,
                        struct str origin);

/* The Content-Type header: json, which no form of another site can send unasked. */
bool serve_guard_is_json(struct str content_type);

/* The value of a cookie in the Cookie header; empty: none of that name. */
struct str serve_guard_cookie(struct str cookies, struct str name);

#endif
