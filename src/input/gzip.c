/* gzip through zlib: one member after another, as gzip itself reads them. */
#include <string.h>
#include <zlib.h>

#include "input/internal.h"

struct gzip {
    z_stream z;
    struct input_feed feed;
    bool open;
    bool ended;
};

static bool open_gzip(struct input_stream *stream, struct err *err)
{
    struct gzip *gzip = arena_array(&stream->arena, struct gzip, 1);

    stream->state = gzip;
    gzip->feed = input_feed_of(stream);
    if (inflateInit2(&gzip->z, 16 + MAX_WBITS) != Z_OK) /* 16: with a gzip header */
        return err_set(err, ERR_SYSTEM, "cannot start zlib");
    gzip->open = true;
    return true;
}

static void close_gzip(struct input_stream *stream)
{
    struct gzip *gzip = stream->state;

    if (gzip != NULL && gzip->open)
        inflateEnd(&gzip->z);
}

static bool fill(struct input_stream *stream, struct gzip *gzip, struct err *err)
{
    if (gzip->z.avail_in > 0)
        return true;
    if (!input_feed_fill(&gzip->feed, err))
        return false;
    stream->used += (int64_t)gzip->feed.len;
    gzip->z.next_in = (Bytef *)gzip->feed.buffer;
    gzip->z.avail_in = (uInt)gzip->feed.len;
    return true;
}

/* Behind a member: another one, the end, or zeros that a tape was filled up with. */
static bool behind_member(struct input_stream *stream, struct gzip *gzip, struct err *err)
{
    bool zeros = false;

    for (;;) {
        if (!fill(stream, gzip, err))
            return false;
        gzip->ended = gzip->z.avail_in == 0;
        if (gzip->ended)
            return true;
        if (*gzip->z.next_in != 0)
            break;
        zeros = true;
        gzip->z.next_in++;
        gzip->z.avail_in--;
    }
    if (zeros || *gzip->z.next_in != 0x1F)
        return input_wrong(stream, err,
                           "is gzip followed by other bytes (0x%02X) where nothing or "
                           "another gzip member was expected",
                           *gzip->z.next_in);
    inflateReset(&gzip->z);
    return true;
}

static bool read_gzip(struct input_stream *stream, char *to, size_t room, size_t *got,
                      struct err *err)
{
    struct gzip *gzip = stream->state;

    *got = 0;
    gzip->z.next_out = (Bytef *)to;
    gzip->z.avail_out = (uInt)room;
    while (gzip->z.avail_out == room && !gzip->ended) {
        if (!fill(stream, gzip, err))
            return false;
        if (gzip->z.avail_in == 0)
            return input_wrong(stream, err, "is cut: the gzip data end in the middle");
        int status = inflate(&gzip->z, Z_NO_FLUSH);
        if (status == Z_MEM_ERROR)
            arena_exhausted();
        if (status == Z_STREAM_END) {
            if (!behind_member(stream, gzip, err))
                return false;
        } else if (status != Z_OK && status != Z_BUF_ERROR) {
            return input_wrong(stream, err,
                               "is damaged: gzip data expected, but zlib says: %s",
                               gzip->z.msg != NULL ? gzip->z.msg : "no gzip data");
        }
    }
    *got = room - gzip->z.avail_out;
    return true;
}

const struct input_codec codec_gzip = {
    .open = open_gzip, .close = close_gzip, .read = read_gzip};
