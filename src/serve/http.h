/* A small http server: the only file that knows libmicrohttpd. One thread; whoever calls
 * serve_http_run() answers, and a client that is slow waits alone. */
#ifndef SERVE_HTTP_H
#define SERVE_HTTP_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

enum serve_http_method { SERVE_HTTP_GET, SERVE_HTTP_POST, SERVE_HTTP_OTHER };

/* Header texts are empty where they were not sent. */
struct serve_http_request {
    enum serve_http_method method;
    struct str path; /* as sent: nothing is decoded, without the query */
    struct str host, origin, content_type, cookies, fetch_site;
    struct str body;
    struct arena *arena; /* lasts until the answer is sent */
};

struct serve_http_answer {
    int status;
    const char *type;     /* of the body */
    const char *location; /* NULL: none */
    const char *cookie;   /* NULL: none */
    struct buf body;
};

struct serve_http_options {
    const char *address; /* to listen on: 127.0.0.1, ::1, 0.0.0.0 */
    int port;            /* 0: a free one */
    size_t body_max;     /* a larger body is refused */
    void *context;
    /* Whether the body of a request is to be read at all; if not, *answer says why. */
    bool (*admit)(void *context, const struct serve_http_request *request,
                  struct serve_http_answer *answer);
    void (*handle)(void *context, const struct serve_http_request *request,
                   struct serve_http_answer *answer);
    /* Some requests are better answered with others: those that have come in at the same
     * time are handed over at once, so that they share one wait for the disk. */
    bool (*is_shared)(void *context, const struct serve_http_request *request);
    void (*handle_shared)(void *context, const struct serve_http_request *const *requests,
                          struct serve_http_answer *const *answers, size_t count);
};

struct serve_http;

/* ERR_USAGE when the address is none; ERR_SYSTEM when it cannot be listened on. */
bool serve_http_open(const struct serve_http_options *options, struct serve_http **out,
                     struct err *err) MUST_USE;
int serve_http_port(const struct serve_http *http);

/* Answers what comes within wait_ms; returns early when something came or on a signal. */
bool serve_http_run(struct serve_http *http, int wait_ms, struct err *err) MUST_USE;
void serve_http_close(struct serve_http *http); /* NULL is fine */

#endif
