/* bzip2, from its beginning and block by block. */
#include <fcntl.h>

#include "tests/unit/said.h"

/* bzip2 from its beginning: a pipe, and members that share a folder of a 7z archive. */

/* The bytes through standard input as a pipe. */
static bool through_pipe(struct packed_folder *folder, struct str bytes, struct buf *out,
                         struct err *err)
{
    char command[400];
    int saved = dup(STDIN_FILENO);

    packed_write(folder, "pipe", bytes);
    snprintf(command, sizeof command, "cat '%s'", folder->last);
    FILE *pipe = popen(command, "r");
    CHECK(pipe != NULL && dup2(fileno(pipe), STDIN_FILENO) == STDIN_FILENO);
    bool ok = reading_member("-", 0, 0, 2, 50000, out, err);
    dup2(saved, STDIN_FILENO);
    close(saved);
    pclose(pipe);
    return ok;
}

static void test_bzip2(void)
{
    struct packed_folder folder = packed_folder();
    struct buf text = {0}, packed = {0}, out = {0};
    struct err err = {0};

    noise(&text, 700000);
    packed_bzip2(buf_str(&text), 1, &packed);
    size_t one = packed.len;
    tap_case("bzip2: a pipe");
    CHECK(through_pipe(&folder, buf_str(&packed), &out, &err));
    CHECK(str_eq(buf_str(&out), buf_str(&text)));
    tap_case("bzip2: a pipe with two streams");
    packed_bzip2(STR("more"), 9, &packed);
    buf_add(&text, STR("more"));
    CHECK(through_pipe(&folder, buf_str(&packed), &out, &err));
    CHECK(str_eq(buf_str(&out), buf_str(&text)));
    tap_case("bzip2: a pipe that is cut");
    CHECK(!through_pipe(&folder, str_slice(buf_str(&packed), 0, one - 100), &out, &err));
    CHECK_TEXT(err.text, "standard input: is cut: the bzip2 data end in the middle");
    tap_case("bzip2: a pipe with a changed byte");
    packed.ptr[one / 2] ^= 4;
    CHECK(!through_pipe(&folder, buf_str(&packed), &out, &err));
    CHECK_TEXT(err.text,
               "standard input: is damaged: its bzip2 data do not fit their checksum");
    packed.ptr[one / 2] ^= 4;
    tap_case("bzip2: a pipe with other bytes behind");
    buf_add(&packed, STR("x"));
    CHECK(!through_pipe(&folder, buf_str(&packed), &out, &err));
    CHECK(strstr(err.text, "is bzip2 followed by other bytes (0x78)") != NULL);

    tap_case("bzip2: members that share a folder");
    struct packed_member members[] = {
        {"a", STR("first")}, {"b", buf_str(&text)}, {"c", STR("third")}};
    buf_clear(&packed);
    packed_seven(PACKED_BZIP2, 0, members, 3, &packed);
    packed_write(&folder, "solid", buf_str(&packed));
    for (size_t i = 0; i < 3; i++) {
        CHECK(reading_member(folder.last, i, 0, 2, 50000, &out, &err));
        CHECK(str_eq(buf_str(&out), members[i].bytes));
    }
    CHECK(reading_member(folder.last, 1, 600000, 2, 50000, &out, &err));
    CHECK(str_eq(buf_str(&out), str_slice(buf_str(&text), 600000, text.len)));
    buf_free(&text);
    buf_free(&packed);
    buf_free(&out);
    packed_clean(&folder);
}

/* Blocks of bzip2 found and unpacked on their own: blocks that lie across stretches,
 * streams of several kinds, blocks that are missing, and bits that only look like a
 * block's beginning. */

static const char magic[] = "\x31\x41\x59\x26\x53\x59";

/* A block begins with a map of the bytes that occur in it, 16 bits for each 16 of them.
 * If just the right bytes occur, the map is what a block begins with. Neighbours differ:
 * the length of a run would be one more byte. */
static void make_misleading(struct buf *out, size_t len)
{
    struct buf letters = {0}, bytes = {0};

    for (unsigned i = 0; i < 48; i++)
        if ((unsigned char)magic[i / 8] >> (7 - i % 8) & 1)
            buf_add_char(&letters, (char)i);
    noise(&bytes, len);
    for (size_t i = 0, at = 0; i < len; i++) {
        at = (at + 1 + (unsigned char)bytes.ptr[i] % (letters.len - 1)) % letters.len;
        buf_add_char(out, letters.ptr[at]);
    }
    buf_free(&letters);
    buf_free(&bytes);
}

