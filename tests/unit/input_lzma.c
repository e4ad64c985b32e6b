/* LZMA and LZMA2 of 7z archives: members within blocks, blocks within members. */
#include "tests/unit/said.h"

static void check_members(struct packed_folder *folder, enum packed_method method,
                          size_t block, const struct packed_member *members, size_t count)
{
    struct buf packed = {0}, out = {0};
    struct err err = {0};

    packed_seven(method, block, members, count, &packed);
    packed_write(folder, "site.7z", buf_str(&packed));
    for (size_t i = 0; i < count; i++) {
        for (int threads = 0; threads <= 3; threads++) {
            CHECK(reading_member(folder->last, i, 0, threads, 5000, &out, &err));
            CHECK_TEXT(err.text, "");
            CHECK(str_eq(buf_str(&out), members[i].bytes));
        }
        int64_t half = (int64_t)members[i].bytes.len / 2;
        CHECK(reading_member(folder->last, i, half, 2, 5000, &out, &err));
        CHECK(str_eq(buf_str(&out),
                     str_slice(members[i].bytes, (size_t)half, members[i].bytes.len)));
    }
    buf_free(&packed);
    buf_free(&out);
}

int main(void)
{
    struct packed_folder folder = packed_folder();
    struct buf text = {0}, packed = {0};

    noise(&text, 3000000);
    for (size_t i = 0; i < text.len; i++) /* not only noise: chunks of every kind */
        if (i / 100000 % 2)
            text.ptr[i] = (char)('a' + i % 7);
    struct str all = buf_str(&text);
    struct packed_member members[] = {
        {"small", str_slice(all, 0, 10)},
        {"Posts.xml", str_slice(all, 10, 2500010)},
        {"b", str_slice(all, 2500010, 2500011)},
        {"c", str_slice(all, 2500011, all.len)},
    };
    static const struct {
        const char *name;
        enum packed_method method;
        size_t block;
    } rows[] = {
        {"LZMA", PACKED_LZMA, 0},
        {"LZMA2 in one block", PACKED_LZMA2, 0},
        {"LZMA2 in small blocks", PACKED_LZMA2, 30000},
        {"LZMA2 in large blocks", PACKED_LZMA2, 2200000},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("lzma: %s", rows[i].name);
        check_members(&folder, rows[i].method, rows[i].block, members, ROWS(members));
    }
    struct packed_member one = {"Posts.xml", str_slice(all, 0, 500000)};
    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("lzma: %s: changed", rows[i].name);
        buf_clear(&packed);
        packed_seven(rows[i].method, rows[i].block, &one, 1, &packed);
        packed.ptr[packed.len / 2] ^= 1;
        said(&folder, buf_str(&packed), "/Posts.xml: is *");
    }
    tap_case("lzma: a wrong checksum");
    buf_clear(&packed);
    packed_seven(PACKED_LZMA2, 20000, &one, 1, &packed);
    char *wrong = packed.ptr + 32 + 1000; /* a byte of a chunk that is stored */
    *wrong ^= 1;
    said(&folder, buf_str(&packed), "/Posts.xml: is damaged: its checksum is *");
    buf_free(&text);
    buf_free(&packed);
    packed_clean(&folder);
    return tap_done();
}
