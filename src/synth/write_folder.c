/* A folder is ours when its truth.json is. */
#include "synth/write_folder.h"

#include "base/file.h"
#include "synth/synth.h"

enum { MARGINALS_BYTES_MAX = 16 * 1024 * 1024 };

/* Whether the file is a truth.json of ours; one that cannot be read is not. */
static bool is_ours(const char *path, struct arena *arena, bool *ours, struct err *err)
{
    struct str text = {0};

    *ours = false;
    if (!file_exists(path) || file_size(path) > MARGINALS_BYTES_MAX)
        return true;
    if (!file_read_max(path, MARGINALS_BYTES_MAX, arena, &text, err))
        return false;
    *ours = str_starts(text, STR("{\n  \"made_by\": \"assay synth"));
    return true;
}

/* Some dumps are unpacked with names in lower case. */
static const char *lower(const char *name, struct arena *arena)
{
    char *copy = arena_c_string(arena, str_from(name));

    for (char *c = copy; *c != '\0'; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
    return copy;
}

bool write_folder_is_simulated(const char *folder, struct arena *arena, bool *simulated,
                               struct err *err)
{
    return is_ours(file_join(folder, WRITE_FOLDER_MARGINALS, arena), arena, simulated,
                   err);
}

bool write_folder_check(const char *folder, struct arena *arena, struct err *err)
{
    const char *marginals = file_join(folder, WRITE_FOLDER_MARGINALS, arena);
    bool ours, begun;

    for (int i = 0; i <= SYNTH_FILES; i++) {
        const char *name = i < SYNTH_FILES ? synth_file_name((enum synth_file)i)
                                           : WRITE_FOLDER_MARGINALS;
        if (file_is_folder(file_join(folder, name, arena)))
            return err_set(err, ERR_INPUT,
                           "%s: holds a folder %s; expected a new or "
                           "empty folder",
                           folder, name);
    }
    if (!is_ours(marginals, arena, &ours, err) ||
        !is_ours(file_join(folder, "truth.json.part", arena), arena, &begun, err))
        return false;
    for (int i = 0; i <= SYNTH_FILES && !ours; i++) {
        const char *name = i < SYNTH_FILES ? synth_file_name((enum synth_file)i)
                                           : WRITE_FOLDER_MARGINALS;
        if (begun && i < SYNTH_FILES)
            continue;
        if (!file_exists(file_join(folder, name, arena)))
            name = lower(name, arena);
        if (file_exists(file_join(folder, name, arena)))
            return err_set(
                err, ERR_INPUT,
                "%s: holds %s, which assay synth did not write; expected a new "
                "or empty folder",
                folder, name);
    }
    return true;
}

bool write_folder_lock(const char *path, struct lock *lock, struct err *err)
{
    for (int tries = 0; tries < 10; tries++) {
        if (!lock_take(path, "assay synth", lock, err))
            return false;
        if (file_exists(path))
            return true;
        lock_release(lock);
    }
    return err_set(err, ERR_SYSTEM, "cannot lock %s: others come and go", path);
}
