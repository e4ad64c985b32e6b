/* What goes in comes out: every packing, any number of threads, any start; and whatever
 * is cut or changed is noticed. */
#include <xxhash.h>

#include "base/rng.h"
#include "input/internal.h"
#include "tests/tap.h"
#include "tests/unit/packed.h"
#include "tests/unit/reading.h"

/* Text that packs about as well as a dump does. */
static void make_text(size_t len, struct buf *out)
{
    static const char *const words[] = {"&lt;p&gt;", "the ",  "a ",  "model ",
                                        "tensor",    "flow ", "of ", "&#xA;",
                                        "\" Id=\"",  "layer "};
    struct rng rng = rng_seeded(len);

    while (out->len < len) {
        buf_add(out, str_from(words[rng_below(&rng, ROWS(words))]));
        if (rng_below(&rng, 4) == 0)
            buf_add_int(out, (int64_t)rng_below(&rng, 100000));
    }
    out->len = len;
}

enum packing {
    PLAIN_FILE,
    GZIP_ONE,
    GZIP_SEVERAL,
    BZIP2_ONE,
    BZIP2_SEVERAL,
    XZ_ONE,
    XZ_BLOCKS,
    XZ_STREAMS,
    ZSTD_ONE,
    ZSTD_FRAMES,
    ZSTD_UNSIZED,
    ZSTD_SKIPPABLE,
    LZ4_ONE,
    LZ4_SEVERAL,
    LZ4_PACK,
    SEVEN_FIRST, /* the methods of packed_seven() */
    SEVEN_LAST = SEVEN_FIRST + PACKED_BZIP2,
    SEVEN_BLOCKS,
    SEVEN_PPMD,
    SEVEN_DEFLATE,
    ZIP_ONE,
    PACKINGS
};

static const struct {
    const char *name;
    bool parallel;
    bool checked; /* a changed byte is noticed */
} packings[PACKINGS] = {
    [PLAIN_FILE] = {"plain", true, false},
    [GZIP_ONE] = {"gzip", false, true},
    [GZIP_SEVERAL] = {"gzip, two members and zeros", false, true},
    [BZIP2_ONE] = {"bzip2", true, true},
    [BZIP2_SEVERAL] = {"bzip2, several streams, one empty", true, true},
    [XZ_ONE] = {"xz", false, true},
    [XZ_BLOCKS] = {"xz, blocks", true, true},
    [XZ_STREAMS] = {"xz, two streams with padding", true, true},
    [ZSTD_ONE] = {"zstd", false, true},
    [ZSTD_FRAMES] = {"zstd, frames", true, true},
    [ZSTD_UNSIZED] = {"zstd, frames of unknown size", true, true},
    [ZSTD_SKIPPABLE] = {"zstd, frames to be skipped", true, true},
    [LZ4_ONE] = {"lz4", false, true},
    [LZ4_SEVERAL] = {"lz4, several frames", false, true},
    [LZ4_PACK] = {"lz4, a pack of ours", true, true},
    [SEVEN_FIRST + PACKED_COPY] = {"7z Copy", true, true},
    [SEVEN_FIRST + PACKED_LZMA] = {"7z LZMA", false, true},
    [SEVEN_FIRST + PACKED_LZMA2] = {"7z LZMA2", false, true},
    [SEVEN_FIRST + PACKED_BZIP2] = {"7z BZip2", true, true},
    [SEVEN_BLOCKS] = {"7z LZMA2, blocks", true, true},
    [SEVEN_PPMD] = {"7z PPMd", false, true},
    [SEVEN_DEFLATE] = {"7z Deflate", false, true},
    [ZIP_ONE] = {"zip", false, true},
};

static void pack_zstd(enum packing packing, struct str text, struct buf *out)
{
    size_t frame = packing == ZSTD_ONE ? text.len : 90000;

    for (size_t done = 0; done < text.len; done += frame) {
        if (packing == ZSTD_SKIPPABLE)
            buf_add(out, STR("\x53\x2A\x4D\x18\x03\x00\x00\x00xyz"));
        packed_zstd(str_slice(text, done, done + frame), packing != ZSTD_UNSIZED, out);
    }
}

static void pack_lz4(enum packing packing, struct str text, struct buf *out)
{
    struct packed_lz4 how = {.linked = true, .sum = true};
    struct buf index = {0};
    size_t frame = packing == LZ4_ONE ? text.len : 90000;

    if (packing == LZ4_PACK)
        buf_add(out, input_lz4_begin());
    for (size_t done = 0; done < text.len; done += frame) {
        struct str some = str_slice(text, done, done + frame);
        size_t before = out->len;
        uint64_t sum;
        if (packing != LZ4_PACK) {
            packed_lz4(some, how, out);
            continue;
        }
        struct buf packed = {0};
        CHECK(input_lz4_compress(some, 0, &packed, &sum) == NULL);
        buf_add(out, buf_str(&packed));
        input_lz4_add_entry(&index, out->len - before, some.len, sum);
        buf_free(&packed);
    }
    if (packing == LZ4_PACK)
        input_lz4_end_index(&index, out);
    buf_free(&index);
}

