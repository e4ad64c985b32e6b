/* zstd: frames with and without a seek table, and what may be wrong with them. */
#include "input/internal.h"
#include "tests/unit/said.h"

/* Frames of so many bytes, and a table that may lie about the first of them. */
static void make_seekable(struct str text, size_t frame, int lie, bool checksums,
                          struct buf *out)
{
    struct buf table = {0};
    size_t count = 0;

    for (size_t done = 0; done < text.len; done += frame, count++) {
        struct str some = str_slice(text, done, done + frame);
        size_t len = packed_zstd(some, true, out);
        packed_little(&table, len, 4);
        packed_little(&table, some.len + (size_t)(count == 0 ? lie : 0), 4);
        if (checksums)
            packed_little(&table, 0, 4);
    }
    packed_little(&table, count, 4);
    buf_add_char(&table, (char)(checksums ? 0x80 : 0));
    packed_little(&table, 0x8F92EAB1U, 4);
    packed_little(out, 0x184D2A5EU, 4);
    packed_little(out, table.len, 4);
    buf_add(out, buf_str(&table));
    buf_free(&table);
}

static void check_table(struct packed_folder *folder, struct str text)
{
    struct buf packed = {0}, out = {0};
    struct input *input;
    struct input_stream *stream;
    struct input_stream_options options = {.start = 500001};
    struct err err = {0};

    for (int checksums = 0; checksums < 2; checksums++) {
        tap_case("zstd: a seek table with%s checksums", checksums ? "" : "out");
        buf_clear(&packed);
        make_seekable(text, 70000, 0, checksums, &packed);
        gives(folder, buf_str(&packed), text);
        packed_write(folder, "table", buf_str(&packed));
        CHECK(input_open(folder->last, &input, &err));
        CHECK(input_stream_open(input, 0, &options, &stream, &err));
        CHECK((stream->codec->next != NULL));
        CHECK(input_stream_size(stream) == (int64_t)text.len - 500001);
        CHECK(reading_stream(stream, 2, 10000, &out, &err));
        CHECK(str_eq(buf_str(&out), str_slice(text, 500001, text.len)));
        buf_clear(&out);
        input_stream_close(stream);
        input_close(input);
    }
    tap_case("zstd: a seek table that promises too much");
    buf_clear(&packed);
    make_seekable(text, 70000, 1, false, &packed);
    said(folder, buf_str(&packed), ": is cut: 1 bytes more were to come out of it");
    tap_case("zstd: a seek table that promises too little");
    buf_clear(&packed);
    make_seekable(text, (size_t)2100000, -1, false, &packed);
    said(folder, buf_str(&packed), ": is damaged: more comes out of it than it says");
    buf_free(&packed);
    buf_free(&out);
}

int main(void)
{
    struct packed_folder folder = packed_folder();
    struct buf text = {0}, packed = {0};

    noise(&text, 900000);
    check_table(&folder, buf_str(&text));
    tap_case("zstd: empty");
    packed_zstd(STR(""), true, &packed);
    gives(&folder, buf_str(&packed), STR(""));
    tap_case("zstd: many small frames, some empty");
    buf_clear(&packed);
    for (size_t done = 0; done < text.len; done += 5000) {
        packed_zstd(str_slice(buf_str(&text), done, done + 5000), done % 10000 == 0,
                    &packed);
        packed_zstd(STR(""), true, &packed);
    }
    gives(&folder, buf_str(&packed), buf_str(&text));
    tap_case("zstd: several frames, cut");
    said(&folder, str_slice(buf_str(&packed), 0, packed.len - 14),
         ": is cut or damaged: at byte*");
    tap_case("zstd: other bytes behind");
    buf_add(&packed, STR("other bytes"));
    said(&folder, buf_str(&packed), ": is cut or damaged: at byte*");
    tap_case("zstd: one frame, changed");
    buf_clear(&packed);
    packed_zstd(buf_str(&text), true, &packed);
    packed.ptr[packed.len - 1] ^= 1;
    said(&folder, buf_str(&packed),
         ": is damaged: zstd data expected, but zstd says: Restored data doesn't match "
         "checksum");
    tap_case("zstd: one frame, cut");
    said(&folder, str_slice(buf_str(&packed), 0, packed.len - 5),
         ": is cut: the zstd data end in the middle");
    buf_free(&text);
    buf_free(&packed);
    packed_clean(&folder);
    return tap_done();
}
