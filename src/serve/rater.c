/* What a rater asks for: the next item, one at a place, saving, undoing, proposing, and
 * what is to be looked at again. What others did is not among it. */
#include "serve/internal.h"

/* The units that the rater has marked so far, and the number of the next one. */
static bool add_units(const struct serve_call *call, const struct label_place *place,
                      struct buf *out, struct err *err)
{
    struct label_unit_said *units;
    size_t count;
    int64_t next;

    if (!label_units_said(call->label, call->person, place, call->arena, &units, &count,
                          &next, err))
        return false;
    serve_writer_int(out, "next_unit", next);
    serve_writer_open(out, "units", '[');
    for (size_t i = 0; i < count; i++) {
        serve_writer_open(out, NULL, '{');
        serve_writer_text(out, "unit", units[i].unit);
        serve_writer_text(out, "place", units[i].place);
        serve_writer_text(out, "name", units[i].called);
        serve_writer_close(out, '}');
    }
    serve_writer_close(out, ']');
    return true;
}

/* What the rater has marked as evidence so far. */
static bool add_spans(const struct serve_call *call, const struct label_place *place,
                      struct buf *out, struct err *err)
{
    struct label_span_said *spans;
    size_t count;

    if (label_task(call->label)->settings->spans == STUDY_SPANS_NO)
        return true;
    if (!label_spans_said(call->label, call->person, place, call->arena, &spans, &count,
                          err))
        return false;
    serve_writer_open(out, "spans", '[');
    for (size_t i = 0; i < count; i++)
        serve_add_span(&spans[i], (struct str){0}, out);
    serve_writer_close(out, ']');
    return true;
}

static bool add_place(const struct serve_call *call, const struct label_place *place,
                      struct buf *out, struct err *err)
{
    struct label_said *said;
    size_t count;

    if (!label_said(call->label, call->person, place, call->arena, &said, &count, err))
        return false;
    serve_writer_int(out, "round", place->round);
    serve_writer_int(out, "position", (int64_t)place->position);
    serve_writer_int(out, "count", (int64_t)place->count);
    serve_writer_bool(out, "again", place->again);
    serve_writer_open(out, "said", '[');
    for (size_t i = 0; i < count; i++)
        serve_add_said(&said[i], (struct str){0}, out);
    serve_writer_close(out, ']');
    return serve_add_item_of(call, place->item, out, err) &&
           (!label_task(call->label)->settings->units ||
            add_units(call, place, out, err)) &&
           add_spans(call, place, out, err);
}

static bool add_progress(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct label_progress progress;

    if (!label_progress(call->label, call->person, &progress, err))
        return false;
    serve_writer_open(out, "progress", '{');
    serve_writer_int(out, "assigned", (int64_t)progress.assigned);
    serve_writer_int(out, "done", (int64_t)progress.done);
    serve_writer_int(out, "unsure", (int64_t)progress.unsure);
    serve_writer_close(out, '}');
    return true;
}

static bool add_found(const struct serve_call *call, bool found,
                      const struct label_place *place, struct buf *out, struct err *err)
{
    struct label_place first;
    bool open = true;

    /* Nothing to do: because all is done, or because there is no round. */
    if (!found && !label_at(call->label, call->person, 0, &first, &open, err))
        return false;
    serve_writer_bool(out, "open", open);
    serve_writer_bool(out, "found", found);
    return add_progress(call, out, err) && (!found || add_place(call, place, out, err));
}

bool serve_next(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct label_place place;
    bool found;

    return label_next(call->label, call->person, &place, &found, err) &&
           add_found(call, found, &place, out, err);
}

/* The first place of an item in the rater's list. */
static bool find_item(const struct serve_call *call, int64_t item,
                      struct label_place *place, bool *found, struct err *err)
{
    size_t at = 0;

    do
        if (!label_at(call->label, call->person, at++, place, found, err))
            return false;
    while (*found && place->item != item);
    return true;
}

/* "12": that place of the list; "item/34": where the item is. */
bool serve_at(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct label_place place;
    struct str rest = call->rest, head = rest;
    int64_t number;
    bool found = false, by_item = str_cut(&rest, '/', &head) && str_eq(head, STR("item"));

    if (!str_to_int(by_item ? rest : call->rest, &number) || number < 0)
        return err_set(err, ERR_INPUT, "'%.*s' is no place in a list",
                       STR_ARG(call->rest));
    return (by_item ? find_item(call, number, &place, &found, err)
                    : label_at(call->label, call->person, (size_t)number, &place, &found,
                               err)) &&
           add_found(call, found, &place, out, err);
}

/* What the rater has, with what was said of each: nothing of the items but what they are
 * called. */
