/* bzip2 from its beginning, for pipes and for members that share their data with others;
 * and block by block on several threads, which is the fast way. */
#include "input/internal.h"

#include <bzlib.h>
#include <string.h>

struct bzip2 {
    bz_stream bz;
    struct input_feed feed;
    bool open;
    bool ended;
};

static bool start_stream(struct bzip2 *bzip2)
{
    char *next = bzip2->bz.next_in;
    unsigned avail = bzip2->bz.avail_in;

    bzip2->bz = (bz_stream){0};
    if (BZ2_bzDecompressInit(&bzip2->bz, 0, 0) != BZ_OK)
        arena_exhausted();
    bzip2->bz.next_in = next;
    bzip2->bz.avail_in = avail;
    return bzip2->open = true;
}

static bool open_bzip2(struct input_stream *stream, struct err *err)
{
    struct bzip2 *bzip2 = arena_array(&stream->arena, struct bzip2, 1);

    (void)err;
    stream->state = bzip2;
    bzip2->feed = input_feed_of(stream);
    return start_stream(bzip2);
}

static void end_stream(struct bzip2 *bzip2)
{
    if (bzip2->open)
        BZ2_bzDecompressEnd(&bzip2->bz);
    bzip2->open = false;
}

static void close_bzip2(struct input_stream *stream)
{
    if (stream->state != NULL)
        end_stream(stream->state);
}

static bool fill(struct input_stream *stream, struct bzip2 *bzip2, struct err *err)
{
    if (bzip2->bz.avail_in > 0)
        return true;
    if (!input_feed_fill(&bzip2->feed, err))
        return false;
    stream->used += (int64_t)bzip2->feed.len;
    bzip2->bz.next_in = bzip2->feed.buffer;
    bzip2->bz.avail_in = (unsigned)bzip2->feed.len;
    return true;
}

static bool behind_stream(struct input_stream *stream, struct bzip2 *bzip2,
                          struct err *err)
{
    end_stream(bzip2);
    if (!fill(stream, bzip2, err))
        return false;
    bzip2->ended = bzip2->bz.avail_in == 0;
    if (bzip2->ended)
        return true;
    if (*bzip2->bz.next_in != 'B')
        return input_wrong(stream, err,
                           "is bzip2 followed by other bytes (0x%02X) where nothing or "
                           "another bzip2 stream was expected",
                           (unsigned char)*bzip2->bz.next_in);
    return start_stream(bzip2);
}

static bool read_bzip2(struct input_stream *stream, char *to, size_t room, size_t *got,
                       struct err *err)
{
    struct bzip2 *bzip2 = stream->state;
    unsigned left = (unsigned)room;

    *got = 0;
    while (left == room && !bzip2->ended) {
        if (!fill(stream, bzip2, err))
            return false;
        if (bzip2->bz.avail_in == 0)
            return input_wrong(stream, err, "is cut: the bzip2 data end in the middle");
        bzip2->bz.next_out = to;
        bzip2->bz.avail_out = left;
        int status = BZ2_bzDecompress(&bzip2->bz);
        left = bzip2->bz.avail_out;
        if (status == BZ_MEM_ERROR)
            arena_exhausted();
        if (status == BZ_STREAM_END) {
            if (!behind_stream(stream, bzip2, err))
                return false;
        } else if (status != BZ_OK) {
            return input_wrong(stream, err, "is damaged: %s",
                               status == BZ_DATA_ERROR_MAGIC
                                   ? "bzip2 data expected"
                                   : "its bzip2 data do not fit "
                                     "their checksum");
        }
    }
    *got = room - left;
    return true;
}

const struct input_codec codec_bzip2 = {
    .open = open_bzip2, .close = close_bzip2, .read = read_bzip2};

/* bzip2 on several threads. A bzip2 file is a run of blocks that need nothing of each
 * other, each beginning with 48 known bits, at any bit. The file is cut into stretches of
 * equal length, and who has a stretch unpacks the blocks that begin in it, each made into
 * a bzip2 file of its own for the library. The known bits may stand by chance in a block
 * (once in 10^14 bytes), so in the end it is checked that the blocks make a chain without
 * a gap. */

