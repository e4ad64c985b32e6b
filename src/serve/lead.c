/* What the lead asks for: who has done what, how far raters agree, which items are slow
 * or in dispute, rounds and proposals; and opening, closing, accepting. */
#include <math.h>

#include "serve/internal.h"
#include "serve/writer.h"

static void add_coefficient(const char *name, const struct agreement *agreement,
                            struct buf *out)
{
    writer_open(out, name, '{');
    writer_real(out, "value", agreement->value);
    writer_real(out, "low", agreement->low);
    writer_real(out, "high", agreement->high);
    if (!isnan(agreement->value))
        writer_text(out, "word", str_from(agreement_word(agreement->value)));
    else if (agreement->undefined != NULL)
        writer_text(out, "undefined", str_from(agreement->undefined));
    writer_close(out, '}');
}

static void add_measures(const struct agree_measures *measures, struct buf *out)
{
    writer_int(out, "items", (int64_t)measures->items);
    writer_int(out, "raters", (int64_t)measures->raters);
    writer_real(out, "observed", measures->observed);
    add_coefficient("cohen", &measures->cohen, out);
    add_coefficient("fleiss", &measures->fleiss, out);
    add_coefficient("alpha", &measures->alpha, out);
    add_coefficient("ac1", &measures->ac1, out);
    writer_text(out, "warning",
                measures->warning == NULL ? (struct str){0}
                                          : str_from(measures->warning));
}

static void add_codes(const struct agree_report *report, struct buf *out)
{
    writer_open(out, "codes", '[');
    for (size_t i = 0; i < report->code_count; i++) {
        const struct agree_part *part = &report->codes[i];
        const struct agree_code *code = &report->data->codes[part->code];
        writer_open(out, NULL, '{');
        writer_text(out, "path", code->path);
        writer_text(out, "name", code->name);
        writer_int(out, "level", code->level);
        writer_int(out, "given", part->given);
        add_measures(&part->measures, out);
        writer_close(out, '}');
    }
    writer_close(out, ']');
}

static void add_steps(const struct agree_report *report, struct buf *out)
{
    writer_open(out, "checkpoints", '[');
    for (size_t i = 0; i < report->checkpoint_count; i++) {
        writer_open(out, NULL, '{');
        writer_real(out, "share", report->checkpoints[i].share);
        add_measures(&report->checkpoints[i].measures, out);
        writer_close(out, '}');
    }
    writer_close(out, ']');
    writer_open(out, "levels", '[');
    for (size_t i = 0; i < report->level_count; i++) {
        writer_open(out, NULL, '{');
        writer_int(out, "level", report->levels[i].level);
        add_measures(&report->levels[i].measures, out);
        writer_close(out, '}');
    }
    writer_close(out, ']');
    writer_open(out, "saturation", '[');
    for (size_t i = 0; i < report->saturation_count; i++) {
        writer_open(out, NULL, '[');
        writer_int(out, NULL, (int64_t)report->saturation[i].items);
        writer_int(out, NULL, (int64_t)report->saturation[i].codes);
        writer_close(out, ']');
    }
    writer_close(out, ']');
}

static void add_pairs(const struct agree_report *report, struct buf *out)
{
    writer_open(out, "pairs", '[');
    for (size_t i = 0; i < report->pair_count; i++) {
        const struct agree_pair *pair = &report->pairs[i];
        writer_open(out, NULL, '{');
        writer_text(out, "first", report->data->raters[pair->first]);
        writer_text(out, "second", report->data->raters[pair->second]);
        add_measures(&pair->measures, out);
        writer_close(out, '}');
    }
    writer_close(out, ']');
}

static void add_items(const char *name, const struct agree_report *report,
                      const struct agree_item *items, size_t count, struct buf *out)
{
    writer_open(out, name, '[');
    for (size_t i = 0; i < count; i++) {
        writer_open(out, NULL, '{');
        writer_text(out, "item", report->data->items[items[i].item]);
        writer_real(out, "seconds", items[i].seconds);
        writer_real(out, "disagreement", items[i].disagreement);
        writer_close(out, '}');
    }
    writer_close(out, ']');
}

/* Each rater against themselves, on the items that came twice. */
static bool add_retests(const struct serve_call *call, struct str dimension,
                        struct buf *out, struct err *err)
{
    const struct label_person *people;
    size_t count = label_people(call->label, &people);

    writer_open(out, "retests", '[');
    for (size_t i = 0; i < count; i++) {
        struct agree_measures measures;
        if ((people[i].roles & LABEL_RATER) == 0)
            continue;
        if (!label_retest(call->label, dimension, people[i].name, call->arena, &measures,
                          err))
            return false;
        if (measures.items == 0)
            continue;
        writer_open(out, NULL, '{');
        writer_text(out, "rater", people[i].name);
        add_measures(&measures, out);
        writer_close(out, '}');
    }
    writer_close(out, ']');
    return true;
}

static bool add_agreement(const struct serve_call *call,
                          const struct codebook_dimension *dimension, struct buf *out,
                          struct err *err)
{
    struct label_agreement_options options = {.dimension = dimension->id};
    struct agree_report report;