static bool add_listed(const struct serve_call *call, const struct label_place *place,
                       struct serve_list *list, struct err *err)
{
    char shown[ITEM_KEY_SHOWN_MAX];
    struct label_said *said;
    struct str memo = {0};
    size_t count, given = 0;
    int64_t newest = 0;
    bool unsure = false;

    if (!label_said(call->label, call->person, place, call->arena, &said, &count, err))
        return false;
    item_key_show(&label_task(call->label)->study->spaces, place->item, shown);
    serve_list_word(list, str_from(shown));
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c < said[i].code_count; c++)
            serve_list_word(list, said[i].codes[c]);
        given += said[i].code_count;
        if (said[i].act > newest)
            memo = said[i].memo;
        newest = said[i].act > newest ? said[i].act : newest;
        unsure |= said[i].unsure;
    }
    struct str state = place->done ? STR("done") : given > 0 ? STR("begun") : STR("open");
    serve_list_word(list, state);
    serve_list_word(list, memo);
    serve_list_word(list, unsure ? STR("unsure") : STR(""));
    serve_list_word(list, place->again ? STR("again") : STR(""));
    if (!serve_list_takes(list))
        return true;
    serve_writer_open(list->out, NULL, '{');
    serve_writer_int(list->out, "position", (int64_t)place->position);
    serve_writer_text(list->out, "key", str_from(shown));
    serve_writer_bool(list->out, "again", place->again);
    serve_writer_text(list->out, "state", state);
    serve_writer_open(list->out, "codes", '[');
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < said[i].code_count; c++)
            serve_writer_text(list->out, NULL, said[i].codes[c]);
    serve_writer_close(list->out, ']');
    serve_writer_bool(list->out, "unsure", unsure);
    serve_writer_text(list->out, "memo", memo);
    serve_writer_close(list->out, '}');
    return true;
}

bool serve_list(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct serve_list list;
    struct label_place place = {0};
    bool found = true, ok = true;

    if (!serve_list_begin(call, out, &list, err) || !label_hold(call->label, err))
        return false;
    while (ok && found && serve_list_goes_on(&list)) {
        struct arena_mark mark = arena_mark(call->arena);
        ok = label_at(call->label, call->person, list.at, &place, &found, err) &&
             (!found || add_listed(call, &place, &list, err));
        arena_rewind(call->arena, mark);
        list.at += found;
    }
    label_release(call->label);
    serve_list_end(&list, !found || list.at >= place.count, (int64_t)place.count);
    return ok;
}

static bool add_saved(const struct serve_call *call, const struct label_saved *saved,
                      struct buf *out, struct err *err)
{
    serve_writer_int(out, "act", saved->act);
    serve_writer_int(out, "at", saved->at_ms);
    serve_writer_int(out, "item", saved->item);
    serve_writer_bool(out, "repeated", saved->repeated);
    serve_writer_bool(out, "late", saved->late);
    return add_progress(call, out, err);
}

/* What a label and a note have in common. */
static bool read_given(const struct serve_call *call, struct label_given *out,
                       struct err *err)
{
    const struct input_json *body = call->body;

    *out = (struct label_given){.rater = call->person};
    return serve_ask_int(body, "item", SERVE_REQUIRED, &out->item, err) &&
           serve_ask_int(body, "round", SERVE_OPTIONAL, &out->round, err) &&
           serve_ask_text(body, "seen", SERVE_OPTIONAL, &out->seen, err) &&
           serve_ask_bool(body, "again", &out->again, err) &&
           serve_ask_text(body, "unit", SERVE_OPTIONAL, &out->unit, err) &&
           serve_ask_text(body, "memo", SERVE_OPTIONAL, &out->memo, err) &&
           serve_ask_bool(body, "unsure", &out->unsure, err) &&
           serve_ask_real(body, "seconds", &out->seconds, err) &&
           serve_ask_text(body, "key", SERVE_REQUIRED, &out->client_key, err);
}

bool serve_label(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct label_given given;
    struct label_saved saved;
    struct str *codes;

    if (!read_given(call, &given, err) ||
        !serve_ask_text(call->body, "dimension", SERVE_REQUIRED, &given.dimension, err) ||
        !serve_ask_texts(call->body, "codes", call->arena, &codes, &given.code_count,
                         err))
        return false;
    given.codes = codes;
    return label_give(call->label, &given, &saved, err) &&
           add_saved(call, &saved, out, err);
}

bool serve_note(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct label_given given;
    struct label_saved saved;

    return read_given(call, &given, err) &&
           label_note(call->label, &given, &saved, err) &&
           add_saved(call, &saved, out, err);
}

