/* From the path of a request to its answer: the door, a page, or a part of the api. */
#ifndef SERVE_ROUTES_H
#define SERVE_ROUTES_H

#include "serve/aside.h"
#include "serve/visitors.h"

struct routes {
    struct label *label;
    struct aside *aside;
    struct visitors visitors;
    const struct label_picked *queue; /* for chosen rounds */
    size_t queue_count;
    bool secure; /* people come by https: cookies are for that alone */
};

/* Of a request that was admitted. */
void routes_answer(struct routes *routes, const struct http_request *request,
                   struct http_answer *answer);

#endif
