/* Both forms are written beside their place and renamed. A zip's members have a fixed
 * time and owner, so that the same files give the same bytes. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/stop.h"
#include "package/package.h"

enum {
    /* The day before the first that a zip knows: its local times, which depend on where
     * we are, then all become that first moment, 1980-01-01. */
    MEMBER_SECONDS = 315446400,
    MEMBER_MODE = 0644,
};

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

struct zip {
    struct archive *archive;
    struct file_out *out;
    struct err failure; /* of writing the file */
};

static la_ssize_t on_write(struct archive *archive, void *data, const void *bytes,
                           size_t len)
{
    struct zip *zip = data;

    if (file_out_write(zip->out, (struct str){bytes, len}, &zip->failure))
        return (la_ssize_t)len;
    archive_set_error(archive, EIO, "%s", zip->failure.text);
    return ARCHIVE_FATAL;
}

static bool refuse(const struct zip *zip, struct err *err)
{
    const char *text = zip->archive != NULL ? archive_error_string(zip->archive) : NULL;

    if (zip->failure.kind != ERR_NONE) {
        *err = zip->failure;
        return false;
    }
    return err_set(err, ERR_SYSTEM, "cannot write a zip: libarchive says: %s",
                   text != NULL ? text : "nothing");
}

static bool add_member(struct zip *zip, const struct package_file *file,
                       struct arena *arena)
{
    struct archive_entry *entry = archive_entry_new();

    if (entry == NULL)
        arena_exhausted();
    archive_entry_set_pathname(entry, arena_c_string(arena, file->name));
    archive_entry_set_size(entry, (la_int64_t)file->text.len);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, MEMBER_MODE);
    archive_entry_set_mtime(entry, MEMBER_SECONDS, 0);
    bool ok = archive_write_header(zip->archive, entry) == ARCHIVE_OK;
    for (struct str rest = file->text; ok && rest.len > 0;) {
        la_ssize_t done = archive_write_data(zip->archive, rest.ptr, rest.len);
        ok = done > 0;
        rest = str_slice(rest, ok ? (size_t)done : 0, rest.len);
    }
    archive_entry_free(entry);
    return ok;
}

static bool fill_zip(struct zip *zip, const struct package *package, struct err *err)
{
    struct arena arena = {0};
    bool ok = zip->archive != NULL &&
              archive_write_set_format_zip(zip->archive) == ARCHIVE_OK &&
              archive_write_set_options(zip->archive, "zip:compression=deflate") ==
                  ARCHIVE_OK &&
              archive_write_set_bytes_in_last_block(zip->archive, 1) == ARCHIVE_OK &&
              archive_write_open(zip->archive, zip, NULL, on_write, NULL) == ARCHIVE_OK;
    bool going_on = true;

    for (size_t i = 0; i < package->count && ok && going_on; i++) {
        going_on = stop_check(err);
        ok = !going_on || add_member(zip, &package->files[i], &arena);
    }
    if (ok && going_on)
        ok = archive_write_close(zip->archive) == ARCHIVE_OK;
    arena_free(&arena);
    return going_on && (ok || refuse(zip, err));
}

static bool write_zip(const struct package *package, const char *path, struct err *err)
{
    struct zip zip = {0};

    if (!file_out_open(path, &zip.out, err))
        return false;
    zip.archive = archive_write_new();
    bool ok = fill_zip(&zip, package, err);
    if (zip.archive != NULL)
        archive_write_free(zip.archive);
    if (ok)
        return file_out_commit(zip.out, err);
    file_out_discard(zip.out);
    return false;
}

bool package_write(const struct package *package, const char *path, struct err *err)
{
    if (!package_check_free(path, err))
        return false;
    return str_ends(str_from(path), STR(".zip")) ? write_zip(package, path, err)
                                                 : write_folder(package, path, err);
}
