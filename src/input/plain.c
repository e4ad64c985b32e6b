/* Plain files, cut at fixed places: any thread reads any part. A plain pipe is read by
 * whoever is next. */
#include "input/internal.h"

static bool open_plain(struct input_stream *stream, struct err *err)
{
    (void)stream, (void)err;
    return true;
}

static void close_plain(struct input_stream *stream)
{
    (void)stream;
}

static bool read_plain(struct input_stream *stream, char *to, size_t room, size_t *got,
                       struct err *err)
{
    if (!raw_read(stream->raw, to, room, got, err))
        return false;
    stream->used += (int64_t)*got;
    return true;
}

const struct codec codec_pipe = {
    .open = open_plain, .close = close_plain, .read = read_plain};

/* layout.from .. layout.to holds the bytes, of which stream->skip are left out. */
static bool next_plain(struct input_stream *stream, struct input_part *part, bool *more,
                       struct err *err)
{
    int64_t from = stream->layout.from + stream->skip + stream->parts * PLAIN_PART_BYTES;
    int64_t end = stream->layout.from + stream->skip + stream->left;

    (void)err;
    *more = from < end;
    part->again = true;
    part->from = from;
    part->to = end - from < PLAIN_PART_BYTES ? end : from + PLAIN_PART_BYTES;
    part->size = part->to - part->from;
    return true;
}

static void open_reader(struct input_reader *reader)
{
    (void)reader;
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
    if (!raw_read_at(reader->stream->raw, reader->feed.at, to, room, got, err))
        return false;
    reader->feed.at += (int64_t)*got;
    return true;
}

const struct codec codec_plain = {
    .open = open_plain,
    .close = close_plain,
    .next = next_plain,
    .reader_open = open_reader,
    .reader_close = open_reader,
    .part_begin = begin_part,
    .part_read = read_part,
};
