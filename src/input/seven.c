/* The header of a 7z archive: which members it has and where they lie (7-Zip's
 * DOC/7zFormat.txt). Folders packed by one method that we can unpack ourselves, and in
 * parallel, are told apart from all others, which are left to libarchive. */
#include <lzma.h>
#include <string.h>
#include <zlib.h>

#include "input/internal.h"

enum {
    SIGNATURE_BYTES = 32,
    HEADER_BYTES_MAX = 256 * 1024 * 1024,
    CODERS_MAX = 32,
    NESTING_MAX = 4, /* of headers that are packed themselves */
};

enum property {
    K_END = 0x00,
    K_HEADER = 0x01,
    K_ARCHIVE_PROPERTIES = 0x02,
    K_ADDITIONAL_STREAMS = 0x03,
    K_MAIN_STREAMS = 0x04,
    K_FILES = 0x05,
    K_PACK_INFO = 0x06,
    K_UNPACK_INFO = 0x07,
    K_SUBSTREAMS_INFO = 0x08,
    K_SIZE = 0x09,
    K_CRC = 0x0A,
    K_FOLDER = 0x0B,
    K_UNPACK_SIZES = 0x0C,
    K_COUNT = 0x0D,
    K_EMPTY_STREAM = 0x0E,
    K_EMPTY_FILE = 0x0F,
    K_ANTI = 0x10,
    K_NAMES = 0x11,
    K_ENCODED_HEADER = 0x17,
};

/* The bytes of a header, taken from the front; once wrong, always wrong. */
struct header {
    const unsigned char *at, *end;
    bool wrong;
};

struct folder {
    struct layout layout; /* from, to, method, props, folder_size, encrypted */
    size_t packed;        /* how many packed streams it takes */
    size_t streams;       /* how many members it holds */
    size_t outputs;       /* unpacked streams of all its coders */
    size_t main_output;   /* the one that is the folder's */
    bool has_crc;
    uint32_t crc;
};

struct sub_stream {
    int64_t size;
    bool has_crc;
    uint32_t crc;
};

struct seven {
    struct arena *arena;
    const char *name;
    int64_t packed_at; /* of the first packed stream */
    int64_t *packed;   /* sizes */
    size_t packed_count;
    struct folder *folders;
    size_t folder_count;
    struct sub_stream *streams; /* of all folders, one after the other */
    size_t stream_count;
};

static uint64_t give_up(struct header *header)
{
    header->wrong = true;
    header->at = header->end;
    return 0;
}

static size_t left(const struct header *header)
{
    return (size_t)(header->end - header->at);
}

static unsigned take_byte(struct header *header)
{
    return header->at < header->end ? *header->at++ : (unsigned)give_up(header);
}

/* The leading ones of the first byte tell how many bytes follow, lowest first. */
static uint64_t take_number(struct header *header)
{
    unsigned first = take_byte(header), mask = 0x80;
    uint64_t value = 0;

    for (int i = 0; i < 8; i++, mask >>= 1) {
        if (!(first & mask))
            return value | (uint64_t)(first & (mask - 1)) << 8 * i;
        value |= (uint64_t)take_byte(header) << 8 * i;
    }
    return value;
}

/* A number of things each of which takes at least one byte of the header, or, with
 * `extra`, of so many more. */
static size_t take_count(struct header *header, size_t extra)
{
    uint64_t count = take_number(header);

    return count > left(header) + extra ? (size_t)give_up(header) : (size_t)count;
}

static int64_t take_size(struct header *header)
{
    uint64_t size = take_number(header);

    return size > INT64_MAX / 4 ? (int64_t)give_up(header) : (int64_t)size;
}

static uint32_t take_crc(struct header *header)
{
    uint32_t crc = 0;

    for (int i = 0; i < 4; i++)
        crc |= (uint32_t)take_byte(header) << 8 * i;
    return crc;
}

static void skip_bytes(struct header *header, uint64_t count)
{
    if (count > left(header))
        give_up(header);
    else
        header->at += count;
}

/* One bit each, highest first. */
static bool *take_bits(struct header *header, size_t count, struct arena *arena)
{
    bool *bits = arena_array(arena, bool, count + 1);
    unsigned byte = 0;

    for (size_t i = 0; i < count; i++) {
        if (i % 8 == 0)
            byte = take_byte(header);
        bits[i] = byte >> (7 - i % 8) & 1;
    }
    return bits;
}

/* The same, preceded by a byte that is 1 when all are set. */
static bool *take_defined(struct header *header, size_t count, struct arena *arena)
{
    if (take_byte(header) == 0)
        return take_bits(header, count, arena);
    bool *bits = arena_array(arena, bool, count + 1);
    for (size_t i = 0; i < count; i++)
        bits[i] = true;
    return bits;
}

