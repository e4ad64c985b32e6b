/* The labelling pages: a rater's, the lead's, the arbiter's, and what they ask for as
 * json. Everybody comes by a link of their own; nobody sees more than their part.
 *
 *   /                 the door: the link's token, behind #, is exchanged for a cookie
 *   /web/NAME         scripts and styles
 *   /u/HANDLE/PAGE    rater, lead, arbiter; HANDLE is the beginning of the token
 *   /api/HANDLE/NAME  json; see the table in serve.c */
#ifndef SERVE_SERVE_H
#define SERVE_SERVE_H

#include "base/arena.h"
#include "base/err.h"
#include "label/label.h"
#include "serve/merges.h"

struct serve_options {
    struct label *label;         /* of the labelling pages; NULL: those on merges */
    struct serve_merges *merges; /* of these; else NULL */
    const char *listen;          /* an address of this machine */
    int port;                    /* 0: a free one */
    const char *url; /* what raters see when a proxy stands between; NULL: none */
    const struct label_picked *queue; /* what a chosen round may have; NULL: nothing */
    size_t queue_count;
    /* Told when the machine fails, such as a full disk; NULL: nobody. */
    void (*tell)(void *context, const char *text);
    void *tell_context;
};

struct serve;

/* The caller hands *out to serve_close(); the label outlives it. */
bool serve_open(const struct serve_options *options, struct serve **out,
                struct err *err) MUST_USE;

/* The link of each of the people, in the order of label_people(). */
struct str serve_link(const struct serve *serve, size_t person, struct arena *arena);

/* Answers requests until the user asks to stop (see stop.h). */
bool serve_run(struct serve *serve, struct err *err) MUST_USE;
bool serve_once(struct serve *serve, int wait_ms, struct err *err) MUST_USE;
void serve_close(struct serve *serve); /* NULL is fine */

#endif
