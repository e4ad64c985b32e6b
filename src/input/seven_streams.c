/* A folder is a chain of coders over packed streams. Folders packed by one method that we
 * can unpack ourselves, and in parallel, are told apart from all others. */
#include "input/seven_streams.h"

#include <string.h>

enum { CODERS_MAX = 32 };

static void take_pack_info(struct seven_streams *seven, struct seven_header *header)
{
    seven->packed_at = SEVEN_SIGNATURE_BYTES + seven_header_size(header);
    seven->packed_count = seven_header_count(header, 0);
    seven->packed = arena_array(seven->arena, int64_t, seven->packed_count + 1);
    for (;;) {
        uint64_t property = seven_header_number(header);
        if (property == SEVEN_HEADER_END || header->wrong)
            return;
        if (property == SEVEN_HEADER_SIZE) {
            for (size_t i = 0; i < seven->packed_count; i++)
                seven->packed[i] = seven_header_size(header);
        } else if (property == SEVEN_HEADER_CRC) {
            bool *defined =
                seven_header_defined(header, seven->packed_count, seven->arena);
            for (size_t i = 0; i < seven->packed_count; i++)
                if (defined[i])
                    seven_header_crc(header);
        } else {
            seven_header_give_up(header);
        }
    }
}

static bool id_is(const unsigned char *id, size_t len, const char *want, size_t want_len)
{
    return len == want_len && memcmp(id, want, len) == 0;
}

/* The method of the folder's only coder. */
static void set_method(struct layout *layout, const unsigned char *id, size_t id_len,
                       const unsigned char *props, size_t props_len)
{
    layout->method = SEVEN_OTHER;
    if (id_is(id, id_len, "\x00", 1))
        layout->method = SEVEN_COPY;
    else if (id_is(id, id_len, "\x03\x01\x01", 3) && props_len == 5)
        layout->method = SEVEN_LZMA;
    else if (id_is(id, id_len, "\x21", 1) && props_len == 1)
        layout->method = SEVEN_LZMA2;
    else if (id_is(id, id_len, "\x04\x02\x02", 3))
        layout->method = SEVEN_BZIP2;
    if (props_len > 0 && props_len <= sizeof layout->props) {
        memcpy(layout->props, props, props_len);
        layout->props_len = props_len;
    }
}

static const char *method_name(const unsigned char *id, size_t len)
{
    static const struct {
        struct str id;
        const char *name;
    } names[] = {
        {{"\x00", 1}, "7z Copy"},
        {{"\x03\x01\x01", 3}, "7z LZMA"},
        {{"\x21", 1}, "7z LZMA2"},
        {{"\x04\x02\x02", 3}, "7z BZip2"},
        {{"\x03\x04\x01", 3}, "7z PPMd"},
        {{"\x04\x01\x08", 3}, "7z Deflate"},
        {{"\x04\x01\x09", 3}, "7z Deflate64"},
    };

    for (size_t i = 0; i < ROWS_OF(names); i++)
        if (str_eq((struct str){(const char *)id, len}, names[i].id))
            return names[i].name;
    return "7z";
}

struct coder_totals {
    size_t inputs, outputs;
};

static void take_coder(struct seven_header *header, struct seven_streams_folder *folder,
                       bool only, struct coder_totals *totals)
{
    unsigned flags = seven_header_byte(header);
    size_t id_len = flags & 0x0F, props_len = 0;
    const unsigned char *id = header->at, *props = NULL;
    uint64_t inputs = 1, outputs = 1;

    seven_header_skip(header, id_len);
    if (flags & 0x10) {
        inputs = seven_header_number(header);
        outputs = seven_header_number(header);
    }
    if (flags & 0x20) {
        props_len = seven_header_count(header, 0);
        props = header->at;
        seven_header_skip(header, props_len);
    }
    if (flags & 0x80 || inputs > CODERS_MAX || outputs > CODERS_MAX || header->wrong) {
        seven_header_give_up(header);
        return;
    }
    totals->inputs += (size_t)inputs;
    totals->outputs += (size_t)outputs;
    if (id_is(id, id_len, "\x06\xF1\x07\x01", 4)) /* AES */
        folder->layout.encrypted = true;
    if (folder->layout.format_name == NULL)
        folder->layout.format_name = method_name(id, id_len);
    if (only && inputs == 1 && outputs == 1)
        set_method(&folder->layout, id, id_len, props, props_len);
}

