/* Who comes to the pages: the people of a task, each with a token that a link brings and
 * a cookie keeps. */
#ifndef SERVE_VISITORS_H
#define SERVE_VISITORS_H

#include "label/label.h"
#include "serve/http.h"

struct visitor {
    const struct label_person *person;
    struct str token, handle;
    int wrong; /* guesses at the token ... */
    int64_t wrong_since_ms;
};

struct visitors {
    struct label *label;
    struct visitor *at; /* in the order of label_people() */
    size_t count;
};

/* They live in arena; tokens that are not there yet are made. */
bool visitors_open(struct label *label, struct arena *arena, struct visitors *out,
                   struct err *err) MUST_USE;

/* The visitor whose token it is; otherwise NULL, and *answer says why. */
struct visitor *visitors_recognise(struct visitors *visitors, struct str token,
                                   struct http_answer *answer);

/* The same by the cookie that belongs to the handle in the path. */
struct visitor *visitors_by_cookie(struct visitors *visitors, struct str handle,
                                   const struct http_request *request,
                                   struct http_answer *answer);

#endif