#define BLOCK_MAGIC UINT64_C(0x314159265359)
#define END_MAGIC   UINT64_C(0x177245385090)
#define MAGIC_MASK  UINT64_C(0xFFFFFFFFFFFF)

enum {
    STRETCH_BYTES = 512 * 1024,
    MAGIC_BITS = 48,
    CRC_BITS = 32,
    HEADER_BITS = 32, /* "BZh9" */
    /* A block cannot be longer: 900,000 symbols of at most 20 bits, and its tables. */
    BLOCK_BYTES_MAX = 4 * 1024 * 1024,
};

/* A stretch's blocks: bits of the file, counted from layout.from. */
struct link {
    int64_t first; /* -1: none begins here */
    int64_t end;   /* where the next block or the end of all is */
};

struct bzip2_shared {
    LIST(struct link) links; /* by part; under the mutex */
    unsigned char
        at_block[256]; /* by the magic's third byte: at which bits it may begin */
    unsigned char at_end[256];
};

struct bzip2_reader {
    struct buf bytes; /* of the file, from the stretch's first byte on */
    int64_t base;     /* where in layout.from .. layout.to they begin */
    bool whole;       /* they reach to the end of the file */
    struct buf block; /* made into a file of its own */
    bz_stream bz;
    bool open;  /* a block is being unpacked */
    bool given; /* some of its bytes have been given out */
    int64_t block_at, block_end;
    bool block_ends_stream;
    struct link link;
    int64_t next; /* the next block's bit; -1: none in this stretch */
};

static bool open_shared(struct input_stream *stream, struct err *err)
{
    struct bzip2_shared *shared = arena_array(&stream->arena, struct bzip2_shared, 1);

    (void)err;
    for (unsigned bit = 0; bit < 8; bit++) {
        /* In eight bytes, with `bit` bits before the magic. */
        shared->at_block[BLOCK_MAGIC << (16 - bit) >> 40 & 0xFF] |=
            (unsigned char)(1U << bit);
        shared->at_end[END_MAGIC << (16 - bit) >> 40 & 0xFF] |=
            (unsigned char)(1U << bit);
    }
    stream->state = shared;
    return true;
}

static void close_shared(struct input_stream *stream)
{
    struct bzip2_shared *shared = stream->state;

    if (shared != NULL)
        list_free(&shared->links);
}

static int64_t file_bits(const struct input_stream *stream)
{
    return (stream->layout.to - stream->layout.from) * 8;
}

static bool next_part(struct input_stream *stream, struct input_part *part, bool *more,
                      struct err *err)
{
    int64_t from = stream->layout.from + stream->parts * STRETCH_BYTES;
    int64_t to = stream->layout.to;

    (void)err;
    *more = from < to;
    part->from = from;
    part->to = to - from < STRETCH_BYTES ? to : from + STRETCH_BYTES;
    part->again = true;
    return true;
}

static void open_reader(struct input_reader *reader)
{
    reader->state = arena_array(&reader->arena, struct bzip2_reader, 1);
}

static void end_block(struct bzip2_reader *own)
{
    if (own->open)
        BZ2_bzDecompressEnd(&own->bz);
    own->open = false;
}

static void close_reader(struct input_reader *reader)
{
    struct bzip2_reader *own = reader->state;

    end_block(own);
    buf_free(&own->bytes);
    buf_free(&own->block);
}

/* Makes the file's bytes up to and with the given one available; those that the file does
 * not have read as zeros. */
