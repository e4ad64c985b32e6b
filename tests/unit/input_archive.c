/* Archives through libarchive: zip, and 7z by methods we leave to it. */
#include "tests/unit/said.h"

static void check_archive(struct packed_folder *folder, const char *format,
                          const char *compression, const char *shown)
{
    struct buf text = {0}, packed = {0}, out = {0};
    struct input *input;
    struct err err = {0};

    tap_case("archive: %s %s", format, compression != NULL ? compression : "");
    noise(&text, 300000);
    struct str all = buf_str(&text);
    struct packed_member members[] = {{"dump/Badges.xml", str_slice(all, 0, 1000)},
                                      {"dump/Posts.xml", str_slice(all, 1000, 290000)},
                                      {"dump/Tags.xml", str_slice(all, 290000, all.len)}};
    packed_archive(folder, format, compression, members, ROWS(members), &packed);
    packed_write(folder, "archive.bin", buf_str(&packed));
    CHECK(input_open(folder->last, &input, &err));
    CHECK(input_count(input) == ROWS(members));
    for (size_t i = 0; i < ROWS(members); i++) {
        const struct input_member *member = input_member(input, i);
        CHECK(str_eq(member->name, str_from(members[i].name)));
        CHECK_TEXT(member->format, shown);
        CHECK(member->size == (int64_t)members[i].bytes.len);
    }
    input_close(input);
    for (size_t i = 0; i < ROWS(members); i++) {
        for (int threads = 0; threads <= 2; threads++) {
            CHECK(reading_member(folder->last, i, 0, threads, 5000, &out, &err));
            CHECK(str_eq(buf_str(&out), members[i].bytes));
        }
        CHECK(reading_member(folder->last, i, 999, 2, 5000, &out, &err));
        CHECK(str_eq(buf_str(&out),
                     str_slice(members[i].bytes, 999, members[i].bytes.len)));
    }
    packed.ptr[600] ^= 1; /* in the first member */
    CHECK(!reading_member(packed_write(folder, "archive.bin", buf_str(&packed)), 0, 0, 1,
                          5000, &out, &err));
    CHECK(err.kind == ERR_INPUT);
    CHECK(strstr(err.text, "archive.bin/dump/Badges.xml: is ") != NULL);
    buf_free(&text);
    buf_free(&packed);
    buf_free(&out);
}

static bool holds(struct input_stream *stream, struct str bytes, struct err *err)
{
    struct buf out = {0};
    size_t got = 1;
    bool ok = true;

    while (ok && got > 0) {
        ok = input_stream_read(stream, buf_reserve(&out, 3000), 3000, &got, err);
        out.len += ok ? got : 0;
    }
    ok = ok && input_stream_finish(stream, err) && str_eq(buf_str(&out), bytes);
    buf_free(&out);
    return ok;
}

/* A tar is unpacked on from where the last member ended; members may be asked for in any
 * order, read in part, and two at once. */
static void check_orders(struct packed_folder *folder)
{
    static const size_t order[] = {0, 1, 2, 3, 1, 1, 0, 3, 2};
    struct input_stream_options options = {0};
    struct input_stream *streams[2];
    struct buf text = {0}, packed = {0};
    struct packed_member members[4] = {{"a", {0}}, {"b", {0}}, {"c", {0}}, {"d", {0}}};
    struct input *input;
    struct err err = {0};
    char some[100];
    size_t got;

    noise(&text, 40000);
    for (size_t i = 0; i < ROWS(members); i++)
        members[i].bytes = str_slice(buf_str(&text), i * 10000, i * 10000 + 9000);
    packed_archive(folder, "ustar", NULL, members, ROWS(members), &packed);
    packed_write(folder, "archive.tar", buf_str(&packed));
    CHECK(input_open(folder->last, &input, &err));
    for (size_t i = 0; i < ROWS(order); i++) {
        tap_case("tar: member %zu after %zu", order[i], i > 0 ? order[i - 1] : 0);
        CHECK(input_stream_open(input, order[i], &options, &streams[0], &err));
        CHECK(holds(streams[0], members[order[i]].bytes, &err));
        input_stream_close(streams[0]);
    }
    tap_case("tar: two at once, and one that is not read to its end");
    for (size_t i = 0; i < 2; i++)
        CHECK(input_stream_open(input, 1 + i, &options, &streams[i], &err));
    CHECK(input_stream_read(streams[0], some, sizeof some, &got, &err));
    CHECK(holds(streams[1], members[2].bytes, &err));
    input_stream_close(streams[0]);
    input_stream_close(streams[1]);
    CHECK(input_stream_open(input, 2, &options, &streams[0], &err));
    CHECK(holds(streams[0], members[2].bytes, &err));
    input_stream_close(streams[0]);
    input_close(input);
    buf_free(&text);
    buf_free(&packed);
}

/* The flag that says "encrypted", in both places where zip has it. */
static void check_password(struct packed_folder *folder)
{
    struct packed_member member = {"Posts.xml", STR("<posts/>")};
    struct buf packed = {0};

    tap_case("archive: zip with a password");
    packed_archive(folder, "zip", NULL, &member, 1, &packed);
    for (size_t i = 0; i + 10 < packed.len; i++) {
        if (memcmp(packed.ptr + i, "PK\x03\x04", 4) == 0)
            packed.ptr[i + 6] |= 1;
        if (memcmp(packed.ptr + i, "PK\x01\x02", 4) == 0)
            packed.ptr[i + 8] |= 1;
    }
    said(folder, buf_str(&packed),
         "/Posts.xml: is locked with a password; unpack it first");
    buf_free(&packed);
}

int main(void)
{
    struct packed_folder folder = packed_folder();

    check_archive(&folder, "zip", NULL, "zip");
    check_archive(&folder, "zip", "store", "zip");
    check_archive(&folder, "7zip", "ppmd", "7z PPMd");
    check_archive(&folder, "7zip", "deflate", "7z Deflate");
    check_orders(&folder);
    check_password(&folder);
    packed_clean(&folder);
    return tap_done();
}
