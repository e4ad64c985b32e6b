/* lz4: frames of any maker, and packs of ours, of which any damage is told. */
#include <xxhash.h>

#include "input/internal.h"
#include "tests/unit/said.h"

/* A pack with frames of so many bytes. Its index may lie about what the second one has
 * unpacked, and which sum it has. */
static void make_pack(struct str text, size_t frame, int lie, uint64_t other_sum,
                      struct buf *out)
{
    struct buf index = {0}, packed = {0};
    uint64_t sum;

    buf_clear(out);
    buf_add(out, input_lz4_begin());
    for (size_t done = 0, count = 0; done < text.len; done += frame, count++) {
        struct str some = str_slice(text, done, done + frame);
        buf_clear(&packed);
        CHECK(input_lz4_compress(some, 0, &packed, &sum) == NULL);
        CHECK(sum == XXH3_64bits(packed.ptr, packed.len));
        buf_add(out, buf_str(&packed));
        input_lz4_add_entry(&index, packed.len, some.len + (size_t)(count == 1 ? lie : 0),
                            count == 1 ? sum ^ other_sum : sum);
    }
    input_lz4_end_index(&index, out);
    buf_free(&index);
    buf_free(&packed);
}

static void check_starts(struct packed_folder *folder, struct str text)
{
    static const int64_t starts[] = {0, 1, 69999, 70000, 70001, 500001, 899999, 900000};
    struct buf packed = {0}, out = {0};
    struct input *input;
    struct input_stream *stream;
    struct err err = {0};

    tap_case("lz4: a pack from any start on, its size known before");
    make_pack(text, 70000, 0, 0, &packed);
    gives(folder, buf_str(&packed), text);
    packed_write(folder, "pack", buf_str(&packed));
    for (size_t i = 0; i < ROWS(starts); i++) {
        struct input_stream_options options = {.start = starts[i]};
        CHECK(input_open(folder->last, &input, &err));
        CHECK(input_stream_open(input, 0, &options, &stream, &err));
        CHECK(stream->codec == &codec_lz4_parallel);
        CHECK(input_stream_size(stream) == (int64_t)text.len - starts[i]);
        buf_clear(&out);
        CHECK(reading_stream(stream, 2, 10000, &out, &err));
        CHECK(str_eq(buf_str(&out), str_slice(text, (size_t)starts[i], text.len)));
        input_stream_close(stream);
        input_close(input);
    }
    buf_free(&packed);
    buf_free(&out);
}

/* True: refused, with the file's name; false: what came out was right all the same. */
static bool is_refused(struct packed_folder *folder, struct str bytes, struct str text,
                       int threads)
{
    const char *path = packed_write(folder, "broken", bytes);
    struct buf out = {0};
    struct err err = {0};
    bool refused = !reading_member(path, 0, 0, threads, 50000, &out, &err);

    CHECK(refused ? err.kind == ERR_INPUT && strncmp(err.text, path, strlen(path)) == 0
                  : str_eq(buf_str(&out), text));
    buf_free(&out);
    return refused;
}

static void check_damage(struct packed_folder *folder)
{
    struct buf text = {0}, packed = {0}, other = {0};
    size_t refused = 0;

    for (int i = 0; i < 90; i++)
        buf_add_format(&text, "row %d of few\n", i * i);
    make_pack(buf_str(&text), 300, 0, 0, &packed);
    tap_case("lz4: a pack cut anywhere");
    /* The first four bytes say what a file is; eleven are the empty frame, and whole. */
    for (size_t len = 4; len < packed.len; len++)
        CHECK(len == 11 || is_refused(folder, str_slice(buf_str(&packed), 0, len),
                                      buf_str(&text), (int)len % 3));
    tap_case("lz4: a pack changed anywhere");
    size_t first = input_lz4_begin().len;
    for (size_t i = 4; i < packed.len; i++) {
        packed.ptr[i] = (char)(packed.ptr[i] ^ 1 << i % 8);
        bool told = is_refused(folder, buf_str(&packed), buf_str(&text), (int)i % 3);
        packed.ptr[i] = (char)(packed.ptr[i] ^ 1 << i % 8);
        CHECK(told || i < first); /* without its name it is read as others are */
        refused += told;
    }
    CHECK(refused > packed.len - first);
    tap_case("lz4: a pack without a frame, two packs, bytes behind");
    buf_add(&other, str_slice(buf_str(&packed), 0, first));
    size_t frame = first;
    while (memcmp(packed.ptr + ++frame, "\x04\x22\x4D\x18", 4) != 0)
        ;
    buf_add(&other, str_slice(buf_str(&packed), frame, packed.len));
    said(folder, buf_str(&other),
         ": is cut or damaged: the index at its end does not fit the lz4 frames from "
         "byte*");
    buf_clear(&other);
    buf_add(&other, buf_str(&packed));
    buf_add(&other, buf_str(&packed));
    said(folder, buf_str(&other),
         ": is cut or damaged: the index at its end does not fit the lz4 frames from "
         "byte*");
    buf_clear(&other);
    buf_add(&other, buf_str(&packed));
    buf_add_char(&other, '\n');
    said(folder, buf_str(&other),
         ": is cut or damaged: at its end the index of its lz4 frames was expected");
    buf_free(&text);
    buf_free(&packed);
    buf_free(&other);
}

