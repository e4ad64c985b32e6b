/* One pass over the corpus finds every set and group that steps to be made will need: it
 * costs the same for one as for all of them. */
#include "run/needs.h"

#include "run/output.h"
#include "run/strata.h"

static void uses_group(const struct needs *needs, size_t group, bool *used)
{
    if (group != STUDY_NONE && needs->study->groups[group].queries != NULL)
        used[group] = true;
}

/* Groups that were strata of what a classifier learns from. */
static void uses_strata(const struct needs *needs, size_t classifier, bool *used)
{
    size_t count;
    const struct strata_source *sources = strata_sources(
        needs->study, needs->study->classifiers[classifier].train, needs->arena, &count);

    for (size_t s = 0; s < count; s++)
        uses_group(needs, sources[s].group, used);
}

static void find_used_groups(const struct needs *needs, bool *used)
{
    for (size_t i = 0; i < needs->steps->count; i++) {
        const struct step *step = &needs->steps->at[i];
        if (step->reason.len == 0)
            continue;
        if (step->kind == STEPS_SAMPLE)
            uses_group(needs, needs->study->samples[step->index].by, used);
        if (step->kind == STEPS_CLASSIFIER)
            uses_strata(needs, step->index, used);
        if (step->kind == STEPS_TEST)
            uses_group(needs, needs->study->tests[step->index].by, used);
        if (step->kind == STEPS_FIGURE)
            uses_group(needs, needs->study->figures[step->index].by, used);
        if (step->kind != STEPS_TABLE)
            continue;
        const struct study_table *table = &needs->study->tables[step->index];
        for (size_t g = 0; g < table->by_count; g++)
            uses_group(needs, table->by[g], used);
        for (size_t g = 0; g < table->across_count; g++)
            uses_group(needs, table->across[g], used);
        for (size_t g = 0; g < table->where_count; g++)
            uses_group(needs, table->where[g].group, used);
    }
}

static bool add_set_slot(struct needs *needs, const struct step *step, struct err *err)
{
    const struct study_set *set = &needs->study->sets[step->index];
    struct frame_slot *slot = &needs->slots[needs->slot_count];

    needs->set_slot[step->index] = needs->slot_count++;
    *slot = (struct frame_slot){.name = set->name};
    if (step->reason.len > 0) {
        slot->query = set->query;
        return true;
    }
    return output_read_ids(needs->study->home, "sets", set->name, needs->arena,
                           (int64_t **)(void *)&slot->ids, &slot->id_count, err);
}

bool needs_frame(struct needs *needs, struct err *err)
{
    const struct study *study = needs->study;
    bool *used = arena_array(needs->arena, bool, study->group_count + 1);
    size_t room = study->set_count;

    if (needs->loaded)
        return true;
    needs->loaded = true;
    find_used_groups(needs, used);
    for (size_t g = 0; g < study->group_count; g++)
        room += used[g] ? study->groups[g].count : 0;
    needs->slots = arena_array(needs->arena, struct frame_slot, room + 1);
    needs->set_slot = arena_array(needs->arena, size_t, study->set_count + 1);
    needs->group_slot = arena_array(needs->arena, size_t, study->group_count + 1);
    for (size_t i = 0; i < needs->steps->count; i++)
        if (needs->steps->at[i].kind == STEPS_SET &&
            !add_set_slot(needs, &needs->steps->at[i], err))
            return false;
    for (size_t g = 0; g < study->group_count; g++) {
        needs->group_slot[g] = used[g] ? needs->slot_count : STUDY_NONE;
        for (size_t q = 0; used[g] && q < study->groups[g].count; q++)
            needs->slots[needs->slot_count++] =
                (struct frame_slot){.query = study->groups[g].queries[q]};
    }
    needs->groups = arena_array(needs->arena, struct groups, study->group_count + 1);
    needs->group_made = arena_array(needs->arena, bool, study->group_count + 1);
    needs->labels = arena_array(needs->arena, struct labels, study->all_label_count + 1);
    needs->labels_made = arena_array(needs->arena, bool, study->all_label_count + 1);
    needs->samples = arena_array(needs->arena, struct sampling, study->sample_count + 1);
    return frame_load(needs->corpus, needs->slots, needs->slot_count, study, needs->arena,
                      &needs->frame, err);
}

