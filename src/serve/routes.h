/* From the path of a request to its answer: the door, a page, or a part of the api. */
#ifndef SERVE_ROUTES_H
#define SERVE_ROUTES_H

#include "serve/aside.h"
#include "serve/visitors.h"

struct serve_routes {
    struct label *label;
    struct serve_aside *aside;
    struct serve_visitors visitors;
    const struct label_picked *queue; /* for chosen rounds */
    size_t queue_count;
    bool secure; /* people come by https: cookies are for that alone */
};

/* Of a request that was admitted. */
void serve_routes_answer(struct serve_routes *routes,
                         const struct serve_http_request *request,
                         struct serve_http_answer *answer);

#endif
