/* LZMA and LZMA2 as they lie in 7z archives, through liblzma. LZMA2 is a run of chunks;
 * where a chunk resets everything, a thread of its own can begin. */
#include <lzma.h>
#include <string.h>

#include "input/internal.h"

enum {
    BLOCK_PACKED_MAX = 256 * 1024 * 1024, /* with larger ones two threads help little */
    BLOCK_GROUP_BYTES = 2 * 1024 * 1024,  /* small blocks are taken together */
    DICTIONARY_MIN = 4096,
};

struct lzma {
    lzma_stream lzma;
    struct input_feed feed;
    bool ended;
    bool closing; /* LZMA2: the end mark has been fed */
};

bool input_wrong_lzma(const struct input_stream *stream, struct err *err, int status,
                      const char *format)
{
    switch (status) {
    case LZMA_MEM_ERROR:
        arena_exhausted();
    case LZMA_MEMLIMIT_ERROR:
        return input_wrong(stream, err, "needs more than %lld MB of memory to unpack",
                           INPUT_UNPACK_MEMORY_MAX >> 20);
    case LZMA_FORMAT_ERROR:
        return input_wrong(stream, err, "is damaged: %s data were expected", format);
    case LZMA_OPTIONS_ERROR:
        return input_wrong(stream, err, "is packed in a way this liblzma does not know");
    case LZMA_BUF_ERROR:
        return input_wrong(stream, err, "is cut: the %s data end in the middle", format);
    default:
        return input_wrong(stream, err, "is damaged: its %s data are wrong", format);
    }
}

static bool explain(const struct input_stream *stream, lzma_ret status, struct err *err)
{
    return input_wrong_lzma(stream, err, (int)status, "LZMA");
}

/* A decoder for the folder's coder. Nothing looks back further than what there is, so a
 * dictionary larger than the data is never needed. */
static bool start(const struct input_stream *stream, lzma_stream *lzma, int64_t unpacked,
                  struct err *err)
{
    const struct input_layout *layout = &stream->layout;
    lzma_filter filters[2] = {
        {.id =
             layout->method == INPUT_SEVEN_LZMA ? LZMA_FILTER_LZMA1 : LZMA_FILTER_LZMA2},
        {.id = LZMA_VLI_UNKNOWN},
    };
    lzma_ret status =
        lzma_properties_decode(&filters[0], NULL, layout->props, layout->props_len);

    if (status != LZMA_OK)
        return explain(stream, status, err);
    lzma_options_lzma *options = filters[0].options;
    if (unpacked < DICTIONARY_MIN)
        unpacked = DICTIONARY_MIN;
    if (options->dict_size > unpacked)
        options->dict_size = (uint32_t)unpacked;
    status = options->dict_size > INPUT_UNPACK_MEMORY_MAX
                 ? LZMA_MEMLIMIT_ERROR
                 : lzma_raw_decoder(lzma, filters);
    lzma_filters_free(filters, NULL);
    return status == LZMA_OK || explain(stream, status, err);
}

static bool open_lzma(struct input_stream *stream, struct err *err)
{
    struct lzma *lzma = arena_array(&stream->arena, struct lzma, 1);

    stream->state = lzma;
    lzma->feed = input_feed_of(stream);
    return start(stream, &lzma->lzma, stream->layout.folder_size, err);
}

static void close_lzma(struct input_stream *stream)
{
    struct lzma *lzma = stream->state;

    if (lzma != NULL)
        lzma_end(&lzma->lzma);
}

/* Some bytes; *got is 0 at the end. With `blocks` the end of the feed is that of a run of
 * LZMA2 blocks, whose end mark stands elsewhere. */
static bool decode(const struct input_stream *stream, struct lzma *own, bool blocks,
                   char *to, size_t room, size_t *got, struct err *err)
{
    static const uint8_t end_mark = 0;
    lzma_stream *lzma = &own->lzma;

    *got = 0;
    lzma->next_out = (uint8_t *)to;
    lzma->avail_out = room;
    while (lzma->avail_out == room && !own->ended) {
        if (lzma->avail_in == 0) {
            if (!input_feed_fill(&own->feed, err))
                return false;
            lzma->next_in = (const uint8_t *)own->feed.buffer;
            lzma->avail_in = own->feed.len;
        }
        if (lzma->avail_in == 0 && blocks && !own->closing) {
            lzma->next_in = &end_mark;
            lzma->avail_in = 1;
            own->closing = true;
        }
        lzma_ret status = lzma_code(lzma, LZMA_RUN);
        if (status == LZMA_STREAM_END)
            own->ended = true;
        else if (status != LZMA_OK)
            return explain(stream, status, err);
    }
    *got = room - lzma->avail_out;
    return true;
}

static bool read_lzma(struct input_stream *stream, char *to, size_t room, size_t *got,
                      struct err *err)
{
    struct lzma *lzma = stream->state;

    if (!decode(stream, lzma, false, to, room, got, err))
        return false;
    stream->used = lzma->feed.at - stream->layout.from;
    return true;
}

const struct input_codec codec_lzma = {
    .open = open_lzma, .close = close_lzma, .read = read_lzma};

/* Blocks of LZMA2: runs of chunks of which the first resets the dictionary. */

struct lzma_chunk {
    bool end;
    bool first; /* of a block */
    int64_t next;
    int64_t size; /* unpacked */
};