    if (!label_agreement(call->label, &options, call->arena, &report, err))
        return false;
    writer_open(out, NULL, '{');
    writer_text(out, "id", dimension->id);
    writer_text(out, "name", dimension->name);
    writer_int(out, "code_count", (int64_t)dimension->count);
    add_measures(&report.all, out);
    add_steps(&report, out);
    add_codes(&report, out);
    add_pairs(&report, out);
    add_items("slowest", &report, report.slowest, report.slowest_count, out);
    add_items("disputed", &report, report.disputed, report.disputed_count, out);
    if (!add_retests(call, dimension->id, out, err))
        return false;
    writer_close(out, '}');
    return true;
}

static bool add_agreements(const struct serve_call *call, struct buf *out,
                           struct err *err)
{
    const struct codebook *codebook = label_task(call->label)->codebook;

    writer_open(out, "agreement", '[');
    for (size_t i = 0; i < codebook->count; i++)
        if (!add_agreement(call, &codebook->dimensions[i], out, err))
            return false;
    writer_close(out, ']');
    return true;
}

static bool add_raters(const struct serve_call *call, struct buf *out, struct err *err)
{
    const struct label_person *people;
    size_t count = label_people(call->label, &people);

    writer_open(out, "raters", '[');
    for (size_t i = 0; i < count; i++) {
        struct label_progress progress;
        if ((people[i].roles & LABEL_RATER) == 0)
            continue;
        if (!label_progress(call->label, people[i].name, &progress, err))
            return false;
        writer_open(out, NULL, '{');
        writer_text(out, "name", people[i].name);
        writer_int(out, "assigned", (int64_t)progress.assigned);
        writer_int(out, "done", (int64_t)progress.done);
        writer_int(out, "unsure", (int64_t)progress.unsure);
        writer_int(out, "acts", progress.acts);
        writer_int(out, "seconds", progress.seconds);
        writer_int(out, "last", progress.last_ms);
        writer_close(out, '}');
    }
    writer_close(out, ']');
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
    writer_open(out, "rounds", '[');
    for (size_t i = 0; i < count; i++) {
        writer_open(out, NULL, '{');
        writer_int(out, "id", rounds[i].id);
        writer_text(out, "kind", str_from(label_round_word(rounds[i].kind)));
        writer_int(out, "opened", rounds[i].opened_ms);
        writer_int(out, "closed", rounds[i].closed_ms);
        writer_int(out, "items", (int64_t)rounds[i].items);
        writer_int(out, "assigned", (int64_t)rounds[i].assigned);
        writer_int(out, "done", (int64_t)rounds[i].done);
        writer_close(out, '}');
    }
    writer_close(out, ']');
    writer_open(out, "plan", '{');
    writer_text(out, "kind", str_from(label_round_word(plan.kind)));
    writer_int(out, "items", (int64_t)plan.items);
    writer_int(out, "raters", (int64_t)plan.raters_per_item);
    writer_real(out, "overlap", plan.overlap);
    writer_real(out, "retest", plan.retest);
    writer_close(out, '}');
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
    writer_open(out, "proposals", '[');
    for (size_t i = 0; i < count; i++) {
        const struct label_proposal *proposal = &proposals[i];
        writer_open(out, NULL, '{');
        writer_int(out, "id", proposal->id);
        writer_text(out, "rater", proposal->rater);
        writer_text(out, "dimension", proposal->dimension);
        writer_text(out, "parent", proposal->parent);
        writer_text(out, "code", proposal->code);
        writer_text(out, "name", proposal->name);
        writer_text(out, "text", proposal->text);
        writer_int(out, "item", proposal->item);
        writer_text(out, "verdict", str_from(verdict_word(proposal->verdict)));
        writer_text(out, "reason", proposal->reason);
        writer_close(out, '}');
    }
    writer_close(out, ']');
    return true;
}

/* How many final labels are in which state. */
static bool add_states(const struct serve_call *call, struct buf *out, struct err *err)
{
    int64_t counts[LABEL_PENDING + 1] = {0}, reviews = 0;
    struct label_final *finals;
    size_t count;

    if (!label_finals(call->label, call->arena, &finals, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        counts[finals[i].state]++;
        reviews += finals[i].review;
    }
    writer_open(out, "finals", '{');
    for (int state = 0; state <= LABEL_PENDING; state++)
        writer_int(out, label_state_word((enum label_state)state), counts[state]);
    writer_int(out, "review", reviews);
    writer_close(out, '}');
    return true;
}

bool serve_lead(const struct serve_call *call, struct buf *out, struct err *err)
{
    writer_int(out, "items", (int64_t)label_task(call->label)->item_count);
    return add_raters(call, out, err) && add_rounds(call, out, err) &&
           add_states(call, out, err) && add_proposals(call, out, err) &&
           add_agreements(call, out, err);
}

static bool find_kind(struct str word, enum label_round_kind *out, struct err *err)
{
    for (int kind = LABEL_PILOT; kind <= LABEL_MAIN; kind++)
        if (str_eq(word, str_from(label_round_word((enum label_round_kind)kind)))) {
            *out = (enum label_round_kind)kind;
            return true;
        }
    return err_set(err, ERR_INPUT, "unknown kind of round '%.*s'", STR_ARG(word));
}

static bool share_or(const json_t *body, const char *name, double *share, struct err *err)
{
    double value;

    if (json_object_get(body, name) == NULL)
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
    writer_int(out, "round", round);
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
    writer_int(out, "id", id);
    return true;
}
