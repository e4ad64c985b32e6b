/* Case folding: known letters, and what must hold for every character. */
#include "query/internal.h"

#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "tests/tap.h"

static const struct {
    const char *name, *text, *folded;
} rows[] = {
    {"nothing", "", ""},
    {"ASCII, long enough for blocks", "@AZ[`az{ TensorFlow 2.0 KERAS_x",
     "@az[`az{ tensorflow 2.0 keras_x"},
    {"Latin", "\xC3\x89\xC3\x96\xC3\x9F \xC5\x81\xC5\xBB",
     "\xC3\xA9\xC3\xB6\xC3\x9F \xC5\x82\xC5\xBC"},
    {"multiplication sign is no letter", "\xC3\x97", "\xC3\x97"},
    {"Greek with both small sigmas", "\xCE\xA3\xCF\x82\xCF\x83",
     "\xCF\x83\xCF\x83\xCF\x83"},
    {"micro sign is mu", "\xC2\xB5", "\xCE\xBC"},
    {"Cyrillic", "\xD0\x96\xD0\xB6\xD0\x81", "\xD0\xB6\xD0\xB6\xD1\x91"},
    {"Chinese has no case", "\xE4\xB8\xAD\xE6\x96\x87", "\xE4\xB8\xAD\xE6\x96\x87"},
    {"full width", "\xEF\xBC\xA1", "\xEF\xBD\x81"},
    {"Deseret, four bytes", "\xF0\x90\x90\x80", "\xF0\x90\x90\xA8"},
    {"Kelvin sign stays: k is shorter", "\xE2\x84\xAA", "\xE2\x84\xAA"},
    {"long s stays", "\xC5\xBF", "\xC5\xBF"},
    {"capital sharp s stays", "\xE1\xBA\x9E", "\xE1\xBA\x9E"},
    {"a broken character, then a letter", "\xC3 A\xC3", "\xC3 a\xC3"},
    {"an overlong A", "\xC1\x81Z", "\xC1\x81z"},
    {"a surrogate", "\xED\xA0\x80Z", "\xED\xA0\x80z"},
    {"beyond Unicode", "\xF4\x90\x80\x80Z", "\xF4\x90\x80\x80z"},
    {"upper case before and after a block", "\xC3\x89TENSORFLOW\xC3\x89",
     "\xC3\xA9tensorflow\xC3\xA9"},
};

static size_t encode(uint32_t c, char out[4])
{
    size_t len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

    for (size_t i = len - 1; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3F));
    out[0] = (char)(len == 1 ? c : (0xF00u >> len & 0xF0u) | c);
    return len;
}

/* PCRE2 has tables of its own: does (?i) take one for the other? */
static bool pcre_agrees(uint32_t a, uint32_t b)
{
    char pattern[4], subject[4];
    size_t pattern_len = encode(a, pattern), subject_len = encode(b, subject);
    int error;
    PCRE2_SIZE at;
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)pattern, pattern_len,
                                     PCRE2_UTF | PCRE2_CASELESS, &error, &at, NULL);
    pcre2_match_data *data = pcre2_match_data_create(1, NULL);
    bool same =
        pcre2_match(code, (PCRE2_SPTR)subject, subject_len, 0, 0, data, NULL) >= 0;

    pcre2_match_data_free(data);
    pcre2_code_free(code);
    return same;
}

static void check_all_characters(void)
{
    size_t folded = 0, lengths = 0, unstable = 0, disputed = 0, ascii = 0, decoded = 0;

    tap_case("every character: same length, stable, and PCRE2 agrees");
    for (uint32_t c = 0; c < 0x110000; c++) {
        uint32_t small = query_fold_character(c), back;
        char a[4], b[4];
        if (c >= 0xD800 && c < 0xE000)
            continue;
        size_t len = encode(c, a);
        decoded += query_decode((struct str){a, len}, &back) == len && back == c;
        if (small == c)
            continue;
        folded++;
        lengths += len != encode(small, b);
        unstable += query_fold_character(small) != small;
        ascii += (c < 0x80) != (small < 0x80);
        disputed += !pcre_agrees(c, small);
    }
    CHECK(decoded == 0x110000 - 0x800);
    CHECK(folded == 26 + 1394);
    CHECK(lengths == 0);
    CHECK(unstable == 0);
    CHECK(ascii == 0);
    CHECK(disputed == 0);
}

static void check_word_bytes(void)
{
    int words = 0;

    tap_case("word bytes: letters, digits, _ and everything beyond ASCII");
    for (int c = 0; c < 256; c++)
        words += query_word_byte((char)c);
    CHECK(words == 26 + 26 + 10 + 1 + 128);
    CHECK(query_word_byte('_') && query_word_byte('\xC3') && !query_word_byte('-'));
    CHECK(!query_word_byte(' ') && !query_word_byte('@') && !query_word_byte('`'));
}

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        char out[100] = "";
        tap_case("fold: %s", rows[i].name);
        query_fold(str_from(rows[i].text), out);
        out[strlen(rows[i].text)] = '\0';
        CHECK_TEXT(out, rows[i].folded);
        memcpy(out, rows[i].text, strlen(rows[i].text));
        query_fold((struct str){out, strlen(rows[i].text)}, out);
        CHECK_TEXT(out, rows[i].folded); /* in place */
    }
    check_all_characters();
    check_word_bytes();
    return tap_done();
}
