/* A token's beginning, the handle, names its owner and is no secret: wrong guesses at the
 * rest are counted for each, and others are not kept waiting. */
#include "serve/visitors.h"

#include "base/progress.h"
#include "serve/guard.h"
#include "serve/refuse.h"

enum {
    HANDLE_LEN = 8,        /* of the token; the rest of it is the secret */
    WRONG_MAX = 30,        /* wrong tokens for one handle ... */
    WRONG_SPAN_MS = 60000, /* ... in this time; then right ones wait as well */
};

bool visitors_open(struct label *label, struct arena *arena, struct visitors *out,
                   struct err *err)
{
    const struct label_person *people;

    *out = (struct visitors){.label = label, .count = label_people(label, &people)};
    out->at = arena_array(arena, struct visitor, out->count);
    for (size_t i = 0; i < out->count; i++) {
        struct visitor *visitor = &out->at[i];
        visitor->person = &people[i];
        if (!label_token(label, people[i].name, arena, &visitor->token, err))
            return false;
        visitor->handle = str_slice(visitor->token, 0, HANDLE_LEN);
    }
    return true;
}

static struct visitor *find_handle(struct visitors *visitors, struct str handle)
{
    for (size_t i = 0; i < visitors->count; i++)
        if (str_eq(visitors->at[i].handle, handle))
            return &visitors->at[i];
    return NULL;
}

/* Whether this visitor may try again; guesses beyond the limit are not even looked at. */
static bool may_try(struct visitor *visitor)
{
    int64_t now_ms = progress_clock_ms();

    if (now_ms - visitor->wrong_since_ms > WRONG_SPAN_MS) {
        visitor->wrong = 0;
        visitor->wrong_since_ms = now_ms;
    }
    return visitor->wrong < WRONG_MAX;
}

struct visitor *visitors_recognise(struct visitors *visitors, struct str token,
                                   struct http_answer *answer)
{
    struct visitor *visitor = find_handle(visitors, str_slice(token, 0, HANDLE_LEN));
    const struct label_person *person;
    struct err err = {0};

    if (visitor == NULL) {
        refuse_stranger(answer);
        return NULL;
    }
    if (!may_try(visitor)) {
        refuse(answer, 429, "too many wrong links; please wait a minute");
        return NULL;
    }
    if (!label_find_token(visitors->label, token, &person, &err)) {
        refuse_err(answer, &err);
        return NULL;
    }
    if (person == NULL || !str_eq(person->name, visitor->person->name)) {
        visitor->wrong++;
        refuse_stranger(answer);
        return NULL;
    }
    return visitor;
}

struct visitor *visitors_by_cookie(struct visitors *visitors, struct str handle,
                                   const struct http_request *request,
                                   struct http_answer *answer)
{
    struct buf name = {0};

    buf_add_format(&name, "assay-%.*s", STR_ARG(handle));
    struct str token = guard_cookie(request->cookies, buf_str(&name));
    buf_free(&name);
    if (!str_eq(str_slice(token, 0, HANDLE_LEN), handle)) {
        refuse_stranger(answer);
        return NULL;
    }
    return visitors_recognise(visitors, token, answer);
}
