/* Any bytes as a file, an archive or something packed: never a crash, a hang or a leak,
 * and what comes out in order is what comes out part by part. */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>

#include "base/buf.h"
#include "input/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { OUTPUT_MAX = 1 << 20, MEMBERS_MAX = 4 };

static char path[100];

static void forget(void)
{
    remove(path);
}

static void write_file(const uint8_t *data, size_t size)
{
    if (path[0] == '\0') {
        const char *folder = getenv("TMPDIR");
        snprintf(path, sizeof path, "%.60s/fuzz-input.%ld",
                 folder != NULL ? folder : "/tmp", (long)getpid());
        atexit(forget);
    }
    FILE *file = fopen(path, "wb");
    assert(file != NULL);
    size_t done = size > 0 ? fwrite(data, 1, size, file) : 0;
    int closed = fclose(file);
    assert(done == size && closed == 0);
    (void)done, (void)closed;
}

/* Everything in order; false when it is refused. What is too long is left. */
static bool read_in_order(struct input *input, size_t member, int64_t start,
                          struct buf *out, struct err *err)
{
    struct input_stream_options options = {.start = start, .hash = true};
    struct input_stream *stream;
    uint64_t hash[2];
    size_t got = 1;
    bool ok = true;

    if (!input_stream_open(input, member, &options, &stream, err))
        return false;
    while (ok && got > 0 && out->len < OUTPUT_MAX) {
        ok = input_stream_read(stream, buf_reserve(out, 5000), 5000, &got, err);
        if (ok)
            out->len += got;
    }
    if (ok && got == 0)
        ok = input_stream_finish(stream, err) && input_stream_hash(stream, hash, err);
    assert(input_stream_size(stream) >= 0);
    input_stream_close(stream);
    return ok;
}

/* Part by part; those that can be had at once so, if that is wanted. */
static bool read_parts(struct input *input, size_t member, bool at_once, struct buf *out,
                       struct err *err)
{
    struct input_stream_options options = {0};
    struct input_stream *stream;
    struct input_part part;
    bool ok = true, more = true;
    int64_t number = 0;
    struct str part_whole;

    if (!input_stream_open(input, member, &options, &stream, err))
        return false;
    struct input_reader *reader = input_reader_open(stream);
    while (ok && more && out->len < OUTPUT_MAX) {
        size_t got = 1;
        ok = input_part_next(reader, &part, &more, err);
        assert(!ok || !more || part.number == number++);
        if (ok && more && at_once && input_stream_wholes(stream) &&
            input_part_map(reader, 32, &part_whole)) {
            buf_add(out, part_whole);
            ok = input_part_unmap(reader, err);
            continue;
        }
        while (ok && more && got > 0 && out->len < OUTPUT_MAX) {
            ok = input_part_read(reader, buf_reserve(out, INPUT_PART_BYTES),
                                 INPUT_PART_BYTES, &got, err);
            if (ok)
                out->len += got;
        }
    }
    if (ok && !more)
        ok = input_stream_finish(stream, err);
    input_reader_close(reader);
    input_stream_close(stream);
    return ok;
}

static void check_member(struct input *input, size_t member)
{
    struct buf whole = {0}, parts = {0}, at_once = {0}, rest = {0};
    struct err err = {0}, other = {0};
    bool ok = read_in_order(input, member, 0, &whole, &err);
    bool again = read_parts(input, member, false, &parts, &other);
    bool third = read_parts(input, member, true, &at_once, &other);

    assert(ok || (err.kind == ERR_INPUT && strncmp(err.text, path, strlen(path)) == 0));
    if (whole.len < OUTPUT_MAX && parts.len < OUTPUT_MAX) {
        assert(ok == again);
        if (ok)
            assert(str_eq(buf_str(&whole), buf_str(&parts)));
        /* What needs too large a window bit by bit does not at once. */
        assert(third || !ok);
        if (ok && at_once.len < OUTPUT_MAX)
            assert(str_eq(buf_str(&whole), buf_str(&at_once)));
        if (ok && read_in_order(input, member, 7, &rest, &err))
            assert(str_eq(buf_str(&rest), str_slice(buf_str(&whole), 7, whole.len)));
    }
    buf_free(&whole);
    buf_free(&parts);
    buf_free(&at_once);
    buf_free(&rest);
}

static void check_file(const uint8_t *data, size_t size)
{
    struct input *input;
    struct err err = {0};

    write_file(data, size);
    if (!input_open(path, &input, &err)) {
        assert(err.kind == ERR_INPUT && err.text[0] != '\0');
        return;
    }
    for (size_t i = 0; i < input_count(input) && i < MEMBERS_MAX; i++)
        check_member(input, i);
    input_close(input);
}

/* Makes the checksums of a 7z header right, so that what it says is looked at. False when
 * there is no such header. */
static bool mend(uint8_t *data, size_t size)
{
    uint64_t offset, len;
    uint32_t crc;

    if (size < 32 || memcmp(data, "7z\xBC\xAF\x27\x1C", 6) != 0)
        return false;
    memcpy(&offset, data + 12, 8);
    memcpy(&len, data + 20, 8);
    if (offset > size - 32 || len > size - 32 - offset)
        return false;
    crc = (uint32_t)crc32(0, data + 32 + offset, (uInt)len);
    memcpy(data + 28, &crc, 4);
    crc = (uint32_t)crc32(0, data + 12, 20);
    memcpy(data + 8, &crc, 4);
    return true;
}

static void put_little(uint8_t *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static uint32_t get_little(const uint8_t *from)
{
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
           (uint32_t)from[3] << 24;
}

/* Makes the sums of a pack by lz4 right, so that its frames are looked at: 27 bytes, the
 * frames, a head of 8, an entry of 16 for each frame, 20 bytes. False for anything else.
 */
static bool mend_lz4(uint8_t *data, size_t size)
{
    if (size < 55 || memcmp(data + 19, "assayLZ4", 8) != 0 ||
        memcmp(data + size - 8, "indexLZ4", 8) != 0)
        return false;
    size_t count = get_little(data + size - 20), at = 27;
    if (count > (size - 55) / 16)
        return false;
    uint8_t *entries = data + size - 20 - count * 16;
    for (size_t i = 0; i < count; i++) {
        size_t len = get_little(entries + i * 16);
        if (len > (size_t)(entries - 8 - data) - at)
            return false;
        put_little(entries + i * 16 + 8, XXH3_64bits(data + at, len), 8);
        at += len;
    }
    put_little(data + size - 16, XXH3_64bits(entries, count * 16 + 4), 8);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf copy = {0};

    check_file(data, size);
    buf_add(&copy, (struct str){(const char *)data, size});
    if (mend((uint8_t *)copy.ptr, size) || mend_lz4((uint8_t *)copy.ptr, size))
        check_file((const uint8_t *)copy.ptr, size);
    buf_free(&copy);
    return 0;
}
