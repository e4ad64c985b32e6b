/* What was said, as it counts today: a label is stored as it was given, and its codes are
 * carried over to the codebook in force whenever it is read. */
#include <stdlib.h>
#include <string.h>

#include "label/internal.h"
#include "study/history.h"

static int compare_codes(const void *a, const void *b)
{
    return str_compare(*(const struct str *)a, *(const struct str *)b);
}

size_t label_sort_codes(struct str *codes, size_t count)
{
    size_t kept = 0;

    qsort(codes, count, sizeof *codes, compare_codes);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || !str_eq(codes[i], codes[kept - 1]))
            codes[kept++] = codes[i];
    return kept;
}

/* How many changes the codebook had under which a label was made. */
static size_t changes_known(const struct label *label, struct str version)
{
    const struct store_acts_codebook *codebooks = label->log.codebooks.at;

    for (size_t i = 0; i < label->log.codebooks.count; i++)
        if (str_eq(codebooks[i].version, version))
            return (size_t)codebooks[i].changes;
    return 0;
}

void label_carry_codes(struct label *label, struct str dimension_id, struct str version,
                       const struct store_acts_codes *codes, struct arena *arena,
                       struct label_carried *out)
{
    const struct study_codebook_dimension *dimension;
    struct err ignored = {0};
    size_t known = changes_known(label, version);
    bool current = str_eq(version, label->task.version);

    *out = (struct label_carried){
        .codes = arena_array(arena, struct str, codes->count + 1), .review = STR("")};
    bool there = label_dimension(label, dimension_id, &dimension, &ignored);
    for (size_t i = 0; i < codes->count; i++) {
        struct study_history_place place = {codes->at[i], STR("")};
        if (!there)
            place.review = STR("the dimension is no longer in the codebook");
        else if (!current)
            place = study_history_carry(&label->effective, dimension, known, place.path,
                                        arena);
        out->codes[out->code_count++] = arena_copy(arena, place.path);
        if (out->review.len == 0)
            out->review = place.review;
    }
    out->code_count = label_sort_codes(out->codes, out->code_count);
}

struct label_unit_said label_unit_of(const struct label *label, size_t marked)
{
    const struct label_entry *entries = label->log.entries.at;

    if (marked == LABEL_NONE)
        return (struct label_unit_said){0};
    const struct label_marked *unit = &label->log.marked.at[marked];
    const struct store_acts_act *mark =
        unit->top != LABEL_NONE ? &entries[unit->top].act : NULL;
    return (struct label_unit_said){unit->unit,
                                    mark != NULL ? mark->place : (struct str){0},
                                    mark != NULL ? mark->memo : (struct str){0}};
}

void label_carry(struct label *label, const struct label_entry *entry,
                 struct arena *arena, struct label_said *out)
{
    const struct store_acts_act *act = &entry->act;
    struct label_carried carried;

    struct label_unit_said unit = label_unit_of(label, entry->marked);
    const struct label_slot *note = label_slot_find(
        label, act->round, act->rater, act->item, act->again, act->unit, (struct str){0});
    const struct store_acts_act *noted = note != NULL && note->top != LABEL_NONE
                                             ? &label->log.entries.at[note->top].act
                                             : act;

    if (noted->id < act->id)
        noted = act;
    label_carry_codes(label, act->dimension, act->version, &act->codes, arena, &carried);
    *out = (struct label_said){.act = act->id,
                               .at_ms = act->at_ms,
                               .item = act->item,
                               .round = act->round,
                               .again = act->again,
                               .rater = arena_copy(arena, act->rater),
                               .dimension = arena_copy(arena, act->dimension),
                               .codes = carried.codes,
                               .code_count = carried.code_count,
                               .memo = arena_copy(arena, noted->memo),
                               .version = arena_copy(arena, act->version),
                               .unsure = noted->unsure,
                               .seconds = entry->spent,
                               .review = carried.review,
                               .unit = arena_copy(arena, unit.unit),
                               .place = arena_copy(arena, unit.place),
                               .called = arena_copy(arena, unit.called)};
}