static void pack(struct packed_folder *folder, enum packing packing, struct str text,
                 struct buf *out)
{
    struct packed_member member = {"Posts.xml", text};
    struct str half = str_slice(text, 0, text.len / 2);
    struct str rest = str_slice(text, text.len / 2, text.len);

    buf_clear(out);
    switch (packing) {
    case PLAIN_FILE:
        buf_add(out, text);
        break;
    case GZIP_SEVERAL:
        packed_gzip(half, out);
        packed_gzip(rest, out);
        for (int i = 0; i < 1000; i++)
            buf_add_char(out, 0);
        break;
    case GZIP_ONE:
        packed_gzip(text, out);
        break;
    case BZIP2_ONE:
        packed_bzip2(text, 1, out);
        break;
    case BZIP2_SEVERAL:
        packed_bzip2(half, 2, out);
        packed_bzip2(STR(""), 1, out);
        packed_bzip2(rest, 9, out);
        break;
    case XZ_ONE:
    case XZ_BLOCKS:
        packed_xz(text, packing == XZ_ONE ? 0 : 70000, out);
        break;
    case XZ_STREAMS:
        packed_xz(half, 0, out);
        buf_add(out, STR("\0\0\0\0\0\0\0\0"));
        packed_xz(rest, 300000, out);
        break;
    case ZSTD_ONE:
    case ZSTD_FRAMES:
    case ZSTD_UNSIZED:
    case ZSTD_SKIPPABLE:
        pack_zstd(packing, text, out);
        break;
    case LZ4_ONE:
    case LZ4_SEVERAL:
    case LZ4_PACK:
        pack_lz4(packing, text, out);
        break;
    case SEVEN_BLOCKS:
        packed_seven(PACKED_LZMA2, 100000, &member, 1, out);
        break;
    case SEVEN_PPMD:
    case SEVEN_DEFLATE:
        packed_archive(folder, "7zip", packing == SEVEN_PPMD ? "ppmd" : "deflate",
                       &member, 1, out);
        break;
    case ZIP_ONE:
        packed_archive(folder, "zip", NULL, &member, 1, out);
        break;
    default:
        packed_seven((enum packed_method)(packing - SEVEN_FIRST), 0, &member, 1, out);
    }
}

static void check_bytes(const char *path, struct str text, int64_t start)
{
    struct buf out = {0};
    struct err err;

    for (int threads = TAP_RACES ? 3 : 0; threads <= 3; threads++) {
        CHECK(reading_member(path, 0, start, threads, threads == 1 ? 9999 : 300000, &out,
                             &err));
        CHECK_TEXT(err.text, "");
        CHECK(str_eq(buf_str(&out), str_slice(text, (size_t)start, text.len)));
    }
    buf_free(&out);
}

/* Cut or changed anywhere: it is refused, or, where the place does not matter, what comes
 * out is still right. */
static void check_damage(struct packed_folder *folder, enum packing packing,
                         struct str text, struct str bytes)
{
    struct buf broken = {0}, out = {0};
    struct err err;
    struct rng rng = rng_seeded(packing);

    for (int round = 0; round < (TAP_RACES ? 8 : 24); round++) {
        size_t at = (size_t)rng_below(&rng, bytes.len);
        bool cut = round % 2 == 0;
        buf_clear(&broken);
        buf_add(&broken, cut ? str_slice(bytes, 0, at) : bytes);
        if (!cut)
            broken.ptr[at] = (char)(broken.ptr[at] ^ 0x10);
        const char *path = packed_write(folder, "broken", buf_str(&broken));
        for (int threads = 2 * TAP_RACES; threads <= 2; threads += 2) {
            bool ok = reading_member(path, 0, 0, threads, 100000, &out, &err);
            if (ok)
                CHECK(!packings[packing].checked || str_eq(buf_str(&out), text));
            else
                CHECK(err.kind == ERR_INPUT && strstr(err.text, path) == err.text);
        }
    }
    buf_free(&broken);
    buf_free(&out);
}

static void check_packing(struct packed_folder *folder, enum packing packing)
{
    struct buf text = {0}, bytes = {0};

    make_text(1300000, &text);
    tap_case("stream: %s", packings[packing].name);
    pack(folder, packing, buf_str(&text), &bytes);
    const char *path = packed_write(folder, "packed", buf_str(&bytes));
    check_bytes(path, buf_str(&text), 0);
    check_bytes(path, buf_str(&text), 1);
    check_bytes(path, buf_str(&text), 654321);
    check_bytes(path, buf_str(&text), (int64_t)text.len);
    tap_case("stream: %s: small", packings[packing].name);
    pack(folder, packing, str_slice(buf_str(&text), 0, 1000), &bytes);
    path = packed_write(folder, "packed", buf_str(&bytes));
    check_bytes(path, str_slice(buf_str(&text), 0, 1000), 0);
    tap_case("stream: %s: damage", packings[packing].name);
    pack(folder, packing, str_slice(buf_str(&text), 0, 200000), &bytes);
    check_damage(folder, packing, str_slice(buf_str(&text), 0, 200000), buf_str(&bytes));
    buf_free(&text);
    buf_free(&bytes);
}

