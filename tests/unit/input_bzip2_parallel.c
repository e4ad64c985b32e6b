/* Blocks of bzip2 found and unpacked on their own: blocks that lie across stretches,
 * streams of several kinds, blocks that are missing, and bits that only look like a
 * block's beginning. */
#include "tests/unit/said.h"

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

int main(void)
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
    return tap_done();
}
