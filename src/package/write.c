/* Both forms are written beside their place and renamed. */
#include <string.h>

#include "base/file.h"
#include "base/stop.h"
#include "input/zipfile.h"
#include "package/package.h"

static const char *part_of(const char *path, struct arena *arena)
{
    struct str trimmed = str_from(path);

    while (trimmed.len > 1 && trimmed.ptr[trimmed.len - 1] == '/')
        trimmed.len--;
    return arena_format(arena, "%.*s.part", STR_ARG(trimmed)).ptr;
}

bool package_check_free(const char *path, struct err *err)
{
    struct arena arena = {0};
    const char *part = part_of(path, &arena);
    bool ok = true;

    if (file_exists(path))
        ok = err_set(err, ERR_INPUT,
                     "%s is there already: remove it or give another name", path);
    else if (file_exists(part))
        ok = err_set(err, ERR_INPUT,
                     "%s is left over from an interrupted export: "
                     "remove it",
                     part);
    arena_free(&arena);
    return ok;
}

/* The folder. */

static const char *parent_of(const char *path, struct arena *arena)
{
    char *parent = arena_c_string(arena, str_from(path));

    *strrchr(parent, '/') = '\0';
    return parent;
}

static void remove_files(const struct package *package, const char *part,
                         struct arena *arena)
{
    for (size_t i = 0; i < package->count; i++) {
        const char *name = arena_c_string(arena, package->files[i].name);
        const char *path = file_join(part, name, arena);
        file_remove(path);
        file_remove_folders(parent_of(path, arena), part);
    }
}

static bool write_file(const struct package_file *file, const char *part,
                       struct arena *arena, struct err *err)
{
    const char *path = file_join(part, arena_c_string(arena, file->name), arena), *made;

    return stop_check(err) &&
           file_make_folder(parent_of(path, arena), arena, &made, err) &&
           file_write(path, file->text, err);
}

static bool write_folder(const struct package *package, const char *path, struct err *err)
{
    struct arena arena = {0};
    const char *part = part_of(path, &arena), *made = NULL;
    bool ok = file_make_folder(part, &arena, &made, err);

    for (size_t i = 0; i < package->count && ok; i++)
        ok = write_file(&package->files[i], part, &arena, err);
    ok = ok && file_rename(part, path, err);
    if (!ok) {
        remove_files(package, part, &arena);
        if (made != NULL)
            file_remove_folders(part, made);
    }
    arena_free(&arena);
    return ok;
}

/* The zip. */

static bool write_bytes(void *context, struct str bytes, struct err *err)
{
    return file_out_write(context, bytes, err);
}

static bool write_zip(const struct package *package, const char *path, struct err *err)
{
    struct input_zipfile *zip = NULL;
    struct file_out *out;

    if (!file_out_open(path, &out, err))
        return false;
    bool ok = input_zipfile_open(write_bytes, out, &zip, err);
    for (size_t i = 0; i < package->count && ok; i++)
        ok = stop_check(err) &&
             input_zipfile_add(zip, package->files[i].name, package->files[i].text, err);
    ok = ok && input_zipfile_finish(zip, err);
    input_zipfile_close(zip);
    if (ok)
        return file_out_commit(out, err);
    file_out_discard(out);
    return false;
}

bool package_write(const struct package *package, const char *path, struct err *err)
{
    if (!package_check_free(path, err))
        return false;
    return str_ends(str_from(path), STR(".zip")) ? write_zip(package, path, err)
                                                 : write_folder(package, path, err);
}
