/* libarchive underneath. */
#include "input/zipfile.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>

#include "base/arena.h"
#include "base/buf.h"

enum {
    /* The day before the first that a zip knows: its local times, which depend on where
     * we are, then all become that first moment, 1980-01-01. */
    MEMBER_SECONDS = 315446400,
    MEMBER_MODE = 0644,
    PART_BYTES = 1 << 16,
    UNPACKED_MAX = 1 << 30,
};

struct input_zipfile {
    struct arena arena; /* holds the struct itself */
    struct archive *archive;
    input_zipfile_sink *sink;
    void *context;
    struct err failure; /* of the sink */
};

static la_ssize_t on_write(struct archive *archive, void *data, const void *bytes,
                           size_t len)
{
    struct input_zipfile *zip = data;

    if (zip->sink(zip->context, (struct str){bytes, len}, &zip->failure))
        return (la_ssize_t)len;
    archive_set_error(archive, EIO, "%s", zip->failure.text);
    return ARCHIVE_FATAL;
}

static bool refuse(const struct input_zipfile *zip, struct err *err)
{
    const char *text = archive_error_string(zip->archive);

    if (zip->failure.kind != ERR_NONE) {
        *err = zip->failure;
        return false;
    }
    return err_set(err, ERR_SYSTEM, "cannot write a zip: libarchive says: %s",
                   text != NULL ? text : "nothing");
}

bool input_zipfile_open(input_zipfile_sink *sink, void *context,
                        struct input_zipfile **out, struct err *err)
{
    struct arena arena = {0};
    struct input_zipfile *zip = arena_array(&arena, struct input_zipfile, 1);

    *zip = (struct input_zipfile){arena, archive_write_new(), sink, context, {0}};
    *out = zip;
    if (zip->archive == NULL)
        arena_exhausted();
    return (archive_write_set_format_zip(zip->archive) == ARCHIVE_OK &&
            archive_write_set_options(zip->archive, "zip:compression=deflate") ==
                ARCHIVE_OK &&
            archive_write_set_bytes_in_last_block(zip->archive, 1) == ARCHIVE_OK &&
            archive_write_open(zip->archive, zip, NULL, on_write, NULL) == ARCHIVE_OK) ||
           refuse(zip, err);
}

bool input_zipfile_add(struct input_zipfile *zip, struct str name, struct str bytes,
                       struct err *err)
{
    struct archive_entry *entry = archive_entry_new();

    if (entry == NULL)
        arena_exhausted();
    archive_entry_set_pathname(entry, arena_c_string(&zip->arena, name));
    archive_entry_set_size(entry, (la_int64_t)bytes.len);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, MEMBER_MODE);
    archive_entry_set_mtime(entry, MEMBER_SECONDS, 0);
    bool ok = archive_write_header(zip->archive, entry) == ARCHIVE_OK;
    while (ok && bytes.len > 0) {
        la_ssize_t done = archive_write_data(zip->archive, bytes.ptr, bytes.len);
        ok = done > 0;
        bytes = str_slice(bytes, ok ? (size_t)done : 0, bytes.len);
    }
    archive_entry_free(entry);
    return ok || refuse(zip, err);
}

bool input_zipfile_finish(struct input_zipfile *zip, struct err *err)
{
    return archive_write_close(zip->archive) == ARCHIVE_OK || refuse(zip, err);
}

void input_zipfile_close(struct input_zipfile *zip)
{
    struct arena arena;

    if (zip == NULL)
        return;
    archive_write_free(zip->archive);
    arena = zip->arena;
    arena_free(&arena);
}

/* Reading. */

static bool read_member(struct archive *archive, struct buf *out, const char *path,
                        size_t *total, struct err *err)
{
    char part[PART_BYTES];
    la_ssize_t got;

    buf_clear(out);
    while ((got = archive_read_data(archive, part, sizeof part)) > 0) {
        *total += (size_t)got;
        if (*total > UNPACKED_MAX)
            return err_set(err, ERR_INPUT, "%s: unpacks to more than %d bytes", path,
                           UNPACKED_MAX);
        buf_add(out, (struct str){part, (size_t)got});
    }
    return got == 0 || err_set(err, ERR_INPUT, "%s: a broken zip: %s", path,
                               archive_error_string(archive));
}

bool input_zipfile_read(struct str zip, const char *path, input_zipfile_take *take,
                        void *context, struct err *err)
{
    struct archive *archive = archive_read_new();
    struct archive_entry *entry;
    struct buf bytes = {0};
    size_t total = 0;
    int code = ARCHIVE_FATAL;
    bool ok = true;

    if (archive == NULL)
        arena_exhausted();
    if (archive_read_support_format_zip(archive) == ARCHIVE_OK &&
        archive_read_open_memory(archive, zip.ptr, zip.len) == ARCHIVE_OK)
        while (ok && (code = archive_read_next_header(archive, &entry)) == ARCHIVE_OK) {
            const char *name = archive_entry_pathname_utf8(entry);
            if (name == NULL)
                name = archive_entry_pathname(entry);
            if (archive_entry_filetype(entry) != AE_IFREG || name == NULL)
                continue;
            ok = read_member(archive, &bytes, path, &total, err) &&
                 take(context, str_from(name), buf_str(&bytes), err);
        }
    if (ok && code != ARCHIVE_EOF) {
        const char *why = archive_error_string(archive);
        ok = err_set(err, ERR_INPUT, "%s: not a zip that can be read: %s", path,
                     why != NULL ? why : "it has no members");
    }
    archive_read_free(archive);
    buf_free(&bytes);
    return ok;
}
