/* What an arbiter asks for: where raters of closed rounds differ, the post, and storing a
 * decision with its reason. */
#include <glib.h>
#include <stdlib.h>

#include "base/rng.h"
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

struct str serve_name_of(const struct serve_call *call, int64_t item, struct str rater)
{
    const struct study_labelling *settings = label_task(call->label)->settings;
    uint64_t own = 0, *ranks = arena_array(call->arena, uint64_t, settings->rater_count);
    size_t before = 0;

    if (!settings->names_hidden)
        return rater;
    for (size_t i = 0; i < settings->rater_count; i++) {
        struct rng rng = rng_stream(settings->seed, i, (uint64_t)item);
        ranks[i] = rng_next(&rng);
        if (str_eq(settings->raters[i], rater))
            own = ranks[i];
    }
    for (size_t i = 0; i < settings->rater_count; i++)
        before += ranks[i] < own;
    return before < 26 ? arena_format(call->arena, "%c", (int)('A' + before))
                       : arena_format(call->arena, "%zu", before + 1);
}

static int compare_names(const void *a, const void *b)
{
    return str_compare(*(const struct str *)a, *(const struct str *)b);
}

/* Each as the arbiter is to know it: without names, by letter. */
static void add_said(const struct serve_call *call, const struct label_dispute *dispute,
                     struct buf *out)
{
    struct str *names = arena_array(call->arena, struct str, dispute->said_count + 1);

    for (size_t i = 0; i < dispute->said_count; i++)
        names[i] = serve_name_of(call, dispute->item, dispute->said[i].rater);
    if (label_task(call->label)->settings->names_hidden)
        qsort(names, dispute->said_count, sizeof *names, compare_names);
    serve_writer_open(out, "said", '[');
    for (size_t n = 0; n < dispute->said_count; n++)
        for (size_t i = 0; i < dispute->said_count; i++)
            if (str_eq(serve_name_of(call, dispute->item, dispute->said[i].rater),
                       names[n]))
                serve_add_said(&dispute->said[i], names[n], out);
    serve_writer_close(out, ']');
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
            serve_writer_text(
                out, "rater",
                serve_name_of(call, dispute->item, units[i].marks[m].rater));
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

/* What each rater marked as evidence in the item. */
static bool add_spans(const struct serve_call *call, const struct label_dispute *dispute,
                      struct buf *out, struct err *err)
{
    struct label_span_said *spans;
    size_t count;

    if (label_task(call->label)->settings->spans == STUDY_SPANS_NO)
        return true;
    if (!label_spans_of(call->label, dispute->item, call->arena, &spans, &count, err))
        return false;
    struct str *names = arena_array(call->arena, struct str, count + 1);
    size_t *order = arena_array(call->arena, size_t, count + 1);
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        names[i] = serve_name_of(call, dispute->item, spans[i].rater);
        /* Without names the study's order must not tell who is who. */
        for (; label_task(call->label)->settings->names_hidden && at > 0 &&
               str_compare(names[order[at - 1]], names[i]) > 0;
             at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    serve_writer_open(out, "spans", '[');
    for (size_t i = 0; i < count; i++)
        serve_add_span(&spans[order[i]], names[order[i]], out);
    serve_writer_close(out, ']');
    return true;
}

/* All that can be decided on the item: its dimensions and units, in dispute or not. */
static void add_others(const struct serve_digest *digest, int64_t item, struct buf *out)
{
    serve_writer_open(out, "others", '[');
    for (size_t i = 0; i < digest->dispute_count + digest->agreed_count; i++) {
        const struct label_dispute *one = serve_digest_at(digest, i);
        if (one->item != item)
            continue;
        serve_writer_open(out, NULL, '{');
        serve_writer_int(out, "at", (int64_t)i);
        serve_writer_bool(out, "agreed", i >= digest->dispute_count);
        serve_writer_text(out, "unit", one->unit);
        serve_writer_text(out, "dimension", one->dimension);
        serve_writer_close(out, '}');
    }
    serve_writer_close(out, ']');
}

static bool add_dispute(const struct serve_call *call, size_t at, struct buf *out,
                        struct err *err)
{
    const struct serve_digest *digest = call->digest;
    bool agreed = at >= digest->dispute_count;
    const struct label_dispute *dispute = serve_digest_at(digest, at);
    struct label_decision decision;

