/* Which requests are let in, before anything else looks at them. Pages of other sites,
 * and names that lead to this machine without our knowing (DNS rebinding), must reach
 * nothing of a study. Pure: header texts in, yes or no out. */
#ifndef SERVE_GUARD_H
#define SERVE_GUARD_H

#include "base/str.h"

struct guard {
    int port;
    struct str url; /* the address that raters use, as "https://label.example.org", when a
                       proxy stands between; empty: none */
};

/* Whether a url may be given: http:// or https://, a name, perhaps a port, and no more.
 */
bool guard_is_url(struct str url);

/* The Host header: an ip address or localhost with our port, or the name in the url. */
bool guard_host(const struct guard *guard, struct str host);

/* The Origin header of a request whose Host was let in: a page of ours. */
bool guard_origin(const struct guard *guard, struct str host, struct str origin);

/* The Content-Type header: json, which no form of another site can send unasked. */
bool guard_is_json(struct str content_type);

/* The value of a cookie in the Cookie header; empty: none of that name. */
struct str guard_cookie(struct str cookies, struct str name);

#endif
