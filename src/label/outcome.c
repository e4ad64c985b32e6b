/* What comes of the raters' words: agreement of an item's raters, disputes, decisions,
 * final labels. */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "label/internal.h"

/* Groups. */

struct word { /* of a rater on an item in a dimension */
    size_t order;
    int64_t item;
    size_t dimension;
    bool chosen; /* said in a round that is no sample */
    size_t rater;
    int64_t round;
    size_t entry;
};

static int compare_words(const void *a, const void *b)
{
    const struct word *one = a, *two = b;

    if (one->order != two->order)
        return one->order < two->order ? -1 : 1;
    if (one->item != two->item)
        return one->item < two->item ? -1 : 1;
    if (one->dimension != two->dimension)
        return one->dimension < two->dimension ? -1 : 1;
    if (one->chosen != two->chosen)
        return one->chosen ? 1 : -1;
    if (one->rater != two->rater)
        return one->rater < two->rater ? -1 : 1;
    return one->round > two->round ? -1 : one->round < two->round; /* newest first */
}

static size_t dimension_index(const struct label *label, struct str id)
{
    size_t d = 0;

    while (d < label->effective.count && !str_eq(label->effective.dimensions[d].id, id))
        d++;
    return d;
}

static struct word *words_of(struct label *label, struct arena *arena, size_t *count)
{
    const struct label_slot *slots = label->log.slots.at;
    size_t slot_count = label->log.slots.count;
    struct word *words = arena_array(arena, struct word, slot_count + 1);

    *count = 0;
    for (size_t i = 0; i < slot_count; i++) {
        const struct label_known_round *round = label_round_find(label, slots[i].round);
        struct word word = {.order = label_order(label, slots[i].item),
                            .item = slots[i].item,
                            .dimension = dimension_index(label, slots[i].dimension),
                            .chosen = label_is_chosen(round),
                            .rater = label_rater(label, slots[i].rater),
                            .round = slots[i].round,
                            .entry = slots[i].top};
        if (label_slot_speaks(label, &slots[i]) && !slots[i].again &&
            (word.chosen || label_counts(round)) &&
            word.rater < label->settings->rater_count &&
            word.dimension < label->effective.count)
            words[(*count)++] = word;
    }
    qsort(words, *count, sizeof *words, compare_words);
    return words;
}

static bool same_codes(const struct label_said *a, const struct label_said *b)
{
    bool same = a->code_count == b->code_count;

    for (size_t i = 0; same && i < a->code_count; i++)
        same = str_eq(a->codes[i], b->codes[i]);
    return same;
}

/* Somebody who was asked in the open round has not said anything in this dimension. */
static bool is_pending(struct label *label, int64_t item, size_t dimension)
{
    int64_t open = label_open_round(label);

    for (size_t r = 0; open != 0 && r < label->settings->rater_count; r++) {
        struct str rater = label->settings->raters[r];
        const struct label_assigned *place =
            label_assigned_find(label, open, rater, item, false);
        if (place == NULL)
            continue;
        const struct label_slot *slot =
            label_slot_find(label, open, rater, item, false, (struct str){0},
                            label->effective.dimensions[dimension].id);
        if (label->settings->units ? !label_assigned_done(label, place)
                                   : slot == NULL || slot->top == LABEL_NONE)
            return true;
    }
    return false;
}

/* Units. */

/* The newest round of a kind in which the rater has units in the item; NULL: none. */
static const struct label_assigned *newest_place(struct label *label, int64_t item,
                                                 struct str rater, bool chosen)
{
    const struct label_known_round *rounds = label->log.rounds.at;
    const struct label_marked *marked = label->log.marked.at;

    for (size_t i = label->log.rounds.count; i > 0; i--) {
        if (!(chosen ? label_is_chosen : label_counts)(&rounds[i - 1]))
            continue;
        const struct label_assigned *place =
            label_assigned_find(label, rounds[i - 1].row.id, rater, item, false);
        for (size_t u = place != NULL ? place->first_marked : LABEL_NONE; u != LABEL_NONE;
             u = marked[u].next)
            if (label_marked_lives(label, &marked[u]))
                return place;
    }
    return NULL;
}

