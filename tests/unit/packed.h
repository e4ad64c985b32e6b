/* For tests of readers: bytes packed in every way we read, and a place to put them. */
#ifndef TESTS_UNIT_PACKED_H
#define TESTS_UNIT_PACKED_H

#include <archive.h>
#include <archive_entry.h>
#include <assert.h>
#include <bzlib.h>
#include <lz4frame.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/buf.h"
#include "base/file.h"

/* A file in a folder of our own, which packed_clean() removes with all that is in it. */
struct packed_folder {
    char path[200];
    char last[300]; /* the file written last */
    char files[40][300];
    size_t count;
};

static inline struct packed_folder packed_folder(void)
{
    struct packed_folder folder = {0};
    const char *base = getenv("TMPDIR");

    snprintf(folder.path, sizeof folder.path, "%s/packed.XXXXXX",
             base != NULL ? base : "/tmp");
    char *made = mkdtemp(folder.path);
    assert(made != NULL);
    (void)made;
    return folder;
}

static inline const char *packed_write(struct packed_folder *folder, const char *name,
                                       struct str bytes)
{
    FILE *file;
    size_t i = 0;

    snprintf(folder->last, sizeof folder->last, "%.199s/%.90s", folder->path, name);
    file = fopen(folder->last, "wb");
    assert(file != NULL);
    size_t done = bytes.len > 0 ? fwrite(bytes.ptr, 1, bytes.len, file) : 0;
    int closed = fclose(file);
    assert(done == bytes.len && closed == 0);
    (void)done, (void)closed;
    while (i < folder->count && strcmp(folder->files[i], folder->last) != 0)
        i++;
    assert(i < 40);
    if (i == folder->count)
        memcpy(folder->files[folder->count++], folder->last, sizeof folder->last);
    return folder->last;
}

static inline void packed_clean(struct packed_folder *folder)
{
    for (size_t i = 0; i < folder->count; i++)
        remove(folder->files[i]);
    rmdir(folder->path);
}

static inline void packed_gzip(struct str bytes, struct buf *out)
{
    z_stream z = {0};
    int status = deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    size_t room = deflateBound(&z, bytes.len) + 100;

    assert(status == Z_OK);
    z.next_in = (Bytef *)(uintptr_t)bytes.ptr;
    z.avail_in = (uInt)bytes.len;
    z.next_out = (Bytef *)buf_reserve(out, room);
    z.avail_out = (uInt)room;
    status = deflate(&z, Z_FINISH);
    assert(status == Z_STREAM_END);
    (void)status;
    out->len += z.total_out;
    deflateEnd(&z);
}

static inline void packed_bzip2(struct str bytes, int level, struct buf *out)
{
    unsigned len = (unsigned)(bytes.len + bytes.len / 50 + 1000);
    char *to = buf_reserve(out, len);
    char none = 0;
    int status = BZ2_bzBuffToBuffCompress(
        to, &len, bytes.len > 0 ? (char *)(uintptr_t)bytes.ptr : &none,
        (unsigned)bytes.len, level, 0, 0);

    assert(status == BZ_OK);
    (void)status;
    out->len += len;
}

/* With blocks of so many bytes; 0: one. */
static inline void packed_xz(struct str bytes, size_t block, struct buf *out)
{
    lzma_stream lzma = LZMA_STREAM_INIT;
    lzma_ret status = lzma_easy_encoder(&lzma, 1, LZMA_CHECK_CRC64);
    size_t done = 0, room = bytes.len * 2 + 100000;

    lzma.next_out = (uint8_t *)buf_reserve(out, room);
    lzma.avail_out = room;
    while (status == LZMA_OK) {
        size_t some = block == 0 || block > bytes.len - done ? bytes.len - done : block;
        lzma.next_in = (const uint8_t *)bytes.ptr + done;
        lzma.avail_in = some;
        done += some;
        bool last = done == bytes.len;
        do {
            status = lzma_code(&lzma, last ? LZMA_FINISH : LZMA_FULL_FLUSH);
        } while (status == LZMA_OK);
        if (!last && status == LZMA_STREAM_END)
            status = LZMA_OK;
    }
    assert(status == LZMA_STREAM_END);
    out->len += lzma.total_out;
    lzma_end(&lzma);
}

