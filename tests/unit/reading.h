/* For tests of input/: everything that comes out of a member, read by several threads. */
#ifndef TESTS_UNIT_READING_H
#define TESTS_UNIT_READING_H

#include <pthread.h>
#include <string.h>

#include "base/buf.h"
#include "input/input.h"

enum { READING_PARTS = 4096, READING_THREADS = 8 };

struct reading {
    struct input_stream *stream;
    size_t room; /* asked for at a time of parts that can be read again */
    pthread_mutex_t mutex;
    struct buf parts[READING_PARTS];
    int64_t count;
    bool failed;
    struct err err;
};

static inline bool reading_part(struct reading *reading, struct input_reader *reader,
                                const struct input_part *part, struct err *err)
{
    struct buf bytes = {0};
    struct str whole;
    size_t got;

    /* At once where that can be had, but for every third part. */
    if (part->number % 3 != 1 && input_stream_wholes(reading->stream) &&
        input_part_map(reader, 32, &whole)) {
        buf_add(&bytes, whole);
        got = 0;
        for (int i = 0; i < 32; i++)
            got += whole.ptr[whole.len + (size_t)i] != '\0';
        if (!input_part_unmap(reader, err) || got > 0) {
            buf_free(&bytes);
            return false;
        }
        if (part->number < READING_PARTS)
            reading->parts[part->number] = bytes;
        return part->number < READING_PARTS;
    }
    do {
        size_t room = part->again ? reading->room : INPUT_PART_BYTES;
        char *to = buf_reserve(&bytes, room);
        if (!input_part_read(reader, to, room, &got, err)) {
            buf_free(&bytes);
            return false;
        }
        bytes.len += got;
    } while (got > 0);
    if (part->number < READING_PARTS)
        reading->parts[part->number] = bytes;
    return part->number < READING_PARTS;
}

static inline void *reading_run(void *argument)
{
    struct reading *reading = argument;
    struct input_reader *reader = input_reader_open(reading->stream);
    bool ok = true, more = true;

    while (ok && more) {
        struct input_part part;
        struct err err = {0};
        ok = input_part_next(reader, &part, &more, &err) &&
             (!more || reading_part(reading, reader, &part, &err));
        pthread_mutex_lock(&reading->mutex);
        if (ok && more && part.number >= reading->count)
            reading->count = part.number + 1;
        if (!ok && !reading->failed) {
            reading->failed = true;
            reading->err = err;
        }
        pthread_mutex_unlock(&reading->mutex);
    }
    input_reader_close(reader);
    return NULL;
}

/* 0 threads: by input_stream_read(). Bytes are added to out. */
static inline bool reading_stream(struct input_stream *stream, int threads, size_t room,
                                  struct buf *out, struct err *err)
{
    static struct reading reading; /* large */
    pthread_t ids[READING_THREADS];
    size_t got;

    if (threads == 0) {
        do {
            if (!input_stream_read(stream, buf_reserve(out, room), room, &got, err))
                return false;
            out->len += got;
        } while (got > 0);
        return input_stream_finish(stream, err);
    }
    memset(&reading, 0, sizeof reading);
    reading.stream = stream;
    reading.room = room;
    pthread_mutex_init(&reading.mutex, NULL);
    for (int i = 0; i < threads; i++)
        pthread_create(&ids[i], NULL, reading_run, &reading);
    for (int i = 0; i < threads; i++)
        pthread_join(ids[i], NULL);
    pthread_mutex_destroy(&reading.mutex);
    for (size_t i = 0; i < READING_PARTS; i++) {
        if (!reading.failed)
            buf_add(out, buf_str(&reading.parts[i]));
        buf_free(&reading.parts[i]);
    }
    if (reading.failed)
        *err = reading.err;
    return !reading.failed && input_stream_finish(stream, err);
}

static inline bool reading_member(const char *path, size_t member, int64_t start,
                                  int threads, size_t room, struct buf *out,
                                  struct err *err)
{
    struct input_stream_options options = {.start = start};
    struct input_stream *stream;
    struct input *input;
    bool ok = false;

    *err = (struct err){0};
    buf_clear(out);
    if (!input_open(path, &input, err))
        return false;
    if (member < input_count(input) &&
        input_stream_open(input, member, &options, &stream, err)) {
        ok = reading_stream(stream, threads, room, out, err);
        input_stream_close(stream);
    }
    input_close(input);
    return ok;
}

#endif
