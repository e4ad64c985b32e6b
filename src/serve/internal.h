/* What the parts of the labelling server share: requests and answers, people, what is
 * made aside, and the calls that pages make. */
#ifndef SERVE_INTERNAL_H
#define SERVE_INTERNAL_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "input/json.h"
#include "label/label.h"
#include "serve/merges.h"

/* A small http server: the only file that knows libmicrohttpd. One thread; whoever calls
 * serve_http_run() answers, and a client that is slow waits alone. */
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
    struct str prefix;   /* of paths, as a proxy may leave it; taken off */
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

/* ERR_USAGE when it is not an address; ERR_SYSTEM when it cannot be listened on. */
bool serve_http_open(const struct serve_http_options *options, struct serve_http **out,
                     struct err *err) MUST_USE;
int serve_http_port(const struct serve_http *http);

/* Answers what comes within wait_ms; returns early when something came or on a signal. */
bool serve_http_run(struct serve_http *http, int wait_ms, struct err *err) MUST_USE;
void serve_http_close(struct serve_http *http); /* NULL is fine */

/* Answers that say no. What was written of another answer is taken back. */
void serve_refuse(struct serve_http_answer *answer, int status, const char *text);
void serve_refuse_unknown(struct serve_http_answer *answer);  /* no such page */
void serve_refuse_stranger(struct serve_http_answer *answer); /* nobody whom we know */

/* As the error says: 400, or 500 when the machine is to blame. */
void serve_refuse_err(struct serve_http_answer *answer, const struct err *err);

/* Writing json: values by name, commas by themselves. `name` is NULL for an element of a
 * list. */
void serve_writer_open(struct buf *out, const char *name, char bracket); /* { or [ */
void serve_writer_close(struct buf *out, char bracket);                  /* } or ] */
void serve_writer_text(struct buf *out, const char *name, struct str value);
void serve_writer_int(struct buf *out, const char *name, int64_t value);
void serve_writer_real(struct buf *out, const char *name, double value); /* NAN: null */
void serve_writer_bool(struct buf *out, const char *name, bool value);
void serve_writer_null(struct buf *out, const char *name);
void serve_writer_texts(struct buf *out, const char *name, const struct str *at,
                        size_t count);

/* Roles on the pages on merges, beside those of a labelling. */
enum { SERVE_UNIFIER = 1 << 8, SERVE_SETTLER = 1 << 9 };

/* Who comes to the pages: the people of a task, each with a token that a link brings and
 * a cookie keeps. */
struct serve_visitor {
    const struct label_person *person;
    struct str token, handle;
    int wrong; /* guesses at the token ... */
    int64_t wrong_since_ms;
};

struct serve_visitors {
    struct label *label;      /* NULL: their tokens are known here alone */
    struct serve_visitor *at; /* in the order of label_people() or of the merges' */
    size_t count;
};

/* They live in arena; tokens that are not there yet are made. Of a labelling, or of
 * merges. */
bool serve_visitors_open(struct label *label, const struct serve_merges *merges,
                         struct arena *arena, struct serve_visitors *out,
                         struct err *err) MUST_USE;

/* The visitor whose token it is; otherwise NULL, and *answer says why. */
struct serve_visitor *serve_visitors_recognise(struct serve_visitors *visitors,
                                               struct str token,
                                               struct serve_http_answer *answer);

/* The same by the cookie that belongs to the handle in the path. */
struct serve_visitor *serve_visitors_by_cookie(struct serve_visitors *visitors,
                                               struct str handle,
                                               const struct serve_http_request *request,
                                               struct serve_http_answer *answer);

/* What the lead and the arbiter are shown of all labels: agreement, states of final
 * labels, disputes. With 100,000 items it takes seconds to make; so it is made aside
 * (see serve_aside) and shown as of a moment. */
struct serve_digest {
    struct arena arena; /* holds the struct itself */
    int64_t at_ms;      /* when it was begun; since 1970 */
    int64_t changes;    /* label_changes() of what it is about */
    struct str failure; /* not empty: why there is nothing else */
    struct str json;    /* members of an object: "finals": {...}, "agreement": [...] */
    struct str blind;   /* the same for a lead who rates: of closed rounds alone */
    struct label_dispute *disputes; /* without their decisions, which are quickly found */
    size_t dispute_count;
    struct label_dispute *agreed; /* what raters agree on, to be overruled */
    size_t agreed_count;
    struct serve_told *told; /* all items: those of the task in draw order, then others */
    size_t told_count;
};

/* An item, with what raters of closed rounds said of it. */
struct serve_told {
    int64_t item;
    const struct label_dispute **disputes; /* of each dimension and unit; may be none */
    size_t count;
};

/* Never NULL. The caller hands it to serve_digest_free(). */
struct serve_digest *serve_digest_make(struct label *label);
void serve_digest_free(struct serve_digest *digest); /* NULL is fine */

/* Disputes are counted first, and behind them what raters agree on. */
const struct label_dispute *serve_digest_at(const struct serve_digest *digest, size_t i);

/* A thread of its own that follows labels.db and makes a digest whenever something has
 * come, so that nobody waits for it. It has the task open a second time. */
struct serve_aside;

/* The task is that of the label, whose study must outlive the thread. ERR_SYSTEM when the
 * machine has no thread to give. The caller hands *out to serve_aside_close(). */
bool serve_aside_open(const struct label *label, struct serve_aside **out,
                      struct err *err) MUST_USE;
void serve_aside_close(struct serve_aside *aside); /* NULL is fine */

/* The newest digest, until the next call; NULL: none has been made yet. For one thread.
 */
const struct serve_digest *serve_aside_latest(struct serve_aside *aside);

