/* lz4: from its beginning by the library's own frames, or, of a pack that
 * input_pack_member() made, frame by frame. Such a pack begins with an empty frame and
 * one to be skipped, which says that an index is at the end: in another frame to be
 * skipped, for each frame with bytes how long it is packed and unpacked and the XXH3 of
 * its packed bytes. So any lz4 unpacks it, threads take frames at once, and what is read
 * is neither copied nor summed but for that. */
#include <lz4.h>
#include <lz4frame.h>
#include <lz4hc.h>
#include <string.h>

#include "input/internal.h"

struct lz4 {
    LZ4F_dctx *context;
    struct input_feed feed;
    size_t used;   /* of the bytes in the feed's buffer */
    bool in_frame; /* more of it must come */
};

static bool open_lz4(struct input_stream *stream, struct err *err)
{
    struct lz4 *lz4 = arena_array(&stream->arena, struct lz4, 1);

    (void)err;
    stream->state = lz4;
    if (LZ4F_isError(LZ4F_createDecompressionContext(&lz4->context, LZ4F_VERSION)))
        arena_exhausted();
    lz4->feed = input_feed_of(stream);
    return true;
}

static void close_lz4(struct input_stream *stream)
{
    struct lz4 *lz4 = stream->state;

    if (lz4 != NULL)
        LZ4F_freeDecompressionContext(lz4->context);
}

static bool read_lz4(struct input_stream *stream, char *to, size_t room, size_t *got,
                     struct err *err)
{
    struct lz4 *lz4 = stream->state;

    *got = 0;
    while (*got == 0) {
        if (lz4->used == lz4->feed.len) {
            if (!input_feed_fill(&lz4->feed, err))
                return false;
            stream->used += (int64_t)lz4->feed.len;
            lz4->used = 0;
            if (lz4->feed.len == 0 && !lz4->in_frame)
                return true;
        }
        /* Without new bytes it may still have some to give out. */
        size_t made = room, taken = lz4->feed.len - lz4->used;
        size_t status = LZ4F_decompress(lz4->context, to, &made,
                                        lz4->feed.buffer + lz4->used, &taken, NULL);
        if (LZ4F_isError(status))
            return input_wrong(stream, err,
                               "is damaged: lz4 data expected, but lz4 says: %s",
                               LZ4F_getErrorName(status));
        lz4->used += taken;
        lz4->in_frame = status > 0;
        *got = made;
        if (lz4->in_frame && lz4->feed.len == 0 && made == 0)
            return input_wrong(stream, err, "is cut: the lz4 data end in the middle");
    }
    return true;
}

const struct input_codec codec_lz4 = {
    .open = open_lz4, .close = close_lz4, .read = read_lz4};

/* Packs of ours */

#define BEGIN \
    "\x04\x22\x4D\x18\x60\x40\x82\0\0\0\0" /* an empty frame */ \
    "\x5A\x2A\x4D\x18\x08\0\0\0" \
    "assayLZ4"
#define FRAME_MAGIC   0x184D2204U
#define INDEX_MAGIC   0x184D2A5AU
#define FOOTER_END    "indexLZ4"
#define STORED_BIT    0x80000000U
#define CONTENT_SIZED 0x08

enum {
    BEGIN_BYTES = sizeof BEGIN - 1,
    HEAD_BYTES = 8,    /* of a frame to be skipped */
    ENTRY_BYTES = 16,  /* packed, unpacked: 4 each; sum: 8 */
    FOOTER_BYTES = 20, /* frames: 4; sum of entries and that: 8; FOOTER_END */
    FLAGS = 0x64,      /* version 1, blocks that stand alone, XXH32 of the contents */
    FRAME_BYTES_MAX = 128 << 20,
    MOST_OF_A_BYTE = 255, /* cannot be made out of a byte */
    LEVEL = 4, /* 3 is 2% larger and packs a fifth faster; 9 is 2% smaller, and slow */
};

