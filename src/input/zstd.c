/* zstd: from its beginning, or frame by frame. Where the frames are, is told by the seek
 * table at the file's end (https://github.com/facebook/zstd, contrib/seekable_format) or,
 * without one, by the sizes that stand before each block of a frame. */
#include <string.h>
#include <zstd.h>

#include "input/internal.h"

enum {
    GROUP_BYTES = 2 * 1024 * 1024, /* small frames are taken together */
    FRAME_BYTES_MAX =
        64 * 1024 * 1024, /* packed: with larger ones two threads help little */
    WINDOW_LOG_MAX = 30,
    WHOLE_BYTES_MAX = 16 * 1024 * 1024, /* unpacked at once, packed or not */
};

struct zstd {
    ZSTD_DCtx *context;
    struct input_feed feed;
    size_t used;   /* of the bytes in the feed's buffer */
    bool in_frame; /* more of it must come */
    struct buf packed, whole; /* of a part that is unpacked at once */
};

static ZSTD_DCtx *new_context(void)
{
    ZSTD_DCtx *context = ZSTD_createDCtx();

    if (context == NULL)
        arena_exhausted();
    ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
    return context;
}

static bool open_zstd(struct input_stream *stream, struct err *err)
{
    struct zstd *zstd = arena_array(&stream->arena, struct zstd, 1);

    (void)err;
    stream->state = zstd;
    zstd->context = new_context();
    zstd->feed = input_feed_of(stream);
    return true;
}

static void close_zstd(struct input_stream *stream)
{
    struct zstd *zstd = stream->state;

    if (zstd != NULL)
        ZSTD_freeDCtx(zstd->context);
}

/* Some bytes out of the feed; *got is 0 at its end. */
static bool decode(const struct input_stream *stream, struct zstd *zstd, char *to,
                   size_t room, size_t *got, struct err *err)
{
    ZSTD_outBuffer out = {to, room, 0};

    *got = 0;
    while (out.pos == 0) {
        if (zstd->used == zstd->feed.len) {
            if (!input_feed_fill(&zstd->feed, err))
                return false;
            zstd->used = 0;
            if (zstd->feed.len == 0 && !zstd->in_frame)
                return true;
        }
        /* Without new bytes it may still have some to give out. */
        ZSTD_inBuffer in = {zstd->feed.buffer, zstd->feed.len, zstd->used};
        size_t status = ZSTD_decompressStream(zstd->context, &out, &in);
        zstd->used = in.pos;
        if (ZSTD_isError(status))
            return input_wrong(stream, err,
                               "is damaged: zstd data expected, but zstd says: %s",
                               ZSTD_getErrorName(status));
        zstd->in_frame = status > 0;
        if (zstd->in_frame && zstd->feed.len == 0 && out.pos == 0)
            return input_wrong(stream, err, "is cut: the zstd data end in the middle");
    }
    *got = out.pos;
    return true;
}

static bool read_zstd(struct input_stream *stream, char *to, size_t room, size_t *got,
                      struct err *err)
{
    struct zstd *zstd = stream->state;

    if (!decode(stream, zstd, to, room, got, err))
        return false;
    stream->used = zstd->feed.at - (zstd->feed.end < 0 ? 0 : stream->layout.from);
    return true;
}

const struct input_codec codec_zstd = {
    .open = open_zstd, .close = close_zstd, .read = read_zstd};

/* Frames */

#define SKIPPABLE_MAGIC 0x184D2A50U /* and the 15 numbers behind it */
#define FRAME_MAGIC     0xFD2FB528U
#define TABLE_MAGIC     0x184D2A5EU
#define FOOTER_MAGIC    0x8F92EAB1U

struct zstd_frame {
    int64_t from, to; /* in the file */
    int64_t offset;   /* unpacked; -1 when not known */
    int64_t size;     /* unpacked; -1 when not known */
};

struct zstd_shared {
    /* With a seek table: */
    LIST(struct zstd_frame) table;
    size_t next;
    /* Without one: */
    int64_t at; /* the next frame's place */
    int64_t offset;
};

