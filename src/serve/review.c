/* Labels that a change of the codebook left without a clear successor: a rater sees their
 * own and gives them a new word. */
#include "serve/internal.h"
#include "serve/writer.h"

/* How many there are, and the first of them with its item. */
bool serve_reviews(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct label_item item;
    struct label_said *said;
    size_t count;

    if (!label_reviews(call->label, call->person, call->arena, &said, &count, err))
        return false;
    writer_int(out, "count", (int64_t)count);
    if (count == 0)
        return true;
    if (!label_item(call->label, said->item, call->arena, &item, err))
        return false;
    writer_open(out, "said", '[');
    serve_add_said(said, false, out);
    writer_close(out, ']');
    serve_add_item(&item, out);
    return true;
}

bool serve_review(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct label_given given = {.rater = call->person};
    struct label_saved saved;
    struct str *codes;
    int64_t act;

    if (!serve_ask_int(call->body, "act", SERVE_REQUIRED, &act, err) ||
        !serve_ask_int(call->body, "item", SERVE_REQUIRED, &given.item, err) ||
        !serve_ask_text(call->body, "dimension", SERVE_REQUIRED, &given.dimension, err) ||
        !serve_ask_texts(call->body, "codes", call->arena, &codes, &given.code_count,
                         err) ||
        !serve_ask_text(call->body, "memo", SERVE_OPTIONAL, &given.memo, err) ||
        !serve_ask_text(call->body, "key", SERVE_REQUIRED, &given.client_key, err))
        return false;
    given.codes = codes;
    if (!label_review(call->label, act, &given, &saved, err))
        return false;
    writer_int(out, "act", saved.act);
    writer_bool(out, "repeated", saved.repeated);
    return true;
}