bool serve_unit(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct label_mark mark = {.rater = call->person};
    struct label_saved saved;

    return serve_ask_int(call->body, "item", SERVE_REQUIRED, &mark.item, err) &&
           serve_ask_int(call->body, "round", SERVE_OPTIONAL, &mark.round, err) &&
           serve_ask_text(call->body, "seen", SERVE_OPTIONAL, &mark.seen, err) &&
           serve_ask_bool(call->body, "again", &mark.again, err) &&
           serve_ask_text(call->body, "unit", SERVE_REQUIRED, &mark.unit, err) &&
           serve_ask_text(call->body, "place", SERVE_OPTIONAL, &mark.place, err) &&
           serve_ask_text(call->body, "name", SERVE_OPTIONAL, &mark.name, err) &&
           serve_ask_bool(call->body, "remove", &mark.remove, err) &&
           serve_ask_text(call->body, "key", SERVE_REQUIRED, &mark.client_key, err) &&
           label_mark(call->label, &mark, &saved, err) &&
           add_saved(call, &saved, out, err);
}

bool serve_span(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct label_span span = {.rater = call->person};
    struct label_saved saved;
    const struct input_json *body = call->body;

    return serve_ask_int(body, "item", SERVE_REQUIRED, &span.item, err) &&
           serve_ask_int(body, "round", SERVE_OPTIONAL, &span.round, err) &&
           serve_ask_text(body, "seen", SERVE_OPTIONAL, &span.seen, err) &&
           serve_ask_bool(body, "again", &span.again, err) &&
           serve_ask_text(body, "unit", SERVE_OPTIONAL, &span.unit, err) &&
           serve_ask_text(body, "place", SERVE_REQUIRED, &span.place, err) &&
           serve_ask_text(body, "quote", SERVE_OPTIONAL, &span.quote, err) &&
           serve_ask_text(body, "dimension", SERVE_OPTIONAL, &span.dimension, err) &&
           serve_ask_text(body, "code", SERVE_OPTIONAL, &span.code, err) &&
           serve_ask_bool(body, "remove", &span.remove, err) &&
           serve_ask_text(body, "key", SERVE_REQUIRED, &span.client_key, err) &&
           label_span(call->label, &span, &saved, err) &&
           add_saved(call, &saved, out, err);
}

bool serve_undo(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct label_undoing undoing = {.rater = call->person};
    struct label_saved saved;

    return serve_ask_text(call->body, "key", SERVE_REQUIRED, &undoing.client_key, err) &&
           serve_ask_text(call->body, "of", SERVE_OPTIONAL, &undoing.of, err) &&
           serve_ask_int(call->body, "round", SERVE_OPTIONAL, &undoing.round, err) &&
           label_undo(call->label, &undoing, &saved, err) &&
           add_saved(call, &saved, out, err);
}

bool serve_propose(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct label_proposal proposal = {.rater = call->person};
    const struct input_json *body = call->body;

    if (!serve_ask_text(body, "dimension", SERVE_REQUIRED, &proposal.dimension, err) ||
        !serve_ask_text(body, "parent", SERVE_OPTIONAL, &proposal.parent, err) ||
        !serve_ask_text(body, "code", SERVE_OPTIONAL, &proposal.code, err) ||
        !serve_ask_text(body, "name", SERVE_REQUIRED, &proposal.name, err) ||
        !serve_ask_text(body, "text", SERVE_OPTIONAL, &proposal.text, err) ||
        !serve_ask_int(body, "item", SERVE_OPTIONAL, &proposal.item, err) ||
        !label_propose(call->label, &proposal, err))
        return false;
    serve_writer_int(out, "id", proposal.id);
    return true;
}

/* Labels that a change of the codebook left without a clear successor: a rater sees their
 * own and gives them a new word. */

/* How many there are, and the first of them with its item. */
bool serve_reviews(const struct serve_call *call, struct buf *out, struct err *err)
{
    struct label_said *said;
    size_t count;

    if (!label_reviews(call->label, call->person, call->arena, &said, &count, err))
        return false;
    serve_writer_int(out, "count", (int64_t)count);
    if (count == 0)
        return true;
    serve_writer_open(out, "said", '[');
    serve_add_said(said, (struct str){0}, out);
    serve_writer_close(out, ']');
    return serve_add_item_of(call, said->item, out, err);
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
        !serve_ask_bool(call->body, "unsure", &given.unsure, err) ||
        !serve_ask_text(call->body, "key", SERVE_REQUIRED, &given.client_key, err))
        return false;
    given.codes = codes;
    if (!label_review(call->label, act, &given, &saved, err))
        return false;
    serve_writer_int(out, "act", saved.act);
    serve_writer_bool(out, "repeated", saved.repeated);
    return true;
}