static struct bits bits_of_ids(struct needs *needs, const int64_t *ids, size_t count)
{
    struct bits bits = bits_make(needs->frame.count, needs->arena);

    for (size_t i = 0; i < count; i++) {
        size_t item = frame_find(&needs->frame, ids[i]);
        if (item < needs->frame.count)
            bits_set(bits, item);
    }
    return bits;
}

bool needs_set(void *context, struct str name, struct bits *out)
{
    struct needs *needs = context;
    size_t set = study_find_set(needs->study, name);

    if (set != STUDY_NONE) {
        *out = needs->slots[needs->set_slot[set]].bits;
        return true;
    }
    size_t sample = study_find_sample(needs->study, name);
    struct err ignored = {0};
    if (sample == STUDY_NONE)
        return false;
    struct sampling *drawn = &needs->samples[sample];
    if (drawn->ids == NULL &&
        !output_read_ids(needs->study->home, "samples", name, needs->arena, &drawn->ids,
                         &drawn->count, &ignored))
        return false;
    *out = bits_of_ids(needs, drawn->ids, drawn->count);
    return true;
}

/* The labelling that labels come from, also over a classifier; STUDY_NONE: none. */
static size_t labelling_behind(const struct study *study, size_t labels)
{
    const struct study_labels *it = &study->labels[labels];

    if (it->classifier != STUDY_NONE)
        it = &study->labels[study->classifiers[it->classifier].train];
    return it->labelling;
}

/* Codes that were accepted while labelling stand in what the labelling has left. */
bool needs_labels(struct needs *needs, size_t index, struct err *err)
{
    const struct study *study = needs->study;
    size_t labelling = labelling_behind(study, index);
    struct codebook *codebook = NULL;

    if (needs->labels_made[index])
        return true;
    if (labelling != STUDY_NONE) {
        codebook = arena_array(needs->arena, struct codebook, 1);
        if (!labelling_codebook(study, &study->labellings[labelling], needs->arena,
                                codebook, err))
            return false;
    }
    needs->labels_made[index] = labels_load(&study->labels[index], codebook,
                                            &needs->frame, &needs->labels[index], err);
    return needs->labels_made[index];
}

bool needs_group(struct needs *needs, size_t index, struct err *err)
{
    const struct study_group *group = &needs->study->groups[index];
    struct groups_inputs inputs = {.study = needs->study,
                                   .frame = &needs->frame,
                                   .find_set = needs_set,
                                   .context = needs};

    if (needs->group_made[index])
        return true;
    if (needs->group_slot[index] != STUDY_NONE)
        inputs.slots = &needs->slots[needs->group_slot[index]];
    if (group->grouping == GROUPING_LABELS) {
        if (!needs_labels(needs, group->labels, err))
            return false;
        inputs.labels = &needs->labels[group->labels];
    }
    needs->group_made[index] = groups_make(group, &inputs, &needs->groups[index], err);
    return needs->group_made[index];
}

bool needs_groups(struct needs *needs, const struct study_table *table, struct err *err)
{
    bool ok = true;

    for (size_t g = 0; ok && g < table->by_count; g++)
        ok = needs_group(needs, table->by[g], err);
    for (size_t g = 0; ok && g < table->across_count; g++)
        ok = needs_group(needs, table->across[g], err);
    for (size_t g = 0; ok && g < table->where_count; g++)
        ok = needs_group(needs, table->where[g].group, err);
    return ok;
}

bool needs_finals(struct needs *needs, size_t labels, struct labelling_final **out,
                  size_t *count, struct err *err)
{
    const struct study_labels *from = &needs->study->labels[labels];

    *count = 0;
    return from->labelling == STUDY_NONE ||
           labelling_finals(needs->study, from, needs->arena, out, count, err);
}

bool needs_census(struct needs *needs, int64_t *out, struct err *err)
{
    struct corpus_counts counts;

    if (!corpus_counts(needs->corpus, &counts, err))
        return false;
    *out = counts.census_questions;
    return true;
}

bool needs_numbers(struct needs *needs, enum steps_kind kind, size_t index,
                   struct arena *arena, struct numbers *out, struct err *err)
{
    size_t step = steps_find(needs->steps, kind, index);

    return output_read_numbers(needs->study->home, needs->steps->at[step].name, arena,
                               out, err);
}