/* A unit that comes of those that raters marked. */
struct outcome_unit {
    struct str name, place, called; /* as its first rater has them */
    const size_t *marked;           /* of its raters, in their order: log.marked */
    size_t marked_count;
};

struct outcome_units {
    struct outcome_unit *at;
    size_t count;
    size_t raters; /* who have marked any unit in the item */
    bool chosen;
};

static bool is_named(const struct outcome_units *units, size_t count, struct str name)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(units->at[i].name, name))
            return true;
    return false;
}

/* As its first rater calls it; where another one is called so, by the first number that
 * is free. */
static void name_unit(struct outcome_units *units, size_t at, struct arena *arena)
{
    struct outcome_unit *unit = &units->at[at];

    for (int number = 1; is_named(units, at, unit->name); number++)
        unit->name = arena_format(arena, "%d", number);
}

/* Units of raters that are the same one become one, in the order of raters and of their
 * marking. */
static struct outcome_units units_of(struct label *label, int64_t item,
                                     struct arena *arena)
{
    const struct label_marked *marked = label->log.marked.at;
    LIST(struct label_unit) all = {0};
    LIST(size_t) indices = {0};
    struct outcome_units out = {0};
    struct err ignored = {0};

    for (int pass = 0; pass < 2 && out.raters == 0; pass++)
        for (size_t r = 0; r < label->settings->rater_count; r++) {
            const struct label_assigned *place =
                newest_place(label, item, label->settings->raters[r], pass == 1);
            out.raters += place != NULL;
            out.chosen = pass == 1;
            for (size_t u = place != NULL ? place->first_marked : LABEL_NONE;
                 u != LABEL_NONE; u = marked[u].next) {
                struct label_unit_said said = label_unit_of(label, u);
                struct label_unit unit = {
                    .rater = r, .name = said.unit, .called = said.called};
                if (!label_marked_lives(label, &marked[u]))
                    continue;
                if (!label_unit_place_read(said.place, &unit.place, &ignored))
                    unit.place = (struct label_unit_place){.part = said.place};
                list_add(&all, unit);
                list_add(&indices, u);
            }
        }
    size_t *match = arena_array(arena, size_t, all.count + 1);
    size_t *members = arena_array(arena, size_t, all.count + 1);
    out.count = label_unit_match(all.at, all.count, match);
    out.at = arena_array(arena, struct outcome_unit, out.count + 1);
    for (size_t g = 0; g < out.count; g++) {
        out.at[g].marked = members;
        for (size_t i = 0; i < all.count; i++)
            if (match[i] == g)
                members[out.at[g].marked_count++] = indices.at[i];
        members += out.at[g].marked_count;
        struct label_unit_said first = label_unit_of(label, out.at[g].marked[0]);
        out.at[g].name = arena_copy(arena, first.unit);
        out.at[g].place = arena_copy(arena, first.place);
        out.at[g].called = arena_copy(arena, first.called);
        name_unit(&out, g, arena);
    }
    list_free(&all);
    list_free(&indices);
    return out;
}

/* What was decided on a unit in a dimension; without one, that it is no unit. The newest
 * that names any of its raters' units; NULL: nothing. */
static const struct store_acts_decision *decision_on_unit(struct label *label,
                                                          int64_t item,
                                                          const struct outcome_unit *unit,
                                                          struct str dimension)
{
    const struct store_acts_decision *found = NULL;

    for (size_t i = 0; i < unit->marked_count; i++) {
        const struct label_marked *marked = &label->log.marked.at[unit->marked[i]];
        const struct store_acts_decision *row =
            label_decision_find(label, item, label->log.assigned.at[marked->place].rater,
                                marked->unit, dimension);
        if (row != NULL && (found == NULL || row->id > found->id))
            found = row;
    }
    return found;
}