/* One frame; without its size when `sized` is false. */
static inline size_t packed_zstd(struct str bytes, bool sized, struct buf *out)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    size_t room = ZSTD_compressBound(bytes.len);
    char none = 0;

    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1);
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, sized);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    size_t len = ZSTD_compress2(context, buf_reserve(out, room), room,
                                bytes.len > 0 ? bytes.ptr : &none, bytes.len);
    assert(!ZSTD_isError(len));
    out->len += len;
    ZSTD_freeCCtx(context);
    return len;
}

struct packed_lz4 {
    bool linked, block_sums, sum;
    int block_size; /* 4 to 7: 64 KB to 4 MB; 0: 64 KB */
};

/* One frame. */
static inline void packed_lz4(struct str bytes, struct packed_lz4 how, struct buf *out)
{
    LZ4F_preferences_t wanted = {
        .frameInfo = {.blockSizeID = (LZ4F_blockSizeID_t)how.block_size,
                      .blockMode = how.linked ? LZ4F_blockLinked : LZ4F_blockIndependent,
                      .blockChecksumFlag = how.block_sums ? LZ4F_blockChecksumEnabled
                                                          : LZ4F_noBlockChecksum,
                      .contentChecksumFlag = how.sum ? LZ4F_contentChecksumEnabled
                                                     : LZ4F_noContentChecksum}};
    size_t room = LZ4F_compressFrameBound(bytes.len, &wanted);
    size_t len =
        LZ4F_compressFrame(buf_reserve(out, room), room, bytes.ptr, bytes.len, &wanted);

    assert(!LZ4F_isError(len));
    out->len += len;
}

static inline void packed_little(struct buf *out, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        buf_add_char(out, (char)(value >> 8 * i));
}

struct packed_member {
    const char *name;
    struct str bytes;
};

/* A number in 7z's way, always in its longest form. */
static inline void packed_number(struct buf *out, uint64_t value)
{
    buf_add_char(out, (char)0xFF);
    packed_little(out, value, 8);
}

enum packed_method { PACKED_COPY, PACKED_LZMA, PACKED_LZMA2, PACKED_BZIP2 };

/* The folder's packed bytes; `block` as for xz, for LZMA2. */
static inline void packed_folder_bytes(enum packed_method method, struct str bytes,
                                       size_t block, struct buf *out)
{
    lzma_options_lzma options;
    lzma_filter filters[] = {
        {.id = method == PACKED_LZMA ? LZMA_FILTER_LZMA1 : LZMA_FILTER_LZMA2,
         .options = &options},
        {.id = LZMA_VLI_UNKNOWN},
    };

    if (method == PACKED_COPY)
        buf_add(out, bytes);
    if (method == PACKED_BZIP2)
        packed_bzip2(bytes, 1, out);
    if (method == PACKED_COPY || method == PACKED_BZIP2)
        return;
    lzma_lzma_preset(&options, 0);
    options.dict_size = 1 << 16;
    if (block == 0)
        block = bytes.len;
    for (size_t done = 0; done < bytes.len; done += block) {
        struct str some = str_slice(bytes, done, done + block);
        size_t room = some.len * 2 + 1000, len = 0;
        if (done > 0)
            out->len--; /* the end mark of the block before */
        lzma_ret status =
            lzma_raw_buffer_encode(filters, NULL, (const uint8_t *)some.ptr, some.len,
                                   (uint8_t *)buf_reserve(out, room), &len, room);
        assert(status == LZMA_OK);
        (void)status;
        out->len += len;
    }
}

