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
        &LABEL_LIST(label->log.assigned, struct label_assigned)[tally->begin + position];

    return (struct label_place){.round = tally->round,
                                .item = assigned->item,
                                .position = position,
                                .count = tally->assigned,
                                .again = assigned->again,
                                .done = assigned->filled == label->file.count};
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
    *found = tally->next < tally->assigned;
    if (*found)
        *out = place_at(label, tally, tally->next);
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
    const struct label_tally *tallies =
        LABEL_LIST(label->log.tallies, struct label_tally);
    double seconds = 0;
    *out = (struct label_progress){.rater = rater};
    for (size_t i = 0; i < LABEL_COUNT(label->log.tallies, struct label_tally); i++) {
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
        *out = (struct label_saved){act.id, act.at_ms, true, act.item};
    arena_free(&arena);
    return ok;
}

static bool store_act(struct label *label, struct store_acts_act *act,
                      struct label_saved *out, struct err *err)
{
    if (!store_acts_add(label->acts, STORE_ACTS_ACT, act, err))
        return false;
    *out = (struct label_saved){act->id, act->at_ms, false, act->item};
    return true;
}

static bool give(struct label *label, const struct label_given *given,
                 struct arena *arena, struct label_saved *out, struct err *err)
{
    char shown[ITEM_KEY_SHOWN_MAX];
    const struct study_codebook_dimension *dimension;
    int64_t round = label_open_round(label);
    struct store_acts_act act = {.kind = STR("label"),
                                 .round = round,
                                 .rater = given->rater,
                                 .item = given->item,
                                 .again = given->again,
                                 .memo = given->memo,
                                 .unsure = given->unsure,
                                 .seconds = given->seconds >= 0 ? given->seconds : NAN,
                                 .version = label->task.version,
                                 .client_key = given->client_key,
                                 .source = STR("")};

    if (round == 0)
        return err_set(err, ERR_INPUT,
                       "no round is open: the lead has closed it, or has "
                       "not opened one yet");
    if (label_assigned_find(label, round, given->rater, given->item, given->again) ==
        NULL)
        return err_set(err, ERR_INPUT,
                       "item %s is not among the items of '%.*s' in this round",
                       item_key_show(&label->study->spaces, given->item, shown),
                       STR_ARG(given->rater));
    if (!label_dimension(label, given->dimension, &dimension, err) ||
        !label_check_codes(dimension, given->codes, given->code_count, arena, &act.codes,
                           err))
        return false;
    act.dimension = dimension->id;
    const struct label_slot *slot = label_slot_find(
        label, round, given->rater, given->item, given->again, dimension->id);
    if (slot != NULL && slot->top != LABEL_NONE)
        act.supersedes =
            LABEL_LIST(label->log.entries, struct label_entry)[slot->top].act.id;
    return store_act(label, &act, out, err);
}

/* The rater's last act in the round that has not been taken back. */
static const struct label_entry *last_entry(const struct label *label, struct str rater,
                                            int64_t round)
{
    const struct label_entry *entries =
        LABEL_LIST(label->log.entries, struct label_entry);

    for (size_t i = LABEL_COUNT(label->log.entries, struct label_entry); i > 0; i--)
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

static bool undo(struct label *label, struct str rater, struct str of,
                 struct str client_key, struct label_saved *out, struct err *err)
{
    int64_t round = label_open_round(label);
    const struct label_entry *last = last_entry(label, rater, round);

    if (round == 0)
        return err_set(err, ERR_INPUT,
                       "no round is open: labels of closed ones stay as they are");
    if (last == NULL)
        return err_set(err, ERR_INPUT, "there is nothing to take back in this round");
    bool same = true;
    if (of.len > 0 && !came_as(label, last, of, &same, err))
        return false;
    if (!same)
        return err_set(err, ERR_INPUT,
                       "what was to be taken back is not the last that was said");
    struct store_acts_act act = {.kind = STR("undo"),
                                 .round = round,
                                 .rater = rater,
                                 .item = last->act.item,
                                 .again = last->act.again,
                                 .dimension = last->act.dimension,
                                 .memo = STR(""),
                                 .seconds = NAN,
                                 .version = label->task.version,
                                 .supersedes = last->act.id,
                                 .client_key = client_key,
                                 .source = STR("")};
    return store_act(label, &act, out, err);
}

bool label_undo(struct label *label, struct str rater, struct str of,
                struct str client_key, struct label_saved *out, struct err *err)
{
    bool own, repeated;

    if (!label_change_begin(label, &own, err))
        return false;
    bool ok = find_repeated(label, rater, client_key, out, &repeated, err);
    if (ok && !repeated)
        ok = undo(label, rater, of, client_key, out, err);
    return label_change_end(label, own, ok, err);
}

/* Reviews. */

static bool review(struct label *label, int64_t act_id, const struct label_given *given,
                   struct arena *arena, struct label_saved *out, struct err *err)
{
    const struct label_entry *entry = label_entry_find(label, act_id);
    const struct study_codebook_dimension *dimension;

    if (entry == NULL || !str_eq(entry->act.rater, given->rater))
        return err_set(err, ERR_INPUT, "'%.*s' has no label %lld", STR_ARG(given->rater),
                       (long long)act_id);
    struct store_acts_act act = {.kind = STR("review"),
                                 .round = entry->act.round,
                                 .rater = entry->act.rater,
                                 .item = entry->act.item,
                                 .again = entry->act.again,
                                 .dimension = entry->act.dimension,
                                 .memo = given->memo,
                                 .unsure = given->unsure,
                                 .seconds = given->seconds >= 0 ? given->seconds : NAN,
                                 .version = label->task.version,
                                 .supersedes = act_id,
                                 .client_key = given->client_key,
                                 .source = STR("")};
    const struct label_slot *slot =
        &LABEL_LIST(label->log.slots, struct label_slot)[entry->slot];
    if (slot->top == LABEL_NONE ||
        LABEL_LIST(label->log.entries, struct label_entry)[slot->top].act.id != act_id)
        return err_set(err, ERR_INPUT, "label %lld has been replaced since",
                       (long long)act_id);
    return label_dimension(label, act.dimension, &dimension, err) &&
           label_check_codes(dimension, given->codes, given->code_count, arena,
                             &act.codes, err) &&
           store_act(label, &act, out, err);
}

/* A new label, or another in place of the one that is reviewed; what came before is not
 * saved again. */
static bool save_once(struct label *label, const int64_t *reviewed,
                      const struct label_given *given, struct label_saved *out,
                      struct err *err)
{
    struct arena arena = {0};
    bool own, repeated;

    if (!check_given(given, err) || !label_change_begin(label, &own, err))
        return false;
    bool ok = find_repeated(label, given->rater, given->client_key, out, &repeated, err);
    if (ok && !repeated)
        ok = reviewed != NULL ? review(label, *reviewed, given, &arena, out, err)
                              : give(label, given, &arena, out, err);
    arena_free(&arena);
    return label_change_end(label, own, ok, err);
}

bool label_give(struct label *label, const struct label_given *given,
                struct label_saved *out, struct err *err)
{
    return save_once(label, NULL, given, out, err);
}

bool label_review(struct label *label, int64_t act, const struct label_given *given,
                  struct label_saved *out, struct err *err)
{
    return save_once(label, &act, given, out, err);
}
