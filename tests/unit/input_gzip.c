/* gzip: members, what may follow them, and what may be wrong. (Every byte cut or changed
 * is tests/unit/input_stream.) */
#include "tests/unit/said.h"

int main(void)
{
    struct packed_folder folder = packed_folder();
    struct buf text = {0}, packed = {0};

    noise(&text, 300000);
    packed_gzip(buf_str(&text), &packed);
    size_t one = packed.len;
    tap_case("gzip: one member");
    gives(&folder, buf_str(&packed), buf_str(&text));
    tap_case("gzip: empty");
    packed_gzip(STR(""), &packed);
    gives(&folder, str_slice(buf_str(&packed), one, packed.len), STR(""));
    tap_case("gzip: a second, empty member");
    gives(&folder, buf_str(&packed), buf_str(&text));
    packed.len = one;
    tap_case("gzip: cut");
    said(&folder, str_slice(buf_str(&packed), 0, one - 3),
         ": is cut: the gzip data end in the middle");
    tap_case("gzip: changed");
    packed.ptr[one - 6] ^= 1;
    said(&folder, buf_str(&packed),
         ": is damaged: gzip data expected, but zlib says: incorrect data check");
    packed.ptr[one - 6] ^= 1;
    tap_case("gzip: zeros behind");
    for (int i = 0; i < 200000; i++)
        buf_add_char(&packed, 0);
    gives(&folder, buf_str(&packed), buf_str(&text));
    tap_case("gzip: other bytes behind zeros");
    buf_add(&packed, STR("\x1F"));
    said(&folder, buf_str(&packed), ": is gzip followed by other bytes (0x1F)*");
    tap_case("gzip: other bytes behind");
    packed.len = one;
    buf_add(&packed, STR("x"));
    said(&folder, buf_str(&packed),
         ": is gzip followed by other bytes (0x78) where nothing or another gzip member "
         "was "
         "expected");
    buf_free(&text);
    buf_free(&packed);
    packed_clean(&folder);
    return tap_done();
}