static void check_messages(struct packed_folder *folder, struct str text)
{
    struct buf packed = {0};
    char want[200];

    make_pack(text, 90000, 0, 0, &packed);
    size_t second = input_lz4_begin().len + 1;
    while (memcmp(packed.ptr + second, "\x04\x22\x4D\x18", 4) != 0)
        second++;
    tap_case("lz4: where a pack is damaged");
    packed.ptr[second + 1000] ^= 4;
    snprintf(
        want, sizeof want,
        ": is damaged: the lz4 frame at byte %zu has not the checksum that the index "
        "at the end of the file says",
        second);
    said(folder, buf_str(&packed), want);
    make_pack(text, 90000, 0, 1, &packed);
    said(folder, buf_str(&packed), want);
    tap_case("lz4: an index that promises too much, or too little");
    snprintf(want, sizeof want, ": is damaged: the lz4 frame at byte %zu does not hold*",
             second);
    for (int lie = -1; lie <= 1; lie += 2) {
        make_pack(text, 90000, lie, 0, &packed);
        said(folder, buf_str(&packed), want);
    }
    tap_case("lz4: an index whose sum is wrong");
    make_pack(text, 90000, 0, 0, &packed);
    packed.ptr[packed.len - 30] ^= 1;
    said(folder, buf_str(&packed), ": is damaged: the index of its lz4 frames, at byte*");
    buf_free(&packed);
}

static void check_others(struct packed_folder *folder, struct str text)
{
    struct buf packed = {0};

    tap_case("lz4: empty, by us and by others");
    packed_lz4(STR(""), (struct packed_lz4){0}, &packed);
    gives(folder, buf_str(&packed), STR(""));
    make_pack(STR(""), 1, 0, 0, &packed);
    gives(folder, buf_str(&packed), STR(""));
    for (int linked = 0; linked < 2; linked++)
        for (int size = 4; size <= 7; size++) {
            tap_case("lz4: blocks of size %d%s", size, linked ? ", linked" : "");
            struct packed_lz4 how = {.linked = linked == 1,
                                     .block_size = size,
                                     .block_sums = size % 2 == 0,
                                     .sum = size < 6};
            buf_clear(&packed);
            packed_lz4(text, how, &packed);
            gives(folder, buf_str(&packed), text);
        }
    tap_case("lz4: several frames, some to be skipped");
    buf_clear(&packed);
    for (size_t done = 0; done < text.len; done += 90000) {
        buf_add(&packed, STR("\x53\x2A\x4D\x18\x03\x00\x00\x00xyz"));
        packed_lz4(str_slice(text, done, done + 90000), (struct packed_lz4){.sum = true},
                   &packed);
    }
    struct str frames = str_slice(buf_str(&packed), 11, packed.len);
    gives(folder, frames, text);
    tap_case("lz4: cut");
    said(folder, str_slice(frames, 0, frames.len - 2),
         ": is cut: the lz4 data end in the middle");
    tap_case("lz4: other bytes behind");
    buf_add(&packed, STR("other bytes"));
    said(folder, str_slice(buf_str(&packed), 11, packed.len),
         ": is damaged: lz4 data expected, but lz4 says: ERROR_frameType_unknown");
    tap_case("lz4: changed");
    packed.ptr[200] ^= 1;
    said(folder, frames,
         ": is damaged: lz4 data expected, but lz4 says: ERROR_contentChecksum_invalid");
    tap_case("lz4: the legacy format is told");
    struct input *input;
    struct err err = {0};
    char want[500];
    const char *path = packed_write(folder, "legacy", STR("\x02\x21\x4C\x18\x03"));
    CHECK(!input_open(path, &input, &err) && err.kind == ERR_INPUT);
    snprintf(
        want, sizeof want,
        "%s: is lz4 in its legacy format, which is not read; unpack it first: lz4 -d "
        "'%s'",
        path, path);
    CHECK_TEXT(err.text, want);
    buf_free(&packed);
}

int main(void)
{
    struct packed_folder folder = packed_folder();
    struct buf text = {0};

    noise(&text, 900000);
    check_starts(&folder, buf_str(&text));
    check_damage(&folder);
    check_messages(&folder, buf_str(&text));
    check_others(&folder, buf_str(&text));
    buf_free(&text);
    packed_clean(&folder);
    return tap_done();
}
