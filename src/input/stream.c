/* Streams are handed out in parts. Where a format can only be unpacked from its
 * beginning, a part is what one thread unpacks under the mutex before it lets the next
 * one go on: while one thread unpacks, the others work with what they have. */
#define XXH_STATIC_LINKING_ONLY /* the members of a hash's state */
#include <assert.h>
#include <libdeflate.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "input/internal.h"

bool input_wrong(const struct input_stream *stream, struct err *err, const char *format,
                 ...)
{
    char text[500];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return err_set(err, ERR_INPUT, "%s: %s", stream->place, text);
}

/* The codec for a layout; a parallel one where the file can be taken apart. */
static const struct input_codec *choose(struct input_stream *stream)
{
    const struct input_layout *layout = &stream->layout;
    bool file = stream->raw->seekable;
    bool whole = layout->skip == 0 && stream->start == 0 &&
                 (layout->size < 0 || layout->size == layout->folder_size);

    switch (layout->format) {
    case INPUT_PLAIN:
        return file ? &codec_plain : &codec_pipe;
    case INPUT_GZIP:
        return &codec_gzip;
    case INPUT_BZIP2:
        return file && whole ? &codec_bzip2_parallel : &codec_bzip2;
    case INPUT_XZ:
        return file && input_xz_has_blocks(stream) ? &codec_xz_parallel : &codec_xz;
    case INPUT_ZSTD:
        return file && input_zstd_has_frames(stream) ? &codec_zstd_parallel : &codec_zstd;
    case INPUT_LZ4:
        return file && input_lz4_is_pack(stream) ? &codec_lz4_parallel : &codec_lz4;
    case INPUT_SEVEN_ZIP:
        break;
    case INPUT_ZIP:
        return layout->method == INPUT_SEVEN_DEFLATE64 ? &codec_deflate64
                                                       : &codec_archive;
    case INPUT_TAR:
        return &codec_archive;
    }
    switch (layout->method) {
    case INPUT_SEVEN_COPY:
        return &codec_plain;
    case INPUT_SEVEN_LZMA:
        return &codec_lzma;
    case INPUT_SEVEN_LZMA2:
        return input_lzma2_has_blocks(stream) ? &codec_lzma2_parallel : &codec_lzma;
    case INPUT_SEVEN_BZIP2:
        return whole ? &codec_bzip2_parallel : &codec_bzip2;
    case INPUT_SEVEN_DEFLATE64:
        return &codec_deflate64;
    case INPUT_SEVEN_OTHER:
        break;
    }
    return &codec_archive;
}

/* The state of a hash is the library's own: it is a few plain members and a pointer to a
 * constant, and is only passed on between builds and libraries of one version. */
static bool can_go_on(void)
{
    return XXH_versionNumber() == XXH_VERSION_NUMBER;
}

static void go_on_hashing(struct input_stream *stream, const struct input_hashed *hashed)
{
    XXH3_state_t *hash = stream->hash;
    const unsigned char *secret = hash->extSecret;

    _Static_assert(sizeof *hash == sizeof hashed->state, "room for the state of a hash");
    if (!can_go_on() || hashed->version != XXH_VERSION_NUMBER ||
        hashed->bytes > stream->raw->size)
        return;
    memcpy(hash, hashed->state, sizeof *hash);
    hash->extSecret = secret;
    stream->hashed = hashed->bytes;
}

void input_stream_hashed(const struct input_stream *stream, struct input_hashed *out)
{
    *out = (struct input_hashed){0};
    if (stream->hash == NULL || !stream->raw->seekable || !can_go_on())
        return;
    *out = (struct input_hashed){.bytes = stream->hashed, .version = XXH_VERSION_NUMBER};
    memcpy(out->state, stream->hash, sizeof out->state);
}

bool input_stream_open(struct input *input, size_t member,
                       const struct input_stream_options *options,
                       struct input_stream **out, struct err *err)
{
    struct arena arena = {0};
    struct input_stream *stream = arena_array(&arena, struct input_stream, 1);
    struct input_member_packed *source = input_source(input, member);

