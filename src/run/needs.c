/* One pass over the corpus finds every set and group that steps to be made will need: it
 * costs the same for one as for all of them. */
#include "run/needs.h"

#include "run/labelling.h"
#include "run/output.h"

static void find_used_groups(const struct run_needs *needs, bool *used)
{
    for (size_t i = 0; i < needs->steps->count; i++) {
        const struct run_step *step = &needs->steps->at[i];
        for (size_t g = 0; g < step->group_count && step->reason.len > 0; g++)
            used[step->groups[g]] = needs->study->groups[step->groups[g]].queries != NULL;
    }
}

/* A slot for the query, or, if it asks for labels, one that is filled later. Its parts
 * come behind all that may be named in them. */
static void add_query_slot(struct run_needs *needs, struct str name,
                           const struct query_node *query)
{
    size_t place = needs->slot_count++;
    struct measure_frame_slot *slot = &needs->slots[place];

    *slot = (struct measure_frame_slot){.name = name};
    if (study_asks_labels(needs->study, query))
        needs->later[place].query = query;
    else
        slot->query = query;
}

static bool add_set_slot(struct run_needs *needs, const struct run_step *step,
                         struct err *err)
{
    const struct study_set *set = &needs->study->sets[step->index];
    struct measure_frame_slot *slot = &needs->slots[needs->slot_count];

    needs->set_slot[step->index] = needs->slot_count;
    if (step->reason.len > 0) {
        add_query_slot(needs, set->name, set->query);
        return true;
    }
    needs->slot_count++;
    *slot = (struct measure_frame_slot){.name = set->name};
    return run_output_read_ids(needs->study->home, "sets", set->name, needs->arena,
                               (int64_t **)(void *)&slot->ids, &slot->id_count, err);
}

bool run_needs_frame(struct run_needs *needs, struct err *err)
{
    const struct study *study = needs->study;
    bool *used = arena_array(needs->arena, bool, study->group_count + 1);
    size_t room = study->set_count, parts = 0;

    if (needs->loaded)
        return true;
    needs->loaded = needs->broken = true;
    find_used_groups(needs, used);
    for (size_t g = 0; g < study->group_count; g++)
        room += used[g] ? study->groups[g].count : 0;
    for (size_t s = 0; s < study->set_count; s++)
        parts += measure_labelled_parts(study, study->sets[s].query, NULL);
    for (size_t g = 0; g < study->group_count; g++)
        for (size_t q = 0; used[g] && q < study->groups[g].count; q++)
            parts += measure_labelled_parts(study, study->groups[g].queries[q], NULL);
    needs->slots = arena_array(needs->arena, struct measure_frame_slot, room + parts + 1);
    needs->later = arena_array(needs->arena, struct run_needs_later, room + 1);
    needs->set_slot = arena_array(needs->arena, size_t, study->set_count + 1);
    needs->group_slot = arena_array(needs->arena, size_t, study->group_count + 1);
    for (size_t i = 0; i < needs->steps->count; i++)
        if (needs->steps->at[i].kind == &run_kind_set &&
            !add_set_slot(needs, &needs->steps->at[i], err))
            return false;
    for (size_t g = 0; g < study->group_count; g++) {
        needs->group_slot[g] = used[g] ? needs->slot_count : STUDY_NONE;
        for (size_t q = 0; used[g] && q < study->groups[g].count; q++)
            add_query_slot(needs, (struct str){0}, study->groups[g].queries[q]);
    }
    for (size_t i = 0, whole = needs->slot_count; i < whole; i++)
        if (needs->later[i].query != NULL) {
            needs->later[i].parts = needs->slot_count;
            needs->slot_count += measure_labelled_parts(study, needs->later[i].query,
                                                        &needs->slots[needs->slot_count]);
        }
    needs->groups =
        arena_array(needs->arena, struct measure_groups, study->group_count + 1);
    needs->group_made = arena_array(needs->arena, bool, study->group_count + 1);
    needs->labels =
        arena_array(needs->arena, struct measure_labels, study->all_label_count + 1);
    needs->labels_made = arena_array(needs->arena, bool, study->all_label_count + 1);
    needs->samples =
        arena_array(needs->arena, struct run_sampling, study->sample_count + 1);
    needs->broken = !measure_frame_load(needs->corpus, needs->slots, needs->slot_count,
                                        study, needs->arena, &needs->frame, err);
    return !needs->broken;
}

static struct measure_bits bits_of_ids(struct run_needs *needs, const int64_t *ids,
                                       size_t count)
{
    struct measure_bits bits = measure_bits_make(needs->frame.count, needs->arena);

    for (size_t i = 0; i < count; i++) {
        size_t item = measure_frame_find(&needs->frame, ids[i]);
        if (item < needs->frame.count)
            measure_bits_set(bits, item);
    }
    return bits;
}

