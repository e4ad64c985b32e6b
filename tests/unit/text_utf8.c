/* UTF-8 forwards, backwards and repaired; the bad sequences are those of the Unicode
 * standard, section 3.9, and of Kuhn's decoder stress test. */
#include "text/utf8.h"

#include <string.h>

#include "tests/tap.h"

static const struct {
    const char *name;
    const char *bytes;
    uint32_t code;
    size_t len; /* what text_utf8_read consumes */
} reads[] = {
    {"ASCII", "a", 'a', 1},
    {"last of one byte", "\x7F", 0x7F, 1},
    {"first of two bytes", "\xC2\x80", 0x80, 2},
    {"last of two bytes", "\xDF\xBF", 0x7FF, 2},
    {"first of three bytes", "\xE0\xA0\x80", 0x800, 3},
    {"before the surrogates", "\xED\x9F\xBF", 0xD7FF, 3},
    {"behind the surrogates", "\xEE\x80\x80", 0xE000, 3},
    {"U+FFFD itself", "\xEF\xBF\xBD", 0xFFFD, 3},
    {"last of three bytes", "\xEF\xBF\xBF", 0xFFFF, 3},
    {"first of four bytes", "\xF0\x90\x80\x80", 0x10000, 4},
    {"emoji", "\xF0\x9F\x98\x80", 0x1F600, 4},
    {"last character", "\xF4\x8F\xBF\xBF", 0x10FFFF, 4},
    {"lone continuation", "\x80", 0xFFFD, 1},
    {"overlong slash, two bytes", "\xC0\xAF", 0xFFFD, 1},
    {"overlong, three bytes", "\xE0\x9F\xBF", 0xFFFD, 1},
    {"overlong, four bytes", "\xF0\x8F\xBF\xBF", 0xFFFD, 1},
    {"surrogate", "\xED\xA0\x80", 0xFFFD, 1},
    {"beyond the last", "\xF4\x90\x80\x80", 0xFFFD, 1},
    {"five byte form", "\xF8\x88\x80\x80\x80", 0xFFFD, 1},
    {"byte that never occurs", "\xFF", 0xFFFD, 1},
    {"cut after one of two", "\xC3", 0xFFFD, 1},
    {"cut after two of three", "\xE2\x82", 0xFFFD, 2},
    {"cut after three of four", "\xF0\x9F\x98", 0xFFFD, 3},
    {"lead before a letter", "\xC3z", 0xFFFD, 1},
    {"two of three before a letter", "\xE2\x82z", 0xFFFD, 2},
};

#define BAD "\xEF\xBF\xBD"

static const struct {
    const char *name;
    struct str text;
    const char *repaired;
    bool valid;
} repairs[] = {
    {"nothing", {"", 0}, "", true},
    {"plain", {"plain text", 10}, "plain text", true},
    {"umlaut", {"gr\xC3\xBC\xC3\x9F", 6}, "gr\xC3\xBC\xC3\x9F", true},
    {"U+FFFD stays", {BAD, 3}, BAD, true},
    {"NUL", {"a\0b", 3}, "a" BAD "b", false},
    {"NUL behind 32 bytes",
     {"0123456789abcdef0123456789abcdef\0", 33},
     "0123456789abcdef0123456789abcdef" BAD,
     false},
    {"bad byte among 32",
     {"0123456789abcdef\xFF"
      "123456789abcdef",
      32},
     "0123456789abcdef" BAD "123456789abcdef",
     false},
    {"other controls stay", {"\x01\x1F\x7F", 3}, "\x01\x1F\x7F", true},
    {"Latin-1", {"caf\xE9 au", 7}, "caf" BAD " au", false},
    {"table 3-8 of the standard",
     {"\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64", 13},
     "a" BAD BAD BAD "b" BAD "c" BAD BAD "d",
     false},
    {"surrogate is three bad bytes", {"\xED\xA0\x80", 3}, BAD BAD BAD, false},
    {"lead swallows no letter", {"\xC3<b>\xA9", 5}, BAD "<b>" BAD, false},
};

static void check_reads(void)
{
    for (size_t i = 0; i < ROWS(reads); i++) {
        struct str text = str_from(reads[i].bytes);
        uint32_t code;
        tap_case("read: %s", reads[i].name);
        CHECK(text_utf8_read(text, 0, &code) == reads[i].len);
        CHECK(code == reads[i].code);
        if (reads[i].len < text.len) /* only the beginning of the row is read */
            continue;
        tap_case("read back: %s", reads[i].name);
        CHECK(text_utf8_read_back(text, text.len, &code) == reads[i].len);
        CHECK(code == reads[i].code);
    }
}

static void check_every_code(void)
{
    size_t wrong = 0;

    tap_case("every character is written, read and read back");
    for (uint32_t code = 0; code <= TEXT_UTF8_LAST; code++) {
        bool surrogate = code >= 0xD800 && code <= 0xDFFF;
        uint32_t want = surrogate ? TEXT_UTF8_REPLACEMENT : code, got, back;
        char bytes[4];
        size_t len = text_utf8_write(code, bytes);
        struct str text = {bytes, len};
        wrong += text_utf8_read(text, 0, &got) != len || got != want;
        wrong += text_utf8_read_back(text, len, &back) != len || back != want;
        wrong += text_utf8_valid(text) != (code != 0);
    }
    CHECK(wrong == 0);
    tap_case("what is beyond the last character is written as U+FFFD");
    char bytes[4];
    CHECK(text_utf8_write(0x110000, bytes) == 3 && memcmp(bytes, BAD, 3) == 0);
}

static void check_cut(void)
{
    struct str text = STR("a\xc3\xa4\xe2\x82\xac");
    static const size_t cut[] = {0, 1, 1, 3, 3, 3, 6, 6};

    tap_case("cut between characters");
    for (size_t max = 0; max < ROWS(cut); max++)
        CHECK(str_eq(text_utf8_cut(text, max), str_slice(text, 0, cut[max])));
}

int main(void)
{
    struct buf out = {0};

    check_reads();
    check_cut();
    check_every_code();
    for (size_t i = 0; i < ROWS(repairs); i++) {
        tap_case("repair: %s", repairs[i].name);
        buf_clear(&out);
        CHECK((text_utf8_repair(repairs[i].text, &out) == 0) == repairs[i].valid);
        CHECK(str_eq(buf_str(&out), str_from(repairs[i].repaired)));
        CHECK(text_utf8_valid(repairs[i].text) == repairs[i].valid);
        CHECK(text_utf8_valid(buf_str(&out)));
    }
    buf_free(&out);
    return tap_done();
}