    stream->arena = arena;
    stream->raw = source->raw;
    stream->place = source->shown.place;
    stream->layout = source->layout;
    stream->start = options->start;
    pthread_mutex_init(&stream->mutex, NULL);
    if (source->refusal != NULL) {
        *err = *source->refusal;
        goto failed;
    }
    if (source->layout.encrypted) {
        input_wrong(stream, err, "is locked with a password; unpack it first");
        goto failed;
    }
    if (!stream->raw->seekable && stream->raw->at > 0) {
        input_wrong(stream, err, "is a pipe and can be read only once");
        goto failed;
    }
    stream->skip = stream->layout.skip + stream->start;
    stream->left = stream->layout.size < 0 ? -1 : stream->layout.size - stream->start;
    if (stream->layout.size >= 0 && stream->left < 0)
        stream->left = 0;
    if (options->hash) {
        stream->hash = XXH3_createState();
        if (stream->hash == NULL)
            arena_exhausted();
        memset(stream->hash, 0, sizeof *stream->hash); /* it may be kept in a file */
        XXH3_128bits_reset(stream->hash);
        if (!stream->raw->seekable)
            stream->raw->hash = stream->hash;
        else if (options->hashed != NULL)
            go_on_hashing(stream, options->hashed);
    }
    stream->codec = choose(stream);
    if (stream->codec->open != NULL && !stream->codec->open(stream, err))
        goto failed;
    *out = stream;
    return true;
failed:
    input_stream_close(stream);
    return false;
}

void input_stream_close(struct input_stream *stream)
{
    if (stream == NULL)
        return;
    input_reader_close(stream->own);
    if (stream->codec != NULL && stream->codec->close != NULL)
        stream->codec->close(stream);
    XXH3_freeState(stream->hash);
    stream->raw->hash = NULL;
    pthread_mutex_destroy(&stream->mutex);
    list_free(&stream->sums);
    struct arena arena = stream->arena; /* it holds *stream itself */
    arena_free(&arena);
}

bool input_stream_plain(const struct input_stream *stream)
{
    return stream->codec == &codec_plain;
}

bool input_stream_wholes(const struct input_stream *stream)
{
    return stream->codec->part_whole != NULL;
}

int64_t input_stream_size(struct input_stream *stream)
{
    int64_t size = 0;

    if (stream->layout.size >= 0)
        return stream->layout.size < stream->start ? 0
                                                   : stream->layout.size - stream->start;
    pthread_mutex_lock(&stream->mutex);
    if (stream->used > 0 && stream->raw->size > 0)
        size = (int64_t)((double)stream->made / (double)stream->used *
                         (double)stream->raw->size);
    pthread_mutex_unlock(&stream->mutex);
    return size;
}

struct input_reader *input_reader_open(struct input_stream *stream)
{
    struct arena arena = {0};
    struct input_reader *reader = arena_array(&arena, struct input_reader, 1);

    reader->arena = arena;
    reader->stream = stream;
    reader->at_end = true;
    if (stream->codec->reader_open != NULL)
        stream->codec->reader_open(reader);
    return reader;
}

static void release(struct input_reader *reader)
{
    if (reader->holds_lock)
        pthread_mutex_unlock(&reader->stream->mutex);
    reader->holds_lock = false;
}

void input_reader_close(struct input_reader *reader)
{
    if (reader == NULL)
        return;
    release(reader);
    window_close(&reader->window);
    if (reader->stream->codec->reader_close != NULL)
        reader->stream->codec->reader_close(reader);
    struct arena arena = reader->arena;
    arena_free(&arena);
}

/* The part is at its end, whatever it came to. */
static void end_part(struct input_reader *reader)
{
    struct input_stream *stream = reader->stream;
    size_t number = (size_t)reader->part.number;

    reader->at_end = true;
    pthread_mutex_lock(&stream->mutex);
    while (stream->sums.count <= number)
        list_add(&stream->sums, ((struct input_part_sum){0}));
    struct input_part_sum *sum = &stream->sums.at[number];
    if (!sum->done) {
        reader->sum.done = true;
        *sum = reader->sum;
        stream->made += sum->len;
        if (stream->codec->next != NULL)
            stream->used += reader->part.to - reader->part.from;
    }
    pthread_mutex_unlock(&stream->mutex);
}