/* The arbiter said last that it is no unit. */
static bool is_rejected(struct label *label, int64_t item,
                        const struct outcome_unit *unit)
{
    const struct store_acts_decision *none = decision_on_unit(label, item, unit, STR(""));

    if (none == NULL || none->codes.count > 0)
        return false;
    for (size_t d = 0; d < label->effective.count; d++) {
        const struct store_acts_decision *row =
            decision_on_unit(label, item, unit, label->effective.dimensions[d].id);
        if (row != NULL && row->id > none->id)
            return false;
    }
    return true;
}

/* What its raters say of a unit in a dimension. */
static struct label_group unit_group(struct label *label, int64_t item,
                                     const struct outcome_units *units,
                                     const struct outcome_unit *unit, size_t dimension,
                                     struct arena *arena)
{
    const struct label_entry *entries = label->log.entries.at;
    struct label_group group = {
        .item = item,
        .unit = unit->name,
        .place = unit->place,
        .called = unit->called,
        .dimension = dimension,
        .said = arena_array(arena, struct label_said, unit->marked_count + 1),
        .chosen = units->chosen,
        .outside = label_order(label, item) == LABEL_NONE && !units->chosen,
        .pending = is_pending(label, item, dimension),
        .rejected = is_rejected(label, item, unit),
        .raters = units->raters,
        .decided = decision_on_unit(label, item, unit,
                                    label->effective.dimensions[dimension].id)};
    bool same = true;

    for (size_t i = 0; i < unit->marked_count; i++) {
        const struct label_marked *marked = &label->log.marked.at[unit->marked[i]];
        const struct label_assigned *place = &label->log.assigned.at[marked->place];
        const struct label_slot *slot =
            label_slot_find(label, place->round, place->rater, item, false, marked->unit,
                            label->effective.dimensions[dimension].id);
        if (slot == NULL || slot->top == LABEL_NONE)
            continue;
        struct label_said *said = &group.said[group.said_count++];
        label_carry(label, &entries[slot->top], arena, said);
        same = same && same_codes(said, group.said);
    }
    group.agree = same && group.said_count == units->raters;
    return group;
}

static struct label_group *unit_groups(struct label *label, struct arena *arena,
                                       size_t *count)
{
    size_t word_count;
    struct word *words = words_of(label, arena, &word_count);
    LIST(struct label_group) groups = {0};

    for (size_t i = 0; i < word_count; i++) {
        if (i > 0 && words[i].item == words[i - 1].item)
            continue;
        struct outcome_units units = units_of(label, words[i].item, arena);
        for (size_t u = 0; u < units.count; u++)
            for (size_t d = 0; d < label->effective.count; d++)
                list_add(&groups, unit_group(label, words[i].item, &units, &units.at[u],
                                             d, arena));
    }
    *count = groups.count;
    struct label_group *out = arena_array(arena, struct label_group, groups.count + 1);
    if (groups.count > 0)
        memcpy(out, groups.at, groups.count * sizeof *out);
    list_free(&groups);
    return out;
}

struct label_group *label_groups(struct label *label, struct arena *arena, size_t *count)
{
    if (label->settings->units)
        return unit_groups(label, arena, count);
    size_t word_count;
    struct word *words = words_of(label, arena, &word_count);
    const struct label_entry *entries = label->log.entries.at;
    struct label_group *groups = arena_array(arena, struct label_group, word_count + 1);
    struct label_said *said = arena_array(arena, struct label_said, word_count + 1);

    *count = 0;
    for (size_t i = 0; i < word_count; i++) {
        const struct word *word = &words[i], *last = i > 0 ? word - 1 : NULL;
        bool same = last != NULL && last->item == word->item &&
                    last->dimension == word->dimension;
        if (same && last->rater == word->rater && last->chosen == word->chosen)
            continue; /* said in an older round */
        if (same && word->chosen && !groups[*count - 1].chosen)
            continue; /* a sample has it as well */
        if (!same)
            groups[(*count)++] = (struct label_group){
                .item = word->item,
                .dimension = word->dimension,
                .said = said,
                .agree = true,
                .chosen = word->chosen,
                .outside = word->order == LABEL_NONE && !word->chosen,
                .decided =
                    label_decision_find(label, word->item, STR(""), STR(""),
                                        label->effective.dimensions[word->dimension].id),
                .pending = is_pending(label, word->item, word->dimension)};
        struct label_group *group = &groups[*count - 1];
        label_carry(label, &entries[word->entry], arena, said);
        group->said_count++;
        group->agree = group->agree && same_codes(said, group->said);
        said++;
    }
    return groups;
}

