/* What comes of the raters' words: agreement of an item's raters, disputes, decisions,
 * final labels. */
#include <stdlib.h>
#include <string.h>

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
    const struct label_slot *slots = LABEL_LIST(label->log.slots, struct label_slot);
    size_t slot_count = LABEL_COUNT(label->log.slots, struct label_slot);
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
        if (word.entry != LABEL_NONE && !slots[i].again &&
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
        if (label_assigned_find(label, open, rater, item, false) == NULL)
            continue;
        const struct label_slot *slot = label_slot_find(
            label, open, rater, item, false, label->effective.dimensions[dimension].id);
        if (slot == NULL || slot->top == LABEL_NONE)
            return true;
    }
    return false;
}

static struct label_group *label_groups(struct label *label, struct arena *arena,
                                        size_t *count)
{
    size_t word_count;
    struct word *words = words_of(label, arena, &word_count);
    const struct label_entry *entries =
        LABEL_LIST(label->log.entries, struct label_entry);
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
static struct label_decision decision_on(struct label *label, int64_t item,
                                         struct str dimension, struct arena *arena,
                                         struct str *review)
{
    const struct store_acts_decision *row = label_decision_find(label, item, dimension);
    struct label_carried carried;
    struct label_decision decision = {0};

    *review = STR("");
    if (row == NULL)
        return decision;
    label_carry_codes(label, dimension, row->version, &row->codes, arena, &carried);
    *review = carried.review;
    decision = (struct label_decision){.id = row->id,
                                       .at_ms = row->at_ms,
                                       .item = item,
                                       .dimension = arena_copy(arena, row->dimension),
                                       .by = arena_copy(arena, row->by),
                                       .codes = carried.codes,
                                       .code_count = carried.code_count,
                                       .reason = LABEL_OTHER,
                                       .text = arena_copy(arena, row->text)};
    (void)label_reason_find(row->reason, &decision.reason);
    return decision;
}

bool label_decided(struct label *label, int64_t item, struct str dimension,
                   struct arena *arena, struct label_decision *out, struct err *err)
{
    struct str review;

    if (!label_follow(label, err))
        return false;
    *out = decision_on(label, item, dimension, arena, &review);
    return true;
}

bool label_settled(struct label *label, const struct label_dispute *disputes,
                   size_t count, bool *out, struct err *err)
{
    if (!label_follow(label, err))
        return false;
    for (size_t i = 0; i < count; i++)
        out[i] =
            label_decision_find(label, disputes[i].item, disputes[i].dimension) != NULL;
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
    if (!label_dimension(label, decision->dimension, &dimension, err) ||
        !label_check_codes(dimension, decision->codes, decision->code_count, arena,
                           &row.codes, err))
        return false;
    row.dimension = dimension->id;
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
    bool ok = label_store_decision(label, decision, &arena, err);
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
    double pairs = 0, differ = 0;

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

bool label_disputes(struct label *label, struct arena *arena, struct label_dispute **out,
                    size_t *count, struct err *err)
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
        if (group->agree || group->outside || is_in_work(label, group->item))
            continue;
        ranked[*count] = (struct outcome_ranked){
            {.item = group->item,
             .round = group->said[0].round,
             .dimension = dimension,
             .said = group->said,
             .said_count = group->said_count,
             .decision = decision_on(label, group->item, dimension, arena, &review)},
            disagreement(group),
            i};
        ++*count;
    }
    qsort(ranked, *count, sizeof *ranked, compare_ranked);
    *out = arena_array(arena, struct label_dispute, *count + 1);
    for (size_t i = 0; i < *count; i++)
        (*out)[i] = ranked[i].dispute;
    return true;
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
    if (group->pending)
        return LABEL_PENDING;
    if (!group->agree)
        return LABEL_UNRESOLVED;
    return group->said_count > 1 ? LABEL_UNANIMOUS : LABEL_SINGLE;
}

static struct label_final final_of(struct label *label, const struct label_group *group,
                                   struct arena *arena)
{
    struct str dimension = label->effective.dimensions[group->dimension].id, review;
    struct label_decision decision =
        decision_on(label, group->item, dimension, arena, &review);
    struct label_final final = {.item = group->item,
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
        bool said = next < group_count && groups[next].item == item &&
                    groups[next].dimension == d;
        finals[(*count)++] =
            said ? final_of(label, &groups[next++], arena)
                 : (struct label_final){.item = item,
                                        .dimension = label->effective.dimensions[d].id,
                                        .state = LABEL_PENDING};
    }
    while (next < group_count)
        finals[(*count)++] = final_of(label, &groups[next++], arena);
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
