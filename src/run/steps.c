/* A step knows the steps it needs, which are put before it; it is judged by what
 * assay.lock says of it: section, parts, engine, results, inputs. */
#include "run/steps.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "base/file.h"
#include "store/acts.h"
#include "study/keys.h"

/* Before the names of parts among a step's inputs in the ledger. */
#define PART "study file: "

const struct run_kind *const run_kinds[] = {
    &run_kind_tagset,
    &run_kind_accepted,
    &run_kind_set,
    &run_kind_labels,
    &run_kind_sample,
    &run_kind_labelling,
    &run_kind_classifier,
    &run_kind_topics,
    &run_kind_phrases,
    &run_kind_extract,
    &run_kind_vectors,
    &run_kind_regression,
    &run_kind_table,
    &run_kind_test,
    &run_kind_family,
    &run_kind_figure,
    &run_kind_handbook,
    &run_kind_report,
    NULL,
};

uint64_t run_steps_hash(struct str bytes)
{
    return XXH3_64bits(bytes.ptr, bytes.len);
}

size_t run_steps_find(const struct run_steps *steps, const struct run_kind *kind,
                      size_t index)
{
    for (size_t i = 0; i < steps->count; i++)
        if (steps->at[i].kind == kind && steps->at[i].index == index)
            return i;
    return STUDY_NONE;
}

bool run_steps_open_end(const struct study *study)
{
    return study_end_ms(study) == INT64_MAX;
}

/* Listing. */

static size_t count_of(const struct run_kind *kind, const struct study *study)
{
    size_t count = 1;

    if (kind->counted != 0)
        memcpy(&count, (const char *)study + kind->counted, sizeof count);
    return count;
}

/* Where the step stands, which is listed unless it is there already. */
static size_t list_step(struct run_listing *listing, const struct run_kind *kind,
                        size_t index)
{
    struct run_step step = {.kind = kind, .index = index};
    size_t place = run_steps_find(listing->out, kind, index);

    if (place != STUDY_NONE)
        return place;
    kind->list(listing, &step);
    listing->out->at[listing->out->count] = step;
    return listing->out->count++;
}

static void list_kinds(struct run_listing *listing, const struct run_kind *without)
{
    for (size_t k = 0; run_kinds[k] != NULL; k++)
        for (size_t i = 0;
             run_kinds[k] != without && i < count_of(run_kinds[k], listing->study); i++)
            list_step(listing, run_kinds[k], i);
}

/* The list with room for one more: it is full when it has a power of two. */
static void *longer(struct run_listing *listing, void *list, size_t count, size_t size)
{
    if ((count & (count - 1)) != 0)
        return list;
    void *copy = arena_alloc(listing->arena, 2 * count + 1, size);
    if (count > 0)
        memcpy(copy, list, count * size);
    return copy;
}

static void add_number(struct run_listing *listing, size_t **list, size_t *count,
                       size_t number)
{
    for (size_t i = 0; i < *count; i++)
        if ((*list)[i] == number)
            return;
    *list = longer(listing, *list, *count, sizeof **list);
    (*list)[(*count)++] = number;
}

void run_steps_add_group(struct run_listing *listing, struct run_step *step, size_t index)
{
    add_number(listing, &step->groups, &step->group_count, index);
}

void run_steps_add_file(struct run_listing *listing, struct run_step *step,
                        const char *path)
{
    step->files = longer(listing, step->files, step->file_count, sizeof *step->files);
    step->files[step->file_count++] = path;
}

void run_steps_add_part(struct run_listing *listing, struct run_step *step,
                        struct str key, struct str name, struct str text)
{
    step->parts = longer(listing, step->parts, step->part_count, sizeof *step->parts);
    step->parts[step->part_count++] = (struct run_ledger_pair){
        arena_format(listing->arena, PART "%.*s%s%.*s", STR_ARG(key),
                     name.len > 0 ? "." : "", STR_ARG(name)),
        run_steps_hash(text)};
}

void run_steps_need(struct run_listing *listing, struct run_step *step,
                    const struct run_kind *kind, size_t index)
{
    add_number(listing, &step->needs, &step->need_count, list_step(listing, kind, index));
}

void run_steps_need_source(struct run_listing *listing, struct run_step *step,
                           struct str name)
{
    size_t set = study_find_set(listing->study, name);
    size_t sample = study_find_sample(listing->study, name);

