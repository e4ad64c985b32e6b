/* Following labels.db: each row is read once and changes what is known of a round, a
 * slot, a place in a list, a rater, an act, a decision, which are found by what names
 * them. */
#include <math.h>

#include "label/internal.h"

const struct str label_first_unit = STR_INIT("1");
const struct str label_late_prefix = STR_INIT("late ");
const struct str label_remark_kind = STR_INIT("remark");

/* Keys of the maps: numbers as they lie in memory, then texts, each ended by a NUL. A key
 * lasts until the next one is made. */

static void key_number(struct buf *key, int64_t number)
{
    buf_add(key, (struct str){(const char *)&number, sizeof number});
}

static void key_text(struct buf *key, struct str text)
{
    buf_add(key, text);
    buf_add_char(key, '\0');
}

static struct str log_key_place(struct label_log *log, int64_t round, struct str rater,
                                int64_t item, bool again)
{
    buf_clear(&log->key);
    key_number(&log->key, round);
    key_number(&log->key, item);
    buf_add_char(&log->key, again ? 'a' : '-');
    key_text(&log->key, rater);
    return buf_str(&log->key);
}

static struct str log_key_unit(struct label_log *log, int64_t round, struct str rater,
                               int64_t item, bool again, struct str unit)
{
    log_key_place(log, round, rater, item, again);
    key_text(&log->key, unit);
    return buf_str(&log->key);
}

static struct str log_key_slot(struct label_log *log, int64_t round, struct str rater,
                               int64_t item, bool again, struct str unit,
                               struct str dimension)
{
    log_key_unit(log, round, rater, item, again, unit);
    key_text(&log->key, dimension);
    return buf_str(&log->key);
}

static struct str log_key_span(struct label_log *log, const struct store_acts_act *act)
{
    log_key_slot(log, act->round, act->rater, act->item, act->again, act->unit,
                 act->dimension);
    key_text(&log->key, act->place);
    for (size_t i = 0; i < act->codes.count; i++)
        key_text(&log->key, act->codes.at[i]);
    return buf_str(&log->key);
}

static struct str log_key_tally(struct label_log *log, int64_t round, struct str rater)
{
    buf_clear(&log->key);
    key_number(&log->key, round);
    key_text(&log->key, rater);
    return buf_str(&log->key);
}

static struct str log_key_numbers(struct label_log *log, int64_t first, int64_t second)
{
    buf_clear(&log->key);
    key_number(&log->key, first);
    key_number(&log->key, second);
    return buf_str(&log->key);
}

static struct str log_key_decision(struct label_log *log, int64_t item,
                                   struct str unit_of, struct str unit,
                                   struct str dimension)
{
    buf_clear(&log->key);
    key_number(&log->key, item);
    key_text(&log->key, unit_of);
    key_text(&log->key, unit);
    key_text(&log->key, dimension);
    return buf_str(&log->key);
}

static struct str log_key_number(struct label_log *log, int64_t number)
{
    buf_clear(&log->key);
    key_number(&log->key, number);
    return buf_str(&log->key);
}

/* The index under a key; LABEL_NONE: none. */
static size_t log_key_index(const struct map *map, struct str key)
{
    const int64_t *found = map_get(map, key);

    return found != NULL && *found > 0 ? (size_t)*found - 1 : LABEL_NONE;
}

/* Finding. */

