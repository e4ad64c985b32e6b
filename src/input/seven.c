/* The header of a 7z archive: which members it has. Those whose method we cannot unpack
 * ourselves are left to libarchive. */
#include <zlib.h>

#include "input/internal.h"
#include "input/seven_streams.h"

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
static struct str take_name(struct seven_header *names, struct arena *arena)
{
    const unsigned char *begin = names->at;
    struct buf name = {0};
    size_t units = 0;

    while (seven_header_left(names) >= 2 && (names->at[0] != 0 || names->at[1] != 0)) {
        names->at += 2;
        units++;
    }
    if (seven_header_left(names) < 2)
        seven_header_give_up(names);
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
    struct seven_header names;
};

static void take_files(struct seven_streams *seven, struct seven_header *header,
                       struct files *files)
{
    size_t empty = 0;

    files->count = seven_header_count(header, 0);
    files->empty = arena_array(seven->arena, bool, files->count + 1);
    files->empty_file = arena_array(seven->arena, bool, files->count + 1);
    for (;;) {
        uint64_t property = seven_header_number(header);
        if (property == SEVEN_HEADER_END || header->wrong)
            return;
        uint64_t size = seven_header_number(header);
        struct seven_header own = {header->at, header->at, false};
        seven_header_skip(header, size);
        if (header->wrong)
            return;
        own.end = header->at;
        if (property == SEVEN_HEADER_EMPTY_STREAM) {
            files->empty = seven_header_bits(&own, files->count, seven->arena);
            for (size_t i = 0; i < files->count; i++)
                empty += files->empty[i];
        } else if (property == SEVEN_HEADER_EMPTY_FILE) {
            files->empty_file = seven_header_bits(&own, empty, seven->arena);
        } else if (property == SEVEN_HEADER_NAMES) {
            if (seven_header_byte(&own) != 0) /* kept elsewhere */
                seven_header_give_up(&own);
            files->names = own;
        }
        if (own.wrong)
            seven_header_give_up(header);
    }
}

static void add_member(struct seven_streams *seven, struct raw *raw,
                       struct member_list *list, struct str name,
                       const struct seven_streams_folder *folder, int64_t skip,
                       const struct seven_streams_stream *stream)
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
static void match(struct seven_streams *seven, struct raw *raw, struct member_list *list,
                  struct files *files, struct seven_header *header)
{
    static const struct seven_streams_folder nothing = {
        .layout = {.format = SEVEN_ZIP, .method = SEVEN_COPY, .format_name = "7z"}};
    static const struct seven_streams_stream no_bytes = {0};
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
static bool unpack_header(const struct seven_streams *seven, struct raw *raw,
                          struct str *out, struct err *err)
{
    const struct seven_streams_folder *folder = &seven->folders[0];
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

static bool parse(struct seven_streams *seven, struct raw *raw, struct str bytes,
                  int nesting, struct member_list *list, struct err *err)
{
    struct seven_header header = {(const unsigned char *)bytes.ptr,
                                  (const unsigned char *)bytes.ptr + bytes.len, false};
    uint64_t property = seven_header_number(&header);
    struct files files = {0};

    if (property == SEVEN_HEADER_ENCODED_HEADER && nesting < NESTING_MAX) {
        struct str unpacked;
        seven_streams_take(seven, &header);
        if (header.wrong || seven->folder_count == 0)
            return damaged(seven->name, err);
        if (!unpack_header(seven, raw, &unpacked, err))
            return false;
        struct seven_streams inner = {.arena = seven->arena, .name = seven->name};
        return parse(&inner, raw, unpacked, nesting + 1, list, err);
    }
    if (property != SEVEN_HEADER_HEADER)
        return damaged(seven->name, err);
    property = seven_header_number(&header);
    if (property == SEVEN_HEADER_ARCHIVE_PROPERTIES ||
        property == SEVEN_HEADER_ADDITIONAL_STREAMS)
        return damaged(seven->name, err); /* no 7-Zip has written them */
    if (property == SEVEN_HEADER_MAIN_STREAMS) {
        seven_streams_take(seven, &header);
        property = seven_header_number(&header);
    }
    if (property == SEVEN_HEADER_FILES) {
        take_files(seven, &header, &files);
        if (!header.wrong)
            match(seven, raw, list, &files, &header);
        property = seven_header_number(&header);
    }
    if (header.wrong || property != SEVEN_HEADER_END)
        return damaged(seven->name, err);
    return true;
}

bool seven_list(struct raw *raw, struct member_list *list, struct err *err)
{
    unsigned char start[SEVEN_SIGNATURE_BYTES];
    struct arena arena = {0};
    struct seven_streams seven = {.arena = &arena, .name = raw->name};
    size_t got;
    bool ok = false;

    if (!raw_read_at(raw, 0, (char *)start, sizeof start, &got, err))
        return false;
    struct seven_header header = {start + 8, start + got, false};
    uint32_t start_crc = seven_header_crc(&header);
    int64_t offset = 0, size = 0;
    for (int i = 0; i < 8; i++)
        offset |= (int64_t)((uint64_t)seven_header_byte(&header) << 8 * i);
    for (int i = 0; i < 8; i++)
        size |= (int64_t)((uint64_t)seven_header_byte(&header) << 8 * i);
    uint32_t crc = seven_header_crc(&header);
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
    if (!raw_read_at(raw, SEVEN_SIGNATURE_BYTES + offset, bytes, (size_t)size, &got, err))
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
