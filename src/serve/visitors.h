/* Who comes to the pages: the people of a task, each with a token that a link brings and
 * a cookie keeps. */
#ifndef SERVE_VISITORS_H
#define SERVE_VISITORS_H

#include "label/label.h"
#include "serve/http.h"

struct serve_visitor {
    const struct label_person *person;
    struct str token, handle;
    int wrong; /* guesses at the token ... */
    int64_t wrong_since_ms;
};

struct serve_visitors {
    struct label *label;
    struct serve_visitor *at; /* in the order of label_people() */
    size_t count;
};

/* They live in arena; tokens that are not there yet are made. */
bool serve_visitors_open(struct label *label, struct arena *arena,
                         struct serve_visitors *out, struct err *err) MUST_USE;

/* The visitor whose token it is; otherwise NULL, and *answer says why. */
struct serve_visitor *serve_visitors_recognise(struct serve_visitors *visitors,
                                               struct str token,
                                               struct serve_http_answer *answer);

/* The same by the cookie that belongs to the handle in the path. */
struct serve_visitor *serve_visitors_by_cookie(struct serve_visitors *visitors,
                                               struct str handle,
                                               const struct serve_http_request *request,
                                               struct serve_http_answer *answer);

#endif