/* Decisions. */

static const char *const reason_words[] = {"slip", "ambiguous", "gap", "other"};

const char *label_reason_word(enum label_reason reason)
{
    return reason_words[reason];
}

bool label_reason_find(struct str word, enum label_reason *out)
{
    for (size_t i = 0; i < ROWS_OF(reason_words); i++)
        if (str_eq(word, str_from(reason_words[i]))) {
            *out = (enum label_reason)i;
            return true;
        }
    return false;
}

/* As it counts today; *review is not empty when a human must look at it again. */
static struct label_decision decision_of(struct label *label,
                                         const struct store_acts_decision *row,
                                         struct arena *arena, struct str *review)
{
    struct label_carried carried;
    struct label_decision decision = {0};

    *review = STR("");
    if (row == NULL)
        return decision;
    label_carry_codes(label, row->dimension, row->version, &row->codes, arena, &carried);
    *review = carried.review;
    decision =
        (struct label_decision){.id = row->id,
                                .at_ms = row->at_ms,
                                .item = row->item,
                                .no_unit = row->unit.len > 0 && row->codes.count == 0,
                                .dimension = arena_copy(arena, row->dimension),
                                .by = arena_copy(arena, row->by),
                                .codes = carried.codes,
                                .code_count = carried.code_count,
                                .reason = LABEL_OTHER,
                                .text = arena_copy(arena, row->text)};
    (void)label_reason_find(row->reason, &decision.reason);
    return decision;
}

/* The unit of that name; NULL: the item has none. */
static const struct outcome_unit *find_unit(struct label *label, int64_t item,
                                            struct str name, struct arena *arena)
{
    struct outcome_units units = units_of(label, item, arena);

    for (size_t i = 0; i < units.count; i++)
        if (str_eq(units.at[i].name, name))
            return &units.at[i];
    return NULL;
}

/* What counts of a unit, or of the item where it is not named; the newer of a label and
 * that it is no unit. NULL: nothing. */
static const struct store_acts_decision *what_counts(struct label *label, int64_t item,
                                                     struct str unit_name,
                                                     struct str dimension,
                                                     struct arena *arena)
{
    if (unit_name.len == 0)
        return label_decision_find(label, item, STR(""), STR(""), dimension);
    const struct outcome_unit *unit = find_unit(label, item, unit_name, arena);
    if (unit == NULL)
        return NULL;
    return decision_on_unit(label, item, unit,
                            is_rejected(label, item, unit) ? STR("") : dimension);
}

bool label_units(struct label *label, int64_t item, struct arena *arena,
                 struct label_unit_out **out, size_t *count, struct err *err)
{
    if (!label_follow(label, err))
        return false;
    struct outcome_units units = units_of(label, item, arena);
    *count = units.count;
    *out = arena_array(arena, struct label_unit_out, units.count + 1);
    for (size_t i = 0; i < units.count; i++) {
        struct label_unit_out *unit = &(*out)[i];
        unit->unit = arena_copy(arena, units.at[i].name);
        unit->rejected = is_rejected(label, item, &units.at[i]);
        unit->mark_count = units.at[i].marked_count;
        unit->marks = arena_array(arena, struct label_unit_mark, unit->mark_count + 1);
        for (size_t m = 0; m < unit->mark_count; m++) {
            struct label_unit_said said = label_unit_of(label, units.at[i].marked[m]);
            const struct label_marked *marked =
                &label->log.marked.at[units.at[i].marked[m]];
            const struct label_assigned *place = &label->log.assigned.at[marked->place];
            unit->marks[m] = (struct label_unit_mark){arena_copy(arena, place->rater),
                                                      arena_copy(arena, said.place),
                                                      arena_copy(arena, said.called)};
        }
    }
    return true;
}