/* What was said of a unit of a place, or of all of it. */
static size_t add_said(struct label *label, struct str rater,
                       const struct label_place *place, struct str unit,
                       struct arena *arena, struct label_said *out)
{
    const struct label_entry *entries = label->log.entries.at;
    size_t count = 0;

    for (size_t d = 0; d < label->effective.count; d++) {
        const struct label_slot *slot =
            label_slot_find(label, place->round, rater, place->item, place->again, unit,
                            label->effective.dimensions[d].id);
        if (slot != NULL && label_slot_speaks(label, slot))
            label_carry(label, &entries[slot->top], arena, &out[count++]);
    }
    const struct label_slot *note = label_slot_find(
        label, place->round, rater, place->item, place->again, unit, (struct str){0});
    if (note != NULL && note->top != LABEL_NONE)
        label_carry(label, &entries[note->top], arena, &out[count++]);
    return count;
}

bool label_said(struct label *label, struct str rater, const struct label_place *place,
                struct arena *arena, struct label_said **out, size_t *count,
                struct err *err)
{
    struct label_unit_said *units;
    size_t unit_count;
    int64_t next;

    if (!label_units_said(label, rater, place, arena, &units, &unit_count, &next, err))
        return false;
    *out = arena_array(arena, struct label_said,
                       (label->effective.count + 1) * (unit_count + 1) + 1);
    *count = add_said(label, rater, place, (struct str){0}, arena, *out);
    for (size_t i = 0; i < unit_count; i++)
        *count += add_said(label, rater, place, units[i].unit, arena, *out + *count);
    return true;
}

bool label_units_said(struct label *label, struct str rater,
                      const struct label_place *place, struct arena *arena,
                      struct label_unit_said **out, size_t *count, int64_t *next,
                      struct err *err)
{
    size_t all = 0;
    int64_t number;

    *count = 0;
    *next = 1;
    if (!label_follow(label, err))
        return false;
    const struct label_marked *marked = label->log.marked.at;
    const struct label_assigned *assigned =
        label_assigned_find(label, place->round, rater, place->item, place->again);
    size_t first = assigned != NULL ? assigned->first_marked : LABEL_NONE;
    for (size_t i = first; i != LABEL_NONE; i = marked[i].next) {
        if (str_to_int(marked[i].unit, &number) && number >= *next && number < INT64_MAX)
            *next = number + 1;
        all++;
    }
    *out = arena_array(arena, struct label_unit_said, all + 1);
    for (size_t i = first; i != LABEL_NONE; i = marked[i].next) {
        struct label_unit_said unit = label_unit_of(label, i);
        if (label_marked_lives(label, &marked[i]))
            (*out)[(*count)++] = (struct label_unit_said){arena_copy(arena, unit.unit),
                                                          arena_copy(arena, unit.place),
                                                          arena_copy(arena, unit.called)};
    }
    return true;
}

bool label_reviews(struct label *label, struct str rater, struct arena *arena,
                   struct label_said **out, size_t *count, struct err *err)
{
    if (!label_follow(label, err))
        return false;
    const struct label_entry *entries = label->log.entries.at;
    const struct label_slot *slots = label->log.slots.at;
    LIST(struct label_said) found = {0};
    /* Under the only version there has been, nothing needs a review. */
    size_t slot_count = label->log.codebooks.count > 1 ? label->log.slots.count : 0;
    for (size_t i = 0; i < slot_count; i++) {
        struct label_said said;
        if (!label_slot_speaks(label, &slots[i]) ||
            (rater.len > 0 && !str_eq(slots[i].rater, rater)) ||
            str_eq(entries[slots[i].top].act.version, label->task.version))
            continue;
        struct arena_mark mark = arena_mark(arena);
        label_carry(label, &entries[slots[i].top], arena, &said);
        if (said.review.len > 0)
            list_add(&found, said);
        else
            arena_rewind(arena, mark);
    }
    *count = found.count;
    *out = list_copy(&found, arena);
    list_free(&found);
    return true;
}
