/* Archives through libarchive: zip, tar, and 7z members packed by other methods than
 * those we unpack ourselves. Always from the beginning of a member. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <string.h>

#include "input/internal.h"

struct archive_source {
    struct arena arena; /* holds the source itself */
    struct archive *archive;
    struct input_raw *raw;
    size_t next;  /* member, among those that are files */
    bool damaged; /* nothing more comes out of it */
    int64_t at;
    char *buffer;
    struct err failure; /* of reading the file */
    /* Bytes of the member that libarchive lent us and that were not yet given out: */
    const char *lent;
    size_t lent_len;
    int64_t offset; /* of the next byte to give out */
};

static la_ssize_t on_read(struct archive *archive, void *data, const void **bytes)
{
    struct archive_source *source = data;
    size_t got;

    if (!input_raw_read_at(source->raw, source->at, source->buffer, INPUT_FEED_BYTES,
                           &got, &source->failure)) {
        archive_set_error(archive, EIO, "%s", source->failure.text);
        return ARCHIVE_FATAL;
    }
    source->at += (int64_t)got;
    *bytes = source->buffer;
    return (la_ssize_t)got;
}

static la_int64_t on_seek(struct archive *archive, void *data, la_int64_t offset,
                          int whence)
{
    struct archive_source *source = data;

    (void)archive;
    if (whence == SEEK_CUR)
        offset += source->at;
    else if (whence == SEEK_END)
        offset += source->raw->size;
    if (offset < 0)
        return ARCHIVE_FATAL;
    return source->at = offset;
}

static la_int64_t on_skip(struct archive *archive, void *data, la_int64_t request)
{
    struct archive_source *source = data;

    (void)archive;
    source->at += request;
    return request;
}

static bool refuse(struct archive_source *source, const char *place, struct err *err)
{
    source->damaged = true;
    const char *text = archive_error_string(source->archive);

    if (source->failure.kind != ERR_NONE) {
        *err = source->failure;
        return false;
    }
    if (text != NULL && strstr(text, "nsupported") != NULL)
        return err_set(
            err, ERR_INPUT,
            "%s: is packed in a way that libarchive does not know (%s); unpack "
            "it with another program",
            place, text);
    return err_set(err, ERR_INPUT, "%s: is cut or damaged: libarchive says: %s", place,
                   text != NULL ? text : "nothing");
}

static struct archive_source *new_source(struct input_raw *raw)
{
    struct arena arena = {0};
    struct archive_source *source = arena_array(&arena, struct archive_source, 1);

    source->buffer = arena_array(&arena, char, INPUT_FEED_BYTES);
    source->arena = arena;
    source->raw = raw;
    return source;
}

static void free_source(struct archive_source *source)
{
    if (source == NULL)
        return;
    archive_read_free(source->archive);
    struct arena arena = source->arena;
    arena_free(&arena);
}

static bool open_source(struct archive_source *source, enum input_format format,
                        struct err *err)
{
    source->archive = archive_read_new();
    if (source->archive == NULL)
        arena_exhausted();
    if (format == INPUT_TAR) {
        archive_read_support_format_tar(source->archive);
        archive_read_support_filter_all(source->archive);
    } else if (format == INPUT_ZIP) {
        archive_read_support_format_zip_seekable(source->archive);
    } else {
        archive_read_support_format_7zip(source->archive);
    }
    archive_read_set_read_callback(source->archive, on_read);
    archive_read_set_seek_callback(source->archive, on_seek);
    archive_read_set_skip_callback(source->archive, on_skip);
    archive_read_set_callback_data(source->archive, source);
    if (archive_read_open1(source->archive) != ARCHIVE_OK)
        return refuse(source, source->raw->name, err);
    return true;
}

/* The next member that is a file; *entry is NULL at the end. */
static bool next_entry(struct archive_source *source, struct archive_entry **entry,
                       struct err *err)
{
    for (;;) {
        int status = archive_read_next_header(source->archive, entry);
        if (status == ARCHIVE_EOF) {
            *entry = NULL;
            return true;
        }
        if (status < ARCHIVE_WARN)
            return refuse(source, source->raw->name, err);
        if (archive_entry_filetype(*entry) == AE_IFREG) {
            source->next++;
            source->lent_len = 0;
            source->offset = 0;
            return true;
        }
    }
}

/* In the C locale libarchive has no name for one that is not ASCII. */
static struct str name_of(struct archive_entry *entry)
{
    const char *name = archive_entry_pathname_utf8(entry);

    if (name == NULL)
        name = archive_entry_pathname(entry);
    return str_from(name != NULL ? name : "(a name in unknown letters)");
}

/* libarchive names the method in the name of the format, as in "ZIP 2.1 (...)". */
static bool is_deflate64(const struct archive_source *source, enum input_format format)
{
    const char *name = archive_format_name(source->archive);

    return format == INPUT_ZIP && name != NULL && strstr(name, "deflation-64") != NULL;
}