static uint32_t little(const char *bytes)
{
    const unsigned char *p = (const unsigned char *)bytes;

    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t little_8(const char *bytes)
{
    return little(bytes) | (uint64_t)little(bytes + 4) << 32;
}

static void add_little(struct buf *out, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        buf_add_char(out, (char)(value >> 8 * i));
}

struct str input_lz4_begin(void)
{
    return (struct str){BEGIN, BEGIN_BYTES};
}

const char *input_lz4_compress(struct str raw, int level, struct buf *out, uint64_t *sum)
{
    LZ4F_preferences_t how = {
        .frameInfo = {.blockSizeID = LZ4F_max4MB,
                      .blockMode = LZ4F_blockIndependent,
                      .contentChecksumFlag = LZ4F_contentChecksumEnabled,
                      .contentSize = raw.len},
        .compressionLevel = level != 0 ? level : LEVEL,
    };
    size_t room = LZ4F_compressFrameBound(raw.len, &how);
    size_t len = LZ4F_compressFrame(buf_reserve(out, room), room, raw.ptr, raw.len, &how);

    if (LZ4F_isError(len))
        return LZ4F_getErrorName(len);
    out->len += len;
    *sum = XXH3_64bits(out->ptr, out->len);
    return NULL;
}

void input_lz4_add_entry(struct buf *index, size_t packed, size_t raw, uint64_t sum)
{
    add_little(index, packed, 4);
    add_little(index, raw, 4);
    add_little(index, sum, 8);
}

void input_lz4_end_index(const struct buf *index, struct buf *out)
{
    size_t begin = out->len + HEAD_BYTES;

    add_little(out, INDEX_MAGIC, 4);
    add_little(out, index->len + FOOTER_BYTES, 4);
    buf_add(out, buf_str(index));
    add_little(out, index->len / ENTRY_BYTES, 4);
    add_little(out, XXH3_64bits(out->ptr + begin, out->len - begin), 8);
    buf_add(out, STR(FOOTER_END));
}

struct lz4_frame {
    int64_t from, to;     /* in the file */
    int64_t offset, size; /* unpacked */
    uint64_t sum;         /* of the packed bytes */
};

struct lz4_shared {
    LIST(struct lz4_frame) frames;
    size_t next;
};

static bool read_exactly(const struct input_stream *stream, int64_t at, char *to,
                         size_t len)
{
    struct err ignored;
    size_t got;

    return at >= stream->layout.from && at + (int64_t)len <= stream->layout.to &&
           input_raw_read_at(stream->raw, at, to, len, &got, &ignored) && got == len;
}

bool input_lz4_is_pack(const struct input_stream *stream)
{
    char begin[BEGIN_BYTES];

    return read_exactly(stream, stream->layout.from, begin, sizeof begin) &&
           memcmp(begin, BEGIN, sizeof begin) == 0;
}

/* What the entries say, one frame behind the other up to `end`. */
static bool take_entries(struct input_stream *stream, const char *entries, size_t count,
                         int64_t end, struct err *err)
{
    struct lz4_shared *shared = stream->state;
    int64_t at = stream->layout.from + BEGIN_BYTES, offset = 0;

    for (size_t i = 0; i < count; i++, entries += ENTRY_BYTES) {
        struct lz4_frame frame = {at, at + little(entries), offset, little(entries + 4),
                                  little_8(entries + 8)};
        if (frame.size > FRAME_BYTES_MAX || frame.to > end ||
            frame.size / MOST_OF_A_BYTE > frame.to - frame.from)
            break;
        list_add(&shared->frames, frame);
        at = frame.to;
        offset += frame.size;
    }
    if (at != end || shared->frames.count != count)
        return input_wrong(stream, err,
                           "is cut or damaged: the index at its end does not fit the "
                           "lz4 frames from byte %lld on",
                           (long long)at);
    stream->layout.size = offset;
    stream->left = offset > stream->start ? offset - stream->start : 0;
    while (shared->next < count && shared->frames.at[shared->next].offset +
                                           shared->frames.at[shared->next].size <=
                                       stream->start)
        shared->next++;
    return true;
}

static bool open_pack(struct input_stream *stream, struct err *err)
{
    struct arena arena = {0};
    char footer[FOOTER_BYTES];
    int64_t footer_at = stream->layout.to - FOOTER_BYTES;

    stream->state = arena_array(&stream->arena, struct lz4_shared, 1);
    if (!read_exactly(stream, footer_at, footer, sizeof footer) ||
        memcmp(footer + 12, FOOTER_END, 8) != 0)
        return input_wrong(stream, err,
                           "is cut or damaged: at its end the index of its lz4 frames "
                           "was expected");
    size_t count = little(footer), len = count * ENTRY_BYTES + 4;
    int64_t at = footer_at - (int64_t)count * ENTRY_BYTES - HEAD_BYTES;
    bool ok = false;
    if (at >= stream->layout.from + BEGIN_BYTES) {
        char *head = arena_array(&arena, char, HEAD_BYTES + len);
        ok = read_exactly(stream, at, head, HEAD_BYTES + len) &&
             little(head) == INDEX_MAGIC && little(head + 4) == len - 4 + FOOTER_BYTES &&
             XXH3_64bits(head + HEAD_BYTES, len) == little_8(footer + 4);
        if (ok && !take_entries(stream, head + HEAD_BYTES, count, at, err)) {
            arena_free(&arena);
            return false;
        }
    }
    arena_free(&arena);
    return ok || input_wrong(stream, err,
                             "is damaged: the index of its lz4 frames, at byte %lld, has "
                             "not the checksum that it says",
                             (long long)at);
}

static void close_pack(struct input_stream *stream)
{
    struct lz4_shared *shared = stream->state;

    if (shared != NULL)
        list_free(&shared->frames);
}

static bool next_part(struct input_stream *stream, struct input_part *part, bool *more,
                      struct err *err)
{
    struct lz4_shared *shared = stream->state;

    (void)err;
    part->again = true;
    *more = shared->next < shared->frames.count;
    if (!*more)
        return true;
    part->index = shared->next++;
    const struct lz4_frame *frame = &shared->frames.at[part->index];
    part->from = frame->from;
    part->to = frame->to;
    part->skip = stream->start > frame->offset ? stream->start - frame->offset : 0;
    part->size = frame->size - part->skip;
    return true;
}

struct lz4_reader {
    struct buf packed, whole;
    bool unpacked; /* whole is the part's */
    size_t given;  /* of it */
};

static void open_reader(struct input_reader *reader)
{
    reader->state = arena_array(&reader->arena, struct lz4_reader, 1);
}

static void close_reader(struct input_reader *reader)
{
    struct lz4_reader *own = reader->state;

    buf_free(&own->packed);
    buf_free(&own->whole);
}

static bool begin_part(struct input_reader *reader, struct err *err)
{
    struct lz4_reader *own = reader->state;

    (void)err;
    own->unpacked = false;
    own->given = 0;
    return true;
}

/* The bytes of a frame as it was written; false for any other. */
static bool decode(struct str frame, char *to, size_t size)
{
    bool sized = frame.len >= 7 && frame.ptr[4] == (FLAGS | CONTENT_SIZED);
    size_t at = sized ? 15 : 7, made = 0;

    if (frame.len < at + 8 || little(frame.ptr) != FRAME_MAGIC ||
        (!sized && frame.ptr[4] != FLAGS))
        return false;
    for (;;) {
        uint32_t block = little(frame.ptr + at), len = block & ~STORED_BIT;
        at += 4;
        if (block == 0)
            break;
        if (frame.len - at < 8 || len > frame.len - at - 8)
            return false;
        if (block & STORED_BIT) {
            if (len > size - made)
                return false;
            memcpy(to + made, frame.ptr + at, len);
            made += len;
        } else {
            int some = LZ4_decompress_safe(frame.ptr + at, to + made, (int)len,
                                           (int)(size - made));
            if (some < 0)
                return false;
            made += (size_t)some;
        }
        at += len;
    }
    return made == size && frame.len - at == 4; /* the sum of the contents, for others */
}

static bool unpack(struct input_reader *reader, size_t behind, struct err *err)
{
    const struct input_stream *stream = reader->stream;
    const struct lz4_shared *shared = stream->state;
    const struct lz4_frame *frame = &shared->frames.at[reader->part.index];
    struct lz4_reader *own = reader->state;
    size_t size = (size_t)frame->size, len = (size_t)(frame->to - frame->from), got;

    buf_clear(&own->packed);
    buf_clear(&own->whole);
    char *from = buf_reserve(&own->packed, len + 1);
    char *to = buf_reserve(&own->whole, size + behind + 1);
    if (!input_raw_read_at(stream->raw, frame->from, from, len, &got, err))
        return false;
    if (got != len)
        return input_wrong(stream, err, "is cut: the lz4 frame at byte %lld is not whole",
                           (long long)frame->from);
    if (XXH3_64bits(from, len) != frame->sum)
        return input_wrong(stream, err,
                           "is damaged: the lz4 frame at byte %lld has not the checksum "
                           "that the index at the end of the file says",
                           (long long)frame->from);
    if (!decode((struct str){from, len}, to, size))
        return input_wrong(
            stream, err,
            "is damaged: the lz4 frame at byte %lld does not hold the %lld "
            "bytes that the index at the end of the file says",
            (long long)frame->from, (long long)frame->size);
    memset(to + size, 0, behind);
    own->whole.len = size;
    own->unpacked = true;
    return true;
}

static bool read_part(struct input_reader *reader, char *to, size_t room, size_t *got,
                      struct err *err)
{
    struct lz4_reader *own = reader->state;

    if (!own->unpacked && !unpack(reader, 0, err))
        return false;
    struct str some = str_slice(buf_str(&own->whole), own->given, own->given + room);
    if (some.len > 0)
        memcpy(to, some.ptr, some.len);
    own->given += some.len;
    *got = some.len;
    return true;
}

static bool whole_part(struct input_reader *reader, size_t behind, struct str *bytes)
{
    struct lz4_reader *own = reader->state;
    struct err ignored;

    if (!unpack(reader, behind, &ignored))
        return false;
    *bytes = str_slice(buf_str(&own->whole), (size_t)reader->part.skip, own->whole.len);
    return true;
}

const struct input_codec codec_lz4_parallel = {
    .open = open_pack,
    .close = close_pack,
    .next = next_part,
    .reader_open = open_reader,
    .reader_close = close_reader,
    .part_begin = begin_part,
    .part_read = read_part,
    .part_whole = whole_part,
};