struct blocks {
    int64_t at;     /* the next block's place in the file; under the mutex */
    int64_t offset; /* of its first byte, unpacked */
    bool ended;
};

static bool read_chunk(const struct input_stream *stream, int64_t at,
                       struct lzma_chunk *chunk)
{
    unsigned char head[6] = {0};
    struct err ignored;
    size_t got, want = sizeof head;

    if (stream->layout.to - at < (int64_t)want)
        want = (size_t)(stream->layout.to - at);
    if (at >= stream->layout.to ||
        !input_raw_read_at(stream->raw, at, (char *)head, want, &got, &ignored) ||
        got < want)
        return false;
    *chunk = (struct lzma_chunk){.end = head[0] == 0, .next = at + 1};
    if (head[0] == 0)
        return true;
    int64_t low = head[1] << 8 | head[2];
    if (head[0] >= 0x80) { /* LZMA */
        chunk->first = head[0] >= 0xE0;
        chunk->size = ((int64_t)(head[0] & 0x1F) << 16 | low) + 1;
        chunk->next = at + (head[0] >= 0xC0 ? 6 : 5) + (head[3] << 8 | head[4]) + 1;
    } else if (head[0] <= 2) { /* bytes as they are */
        chunk->first = head[0] == 1;
        chunk->size = low + 1;
        chunk->next = at + 3 + chunk->size;
    } else {
        return false;
    }
    return chunk->next <= stream->layout.to;
}

/* From a block's beginning to the next one's, or to the end mark: its packed and unpacked
 * end. False when the chunks make no sense or go on behind `limit`. */
static bool walk_block(const struct input_stream *stream, int64_t *at, int64_t *size,
                       int64_t limit, bool *ended)
{
    struct lzma_chunk chunk;
    bool begun = false;

    *size = 0;
    for (;;) {
        if (*at > limit || !read_chunk(stream, *at, &chunk))
            return false;
        *ended = chunk.end;
        if (chunk.end || (chunk.first && begun))
            return true;
        if (!begun && !chunk.first)
            return false;
        begun = true;
        *at = chunk.next;
        *size += chunk.size;
    }
}

bool input_lzma2_has_blocks(struct input_stream *stream)
{
    int64_t at = stream->layout.from, size;
    bool ended;

    if (!walk_block(stream, &at, &size, at + BLOCK_PACKED_MAX, &ended) || ended)
        return false;
    struct blocks *blocks = arena_array(&stream->arena, struct blocks, 1);
    blocks->at = stream->layout.from;
    stream->state = blocks;
    return true;
}

/* The next blocks that hold bytes of the member: stream->skip bytes of the folder come
 * before them, and stream->left are wanted. */
static bool next_part(struct input_stream *stream, struct input_part *part, bool *more,
                      struct err *err)
{
    struct blocks *blocks = stream->state;
    int64_t wanted_end = stream->skip + stream->left, begin = -1;

    part->again = true;
    part->size = 0;
    while (!blocks->ended && blocks->offset < wanted_end &&
           (begin < 0 || blocks->offset - begin < BLOCK_GROUP_BYTES)) {
        int64_t at = blocks->at, size;
        if (!walk_block(stream, &at, &size, stream->layout.to, &blocks->ended))
            return input_wrong(stream, err,
                               "is cut or damaged: its LZMA2 data make no sense "
                               "behind byte %lld",
                               (long long)blocks->at);
        if (blocks->offset + size > stream->skip) {
            if (begin < 0) {
                begin = blocks->offset;
                part->from = blocks->at;
            }
            part->to = at;
        }
        blocks->at = at;
        blocks->offset += size;
    }
    *more = begin >= 0;
    if (!*more && blocks->offset < wanted_end)
        return input_wrong(stream, err, "is cut: %lld bytes more were to come out of it",
                           (long long)(wanted_end - blocks->offset));
    if (!*more)
        return true;
    part->skip = stream->skip > begin ? stream->skip - begin : 0;
    int64_t end = blocks->offset < wanted_end ? blocks->offset : wanted_end;
    part->size = end - begin - part->skip;
    part->cut_short = blocks->offset > wanted_end;
    part->index = (size_t)(blocks->offset - begin);
    return true;
}

static void open_reader(struct input_reader *reader)
{
    struct lzma *own = arena_array(&reader->arena, struct lzma, 1);

    own->feed.raw = reader->stream->raw;
    own->feed.buffer = arena_array(&reader->arena, char, INPUT_FEED_BYTES);
    reader->state = own;
}

static void close_reader(struct input_reader *reader)
{
    struct lzma *own = reader->state;

    lzma_end(&own->lzma);
}

static bool begin_part(struct input_reader *reader, struct err *err)
{
    struct lzma *own = reader->state;

    own->feed.at = reader->part.from;
    own->feed.end = reader->part.to;
    own->lzma.avail_in = 0;
    own->ended = own->closing = false;
    return start(reader->stream, &own->lzma, (int64_t)reader->part.index, err);
}

static bool read_part(struct input_reader *reader, char *to, size_t room, size_t *got,
                      struct err *err)
{
    return decode(reader->stream, reader->state, true, to, room, got, err);
}

const struct input_codec codec_lzma2_parallel = {
    .next = next_part,
    .reader_open = open_reader,
    .reader_close = close_reader,
    .part_begin = begin_part,
    .part_read = read_part,
};
