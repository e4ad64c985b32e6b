/* A server of models, as requests to it need it: its address, the key that lets us in,
 * what it says of itself. Keys come from an environment variable; they are never stored
 * and never shown. */
#ifndef MODEL_SERVER_H
#define MODEL_SERVER_H

#include "base/buf.h"
#include "base/err.h"
#include "base/progress.h"
#include "net/net.h"

enum {
    MODEL_SERVER_SENDS_MAX = 8,    /* of one request, to a server that does not answer */
    MODEL_SERVER_REJECTED_MAX = 5, /* requests in a row that a server does not take */
};

struct model_server {
    struct str url;    /* up to, not including, /v1; or of one without it all of it */
    struct str model;  /* as it is asked for */
    struct str key_of; /* the environment variable; empty: there is no key */
    const char *headers[3]; /* of requests */
    struct str key;
    struct str digest;   /* of the model's weights, where the server tells */
    struct arena *arena; /* of these */
    char away[100];      /* why it is left alone: "the server answers 429" */
    char shown[200];     /* what progress says meanwhile */
};

/* Where requests go: `url` and "/v1" and `what`, such as "/chat/completions", unless url
 * ends with that. Lives in arena. */
const char *model_server_address(struct str url, const char *what, struct arena *arena);

/* Reads the key; url, model, key_of and arena are set. ERR_INPUT when the variable is
 * not set, or holds what can be no key; `who` needs it: "the model 'x'". */
bool model_server_read_key(struct model_server *server, const char *who,
                           struct err *err) MUST_USE;

/* A text of the server's with *** where the key was. */
struct str model_server_without_key(const struct model_server *server, struct str text,
                                    struct arena *arena);

/* What it says that is wrong, as one line for people. */
struct str model_server_said(struct str body, struct arena *arena);

/* What it says of itself: the models of the standard, the properties of llama.cpp, the
 * version of vLLM and Ollama, whose tags have digests; an object with a member for each
 * way that was answered. Empty where none was, which is no error. */
struct str model_server_ask(struct model_server *server);

/* Whether a request is to be sent again later: nothing came, or a limit of rate. */
bool model_server_is_away(const struct net_answer *answer);

/* Or whether there is no use in it: it was sent so often, the server asks to wait for
 * more than an hour, or what was paid for is used up. */
bool model_server_is_over(const struct net_answer *answer, int64_t sent);

/* For how long, in milliseconds, after so many times; notes why. */
double model_server_pause_ms(struct model_server *server, const struct net_answer *answer,
                             int64_t sent);

/* What progress says while nothing is sent for so many milliseconds: `what`, and that, if
 * it is long. */
void model_server_show_wait(struct model_server *server, struct progress *progress,
                            const char *what, int64_t ms);

/* It is over: ERR_SYSTEM, with what the server says, and `then`. */
bool model_server_gave_up(const struct model_server *server,
                          const struct net_answer *answer, const char *then,
                          struct arena *arena, struct err *err);

/* A status that ends all: a key that is not taken, an address that does not exist. */
bool model_server_refused(const struct model_server *server,
                          const struct net_answer *answer, struct arena *arena,
                          struct err *err);

/* ", 12 sent again", where there are any. */
void model_server_tell(struct buf *out, int64_t count, const char *what);

#endif
