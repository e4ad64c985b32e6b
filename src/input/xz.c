/* xz through liblzma: from its beginning, or block by block where its index says that
 * there are several. */
#include <lzma.h>
#include <string.h>

#include "input/internal.h"

enum {
    GROUP_BYTES = 2 * 1024 * 1024,       /* small blocks are taken together */
    BLOCK_BYTES_MAX = 512 * 1024 * 1024, /* with larger ones two threads help little */
};

struct xz {
    lzma_stream lzma;
    struct input_feed feed;
    bool ended;
};

static bool explain(const struct input_stream *stream, lzma_ret status, struct err *err)
{
    return input_wrong_lzma(stream, err, (int)status, "xz");
}

static bool open_xz(struct input_stream *stream, struct err *err)
{
    struct xz *xz = arena_array(&stream->arena, struct xz, 1);

    stream->state = xz;
    xz->feed = input_feed_of(stream);
    lzma_ret status =
        lzma_stream_decoder(&xz->lzma, INPUT_UNPACK_MEMORY_MAX, LZMA_CONCATENATED);
    return status == LZMA_OK || explain(stream, status, err);
}

static void close_xz(struct input_stream *stream)
{
    struct xz *xz = stream->state;

    if (xz != NULL)
        lzma_end(&xz->lzma);
}

static bool read_xz(struct input_stream *stream, char *to, size_t room, size_t *got,
                    struct err *err)
{
    struct xz *xz = stream->state;

    *got = 0;
    xz->lzma.next_out = (uint8_t *)to;
    xz->lzma.avail_out = room;
    while (xz->lzma.avail_out == room && !xz->ended) {
        if (xz->lzma.avail_in == 0) {
            if (!input_feed_fill(&xz->feed, err))
                return false;
            stream->used += (int64_t)xz->feed.len;
            xz->lzma.next_in = (const uint8_t *)xz->feed.buffer;
            xz->lzma.avail_in = xz->feed.len;
        }
        lzma_ret status =
            lzma_code(&xz->lzma, xz->lzma.avail_in == 0 ? LZMA_FINISH : LZMA_RUN);
        if (status == LZMA_STREAM_END)
            xz->ended = true;
        else if (status != LZMA_OK)
            return explain(stream, status, err);
    }
    *got = room - xz->lzma.avail_out;
    return true;
}

const struct input_codec codec_xz = {.open = open_xz, .close = close_xz, .read = read_xz};

/* Blocks */

struct xz_shared {
    lzma_index *index;
    lzma_index_iter next; /* the next part's first block; under the mutex */
    bool more;
};

struct xz_reader {
    lzma_stream lzma;
    lzma_block block;
    lzma_filter filters[LZMA_FILTERS_MAX + 1];
    lzma_index_iter at;
    bool in_block;
    int64_t left; /* bytes of the part, of the blocks not yet begun */
};

/* The index stands at the file's end; liblzma says where it wants to read. */
static lzma_index *read_index(struct input_stream *stream)
{
    lzma_stream lzma = LZMA_STREAM_INIT;
    lzma_index *index = NULL;
    struct input_feed feed = input_feed_of(stream);
    struct err ignored;
    lzma_ret status = lzma_file_info_decoder(&lzma, &index, INPUT_UNPACK_MEMORY_MAX,
                                             (uint64_t)(feed.end - feed.at));

    while (status == LZMA_OK) {
        if (lzma.avail_in == 0) {
            if (!input_feed_fill(&feed, &ignored))
                break;
            lzma.next_in = (const uint8_t *)feed.buffer;
            lzma.avail_in = feed.len;
        }
        status = lzma_code(&lzma, lzma.avail_in == 0 ? LZMA_FINISH : LZMA_RUN);
        if (status == LZMA_SEEK_NEEDED) {
            feed.at = stream->layout.from + (int64_t)lzma.seek_pos;
            lzma.avail_in = 0;
            status = LZMA_OK;
        }
    }
    lzma_end(&lzma);
    if (status != LZMA_STREAM_END) {
        lzma_index_end(index, NULL);
        return NULL;
    }
    return index;
}

bool input_xz_has_blocks(struct input_stream *stream)
{
    lzma_index *index = read_index(stream);
    lzma_index_iter iter;
    bool several = index != NULL && lzma_index_block_count(index) > 1;

    if (several) {
        lzma_index_iter_init(&iter, index);
        while (several && !lzma_index_iter_next(&iter, LZMA_INDEX_ITER_BLOCK))
            several = iter.block.uncompressed_size <= BLOCK_BYTES_MAX;
    }
    if (several) {
        struct xz_shared *shared = arena_array(&stream->arena, struct xz_shared, 1);
        shared->index = index;
        stream->state = shared;
        stream->layout.size = (int64_t)lzma_index_uncompressed_size(index);
        stream->left = stream->layout.size - stream->start;
        return true;
    }
    /* A file whose index cannot be read is damaged; reading it will tell where. */
    if (index != NULL)
        stream->layout.size = (int64_t)lzma_index_uncompressed_size(index);
    lzma_index_end(index, NULL);
    return false;
}

static bool open_shared(struct input_stream *stream, struct err *err)
{
    struct xz_shared *shared = stream->state;

    (void)err;
    lzma_index_iter_init(&shared->next, shared->index);
    shared->more = !lzma_index_iter_next(&shared->next, LZMA_INDEX_ITER_NONEMPTY_BLOCK);
    while (shared->more &&
           (int64_t)(shared->next.block.uncompressed_file_offset +
                     shared->next.block.uncompressed_size) <= stream->start)
        shared->more =
            !lzma_index_iter_next(&shared->next, LZMA_INDEX_ITER_NONEMPTY_BLOCK);
    return true;
}