bool input_archive_list(struct input_raw *raw, enum input_format format,
                        struct input_member_list *list, struct err *err)
{
    struct archive_source *source = new_source(raw);
    LIST(struct input_member_packed *) unknown = {0};
    struct archive_entry *entry;
    bool ok = open_source(source, format, err);

    for (size_t index = 0; ok; index++) {
        ok = next_entry(source, &entry, err);
        if (!ok || entry == NULL)
            break;
        struct input_member_packed *member = input_members_add(list, raw, name_of(entry));
        int64_t size = archive_entry_size_is_set(entry) ? archive_entry_size(entry) : -1;
        member->shown.format = format == INPUT_TAR ? "tar" : "zip";
        member->shown.size = size;
        member->layout = (struct input_layout){
            .format = format,
            .to = raw->size,
            .size = size,
            .folder_size = size,
            .encrypted = archive_entry_is_encrypted(entry) > 0,
            .index = index,
        };
        if (is_deflate64(source, format))
            list_add(&unknown, member);
    }
    if (ok && unknown.count > 0)
        ok = input_zip_place(raw, unknown.at, unknown.count, err);
    list_free(&unknown);
    free_source(source);
    return ok;
}

/* Streams of one file may be opened by several threads. */
static pthread_mutex_t reached_mutex = PTHREAD_MUTEX_INITIALIZER;

/* What somebody left who read an earlier member; else from the beginning. */
static struct archive_source *take_reached(struct input_raw *raw, size_t index)
{
    struct archive_source *source = NULL;

    pthread_mutex_lock(&reached_mutex);
    if (raw->reached != NULL && raw->reached->next <= index) {
        source = raw->reached;
        raw->reached = NULL;
    }
    pthread_mutex_unlock(&reached_mutex);
    return source;
}

static void leave_reached(struct archive_source *source)
{
    pthread_mutex_lock(&reached_mutex);
    struct archive_source *before = source->raw->reached;
    source->raw->reached = source;
    pthread_mutex_unlock(&reached_mutex);
    free_source(before);
}

void input_archive_forget(struct input_raw *raw)
{
    free_source(raw->reached);
    raw->reached = NULL;
}

static bool open_archive(struct input_stream *stream, struct err *err)
{
    struct archive_source *source = stream->layout.format == INPUT_TAR
                                        ? take_reached(stream->raw, stream->layout.index)
                                        : NULL;
    struct archive_entry *entry;
    bool reached = source != NULL;

    stream->state = reached ? source : (source = new_source(stream->raw));
    if (!reached && !open_source(source, stream->layout.format, err))
        return false;
    do {
        if (!next_entry(source, &entry, err))
            return false;
        if (entry == NULL)
            return input_wrong(stream, err, "libarchive does not find it in the archive");
    } while (source->next <= stream->layout.index);
    /* The entry is the member itself: what else its folder holds is left out already. */
    stream->skip = stream->start;
    return true;
}

static void close_archive(struct input_stream *stream)
{
    struct archive_source *source = stream->state;

    if (source == NULL)
        return;
    if (stream->layout.format == INPUT_TAR && !source->damaged)
        leave_reached(source);
    else
        free_source(source);
}

static bool read_archive(struct input_stream *stream, char *to, size_t room, size_t *got,
                         struct err *err)
{
    struct archive_source *source = stream->state;
    la_int64_t offset;
    const void *bytes;

    *got = 0;
    while (source->lent_len == 0) {
        size_t len;
        int status = archive_read_data_block(source->archive, &bytes, &len, &offset);
        if (status == ARCHIVE_EOF)
            return true;
        if (status != ARCHIVE_OK) /* a wrong checksum is but a warning to it */
            return refuse(source, stream->place, err);
        if (offset != source->offset) {
            source->damaged = true;
            return input_wrong(stream, err, "is damaged: it has holes");
        }
        source->lent = bytes;
        source->lent_len = len;
        source->offset += (int64_t)len;
    }
    *got = source->lent_len < room ? source->lent_len : room;
    memcpy(to, source->lent, *got);
    source->lent += *got;
    source->lent_len -= *got;
    stream->used = source->at - stream->layout.from;
    return true;
}

/* Only when asked for more does libarchive look at the member's checksum. */
static bool finish_archive(struct input_stream *stream, struct err *err)
{
    char more;
    size_t got;

    if (stream->skip > 0)
        return true; /* nothing of it was wanted */
    if (!read_archive(stream, &more, 1, &got, err))
        return false;
    return got == 0 ||
           input_wrong(stream, err, "is damaged: more comes out of it than it says");
}

const struct input_codec codec_archive = {
    .open = open_archive,
    .close = close_archive,
    .read = read_archive,
    .finish = finish_archive,
};
