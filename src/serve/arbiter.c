/* What an arbiter asks for: where raters of closed rounds differ, the post, and storing a
 * decision with its reason. */
#include "serve/internal.h"
#include "serve/writer.h"

static void add_decision(const struct label_decision *decision, struct buf *out)
{
    if (decision->id == 0) {
        writer_null(out, "decision");
        return;
    }
    writer_open(out, "decision", '{');
    writer_text(out, "by", decision->by);
    writer_texts(out, "codes", decision->codes, decision->code_count);
    writer_text(out, "reason", str_from(label_reason_word(decision->reason)));
    writer_text(out, "text", decision->text);
    writer_close(out, '}');
}

bool serve_disputes(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct label_dispute *disputes;
    size_t count;

    if (!label_disputes(call->label, call->arena, &disputes, &count, err))
        return false;
    writer_open(out, "disputes", '[');
    for (size_t i = 0; i < count; i++) {
        const struct label_dispute *dispute = &disputes[i];
        writer_open(out, NULL, '{');
        writer_int(out, "item", dispute->item);
        writer_text(out, "dimension", dispute->dimension);
        writer_open(out, "said", '[');
        for (size_t k = 0; k < dispute->said_count; k++)
            serve_add_said(&dispute->said[k], true, out);
        writer_close(out, ']');
        add_decision(&dispute->decision, out);
        writer_close(out, '}');
    }
    writer_close(out, ']');
    return true;
}

bool serve_item(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct label_item item;
    int64_t id;

    if (!str_to_int(call->rest, &id))
        return err_set(err, ERR_INPUT, "'%.*s' is no id of an item", STR_ARG(call->rest));
    if (!label_item(call->label, id, call->arena, &item, err))
        return false;
    serve_add_item(&item, out);
    return true;
}

bool serve_decide(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct label_decision decision = {.by = call->person};
    const json_t *body = call->body;
    struct str reason;

    if (!serve_ask_int(body, "item", SERVE_REQUIRED, &decision.item, err) ||
        !serve_ask_text(body, "dimension", SERVE_REQUIRED, &decision.dimension, err) ||
        !serve_ask_texts(body, "codes", call->arena, &decision.codes,
                         &decision.code_count, err) ||
        !serve_ask_text(body, "reason", SERVE_REQUIRED, &reason, err) ||
        !serve_ask_text(body, "text", SERVE_OPTIONAL, &decision.text, err))
        return false;
    if (!label_reason_find(reason, &decision.reason))
        return err_set(err, ERR_INPUT, "unknown reason '%.*s'", STR_ARG(reason));
    if (!label_decide(call->label, &decision, err))
        return false;
    writer_int(out, "id", decision.id);
    return true;
}
