/* bzip2 from its beginning, for pipes and for members that share their data with others;
 * bzip2_parallel.c is the fast way. */
#include <bzlib.h>
#include <string.h>

#include "input/internal.h"

struct bzip2 {
    bz_stream bz;
    struct feed feed;
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
    bzip2->feed = feed_of(stream);
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
    if (!feed_fill(&bzip2->feed, err))
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
        return wrong_input(stream, err,
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
            return wrong_input(stream, err, "is cut: the bzip2 data end in the middle");
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
            return wrong_input(stream, err, "is damaged: %s",
                               status == BZ_DATA_ERROR_MAGIC
                                   ? "bzip2 data expected"
                                   : "its bzip2 data do not fit "
                                     "their checksum");
        }
    }
    *got = room - left;
    return true;
}

const struct codec codec_bzip2 = {
    .open = open_bzip2, .close = close_bzip2, .read = read_bzip2};