/* From the path of a request to its answer: the door, a page, or a part of the api. */
struct serve_routes {
    struct label *label; /* NULL: the pages are about merges */
    struct serve_merges *merges;
    struct serve_aside *aside;
    struct serve_visitors visitors;
    const struct label_picked *queue; /* for chosen rounds */
    size_t queue_count;
    bool secure;       /* people come by https: cookies are for that alone */
    struct str prefix; /* of the pages' paths, for which cookies are; may be empty */
    void (*tell)(void *context, const char *text); /* whoever runs it; NULL: nobody */
    void *tell_context;
    struct err trouble; /* the machine's last; none since something was saved */
    bool unsettled;     /* something was saved, see label_settle() */
};

/* What the machine said, or with no error in it that something was saved. */
void serve_routes_trouble(struct serve_routes *routes, const struct err *err);

/* Of a request that was admitted. */
void serve_routes_answer(struct serve_routes *routes,
                         const struct serve_http_request *request,
                         struct serve_http_answer *answer);

/* The pages and what they are made of, embedded in the program: src/web/ and KaTeX. */
struct serve_web_asset {
    const char *type;
    struct str bytes;
};

/* By the name below /web/, such as "rater.html"; false: there is none. */
bool serve_web_find(struct str name, struct serve_web_asset *out);

/* One request to /api/, from somebody whose token and role are right. */
struct serve_call {
    struct label *label;         /* NULL for the roles of merges, */
    struct serve_merges *merges; /* else NULL */
    struct str person;
    size_t person_number; /* among the visitors */
    unsigned roles;
    struct str rest;               /* of the path behind the name: "12"; empty: none */
    const struct input_json *body; /* an object; NULL: not sent */
    struct arena *arena;
    const struct serve_digest *digest; /* NULL: none has been made yet */
    const char *trouble;               /* why nothing can be saved; empty: nothing */
    const struct label_picked *queue;  /* for a chosen round; NULL: none */
    size_t queue_count;
    const char **type; /* of the answer, where it is not json */
};

/* Adds the members of a json object to out, which stands behind "{"; or, of what is not
 * json, the whole. */
typedef bool serve_answer(const struct serve_call *call, struct buf *out,
                          struct err *err);

serve_answer serve_task;                                       /* item.c */
serve_answer serve_image;                                      /* image.c */
serve_answer serve_next, serve_at, serve_label, serve_note;    /* rater.c */
serve_answer serve_unit, serve_span, serve_undo, serve_list;   /* rater.c */
serve_answer serve_propose, serve_reviews, serve_review;       /* rater.c */
serve_answer serve_lead, serve_round, serve_judge, serve_copy; /* lead.c */
serve_answer serve_export;                                     /* lead.c */
serve_answer serve_all, serve_thread, serve_remark;            /* all.c */
serve_answer serve_dispute, serve_item, serve_decide;          /* arbiter.c */
serve_answer serve_merging, serve_merges, serve_titles;        /* merges.c */
serve_answer serve_merge;                                      /* merges.c */

/* A long list, a part at a time (list.c). A page asks for "FROM" or "FROM/WORDS": from
 * that place on, those that have all the words, whatever their case. What is looked
 * through at a time is bounded, so that nobody waits; "next" says where to go on. */
struct serve_list {
    struct buf *out;
    size_t at; /* the place that comes next */
    size_t read, found;
    struct buf text; /* of the item at hand */
    struct str *words;
    size_t word_count;
};

bool serve_list_begin(const struct serve_call *call, struct buf *out,
                      struct serve_list *list, struct err *err) MUST_USE;
bool serve_list_goes_on(const struct serve_list *list);
void serve_list_word(struct serve_list *list, struct str text); /* to be searched */

/* Whether the item whose words came last is among them; the next one's words follow. */
bool serve_list_takes(struct serve_list *list);
void serve_list_end(struct serve_list *list, bool whole, int64_t count);

/* Whether the digest is about all that labels.db holds (lead.c). */
bool serve_is_current(const struct serve_call *call, bool *out, struct err *err) MUST_USE;

/* The members of json bodies (routes.c). Without `required` a missing one is empty, 0 or
 * false. ERR_INPUT, naming the member, when it is not what was asked for. */
enum { SERVE_OPTIONAL, SERVE_REQUIRED };
bool serve_ask_text(const struct input_json *body, const char *name, int required,
                    struct str *out, struct err *err) MUST_USE;
bool serve_ask_texts(const struct input_json *body, const char *name, struct arena *arena,
                     struct str **out, size_t *count, struct err *err) MUST_USE;
bool serve_ask_int(const struct input_json *body, const char *name, int required,
                   int64_t *out, struct err *err) MUST_USE;
bool serve_ask_real(const struct input_json *body, const char *name, double *out,
                    struct err *err) MUST_USE;
bool serve_ask_bool(const struct input_json *body, const char *name, bool *out,
                    struct err *err) MUST_USE;

/* Of html that was made harmless, the images of which the folder has copies (image.c). */
void serve_add_images(struct str html, const char *folder, struct arena *arena,
                      struct buf *out);

/* What people are told of who said something: the name or, where the study hides names, a
 * letter, which another rater has for each item (arbiter.c). */
struct str serve_name_of(const struct serve_call *call, int64_t item, struct str rater);

/* Parts of answers (item.c). images: a folder of copies; NULL: none. */
void serve_add_item(const struct label_item *item, const char *images,
                    struct arena *arena, struct buf *out);
bool serve_add_item_of(const struct serve_call *call, int64_t id, struct buf *out,
                       struct err *err) MUST_USE;
/* rater: who is said to have said it; empty: that is not told. */
void serve_add_said(const struct label_said *said, struct str rater, struct buf *out);
void serve_add_span(const struct label_span_said *span, struct str rater,
                    struct buf *out);

#endif