static bool load(struct input_reader *reader, int64_t byte, struct err *err)
{
    const struct input_stream *stream = reader->stream;
    struct bzip2_reader *own = reader->state;
    int64_t have = own->base + (int64_t)own->bytes.len;
    int64_t end = stream->layout.to - stream->layout.from;
    size_t got;

    if (own->whole || byte < have)
        return true;
    size_t want = (size_t)(byte + 1 - have) + INPUT_FEED_BYTES;
    if ((int64_t)want > end - have)
        want = (size_t)(end - have);
    char *to = buf_reserve(&own->bytes, want + 8);
    if (!input_raw_read_at(stream->raw, stream->layout.from + have, to, want, &got, err))
        return false;
    own->bytes.len += got;
    own->whole = got < want || have + (int64_t)got == end;
    memset(own->bytes.ptr + own->bytes.len, 0, 8);
    return true;
}

static uint64_t eight_bytes(const char *p)
{
    uint64_t word = 0;

    for (int i = 0; i < 8; i++)
        word = word << 8 | (unsigned char)p[i];
    return word;
}

/* 48 bits at a bit of the file that is loaded. */
static uint64_t bits_at(const struct bzip2_reader *own, int64_t bit)
{
    int64_t at = bit - own->base * 8;

    return eight_bytes(own->bytes.ptr + at / 8) >> (16 - at % 8) & MAGIC_MASK;
}

/* The first place of a magic from the bit on and before `limit`, or -1. */
static bool find_magic(struct input_reader *reader, int64_t bit, int64_t limit,
                       int64_t *found, bool *is_end, struct err *err)
{
    const struct bzip2_shared *shared = reader->stream->state;
    struct bzip2_reader *own = reader->state;

    for (int64_t byte = bit / 8; byte * 8 < limit; byte++) {
        if (!load(reader, byte + 8, err))
            return false;
        size_t at = (size_t)(byte - own->base);
        if (at >= own->bytes.len)
            break;
        const char *p = own->bytes.ptr + at;
        unsigned third = (unsigned char)p[2];
        unsigned maybe = shared->at_block[third] | (unsigned)shared->at_end[third];
        for (int shift = 0; maybe != 0 && shift < 8; shift++) {
            if (!(maybe >> shift & 1) || byte * 8 + shift < bit ||
                byte * 8 + shift >= limit)
                continue;
            uint64_t magic = eight_bytes(p) >> (16 - shift) & MAGIC_MASK;
            if (magic == BLOCK_MAGIC || magic == END_MAGIC) {
                *found = byte * 8 + shift;
                *is_end = magic == END_MAGIC;
                return true;
            }
        }
    }
    *found = -1;
    return true;
}

/* From where a stream's header should be to its first block, over streams that have none;
 * *bit is then the block's, or the end of the file. */
static bool enter_stream(struct input_reader *reader, int64_t *bit, struct err *err)
{
    const struct input_stream *stream = reader->stream;
    struct bzip2_reader *own = reader->state;

    while (*bit < file_bits(stream)) {
        if (!load(reader, *bit / 8 + 20, err))
            return false;
        uint64_t header = bits_at(own, *bit) >> 16;
        if (header >> 8 != 0x425A68 || (header & 0xFF) < '1' || (header & 0xFF) > '9')
            return input_wrong(stream, err,
                               "is damaged: at byte %lld a bzip2 stream or the end was "
                               "expected",
                               (long long)(stream->layout.from + *bit / 8));
        *bit += HEADER_BITS;
        if (bits_at(own, *bit) == BLOCK_MAGIC)
            return true;
        if (bits_at(own, *bit) != END_MAGIC)
            return input_wrong(
                stream, err, "is cut or damaged: at byte %lld a bzip2 block was expected",
                (long long)(stream->layout.from + *bit / 8));
        *bit = (*bit + MAGIC_BITS + CRC_BITS + 7) / 8 * 8;
    }
    return true;
}

/* Bits are added to the left-over of the last byte; *used counts them. */
static void add_bits(struct buf *out, size_t *used, uint64_t bits, int count)
{
    while (count > 0) {
        int room = 8 - (int)(*used % 8), some = count < room ? count : room;
        unsigned piece = (unsigned)(bits >> (count - some)) & ((1U << some) - 1);
        if (*used % 8 == 0)
            buf_add_char(out, 0);
        out->ptr[out->len - 1] =
            (char)((unsigned char)out->ptr[out->len - 1] | piece << (room - some));
        *used += (size_t)some;
        count -= some;
    }
}