/* A 7z archive with all members in one folder. */
static inline void packed_seven(enum packed_method method, size_t block,
                                const struct packed_member *members, size_t count,
                                struct buf *out)
{
    static const struct str coders[] = {
        {"\x01\x00", 2},
        {"\x23\x03\x01\x01\x05\x5D\x00\x00\x01\x00", 10}, /* a dictionary of 64 KB */
        {"\x21\x21\x01\x08", 4},                          /* likewise */
        {"\x03\x04\x02\x02", 4},
    };
    struct buf all = {0}, packed = {0}, header = {0};
    size_t names = 1;

    for (size_t i = 0; i < count; i++) {
        buf_add(&all, members[i].bytes);
        names += 2 * (strlen(members[i].name) + 1);
    }
    packed_folder_bytes(method, buf_str(&all), block, &packed);
    buf_add(&header, STR("\x01\x04\x06"));
    packed_number(&header, 0); /* the packed bytes' place */
    buf_add(&header, STR("\x01\x09"));
    packed_number(&header, packed.len);
    buf_add(&header, STR("\x00\x07\x0B\x01\x00\x01"));
    buf_add(&header, coders[method]);
    buf_add(&header, STR("\x0C"));
    packed_number(&header, all.len);
    buf_add(&header, STR("\x00\x08\x0D"));
    packed_number(&header, count);
    buf_add(&header, STR("\x09"));
    for (size_t i = 0; i + 1 < count; i++)
        packed_number(&header, members[i].bytes.len);
    buf_add(&header, STR("\x0A\x01"));
    for (size_t i = 0; i < count; i++)
        packed_little(
            &header,
            crc32_z(0, (const Bytef *)members[i].bytes.ptr, members[i].bytes.len), 4);
    buf_add(&header, STR("\x00\x00\x05"));
    packed_number(&header, count);
    buf_add(&header, STR("\x11"));
    packed_number(&header, names);
    buf_add_char(&header, 0);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k <= strlen(members[i].name); k++)
            packed_little(&header, (unsigned char)members[i].name[k], 2);
    buf_add(&header, STR("\x00\x00"));

    struct buf start = {0};
    packed_little(&start, packed.len, 8);
    packed_little(&start, header.len, 8);
    packed_little(&start, crc32_z(0, (const Bytef *)header.ptr, header.len), 4);
    buf_add(out, STR("7z\xBC\xAF\x27\x1C\x00\x04"));
    packed_little(out, crc32_z(0, (const Bytef *)start.ptr, start.len), 4);
    buf_add(out, buf_str(&start));
    buf_add(out, buf_str(&packed));
    buf_add(out, buf_str(&header));
    buf_free(&start);
    buf_free(&all);
    buf_free(&packed);
    buf_free(&header);
}

/* By libarchive: format "7zip" with compression "ppmd", "deflate", ..., or "zip". */
static inline void packed_archive(struct packed_folder *folder, const char *format,
                                  const char *compression,
                                  const struct packed_member *members, size_t count,
                                  struct buf *out)
{
    struct archive *archive = archive_write_new();
    struct arena arena = {0};
    struct str bytes;
    struct err err;
    char path[300];

    snprintf(path, sizeof path, "%.199s/archive", folder->path);
    archive_write_set_format_by_name(archive, format);
    if (compression != NULL)
        archive_write_set_format_option(archive, NULL, "compression", compression);
    archive_write_open_filename(archive, path);
    for (size_t i = 0; i < count; i++) {
        struct archive_entry *entry = archive_entry_new();
        archive_entry_set_pathname(entry, members[i].name);
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_size(entry, (la_int64_t)members[i].bytes.len);
        archive_write_header(archive, entry);
        archive_write_data(archive, members[i].bytes.ptr, members[i].bytes.len);
        archive_entry_free(entry);
    }
    archive_write_close(archive);
    archive_write_free(archive);
    bool ok = file_read(path, &arena, &bytes, &err);
    assert(ok);
    (void)ok;
    buf_add(out, bytes);
    arena_free(&arena);
    remove(path);
}

#endif
