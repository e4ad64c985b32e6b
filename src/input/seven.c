/* The header of a 7z archive: which members it has. Those whose method we cannot unpack
 * ourselves are left to libarchive. */
#include "input/internal.h"

#include <string.h>
#include <zlib.h>

/* is 0 */
static uint64_t seven_header_give_up(struct input_seven_header *header)
{
    header->wrong = true;
    header->at = header->end;
    return 0;
}

size_t input_seven_header_left(const struct input_seven_header *header)
{
    return (size_t)(header->end - header->at);
}

unsigned input_seven_header_byte(struct input_seven_header *header)
{
    return header->at < header->end ? *header->at++
                                    : (unsigned)seven_header_give_up(header);
}

/* The leading ones of the first byte tell how many bytes follow, lowest first. */
uint64_t input_seven_header_number(struct input_seven_header *header)
{
    unsigned first = input_seven_header_byte(header), mask = 0x80;
    uint64_t value = 0;

    for (int i = 0; i < 8; i++, mask >>= 1) {
        if (!(first & mask))
            return value | (uint64_t)(first & (mask - 1)) << 8 * i;
        value |= (uint64_t)input_seven_header_byte(header) << 8 * i;
    }
    return value;
}

/* A number of things each of which takes at least one byte of the header, or, with
 * `extra`, of so many more. */
size_t input_seven_header_count(struct input_seven_header *header, size_t extra)
{
    uint64_t count = input_seven_header_number(header);

    return count > input_seven_header_left(header) + extra
               ? (size_t)seven_header_give_up(header)
               : (size_t)count;
}

int64_t input_seven_header_size(struct input_seven_header *header)
{
    uint64_t size = input_seven_header_number(header);

    return size > INT64_MAX / 4 ? (int64_t)seven_header_give_up(header) : (int64_t)size;
}

uint32_t input_seven_header_crc(struct input_seven_header *header)
{
    uint32_t crc = 0;

    for (int i = 0; i < 4; i++)
        crc |= (uint32_t)input_seven_header_byte(header) << 8 * i;
    return crc;
}

static void seven_header_skip(struct input_seven_header *header, uint64_t count)
{
    if (count > input_seven_header_left(header))
        seven_header_give_up(header);
    else
        header->at += count;
}

/* One bit each, highest first. */
bool *input_seven_header_bits(struct input_seven_header *header, size_t count,
                              struct arena *arena)
{
    bool *bits = arena_array(arena, bool, count + 1);
    unsigned byte = 0;

    for (size_t i = 0; i < count; i++) {
        if (i % 8 == 0)
            byte = input_seven_header_byte(header);
        bits[i] = byte >> (7 - i % 8) & 1;
    }
    return bits;
}

/* The same, preceded by a byte that is 1 when all are set. */
bool *input_seven_header_defined(struct input_seven_header *header, size_t count,
                                 struct arena *arena)
{
    if (input_seven_header_byte(header) == 0)
        return input_seven_header_bits(header, count, arena);
    bool *bits = arena_array(arena, bool, count + 1);
    for (size_t i = 0; i < count; i++)
        bits[i] = true;
    return bits;
}

void input_seven_header_expect(struct input_seven_header *header,
                               enum input_seven_header_property property)
{
    if (input_seven_header_number(header) != (uint64_t)property)
        seven_header_give_up(header);
}

/* A folder is a chain of coders over packed streams. Folders packed by one method that we
 * can unpack ourselves, and in parallel, are told apart from all others. */

enum { CODERS_MAX = 32 };

enum { SEVEN_SIGNATURE_BYTES = 32 }; /* before everything else in the archive */