    if (set != STUDY_NONE)
        run_steps_need(listing, step, &run_kind_set, set);
    else if (sample != STUDY_NONE)
        run_steps_need(listing, step, &run_kind_sample, sample);
}

/* Labels have a step of their own, or that of the labelling or classifier which makes
 * them. */
void run_steps_need_labels(struct run_listing *listing, struct run_step *step,
                           size_t index)
{
    const struct study_labels *labels = &listing->study->labels[index];

    if (labels->labelling != STUDY_NONE)
        run_steps_need(listing, step, &run_kind_labelling, labels->labelling);
    else if (labels->classifier != STUDY_NONE)
        run_steps_need(listing, step, &run_kind_classifier, labels->classifier);
    else if (labels->topics != STUDY_NONE)
        run_steps_need(listing, step, &run_kind_topics, labels->topics);
    else if (labels->phrases != STUDY_NONE)
        run_steps_need(listing, step, &run_kind_phrases, labels->phrases);
    else if (labels->extract != STUDY_NONE)
        run_steps_need(listing, step, &run_kind_extract, labels->extract);
    else
        run_steps_need(listing, step, &run_kind_labels, index);
    if (index >= listing->study->label_count && labels->codebook != NULL)
        run_steps_add_file(listing, step, labels->codebook);
}

void run_steps_need_conditions(struct run_listing *listing, struct run_step *step,
                               const struct query_node *query)
{
    size_t count;
    const struct query_node **nodes = query_labels(query, listing->arena, &count);

    for (size_t i = 0; i < count; i++) {
        size_t labels = study_find_condition(listing->study, nodes[i])->labels;
        run_steps_need_labels(listing, step, labels);
        add_number(listing, &step->asked, &step->asked_count, labels);
    }
}

/* A group has no step of its own: what it rests on goes into the step that uses it. */
void run_steps_need_group(struct run_listing *listing, struct run_step *step,
                          size_t index)
{
    const struct study_group *group = &listing->study->groups[index];
    struct buf section = {0};
    size_t before = step->group_count;

    run_steps_add_group(listing, step, index);
    if (step->group_count == before)
        return;
    study_keys_canonical(group->node, "groups.*", &section);
    run_steps_add_part(listing, step, STR("groups"), group->name, buf_str(&section));
    if (group->queries != NULL) { /* sets that they name are written out */
        buf_clear(&section);
        for (size_t i = 0; i < group->count; i++) {
            query_print(group->queries[i], &section);
            buf_add_char(&section, '\n');
            run_steps_need_conditions(listing, step, group->queries[i]);
        }
        run_steps_add_part(
            listing, step, STR("what groups"),
            arena_format(listing->arena, "%.*s selects", STR_ARG(group->name)),
            buf_str(&section));
    }
    buf_free(&section);
    for (size_t i = 0; i < group->count && group->grouping == STUDY_GROUPING_SETS; i++)
        run_steps_need_source(listing, step, group->names[i]);
    run_steps_need_source(listing, step, group->of);
    if (group->grouping == STUDY_GROUPING_TAGS && group->of.len == 0)
        step->whole = true;
    if (group->grouping == STUDY_GROUPING_LABELS)
        run_steps_need_labels(listing, step, group->labels);
}

void run_steps_need_measure(struct run_listing *listing, struct run_step *step,
                            const struct study_measure *measure)
{
    if (measure->ranked != NULL)
        measure = measure->ranked;
    if ((measure->kind == STUDY_MEASURE_SURVIVAL || measure->within > 0) &&
        run_steps_open_end(listing->study))
        step->whole = true;
    if (measure->condition == STUDY_MEASURE_IN_SET)
        run_steps_need_source(listing, step, measure->name);
}

void run_steps_need_all(struct run_listing *listing, struct run_step *step)
{
    list_kinds(listing, step->kind);
    for (size_t i = 0; i < listing->out->count; i++)
        add_number(listing, &step->needs, &step->need_count, i);
}

void run_steps_name_text(struct run_listing *listing, struct run_step *step,
                         struct str name, struct str text)
{
    step->name = arena_format(listing->arena, "%s.%.*s", step->kind->name, STR_ARG(name));
    step->section = run_steps_hash(text);
}

