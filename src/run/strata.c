/* Sources are looked at one after the other, each of which may part the strata so far. */
#include "run/strata.h"

#include "base/map.h"

/* Sources while they are listed, each sample once. */
struct strata_listing {
    const struct study *study;
    bool *listed; /* of each sample */
    struct run_strata_source *at;
    size_t count;
};

static struct str root_of(const struct study *study, struct str name)
{
    for (size_t sample = study_find_sample(study, name); sample != STUDY_NONE;
         sample = study_find_sample(study, name))
        name = study->samples[sample].of;
    return name;
}

static void add_sample(struct strata_listing *it, size_t sample)
{
    const struct study_sample *drawn = &it->study->samples[sample];
    size_t behind = study_find_sample(it->study, drawn->of);

    if (it->listed[sample])
        return;
    it->listed[sample] = true;
    it->at[it->count++] =
        (struct run_strata_source){root_of(it->study, drawn->of), drawn->by};
    if (drawn->keep != STUDY_NONE)
        add_sample(it, drawn->keep);
    if (behind != STUDY_NONE)
        add_sample(it, behind);
}

struct run_strata_source *run_strata_sources(const struct study *study, size_t labels,
                                             struct arena *arena, size_t *count)
{
    size_t labelling = study->labels[labels].labelling;

    *count = 0;
    if (labelling == STUDY_NONE)
        return NULL;
    const struct study_labelling *of = &study->labellings[labelling];
    struct strata_listing it = {study, arena_array(arena, bool, study->sample_count + 1),
                                arena_array(arena, struct run_strata_source,
                                            study->sample_count + of->of_count + 1),
                                0};
    for (size_t i = 0; i < of->of_count; i++) {
        size_t sample = study_find_sample(study, of->of[i]);
        if (sample != STUDY_NONE)
            add_sample(&it, sample);
        else
            it.at[it.count++] = (struct run_strata_source){of->of[i], STUDY_NONE};
    }
    *count = it.count;
    return it.at;
}

/* What of a set or sample came into it by chance, or as a whole set: *all are its items.
 * Of a sample of a sample both draws count, of what an enlarged one keeps the first. */
static bool find_drawn(struct run_needs *needs, struct str name, struct measure_bits *all,
                       struct measure_bits *drawn, struct err *err)
{
    const struct study *study = needs->study;
    size_t number = study_find_sample(study, name);
    struct measure_bits from, from_drawn, kept = {0}, kept_drawn;

    if (!run_needs_set(needs, name, all, err))
        return false;
    *drawn = *all;
    if (number == STUDY_NONE)
        return true;
    const struct study_sample *sample = &study->samples[number];
    if (!find_drawn(needs, sample->of, &from, &from_drawn, err) ||
        (sample->keep != STUDY_NONE &&
         !find_drawn(needs, study->samples[sample->keep].name, &kept, &kept_drawn, err)))
        return false;
    *drawn = measure_bits_make(all->count, needs->arena);
    for (size_t i = measure_bits_next(*all, 0); i < all->count;
         i = measure_bits_next(*all, i + 1)) {
        bool before = kept.words != NULL && measure_bits_has(kept, i);
        if (before ? measure_bits_has(kept_drawn, i)
                   : !study_sample_is_chosen(sample) && measure_bits_has(from_drawn, i))
            measure_bits_set(*drawn, i);
    }
    return true;
}

bool run_strata_taken(struct run_needs *needs, size_t labels, struct measure_bits *out,
                      struct err *err)
{
    const struct study *study = needs->study;
    size_t labelling = study->labels[labels].labelling, items = needs->frame.count;

    *out = measure_bits_make(items, needs->arena);
    if (labelling == STUDY_NONE)
        return true;
    const struct study_labelling *of = &study->labellings[labelling];
    struct measure_bits by_chance = measure_bits_make(items, needs->arena), all, drawn;
    struct measure_bits any = measure_bits_make(items, needs->arena);
    for (size_t i = 0; i < of->of_count; i++) {
        if (!find_drawn(needs, of->of[i], &all, &drawn, err))
            return false;
        measure_bits_add(any, all);
        measure_bits_add(by_chance, drawn);
    }
    for (size_t i = measure_bits_next(any, 0); i < items;
         i = measure_bits_next(any, i + 1))
        if (!measure_bits_has(by_chance, i))
            measure_bits_set(*out, i);
    return true;
}

/* Items of the source are of its strata, from 1; all others are not drawn from: 0. */
static size_t *parts_of(const struct run_needs *needs, struct measure_bits set,
                        size_t group, size_t *parts)
{
    size_t items = needs->frame.count;

    for (size_t i = 0; i < items; i++)
        parts[i] = measure_bits_has(set, i) && group == STUDY_NONE;
    if (group == STUDY_NONE)
        return parts;
    size_t none = needs->groups[group].count;
    const size_t *stratum =
        run_sampling_strata(&needs->groups[group], items, none, needs->arena);
    for (size_t i = 0; i < items; i++)
        if (measure_bits_has(set, i) && stratum[i] != none)
            parts[i] = 1 + stratum[i];
    return parts;
}

/* Strata so far are parted further. */
static void part(struct run_needs *needs, const size_t *parts, struct run_strata *strata)
{
    struct map seen = {.arena = needs->arena};

    strata->count = 0;
    for (size_t i = 0; i < needs->frame.count; i++) {
        size_t both[2] = {strata->of[i], parts[i]};
        struct str key = {(const char *)both, sizeof both};
        int64_t *number = map_get(&seen, key);
        if (number == NULL) {
            number = map_put(&seen, arena_copy(needs->arena, key));
            *number = (int64_t)strata->count++;
        }
        strata->of[i] = (size_t)*number;
    }
}

bool run_strata_find(struct run_needs *needs, size_t labels, struct run_strata *out,
                     struct err *err)
{
    size_t count;
    const struct run_strata_source *sources =
        run_strata_sources(needs->study, labels, needs->arena, &count);
    size_t *parts = arena_array(needs->arena, size_t, needs->frame.count + 1);

    *out = (struct run_strata){0};
    if (count == 0)
        return true;
    out->of = arena_array(needs->arena, size_t, needs->frame.count + 1);
    for (size_t s = 0; s < count; s++) {
        struct measure_bits set;
        if (!run_needs_set(needs, sources[s].set, &set, err))
            return false;
        if (sources[s].group != STUDY_NONE &&
            !run_needs_group(needs, sources[s].group, err))
            return false;
        part(needs, parts_of(needs, set, sources[s].group, parts), out);
    }
    return true;
}
