/* What the answers to the pages share: a call, its parts, and the list of them. */
#ifndef SERVE_INTERNAL_H
#define SERVE_INTERNAL_H

#include <jansson.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "label/label.h"
#include "serve/digest.h"

/* One request to /api/, from somebody whose token and role are right. */
struct serve_call {
    struct label *label;
    struct str person;
    unsigned roles;
    struct str rest;    /* of the path behind the name: "12"; empty: none */
    const json_t *body; /* an object; NULL: not sent */
    struct arena *arena;
    const struct serve_digest *digest; /* NULL: none has been made yet */
    const struct label_picked *queue;  /* for a chosen round; NULL: none */
    size_t queue_count;
};

/* Adds the members of a json object to out, which stands behind "{". */
typedef bool serve_answer(const struct serve_call *call, struct buf *out,
                          struct err *err);

serve_answer serve_task;                                    /* task.c */
serve_answer serve_next, serve_at, serve_label, serve_undo; /* rater.c */
serve_answer serve_propose, serve_reviews, serve_review;    /* rater.c */
serve_answer serve_lead, serve_round, serve_judge;          /* lead.c */
serve_answer serve_dispute, serve_item, serve_decide;       /* arbiter.c */

/* Whether the digest is about all that labels.db holds (lead.c). */
bool serve_is_current(const struct serve_call *call, bool *out, struct err *err) MUST_USE;

/* The members of json bodies (routes.c). Without `required` a missing one is empty, 0 or
 * false. ERR_INPUT, naming the member, when it is not what was asked for. */
enum { SERVE_OPTIONAL, SERVE_REQUIRED };
bool serve_ask_text(const json_t *body, const char *name, int required, struct str *out,
                    struct err *err) MUST_USE;
bool serve_ask_texts(const json_t *body, const char *name, struct arena *arena,
                     struct str **out, size_t *count, struct err *err) MUST_USE;
bool serve_ask_int(const json_t *body, const char *name, int required, int64_t *out,
                   struct err *err) MUST_USE;
bool serve_ask_real(const json_t *body, const char *name, double *out,
                    struct err *err) MUST_USE;
bool serve_ask_bool(const json_t *body, const char *name, bool *out,
                    struct err *err) MUST_USE;

/* Parts of answers (item.c). */
void serve_add_item(const struct label_item *item, struct buf *out);
void serve_add_said(const struct label_said *said, bool with_rater, struct buf *out);
void serve_add_known(struct buf *out, const char *name, int64_t value); /* or null */

#endif