static void expect(struct header *header, enum property property)
{
    if (take_number(header) != (uint64_t)property)
        give_up(header);
}

static void take_pack_info(struct seven *seven, struct header *header)
{
    seven->packed_at = SIGNATURE_BYTES + take_size(header);
    seven->packed_count = take_count(header, 0);
    seven->packed = arena_array(seven->arena, int64_t, seven->packed_count + 1);
    for (;;) {
        uint64_t property = take_number(header);
        if (property == K_END || header->wrong)
            return;
        if (property == K_SIZE) {
            for (size_t i = 0; i < seven->packed_count; i++)
                seven->packed[i] = take_size(header);
        } else if (property == K_CRC) {
            bool *defined = take_defined(header, seven->packed_count, seven->arena);
            for (size_t i = 0; i < seven->packed_count; i++)
                if (defined[i])
                    take_crc(header);
        } else {
            give_up(header);
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

static void take_coder(struct header *header, struct folder *folder, bool only,
                       struct coder_totals *totals)
{
    unsigned flags = take_byte(header);
    size_t id_len = flags & 0x0F, props_len = 0;
    const unsigned char *id = header->at, *props = NULL;
    uint64_t inputs = 1, outputs = 1;

    skip_bytes(header, id_len);
    if (flags & 0x10) {
        inputs = take_number(header);
        outputs = take_number(header);
    }
    if (flags & 0x20) {
        props_len = take_count(header, 0);
        props = header->at;
        skip_bytes(header, props_len);
    }
    if (flags & 0x80 || inputs > CODERS_MAX || outputs > CODERS_MAX || header->wrong) {
        give_up(header);
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

static void take_folder(struct header *header, struct folder *folder)
{
    size_t coders = take_count(header, 0);
    struct coder_totals totals = {0};
    bool bound[CODERS_MAX * CODERS_MAX] = {false};

    folder->layout.format = SEVEN_ZIP;
    folder->layout.method = SEVEN_OTHER;
    if (coders == 0 || coders > CODERS_MAX)
        give_up(header);
    for (size_t i = 0; i < coders && !header->wrong; i++)
        take_coder(header, folder, coders == 1, &totals);
    if (header->wrong || totals.outputs == 0 || totals.inputs + 1 < totals.outputs) {
        give_up(header);
        return;
    }
    size_t pairs = totals.outputs - 1;
    for (size_t i = 0; i < pairs; i++) {
        take_number(header); /* the input */
        uint64_t output = take_number(header);
        if (output >= totals.outputs) {
            give_up(header);
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
            take_number(header);
}

static void take_unpack_info(struct seven *seven, struct header *header)
{
    expect(header, K_FOLDER);
    seven->folder_count = take_count(header, 0);
    seven->folders = arena_array(seven->arena, struct folder, seven->folder_count + 1);
    if (take_byte(header) != 0) /* kept elsewhere */
        give_up(header);
    for (size_t i = 0; i < seven->folder_count && !header->wrong; i++)
        take_folder(header, &seven->folders[i]);
    expect(header, K_UNPACK_SIZES);
    for (size_t i = 0; i < seven->folder_count && !header->wrong; i++) {
        struct folder *folder = &seven->folders[i];
        for (size_t k = 0; k < folder->outputs; k++) {
            int64_t size = take_size(header);
            if (k == folder->main_output)
                folder->layout.folder_size = size;
        }
        folder->streams = 1;
    }
    uint64_t property = take_number(header);
    if (property == K_CRC) {
        bool *defined = take_defined(header, seven->folder_count, seven->arena);
        for (size_t i = 0; i < seven->folder_count; i++) {
            seven->folders[i].has_crc = defined[i];
            if (defined[i])
                seven->folders[i].crc = take_crc(header);
        }
        property = take_number(header);
    }
    if (property != K_END)
        give_up(header);
}

/* Which packed bytes are each folder's. */
static void place_folders(struct seven *seven, struct header *header)
{
    int64_t at = seven->packed_at;
    size_t next = 0;

    for (size_t i = 0; i < seven->folder_count && !header->wrong; i++) {
        struct folder *folder = &seven->folders[i];
        if (folder->packed > seven->packed_count - next) {
            give_up(header);
            return;
        }
        folder->layout.from = folder->layout.to = at;
        for (size_t k = 0; k < folder->packed; k++)
            folder->layout.to += seven->packed[next++];
        at = folder->layout.to;
        if (at > INT64_MAX / 4)
            give_up(header);
    }
}

/* Sizes of the members in a folder: all but the last are written down. */
static void take_sub_sizes(struct seven *seven, struct header *header)
{
    struct sub_stream *stream = seven->streams;

    for (size_t i = 0; i < seven->folder_count && !header->wrong; i++) {
        struct folder *folder = &seven->folders[i];
        int64_t rest = folder->layout.folder_size;
        for (size_t k = 0; k < folder->streams; k++, stream++) {
            stream->size = k + 1 < folder->streams ? take_size(header) : rest;
            rest -= stream->size;
            if (rest < 0)
                give_up(header);
        }
        if (folder->streams == 1) {
            stream[-1].has_crc = folder->has_crc;
            stream[-1].crc = folder->crc;
        }
    }
}

static void take_sub_crcs(struct seven *seven, struct header *header)
{
    size_t unknown = 0, next = 0;

    for (size_t i = 0; i < seven->stream_count; i++)
        unknown += !seven->streams[i].has_crc;
    bool *defined = take_defined(header, unknown, seven->arena);
    for (size_t i = 0; i < seven->stream_count && !header->wrong; i++) {
        struct sub_stream *stream = &seven->streams[i];
        if (!stream->has_crc && defined[next++]) {
            stream->crc = take_crc(header);
            stream->has_crc = true;
        }
    }
}

/* `property` is the one already taken. */
static void take_sub_streams(struct seven *seven, struct header *header,
                             uint64_t property)
{
    seven->stream_count = 0;
    if (property == K_COUNT) {
        for (size_t i = 0; i < seven->folder_count && !header->wrong; i++)
            seven->folders[i].streams = take_count(header, 1);
        property = take_number(header);
    }
    for (size_t i = 0; i < seven->folder_count; i++)
        seven->stream_count += seven->folders[i].streams;
    /* Every one but the last of a folder has its size in the header. */
    if (header->wrong || seven->stream_count > left(header) + seven->folder_count) {
        give_up(header);
        return;
    }
    seven->streams =
        arena_array(seven->arena, struct sub_stream, seven->stream_count + 1);
    /* Without K_SIZE no folder has more than one. */
    struct header none = {0};
    take_sub_sizes(seven, property == K_SIZE ? header : &none);
    if (none.wrong)
        give_up(header);
    if (property == K_SIZE)
        property = take_number(header);
    if (property == K_CRC) {
        take_sub_crcs(seven, header);
        property = take_number(header);
    }
    if (property != K_END)
        give_up(header);
}

static void take_streams_info(struct seven *seven, struct header *header)
{
    uint64_t property = take_number(header);

    if (property == K_PACK_INFO) {
        take_pack_info(seven, header);
        property = take_number(header);
    }
    if (property == K_UNPACK_INFO) {
        take_unpack_info(seven, header);
        place_folders(seven, header);
        property = take_number(header);
    }
    if (property == K_SUBSTREAMS_INFO) {
        take_sub_streams(seven, header, take_number(header));
        property = take_number(header);
    } else if (!header->wrong) {
        struct header none = {0};
        const unsigned char end = K_END;
        none.at = none.end = &end;
        take_sub_streams(seven, &none, K_END);
    }
    if (property != K_END)
        give_up(header);
}

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
static struct str take_name(struct header *names, struct arena *arena)
{
    const unsigned char *begin = names->at;
    struct buf name = {0};
    size_t units = 0;

    while (left(names) >= 2 && (names->at[0] != 0 || names->at[1] != 0)) {
        names->at += 2;
        units++;
    }
    if (left(names) < 2)
        give_up(names);
    else
        names->at += 2;
    add_utf16(&name, begin, units);
    struct str kept = arena_copy(arena, buf_str(&name));
    buf_free(&name);
    return kept;
}

struct files {
    size_t count;
    bool *empty;      /* those without a stream */
    bool *empty_file; /* by their number among the empty: files, not folders */
    struct header names;
};

static void take_files(struct seven *seven, struct header *header, struct files *files)
{
    size_t empty = 0;

    files->count = take_count(header, 0);
    files->empty = arena_array(seven->arena, bool, files->count + 1);
    files->empty_file = arena_array(seven->arena, bool, files->count + 1);
    for (;;) {
        uint64_t property = take_number(header);
        if (property == K_END || header->wrong)
            return;
        uint64_t size = take_number(header);
        struct header own = {header->at, header->at, false};
        skip_bytes(header, size);
        if (header->wrong)
            return;
        own.end = header->at;
        if (property == K_EMPTY_STREAM) {
            files->empty = take_bits(&own, files->count, seven->arena);
            for (size_t i = 0; i < files->count; i++)
                empty += files->empty[i];
        } else if (property == K_EMPTY_FILE) {
            files->empty_file = take_bits(&own, empty, seven->arena);
        } else if (property == K_NAMES) {
            if (take_byte(&own) != 0) /* kept elsewhere */
                give_up(&own);
            files->names = own;
        }
        if (own.wrong)
            give_up(header);
    }
}

static void add_member(struct seven *seven, struct raw *raw, struct member_list *list,
                       struct str name, const struct folder *folder, int64_t skip,
                       const struct sub_stream *stream)
{
    struct member *member = members_add(list, raw, name);

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
static void match(struct seven *seven, struct raw *raw, struct member_list *list,
                  struct files *files, struct header *header)
{
    static const struct folder nothing = {
        .layout = {.format = SEVEN_ZIP, .method = SEVEN_COPY, .format_name = "7z"}};
    static const struct sub_stream no_bytes = {0};
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
            give_up(header);
            return;
        }
        add_member(seven, raw, list, name, &seven->folders[folder], skip,
                   &seven->streams[stream]);
        skip += seven->streams[stream++].size;
        in_folder++;
    }
}

/* Unpacks a header that is packed itself, by LZMA as a rule. */
static bool unpack_header(const struct seven *seven, struct raw *raw, struct str *out,
                          struct err *err)
{
    const struct folder *folder = &seven->folders[0];
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
    if (folder->layout.method != SEVEN_LZMA && folder->layout.method != SEVEN_LZMA2)
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

static bool parse(struct seven *seven, struct raw *raw, struct str bytes, int nesting,
                  struct member_list *list, struct err *err)
{
    struct header header = {(const unsigned char *)bytes.ptr,
                            (const unsigned char *)bytes.ptr + bytes.len, false};
    uint64_t property = take_number(&header);
    struct files files = {0};

    if (property == K_ENCODED_HEADER && nesting < NESTING_MAX) {
        struct str unpacked;
        take_streams_info(seven, &header);
        if (header.wrong || seven->folder_count == 0)
            return damaged(seven->name, err);
        if (!unpack_header(seven, raw, &unpacked, err))
            return false;
        struct seven inner = {.arena = seven->arena, .name = seven->name};
        return parse(&inner, raw, unpacked, nesting + 1, list, err);
    }
    if (property != K_HEADER)
        return damaged(seven->name, err);
    property = take_number(&header);
    if (property == K_ARCHIVE_PROPERTIES || property == K_ADDITIONAL_STREAMS)
        return damaged(seven->name, err); /* no 7-Zip has written them */
    if (property == K_MAIN_STREAMS) {
        take_streams_info(seven, &header);
        property = take_number(&header);
    }
    if (property == K_FILES) {
        take_files(seven, &header, &files);
        if (!header.wrong)
            match(seven, raw, list, &files, &header);
        property = take_number(&header);
    }
    if (header.wrong || property != K_END)
        return damaged(seven->name, err);
    return true;
}

bool seven_list(struct raw *raw, struct member_list *list, struct err *err)
{
    unsigned char start[SIGNATURE_BYTES];
    struct arena arena = {0};
    struct seven seven = {.arena = &arena, .name = raw->name};
    size_t got;
    bool ok = false;

    if (!raw_read_at(raw, 0, (char *)start, sizeof start, &got, err))
        return false;
    struct header header = {start + 8, start + got, false};
    uint32_t start_crc = take_crc(&header);
    int64_t offset = 0, size = 0;
    for (int i = 0; i < 8; i++)
        offset |= (int64_t)((uint64_t)take_byte(&header) << 8 * i);
    for (int i = 0; i < 8; i++)
        size |= (int64_t)((uint64_t)take_byte(&header) << 8 * i);
    uint32_t crc = take_crc(&header);
    if (header.wrong)
        return err_set(err, ERR_INPUT, "%s: is cut: a 7z archive has at least %d bytes",
                       raw->name, SIGNATURE_BYTES);
    if (crc32_z(0, start + 12, 20) != start_crc || offset < 0 || size < 0)
        return damaged(raw->name, err);
    if (size == 0)
        return true; /* no members */
    if (offset > raw->size || size > raw->size ||
        SIGNATURE_BYTES + offset + size > raw->size)
        return err_set(err, ERR_INPUT,
                       "%s: is cut: the file has %lld bytes, and its 7z archive %lld",
                       raw->name, (long long)raw->size,
                       (long long)(SIGNATURE_BYTES + offset + size));
    if (size > HEADER_BYTES_MAX)
        return damaged(raw->name, err);
    char *bytes = arena_array(&arena, char, (size_t)size);
    if (!raw_read_at(raw, SIGNATURE_BYTES + offset, bytes, (size_t)size, &got, err))
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