static bool begin(struct input_reader *reader, const struct input_part *part,
                  struct err *err)
{
    reader->part = *part;
    reader->at_end = false;
    reader->left = part->size;
    reader->skip = part->skip;
    reader->sum = (struct input_part_sum){0};
    if (reader->stream->codec->next == NULL ||
        reader->stream->codec->part_begin(reader, err))
        return true;
    end_part(reader);
    return false;
}

bool input_part_next(struct input_reader *reader, struct input_part *part, bool *more,
                     struct err *err)
{
    struct input_stream *stream = reader->stream;
    bool ok = true;

    release(reader); /* of a part that was not read to its end */
    reader->at_end = true;
    *part = (struct input_part){.number = -1, .size = -1};
    pthread_mutex_lock(&stream->mutex);
    *more = !stream->ended;
    if (*more && stream->codec->next != NULL) {
        ok = stream->codec->next(stream, part, more, err);
        stream->ended = !ok || !*more;
    } else if (*more) {
        part->size = INPUT_PART_BYTES;
        reader->holds_lock = true; /* until the part is read */
    }
    if (ok && *more)
        part->number = stream->parts++;
    if (!reader->holds_lock)
        pthread_mutex_unlock(&stream->mutex);
    if (!ok || !*more)
        return ok;
    return begin(reader, part, err);
}

bool input_part_again(struct input_reader *reader, const struct input_part *part,
                      struct err *err)
{
    assert(part->again);
    return begin(reader, part, err);
}

static void add_up(struct input_reader *reader, const char *bytes, size_t len)
{
    const struct input_stream *stream = reader->stream;

    /* A quarter of the time that zlib's takes. */
    if (stream->layout.has_crc && stream->start == 0 && len > 0)
        reader->sum.crc = libdeflate_crc32(reader->sum.crc, bytes, len);
    reader->sum.len += (int64_t)len;
}

/* Bytes of the whole stream that a serial codec gives, without what is not the member's.
 * The mutex is held. */
static bool read_member(struct input_stream *stream, char *to, size_t room, size_t *got,
                        struct err *err)
{
    *got = 0;
    if (stream->left == 0)
        return true;
    for (;;) {
        size_t some = room;
        if (stream->skip > 0 && stream->skip < (int64_t)some)
            some = (size_t)stream->skip;
        if (stream->skip == 0 && stream->left >= 0 && stream->left < (int64_t)some)
            some = (size_t)stream->left;
        if (!stream->codec->read(stream, to, some, got, err))
            return false;
        if (stream->skip == 0 || *got == 0)
            break;
        stream->skip -= (int64_t)*got;
    }
    if (*got == 0 && stream->left > 0)
        return input_wrong(stream, err, "is cut: %lld bytes more were to come out of it",
                           (long long)stream->left);
    if (stream->left > 0)
        stream->left -= (int64_t)*got;
    return true;
}

static bool read_serial(struct input_reader *reader, char *to, size_t room, size_t *got,
                        struct err *err)
{
    struct input_stream *stream = reader->stream;
    bool ok = true;

    *got = 0;
    if (reader->at_end)
        return true;
    assert(reader->holds_lock);
    while (ok && *got < room && reader->left > 0) {
        size_t some = room - *got, more;
        if ((int64_t)some > reader->left)
            some = (size_t)reader->left;
        ok = read_member(stream, to + *got, some, &more, err);
        if (!ok || more == 0) {
            stream->ended = true;
            break;
        }
        *got += more;
        reader->left -= (int64_t)more;
    }
    if (!ok || stream->ended || reader->left == 0) {
        if (stream->left == 0)
            stream->ended = true;
        release(reader);
        if (ok)
            add_up(reader, to, *got);
        end_part(reader);
        return ok;
    }
    add_up(reader, to, *got);
    return true;
}