static void take_folder(struct seven_header *header, struct seven_streams_folder *folder)
{
    size_t coders = seven_header_count(header, 0);
    struct coder_totals totals = {0};
    bool bound[CODERS_MAX * CODERS_MAX] = {false};

    folder->layout.format = SEVEN_ZIP;
    folder->layout.method = SEVEN_OTHER;
    if (coders == 0 || coders > CODERS_MAX)
        seven_header_give_up(header);
    for (size_t i = 0; i < coders && !header->wrong; i++)
        take_coder(header, folder, coders == 1, &totals);
    if (header->wrong || totals.outputs == 0 || totals.inputs + 1 < totals.outputs) {
        seven_header_give_up(header);
        return;
    }
    size_t pairs = totals.outputs - 1;
    for (size_t i = 0; i < pairs; i++) {
        seven_header_number(header); /* the input */
        uint64_t output = seven_header_number(header);
        if (output >= totals.outputs) {
            seven_header_give_up(header);
            return;
        }
        bound[output] = true;
    }
    folder->outputs = totals.outputs;
    while (folder->main_output < totals.outputs && bound[folder->main_output])
        folder->main_output++;
    folder->packed = totals.inputs - pairs;
    if (folder->packed > 1)
        for (size_t i = 0; i < folder->packed; i++)
            seven_header_number(header);
}

static void take_unpack_info(struct seven_streams *seven, struct seven_header *header)
{
    seven_header_expect(header, SEVEN_HEADER_FOLDER);
    seven->folder_count = seven_header_count(header, 0);
    seven->folders =
        arena_array(seven->arena, struct seven_streams_folder, seven->folder_count + 1);
    if (seven_header_byte(header) != 0) /* kept elsewhere */
        seven_header_give_up(header);
    for (size_t i = 0; i < seven->folder_count && !header->wrong; i++)
        take_folder(header, &seven->folders[i]);
    seven_header_expect(header, SEVEN_HEADER_UNPACK_SIZES);
    for (size_t i = 0; i < seven->folder_count && !header->wrong; i++) {
        struct seven_streams_folder *folder = &seven->folders[i];
        for (size_t k = 0; k < folder->outputs; k++) {
            int64_t size = seven_header_size(header);
            if (k == folder->main_output)
                folder->layout.folder_size = size;
        }
        folder->streams = 1;
    }
    uint64_t property = seven_header_number(header);
    if (property == SEVEN_HEADER_CRC) {
        bool *defined = seven_header_defined(header, seven->folder_count, seven->arena);
        for (size_t i = 0; i < seven->folder_count; i++) {
            seven->folders[i].has_crc = defined[i];
            if (defined[i])
                seven->folders[i].crc = seven_header_crc(header);
        }
        property = seven_header_number(header);
    }
    if (property != SEVEN_HEADER_END)
        seven_header_give_up(header);
}

/* Which packed bytes are each folder's. */
static void place_folders(struct seven_streams *seven, struct seven_header *header)
{
    int64_t at = seven->packed_at;
    size_t next = 0;

    for (size_t i = 0; i < seven->folder_count && !header->wrong; i++) {
        struct seven_streams_folder *folder = &seven->folders[i];
        if (folder->packed > seven->packed_count - next) {
            seven_header_give_up(header);
            return;
        }
        folder->layout.from = folder->layout.to = at;
        for (size_t k = 0; k < folder->packed; k++)
            folder->layout.to += seven->packed[next++];
        at = folder->layout.to;
        if (at > INT64_MAX / 4)
            seven_header_give_up(header);
    }
}

