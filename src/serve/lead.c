/* What the lead asks for: who has done what, rounds and proposals, how far raters agree;
 * and opening, closing, accepting. */
#include "serve/internal.h"

static bool add_raters(const struct serve_call *call, struct buf *out, struct err *err)
{
    const struct label_person *people;
    size_t count = label_people(call->label, &people);

    serve_writer_open(out, "raters", '[');
    for (size_t i = 0; i < count; i++) {
        struct label_progress progress;
        if ((people[i].roles & LABEL_RATER) == 0)
            continue;
        if (!label_progress(call->label, people[i].name, &progress, err))
            return false;
        serve_writer_open(out, NULL, '{');
        serve_writer_text(out, "name", people[i].name);
        serve_writer_int(out, "assigned", (int64_t)progress.assigned);
        serve_writer_int(out, "done", (int64_t)progress.done);
        serve_writer_int(out, "unsure", (int64_t)progress.unsure);
        serve_writer_int(out, "acts", progress.acts);
        serve_writer_int(out, "seconds", progress.seconds);
        serve_writer_int(out, "last", progress.last_ms);
        serve_writer_close(out, '}');
    }
    serve_writer_close(out, ']');
    return true;
}

static bool add_rounds(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct label_round *rounds;
    struct label_round_plan plan;
    size_t count;

    if (!label_rounds(call->label, call->arena, &rounds, &count, err) ||
        !label_round_settings(call->label, &plan, err))
        return false;
    serve_writer_open(out, "rounds", '[');
    for (size_t i = 0; i < count; i++) {
        serve_writer_open(out, NULL, '{');
        serve_writer_int(out, "id", rounds[i].id);
        serve_writer_text(out, "kind", str_from(label_round_word(rounds[i].kind)));
        serve_writer_int(out, "opened", rounds[i].opened_ms);
        serve_writer_int(out, "closed", rounds[i].closed_ms);
        serve_writer_int(out, "items", (int64_t)rounds[i].items);
        serve_writer_int(out, "assigned", (int64_t)rounds[i].assigned);
        serve_writer_int(out, "done", (int64_t)rounds[i].done);
        serve_writer_close(out, '}');
    }
    serve_writer_close(out, ']');
    serve_writer_open(out, "plan", '{');
    serve_writer_text(out, "kind", str_from(label_round_word(plan.kind)));
    serve_writer_int(out, "items", (int64_t)plan.items);
    serve_writer_int(out, "raters", (int64_t)plan.raters_per_item);
    serve_writer_real(out, "overlap", plan.overlap);
    serve_writer_real(out, "retest", plan.retest);
    serve_writer_close(out, '}');
    serve_writer_int(out, "queue", (int64_t)call->queue_count);
    return true;
}

static const char *verdict_word(enum label_verdict verdict)
{
    return verdict == LABEL_WAITING    ? "waiting"
           : verdict == LABEL_ACCEPTED ? "accepted"
                                       : "rejected";
}

static bool add_proposals(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct label_proposal *proposals;
    size_t count;

    if (!label_proposals(call->label, call->arena, &proposals, &count, err))
        return false;
    serve_writer_open(out, "proposals", '[');
    for (size_t i = 0; i < count; i++) {
        const struct label_proposal *proposal = &proposals[i];
        serve_writer_open(out, NULL, '{');
        serve_writer_int(out, "id", proposal->id);
        serve_writer_text(out, "rater", proposal->rater);
        serve_writer_text(out, "dimension", proposal->dimension);
        serve_writer_text(out, "parent", proposal->parent);
        serve_writer_text(out, "code", proposal->code);
        serve_writer_text(out, "name", proposal->name);
        serve_writer_text(out, "text", proposal->text);
        serve_writer_int(out, "item", proposal->item);
        serve_writer_text(out, "verdict", str_from(verdict_word(proposal->verdict)));
        serve_writer_text(out, "reason", proposal->reason);
        serve_writer_close(out, '}');
    }
    serve_writer_close(out, ']');
    return true;
}

/* What came when its round had been closed. */
static bool add_late(const struct serve_call *call, struct buf *out, struct err *err)
{
    const struct item_spaces *spaces = &label_task(call->label)->study->spaces;
    struct label_late *late;
    char shown[ITEM_KEY_SHOWN_MAX];
    size_t count;

    if (!label_late(call->label, call->arena, &late, &count, err))
        return false;
    serve_writer_open(out, "late", '[');
    for (size_t i = 0; i < count; i++) {
        serve_writer_open(out, NULL, '{');
        serve_writer_int(out, "round", late[i].round);
        serve_writer_int(out, "at", late[i].at_ms);
        serve_writer_text(out, "rater", late[i].rater);
        serve_writer_text(out, "item",
                          str_from(item_key_show(spaces, late[i].item, shown)));
        serve_writer_text(out, "what", late[i].what);
        serve_writer_text(out, "dimension", late[i].dimension);
        serve_writer_texts(out, "codes", late[i].codes, late[i].code_count);
        serve_writer_text(out, "memo", late[i].memo);
        serve_writer_close(out, '}');
    }
    serve_writer_close(out, ']');
    return true;
}

bool serve_is_current(const struct serve_call *call, bool *out, struct err *err)
{
    int64_t changes;

    if (!label_changes(call->label, &changes, err))
        return false;
    *out = call->digest != NULL && call->digest->changes == changes;
    return true;
}