void run_steps_name(struct run_listing *listing, struct run_step *step, struct str name,
                    const struct yaml_node *node)
{
    struct buf section = {0};

    study_keys_canonical(node, arena_format(listing->arena, "%s.*", step->kind->name).ptr,
                         &section);
    run_steps_name_text(listing, step, name, buf_str(&section));
    buf_free(&section);
}

static uint64_t hash_taken(const struct study *study, struct arena *arena)
{
    struct buf text = {0};

    query_print(study_needed(study, arena), &text);
    uint64_t hash = run_steps_hash(buf_str(&text));
    buf_free(&text);
    return hash;
}

void run_steps_list(const struct study *study, struct arena *arena, struct run_steps *out)
{
    struct run_listing listing = {study, arena, out};
    size_t all = 0;

    *out = (struct run_steps){.study = study, .taken = hash_taken(study, arena)};
    for (size_t k = 0; run_kinds[k] != NULL; k++)
        all += count_of(run_kinds[k], study);
    out->at = arena_array(arena, struct run_step, all + 1);
    list_kinds(&listing, NULL);
}

/* Judging. */

/* Of a set most steps take the items alone, which its first file lists, whatever its
 * conditions are called in the funnel. */
static uint64_t output_for(const struct run_step *step, const struct run_step *need)
{
    return need->kind == &run_kind_set && !step->kind->funnels &&
                   need->made.file_count > 0
               ? need->made.files[0].hash
               : run_ledger_output(&need->made);
}

bool run_steps_inputs(const struct run_steps *steps, size_t step, uint64_t corpus,
                      struct arena *arena, struct run_ledger_pair **out, size_t *count,
                      struct err *err)
{
    const struct run_step *it = &steps->at[step];
    struct run_ledger_pair *pairs =
        arena_array(arena, struct run_ledger_pair,
                    it->part_count + it->need_count + it->file_count + 2);
    size_t n = 0;

    for (; n < it->part_count; n++)
        pairs[n] = it->parts[n];
    if (it->whole)
        corpus = XXH3_64bits_withSeed(&steps->taken, sizeof steps->taken, corpus);
    if (it->corpus)
        pairs[n++] = (struct run_ledger_pair){STR("corpus"), corpus};
    if (it->log) {
        pairs[n].name = STR("labels.db");
        if (!store_acts_digest(file_join(steps->study->home, "labels.db", arena),
                               steps->study->labellings[it->index].name, &pairs[n++].hash,
                               err))
            return false;
    }
    for (size_t i = 0; i < it->need_count; i++) {
        const struct run_step *need = &steps->at[it->needs[i]];
        pairs[n++] = (struct run_ledger_pair){need->name, output_for(it, need)};
    }
    for (size_t i = 0; i < it->file_count; i++) {
        /* By number, so that the lock does not depend on where files lie. */
        pairs[n].name = arena_format(arena, "file %zu", i + 1);
        if (!file_exists(it->files[i]))
            return study_tell_absent(steps->study, it->files[i], err);
        if (!file_hash(it->files[i], &pairs[n++].hash, err))
            return false;
    }
    *out = pairs;
    *count = n;
    return true;
}

static void set_reason(struct run_step *step, struct arena *arena, const char *format,
                       ...) PRINTF_LIKE(3, 4);

static void set_reason(struct run_step *step, struct arena *arena, const char *format,
                       ...)
{
    va_list args;

    va_start(args, format);
    step->reason = arena_format_arguments(arena, format, args);
    va_end(args);
}

size_t run_steps_waits_for(const struct run_steps *steps, const struct run_step *step)
{
    for (size_t i = 0; i < step->need_count; i++)
        if (steps->at[step->needs[i]].reason.len > 0 &&
            steps->at[step->needs[i]].waits.len == 0)
            return step->needs[i];
    return STUDY_NONE;
}

