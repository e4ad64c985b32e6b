/* The well-formed sequences are those of the Unicode standard, table 3-7: no overlong
 * forms, no surrogates, nothing beyond U+10FFFF. */
#include "text/utf8.h"

#include <string.h>

static bool continues(unsigned char byte)
{
    return (byte & 0xC0) == 0x80;
}

size_t text_utf8_read(struct str text, size_t at, uint32_t *code)
{
    const unsigned char *s = (const unsigned char *)text.ptr + at;
    size_t left = text.len - at, length, i;
    unsigned char low = 0x80, high = 0xBF; /* bounds of the second byte */
    uint32_t value;

    if (s[0] < 0x80) {
        *code = s[0];
        return 1;
    }
    *code = TEXT_UTF8_REPLACEMENT;
    if (s[0] < 0xC2 || s[0] > 0xF4)
        return 1;
    length = s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    value = s[0] & (0x7Fu >> length);
    if (s[0] == 0xE0)
        low = 0xA0;
    else if (s[0] == 0xED)
        high = 0x9F;
    else if (s[0] == 0xF0)
        low = 0x90;
    else if (s[0] == 0xF4)
        high = 0x8F;
    if (left < 2 || s[1] < low || s[1] > high)
        return 1;
    value = value << 6 | (s[1] & 0x3F);
    for (i = 2; i < length; i++) {
        if (i >= left || !continues(s[i]))
            return i;
        value = value << 6 | (s[i] & 0x3F);
    }
    *code = value;
    return length;
}

size_t text_utf8_read_back(struct str text, size_t at, uint32_t *code)
{
    struct str before = {text.ptr, at};

    for (size_t back = 1; back <= 4 && back <= at; back++) {
        if (continues((unsigned char)text.ptr[at - back]))
            continue;
        if (text_utf8_read(before, at - back, code) == back)
            return back;
        break;
    }
    *code = TEXT_UTF8_REPLACEMENT;
    return 1;
}

size_t text_utf8_write(uint32_t code, char *out)
{
    if (code > TEXT_UTF8_LAST || (code >= 0xD800 && code <= 0xDFFF))
        code = TEXT_UTF8_REPLACEMENT;
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xC0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xE0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 0x3F));
        out[2] = (char)(0x80 | (code & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 0x3F));
    out[2] = (char)(0x80 | (code >> 6 & 0x3F));
    out[3] = (char)(0x80 | (code & 0x3F));
    return 4;
}

enum { PLAIN = 32 }; /* bytes that are looked at together */

/* Whether all of them are ASCII and none is 0. */
static bool is_plain(const char *bytes)
{
    const uint64_t high = 0x8080808080808080u;
    uint64_t words[PLAIN / 8], any = 0, all = high;

    memcpy(words, bytes, sizeof words);
    for (size_t i = 0; i < ROWS_OF(words); i++) {
        any |= words[i];
        /* Without high bits, adding 0x7F sets a byte's high bit unless the byte is 0. */
        all &= words[i] + 0x7F7F7F7F7F7F7F7Fu;
    }
    return (any & high) == 0 && all == high;
}

/* Where the first byte at or after `at` lies that is no character's, or U+0000; text.len
 * when there is none. */
static size_t first_bad(struct str text, size_t at)
{
    while (at < text.len) {
        uint32_t code;
        size_t length;
        if (text.len - at >= PLAIN && is_plain(text.ptr + at)) {
            at += PLAIN;
            continue;
        }
        while (at < text.len && (signed char)text.ptr[at] > 0)
            at++;
        if (at == text.len)
            break;
        length = text_utf8_read(text, at, &code);
        /* U+FFFD that stands in the text itself is a character like others. */
        if (code == 0 || (code == TEXT_UTF8_REPLACEMENT &&
                          (length < 3 || memcmp(text.ptr + at, "\xEF\xBF\xBD", 3) != 0)))
            return at;
        at += length;
    }
    return text.len;
}

bool text_utf8_valid(struct str text)
{
    return first_bad(text, 0) == text.len;
}

size_t text_utf8_count(struct str text)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    size_t count = text.len, at = 0;

    for (; at + 8 <= text.len; at += 8) {
        uint64_t bytes;
        memcpy(&bytes, text.ptr + at, sizeof bytes);
        /* A bit where the upper one of a byte is set and the one below it is not. */
        uint64_t within = bytes >> 7 & ~(bytes >> 6) & ones;
        count -= (size_t)(within * ones >> 56);
    }
    for (; at < text.len; at++)
        count -= continues((unsigned char)text.ptr[at]);
    return count;
}

/* A character of four bytes, and no other, is two units. */
size_t text_utf8_units(struct str text)
{
    size_t units = text_utf8_count(text);

    for (size_t i = 0; i < text.len; i++)
        units += (unsigned char)text.ptr[i] >= 0xF0;
    return units;
}

struct str text_utf8_cut(struct str text, size_t bytes_max)
{
    if (text.len <= bytes_max)
        return text;
    while (bytes_max > 0 && continues((unsigned char)text.ptr[bytes_max]))
        bytes_max--;
    return str_slice(text, 0, bytes_max);
}

int64_t text_utf8_repair(struct str text, struct buf *out)
{
    int64_t replaced = 0;
    size_t at = 0;

    while (at < text.len) {
        size_t bad = first_bad(text, at);
        uint32_t code;
        buf_add(out, str_slice(text, at, bad));
        if (bad == text.len)
            break;
        at = bad + text_utf8_read(text, bad, &code);
        buf_add(out, STR("\xEF\xBF\xBD"));
        replaced++;
    }
    return replaced;
}
