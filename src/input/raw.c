/* Files and pipes as they are: reading as little as possible of what a pipe gives before
 * its format is known, and without a shared position where several threads read one file.
 */
#include "input/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/list.h"
#include "base/stop.h"

/* Some systems refuse to read more at once. */
enum { READ_MAX = 1 << 30, SPOOL_BYTES = 1 << 20 };

static bool refuse(struct err *err, const char *name)
{
    return err_set(err, ERR_SYSTEM, "cannot read %s: %s", name, strerror(errno));
}

static int64_t modified_ms(const struct stat *status)
{
    return (int64_t)status->st_mtim.tv_sec * 1000 + status->st_mtim.tv_nsec / 1000000;
}

bool input_raw_open(struct input_raw *raw, const char *path, struct arena *arena,
                    struct err *err)
{
    bool standard = strcmp(path, "-") == 0;
    struct stat status;

    *raw = (struct input_raw){.descriptor = -1, .size = -1};
    raw->name = standard ? "standard input" : arena_c_string(arena, str_from(path));
    raw->descriptor = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (raw->descriptor < 0)
        return refuse(err, raw->name);
    raw->owned = !standard;
    if (fstat(raw->descriptor, &status) != 0) {
        refuse(err, raw->name);
        input_raw_close(raw);
        return false;
    }
    if (S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        refuse(err, raw->name);
        input_raw_close(raw);
        return false;
    }
    if (S_ISREG(status.st_mode)) {
        raw->seekable = true;
        raw->size = status.st_size;
        raw->modified_ms = modified_ms(&status);
    }
    return true;
}

bool input_raw_changed(const struct input_raw *raw)
{
    struct stat status;

    return fstat(raw->descriptor, &status) != 0 || status.st_size != raw->size ||
           (raw->modified_ms != 0 && modified_ms(&status) != raw->modified_ms);
}

void input_raw_close(struct input_raw *raw)
{
    input_archive_forget(raw);
    for (size_t i = 0; i < raw->volume_count; i++)
        input_raw_close(&raw->volumes[i]);
    raw->volume_count = 0;
    if (raw->owned)
        close(raw->descriptor);
    raw->descriptor = -1;
    raw->owned = false;
    buf_free(&raw->ahead);
}

bool input_raw_add_volumes(struct input_raw *raw, struct arena *arena, struct err *err)
{
    struct str first = str_from(raw->name);
    struct arena_mark mark;
    LIST(struct input_raw) volumes = {0};
    struct stat status;
    bool ok = true;

    for (int number = 2; ok && number < 1000; number++) {
        mark = arena_mark(arena);
        char *name = arena_c_string(arena, first);
        snprintf(name + first.len - 3, 4, "%03u", (unsigned)number % 1000);
        if (stat(name, &status) != 0) {
            arena_rewind(arena, mark);
            break;
        }
        struct input_raw volume;
        ok = input_raw_open(&volume, name, arena, err);
        if (ok)
            list_add(&volumes, volume);
    }
    raw->volumes = arena_array(arena, struct input_raw, volumes.count + 1);
    raw->volume_count = volumes.count;
    for (size_t i = 0; i < volumes.count; i++) {
        raw->volumes[i] = volumes.at[i];
        raw->size += volumes.at[i].size;
    }
    list_free(&volumes);
    return ok;
}

static bool read_volumes(const struct input_raw *raw, int64_t offset, char *to,
                         size_t len, size_t *got, struct err *err)
{
    int64_t begin = raw->size;

    for (size_t i = 0; i < raw->volume_count; i++)
        begin -= raw->volumes[i].size;
    struct input_raw first = *raw;
    first.volume_count = 0;
    first.size = begin;
    begin = 0;
    *got = 0;
    for (size_t i = 0; i <= raw->volume_count && *got < len; i++) {
        const struct input_raw *volume = i == 0 ? &first : &raw->volumes[i - 1];
        int64_t at = offset + (int64_t)*got - begin, left = volume->size - at;
        begin += volume->size;
        if (left <= 0)
            continue;
        size_t want = len - *got < (uint64_t)left ? len - *got : (size_t)left, some;
        if (!input_raw_read_at(volume, at, to + *got, want, &some, err))
            return false;
        *got += some;
        if (some < want)
            break; /* it has become shorter meanwhile */
    }
    return true;
}

bool input_raw_read_at(const struct input_raw *raw, int64_t offset, char *to, size_t len,
                       size_t *got, struct err *err)
{
    if (raw->volume_count > 0)
        return read_volumes(raw, offset, to, len, got, err);
    *got = 0;
    while (*got < len) {
        size_t some = len - *got < READ_MAX ? len - *got : READ_MAX;
        ssize_t count = pread(raw->descriptor, to + *got, some, offset + (int64_t)*got);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return refuse(err, raw->name);
        if (count == 0)
            break;
        *got += (size_t)count;
    }
    return true;
}

static bool read_pipe(struct input_raw *raw, char *to, size_t room, size_t *got,
                      struct err *err)
{
    ssize_t count;

    do {
        count = read(raw->descriptor, to, room < READ_MAX ? room : READ_MAX);
    } while (count < 0 && errno == EINTR);
    if (count < 0)
        return refuse(err, raw->name);
    *got = (size_t)count;
    return true;
}