struct str label_decided_unit(struct label *label, const struct store_acts_decision *row,
                              struct arena *arena)
{
    const struct label_marked *marked = label->log.marked.at;
    const struct label_assigned *places = label->log.assigned.at;

    if (row->unit.len == 0)
        return row->unit;
    struct outcome_units units = units_of(label, row->item, arena);
    for (size_t i = 0; i < units.count; i++)
        for (size_t m = 0; m < units.at[i].marked_count; m++) {
            const struct label_marked *member = &marked[units.at[i].marked[m]];
            if (str_eq(member->unit, row->unit) &&
                str_eq(places[member->place].rater, row->unit_of))
                return units.at[i].name;
        }
    return row->unit;
}

bool label_decided(struct label *label, int64_t item, struct str unit,
                   struct str dimension, struct arena *arena, struct label_decision *out,
                   struct err *err)
{
    struct str review;

    if (!label_follow(label, err))
        return false;
    *out = decision_of(label, what_counts(label, item, unit, dimension, arena), arena,
                       &review);
    return true;
}

bool label_settled(struct label *label, const struct label_dispute *disputes,
                   size_t count, bool *out, struct err *err)
{
    if (!label_follow(label, err))
        return false;
    struct arena arena = {0};
    for (size_t i = 0; i < count; i++)
        out[i] = what_counts(label, disputes[i].item, disputes[i].unit,
                             disputes[i].dimension, &arena) != NULL;
    arena_free(&arena);
    return true;
}

/* Is the item in the round that is open? Nothing is decided while raters work alone. */
static bool is_in_work(struct label *label, int64_t item)
{
    for (size_t r = 0; r < label->settings->rater_count; r++)
        if (label_assigned_find(label, label_open_round(label),
                                label->settings->raters[r], item, false) != NULL)
            return true;
    return false;
}

/* A decision is kept under the name that a rater gave the unit: it holds whatever becomes
 * of the others. */
static bool name_unit_of_rater(struct label *label, const struct label_decision *decision,
                               struct store_acts_decision *row, struct arena *arena,
                               struct err *err)
{
    char shown[ITEM_KEY_SHOWN_MAX];
    const char *item = item_key_show(&label->study->spaces, decision->item, shown);

    if (!label->settings->units)
        return (decision->unit.len == 0 && !decision->no_unit) ||
               err_set(err, ERR_INPUT,
                       "found the unit '%.*s' of item %s, but labelling.%.*s has no "
                       "`units: yes`",
                       STR_ARG(str_slice(decision->unit, 0, 100)), item,
                       STR_ARG(label->settings->name));
    if (decision->unit.len == 0)
        return err_set(err, ERR_INPUT, "no unit of item %s is named", item);
    const struct outcome_unit *unit =
        find_unit(label, decision->item, decision->unit, arena);
    if (unit == NULL)
        return err_set(err, ERR_INPUT, "item %s has no unit '%.*s'", item,
                       STR_ARG(str_slice(decision->unit, 0, 100)));
    const struct label_marked *marked = &label->log.marked.at[unit->marked[0]];
    row->unit = arena_copy(arena, marked->unit);
    row->unit_of = arena_copy(arena, label->log.assigned.at[marked->place].rater);
    return true;
}

bool label_store_decision(struct label *label, struct label_decision *decision,
                          struct arena *arena, struct err *err)
{
    char shown[ITEM_KEY_SHOWN_MAX];
    const struct label_person *person = label_person(label, decision->by);
    const struct study_codebook_dimension *dimension;
    struct store_acts_decision row = {.task = label->settings->name,
                                      .item = decision->item,
                                      .version = label->task.version,
                                      .by = decision->by,
                                      .reason = str_from(reason_words[decision->reason]),
                                      .text = decision->text};

