/* What a rater does: the next item, a label, an undo. */
#include <math.h>
#include <string.h>

#include "label/internal.h"

enum { MEMO_BYTES_MAX = 20000, KEY_BYTES_MAX = 200 };

/* Places. */

static struct label_place place_at(const struct label *label,
                                   const struct label_tally *tally, size_t position)
{
    const struct label_assigned *assigned =
        &label->log.assigned.at[tally->begin + position];

    return (struct label_place){.round = tally->round,
                                .item = assigned->item,
                                .position = position,
                                .count = tally->assigned,
                                .again = assigned->again,
                                .done = label_assigned_done(label, assigned)};
}

/* An item may be gone after another ingest. Without a corpus nothing is known. */
static bool is_there(struct label *label, int64_t item, bool *out, struct err *err)
{
    struct label_text text;

    *out = true;
    if (!label_has_corpus(label))
        return true;
    if (!label_text_of(label, item, &text, err))
        return false;
    *out = text.seen[0] != '\0';
    return true;
}

bool label_next(struct label *label, struct str rater, struct label_place *out,
                bool *found, struct err *err)
{
    *found = false;
    if (!label_follow(label, err))
        return false;
    struct label_tally *tally = label_tally_find(label, label_open_round(label), rater);
    if (tally == NULL)
        return true;
    while (tally->next < tally->assigned && place_at(label, tally, tally->next).done)
        tally->next++;
    for (size_t at = tally->next; !*found && at < tally->assigned; at++) {
        *out = place_at(label, tally, at);
        if (!out->done && !is_there(label, out->item, found, err))
            return false;
    }
    return true;
}

bool label_at(struct label *label, struct str rater, size_t position,
              struct label_place *out, bool *found, struct err *err)
{
    *found = false;
    if (!label_follow(label, err))
        return false;
    struct label_tally *tally = label_tally_find(label, label_open_round(label), rater);
    *found = tally != NULL && position < tally->assigned;
    if (*found)
        *out = place_at(label, tally, position);
    return true;
}

bool label_progress(struct label *label, struct str rater, struct label_progress *out,
                    struct err *err)
{
    if (!label_follow(label, err))
        return false;
    int64_t open = label_open_round(label);
    const struct label_tally *tallies = label->log.tallies.at;
    double seconds = 0;
    *out = (struct label_progress){.rater = rater};
    for (size_t i = 0; i < label->log.tallies.count; i++) {
        if (!str_eq(tallies[i].rater, rater))
            continue;
        out->acts += tallies[i].acts;
        seconds += tallies[i].seconds;
        if (tallies[i].last_ms > out->last_ms)
            out->last_ms = tallies[i].last_ms;
        if (open != 0 && tallies[i].round != open)
            continue;
        out->assigned += tallies[i].assigned;
        out->done += tallies[i].done;
        out->unsure += tallies[i].unsure;
    }
    out->seconds = (int64_t)seconds;
    return true;
}

/* Labels. */

bool label_check_leaves(const struct label *label,
                        const struct study_codebook_dimension *dimension,
                        const struct store_acts_codes *codes, struct err *err)
{
    for (size_t i = 0; i < codes->count && label->settings->leaves; i++) {
        const struct study_codebook_code *code =
            &dimension->codes[label_code(dimension, codes->at[i])];
        if (!code->leaf && !code->special)
            return err_set(err, ERR_INPUT,
                           "the code '%.*s' has codes below it, one of which is to be "
                           "given instead",
                           STR_ARG(code->path));
    }
    return true;
}

bool label_check_codes(const struct study_codebook_dimension *dimension,
                       const struct str *codes, size_t count, struct arena *arena,
                       struct store_acts_codes *out, struct err *err)
{
    struct str *list = arena_array(arena, struct str, count + 1);

    for (size_t i = 0; i < count; i++) {
        if (label_code(dimension, codes[i]) == LABEL_NONE)
            return err_set(err, ERR_INPUT, "the codebook has no code '%.*s'",
                           STR_ARG(str_slice(codes[i], 0, 100)));
        list[i] = codes[i];
    }
    *out = (struct store_acts_codes){list, label_sort_codes(list, count)};
    if (out->count == 0)
        return err_set(err, ERR_INPUT, "a label needs a code");
    if (out->count > 1 && !dimension->several)
        return err_set(err, ERR_INPUT, "'%.*s' takes one code; found %zu",
                       STR_ARG(dimension->name), out->count);
    return true;
}