/* The part's bytes are all there; its decoder may still have a checksum to look at. */
static bool check_end(struct input_reader *reader, struct err *err)
{
    char more;
    size_t got = 0;

    if (reader->part.cut_short)
        return true;
    if (!reader->stream->codec->part_read(reader, &more, 1, &got, err))
        return false;
    return got == 0 || input_wrong(reader->stream, err,
                                   "is damaged: more comes out of it than it says");
}

/* Bytes of a part, without those that are not its own. */
static bool read_own(struct input_reader *reader, char *to, size_t room, size_t *got,
                     struct err *err)
{
    const struct input_stream *stream = reader->stream;

    for (;;) {
        size_t some = room;
        if (reader->skip > 0 && reader->skip < (int64_t)some)
            some = (size_t)reader->skip;
        if (reader->skip == 0 && reader->left > 0 && reader->left < (int64_t)some)
            some = (size_t)reader->left;
        if (!stream->codec->part_read(reader, to, some, got, err))
            return false;
        if (reader->skip == 0 || *got == 0)
            break;
        reader->skip -= (int64_t)*got;
    }
    if (*got == 0 && reader->left > 0)
        return input_wrong(stream, err, "is cut: %lld bytes more were to come out of it",
                           (long long)reader->left);
    if (reader->left > 0)
        reader->left -= (int64_t)*got;
    return true;
}

static bool read_parallel(struct input_reader *reader, char *to, size_t room, size_t *got,
                          struct err *err)
{
    *got = 0;
    if (reader->at_end)
        return true;
    bool ok =
        reader->left == 0 ? check_end(reader, err) : read_own(reader, to, room, got, err);
    if (ok)
        add_up(reader, to, *got);
    if (!ok || *got == 0)
        end_part(reader);
    return ok;
}

bool input_part_read(struct input_reader *reader, char *to, size_t room, size_t *got,
                     struct err *err)
{
    return reader->stream->codec->next == NULL
               ? read_serial(reader, to, room, got, err)
               : read_parallel(reader, to, room, got, err);
}

bool input_part_map(struct input_reader *reader, size_t behind, struct str *bytes)
{
    struct input_stream *stream = reader->stream;
    const struct input_part *part = &reader->part;

    if (stream->codec->part_whole != NULL &&
        stream->codec->part_whole(reader, behind, bytes)) {
        reader->whole = *bytes;
        return true;
    }
    if (stream->codec != &codec_plain || stream->raw->volume_count > 0 ||
        part->to + (int64_t)behind > stream->raw->size ||
        !window_open(&reader->window, stream->raw->descriptor, part->from,
                     (size_t)part->size, behind))
        return false;
    *bytes = reader->window.bytes;
    atomic_store(&stream->mapped, true);
    return true;
}

/* Some of a part was not there when it was looked at: to read it tells why. */
static bool find_missing(struct input_reader *reader, struct err *err)
{
    struct arena arena = {0};
    char *buffer = arena_array(&arena, char, INPUT_FEED_BYTES);
    const struct input_part part = reader->part;
    size_t got = 1;
    bool ok = begin(reader, &part, err);

    while (ok && got > 0)
        ok = read_parallel(reader, buffer, INPUT_FEED_BYTES, &got, err);
    arena_free(&arena);
    return ok && input_wrong(reader->stream, err, "has changed while it was read");
}

bool input_part_unmap(struct input_reader *reader, struct err *err)
{
    bool whole = reader->whole.ptr != NULL;
    struct str bytes = whole ? reader->whole : reader->window.bytes;

    reader->whole = (struct str){0};
    add_up(reader, bytes.ptr, bytes.len);
    if (!whole && !window_close(&reader->window))
        return find_missing(reader, err);
    end_part(reader);
    return true;
}