/* Such a block, of which a stretch's border parts the true beginning from the false. */
static void check_misleading(struct packed_folder *folder)
{
    enum { STRETCH = 512 * 1024 };
    struct buf text = {0}, first = {0}, packed = {0};

    tap_case("blocks: beginnings that are none, one the first in its stretch");
    noise(&text, 519000);
    packed_bzip2(buf_str(&text), 9, &packed);
    /* Empty streams, 14 bytes each, move the block to where it has to be: its magic is 4
     * bytes on, and the false one 15 bytes behind it. */
    while (packed.len + 4 + 13 < STRETCH)
        packed_bzip2(STR(""), 9, &packed);
    CHECK(packed.len + 4 < STRETCH && packed.len + 4 + 15 > STRETCH);
    make_misleading(&first, 400000);
    packed_bzip2(buf_str(&first), 1, &packed);
    buf_add(&text, buf_str(&first));
    gives(folder, buf_str(&packed), buf_str(&text));
    buf_free(&text);
    buf_free(&first);
    buf_free(&packed);
}

static void test_bzip2_parallel(void)
{
    struct packed_folder folder = packed_folder();
    struct buf text = {0}, packed = {0}, other = {0};

    noise(&text, 1150000); /* packed it is as long: three stretches */
    tap_case("blocks: across stretches, smallest");
    packed_bzip2(buf_str(&text), 1, &packed);
    gives(&folder, buf_str(&packed), buf_str(&text));
    tap_case("blocks: across stretches, largest");
    buf_clear(&packed);
    packed_bzip2(buf_str(&text), 9, &packed);
    gives(&folder, buf_str(&packed), buf_str(&text));

    tap_case("blocks: runs that unpack to much");
    struct buf runs = {0};
    for (int i = 0; i < 2000000; i++)
        buf_add_char(&runs, 'a');
    buf_clear(&packed);
    packed_bzip2(buf_str(&runs), 1, &packed);
    gives(&folder, buf_str(&packed), buf_str(&runs));
    buf_free(&runs);

    tap_case("blocks: empty, also several times");
    buf_clear(&packed);
    packed_bzip2(STR(""), 9, &packed);
    gives(&folder, buf_str(&packed), STR(""));
    packed_bzip2(STR(""), 1, &packed);
    packed_bzip2(STR("x"), 1, &packed);
    packed_bzip2(STR(""), 1, &packed);
    gives(&folder, buf_str(&packed), STR("x"));

    tap_case("blocks: text that is a block's beginning");
    for (size_t i = 0; i + 6 < text.len; i += 1000)
        memcpy(text.ptr + i, magic, 6);
    buf_clear(&packed);
    packed_bzip2(buf_str(&text), 2, &packed);
    gives(&folder, buf_str(&packed), buf_str(&text));

    check_misleading(&folder);

    tap_case("blocks: other bytes behind");
    packed_bzip2(STR("abc"), 1, &other);
    buf_add(&other, STR("ZZZZ"));
    said(&folder, buf_str(&other),
         ": is damaged: at byte 38 a bzip2 stream or the end was "
         "expected");

    tap_case("blocks: a piece is missing");
    buf_clear(&packed);
    packed_bzip2(buf_str(&text), 9, &packed);
    buf_clear(&other);
    buf_add(&other, str_slice(buf_str(&packed), 0, 400000));
    buf_add(&other, str_slice(buf_str(&packed), 700000, packed.len));
    said(&folder, buf_str(&other), ": is cut or damaged*");

    tap_case("blocks: cut behind a block");
    said(&folder, str_slice(buf_str(&packed), 0, packed.len - 12),
         ": is cut or damaged*");
    tap_case("blocks: cut in the middle");
    said(&folder, str_slice(buf_str(&packed), 0, packed.len / 2), ": is cut or damaged*");
    tap_case("blocks: bits that look like a block's beginning in another block");
    /* Wherever six bytes of noise are replaced, a block is damaged; what must not happen
     * is that the rest is taken for the whole. */
    for (size_t at = 540000; at < packed.len; at += 300000) {
        buf_clear(&other);
        buf_add(&other, buf_str(&packed));
        memcpy(other.ptr + at, magic, 6);
        said(&folder, buf_str(&other), ": is *");
    }
    buf_free(&text);
    buf_free(&packed);
    buf_free(&other);
    packed_clean(&folder);
}

int main(void)
{
    test_bzip2();
    test_bzip2_parallel();
    return tap_done();
}