/* What was made aside, and whether labels have come since. */
static bool add_digest(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct label_place place;
    bool current, rates;

    /* Whoever rates in the open round must not see how others do. */
    if (!serve_is_current(call, &current, err) ||
        !label_at(call->label, call->person, 0, &place, &rates, err))
        return false;
    serve_writer_bool(out, "blind", rates);
    serve_writer_bool(out, "current", current);
    if (call->digest == NULL)
        serve_writer_null(out, "as_of");
    else if (call->digest->failure.len > 0)
        return err_set(err, ERR_SYSTEM, "%.*s", STR_ARG(call->digest->failure));
    else {
        serve_writer_int(out, "as_of", call->digest->at_ms);
        buf_add_char(out, ',');
        buf_add(out, rates ? call->digest->blind : call->digest->json);
    }
    return true;
}

bool serve_lead(const struct serve_call *call, struct buf *out, struct err *err)
{
    serve_writer_int(out, "items", (int64_t)label_task(call->label)->item_count);
    serve_writer_text(out, "trouble", str_from(call->trouble));
    return add_raters(call, out, err) && add_rounds(call, out, err) &&
           add_proposals(call, out, err) && add_late(call, out, err) &&
           add_digest(call, out, err);
}

bool serve_copy(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct label_place place;
    bool rates;

    if (!label_at(call->label, call->person, 0, &place, &rates, err))
        return false;
    if (rates)
        return err_set(err, ERR_INPUT,
                       "whoever rates in the round that is open must not see what others "
                       "say: `assay export labels --backup` copies it all");
    return label_copy(call->label, out, err);
}

/* "own": what whoever asks has said. The rest is for a lead who does not rate in the
 * round that is open. */
bool serve_export(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct label_export_options options = {.layer = LABEL_SAID,
                                           .format = LABEL_FORMAT_CSV};
    struct label_place place;
    bool rates, own = str_eq(call->rest, STR("own"));

    if (own ? (call->roles & LABEL_RATER) == 0 : (call->roles & LABEL_LEAD) == 0)
        return err_set(err, ERR_INPUT, "this is not for you");
    if (!own && !label_layer_find(call->rest, &options.layer))
        return err_set(err, ERR_INPUT, "there is nothing called '%.*s' to export",
                       STR_ARG(str_slice(call->rest, 0, 100)));
    if (!label_at(call->label, call->person, 0, &place, &rates, err))
        return false;
    if (rates && !own)
        return err_set(err, ERR_INPUT,
                       "whoever rates in the round that is open must not see what others "
                       "say");
    options.rater = own ? call->person : (struct str){0};
    return label_export(call->label, &options, out, err);
}

static bool find_kind(struct str word, enum label_round_kind *out, struct err *err)
{
    for (int kind = LABEL_PILOT; kind <= LABEL_CHOSEN; kind++)
        if (str_eq(word, str_from(label_round_word((enum label_round_kind)kind)))) {
            *out = (enum label_round_kind)kind;
            return true;
        }
    return err_set(err, ERR_INPUT, "unknown kind of round '%.*s'", STR_ARG(word));
}

static bool share_or(const struct input_json *body, const char *name, double *share,
                     struct err *err)
{
    double value;

    if (input_json_get(body, name) == NULL)
        return true;
    if (!serve_ask_real(body, name, &value, err))
        return false;
    if (value < 0 || value > 1)
        return err_set(err, ERR_INPUT, "'%s' is a share from 0 to 1", name);
    *share = value;
    return true;
}

/* What the lead changed of what the study file says. */
static bool read_plan(const struct serve_call *call, struct label_round_plan *plan,
                      struct err *err)
{
    int64_t items, raters;
    struct str kind;

    if (!label_round_settings(call->label, plan, err) ||
        !serve_ask_text(call->body, "kind", SERVE_REQUIRED, &kind, err) ||
        !find_kind(kind, &plan->kind, err) ||
        !serve_ask_int(call->body, "items", SERVE_REQUIRED, &items, err) ||
        !serve_ask_int(call->body, "raters", SERVE_REQUIRED, &raters, err) ||
        !share_or(call->body, "overlap", &plan->overlap, err) ||
        !share_or(call->body, "retest", &plan->retest, err))
        return false;
    if (items < 1 || raters < 0)
        return err_set(err, ERR_INPUT, "a round has at least one item");
    plan->items = (size_t)items;
    plan->raters_per_item = (size_t)raters;
    plan->picked = call->queue;
    plan->picked_count = call->queue_count;
    return true;
}

/* {"close": ROUND}, or the plan of a round to open. */
bool serve_round(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct label_round_plan plan;
    int64_t round;

    if (!serve_ask_int(call->body, "close", SERVE_OPTIONAL, &round, err))
        return false;
    if (round != 0) {
        if (!label_round_close(call->label, round, call->person, err))
            return false;
    } else if (!read_plan(call, &plan, err) ||
               !label_round_open(call->label, &plan, call->person, &round, err)) {
        return false;
    }
    /* Whoever changes rounds waits until what follows from it is known, not the next
     * rater. */
    if (!label_round_settings(call->label, &plan, err))
        return false;
    serve_writer_int(out, "round", round);
    return true;
}

bool serve_judge(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct str reason;
    int64_t id;
    bool accept;

    if (!serve_ask_int(call->body, "id", SERVE_REQUIRED, &id, err) ||
        !serve_ask_bool(call->body, "accept", &accept, err) ||
        !serve_ask_text(call->body, "reason", SERVE_OPTIONAL, &reason, err) ||
        !label_judge_proposal(call->label, id, accept, call->person, reason, err))
        return false;
    serve_writer_int(out, "id", id);
    return true;
}