static bool find_labels(void *context, size_t index, const struct measure_labels **out,
                        struct err *err)
{
    struct run_needs *needs = context;

    if (!run_needs_labels(needs, index, err))
        return false;
    *out = &needs->labels[index];
    return true;
}

/* Puts together what a query finds that asks for labels, now that they are there. */
static bool find_later(struct run_needs *needs, size_t slot, struct err *err)
{
    struct run_needs_later *later = &needs->later[slot];

    if (later->query == NULL)
        return true;
    struct measure_labelled_inputs inputs = {
        needs->study,  &needs->frame, &needs->slots[later->parts],
        run_needs_set, find_labels,   needs};
    if (!measure_labelled_find(later->query, &inputs, &needs->slots[slot], err))
        return false;
    later->query = NULL;
    return true;
}

bool run_needs_set_slot(struct run_needs *needs, size_t set,
                        const struct measure_frame_slot **out, struct err *err)
{
    size_t slot = needs->set_slot[set];

    *out = &needs->slots[slot];
    return find_later(needs, slot, err);
}

bool run_needs_set(void *context, struct str name, struct measure_bits *out,
                   struct err *err)
{
    struct run_needs *needs = context;
    size_t set = study_find_set(needs->study, name);
    const struct measure_frame_slot *slot;

    if (set != STUDY_NONE) {
        if (!run_needs_set_slot(needs, set, &slot, err))
            return false;
        *out = slot->bits;
        return true;
    }
    size_t sample = study_find_sample(needs->study, name);
    if (sample == STUDY_NONE)
        return err_set(err, ERR_INPUT, "there is no set '%.*s'", STR_ARG(name));
    struct run_sampling *drawn = &needs->samples[sample];
    if (drawn->ids == NULL &&
        !run_output_read_ids(needs->study->home, "samples", name, needs->arena,
                             &drawn->ids, &drawn->count, err))
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
bool run_needs_labels(struct run_needs *needs, size_t index, struct err *err)
{
    const struct study *study = needs->study;
    size_t labelling = labelling_behind(study, index);
    struct study_codebook *codebook = NULL;

    if (needs->labels_made[index])
        return true;
    if (labelling != STUDY_NONE) {
        codebook = arena_array(needs->arena, struct study_codebook, 1);
        if (!run_labelling_codebook(study, &study->labellings[labelling], needs->arena,
                                    codebook, err))
            return false;
    }
    needs->labels_made[index] = measure_labels_load(
        &study->labels[index], codebook, &needs->frame, &needs->labels[index], err);
    return needs->labels_made[index];
}

bool run_needs_group(struct run_needs *needs, size_t index, struct err *err)
{
    const struct study_group *group = &needs->study->groups[index];
    struct measure_groups_inputs inputs = {.study = needs->study,
                                           .frame = &needs->frame,
                                           .find_set = run_needs_set,
                                           .context = needs};

    if (needs->group_made[index])
        return true;
    if (needs->group_slot[index] != STUDY_NONE) {
        inputs.slots = &needs->slots[needs->group_slot[index]];
        for (size_t q = 0; q < group->count; q++)
            if (!find_later(needs, needs->group_slot[index] + q, err))
                return run_needs_at(needs, group->node, "", err);
    }
    if (group->grouping == STUDY_GROUPING_LABELS) {
        if (!run_needs_labels(needs, group->labels, err))
            return false;
        inputs.labels = &needs->labels[group->labels];
    }
    needs->group_made[index] =
        measure_groups_make(group, &inputs, &needs->groups[index], err);
    return needs->group_made[index] || run_needs_at(needs, group->node, "field", err);
}

bool run_needs_groups(struct run_needs *needs, const struct run_step *step,
                      struct err *err)
{
    bool ok = true;

    for (size_t g = 0; ok && g < step->group_count; g++)
        ok = run_needs_group(needs, step->groups[g], err);
    return ok;
}

bool run_needs_counts(struct run_needs *needs, struct err *err)
{
    needs->counted = needs->counted || store_counts(needs->corpus, &needs->counts, err);
    return needs->counted;
}

bool run_needs_all(struct run_needs *needs, int64_t *out, bool *mixed, struct err *err)
{
    const struct store_counts *counts = &needs->counts;

    if (!run_needs_counts(needs, err))
        return false;
    *out = counts->census_questions;
    *mixed = false;
    for (int kind = ITEM_QUESTION + 1; kind < ITEM_KINDS; kind++)
        if (item_kind_is_studied(kind) && counts->kinds[kind] > 0) {
            *out += *out > 0 ? counts->kinds[kind] : 0;
            *mixed = true;
        }
    /* Only questions have a census: of others the corpus may hold a part. */
    if (*mixed && study_needed(needs->study, needs->arena)->kind != QUERY_ALL)
        *out = 0;
    return true;
}

bool run_needs_numbers(struct run_needs *needs, const struct run_kind *kind, size_t index,
                       struct arena *arena, struct result_numbers *out, struct err *err)
{
    size_t step = run_steps_find(needs->steps, kind, index);