static void take_pack_info(struct input_seven_streams *seven,
                           struct input_seven_header *header)
{
    seven->packed_at = SEVEN_SIGNATURE_BYTES + input_seven_header_size(header);
    seven->packed_count = input_seven_header_count(header, 0);
    seven->packed = arena_array(seven->arena, int64_t, seven->packed_count + 1);
    for (;;) {
        uint64_t property = input_seven_header_number(header);
        if (property == INPUT_SEVEN_HEADER_END || header->wrong)
            return;
        if (property == INPUT_SEVEN_HEADER_SIZE) {
            for (size_t i = 0; i < seven->packed_count; i++)
                seven->packed[i] = input_seven_header_size(header);
        } else if (property == INPUT_SEVEN_HEADER_CRC) {
            bool *defined =
                input_seven_header_defined(header, seven->packed_count, seven->arena);
            for (size_t i = 0; i < seven->packed_count; i++)
                if (defined[i])
                    input_seven_header_crc(header);
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
static void set_method(struct input_layout *layout, const unsigned char *id,
                       size_t id_len, const unsigned char *props, size_t props_len)
{
    layout->method = INPUT_SEVEN_OTHER;
    if (id_is(id, id_len, "\x00", 1))
        layout->method = INPUT_SEVEN_COPY;
    else if (id_is(id, id_len, "\x03\x01\x01", 3) && props_len == 5)
        layout->method = INPUT_SEVEN_LZMA;
    else if (id_is(id, id_len, "\x21", 1) && props_len == 1)
        layout->method = INPUT_SEVEN_LZMA2;
    else if (id_is(id, id_len, "\x04\x02\x02", 3))
        layout->method = INPUT_SEVEN_BZIP2;
    else if (id_is(id, id_len, "\x04\x01\x09", 3))
        layout->method = INPUT_SEVEN_DEFLATE64;
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

static void take_coder(struct input_seven_header *header,
                       struct input_seven_streams_folder *folder, bool only,
                       struct coder_totals *totals)
{
    unsigned flags = input_seven_header_byte(header);
    size_t id_len = flags & 0x0F, props_len = 0;
    const unsigned char *id = header->at, *props = NULL;
    uint64_t inputs = 1, outputs = 1;

    seven_header_skip(header, id_len);
    if (flags & 0x10) {
        inputs = input_seven_header_number(header);
        outputs = input_seven_header_number(header);
    }
    if (flags & 0x20) {
        props_len = input_seven_header_count(header, 0);
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

static void take_folder(struct input_seven_header *header,
                        struct input_seven_streams_folder *folder)
{
    size_t coders = input_seven_header_count(header, 0);
    struct coder_totals totals = {0};
    bool bound[CODERS_MAX * CODERS_MAX] = {false};

    folder->layout.format = INPUT_SEVEN_ZIP;
    folder->layout.method = INPUT_SEVEN_OTHER;
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
        input_seven_header_number(header); /* the input */
        uint64_t output = input_seven_header_number(header);
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
            input_seven_header_number(header);
}

static void take_unpack_info(struct input_seven_streams *seven,
                             struct input_seven_header *header)
{
    input_seven_header_expect(header, INPUT_SEVEN_HEADER_FOLDER);
    seven->folder_count = input_seven_header_count(header, 0);
    seven->folders = arena_array(seven->arena, struct input_seven_streams_folder,
                                 seven->folder_count + 1);
    if (input_seven_header_byte(header) != 0) /* kept elsewhere */
        seven_header_give_up(header);
    for (size_t i = 0; i < seven->folder_count && !header->wrong; i++)
        take_folder(header, &seven->folders[i]);
    input_seven_header_expect(header, INPUT_SEVEN_HEADER_UNPACK_SIZES);
    for (size_t i = 0; i < seven->folder_count && !header->wrong; i++) {
        struct input_seven_streams_folder *folder = &seven->folders[i];
        for (size_t k = 0; k < folder->outputs; k++) {
            int64_t size = input_seven_header_size(header);
            if (k == folder->main_output)
                folder->layout.folder_size = size;
        }
        folder->streams = 1;
    }
    uint64_t property = input_seven_header_number(header);
    if (property == INPUT_SEVEN_HEADER_CRC) {
        bool *defined =
            input_seven_header_defined(header, seven->folder_count, seven->arena);
        for (size_t i = 0; i < seven->folder_count; i++) {
            seven->folders[i].has_crc = defined[i];
            if (defined[i])
                seven->folders[i].crc = input_seven_header_crc(header);
        }
        property = input_seven_header_number(header);
    }
    if (property != INPUT_SEVEN_HEADER_END)
        seven_header_give_up(header);
}

/* Which packed bytes are each folder's. */
static void place_folders(struct input_seven_streams *seven,
                          struct input_seven_header *header)
{
    int64_t at = seven->packed_at;
    size_t next = 0;

    for (size_t i = 0; i < seven->folder_count && !header->wrong; i++) {
        struct input_seven_streams_folder *folder = &seven->folders[i];
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
static void take_sub_sizes(struct input_seven_streams *seven,
                           struct input_seven_header *header)
{
    struct input_seven_streams_stream *stream = seven->streams;

    for (size_t i = 0; i < seven->folder_count && !header->wrong; i++) {
        struct input_seven_streams_folder *folder = &seven->folders[i];
        int64_t rest = folder->layout.folder_size;
        for (size_t k = 0; k < folder->streams; k++, stream++) {
            stream->size =
                k + 1 < folder->streams ? input_seven_header_size(header) : rest;
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

static void take_sub_crcs(struct input_seven_streams *seven,
                          struct input_seven_header *header)
{
    size_t unknown = 0, next = 0;

    for (size_t i = 0; i < seven->stream_count; i++)
        unknown += !seven->streams[i].has_crc;
    bool *defined = input_seven_header_defined(header, unknown, seven->arena);
    for (size_t i = 0; i < seven->stream_count && !header->wrong; i++) {
        struct input_seven_streams_stream *stream = &seven->streams[i];
        if (!stream->has_crc && defined[next++]) {
            stream->crc = input_seven_header_crc(header);
            stream->has_crc = true;
        }
    }
}

/* `property` is the one already taken. */
static void take_sub_streams(struct input_seven_streams *seven,
                             struct input_seven_header *header, uint64_t property)
{
    seven->stream_count = 0;
    if (property == INPUT_SEVEN_HEADER_COUNT) {
        for (size_t i = 0; i < seven->folder_count && !header->wrong; i++)
            seven->folders[i].streams = input_seven_header_count(header, 1);
        property = input_seven_header_number(header);
    }
    for (size_t i = 0; i < seven->folder_count; i++)
        seven->stream_count += seven->folders[i].streams;
    /* Every one but the last of a folder has its size in the header. */
    if (header->wrong ||
        seven->stream_count > input_seven_header_left(header) + seven->folder_count) {
        seven_header_give_up(header);
        return;
    }
    seven->streams = arena_array(seven->arena, struct input_seven_streams_stream,
                                 seven->stream_count + 1);
    /* Without INPUT_SEVEN_HEADER_SIZE no folder has more than one. */
    struct input_seven_header none = {0};
    take_sub_sizes(seven, property == INPUT_SEVEN_HEADER_SIZE ? header : &none);
    if (none.wrong)
        seven_header_give_up(header);
    if (property == INPUT_SEVEN_HEADER_SIZE)
        property = input_seven_header_number(header);
    if (property == INPUT_SEVEN_HEADER_CRC) {
        take_sub_crcs(seven, header);
        property = input_seven_header_number(header);
    }
    if (property != INPUT_SEVEN_HEADER_END)
        seven_header_give_up(header);
}

void input_seven_streams_take(struct input_seven_streams *seven,
                              struct input_seven_header *header)
{
    uint64_t property = input_seven_header_number(header);

    if (property == INPUT_SEVEN_HEADER_PACK_INFO) {
        take_pack_info(seven, header);
        property = input_seven_header_number(header);
    }
    if (property == INPUT_SEVEN_HEADER_UNPACK_INFO) {
        take_unpack_info(seven, header);
        place_folders(seven, header);
        property = input_seven_header_number(header);
    }
    if (property == INPUT_SEVEN_HEADER_SUBSTREAMS_INFO) {
        take_sub_streams(seven, header, input_seven_header_number(header));
        property = input_seven_header_number(header);
    } else if (!header->wrong) {
        struct input_seven_header none = {0};
        const unsigned char end = INPUT_SEVEN_HEADER_END;
        none.at = none.end = &end;
        take_sub_streams(seven, &none, INPUT_SEVEN_HEADER_END);
    }
    if (property != INPUT_SEVEN_HEADER_END)
        seven_header_give_up(header);
}

enum {
    HEADER_BYTES_MAX = 256 * 1024 * 1024,
    NESTING_MAX = 4, /* of headers that are packed themselves */
};

static bool damaged(const char *name, struct err *err)
{
    return err_set(err, ERR_INPUT, "%s: is damaged: its 7z header makes no sense", name);
}

static bool locked(const char *name, struct err *err)
{
    return err_set(err, ERR_INPUT, "%s: is locked with a password; unpack it first",
                   name);
}

/* UTF-16 to UTF-8; a half of a pair becomes U+FFFD. */
static void add_utf16(struct buf *out, const unsigned char *bytes, size_t units)
{
    for (size_t i = 0; i < units; i++) {
        uint32_t code = bytes[2 * i] | (uint32_t)bytes[2 * i + 1] << 8;
        if (code >= 0xD800 && code < 0xDC00 && i + 1 < units) {
            uint32_t low = bytes[2 * i + 2] | (uint32_t)bytes[2 * i + 3] << 8;
            if (low >= 0xDC00 && low < 0xE000) {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                i++;
            }
        }
        if (code >= 0xD800 && code < 0xE000)
            code = 0xFFFD;
        if (code < 0x80) {
            buf_add_char(out, (char)code);
            continue;
        }
        if (code >= 0x10000) {
            buf_add_char(out, (char)(0xF0 | code >> 18));
            buf_add_char(out, (char)(0x80 | (code >> 12 & 0x3F)));
        } else if (code >= 0x800) {
            buf_add_char(out, (char)(0xE0 | code >> 12));
        }
        buf_add_char(
            out, (char)(code >= 0x800 ? 0x80 | (code >> 6 & 0x3F) : 0xC0 | code >> 6));
        buf_add_char(out, (char)(0x80 | (code & 0x3F)));
    }
}

/* A name ends with two zero bytes. */
static struct str take_name(struct input_seven_header *names, struct arena *arena)
{
    const unsigned char *begin = names->at;
    struct buf name = {0};
    size_t units = 0;

    while (input_seven_header_left(names) >= 2 &&
           (names->at[0] != 0 || names->at[1] != 0)) {
        names->at += 2;
        units++;
    }
    if (input_seven_header_left(names) < 2)
        seven_header_give_up(names);
    else
        names->at += 2;
    add_utf16(&name, begin, units);
    return buf_keep(&name, arena);
}

struct files {
    size_t count;
    bool *empty;      /* those without a stream */
    bool *empty_file; /* by their number among the empty: files, not folders */
    struct input_seven_header names;
};

static void take_files(struct input_seven_streams *seven,
                       struct input_seven_header *header, struct files *files)
{
    size_t empty = 0;

    files->count = input_seven_header_count(header, 0);
    files->empty = arena_array(seven->arena, bool, files->count + 1);
    files->empty_file = arena_array(seven->arena, bool, files->count + 1);
    for (;;) {
        uint64_t property = input_seven_header_number(header);
        if (property == INPUT_SEVEN_HEADER_END || header->wrong)
            return;
        uint64_t size = input_seven_header_number(header);
        struct input_seven_header own = {header->at, header->at, false};
        seven_header_skip(header, size);
        if (header->wrong)
            return;
        own.end = header->at;
        if (property == INPUT_SEVEN_HEADER_EMPTY_STREAM) {
            files->empty = input_seven_header_bits(&own, files->count, seven->arena);
            for (size_t i = 0; i < files->count; i++)
                empty += files->empty[i];
        } else if (property == INPUT_SEVEN_HEADER_EMPTY_FILE) {
            files->empty_file = input_seven_header_bits(&own, empty, seven->arena);
        } else if (property == INPUT_SEVEN_HEADER_NAMES) {
            if (input_seven_header_byte(&own) != 0) /* kept elsewhere */
                seven_header_give_up(&own);
            files->names = own;
        }
        if (own.wrong)
            seven_header_give_up(header);
    }
}

static void add_member(struct input_seven_streams *seven, struct input_raw *raw,
                       struct input_member_list *list, struct str name,
                       const struct input_seven_streams_folder *folder, int64_t skip,
                       const struct input_seven_streams_stream *stream)
{
    struct input_member_packed *member = input_members_add(list, raw, name);

    (void)seven;
    member->layout = folder->layout;
    member->layout.skip = skip;
    member->layout.size = stream->size;
    member->layout.has_crc = stream->has_crc;
    member->layout.crc = stream->crc;
    member->shown.size = stream->size;
    member->shown.format = folder->layout.format_name;
}

/* Files that have a stream take the streams in their order. */
static void match(struct input_seven_streams *seven, struct input_raw *raw,
                  struct input_member_list *list, struct files *files,
                  struct input_seven_header *header)
{
    static const struct input_seven_streams_folder nothing = {
        .layout = {
            .format = INPUT_SEVEN_ZIP, .method = INPUT_SEVEN_COPY, .format_name = "7z"}};
    static const struct input_seven_streams_stream no_bytes = {0};
    size_t folder = 0, in_folder = 0, stream = 0, empty = 0;
    int64_t skip = 0;

    for (size_t i = 0; i < files->count && !header->wrong; i++) {
        struct str name = take_name(&files->names, seven->arena);
        if (files->empty[i]) {
            if (files->empty_file[empty++])
                add_member(seven, raw, list, name, &nothing, 0, &no_bytes);
            continue;
        }
        while (folder < seven->folder_count &&
               in_folder == seven->folders[folder].streams) {
            folder++;
            in_folder = 0;
            skip = 0;
        }
        if (folder == seven->folder_count || stream == seven->stream_count ||
            files->names.wrong) {
            seven_header_give_up(header);
            return;
        }
        add_member(seven, raw, list, name, &seven->folders[folder], skip,
                   &seven->streams[stream]);
        skip += seven->streams[stream++].size;
        in_folder++;
    }
}

/* Unpacks a header that is packed itself, by LZMA as a rule. */
static bool unpack_header(const struct input_seven_streams *seven, struct input_raw *raw,
                          struct str *out, struct err *err)
{
    const struct input_seven_streams_folder *folder = &seven->folders[0];
    struct arena arena = {0};
    struct input_stream stream = {
        .raw = raw, .place = seven->name, .layout = folder->layout, .codec = &codec_lzma};
    size_t done = 0, got = 1;
    bool ok = false;

    if (seven->folder_count != 1 || folder->layout.folder_size > HEADER_BYTES_MAX ||
        folder->layout.to > raw->size)
        return damaged(seven->name, err);
    if (folder->layout.encrypted)
        return locked(seven->name, err);
    if (folder->layout.method != INPUT_SEVEN_LZMA &&
        folder->layout.method != INPUT_SEVEN_LZMA2)
        return err_set(err, ERR_INPUT,
                       "%s: its 7z header is packed by a method other than "
                       "LZMA",
                       seven->name);
    size_t size = (size_t)folder->layout.folder_size;
    char *bytes = arena_array(seven->arena, char, size + 1);
    if (!stream.codec->open(&stream, err))
        goto done;
    while (done < size && got > 0) {
        if (!stream.codec->read(&stream, bytes + done, size - done, &got, err))
            goto done;
        done += got;
    }
    *out = (struct str){bytes, size};
    ok = done == size &&
         (!folder->has_crc || crc32_z(0, (const Bytef *)bytes, size) == folder->crc);
    if (!ok)
        damaged(seven->name, err);
done:
    stream.codec->close(&stream);
    arena_free(&stream.arena);
    arena_free(&arena);
    return ok;
}

static bool parse(struct input_seven_streams *seven, struct input_raw *raw,
                  struct str bytes, int nesting, struct input_member_list *list,
                  struct err *err)
{
    struct input_seven_header header = {(const unsigned char *)bytes.ptr,
                                        (const unsigned char *)bytes.ptr + bytes.len,
                                        false};
    uint64_t property = input_seven_header_number(&header);
    struct files files = {0};

    if (property == INPUT_SEVEN_HEADER_ENCODED_HEADER && nesting < NESTING_MAX) {
        struct str unpacked;
        input_seven_streams_take(seven, &header);
        if (header.wrong || seven->folder_count == 0)
            return damaged(seven->name, err);
        if (!unpack_header(seven, raw, &unpacked, err))
            return false;
        struct input_seven_streams inner = {.arena = seven->arena, .name = seven->name};
        return parse(&inner, raw, unpacked, nesting + 1, list, err);
    }
    if (property != INPUT_SEVEN_HEADER_HEADER)
        return damaged(seven->name, err);
    property = input_seven_header_number(&header);
    if (property == INPUT_SEVEN_HEADER_ARCHIVE_PROPERTIES ||
        property == INPUT_SEVEN_HEADER_ADDITIONAL_STREAMS)
        return damaged(seven->name, err); /* no 7-Zip has written them */
    if (property == INPUT_SEVEN_HEADER_MAIN_STREAMS) {
        input_seven_streams_take(seven, &header);
        property = input_seven_header_number(&header);
    }
    if (property == INPUT_SEVEN_HEADER_FILES) {
        take_files(seven, &header, &files);
        if (!header.wrong)
            match(seven, raw, list, &files, &header);
        property = input_seven_header_number(&header);
    }
    if (header.wrong || property != INPUT_SEVEN_HEADER_END)
        return damaged(seven->name, err);
    return true;
}

bool input_seven_list(struct input_raw *raw, struct input_member_list *list,
                      struct err *err)
{
    unsigned char start[SEVEN_SIGNATURE_BYTES];
    struct arena arena = {0};
    struct input_seven_streams seven = {.arena = &arena, .name = raw->name};
    size_t got;
    bool ok = false;

    if (!input_raw_read_at(raw, 0, (char *)start, sizeof start, &got, err))
        return false;
    struct input_seven_header header = {start + 8, start + got, false};
    uint32_t start_crc = input_seven_header_crc(&header);
    int64_t offset = 0, size = 0;
    for (int i = 0; i < 8; i++)
        offset |= (int64_t)((uint64_t)input_seven_header_byte(&header) << 8 * i);
    for (int i = 0; i < 8; i++)
        size |= (int64_t)((uint64_t)input_seven_header_byte(&header) << 8 * i);
    uint32_t crc = input_seven_header_crc(&header);
    if (header.wrong)
        return err_set(err, ERR_INPUT, "%s: is cut: a 7z archive has at least %d bytes",
                       raw->name, SEVEN_SIGNATURE_BYTES);
    if (crc32_z(0, start + 12, 20) != start_crc || offset < 0 || size < 0)
        return damaged(raw->name, err);
    if (size == 0)
        return true; /* no members */
    if (offset > raw->size || size > raw->size ||
        SEVEN_SIGNATURE_BYTES + offset + size > raw->size)
        return err_set(err, ERR_INPUT,
                       "%s: is cut: the file has %lld bytes, and its 7z archive %lld",
                       raw->name, (long long)raw->size,
                       (long long)(SEVEN_SIGNATURE_BYTES + offset + size));
    if (size > HEADER_BYTES_MAX)
        return damaged(raw->name, err);
    char *bytes = arena_array(&arena, char, (size_t)size);
    if (!input_raw_read_at(raw, SEVEN_SIGNATURE_BYTES + offset, bytes, (size_t)size, &got,
                           err))
        goto done;
    if (got < (size_t)size || crc32_z(0, (const Bytef *)bytes, got) != crc) {
        damaged(raw->name, err);
        goto done;
    }
    ok = parse(&seven, raw, (struct str){bytes, got}, 0, list, err);
done:
    arena_free(&arena);
    return ok;
}
