/* The stream in order, though threads unpack it ahead: whole, given up early, broken. */
#include "tests/unit/said.h"

static bool read_ahead(const char *path, int threads, size_t give_up, struct buf *out,
                       struct err *err)
{
    struct input_stream_options options = {0};
    struct input *input;
    struct input_stream *stream;
    struct input_ahead *ahead;
    struct str bytes = {0};

    *err = (struct err){0};
    buf_clear(out);
    CHECK(input_open(path, &input, err));
    CHECK(input_stream_open(input, 0, &options, &stream, err));
    CHECK(input_ahead_open(stream, threads, &ahead, err));
    bool ok;
    do {
        ok = input_ahead_read(ahead, &bytes, err);
        buf_add(out, bytes);
    } while (ok && bytes.len > 0 && out->len < give_up);
    if (ok && bytes.len == 0) { /* the end stays the end */
        ok = input_ahead_read(ahead, &bytes, err) && bytes.len == 0;
        ok = ok && input_stream_finish(stream, err);
    }
    input_ahead_close(ahead);
    input_stream_close(stream);
    input_close(input);
    return ok;
}

static void check(struct packed_folder *folder, const char *name, struct str packed,
                  struct str text)
{
    struct buf out = {0};
    struct err err;

    for (int threads = 1; threads <= 3; threads++) {
        tap_case("ahead: %s, %d threads", name, threads);
        packed_write(folder, "packed", packed);
        CHECK(read_ahead(folder->last, threads, SIZE_MAX, &out, &err));
        CHECK_TEXT(err.text, "");
        CHECK(str_eq(buf_str(&out), text));
        CHECK(read_ahead(folder->last, threads, 1, &out, &err));
        CHECK(out.len > 0 && str_starts(text, buf_str(&out)));
        packed_write(folder, "packed", str_slice(packed, 0, packed.len / 2));
        bool plain = packed.len == text.len;
        CHECK(read_ahead(folder->last, threads, SIZE_MAX, &out, &err) == plain);
        CHECK(plain || err.kind == ERR_INPUT);
        CHECK(str_starts(text, buf_str(&out)));
    }
    buf_free(&out);
}

int main(void)
{
    struct packed_folder folder = packed_folder();
    struct buf text = {0}, packed = {0};

    noise(&text, 5000000);
    check(&folder, "plain", buf_str(&text), buf_str(&text));
    packed_gzip(buf_str(&text), &packed);
    check(&folder, "gzip", buf_str(&packed), buf_str(&text));
    buf_clear(&packed);
    packed_xz(buf_str(&text), 2300000, &packed);
    check(&folder, "xz, blocks longer than a chunk", buf_str(&packed), buf_str(&text));
    buf_clear(&packed);
    for (size_t done = 0; done < text.len; done += 40000)
        packed_zstd(str_slice(buf_str(&text), done, done + 40000), false, &packed);
    check(&folder, "zstd, many parts", buf_str(&packed), buf_str(&text));

    /* More chunks than there may be, in the second of two long parts. */
    struct buf long_part = {0};
    buf_clear(&packed);
    for (int i = 0; i < 130 << 20; i += 1 << 10)
        buf_add(&long_part, (struct str){text.ptr, 1 << 10});
    packed_zstd(buf_str(&long_part), true, &packed);
    packed_zstd(buf_str(&long_part), true, &packed);
    struct buf out = {0};
    struct err err;
    tap_case("ahead: a part longer than all chunks together");
    packed_write(&folder, "packed", buf_str(&packed));
    CHECK(read_ahead(folder.last, 2, SIZE_MAX, &out, &err));
    CHECK(out.len == 2 * long_part.len &&
          memcmp(out.ptr, long_part.ptr, long_part.len) == 0 &&
          memcmp(out.ptr + long_part.len, long_part.ptr, long_part.len) == 0);
    buf_free(&out);
    buf_free(&long_part);
    buf_free(&text);
    buf_free(&packed);
    packed_clean(&folder);
    return tap_done();
}