/* The block from its magic up to `end` as a bzip2 file: header, block, end, checksum. */
static void make_file(struct bzip2_reader *own, int64_t end)
{
    size_t bits = (size_t)(end - own->block_at), used = HEADER_BITS + bits;
    size_t at = (size_t)(own->block_at - own->base * 8);
    const unsigned char *from = (const unsigned char *)own->bytes.ptr + at / 8;
    unsigned shift = at % 8;
    uint64_t crc = bits_at(own, own->block_at + MAGIC_BITS) >> 16;

    buf_clear(&own->block);
    buf_add(&own->block, STR("BZh9"));
    size_t whole = (bits + 7) / 8;
    unsigned char *to = (unsigned char *)buf_reserve(&own->block, whole);
    for (size_t i = 0; i < whole; i++) /* one byte behind is there: see load() */
        to[i] = (unsigned char)(from[i] << shift | from[i + 1] >> (8 - shift));
    own->block.len += whole;
    if (bits % 8 != 0)
        to[whole - 1] &= (unsigned char)(0xFF << (8 - bits % 8));
    add_bits(&own->block, &used, END_MAGIC, MAGIC_BITS);
    add_bits(&own->block, &used, crc, CRC_BITS);
}

/* Whether a block begins at the bit that this stretch is to unpack. */
static bool ours(const struct input_reader *reader, int64_t bit)
{
    const struct input_stream *stream = reader->stream;

    return bit < (reader->part.to - stream->layout.from) * 8 && bit < file_bits(stream);
}

/* The first block that begins in this stretch at or behind the bit; -1: none. */
static bool find_block(struct input_reader *reader, int64_t bit, int64_t *found,
                       struct err *err)
{
    int64_t limit = (reader->part.to - reader->stream->layout.from) * 8;
    bool is_end;

    do {
        if (!find_magic(reader, bit, limit, found, &is_end, err))
            return false;
        bit = *found + 1;
    } while (*found >= 0 && is_end);
    return true;
}

static bool begin_part(struct input_reader *reader, struct err *err)
{
    const struct input_stream *stream = reader->stream;
    struct bzip2_reader *own = reader->state;
    int64_t bit = (reader->part.from - stream->layout.from) * 8;

    end_block(own);
    buf_clear(&own->bytes);
    own->base = bit / 8;
    own->whole = false;
    if (!load(reader, own->base, err))
        return false;
    if (bit == 0) {
        if (!enter_stream(reader, &bit, err))
            return false;
    } else {
        if (!find_block(reader, bit, &bit, err))
            return false;
    }
    own->next = bit >= 0 && ours(reader, bit) ? bit : -1;
    own->link = (struct link){own->next, bit};
    return true;
}

/* The block is unpacked: where does the next one begin? */
static bool after_block(struct input_reader *reader, struct err *err)
{
    struct bzip2_reader *own = reader->state;
    int64_t bit = own->block_end;

    end_block(own);
    if (own->block_ends_stream) {
        bit = (bit + MAGIC_BITS + CRC_BITS + 7) / 8 * 8;
        if (!enter_stream(reader, &bit, err))
            return false;
    }
    own->link.end = bit;
    own->next = ours(reader, bit) ? bit : -1;
    return true;
}

static void keep_link(struct input_reader *reader)
{
    struct bzip2_shared *shared = reader->stream->state;
    const struct bzip2_reader *own = reader->state;
    size_t number = (size_t)reader->part.number;

    pthread_mutex_lock(&reader->stream->mutex);
    while (shared->links.count <= number)
        list_add(&shared->links, ((struct link){-1, -1}));
    shared->links.at[number] = own->link;
    pthread_mutex_unlock(&reader->stream->mutex);
}

