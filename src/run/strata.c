/* Sources are looked at one after the other, each of which may part the strata so far. */
#include "run/strata.h"

#include "base/map.h"

/* Sources while they are listed, each sample once. */
struct listing {
    const struct study *study;
    bool *listed; /* of each sample */
    struct strata_source *at;
    size_t count;
};

static struct str root_of(const struct study *study, struct str name)
{
    for (size_t sample = study_find_sample(study, name); sample != STUDY_NONE;
         sample = study_find_sample(study, name))
        name = study->samples[sample].of;
    return name;
}

static void add_sample(struct listing *it, size_t sample)
{
    const struct study_sample *drawn = &it->study->samples[sample];
    size_t behind = study_find_sample(it->study, drawn->of);

    if (it->listed[sample])
        return;
    it->listed[sample] = true;
    it->at[it->count++] =
        (struct strata_source){root_of(it->study, drawn->of), drawn->by};
    if (drawn->keep != STUDY_NONE)
        add_sample(it, drawn->keep);
    if (behind != STUDY_NONE)
        add_sample(it, behind);
}

struct strata_source *strata_sources(const struct study *study, size_t labels,
                                     struct arena *arena, size_t *count)
{
    size_t labelling = study->labels[labels].labelling;

    *count = 0;
    if (labelling == STUDY_NONE)
        return NULL;
    const struct study_labelling *of = &study->labellings[labelling];
    struct listing it = {
        study, arena_array(arena, bool, study->sample_count + 1),
        arena_array(arena, struct strata_source, study->sample_count + of->of_count + 1),
        0};
    for (size_t i = 0; i < of->of_count; i++) {
        size_t sample = study_find_sample(study, of->of[i]);
        if (sample != STUDY_NONE)
            add_sample(&it, sample);
        else
            it.at[it.count++] = (struct strata_source){of->of[i], STUDY_NONE};
    }
    *count = it.count;
    return it.at;
}

static bool no_set(struct str name, struct err *err)
{
    return err_set(err, ERR_INPUT, "there is no set '%.*s'", STR_ARG(name));
}

/* What of a set or sample came into it by chance, or as a whole set: *all are its items.
 * Of a sample of a sample both draws count, of what an enlarged one keeps the first. */
static bool find_drawn(struct needs *needs, struct str name, struct bits *all,
                       struct bits *drawn, struct err *err)
{
    const struct study *study = needs->study;
    size_t number = study_find_sample(study, name);
    struct bits from, from_drawn, kept = {0}, kept_drawn;

    if (!needs_set(needs, name, all))
        return no_set(name, err);
    *drawn = *all;
    if (number == STUDY_NONE)
        return true;
    const struct study_sample *sample = &study->samples[number];
    if (!find_drawn(needs, sample->of, &from, &from_drawn, err) ||
        (sample->keep != STUDY_NONE &&
         !find_drawn(needs, study->samples[sample->keep].name, &kept, &kept_drawn, err)))
        return false;
    *drawn = bits_make(all->count, needs->arena);
    for (size_t i = bits_next(*all, 0); i < all->count; i = bits_next(*all, i + 1)) {
        bool before = kept.words != NULL && bits_has(kept, i);
        if (before ? bits_has(kept_drawn, i)
                   : sample->size.kind != SIZE_TOP && bits_has(from_drawn, i))
            bits_set(*drawn, i);
    }
    return true;
}

bool strata_taken(struct needs *needs, size_t labels, struct bits *out, struct err *err)
{
    const struct study *study = needs->study;
    size_t labelling = study->labels[labels].labelling, items = needs->frame.count;

    *out = bits_make(items, needs->arena);
    if (labelling == STUDY_NONE)
        return true;
    const struct study_labelling *of = &study->labellings[labelling];
    struct bits by_chance = bits_make(items, needs->arena), all, drawn;
    struct bits any = bits_make(items, needs->arena);
    for (size_t i = 0; i < of->of_count; i++) {
        if (!find_drawn(needs, of->of[i], &all, &drawn, err))
            return false;
        bits_add(any, all);
        bits_add(by_chance, drawn);
    }
    for (size_t i = bits_next(any, 0); i < items; i = bits_next(any, i + 1))
        if (!bits_has(by_chance, i))
            bits_set(*out, i);
    return true;
}

/* Items of the source are of its strata, from 1; all others are not drawn from: 0. */
static size_t *parts_of(const struct needs *needs, struct bits set, size_t group,
                        size_t *parts)
{
    size_t items = needs->frame.count;

    for (size_t i = 0; i < items; i++)
        parts[i] = bits_has(set, i) && group == STUDY_NONE;
    if (group == STUDY_NONE)
        return parts;
    size_t none = needs->groups[group].count;
    const size_t *stratum =
        sampling_strata(&needs->groups[group], items, none, needs->arena);
    for (size_t i = 0; i < items; i++)
        if (bits_has(set, i) && stratum[i] != none)
            parts[i] = 1 + stratum[i];
    return parts;
}

/* Strata so far are parted further. */
static void part(struct needs *needs, const size_t *parts, struct strata *strata)
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

bool strata_find(struct needs *needs, size_t labels, struct strata *out, struct err *err)
{
    size_t count;
    const struct strata_source *sources =
        strata_sources(needs->study, labels, needs->arena, &count);
    size_t *parts = arena_array(needs->arena, size_t, needs->frame.count + 1);

    *out = (struct strata){0};
    if (count == 0)
        return true;
    out->of = arena_array(needs->arena, size_t, needs->frame.count + 1);
    for (size_t s = 0; s < count; s++) {
        struct bits set;
        if (!needs_set(needs, sources[s].set, &set))
            return no_set(sources[s].set, err);
        if (sources[s].group != STUDY_NONE && !needs_group(needs, sources[s].group, err))
            return false;
        part(needs, parts_of(needs, set, sources[s].group, parts), out);
    }
    return true;
}