/* Sizes of the members in a folder: all but the last are written down. */
static void take_sub_sizes(struct seven_streams *seven, struct seven_header *header)
{
    struct seven_streams_stream *stream = seven->streams;

    for (size_t i = 0; i < seven->folder_count && !header->wrong; i++) {
        struct seven_streams_folder *folder = &seven->folders[i];
        int64_t rest = folder->layout.folder_size;
        for (size_t k = 0; k < folder->streams; k++, stream++) {
            stream->size = k + 1 < folder->streams ? seven_header_size(header) : rest;
            rest -= stream->size;
            if (rest < 0)
                seven_header_give_up(header);
        }
        if (folder->streams == 1) {
            stream[-1].has_crc = folder->has_crc;
            stream[-1].crc = folder->crc;
        }
    }
}

static void take_sub_crcs(struct seven_streams *seven, struct seven_header *header)
{
    size_t unknown = 0, next = 0;

    for (size_t i = 0; i < seven->stream_count; i++)
        unknown += !seven->streams[i].has_crc;
    bool *defined = seven_header_defined(header, unknown, seven->arena);
    for (size_t i = 0; i < seven->stream_count && !header->wrong; i++) {
        struct seven_streams_stream *stream = &seven->streams[i];
        if (!stream->has_crc && defined[next++]) {
            stream->crc = seven_header_crc(header);
            stream->has_crc = true;
        }
    }
}

/* `property` is the one already taken. */
static void take_sub_streams(struct seven_streams *seven, struct seven_header *header,
                             uint64_t property)
{
    seven->stream_count = 0;
    if (property == SEVEN_HEADER_COUNT) {
        for (size_t i = 0; i < seven->folder_count && !header->wrong; i++)
            seven->folders[i].streams = seven_header_count(header, 1);
        property = seven_header_number(header);
    }
    for (size_t i = 0; i < seven->folder_count; i++)
        seven->stream_count += seven->folders[i].streams;
    /* Every one but the last of a folder has its size in the header. */
    if (header->wrong ||
        seven->stream_count > seven_header_left(header) + seven->folder_count) {
        seven_header_give_up(header);
        return;
    }
    seven->streams =
        arena_array(seven->arena, struct seven_streams_stream, seven->stream_count + 1);
    /* Without SEVEN_HEADER_SIZE no folder has more than one. */
    struct seven_header none = {0};
    take_sub_sizes(seven, property == SEVEN_HEADER_SIZE ? header : &none);
    if (none.wrong)
        seven_header_give_up(header);
    if (property == SEVEN_HEADER_SIZE)
        property = seven_header_number(header);
    if (property == SEVEN_HEADER_CRC) {
        take_sub_crcs(seven, header);
        property = seven_header_number(header);
    }
    if (property != SEVEN_HEADER_END)
        seven_header_give_up(header);
}

void seven_streams_take(struct seven_streams *seven, struct seven_header *header)
{
    uint64_t property = seven_header_number(header);

    if (property == SEVEN_HEADER_PACK_INFO) {
        take_pack_info(seven, header);
        property = seven_header_number(header);
    }
    if (property == SEVEN_HEADER_UNPACK_INFO) {
        take_unpack_info(seven, header);
        place_folders(seven, header);
        property = seven_header_number(header);
    }
    if (property == SEVEN_HEADER_SUBSTREAMS_INFO) {
        take_sub_streams(seven, header, seven_header_number(header));
        property = seven_header_number(header);
    } else if (!header->wrong) {
        struct seven_header none = {0};
        const unsigned char end = SEVEN_HEADER_END;
        none.at = none.end = &end;
        take_sub_streams(seven, &none, SEVEN_HEADER_END);
    }
    if (property != SEVEN_HEADER_END)
        seven_header_give_up(header);
}
