/* What is recorded: steps as just made, else as they were; and as long as their files are
 * there, steps that are no more. */
#include "run/recording.h"

#include <string.h>

#include "base/file.h"

static bool is_listed(const struct run_recording *recording, struct str name)
{
    for (size_t i = 0; i < recording->steps->count; i++)
        if (str_eq(recording->steps->at[i].name, name))
            return true;
    return false;
}

static bool save(const struct run_recording *recording, struct err *err)
{
    struct arena arena = {0};
    struct buf text = {0};
    struct run_ledger now = {
        arena_array(&arena, struct run_ledger_step,
                    recording->steps->count + recording->before->count + 1),
        0};

    for (size_t i = 0; i < recording->steps->count; i++) {
        const struct run_step *step = &recording->steps->at[i];
        const struct run_ledger_step *recorded =
            run_ledger_find(recording->before, step->name);
        if (step->made.name.len > 0)
            now.steps[now.count++] = step->made;
        else if (recorded != NULL)
            now.steps[now.count++] = *recorded;
    }
    /* Steps that are no more stay recorded as long as their files do. */
    for (size_t i = 0; i < recording->before->count && !recording->orphans_removed; i++)
        if (!is_listed(recording, recording->before->steps[i].name))
            now.steps[now.count++] = recording->before->steps[i];
    run_ledger_print(&now, &text);
    bool ok =
        file_write(file_join(recording->home, "assay.lock", &arena), buf_str(&text), err);
    buf_free(&text);
    arena_free(&arena);
    return ok;
}

bool run_recording_add(struct run_recording *recording, struct run_step *step,
                       struct run_ledger_step made, const struct run_output *output,
                       struct err *err)
{
    made.name = step->name;
    made.section = step->section;
    made.engine = step->kind->engine;
    made.says = arena_copy(recording->arena, run_output_says(output));
    made.file_count = output->count;
    made.files = arena_array(recording->arena, struct run_ledger_pair, output->count + 1);
    for (size_t i = 0; i < output->count; i++)
        made.files[i] = (struct run_ledger_pair){
            arena_copy(recording->arena, run_output_path(output, i)),
            run_steps_hash(run_output_text(output, i))};
    step->made = made;
    step->reason = (struct str){0};
    return save(recording, err);
}

static bool is_made_by_some_step(const struct run_recording *recording, struct str file)
{
    for (size_t i = 0; i < recording->steps->count; i++)
        for (size_t f = 0; f < recording->steps->at[i].made.file_count; f++)
            if (str_eq(recording->steps->at[i].made.files[f].name, file))
                return true;
    return false;
}

/* And the folders that it leaves empty; others stay, for they cannot be removed. */
static void remove_result(const struct run_recording *recording, struct str name,
                          struct arena *arena)
{
    char *path = arena_c_string(arena, name), *slash;

    do {
        file_remove(file_join(recording->home, path, arena));
        slash = strrchr(path, '/');
        if (slash != NULL)
            *slash = '\0';
    } while (slash != NULL);
}

bool run_recording_remove_orphans(struct run_recording *recording, struct err *err)
{
    struct arena arena = {0};
    bool any = false;

    for (size_t i = 0; i < recording->before->count; i++)
        for (size_t f = 0; f < recording->before->steps[i].file_count; f++) {
            struct str name = recording->before->steps[i].files[f].name;
            if (is_made_by_some_step(recording, name))
                continue;
            remove_result(recording, name, &arena);
            any = true;
        }
    arena_free(&arena);
    recording->orphans_removed = true;
    return !any || save(recording, err);
}