bool input_raw_peek(struct input_raw *raw, char *to, size_t len, size_t *got,
                    struct err *err)
{
    if (raw->seekable)
        return input_raw_read_at(raw, 0, to, len, got, err);
    while (raw->ahead.len < len) {
        size_t more;
        char *end = buf_reserve(&raw->ahead, len - raw->ahead.len);
        if (!read_pipe(raw, end, len - raw->ahead.len, &more, err))
            return false;
        if (more == 0)
            break;
        raw->ahead.len += more;
    }
    *got = raw->ahead.len < len ? raw->ahead.len : len;
    if (*got > 0)
        memcpy(to, raw->ahead.ptr, *got);
    return true;
}

bool input_raw_read(struct input_raw *raw, char *to, size_t room, size_t *got,
                    struct err *err)
{
    if (raw->seekable) {
        if (!input_raw_read_at(raw, raw->at, to, room, got, err))
            return false;
    } else if (raw->ahead.len > 0) {
        *got = raw->ahead.len < room ? raw->ahead.len : room;
        memcpy(to, raw->ahead.ptr, *got);
        raw->ahead.len -= *got;
        memmove(raw->ahead.ptr, raw->ahead.ptr + *got, raw->ahead.len);
    } else if (!read_pipe(raw, to, room, got, err)) {
        return false;
    }
    raw->at += (int64_t)*got;
    if (raw->hash != NULL && *got > 0)
        XXH3_128bits_update(raw->hash, to, *got);
    return true;
}

static bool write_all(int file, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t count = write(file, bytes, len);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return false;
        bytes += count;
        len -= (size_t)count;
    }
    return true;
}

static bool copy_all(struct input_raw *raw, int file, const char *folder,
                     struct arena *arena, struct err *err)
{
    char *buffer = arena_array(arena, char, SPOOL_BYTES);
    size_t got = 1;

    while (got > 0) {
        if (!stop_check(err) || !input_raw_read(raw, buffer, SPOOL_BYTES, &got, err))
            return false;
        if (!write_all(file, buffer, got))
            return err_set(err, ERR_SYSTEM,
                           "cannot put %s into a file in %s (TMPDIR may name another "
                           "folder): %s",
                           raw->name, folder, strerror(errno));
    }
    return true;
}

bool input_raw_spool(struct input_raw *raw, struct arena *arena, struct err *err)
{
    const char *said = getenv("TMPDIR");
    const char *folder = said != NULL && *said != '\0' ? said : "/tmp";
    char *path =
        arena_c_string(arena, str_from(file_join(folder, "assay-XXXXXX", arena)));
    int file = mkstemp(path);

    if (file < 0)
        return err_set(err, ERR_SYSTEM, "cannot write to %s (TMPDIR): %s", folder,
                       strerror(errno));
    unlink(path);
    fcntl(file, F_SETFD, FD_CLOEXEC);
    if (!copy_all(raw, file, folder, arena, err)) {
        close(file);
        return false;
    }
    int64_t size = raw->at;
    input_raw_close(raw);
    raw->descriptor = file;
    raw->owned = raw->seekable = true;
    raw->size = size;
    raw->at = 0;
    return true;
}

struct input_feed input_feed_of(struct input_stream *stream)
{
    bool file = stream->raw->seekable;

    return (struct input_feed){
        .raw = stream->raw,
        .at = file ? stream->layout.from : 0,
        .end = file ? stream->layout.to : -1,
        .buffer = arena_array(&stream->arena, char, INPUT_FEED_BYTES),
    };
}

bool input_feed_fill(struct input_feed *feed, struct err *err)
{
    size_t room = INPUT_FEED_BYTES;

    if (feed->end < 0) {
        if (!input_raw_read(feed->raw, feed->buffer, room, &feed->len, err))
            return false;
        feed->at += (int64_t)feed->len;
        return true;
    }
    if (feed->end - feed->at < (int64_t)room)
        room = (size_t)(feed->end - feed->at);
    if (!input_raw_read_at(feed->raw, feed->at, feed->buffer, room, &feed->len, err))
        return false;
    feed->at += (int64_t)feed->len;
    return true;
}

/* Plain files, cut at fixed places: any thread reads any part. A plain pipe is read by
 * whoever is next. */

static bool read_plain(struct input_stream *stream, char *to, size_t room, size_t *got,
                       struct err *err)
{
    if (!input_raw_read(stream->raw, to, room, got, err))
        return false;
    stream->used += (int64_t)*got;
    return true;
}

const struct input_codec codec_pipe = {.read = read_plain};

/* layout.from .. layout.to holds the bytes, of which stream->skip are left out. */
static bool next_plain(struct input_stream *stream, struct input_part *part, bool *more,
                       struct err *err)
{
    int64_t from =
        stream->layout.from + stream->skip + stream->parts * INPUT_PLAIN_PART_BYTES;
    int64_t end = stream->layout.from + stream->skip + stream->left;

    (void)err;
    *more = from < end;
    part->again = true;
    part->from = from;
    part->to = end - from < INPUT_PLAIN_PART_BYTES ? end : from + INPUT_PLAIN_PART_BYTES;
    part->size = part->to - part->from;
    return true;
}

static bool begin_part(struct input_reader *reader, struct err *err)
{
    (void)err;
    reader->feed.at = reader->part.from;
    return true;
}

static bool read_part(struct input_reader *reader, char *to, size_t room, size_t *got,
                      struct err *err)
{
    int64_t left = reader->part.to - reader->feed.at;

    if ((int64_t)room > left)
        room = (size_t)left;
    if (!input_raw_read_at(reader->stream->raw, reader->feed.at, to, room, got, err))
        return false;
    reader->feed.at += (int64_t)*got;
    return true;
}

const struct input_codec codec_plain = {
    .next = next_plain,
    .part_begin = begin_part,
    .part_read = read_part,
};
