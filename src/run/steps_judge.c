/* A step is judged by what assay.lock says of it: section, parts, engine, results,
 * inputs.
 */
#include <stdarg.h>
#include <stdio.h>
#include <xxhash.h>

#include "base/file.h"
#include "run/steps.h"
#include "store/acts.h"

static bool hash_file(const char *path, uint64_t *hash, struct err *err)
{
    struct arena arena = {0};
    struct str text;
    bool ok = file_read(path, &arena, &text, err);

    if (ok)
        *hash = run_steps_hash(text);
    arena_free(&arena);
    return ok;
}

/* Of a set most steps take the items alone, which its first file lists, whatever its
 * conditions are called in the funnel. */
static uint64_t output_for(const struct run_step *step, const struct run_step *need)
{
    bool items = step->kind != RUN_STEPS_SET && step->kind < RUN_STEPS_FIGURE;

    return items && need->kind == RUN_STEPS_SET && need->made.file_count > 0
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
        char name[40];
        snprintf(name, sizeof name, "file %zu", i + 1);
        pairs[n].name = arena_copy(arena, str_from(name));
        if (!file_exists(it->files[i]))
            return study_tell_absent(steps->study, it->files[i], err);
        if (!hash_file(it->files[i], &pairs[n++].hash, err))
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
    char text[300];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    step->reason = arena_copy(arena, str_from(text));
}

/* The first step before it that has yet to be made, or STUDY_NONE. */
static size_t waits_for(const struct run_steps *steps, const struct run_step *step)
{
    for (size_t i = 0; i < step->need_count; i++)
        if (steps->at[step->needs[i]].reason.len > 0)
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
        if (!hash_file(path, &hash, &ignored) || hash != recorded->files[i].hash) {
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
    struct str prefix = STR(RUN_STEPS_PART);

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
        if (str_starts(name, STR(RUN_STEPS_PART)) &&
            find_pair(step->parts, step->part_count, name) == NULL) {
            set_part_reason(step, arena, name, "is gone from");
            return false;
        }
    }
    return true;
}

/* The report has no section of its own but the order of all. */
static bool same_sections(struct run_step *step, const struct run_ledger_step *recorded,
                          struct arena *arena)
{
    bool same = recorded->section == step->section;

    if (!same && step->kind != RUN_STEPS_REPORT) {
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
    size_t before = waits_for(steps, it);
    struct run_ledger_pair *inputs;
    size_t count;

    it->reason = (struct str){0};
    it->open = false;
    if (recorded == NULL) {
        set_reason(it, arena, "it has not been made yet");
    } else if (recorded->engine != run_steps_engine(it->kind)) {
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