static bool check_given(const struct label_given *given, struct err *err)
{
    if (given->memo.len > MEMO_BYTES_MAX)
        return err_set(err, ERR_INPUT, "the memo has %zu bytes; at most %d are allowed",
                       given->memo.len, MEMO_BYTES_MAX);
    if (given->client_key.len > KEY_BYTES_MAX)
        return err_set(err, ERR_INPUT, "the key of the message is longer than %d bytes",
                       KEY_BYTES_MAX);
    return true;
}

/* A message that came before is answered as it was then. */
static bool find_repeated(struct label *label, struct str rater, struct str key,
                          struct label_saved *out, bool *found, struct err *err)
{
    struct arena arena = {0};
    struct store_acts_act act;
    bool ok = true;

    *found = false;
    if (key.len > 0)
        ok = store_acts_find_act(label->acts, key, &arena, &act, found, err);
    if (ok && *found && !str_eq(act.rater, rater))
        ok = err_set(err, ERR_INPUT, "the key of the message is another rater's");
    if (ok && *found)
        *out = (struct label_saved){act.id, act.at_ms, true, act.item,
                                    str_starts(act.kind, label_late_prefix)};
    arena_free(&arena);
    return ok;
}

/* Begins a change, which the caller ends; *repeated: the message came before, and there
 * is nothing to do. */
static bool begin_act(struct label *label, struct str rater, struct str key,
                      struct label_saved *out, bool *own, bool *repeated, struct err *err)
{
    return label_change_begin(label, own, err) &&
           (find_repeated(label, rater, key, out, repeated, err) ||
            label_change_end(label, *own, false, err));
}

/* What comes too late is kept, under a kind that says so. */
static bool store_act(struct label *label, struct store_acts_act *act, bool late,
                      struct label_saved *out, struct err *err)
{
    struct buf kind = {0};

    if (late) {
        buf_add(&kind, label_late_prefix);
        buf_add(&kind, act->kind);
        act->kind = buf_str(&kind);
        act->supersedes = 0;
    }
    bool ok = store_acts_add(label->acts, STORE_ACTS_ACT, act, err);
    if (ok)
        *out = (struct label_saved){
            .act = act->id, .at_ms = act->at_ms, .item = act->item, .late = late};
    buf_free(&kind);
    return ok;
}

/* What is wrong about the name of a unit, if anything is. */
static bool check_unit(const struct label *label, struct str unit, struct err *err)
{
    if (unit.len > 0 && !label->settings->units)
        return err_set(err, ERR_INPUT,
                       "found the unit '%.*s', but labelling.%.*s has no `units: yes`: "
                       "there an item is labelled as a whole",
                       STR_ARG(str_slice(unit, 0, 100)), STR_ARG(label->settings->name));
    return label_unit_check(unit, err);
}

/* Where an act belongs: a round, which the rater may have named, and whether that has
 * been closed. */
struct work_round {
    int64_t id;
    bool late;
};

static bool find_round(struct label *label, int64_t named, struct work_round *out,
                       struct err *err)
{
    const struct label_known_round *round =
        label_round_find(label, named != 0 ? named : label_open_round(label));

    if (round == NULL && named == 0)
        return err_set(err, ERR_INPUT,
                       "no round is open: the lead has closed it, or has "
                       "not opened one yet");
    if (round == NULL || !round->ours)
        return err_set(err, ERR_INPUT, "there is no round %lld", (long long)named);
    *out = (struct work_round){round->row.id, round->closed_ms != 0};
    return true;
}

/* The same for an act on an item, which the rater has there and saw as it is. */
static bool find_place(struct label *label, const struct label_given *given,
                       struct work_round *out, struct err *err)
{
    char shown[ITEM_KEY_SHOWN_MAX];

    if (!find_round(label, given->round, out, err))
        return false;
    item_key_show(&label->study->spaces, given->item, shown);
    if (label_assigned_find(label, out->id, given->rater, given->item, given->again) ==
        NULL)
        return err_set(err, ERR_INPUT,
                       "item %s is not among the items of '%.*s' in this round", shown,
                       STR_ARG(given->rater));
    return out->late || label_text_check(label, given->item, given->seen, err);
}

/* Texts of an act are never NULL where its columns are not. */
static struct store_acts_act new_act(const struct label *label, struct str kind,
                                     int64_t round, struct str rater)
{
    return (struct store_acts_act){.kind = kind,
                                   .round = round,
                                   .rater = rater,
                                   .dimension = STR(""),
                                   .memo = STR(""),
                                   .seconds = NAN,
                                   .version = label->task.version,
                                   .source = STR("")};
}

