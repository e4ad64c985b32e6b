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
    check_password(&folder);
    packed_clean(&folder);
    return tap_done();
}