static bool same_inputs(struct run_step *step, const struct run_ledger_step *recorded,
                        const struct run_ledger_pair *now, size_t count,
                        struct arena *arena)
{
    for (size_t i = 0; i < count; i++) {
        size_t r = 0;
        while (r < recorded->input_count &&
               !str_eq(recorded->inputs[r].name, now[i].name))
            r++;
        if (r == recorded->input_count || recorded->inputs[r].hash != now[i].hash) {
            size_t others = count - step->file_count; /* files come last */
            struct str name =
                i < others ? now[i].name : str_from(step->files[i - others]);
            set_reason(step, arena, "%.*s has changed", STR_ARG(name));
            return false;
        }
    }
    if (count == recorded->input_count)
        return true;
    set_reason(step, arena, "it rests on less than before");
    return false;
}

static bool same_files(const struct run_steps *steps, struct run_step *step,
                       const struct run_ledger_step *recorded, struct arena *arena)
{
    for (size_t i = 0; i < recorded->file_count; i++) {
        const char *name = arena_c_string(arena, recorded->files[i].name);
        const char *path = file_join(steps->study->home, name, arena);
        struct err ignored = {0};
        uint64_t hash;
        if (!file_exists(path)) {
            set_reason(step, arena, "%s is not there", name);
            return false;
        }
        if (!file_hash(path, &hash, &ignored) || hash != recorded->files[i].hash) {
            set_reason(step, arena, "%s was changed by hand", name);
            return false;
        }
    }
    return true;
}

static const struct run_ledger_pair *find_pair(const struct run_ledger_pair *pairs,
                                               size_t count, struct str name)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(pairs[i].name, name))
            return &pairs[i];
    return NULL;
}

static void set_part_reason(struct run_step *step, struct arena *arena, struct str part,
                            const char *what)
{
    struct str prefix = STR(PART);

    set_reason(step, arena, "%.*s %s the study file",
               STR_ARG(str_slice(part, prefix.len, part.len)), what);
}

static bool same_parts(struct run_step *step, const struct run_ledger_step *recorded,
                       struct arena *arena)
{
    for (size_t i = 0; i < step->part_count; i++) {
        const struct run_ledger_pair *part = &step->parts[i];
        const struct run_ledger_pair *before =
            find_pair(recorded->inputs, recorded->input_count, part->name);
        if (before != NULL && before->hash == part->hash)
            continue;
        set_part_reason(step, arena, part->name,
                        before != NULL ? "has changed in" : "is new in");
        return false;
    }
    for (size_t i = 0; i < recorded->input_count; i++) {
        struct str name = recorded->inputs[i].name;
        if (str_starts(name, STR(PART)) &&
            find_pair(step->parts, step->part_count, name) == NULL) {
            set_part_reason(step, arena, name, "is gone from");
            return false;
        }
    }
    return true;
}

static bool same_sections(struct run_step *step, const struct run_ledger_step *recorded,
                          struct arena *arena)
{
    bool same = recorded->section == step->section;

    if (!same && !step->ordered) {
        set_reason(step, arena, "its section of the study file has changed");
        return false;
    }
    if (!same_parts(step, recorded, arena))
        return false;
    if (!same)
        set_reason(step, arena, "sections of the study file have another order");
    return same;
}

bool run_steps_judge(struct run_steps *steps, size_t step,
                     const struct run_ledger *ledger, uint64_t corpus, bool corpus_known,
                     struct arena *arena, struct err *err)
{
    struct run_step *it = &steps->at[step];
    const struct run_ledger_step *recorded = run_ledger_find(ledger, it->name);
    size_t before = run_steps_waits_for(steps, it);
    struct run_ledger_pair *inputs;
    size_t count;

    it->reason = (struct str){0};
    it->open = false;
    if (recorded == NULL) {
        set_reason(it, arena, "it has not been made yet");
    } else if (recorded->engine != it->kind->engine) {
        set_reason(it, arena, "assay makes it another way now");
    } else if (!same_sections(it, recorded, arena)) {
        /* set_reason() has been called */
    } else if (!same_files(steps, it, recorded, arena)) {
        /* set_reason() has been called */
    } else if (it->corpus && !corpus_known) {
        set_reason(it, arena, "the corpus may change");
        it->open = true;
    } else if (before != STUDY_NONE) {
        set_reason(it, arena, "%.*s is made before it", STR_ARG(steps->at[before].name));
        it->open = true;
    } else if (!run_steps_inputs(steps, step, corpus, arena, &inputs, &count, err)) {
        return false;
    } else if (same_inputs(it, recorded, inputs, count, arena)) {
        it->made = *recorded;
    }
    return true;
}