static void close_shared(struct input_stream *stream)
{
    struct xz_shared *shared = stream->state;

    if (shared != NULL)
        lzma_index_end(shared->index, NULL);
}

static bool next_part(struct input_stream *stream, struct input_part *part, bool *more,
                      struct err *err)
{
    struct xz_shared *shared = stream->state;
    const lzma_index_iter *at = &shared->next;

    (void)err;
    *more = shared->more;
    if (!*more)
        return true;
    int64_t offset = (int64_t)at->block.uncompressed_file_offset;
    part->again = true;
    part->index = (size_t)offset;
    part->skip = stream->start > offset ? stream->start - offset : 0;
    part->from = stream->layout.from + (int64_t)at->block.compressed_file_offset;
    part->size = 0;
    do {
        part->size += (int64_t)at->block.uncompressed_size;
        part->to = stream->layout.from + (int64_t)at->block.compressed_file_offset +
                   (int64_t)at->block.total_size;
        shared->more =
            !lzma_index_iter_next(&shared->next, LZMA_INDEX_ITER_NONEMPTY_BLOCK);
    } while (shared->more && part->size < GROUP_BYTES);
    part->size -= part->skip;
    return true;
}

static void free_filters(struct xz_reader *own)
{
    lzma_filters_free(own->filters, NULL);
    own->filters[0].id = LZMA_VLI_UNKNOWN;
}

static void open_reader(struct input_reader *reader)
{
    struct xz_reader *own = arena_array(&reader->arena, struct xz_reader, 1);

    own->filters[0].id = LZMA_VLI_UNKNOWN;
    reader->state = own;
    reader->feed.raw = reader->stream->raw;
    reader->feed.buffer = arena_array(&reader->arena, char, INPUT_FEED_BYTES);
}

static void close_reader(struct input_reader *reader)
{
    struct xz_reader *own = reader->state;

    lzma_end(&own->lzma);
    free_filters(own);
}

/* Starts the block that own->at stands at. */
static bool begin_block(struct input_reader *reader, struct err *err)
{
    const struct input_stream *stream = reader->stream;
    struct xz_reader *own = reader->state;
    int64_t from = stream->layout.from + (int64_t)own->at.block.compressed_file_offset;
    uint8_t header[LZMA_BLOCK_HEADER_SIZE_MAX];
    size_t got;

    if (!input_raw_read_at(stream->raw, from, (char *)header, sizeof header, &got, err))
        return false;
    own->block = (lzma_block){
        .check = own->at.stream.flags->check,
        .filters = own->filters,
        .header_size = got > 0 ? lzma_block_header_size_decode(header[0]) : 0,
    };
    free_filters(own);
    lzma_ret status = got == 0 || header[0] == 0 || own->block.header_size > got
                          ? LZMA_BUF_ERROR
                          : lzma_block_header_decode(&own->block, NULL, header);
    if (status == LZMA_OK)
        status = lzma_block_compressed_size(&own->block, own->at.block.unpadded_size);
    if (status == LZMA_OK &&
        lzma_raw_decoder_memusage(own->filters) > INPUT_UNPACK_MEMORY_MAX)
        status = LZMA_MEMLIMIT_ERROR;
    if (status == LZMA_OK)
        status = lzma_block_decoder(&own->lzma, &own->block);
    if (status != LZMA_OK)
        return explain(stream, status, err);
    reader->feed.at = from + own->block.header_size;
    reader->feed.end = from + (int64_t)own->at.block.total_size;
    own->lzma.avail_in = 0;
    own->in_block = true;
    own->left -= (int64_t)own->at.block.uncompressed_size;
    return true;
}

static bool begin_part(struct input_reader *reader, struct err *err)
{
    const struct xz_shared *shared = reader->stream->state;
    struct xz_reader *own = reader->state;

    lzma_index_iter_init(&own->at, shared->index);
    if (lzma_index_iter_locate(&own->at, reader->part.index))
        return explain(reader->stream, LZMA_DATA_ERROR, err);
    own->left = reader->part.size + reader->part.skip;
    return begin_block(reader, err);
}

static bool read_part(struct input_reader *reader, char *to, size_t room, size_t *got,
                      struct err *err)
{
    const struct input_stream *stream = reader->stream;
    struct xz_reader *own = reader->state;
    struct input_feed *feed = &reader->feed;

    *got = 0;
    own->lzma.next_out = (uint8_t *)to;
    own->lzma.avail_out = room;
    while (own->lzma.avail_out == room) {
        if (!own->in_block) {
            if (own->left <= 0)
                return true;
            if (lzma_index_iter_next(&own->at, LZMA_INDEX_ITER_NONEMPTY_BLOCK))
                return explain(stream, LZMA_DATA_ERROR, err);
            if (!begin_block(reader, err))
                return false;
        }
        if (own->lzma.avail_in == 0) {
            if (!input_feed_fill(feed, err))
                return false;
            own->lzma.next_in = (const uint8_t *)feed->buffer;
            own->lzma.avail_in = feed->len;
        }
        lzma_ret status =
            lzma_code(&own->lzma, own->lzma.avail_in == 0 ? LZMA_FINISH : LZMA_RUN);
        if (status == LZMA_STREAM_END)
            own->in_block = false;
        else if (status != LZMA_OK)
            return explain(stream, status, err);
    }
    *got = room - own->lzma.avail_out;
    return true;
}

const struct input_codec codec_xz_parallel = {
    .open = open_shared,
    .close = close_shared,
    .next = next_part,
    .reader_open = open_reader,
    .reader_close = close_reader,
    .part_begin = begin_part,
    .part_read = read_part,
};