    return run_output_read_numbers(needs->study->home, needs->steps->at[step].name, arena,
                                   out, err);
}

/* Without groups the sets stand side by side; with them the groups of the first set, but
 * no source that it has no item of. */
bool run_needs_sides(struct run_needs *needs, const struct run_needs_sides *sides,
                     struct arena *arena, struct measure_testing_group **out,
                     size_t *count, struct err *err)
{
    const struct measure_groups *groups = NULL;
    size_t sets = sides->of_count > 0 ? sides->of_count : 1;

    if (sides->by != STUDY_NONE) {
        if (!run_needs_group(needs, sides->by, err))
            return false;
        groups = &needs->groups[sides->by];
    }
    *count = groups != NULL ? groups->count : sets;
    *out = arena_array(arena, struct measure_testing_group, *count + sets);
    (*out)[0] = (struct measure_testing_group){
        STR("all"), measure_bits_all(needs->frame.count, arena)};
    for (size_t i = 0; i < sides->of_count; i++) {
        (*out)[i].name = sides->of[i];
        if (!run_needs_set(needs, sides->of[i], &(*out)[i].bits, err))
            return err_at(err, "%.*s: ", STR_ARG(sides->what));
    }
    struct measure_bits of = (*out)[0].bits;
    if (groups == NULL)
        return true;
    *count = 0;
    for (size_t i = 0; i < groups->count; i++) {
        const struct measure_groups_value *value = &groups->values[i];
        if (value->source == STUDY_NONE || !value->if_any ||
            measure_bits_meet(of, value->bits))
            (*out)[(*count)++] = (struct measure_testing_group){
                value->name, measure_bits_and(of, value->bits, arena)};
    }
    return true;
}

#define NO_PERIOD STUDY_GROUPING_SOURCE

/* The years, quarters or months that rows or columns of the table are. */
static enum study_grouping period_of(const struct study *study,
                                     const struct study_table *table)
{
    for (size_t i = 0; i < table->by_count + table->across_count; i++) {
        size_t group =
            i < table->by_count ? table->by[i] : table->across[i - table->by_count];
        enum study_grouping grouping = study->groups[group].grouping;
        if (grouping == STUDY_GROUPING_YEAR || grouping == STUDY_GROUPING_QUARTER ||
            grouping == STUDY_GROUPING_MONTH)
            return grouping;
    }
    return NO_PERIOD;
}

bool run_needs_periods(const struct study *study, const struct study_table *table)
{
    return period_of(study, table) != NO_PERIOD;
}

bool run_needs_unfinished(const struct study *study, struct store *corpus,
                          const struct study_table *table,
                          const struct result_numbers *numbers, struct arena *arena,
                          struct measure_unfinished *out, struct err *err)
{
    enum study_grouping period = period_of(study, table);
    struct measure_ends ends;
    struct result *result;

    *out = (struct measure_unfinished){.states = NULL};
    if (period == NO_PERIOD)
        return true;
    if (!measure_ends_of_spaces(study, corpus, arena, &ends, err))
        return false;
    if (ends.sites < 2) {
        measure_ends_mark(period, measure_ends_last(&ends), numbers, arena, out);
        return true;
    }
    result = arena_array(arena, struct result, 1);
    if (!run_output_read(study->home, run_kind_table.name, table->name, arena, result,
                         err))
        return false;
    const struct result_table *told = result_find(result, STR(MEASURE_ENDS_TABLE));
    if (told == NULL && table->maker == STUDY_NO_MAKER && table->from == NULL)
        return err_set(
            err, ERR_INPUT,
            "%s: the table '%.*s' was made by an assay that did not tell which "
            "of its periods were not over; `assay run` makes it again",
            study->home, STR_ARG(table->name));
    measure_ends_read(told, numbers, arena, out);
    return true;
}

bool run_needs_at(const struct run_needs *needs, const struct yaml_node *section,
                  const char *key, struct err *err)
{
    const struct yaml_node *node = yaml_get(section, str_from(key));

    if (node == NULL)
        node = section;
    if (err->kind == ERR_INPUT)
        err_locate(err, "%s:%d:%d: ", needs->study->path, node->line, node->column);
    return false;
}