    if (person == NULL || (person->roles & (LABEL_ARBITER | LABEL_LEAD)) == 0)
        return err_set(err, ERR_INPUT, "'%.*s' is neither arbiter nor lead",
                       STR_ARG(decision->by));
    if (label_order(label, decision->item) == LABEL_NONE &&
        !label_had(label, decision->item, label_is_ours))
        return label_no_item(label, decision->item, err);
    if (is_in_work(label, decision->item))
        return err_set(err, ERR_INPUT,
                       "item %s is in the round that is open; close it before "
                       "anything is decided",
                       item_key_show(&label->study->spaces, decision->item, shown));
    if (!label_text_check(label, decision->item, decision->seen, err) ||
        !name_unit_of_rater(label, decision, &row, arena, err))
        return false;
    row.dimension = STR("");
    if (decision->no_unit && decision->code_count > 0)
        return err_set(err, ERR_INPUT, "what is no unit has no codes");
    if (!decision->no_unit) {
        if (!label_dimension(label, decision->dimension, &dimension, err) ||
            !label_check_codes(dimension, decision->codes, decision->code_count, arena,
                               &row.codes, err))
            return false;
        row.dimension = dimension->id;
    }
    if (!store_acts_add(label->acts, STORE_ACTS_DECISION, &row, err))
        return false;
    decision->id = row.id;
    decision->at_ms = row.at_ms;
    return true;
}

bool label_decide(struct label *label, struct label_decision *decision, struct err *err)
{
    struct arena arena = {0};
    bool own;

    if (!label_change_begin(label, &own, err))
        return false;
    const struct study_codebook_dimension *dimension;
    struct store_acts_codes codes;
    bool ok = (decision->no_unit ||
               (label_dimension(label, decision->dimension, &dimension, err) &&
                label_check_codes(dimension, decision->codes, decision->code_count,
                                  &arena, &codes, err) &&
                label_check_leaves(label, dimension, &codes, err))) &&
              label_store_decision(label, decision, &arena, err);
    arena_free(&arena);
    return label_change_end(label, own, ok, err);
}

/* Disputes. */

struct outcome_ranked {
    struct label_dispute dispute;
    double disagreement;
    size_t at;
};

static double disagreement(const struct label_group *group)
{
    /* Whoever has not marked the unit differs from all who have. */
    double lack = group->raters > group->said_count
                      ? (double)(group->raters - group->said_count)
                      : 0;
    double differ = lack * (double)group->said_count, pairs = differ;

    for (size_t a = 0; a < group->said_count; a++)
        for (size_t b = a + 1; b < group->said_count; b++) {
            pairs++;
            differ += !same_codes(&group->said[a], &group->said[b]);
        }
    return differ / pairs;
}

static int compare_ranked(const void *a, const void *b)
{
    const struct outcome_ranked *one = a, *two = b;

    if (one->disagreement != two->disagreement)
        return one->disagreement > two->disagreement ? -1 : 1;
    return one->at < two->at ? -1 : one->at > two->at;
}

/* Those on which raters agree, or those on which they do not. */
static bool list_disputes(struct label *label, bool agree, struct arena *arena,
                          struct label_dispute **out, size_t *count, struct err *err)
{
    size_t group_count;

    if (!label_follow(label, err))
        return false;
    struct label_group *groups = label_groups(label, arena, &group_count);
    struct outcome_ranked *ranked =
        arena_array(arena, struct outcome_ranked, group_count + 1);
    *count = 0;
    for (size_t i = 0; i < group_count; i++) {
        const struct label_group *group = &groups[i];
        struct str dimension = label->effective.dimensions[group->dimension].id, review;
        if (group->agree != agree || group->outside || group->said_count == 0 ||
            is_in_work(label, group->item))
            continue;
        ranked[*count] = (struct outcome_ranked){
            {.item = group->item,
             .unit = group->unit,
             .place = group->place,
             .called = group->called,
             .round = group->said[0].round,
             .dimension = dimension,
             .said = group->said,
             .said_count = group->said_count,
             .decision = decision_of(label, group->decided, arena, &review)},
            agree ? 0 : disagreement(group),
            i};
        ++*count;
    }
    qsort(ranked, *count, sizeof *ranked, compare_ranked);
    *out = arena_array(arena, struct label_dispute, *count + 1);
    for (size_t i = 0; i < *count; i++)
        (*out)[i] = ranked[i].dispute;
    return true;
}

