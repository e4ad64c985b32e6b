/* What is written as &name; or &#number; in HTML. */
#include "text/internal.h"

#include <stdlib.h>

#include "text/utf8.h"

/* All 2,125 names of the HTML Living Standard, section 13.5 (which hold the 252 of HTML
 * 4), in byte order: lines such as "acE=223E+333", a name with its code points in hex. */
extern const unsigned char text_entities[];
extern const size_t text_entities_len;

size_t text_entity_find(struct str name, uint32_t codes[2])
{
    struct str rows = {(const char *)text_entities, text_entities_len}, value;
    char *plus;

    if (!str_find_row(rows, '=', name, &value))
        return 0;
    codes[0] = (uint32_t)strtoul(value.ptr, &plus, 16);
    if (*plus != '+')
        return 1;
    codes[1] = (uint32_t)strtoul(plus + 1, NULL, 16);
    return 2;
}

uint32_t text_entity_number(uint32_t number)
{
    /* HTML Living Standard, section 13.2.5.80. Five places have no other meaning. */
    static const uint16_t windows_1252[32] = {
        0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
        0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
        0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

    if (number >= 0x80 && number <= 0x9F)
        return windows_1252[number - 0x80];
    if (number == 0 || number > TEXT_UTF8_LAST || (number >= 0xD800 && number <= 0xDFFF))
        return TEXT_UTF8_REPLACEMENT;
    return number;
}