static uint32_t little(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static bool read_exactly(const struct input_stream *stream, int64_t at, void *to,
                         size_t len)
{
    struct err ignored;
    size_t got;

    return at >= stream->layout.from && at + (int64_t)len <= stream->layout.to &&
           input_raw_read_at(stream->raw, at, to, len, &got, &ignored) && got == len;
}

/* The seek table, if there is one and it fits the file. */
static bool read_table(struct input_stream *stream, struct zstd_shared *shared)
{
    unsigned char footer[9], head[8], entry[12];
    int64_t end = stream->layout.to, at = stream->layout.from, offset = 0;

    if (!read_exactly(stream, end - 9, footer, sizeof footer) ||
        little(footer + 5) != FOOTER_MAGIC || footer[4] & 0x7C)
        return false;
    int64_t count = little(footer);
    size_t len = footer[4] & 0x80 ? 12 : 8; /* with checksums */
    int64_t table = end - 9 - count * (int64_t)len;
    if (!read_exactly(stream, table - 8, head, sizeof head) ||
        little(head) != TABLE_MAGIC ||
        little(head + 4) != (uint64_t)(count * (int64_t)len + 9))
        return false;
    for (int64_t i = 0; i < count; i++) {
        if (!read_exactly(stream, table + i * (int64_t)len, entry, len))
            return false;
        struct zstd_frame frame = {at, at + little(entry), offset, little(entry + 4)};
        list_add(&shared->table, frame);
        at = frame.to;
        offset += frame.size;
    }
    if (at != table - 8)
        return false;
    stream->layout.size = offset;
    stream->left = offset > stream->start ? offset - stream->start : 0;
    return true;
}

/* The frame at `at`, whose blocks are walked over up to `limit`. False when it has no end
 * there or is not a frame. */
static bool walk_frame(const struct input_stream *stream, int64_t at, int64_t limit,
                       struct zstd_frame *frame)
{
    unsigned char head[18] = {0}, block[3];
    size_t have = stream->layout.to - at < 18 ? (size_t)(stream->layout.to - at) : 18;

    if (have < 8 || !read_exactly(stream, at, head, have))
        return false;
    *frame = (struct zstd_frame){at, at, -1, 0};
    if ((little(head) & 0xFFFFFFF0U) == SKIPPABLE_MAGIC) {
        frame->to = at + 8 + little(head + 4);
        return frame->to <= limit;
    }
    if (little(head) != FRAME_MAGIC)
        return false;
    /* Frame_Header_Descriptor: RFC 8878, section 3.1.1.1.1. */
    static const int dictionary_len[] = {0, 1, 2, 4}, size_len[] = {0, 2, 4, 8};
    bool single = head[4] >> 5 & 1, checksum = head[4] >> 2 & 1;
    int header = 4 + 1 + !single + dictionary_len[head[4] & 3] +
                 (head[4] >> 6 == 0 ? single : size_len[head[4] >> 6]);
    unsigned long long size = ZSTD_getFrameContentSize(head, have);
    frame->size = size > INT64_MAX / 2 ? -1 : (int64_t)size;
    for (at += header;;) {
        if (at > limit || !read_exactly(stream, at, block, sizeof block))
            return false;
        uint32_t word = block[0] | (uint32_t)block[1] << 8 | (uint32_t)block[2] << 16;
        at +=
            3 +
            ((word >> 1 & 3) == 1 ? 1 : (int64_t)(word >> 3)); /* 1: one byte repeated */
        if (word & 1)
            break;
    }
    frame->to = at + (checksum ? 4 : 0);
    return frame->to <= limit;
}

bool input_zstd_has_frames(struct input_stream *stream)
{
    struct zstd_shared *shared = arena_array(&stream->arena, struct zstd_shared, 1);
    struct zstd_frame frame;

    if (read_table(stream, shared)) {
        stream->state = shared;
        return true;
    }
    list_free(&shared->table);
    /* The first frames must be small and not be all; then the others are found one by
     * one. A start in the middle needs a table. */
    int64_t at = stream->layout.from, limit = at + FRAME_BYTES_MAX;
    if (limit > stream->layout.to)
        limit = stream->layout.to;
    if (stream->start > 0 || !walk_frame(stream, at, limit, &frame) ||
        frame.to == stream->layout.to)
        return false;
    shared->at = at;
    stream->state = shared;
    return true;
}

static bool open_shared(struct input_stream *stream, struct err *err)
{
    struct zstd_shared *shared = stream->state;
    const struct zstd_frame *frames = shared->table.at;
    size_t count = shared->table.count;

    (void)err;
    while (shared->next < count &&
           frames[shared->next].offset + frames[shared->next].size <= stream->start)
        shared->next++;
    return true;
}

static void close_shared(struct input_stream *stream)
{
    struct zstd_shared *shared = stream->state;

    if (shared != NULL)
        list_free(&shared->table);
}

static bool next_in_table(struct input_stream *stream, struct zstd_shared *shared,
                          struct input_part *part)
{
    const struct zstd_frame *frames = shared->table.at;
    size_t count = shared->table.count;

    if (shared->next == count)
        return false;
    const struct zstd_frame *first = &frames[shared->next];
    part->from = first->from;
    part->skip = stream->start > first->offset ? stream->start - first->offset : 0;
    part->size = -part->skip;
    while (shared->next < count && part->size < GROUP_BYTES) {
        part->to = frames[shared->next].to;
        part->size += frames[shared->next++].size;
    }
    return true;
}

static bool next_part(struct input_stream *stream, struct input_part *part, bool *more,
                      struct err *err)
{
    struct zstd_shared *shared = stream->state;
    struct zstd_frame frame;
    int64_t size = 0;

    part->again = true;
    if (shared->table.count > 0) {
        *more = next_in_table(stream, shared, part);
        return true;
    }
    *more = shared->at < stream->layout.to;
    part->from = shared->at;
    while (shared->at < stream->layout.to && size < GROUP_BYTES) {
        if (!walk_frame(stream, shared->at, stream->layout.to, &frame))
            return input_wrong(stream, err,
                               "is cut or damaged: at byte %lld a zstd frame was "
                               "expected that ends before the file does",
                               (long long)shared->at);
        shared->at = part->to = frame.to;
        size += frame.size >= 0 ? frame.size : GROUP_BYTES;
    }
    return true;
}

static void open_reader(struct input_reader *reader)
{
    struct zstd *own = arena_array(&reader->arena, struct zstd, 1);

    own->context = new_context();
    own->feed.raw = reader->stream->raw;
    own->feed.buffer = arena_array(&reader->arena, char, INPUT_FEED_BYTES);
    reader->state = own;
}

static void close_reader(struct input_reader *reader)
{
    struct zstd *own = reader->state;

    ZSTD_freeDCtx(own->context);
    buf_free(&own->packed);
    buf_free(&own->whole);
}

static bool begin_part(struct input_reader *reader, struct err *err)
{
    struct zstd *own = reader->state;

    (void)err;
    ZSTD_DCtx_reset(own->context, ZSTD_reset_session_only);
    own->feed.at = reader->part.from;
    own->feed.end = reader->part.to;
    own->feed.len = own->used = 0;
    own->in_frame = false;
    return true;
}

static bool read_part(struct input_reader *reader, char *to, size_t room, size_t *got,
                      struct err *err)
{
    return decode(reader->stream, reader->state, to, room, got, err);
}

/* With the sizes of all that it holds, a part needs no second buffer, from which a stream's
 * bytes are copied, and no state between calls. */
static bool whole_part(struct input_reader *reader, size_t behind, struct str *bytes)
{
    const struct input_part *part = &reader->part;
    struct zstd *own = reader->state;
    struct err ignored;
    size_t got;

    if (part->skip > 0 || part->size <= 0 || part->size > WHOLE_BYTES_MAX ||
        part->to - part->from > WHOLE_BYTES_MAX)
        return false;
    size_t size = (size_t)part->size, packed = (size_t)(part->to - part->from);
    buf_clear(&own->packed);
    buf_clear(&own->whole);
    char *from = buf_reserve(&own->packed, packed);
    char *to = buf_reserve(&own->whole, size + behind);
    if (!input_raw_read_at(reader->stream->raw, part->from, from, packed, &got,
                           &ignored) ||
        got != packed ||
        ZSTD_decompressDCtx(own->context, to, size, from, packed) != size) {
        ZSTD_DCtx_reset(own->context, ZSTD_reset_session_only);
        return false;
    }
    memset(to + size, 0, behind);
    *bytes = (struct str){to, size};
    return true;
}

const struct input_codec codec_zstd_parallel = {
    .open = open_shared,
    .close = close_shared,
    .next = next_part,
    .reader_open = open_reader,
    .reader_close = close_reader,
    .part_begin = begin_part,
    .part_read = read_part,
    .part_whole = whole_part,
};
