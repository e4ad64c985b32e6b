/* xz: streams, blocks, and what may be wrong with them. */
#include "tests/unit/said.h"

int main(void)
{
    struct packed_folder folder = packed_folder();
    struct buf text = {0}, packed = {0}, one = {0};

    noise(&text, 900000);
    packed_xz(buf_str(&text), 0, &one);
    tap_case("xz: empty");
    packed_xz(STR(""), 0, &packed);
    gives(&folder, buf_str(&packed), STR(""));
    tap_case("xz: many small blocks");
    buf_clear(&packed);
    packed_xz(buf_str(&text), 3000, &packed);
    gives(&folder, buf_str(&packed), buf_str(&text));
    tap_case("xz: blocks and an empty stream");
    packed_xz(STR(""), 0, &packed);
    gives(&folder, buf_str(&packed), buf_str(&text));

    tap_case("xz: blocks, one of them changed");
    buf_clear(&packed);
    packed_xz(buf_str(&text), 100000, &packed);
    packed.ptr[packed.len / 2] ^= 1;
    said(&folder, buf_str(&packed), ": is damaged: its xz data are wrong");
    packed.ptr[packed.len / 2] ^= 1;
    tap_case("xz: blocks, the index changed");
    packed.ptr[packed.len - 20] ^= 1;
    said(&folder, buf_str(&packed), ": is damaged: its xz data are wrong");
    packed.ptr[packed.len - 20] ^= 1;
    tap_case("xz: blocks, cut");
    said(&folder, str_slice(buf_str(&packed), 0, packed.len / 2),
         ": is cut: the xz data end in the middle");
    tap_case("xz: one block, cut");
    said(&folder, str_slice(buf_str(&one), 0, one.len - 1),
         ": is cut: the xz data end in the middle");
    tap_case("xz: other bytes behind");
    buf_add(&one, STR("not the beginning of xz"));
    said(&folder, buf_str(&one), ": is damaged: its xz data are wrong");
    buf_free(&text);
    buf_free(&packed);
    buf_free(&one);
    packed_clean(&folder);
    return tap_done();
}
