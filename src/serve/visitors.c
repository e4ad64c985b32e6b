/* A token's beginning, the handle, names its owner and is no secret: wrong guesses at the
 * rest are counted for each. The right one is always taken, or anybody who knows a handle
 * could lock its owner out; 96 bits are not guessed. */
#include "serve/internal.h"

#include "base/progress.h"
#include "serve/guard.h"

enum {
    HANDLE_LEN = 8,        /* of the token; the rest of it is the secret */
    WRONG_MAX = 30,        /* wrong tokens for one handle ... */
    WRONG_SPAN_MS = 60000, /* ... in this time; then wrong ones are told to wait */
};

bool serve_visitors_open(struct label *label, const struct serve_merges *merges,
                         struct arena *arena, struct serve_visitors *out, struct err *err)
{
    const struct label_person *people;
    size_t count = label != NULL ? label_people(label, &people)
                                 : serve_merges_people(merges, &people);

    *out = (struct serve_visitors){.label = label, .count = count};
    out->at = arena_array(arena, struct serve_visitor, out->count);
    for (size_t i = 0; i < out->count; i++) {
        struct serve_visitor *visitor = &out->at[i];
        visitor->person = &people[i];
        if (label != NULL
                ? !label_token(label, people[i].name, arena, &visitor->token, err)
                : !serve_merges_token(merges, people[i].name, arena, &visitor->token,
                                      err))
            return false;
        visitor->handle = str_slice(visitor->token, 0, HANDLE_LEN);
    }
    return true;
}

static struct serve_visitor *find_handle(struct serve_visitors *visitors,
                                         struct str handle)
{
    for (size_t i = 0; i < visitors->count; i++)
        if (str_eq(visitors->at[i].handle, handle))
            return &visitors->at[i];
    return NULL;
}

/* Whether another wrong guess at this visitor's token is one too many. */
static bool is_too_many(struct serve_visitor *visitor)
{
    int64_t now_ms = progress_clock_ms();

    if (now_ms - visitor->wrong_since_ms > WRONG_SPAN_MS) {
        visitor->wrong = 0;
        visitor->wrong_since_ms = now_ms;
    }
    return ++visitor->wrong > WRONG_MAX;
}

/* In the same time wherever they differ. */
static bool is_same(struct str token, struct str other)
{
    unsigned differ = token.len != other.len;

    for (size_t i = 0; i < token.len && i < other.len; i++)
        differ |= (unsigned char)token.ptr[i] ^ (unsigned char)other.ptr[i];
    return differ == 0;
}

struct serve_visitor *serve_visitors_recognise(struct serve_visitors *visitors,
                                               struct str token,
                                               struct serve_http_answer *answer)
{
    struct serve_visitor *visitor =
        find_handle(visitors, str_slice(token, 0, HANDLE_LEN));
    const struct label_person *person = NULL;
    struct err err = {0};

    if (visitor == NULL) {
        serve_refuse_stranger(answer);
        return NULL;
    }
    if (visitors->label == NULL)
        person = is_same(token, visitor->token) ? visitor->person : NULL;
    else if (!label_find_token(visitors->label, token, &person, &err)) {
        serve_refuse_err(answer, &err);
        return NULL;
    }
    if (person == NULL || !str_eq(person->name, visitor->person->name)) {
        if (is_too_many(visitor))
            serve_refuse(answer, 429, "too many wrong links; please wait a minute");
        else
            serve_refuse_stranger(answer);
        return NULL;
    }
    return visitor;
}

struct serve_visitor *serve_visitors_by_cookie(struct serve_visitors *visitors,
                                               struct str handle,
                                               const struct serve_http_request *request,
                                               struct serve_http_answer *answer)
{
    struct buf name = {0};

    buf_add_format(&name, "assay-%.*s", STR_ARG(handle));
    struct str token = serve_guard_cookie(request->cookies, buf_str(&name));
    buf_free(&name);
    if (!str_eq(str_slice(token, 0, HANDLE_LEN), handle)) {
        serve_refuse_stranger(answer);
        return NULL;
    }
    return serve_visitors_recognise(visitors, token, answer);
}