    if (!label_decided(call->label, dispute->item, dispute->unit, dispute->dimension,
                       call->arena, &decision, err))
        return false;
    serve_writer_int(out, "at", (int64_t)at);
    serve_writer_open(out, "dispute", '{');
    serve_writer_int(out, "item", dispute->item);
    serve_writer_bool(out, "agreed", agreed);
    serve_writer_text(out, "dimension", dispute->dimension);
    add_said(call, dispute, out);
    add_others(digest, dispute->item, out);
    add_decision(&decision, out);
    bool ok = (dispute->unit.len == 0 || add_units(call, dispute, out, err)) &&
              add_spans(call, dispute, out, err);
    serve_writer_close(out, '}');
    return ok;
}

/* What an item is called, as a browser sends it: with %2F and the like. */
static bool read_key(const struct serve_call *call, struct str escaped, int64_t *out,
                     struct err *err)
{
    char *key = g_uri_unescape_segment(escaped.ptr, escaped.ptr + escaped.len, NULL);
    bool ok = item_key_read(&label_task(call->label)->study->spaces,
                            key != NULL ? str_from(key) : escaped, out, err);

    g_free(key);
    return ok;
}

/* Which one is asked for: "" the first that is open, "12" that dispute, round about,
 * "item/34" or "key/ai:34" the first on that item, or what raters agree on there, and
 * "at/56" the one of that number, in dispute or not. */
static bool find_dispute(const struct serve_call *call, int64_t *at, struct err *err)
{
    const struct serve_digest *digest = call->digest;
    struct str rest = call->rest, head = rest;
    int64_t number = 0;
    bool below = str_cut(&rest, '/', &head), key = below && str_eq(head, STR("key")),
         item = key || (below && str_eq(head, STR("item")));
    int64_t all = (int64_t)(digest->dispute_count + digest->agreed_count);

    *at = -1;
    if (call->rest.len == 0)
        return true;
    if (below && str_eq(head, STR("at")) && str_to_int(rest, at) && *at >= 0 && *at < all)
        return true;
    *at = -1;
    if (key && !read_key(call, rest, &number, err))
        return false;
    if (item && !key && !str_to_int(rest, &number))
        return err_set(err, ERR_INPUT, "'%.*s' is no item", STR_ARG(rest));
    if (!item && (!str_to_int(call->rest, &number) || number < 0))
        return err_set(err, ERR_INPUT, "'%.*s' is no dispute", STR_ARG(call->rest));
    if (!item && digest->dispute_count > 0)
        *at = number % (int64_t)digest->dispute_count;
    for (size_t i = 0; item && *at < 0 && i < digest->dispute_count; i++)
        if (digest->disputes[i].item == number)
            *at = (int64_t)i;
    for (size_t i = 0; item && *at < 0 && i < digest->agreed_count; i++)
        if (digest->agreed[i].item == number)
            *at = (int64_t)(digest->dispute_count + i);
    return !item || *at >= 0 ||
           err_set(err, ERR_INPUT,
                   "no labels of this item can be decided on: it has none, or is in the "
                   "round that is open");
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
    bool any = digest->dispute_count > 0 || at >= 0;
    if (at < 0)
        at = open < 0 ? 0 : open;
    serve_writer_int(out, "as_of", digest->at_ms);
    serve_writer_int(out, "count", (int64_t)digest->dispute_count);
    serve_writer_int(out, "settled", settled);
    serve_writer_int(out, "open", open);
    return !any || add_dispute(call, (size_t)at, out, err);
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
        !serve_ask_text(body, "seen", SERVE_OPTIONAL, &decision.seen, err) ||
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