static void check_kind(struct packed_folder *folder, enum packing packing)
{
    struct buf text = {0}, bytes = {0};
    struct input *input;
    struct input_stream *stream;
    struct input_stream_options options = {.hash = true};
    struct err err;
    uint64_t hash[2];

    tap_case("stream: %s: hash, size, kind", packings[packing].name);
    make_text(500000, &text);
    pack(folder, packing, buf_str(&text), &bytes);
    const char *path = packed_write(folder, "packed", buf_str(&bytes));
    XXH128_hash_t want = XXH3_128bits(bytes.ptr, bytes.len);
    CHECK(input_open(path, &input, &err));
    CHECK(input_stream_open(input, 0, &options, &stream, &err));
    CHECK((stream->codec->next != NULL) == packings[packing].parallel);
    buf_clear(&bytes);
    CHECK(reading_stream(stream, 2, 100000, &bytes, &err));
    /* A guess from the packed size may be off by what the archive has around it. */
    CHECK(llabs(input_stream_size(stream) - 500000) < 5000);
    CHECK(input_stream_hash(stream, hash, &err));
    CHECK(hash[0] == want.high64 && hash[1] == want.low64);
    input_stream_close(stream);
    input_close(input);
    buf_free(&text);
    buf_free(&bytes);
}

/* The first part of a plain file, by a stream of its own; the hash goes on from `from`
 * where that is given, and hears of the bytes as one thread hands them over if `handed`.
 */
static bool read_first(const char *path, int64_t start, const struct input_hashed *from,
                       bool handed, struct input_hashed *to, uint64_t hash[2],
                       struct err *err)
{
    struct input_stream_options options = {.start = start, .hash = true, .hashed = from};
    struct input *input = NULL;
    struct input_stream *stream = NULL;
    struct input_reader *reader = NULL;
    struct input_part part;
    struct buf bytes = {0};
    size_t got = 1;
    bool more, ok = input_open(path, &input, err) &&
                    input_stream_open(input, 0, &options, &stream, err);

    if (ok)
        reader = input_reader_open(stream);
    ok = ok && input_part_next(reader, &part, &more, err) && more;
    for (int64_t at = 0; ok && got > 0; at += (int64_t)got) {
        char *room = buf_reserve(&bytes, INPUT_PART_BYTES);
        ok = input_part_read(reader, room, INPUT_PART_BYTES, &got, err) &&
             (!handed ||
              input_stream_hash_bytes(stream, &part, at, (struct str){room, got}, err));
    }
    ok = ok && input_stream_hash_part(stream, &part, err);
    if (ok)
        input_stream_hashed(stream, to);
    ok = ok && input_stream_hash(stream, hash, err);
    input_reader_close(reader);
    input_stream_close(stream);
    input_close(input);
    buf_free(&bytes);
    return ok;
}

/* What was hashed is not read again: there may by then be something else. */
static void check_going_on(struct packed_folder *folder)
{
    struct buf text = {0};
    struct input_hashed first, other;
    struct err err = {0};
    uint64_t hash[2];

    make_text(INPUT_PLAIN_PART_BYTES * 2 + 777, &text);
    XXH128_hash_t want = XXH3_128bits(text.ptr, text.len);
    const char *path = packed_write(folder, "long", buf_str(&text));
    tap_case("a hash is gone on with");
    CHECK(read_first(path, 0, NULL, false, &first, hash, &err));
    CHECK(first.bytes == INPUT_PLAIN_PART_BYTES);
    CHECK(hash[0] == want.high64 && hash[1] == want.low64);
    text.ptr[5]++;
    path = packed_write(folder, "long", buf_str(&text));
    for (int handed = 0; handed < 2; handed++) {
        CHECK(read_first(path, INPUT_PLAIN_PART_BYTES - 1000, &first, handed == 1, &other,
                         hash, &err));
        CHECK(hash[0] == want.high64 && hash[1] == want.low64);
        CHECK(other.bytes == INPUT_PLAIN_PART_BYTES * 2 - 1000);
    }
    tap_case("but not with that of another library, nor beyond the end of the file");
    want = XXH3_128bits(text.ptr, text.len);
    other = first;
    other.version++;
    CHECK(read_first(path, 1000, &other, false, &other, hash, &err));
    CHECK(hash[0] == want.high64 && hash[1] == want.low64);
    other = first;
    other.bytes = (int64_t)text.len + 1;
    CHECK(read_first(path, 1000, &other, false, &other, hash, &err));
    CHECK(hash[0] == want.high64 && hash[1] == want.low64);
    CHECK_TEXT(err.text, "");
    buf_free(&text);
}

int main(void)
{
    struct packed_folder folder = packed_folder();

    for (int p = 0; p < PACKINGS; p++) {
        check_packing(&folder, (enum packing)p);
        check_kind(&folder, (enum packing)p);
    }
    check_going_on(&folder);
    packed_clean(&folder);
    return tap_done();
}