struct label_known_round *label_round_find(const struct label *label, int64_t id)
{
    size_t low = 0, high = label->log.rounds.count;
    struct label_known_round *rounds = label->log.rounds.at;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rounds[middle].row.id == id)
            return &rounds[middle];
        if (rounds[middle].row.id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const struct label_slot *label_slot_find(struct label *label, int64_t round,
                                         struct str rater, int64_t item, bool again,
                                         struct str unit, struct str dimension)
{
    struct label_log *log = &label->log;
    size_t at = log_key_index(
        &log->slot_of, log_key_slot(log, round, rater, item, again, unit, dimension));

    return at == LABEL_NONE ? NULL : &log->slots.at[at];
}

struct label_marked *label_marked_find(struct label *label, int64_t round,
                                       struct str rater, int64_t item, bool again,
                                       struct str unit)
{
    struct label_log *log = &label->log;
    size_t at = log_key_index(&log->marked_of,
                              log_key_unit(log, round, rater, item, again, unit));

    return at == LABEL_NONE ? NULL : &log->marked.at[at];
}

bool label_marked_lives(const struct label *label, const struct label_marked *marked)
{
    const struct label_entry *entries = label->log.entries.at;

    return marked->top == LABEL_NONE ? marked->filled > 0
                                     : str_eq(entries[marked->top].act.kind, STR("unit"));
}

const struct label_spanned *label_spanned_find(struct label *label,
                                               const struct store_acts_act *act)
{
    struct label_log *log = &label->log;
    size_t at = log_key_index(&log->spanned_of, log_key_span(log, act));

    return at == LABEL_NONE ? NULL : &log->spanned.at[at];
}

bool label_spanned_lives(struct label *label, const struct label_spanned *spanned)
{
    const struct label_entry *entries = label->log.entries.at;

    if (spanned->top == LABEL_NONE ||
        !str_eq(entries[spanned->top].act.kind, STR("span")))
        return false;
    const struct store_acts_act *act = &entries[spanned->top].act;
    const struct label_marked *marked =
        act->unit.len == 0 ? NULL
                           : label_marked_find(label, act->round, act->rater, act->item,
                                               act->again, act->unit);
    /* A unit that nobody has marked yet is there; one that was taken away is not. */
    return marked == NULL || marked->top == LABEL_NONE ||
           label_marked_lives(label, marked);
}

bool label_slot_speaks(const struct label *label, const struct label_slot *slot)
{
    return slot->top != LABEL_NONE && slot->dimension.len > 0 &&
           (slot->marked == LABEL_NONE ||
            label_marked_lives(label, &label->log.marked.at[slot->marked]));
}

bool label_assigned_done(const struct label *label, const struct label_assigned *place)
{
    const struct label_marked *marked = label->log.marked.at;
    size_t units = 0;

    if (!label->settings->units)
        return place->filled == label->file.count;
    for (size_t i = place->first_marked; i != LABEL_NONE; i = marked[i].next) {
        if (!label_marked_lives(label, &marked[i]))
            continue;
        if (marked[i].filled < label->file.count)
            return false;
        units++;
    }
    return units > 0;
}

struct label_assigned *label_assigned_find(struct label *label, int64_t round,
                                           struct str rater, int64_t item, bool again)
{
    struct label_log *log = &label->log;
    size_t at =
        log_key_index(&log->assigned_of, log_key_place(log, round, rater, item, again));

    return at == LABEL_NONE ? NULL : &log->assigned.at[at];
}

struct label_tally *label_tally_find(struct label *label, int64_t round, struct str rater)
{
    struct label_log *log = &label->log;
    size_t at = log_key_index(&log->tally_of, log_key_tally(log, round, rater));

    return at == LABEL_NONE ? NULL : &log->tallies.at[at];
}

const struct label_entry *label_entry_find(struct label *label, int64_t act)
{
    struct label_log *log = &label->log;
    size_t at = log_key_index(&log->entry_of, log_key_number(log, act));

    return at == LABEL_NONE ? NULL : &log->entries.at[at];
}

const struct store_acts_decision *label_decision_find(struct label *label, int64_t item,
                                                      struct str unit_of, struct str unit,
                                                      struct str dimension)
{
    struct label_log *log = &label->log;
    size_t at = log_key_index(&log->decision_of,
                              log_key_decision(log, item, unit_of, unit, dimension));

    return at == LABEL_NONE ? NULL : &log->decisions.at[at];
}

int64_t label_open_round(const struct label *label)
{
    const struct label_known_round *rounds = label->log.rounds.at;

    for (size_t i = label->log.rounds.count; i > 0; i--)
        if (rounds[i - 1].ours && rounds[i - 1].closed_ms == 0)
            return rounds[i - 1].row.id;
    return 0;
}

bool label_is_ours(const struct label_known_round *round)
{
    return round->ours;
}

bool label_is_chosen(const struct label_known_round *round)
{
    return round->ours && str_eq(round->row.kind, STR("chosen"));
}

bool label_counts(const struct label_known_round *round)
{
    return round->ours && !label_is_chosen(round) &&
           !str_eq(round->row.kind, STR("training"));
}

/* Rows. */

static bool is_ours(const struct label *label, struct str task)
{
    return str_eq(task, label->settings->name);
}

static bool take_codebook(void *context, const void *row, struct err *err)
{
    struct label *label = context;
    struct store_acts_codebook codebook = *(const struct store_acts_codebook *)row;

    (void)err;
    label->log.seen[STORE_ACTS_CODEBOOK] = codebook.id;
    if (!is_ours(label, codebook.task))
        return true;
    codebook.version = arena_copy(&label->log.arena, codebook.version);
    codebook.text = arena_copy(&label->log.arena, codebook.text);
    codebook.task = label->settings->name;
    list_add(&label->log.codebooks, codebook);
    return true;
}

static bool take_round(void *context, const void *row, struct err *err)
{
    struct label *label = context;
    struct arena *arena = &label->log.arena;
    struct label_known_round round = {.row = *(const struct store_acts_round *)row};

    (void)err;
    label->log.seen[STORE_ACTS_ROUND] = round.row.id;
    round.ours = is_ours(label, round.row.task);
    round.row.task = arena_copy(arena, round.row.task);
    round.row.kind = arena_copy(arena, round.row.kind);
    round.row.by = arena_copy(arena, round.row.by);
    round.row.source = arena_copy(arena, round.row.source);
    list_add(&label->log.rounds, round);
    return true;
}

static bool take_round_end(void *context, const void *row, struct err *err)
{
    struct label *label = context;
    const struct store_acts_round_end *end = row;
    struct label_known_round *round = label_round_find(label, end->round);

    (void)err;
    label->log.seen[STORE_ACTS_ROUND_END] = end->id;
    if (round != NULL) {
        round->closed_ms = end->at_ms;
        round->closed_by = arena_copy(&label->log.arena, end->by);
    }
    return true;
}

static struct label_tally *tally_of(struct label *label, int64_t round, struct str rater)
{
    struct label_log *log = &label->log;
    struct label_tally *found = label_tally_find(label, round, rater);

    if (found != NULL)
        return found;
    struct label_tally tally = {.round = round,
                                .rater = arena_copy(&log->arena, rater),
                                .begin = log->assigned.count};
    list_add(&log->tallies, tally);
    size_t count = log->tallies.count;
    *map_put(&log->tally_of, log_key_tally(log, round, rater)) = (int64_t)count;
    return &log->tallies.at[count - 1];
}

static void add_place(struct label *label, struct label_known_round *round,
                      struct label_tally *tally, int64_t item, bool again)
{
    struct label_log *log = &label->log;
    struct label_assigned place = {.round = round->row.id,
                                   .item = item,
                                   .rater = tally->rater,
                                   .again = again,
                                   .first_marked = LABEL_NONE,
                                   .last_marked = LABEL_NONE,
                                   .first_span = LABEL_NONE,
                                   .last_span = LABEL_NONE};

    tally->assigned++;
    list_add(&log->assigned, place);
    *map_put(&log->assigned_of, log_key_place(log, place.round, place.rater, item,
                                              again)) = (int64_t)log->assigned.count;
    int64_t *known = map_put(&log->item_of, log_key_numbers(log, place.round, item));
    round->items += *known == 0;
    *known = 1;
}

/* A rater's list is written in one go, so that its rows follow each other. */
static bool take_assignment(void *context, const void *row, struct err *err)
{
    struct label *label = context;
    struct label_log *log = &label->log;
    const struct store_acts_assignment *from = row;
    struct label_known_round *round = label_round_find(label, from->round);

    log->seen[STORE_ACTS_ASSIGNMENT] = from->id;
    if (round == NULL || !round->ours)
        return true;
    struct label_tally *tally = tally_of(label, from->round, from->rater);
    size_t at = log->assigned.count;
    if (tally->begin + tally->assigned != at || (size_t)from->position != tally->assigned)
        return err_set(err, ERR_INPUT,
                       "labels.db is damaged: row %lld of its table 'assignment' is out "
                       "of order",
                       (long long)from->id);
    add_place(label, round, tally, from->item, from->again);
    return true;
}

/* The unit that an act is about, of the rater's list; LABEL_NONE: the item. */
static size_t marked_of(struct label *label, const struct store_acts_act *act)
{
    struct label_log *log = &label->log;
    struct label_assigned *place =
        label_assigned_find(label, act->round, act->rater, act->item, act->again);

    if (act->unit.len == 0 || place == NULL)
        return LABEL_NONE;
    int64_t *number =
        map_put(&log->marked_of, log_key_unit(log, act->round, act->rater, act->item,
                                              act->again, act->unit));
    if (*number == 0) {
        size_t at = log->marked.count;
        struct label_marked marked = {.unit = arena_copy(&log->arena, act->unit),
                                      .place = (size_t)(place - log->assigned.at),
                                      .top = LABEL_NONE,
                                      .next = LABEL_NONE};
        list_add(&log->marked, marked);
        *number = (int64_t)at + 1;
        if (place->last_marked == LABEL_NONE)
            place->first_marked = at;
        else
            log->marked.at[place->last_marked].next = at;
        place->last_marked = at;
    }
    return (size_t)*number - 1;
}

static size_t slot_of(struct label_log *log, const struct store_acts_act *act,
                      size_t marked)
{
    int64_t *number =
        map_put(&log->slot_of, log_key_slot(log, act->round, act->rater, act->item,
                                            act->again, act->unit, act->dimension));

    if (*number == 0) {
        struct label_slot slot = {
            .round = act->round,
            .item = act->item,
            .rater = arena_copy(&log->arena, act->rater),
            .dimension = arena_copy(&log->arena, act->dimension),
            .unit = arena_copy(&log->arena, act->unit),
            .again = act->again,
            .marked = marked,
            .top = LABEL_NONE,
            .first = LABEL_NONE,
        };
        list_add(&log->slots, slot);
        *number = (int64_t)log->slots.count;
    }
    return (size_t)*number - 1;
}

/* Whether a label of the item or unit is flagged, or what stands there without one. A
 * note that is newer than a label speaks for it, as label_carry() has it. */
static bool is_unsure(struct label *label, const struct label_slot *slot)
{
    const struct study_codebook *codebook = &label->effective;
    const struct label_entry *entries = label->log.entries.at;
    const struct label_slot *note =
        label_slot_find(label, slot->round, slot->rater, slot->item, slot->again,
                        slot->unit, (struct str){0});
    size_t noted = note != NULL ? note->top : LABEL_NONE;
    bool labelled = false, unsure = false;

    for (size_t d = 0; d < codebook->count; d++) {
        const struct label_slot *said =
            label_slot_find(label, slot->round, slot->rater, slot->item, slot->again,
                            slot->unit, codebook->dimensions[d].id);
        if (said == NULL || said->top == LABEL_NONE)
            continue;
        size_t newest = noted != LABEL_NONE && noted > said->top ? noted : said->top;
        labelled = true;
        unsure = unsure || entries[newest].act.unsure;
    }
    return labelled ? unsure : noted != LABEL_NONE && entries[noted].act.unsure;
}

/* Another entry counts in the slot; keeps the rater's tally. */
static void set_top(struct label *label, size_t slot_index, size_t top)
{
    struct label_log *log = &label->log;
    struct label_slot *slot = &log->slots.at[slot_index];
    const struct label_entry *entries = log->entries.at;
    struct label_tally *tally = tally_of(label, slot->round, slot->rater);
    struct label_assigned *place =
        label_assigned_find(label, slot->round, slot->rater, slot->item, slot->again);

    /* Nearly all acts are sure and newer than what they replace. */
    bool flags = place != NULL &&
                 (place->unsure > 0 || top == LABEL_NONE || entries[top].act.unsure ||
                  (slot->top != LABEL_NONE && top < slot->top));
    bool was_unsure = flags && is_unsure(label, slot);
    if (place != NULL && slot->dimension.len > 0) {
        size_t *filled = slot->marked == LABEL_NONE
                             ? &place->filled
                             : &log->marked.at[slot->marked].filled;
        tally->done -= label_assigned_done(label, place);
        *filled -= slot->top != LABEL_NONE;
        *filled += top != LABEL_NONE;
        tally->done += label_assigned_done(label, place);
    }
    slot->top = top;
    if (flags) {
        tally->unsure -= place->unsure > 0;
        place->unsure += (size_t)is_unsure(label, slot) - (size_t)was_unsure;
        tally->unsure += place->unsure > 0;
    }
}

/* Another entry says whether and where the unit is. */
static void set_mark(struct label *label, size_t marked_index, size_t top)
{
    struct label_log *log = &label->log;
    struct label_marked *marked = &log->marked.at[marked_index];
    const struct label_assigned *place = &log->assigned.at[marked->place];
    struct label_tally *tally = label_tally_find(label, place->round, place->rater);

    tally->done -= label_assigned_done(label, place);
    marked->top = top;
    tally->done += label_assigned_done(label, place);
}

static void apply_undo(struct label *label, const struct store_acts_act *act)
{
    struct label_log *log = &label->log;
    size_t at = log_key_index(&log->entry_of, log_key_number(log, act->supersedes));

    if (at == LABEL_NONE)
        return;
    struct label_entry *entry = &log->entries.at[at];
    entry->undone = true;
    tally_of(label, act->round, act->rater)->next = 0;
    if (entry->spanned != LABEL_NONE) {
        if (log->spanned.at[entry->spanned].top == at)
            log->spanned.at[entry->spanned].top = entry->below;
        return;
    }
    if (entry->slot == LABEL_NONE) {
        if (log->marked.at[entry->marked].top == at)
            set_mark(label, entry->marked, entry->below);
        return;
    }
    struct label_slot *slot = &log->slots.at[entry->slot];
    if (slot->first == at)
        slot->first = entry->below;
    if (slot->top == at)
        set_top(label, entry->slot, entry->below);
}

/* Adds an entry, with texts of its own; its number. */
static size_t add_entry(struct label_log *log, struct label_entry entry)
{
    const struct store_acts_act *act = &entry.act;
    struct arena *arena = &log->arena;
    size_t at = log->entries.count;

    entry.act.kind = arena_copy(arena, act->kind);
    entry.act.memo = arena_copy(arena, act->memo);
    entry.act.version = arena_copy(arena, act->version);
    entry.act.source = arena_copy(arena, act->source);
    entry.act.place = arena_copy(arena, act->place);
    entry.act.seen = arena_copy(arena, act->seen);
    entry.act.client_key = (struct str){0};
    struct str *codes = arena_array(arena, struct str, act->codes.count + 1);
    for (size_t i = 0; i < act->codes.count; i++)
        codes[i] = arena_copy(arena, act->codes.at[i]);
    entry.act.codes.at = codes;
    list_add(&log->entries, entry);
    *map_put(&log->entry_of, log_key_number(log, act->id)) = (int64_t)at + 1;
    return at;
}

/* A unit is marked, or taken away. */
static void apply_mark(struct label *label, const struct store_acts_act *act)
{
    struct label_log *log = &label->log;
    struct label_entry entry = {.act = *act,
                                .slot = LABEL_NONE,
                                .marked = marked_of(label, act),
                                .spanned = LABEL_NONE};

    if (entry.marked == LABEL_NONE)
        return;
    const struct label_marked *marked = &log->marked.at[entry.marked];
    entry.below = marked->top;
    entry.act.rater = log->assigned.at[marked->place].rater;
    entry.act.unit = marked->unit;
    entry.act.dimension = STR("");
    set_mark(label, entry.marked, add_entry(log, entry));
    tally_of(label, act->round, act->rater)->next = 0;
}

/* A span is marked, or taken away. */
static void apply_span(struct label *label, const struct store_acts_act *act)
{
    struct label_log *log = &label->log;
    struct label_assigned *place =
        label_assigned_find(label, act->round, act->rater, act->item, act->again);

    if (place == NULL)
        return;
    int64_t *number = map_put(&log->spanned_of, log_key_span(log, act));
    struct label_entry entry = {.act = *act, .slot = LABEL_NONE, .marked = LABEL_NONE};
    bool known = *number != 0;
    if (!known) {
        struct label_spanned spanned = {.place = (size_t)(place - log->assigned.at),
                                        .first = log->entries.count,
                                        .top = LABEL_NONE,
                                        .next = LABEL_NONE};
        size_t at = log->spanned.count;
        list_add(&log->spanned, spanned);
        *number = (int64_t)at + 1;
        if (place->last_span == LABEL_NONE)
            place->first_span = at;
        else
            log->spanned.at[place->last_span].next = at;
        place->last_span = at;
    }
    entry.spanned = (size_t)*number - 1;
    struct label_spanned *spanned = &log->spanned.at[entry.spanned];
    entry.below = spanned->top;
    entry.act.rater = place->rater;
    entry.act.unit = arena_copy(&log->arena, act->unit);
    entry.act.dimension = arena_copy(&log->arena, act->dimension);
    spanned->top = add_entry(log, entry);
}

static double add_spent(double seconds, double before)
{
    return isnan(seconds) ? before : isnan(before) ? seconds : seconds + before;
}

static void apply_label(struct label *label, const struct store_acts_act *act)
{
    struct label_log *log = &label->log;
    struct label_entry entry = {
        .act = *act, .marked = marked_of(label, act), .spanned = LABEL_NONE};

    entry.slot = slot_of(log, act, entry.marked);
    const struct label_slot *slot = &log->slots.at[entry.slot];
    entry.below = slot->top;
    entry.spent = add_spent(
        act->seconds, slot->top != LABEL_NONE ? log->entries.at[slot->top].spent : NAN);
    entry.act.rater = slot->rater;
    entry.act.dimension = slot->dimension;
    entry.act.unit = slot->unit;
    size_t at = add_entry(log, entry);
    set_top(label, entry.slot, at);
    if (!str_eq(act->kind, STR("review")))
        log->slots.at[entry.slot].first = at;
}

static void keep_late(struct label_log *log, const struct store_acts_act *act)
{
    struct arena *arena = &log->arena;
    struct str *codes = arena_array(arena, struct str, act->codes.count + 1);

    for (size_t i = 0; i < act->codes.count; i++)
        codes[i] = arena_copy(arena, act->codes.at[i]);
    struct label_late late = {
        .round = act->round,
        .item = act->item,
        .at_ms = act->at_ms,
        .rater = arena_copy(arena, act->rater),
        .what =
            arena_copy(arena, str_slice(act->kind, label_late_prefix.len, act->kind.len)),
        .dimension = arena_copy(arena, act->dimension),
        .unit = arena_copy(arena, act->unit),
        .memo = arena_copy(arena, act->memo),
        .codes = codes,
        .code_count = act->codes.count};
    list_add(&log->late, late);
}

static bool take_act(void *context, const void *row, struct err *err)
{
    struct label *label = context;
    struct store_acts_act named = *(const struct store_acts_act *)row;
    const struct store_acts_act *act = &named;
    struct label_known_round *round = label_round_find(label, act->round);

    label->log.seen[STORE_ACTS_ACT] = act->id;
    if (round == NULL || !round->ours)
        return true;
    if (str_starts(act->kind, label_late_prefix)) {
        keep_late(&label->log, act);
        return true;
    }
    if (str_eq(act->kind, label_remark_kind)) {
        label_remark_keep(&label->log, act);
        return true;
    }
    if (named.unit.len > 0 && !label->settings->units)
        return err_set(err, ERR_INPUT,
                       "labels.db has labels of units in items: expected `units: yes` at "
                       "labelling.%.*s of the study file",
                       STR_ARG(label->settings->name));
    if (label->settings->units && named.unit.len == 0)
        named.unit = label_first_unit; /* labelled before units were told apart */
    struct label_tally *tally = tally_of(label, act->round, act->rater);
    /* Nobody was asked for what was imported: it is as if they had been. */
    if (round->row.source.len > 0 &&
        label_assigned_find(label, act->round, act->rater, act->item, act->again) == NULL)
        add_place(label, round, tally, act->item, act->again);
    tally->acts++;
    tally->last_ms = act->at_ms;
    if (act->seconds > 0)
        tally->seconds += act->seconds;
    if (str_eq(act->kind, STR("undo")))
        apply_undo(label, act);
    else if (str_eq(act->kind, STR("unit")) || str_eq(act->kind, STR("remove")))
        apply_mark(label, act);
    else if (str_eq(act->kind, STR("span")) || str_eq(act->kind, STR("unspan")))
        apply_span(label, act);
    else
        apply_label(label, act);
    return true;
}

static bool take_decision(void *context, const void *row, struct err *err)
{
    struct label *label = context;
    struct label_log *log = &label->log;
    struct store_acts_decision decision = *(const struct store_acts_decision *)row;
    struct str *texts[] = {&decision.dimension, &decision.version, &decision.by,
                           &decision.reason,    &decision.text,    &decision.unit,
                           &decision.unit_of};
    struct str *codes;

    (void)err;
    log->seen[STORE_ACTS_DECISION] = decision.id;
    if (!is_ours(label, decision.task))
        return true;
    decision.task = label->settings->name;
    for (size_t i = 0; i < ROWS_OF(texts); i++)
        *texts[i] = arena_copy(&log->arena, *texts[i]);
    codes = arena_array(&log->arena, struct str, decision.codes.count + 1);
    for (size_t i = 0; i < decision.codes.count; i++)
        codes[i] = arena_copy(&log->arena, decision.codes.at[i]);
    decision.codes.at = codes;
    list_add(&log->decisions, decision);
    *map_put(&log->decision_of, log_key_decision(log, decision.item, decision.unit_of,
                                                 decision.unit, decision.dimension)) =
        (int64_t)log->decisions.count;
    return true;
}

static bool take_proposal(void *context, const void *row, struct err *err)
{
    struct label *label = context;
    struct arena *arena = &label->log.arena;
    const struct store_acts_proposal *from = row;

    (void)err;
    label->log.seen[STORE_ACTS_PROPOSAL] = from->id;
    if (!is_ours(label, from->task))
        return true;
    struct label_proposal proposal = {.id = from->id,
                                      .at_ms = from->at_ms,
                                      .rater = arena_copy(arena, from->rater),
                                      .dimension = arena_copy(arena, from->dimension),
                                      .parent = arena_copy(arena, from->parent),
                                      .code = arena_copy(arena, from->code),
                                      .name = arena_copy(arena, from->name),
                                      .text = arena_copy(arena, from->text),
                                      .item = from->item};
    list_add(&label->log.proposals, proposal);
    return true;
}

static bool take_verdict(void *context, const void *row, struct err *err)
{
    struct label *label = context;
    const struct store_acts_verdict *verdict = row;
    struct label_proposal *proposals = label->log.proposals.at;

    (void)err;
    label->log.seen[STORE_ACTS_VERDICT] = verdict->id;
    for (size_t i = 0; i < label->log.proposals.count; i++) {
        if (proposals[i].id != verdict->proposal)
            continue;
        proposals[i].verdict = verdict->accepted ? LABEL_ACCEPTED : LABEL_REJECTED;
        proposals[i].by = arena_copy(&label->log.arena, verdict->by);
        proposals[i].reason = arena_copy(&label->log.arena, verdict->reason);
    }
    return true;
}

static bool take_token(void *context, const void *row, struct err *err)
{
    struct label *label = context;
    struct store_acts_token token = *(const struct store_acts_token *)row;

    (void)err;
    label->log.seen[STORE_ACTS_TOKEN] = token.id;
    label->log.plain_token |= token.token.len == LABEL_TOKEN_LEN;
    if (!is_ours(label, token.task))
        return true;
    token.task = label->settings->name;
    token.person = arena_copy(&label->log.arena, token.person);
    token.token = arena_copy(&label->log.arena, token.token);
    list_add(&label->log.tokens, token);
    return true;
}

/* The whole. */

void label_log_free(struct label_log *log)
{
    list_free(&log->codebooks);
    list_free(&log->rounds);
    list_free(&log->assigned);
    list_free(&log->tallies);
    list_free(&log->entries);
    list_free(&log->slots);
    list_free(&log->marked);
    list_free(&log->spanned);
    list_free(&log->decisions);
    list_free(&log->proposals);
    list_free(&log->tokens);
    list_free(&log->late);
    list_free(&log->remarks);
    buf_free(&log->key);
    arena_free(&log->arena);
    *log = (struct label_log){0};
}

static bool read_tables(struct label *label, struct err *err)
{
    /* A table comes after those that its rows refer to. */
    static const struct {
        enum store_acts_table table;
        store_acts_take *take;
    } tables[] = {
        {STORE_ACTS_CODEBOOK, take_codebook},     {STORE_ACTS_ROUND, take_round},
        {STORE_ACTS_ASSIGNMENT, take_assignment}, {STORE_ACTS_ACT, take_act},
        {STORE_ACTS_ROUND_END, take_round_end},   {STORE_ACTS_DECISION, take_decision},
        {STORE_ACTS_PROPOSAL, take_proposal},     {STORE_ACTS_VERDICT, take_verdict},
        {STORE_ACTS_TOKEN, take_token},
    };

    for (size_t i = 0; i < ROWS_OF(tables); i++)
        if (!store_acts_each(label->acts, tables[i].table,
                             label->log.seen[tables[i].table], tables[i].take, label,
                             err))
            return false;
    return true;
}

/* All tables as of one moment: a row must not be read before the one it refers to. */
static bool read_at_once(struct label *label, struct err *err)
{
    if (label->within)
        return read_tables(label, err);
    bool ok = store_acts_begin_reading(label->acts, err) && read_tables(label, err) &&
              store_acts_commit(label->acts, err);
    if (!ok)
        store_acts_rollback(label->acts);
    return ok;
}

bool label_follow(struct label *label, struct err *err)
{
    struct label_log *log = &label->log;
    struct map *maps[] = {&log->slot_of,   &log->assigned_of, &log->tally_of,
                          &log->entry_of,  &log->decision_of, &log->item_of,
                          &log->marked_of, &log->spanned_of};
    bool anew = label->stale;

    if (label->held)
        return true;
    if (anew)
        label_log_free(log);
    for (size_t i = 0; i < ROWS_OF(maps); i++)
        maps[i]->arena = &log->arena;
    int64_t verdicts = log->seen[STORE_ACTS_VERDICT];
    label->stale = true; /* until all tables have been read */
    if (!read_at_once(label, err))
        return false;
    label->stale = false;
    if (anew || verdicts != log->seen[STORE_ACTS_VERDICT])
        label_extend_codebook(label);
    return true;
}

bool label_hold(struct label *label, struct err *err)
{
    label->held = label_follow(label, err);
    return label->held;
}

void label_release(struct label *label)
{
    label->held = false;
}

bool label_late(struct label *label, struct arena *arena, struct label_late **out,
                size_t *count, struct err *err)
{
    if (!label_follow(label, err))
        return false;
    *out = list_copy(&label->log.late, arena);
    *count = label->log.late.count;
    for (size_t i = 0; i < *count; i++) {
        struct label_late *one = &(*out)[i];
        struct str *texts[] = {&one->rater, &one->what, &one->dimension, &one->unit,
                               &one->memo};
        for (size_t t = 0; t < ROWS_OF(texts); t++)
            *texts[t] = arena_copy(arena, *texts[t]);
        one->codes = arena_array(arena, struct str, one->code_count + 1);
        for (size_t c = 0; c < one->code_count; c++)
            one->codes[c] = arena_copy(arena, label->log.late.at[i].codes[c]);
    }
    return true;
}

bool label_changes(struct label *label, int64_t *out, struct err *err)
{
    uint64_t sum = label_corpus_stamp(label);

    *out = 0;
    if (!label_follow(label, err))
        return false;
    for (size_t i = 0; i < ROWS_OF(label->log.seen); i++)
        sum += (uint64_t)label->log.seen[i];
    *out = (int64_t)(sum & INT64_MAX);
    return true;
}
