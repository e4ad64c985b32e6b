/* What an arbiter asks for: where raters of closed rounds differ, the post, and storing a
 * decision with its reason. */
#include "serve/internal.h"

static void add_decision(const struct label_decision *decision, struct buf *out)
{
    if (decision->id == 0) {
        serve_writer_null(out, "decision");
        return;
    }
    serve_writer_open(out, "decision", '{');
    serve_writer_text(out, "by", decision->by);
    serve_writer_texts(out, "codes", decision->codes, decision->code_count);
    serve_writer_text(out, "reason", str_from(label_reason_word(decision->reason)));
    serve_writer_text(out, "text", decision->text);
    if (decision->no_unit)
        serve_writer_bool(out, "no_unit", true);
    serve_writer_close(out, '}');
}

/* How many are decided, and the first from `from` on, round about, that is not; -1: none.
 */
static bool count_settled(const struct serve_call *call, size_t from, int64_t *settled,
                          int64_t *open, struct err *err)
{
    size_t count = call->digest->dispute_count;
    bool *done = arena_array(call->arena, bool, count + 1);

    *settled = 0;
    *open = -1;
    if (!label_settled(call->label, call->digest->disputes, count, done, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        size_t at = (from + i) % count;
        *settled += done[at];
        if (!done[at] && *open < 0)
            *open = (int64_t)at;
    }
    return true;
}

/* The unit in dispute, and all units of the item with what each rater marked. */
static bool add_units(const struct serve_call *call, const struct label_dispute *dispute,
                      struct buf *out, struct err *err)
{
    struct label_unit_out *units;
    size_t count;

    if (!label_units(call->label, dispute->item, call->arena, &units, &count, err))
        return false;
    serve_writer_text(out, "unit", dispute->unit);
    serve_writer_open(out, "units", '[');
    for (size_t i = 0; i < count; i++) {
        serve_writer_open(out, NULL, '{');
        serve_writer_text(out, "unit", units[i].unit);
        serve_writer_bool(out, "rejected", units[i].rejected);
        serve_writer_open(out, "marks", '[');
        for (size_t m = 0; m < units[i].mark_count; m++) {
            serve_writer_open(out, NULL, '{');
            serve_writer_text(out, "rater", units[i].marks[m].rater);
            serve_writer_text(out, "place", units[i].marks[m].place);
            serve_writer_text(out, "name", units[i].marks[m].called);
            serve_writer_close(out, '}');
        }
        serve_writer_close(out, ']');
        serve_writer_close(out, '}');
    }
    serve_writer_close(out, ']');
    return true;
}

static bool add_dispute(const struct serve_call *call, size_t at, struct buf *out,
                        struct err *err)
{
    const struct label_dispute *dispute = &call->digest->disputes[at];
    struct label_decision decision;

    if (!label_decided(call->label, dispute->item, dispute->unit, dispute->dimension,
                       call->arena, &decision, err))
        return false;
    serve_writer_int(out, "at", (int64_t)at);
    serve_writer_open(out, "dispute", '{');
    serve_writer_int(out, "item", dispute->item);
    serve_writer_text(out, "dimension", dispute->dimension);
    serve_writer_open(out, "said", '[');
    for (size_t k = 0; k < dispute->said_count; k++)
        serve_add_said(&dispute->said[k], true, out);
    serve_writer_close(out, ']');
    add_decision(&decision, out);
    bool ok = dispute->unit.len == 0 || add_units(call, dispute, out, err);
    serve_writer_close(out, '}');
    return ok;
}

/* Which one is asked for: "" the first that is open, "12" that one, round about, and
 * "item/34" the first on that item. */
static bool find_dispute(const struct serve_call *call, int64_t *at, struct err *err)
{
    const struct serve_digest *digest = call->digest;
    struct str rest = call->rest, head = rest;
    int64_t number = 0;
    bool item = str_cut(&rest, '/', &head) && str_eq(head, STR("item"));

    *at = -1;
    if (call->rest.len == 0)
        return true;
    if (!str_to_int(item ? rest : call->rest, &number) || (!item && number < 0))
        return err_set(err, ERR_INPUT, "'%.*s' is no dispute", STR_ARG(call->rest));
    if (!item && digest->dispute_count > 0)
        *at = number % (int64_t)digest->dispute_count;
    for (size_t i = 0; item && *at < 0 && i < digest->dispute_count; i++)
        if (digest->disputes[i].item == number)
            *at = (int64_t)i;
    return !item || *at >= 0 ||
           err_set(err, ERR_INPUT, "raters do not differ on this item");
}

/* One at a time: there may be thousands. */
bool serve_dispute(const struct serve_call *call, struct buf *out, struct err *err)
{
    const struct serve_digest *digest = call->digest;
    int64_t at, settled, open;
    bool current;

    if (!serve_is_current(call, &current, err))
        return false;
    serve_writer_bool(out, "current", current);
    if (digest == NULL) {
        serve_writer_null(out, "as_of");
        return true;
    }
    if (digest->failure.len > 0)
        return err_set(err, ERR_SYSTEM, "%.*s", STR_ARG(digest->failure));
    if (!find_dispute(call, &at, err) ||
        !count_settled(call, at < 0 ? 0 : (size_t)at, &settled, &open, err))
        return false;
    if (at < 0)
        at = open < 0 ? 0 : open;
    serve_writer_int(out, "as_of", digest->at_ms);
    serve_writer_int(out, "count", (int64_t)digest->dispute_count);
    serve_writer_int(out, "settled", settled);
    serve_writer_int(out, "open", open);
    return digest->dispute_count == 0 || add_dispute(call, (size_t)at, out, err);
}

bool serve_item(const struct serve_call *call, struct buf *out, struct err *err)
{
    int64_t id;

    if (!str_to_int(call->rest, &id))
        return err_set(err, ERR_INPUT, "'%.*s' is no id of an item", STR_ARG(call->rest));
    return serve_add_item_of(call, id, out, err);
}

bool serve_decide(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct label_decision decision = {.by = call->person};
    const struct input_json *body = call->body;
    struct str reason;

    if (!serve_ask_int(body, "item", SERVE_REQUIRED, &decision.item, err) ||
        !serve_ask_text(body, "unit", SERVE_OPTIONAL, &decision.unit, err) ||
        !serve_ask_bool(body, "no_unit", &decision.no_unit, err) ||
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
    serve_writer_int(out, "id", decision.id);
    return true;
}