bool input_stream_finish(struct input_stream *stream, struct err *err)
{
    const struct input_part_sum *sums = stream->sums.at;
    uint32_t crc = 0;
    int64_t len = 0;

    if (stream->codec->finish != NULL && !stream->codec->finish(stream, err))
        return false;
    /* What was mapped may have been two things to those who looked twice, and a file that
     * ends within a page has zeros behind its end. */
    if (atomic_load(&stream->mapped) && input_raw_changed(stream->raw))
        return input_wrong(stream, err, "has changed while it was read");
    for (size_t i = 0; i < stream->sums.count; i++) {
        crc = (uint32_t)crc32_combine(crc, sums[i].crc, (z_off_t)sums[i].len);
        len += sums[i].len;
    }
    if (stream->layout.size >= 0 && stream->start <= stream->layout.size &&
        len != stream->layout.size - stream->start)
        return input_wrong(stream, err, "holds %lld bytes instead of %lld",
                           (long long)len,
                           (long long)(stream->layout.size - stream->start));
    if (stream->layout.has_crc && stream->start == 0 && crc != stream->layout.crc)
        return input_wrong(stream, err,
                           "is damaged: its checksum is %08lX and should be %08lX",
                           (unsigned long)crc, (unsigned long)stream->layout.crc);
    return true;
}

static bool hash_up_to(struct input_stream *stream, int64_t end, struct err *err)
{
    struct arena arena = {0};

    if (stream->hashed >= end) /* as for every piece of a plain file but the first */
        return true;
    char *buffer = arena_array(&arena, char, INPUT_FEED_BYTES);
    bool ok = true;

    while (ok && stream->hashed < end) {
        size_t some = INPUT_FEED_BYTES, got;
        if (end - stream->hashed < (int64_t)some)
            some = (size_t)(end - stream->hashed);
        ok = input_raw_read_at(stream->raw, stream->hashed, buffer, some, &got, err);
        if (!ok || got == 0)
            break;
        XXH3_128bits_update(stream->hash, buffer, got);
        stream->hashed += (int64_t)got;
    }
    arena_free(&arena);
    return ok;
}

bool input_stream_hash_bytes(struct input_stream *stream, const struct input_part *part,
                             int64_t at, struct str bytes, struct err *err)
{
    assert(stream->hash != NULL);
    if (stream->codec != &codec_plain)
        return true; /* they are not the file's */
    if (!hash_up_to(stream, part->from + at, err))
        return false;
    /* A hash that is gone on with may be ahead of the first rows that are read again. */
    int64_t known = stream->hashed - (part->from + at);
    if (known < (int64_t)bytes.len) {
        bytes = str_slice(bytes, (size_t)known, bytes.len);
        XXH3_128bits_update(stream->hash, bytes.ptr, bytes.len);
        stream->hashed += (int64_t)bytes.len;
    }
    return true;
}

bool input_stream_hash_part(struct input_stream *stream, const struct input_part *part,
                            struct err *err)
{
    assert(stream->hash != NULL);
    if (!stream->raw->seekable)
        return true; /* hashed as it is read */
    pthread_mutex_lock(&stream->mutex);
    int64_t end =
        stream->codec->next != NULL ? part->to : stream->layout.from + stream->used;
    pthread_mutex_unlock(&stream->mutex);
    return hash_up_to(stream, end, err);
}

bool input_stream_hash(struct input_stream *stream, uint64_t hash[2], struct err *err)
{
    assert(stream->hash != NULL);
    if (stream->raw->seekable && !hash_up_to(stream, stream->raw->size, err))
        return false;
    XXH128_hash_t digest = XXH3_128bits_digest(stream->hash);
    hash[0] = digest.high64;
    hash[1] = digest.low64;
    return true;
}

bool input_stream_read(struct input_stream *stream, char *to, size_t room, size_t *got,
                       struct err *err)
{
    bool more = true;

    if (stream->own == NULL)
        stream->own = input_reader_open(stream);
    for (*got = 0; *got == 0 && room > 0;) {
        if (stream->own->at_end) {
            struct input_part part;
            if (!input_part_next(stream->own, &part, &more, err))
                return false;
            if (!more)
                return true;
        }
        if (!input_part_read(stream->own, to, room, got, err))
            return false;
    }
    return true;
}