/* The block does not unpack. If it is the stretch's first and nothing came of it, its
 * magic may have been there by chance: then the next one is the first. */
static bool not_a_block(struct input_reader *reader, struct err *err)
{
    const struct input_stream *stream = reader->stream;
    struct bzip2_reader *own = reader->state;
    int64_t bit;

    if (own->given || own->block_at != own->link.first || reader->part.number == 0)
        return input_wrong(stream, err,
                           "is cut or damaged: the bzip2 block at byte %lld cannot be "
                           "unpacked",
                           (long long)(stream->layout.from + own->block_at / 8));
    end_block(own);
    if (!find_block(reader, own->block_at + 1, &bit, err))
        return false;
    own->next = own->link.first = own->link.end = bit;
    return true;
}

/* Makes the block at block_at ready, up to the next magic behind `after`; it is then
 * open, unless it has been found to be none. */
static bool try_block(struct input_reader *reader, int64_t after, struct err *err)
{
    struct bzip2_reader *own = reader->state;
    int64_t limit = own->block_at + (int64_t)BLOCK_BYTES_MAX * 8, end;

    if (!find_magic(reader, after + 1, limit, &end, &own->block_ends_stream, err))
        return false;
    if (end < 0)
        return not_a_block(reader, err);
    if (!load(reader, end / 8 + 16, err))
        return false;
    own->block_end = end;
    make_file(own, end);
    end_block(own);
    own->bz = (bz_stream){0};
    if (BZ2_bzDecompressInit(&own->bz, 0, 0) != BZ_OK)
        arena_exhausted();
    own->open = true;
    own->given = false;
    own->bz.next_in = own->block.ptr;
    own->bz.avail_in = (unsigned)own->block.len;
    return true;
}

static bool read_part(struct input_reader *reader, char *to, size_t room, size_t *got,
                      struct err *err)
{
    struct bzip2_reader *own = reader->state;

    *got = 0;
    while (*got == 0) {
        if (!own->open) {
            if (own->next < 0) {
                keep_link(reader);
                return true;
            }
            own->block_at = own->next;
            if (!try_block(reader, own->block_at, err))
                return false;
            if (!own->open)
                continue;
        }
        own->bz.next_out = to;
        own->bz.avail_out = (unsigned)room;
        int status = BZ2_bzDecompress(&own->bz);
        *got = room - own->bz.avail_out;
        own->given = own->given || *got > 0;
        bool ok = true;
        if (status == BZ_MEM_ERROR)
            arena_exhausted();
        if (status == BZ_STREAM_END)
            ok = after_block(reader, err);
        else if (own->given && status != BZ_OK)
            ok = not_a_block(reader, err);
        else if (*got == 0 && (status != BZ_OK || own->bz.avail_in == 0))
            ok = try_block(reader, own->block_end, err); /* its end was not the end */
        if (!ok)
            return false;
    }
    return true;
}

static bool finish(struct input_stream *stream, struct err *err)
{
    const struct bzip2_shared *shared = stream->state;
    const struct link *links = shared->links.at;
    int64_t expected = -1;

    for (size_t i = 0; i < shared->links.count; i++) {
        if (i > 0 && links[i].first < 0)
            continue;
        if (i > 0 && links[i].first != expected)
            return input_wrong(stream, err, "is damaged between bytes %lld and %lld",
                               (long long)(stream->layout.from + expected / 8),
                               (long long)(stream->layout.from + links[i].first / 8));
        expected = links[i].end;
    }
    if (expected != file_bits(stream))
        return input_wrong(stream, err, "is cut or damaged behind byte %lld",
                           (long long)(stream->layout.from + expected / 8));
    return true;
}

const struct input_codec codec_bzip2_parallel = {
    .open = open_shared,
    .close = close_shared,
    .next = next_part,
    .reader_open = open_reader,
    .reader_close = close_reader,
    .part_begin = begin_part,
    .part_read = read_part,
    .finish = finish,
};