bool label_disputes(struct label *label, struct arena *arena, struct label_dispute **out,
                    size_t *count, struct err *err)
{
    return list_disputes(label, false, arena, out, count, err);
}

bool label_agreed(struct label *label, struct arena *arena, struct label_dispute **out,
                  size_t *count, struct err *err)
{
    return list_disputes(label, true, arena, out, count, err);
}

/* Final labels. */

const char *label_state_word(enum label_state state)
{
    static const char *const words[] = {"unanimous", "single", "adjudicated",
                                        "unresolved", "pending"};

    return words[state];
}

static enum label_state state_of(const struct label_group *group)
{
    if (group->pending || group->said_count == 0)
        return LABEL_PENDING;
    if (!group->agree)
        return LABEL_UNRESOLVED;
    return group->said_count > 1 ? LABEL_UNANIMOUS : LABEL_SINGLE;
}

static struct label_final final_of(struct label *label, const struct label_group *group,
                                   struct arena *arena)
{
    struct str dimension = label->effective.dimensions[group->dimension].id, review;
    struct label_decision decision = decision_of(label, group->decided, arena, &review);
    struct label_final final = {.item = group->item,
                                .unit = group->unit,
                                .place = group->place,
                                .called = group->called,
                                .dimension = dimension,
                                .state = state_of(group),
                                .raters = group->said_count,
                                .chosen = group->chosen,
                                .outside = group->outside};

    if (decision.id != 0) {
        final.state = LABEL_ADJUDICATED;
        final.codes = decision.codes;
        final.code_count = decision.code_count;
        final.review = review.len > 0;
        return final;
    }
    for (size_t i = 0; i < group->said_count; i++)
        final.review = final.review || group->said[i].review.len > 0;
    if (final.state == LABEL_UNANIMOUS || final.state == LABEL_SINGLE) {
        final.codes = group->said[0].codes;
        final.code_count = group->said[0].code_count;
    }
    return final;
}

bool label_finals(struct label *label, struct arena *arena, struct label_final **out,
                  size_t *count, struct err *err)
{
    if (!label_follow(label, err))
        return false;
    size_t group_count, dimensions = label->effective.count, next = 0;
    struct label_group *groups = label_groups(label, arena, &group_count);
    size_t asked = label->task.item_count * dimensions;
    struct label_final *finals =
        arena_array(arena, struct label_final, asked + group_count + 1);
    *count = 0;
    for (size_t i = 0; i < asked; i++) {
        int64_t item = label->task.items[i / dimensions];
        size_t d = i % dimensions;
        if (label->settings->units && next < group_count && groups[next].item == item) {
            for (; next < group_count && groups[next].item == item; next++)
                if (!groups[next].rejected)
                    finals[(*count)++] = final_of(label, &groups[next], arena);
            i += dimensions - 1;
            continue;
        }
        bool said = next < group_count && groups[next].item == item &&
                    groups[next].dimension == d;
        finals[(*count)++] =
            said ? final_of(label, &groups[next++], arena)
                 : (struct label_final){.item = item,
                                        .dimension = label->effective.dimensions[d].id,
                                        .state = LABEL_PENDING};
    }
    for (; next < group_count; next++)
        if (!groups[next].rejected)
            finals[(*count)++] = final_of(label, &groups[next], arena);
    *out = finals;
    return true;
}

struct label_states label_count_states(const struct label_final *finals, size_t count,
                                       struct str dimension)
{
    struct label_states states = {0};

    for (size_t i = 0; i < count; i++) {
        bool apart = finals[i].chosen || finals[i].outside;
        if (dimension.len > 0 && !str_eq(finals[i].dimension, dimension))
            continue;
        states.of[finals[i].state] += !apart;
        states.items += !apart;
        states.chosen += finals[i].chosen;
        states.outside += finals[i].outside;
        states.reviews += finals[i].review;
    }
    return states;
}

void label_tell_outside(int64_t outside, struct buf *out)
{
    buf_add_format(out, "%lld labelled item%s no longer in the sample",
                   (long long)outside, outside == 1 ? " is" : "s are");
}
