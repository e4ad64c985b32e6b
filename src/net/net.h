/* Asking servers over HTTP: one question after the other, whose answer streams in, or
 * several at once. The only folder that sees libcurl. */
#ifndef NET_NET_H
#define NET_NET_H

#include "base/buf.h"
#include "base/err.h"

/* A question. Texts are borrowed until it is answered. */
struct net_request {
    const char *url;
    const char *const *headers; /* "Name: value", up to NULL; NULL: none */
    bool get;                   /* without a body */
    bool packed; /* the answer may come packed (gzip and the like): it is unpacked */
    struct str body;
    long seconds;        /* all of it may take; 0: as long as it likes */
    long silent_seconds; /* as long as nothing comes; 0: as long as it likes */
    bool whole;          /* an answer of which nothing tells where it ends is an error */
};

struct net; /* a connection that is kept from one question to the next */

/* NULL: there is no memory. */
struct net *net_open(void);
void net_close(struct net *net); /* NULL is fine */

/* What an answer brings, piece by piece; false ends it. */
typedef bool net_take(void *context, long status, struct str piece);

/* Why an answer did not come whole: nothing came for silent_seconds, or not all of it in
 * `seconds`. */
extern const char net_silence[];

/* Or nothing tells whether it did: neither its length nor a last piece of it. */
extern const char net_endless[];

/* Or a server is there, and cannot show that it is the one that was meant. */
extern const char net_untrusted[];

/* *status is 0 where no answer came. Why it did not come whole; NULL: it did. Whoever
 * asks the program to stop ends it. */
const char *net_ask(struct net *net, const struct net_request *request, net_take *take,
                    void *context, long *status) MUST_USE;

/* An answer that is read whole. */
struct net_answer {
    long status;     /* 0: none came */
    const char *why; /* it is not whole; NULL: it is */
    struct str body; /* as far as it came; at most NET_BODY_MAX */
    double wait;     /* seconds that the server asks to wait; NAN: it does not */
    double took;     /* seconds */
    const char *to;  /* the address that it points to instead; NULL: none */
};

enum { NET_BODY_MAX = 16 << 20 };

/* Several questions at once. */
struct net_pool;

struct net_pool *net_pool_open(void);       /* NULL: there is no memory */
void net_pool_close(struct net_pool *pool); /* ends what is on its way; NULL is fine */

/* Asks; `about` comes back with the answer. ERR_SYSTEM when that cannot be begun. What is
 * asked goes out as far as that takes no waiting; the rest as other functions are called.
 */
bool net_pool_add(struct net_pool *pool, const struct net_request *request, void *about,
                  struct err *err) MUST_USE;

/* The next answer, which lasts until the next call; false: none came within so many
 * milliseconds. */
bool net_pool_next(struct net_pool *pool, long ms, struct net_answer *out, void **about);

/* Lets all that is on its way go on, without waiting: for who has much else to do before
 * the next answer is wanted. */
void net_pool_move(struct net_pool *pool); /* NULL is fine */

/* Waits, unless somebody asks the program to stop. */
void net_pause(long ms);

#endif