/* A label, or a note: that has neither dimension nor codes. */
static bool give(struct label *label, bool note, const struct label_given *given,
                 struct arena *arena, struct label_saved *out, struct err *err)
{
    const struct study_codebook_dimension *dimension;
    struct work_round round;

    if (!find_place(label, given, &round, err) || !check_unit(label, given->unit, err))
        return false;
    struct store_acts_act act =
        new_act(label, note ? STR("note") : STR("label"), round.id, given->rater);
    act.item = given->item;
    act.again = given->again;
    act.unit =
        label->settings->units && given->unit.len == 0 ? label_first_unit : given->unit;
    act.memo = given->memo;
    act.unsure = given->unsure;
    act.seconds = given->seconds >= 0 ? given->seconds : NAN;
    act.client_key = given->client_key;
    act.seen = given->seen;
    if (!note) {
        if (!label_dimension(label, given->dimension, &dimension, err) ||
            !label_check_codes(dimension, given->codes, given->code_count, arena,
                               &act.codes, err) ||
            !label_check_leaves(label, dimension, &act.codes, err))
            return false;
        act.dimension = dimension->id;
    }
    const struct label_slot *slot =
        label_slot_find(label, round.id, given->rater, given->item, given->again,
                        act.unit, act.dimension);
    if (slot != NULL && slot->top != LABEL_NONE)
        act.supersedes = label->log.entries.at[slot->top].act.id;
    return store_act(label, &act, round.late, out, err);
}

static bool mark(struct label *label, const struct label_mark *mark,
                 struct label_saved *out, struct err *err)
{
    struct label_unit_place place;
    struct work_round round;
    const struct label_given of = {.rater = mark->rater,
                                   .item = mark->item,
                                   .again = mark->again,
                                   .round = mark->round,
                                   .seen = mark->seen};

    if (mark->unit.len == 0)
        return err_set(err, ERR_INPUT, "no unit is named");
    if (!find_place(label, &of, &round, err) || !check_unit(label, mark->unit, err) ||
        !label_unit_place_read(mark->place, &place, err) ||
        !label_unit_check(mark->name, err) ||
        !label_place_check(label, mark->item, &place, err))
        return false;
    const struct label_marked *marked = label_marked_find(
        label, round.id, mark->rater, mark->item, mark->again, mark->unit);
    if (mark->remove && !round.late &&
        (marked == NULL || !label_marked_lives(label, marked)))
        return err_set(err, ERR_INPUT, "there is no unit '%.*s' to take away",
                       STR_ARG(mark->unit));
    struct store_acts_act act =
        new_act(label, mark->remove ? STR("remove") : STR("unit"), round.id, mark->rater);
    act.item = mark->item;
    act.again = mark->again;
    act.unit = mark->unit;
    act.place = mark->remove ? STR("") : mark->place;
    act.memo = mark->remove ? STR("") : mark->name;
    act.client_key = mark->client_key;
    act.seen = mark->seen;
    if (marked != NULL && marked->top != LABEL_NONE)
        act.supersedes = label->log.entries.at[marked->top].act.id;
    return store_act(label, &act, round.late, out, err);
}

bool label_mark(struct label *label, const struct label_mark *wanted,
                struct label_saved *out, struct err *err)
{
    bool own, repeated;

    return begin_act(label, wanted->rater, wanted->client_key, out, &own, &repeated,
                     err) &&
           label_change_end(label, own, repeated || mark(label, wanted, out, err), err);
}

/* Whether the item has such a place, and there what the rater saw; *quote is what stands
 * there, as far as that is known. */
static bool check_span(struct label *label, const struct label_span *span,
                       struct arena *arena, struct str *quote, struct err *err)
{
    struct label_parts parts;
    struct label_span_range range;
    char shown[ITEM_KEY_SHOWN_MAX];

    *quote = span->quote;
    if (!label_has_corpus(label))
        return true;
    if (!label_item_parts(label, span->item, arena, &parts, err))
        return false;
    item_key_show(&label->study->spaces, span->item, shown);
    if (!label_span_find(&parts, span->place, &range))
        return err_set(err, ERR_INPUT, "the text of %s has no place '%.*s'", shown,
                       STR_ARG(str_slice(span->place, 0, 200)));
    *quote = label_span_quote(&parts, &range);
    if (span->quote.len > 0 && !str_eq(*quote, span->quote))
        return err_set(err, ERR_INPUT,
                       "at '%.*s' of %s stands something else than was marked",
                       STR_ARG(str_slice(span->place, 0, 200)), shown);
    return quote->len <= LABEL_SPAN_QUOTE_MAX ||
           err_set(err, ERR_INPUT, "the span has %zu bytes; at most %d are allowed",
                   quote->len, LABEL_SPAN_QUOTE_MAX);
}

/* The code that a span is for, where spans are marked per code. */
static bool check_span_code(struct label *label, const struct label_span *span,
                            struct arena *arena, struct store_acts_act *act,
                            struct err *err)
{
    const struct study_codebook_dimension *dimension;
    enum study_spans spans = label->settings->spans;

    if (spans == STUDY_SPANS_NO)
        return err_set(err, ERR_INPUT,
                       "found a span, but labelling.%.*s has no `spans: yes`",
                       STR_ARG(label->settings->name));
    if (spans == STUDY_SPANS_YES)
        return (span->code.len == 0 && span->dimension.len == 0) ||
               err_set(err, ERR_INPUT,
                       "found the code '%.*s' of a span, but labelling.%.*s has no "
                       "`spans: per code`",
                       STR_ARG(str_slice(span->code, 0, 100)),
                       STR_ARG(label->settings->name));
    if (!label_dimension(label, span->dimension, &dimension, err))
        return false;
    if (label_code(dimension, span->code) == LABEL_NONE)
        return err_set(err, ERR_INPUT, "the codebook has no code '%.*s'",
                       STR_ARG(str_slice(span->code, 0, 100)));
    act->dimension = dimension->id;
    act->codes = (struct store_acts_codes){arena_array(arena, struct str, 1), 1};
    act->codes.at[0] = span->code;
    return true;
}

static bool span(struct label *label, const struct label_span *wanted,
                 struct arena *arena, struct label_saved *out, struct err *err)
{
    struct work_round round;
    const struct label_given of = {.rater = wanted->rater,
                                   .item = wanted->item,
                                   .again = wanted->again,
                                   .round = wanted->round,
                                   .seen = wanted->seen};

    if (!find_place(label, &of, &round, err) || !check_unit(label, wanted->unit, err) ||
        !label_span_check(wanted->place, err))
        return false;
    struct store_acts_act act = new_act(
        label, wanted->remove ? STR("unspan") : STR("span"), round.id, wanted->rater);
    act.item = wanted->item;
    act.again = wanted->again;
    act.unit =
        label->settings->units && wanted->unit.len == 0 ? label_first_unit : wanted->unit;
    act.place = wanted->place;
    act.client_key = wanted->client_key;
    act.seen = wanted->seen;
    if (!check_span_code(label, wanted, arena, &act, err))
        return false;
    const struct label_spanned *spanned = label_spanned_find(label, &act);
    bool there = spanned != NULL && label_spanned_lives(label, spanned);
    if (!round.late && wanted->remove != there)
        return err_set(err, ERR_INPUT,
                       wanted->remove ? "there is no span at '%.*s' to take away"
                                      : "there is a span at '%.*s' already",
                       STR_ARG(str_slice(wanted->place, 0, 200)));
    if (!wanted->remove && !check_span(label, wanted, arena, &act.memo, err))
        return false;
    if (spanned != NULL && spanned->top != LABEL_NONE)
        act.supersedes = label->log.entries.at[spanned->top].act.id;
    return store_act(label, &act, round.late, out, err);
}

bool label_span(struct label *label, const struct label_span *wanted,
                struct label_saved *out, struct err *err)
{
    struct arena arena = {0};
    bool own, repeated;

    if (!begin_act(label, wanted->rater, wanted->client_key, out, &own, &repeated, err))
        return false;
    bool ok = repeated || span(label, wanted, &arena, out, err);
    arena_free(&arena);
    return label_change_end(label, own, ok, err);
}

/* The rater's last act in the round that has not been taken back. */
static const struct label_entry *last_entry(const struct label *label, struct str rater,
                                            int64_t round)
{
    const struct label_entry *entries = label->log.entries.at;

    for (size_t i = label->log.entries.count; i > 0; i--)
        if (entries[i - 1].act.round == round && !entries[i - 1].undone &&
            str_eq(entries[i - 1].act.rater, rater))
            return &entries[i - 1];
    return NULL;
}

/* Whether an act is the one that came under a key. */
static bool came_as(struct label *label, const struct label_entry *entry, struct str key,
                    bool *same, struct err *err)
{
    struct arena arena = {0};
    struct store_acts_act act;

    bool ok = store_acts_find_act(label->acts, key, &arena, &act, same, err);
    *same = ok && *same && act.id == entry->act.id;
    arena_free(&arena);
    return ok;
}

static bool undo(struct label *label, const struct label_undoing *undoing,
                 struct label_saved *out, struct err *err)
{
    struct work_round round;

    if (!find_round(label, undoing->round, &round, err))
        return false;
    struct store_acts_act act = new_act(label, STR("undo"), round.id, undoing->rater);
    act.client_key = undoing->client_key;
    if (round.late)
        return store_act(label, &act, true, out, err);
    const struct label_entry *last = last_entry(label, undoing->rater, round.id);
    bool same = true;
    if (last == NULL)
        return err_set(err, ERR_INPUT, "there is nothing to take back in this round");
    if (undoing->of.len > 0 && !came_as(label, last, undoing->of, &same, err))
        return false;
    if (!same)
        return err_set(err, ERR_INPUT,
                       "what was to be taken back is not the last that was said");
    act.item = last->act.item;
    act.again = last->act.again;
    act.dimension = last->act.dimension;
    act.unit = last->act.unit;
    act.supersedes = last->act.id;
    return store_act(label, &act, false, out, err);
}

bool label_undo(struct label *label, const struct label_undoing *undoing,
                struct label_saved *out, struct err *err)
{
    bool own, repeated;

    return begin_act(label, undoing->rater, undoing->client_key, out, &own, &repeated,
                     err) &&
           label_change_end(label, own, repeated || undo(label, undoing, out, err), err);
}

/* Reviews. */

static bool review(struct label *label, int64_t act_id, const struct label_given *given,
                   struct arena *arena, struct label_saved *out, struct err *err)
{
    const struct label_entry *entry = label_entry_find(label, act_id);
    const struct study_codebook_dimension *dimension;

    if (entry == NULL || entry->slot == LABEL_NONE ||
        !str_eq(entry->act.rater, given->rater))
        return err_set(err, ERR_INPUT, "'%.*s' has no label %lld", STR_ARG(given->rater),
                       (long long)act_id);
    struct store_acts_act act =
        new_act(label, STR("review"), entry->act.round, entry->act.rater);
    act.item = entry->act.item;
    act.again = entry->act.again;
    act.dimension = entry->act.dimension;
    act.unit = entry->act.unit;
    act.memo = given->memo;
    act.unsure = given->unsure;
    act.seconds = given->seconds >= 0 ? given->seconds : NAN;
    act.supersedes = act_id;
    act.client_key = given->client_key;
    const struct label_slot *slot = &label->log.slots.at[entry->slot];
    if (slot->top == LABEL_NONE || label->log.entries.at[slot->top].act.id != act_id)
        return err_set(err, ERR_INPUT, "label %lld has been replaced since",
                       (long long)act_id);
    return label_dimension(label, act.dimension, &dimension, err) &&
           label_check_codes(dimension, given->codes, given->code_count, arena,
                             &act.codes, err) &&
           label_check_leaves(label, dimension, &act.codes, err) &&
           store_act(label, &act, false, out, err);
}

/* A new label or note, or another label in place of the one that is reviewed; what came
 * before is not saved again. */
static bool save_once(struct label *label, bool note, const int64_t *reviewed,
                      const struct label_given *given, struct label_saved *out,
                      struct err *err)
{
    struct arena arena = {0};
    bool own, repeated;

    if (!check_given(given, err) ||
        !begin_act(label, given->rater, given->client_key, out, &own, &repeated, err))
        return false;
    bool ok =
        repeated || (reviewed != NULL ? review(label, *reviewed, given, &arena, out, err)
                                      : give(label, note, given, &arena, out, err));
    arena_free(&arena);
    return label_change_end(label, own, ok, err);
}

bool label_give(struct label *label, const struct label_given *given,
                struct label_saved *out, struct err *err)
{
    return save_once(label, false, NULL, given, out, err);
}

bool label_note(struct label *label, const struct label_given *given,
                struct label_saved *out, struct err *err)
{
    return save_once(label, true, NULL, given, out, err);
}

bool label_review(struct label *label, int64_t act, const struct label_given *given,
                  struct label_saved *out, struct err *err)
{
    return save_once(label, false, &act, given, out, err);
}
