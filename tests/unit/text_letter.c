/* Characters of words and their lower case, against the Unicode character database. */
#include "text/letter.h"

#include "tests/tap.h"

static const struct {
    const char *name;
    uint32_t code;
    bool in_word;
    uint32_t lower;
} rows[] = {
    {"a", 'a', true, 'a'},
    {"Z", 'Z', true, 'z'},
    {"0", '0', true, '0'},
    {"@", '@', false, '@'},
    {"[", '[', false, '['},
    {"underscore", '_', false, '_'},
    {"NUL", 0, false, 0},
    {"DEL", 0x7F, false, 0x7F},
    {"no-break space", 0xA0, false, 0xA0},
    {"copyright sign", 0xA9, false, 0xA9},
    {"feminine ordinal", 0xAA, true, 0xAA},
    {"superscript two", 0xB2, true, 0xB2},
    {"micro sign is a mu", 0xB5, true, 0x3BC},
    {"middle dot", 0xB7, false, 0xB7},
    {"A grave", 0xC0, true, 0xE0},
    {"O diaeresis", 0xD6, true, 0xF6},
    {"times", 0xD7, false, 0xD7},
    {"thorn", 0xDE, true, 0xFE},
    {"sharp s", 0xDF, true, 0xDF},
    {"divided by", 0xF7, false, 0xF7},
    {"y diaeresis", 0xFF, true, 0xFF},
    {"A macron", 0x100, true, 0x101},
    {"a macron", 0x101, true, 0x101},
    {"I with dot above", 0x130, true, 'i'},
    {"dotless i", 0x131, true, 0x131},
    {"Y diaeresis", 0x178, true, 0xFF},
    {"Z caron", 0x17D, true, 0x17E},
    {"z caron", 0x17E, true, 0x17E},
    {"long s", 0x17F, true, 's'},
    {"A with stroke", 0x23A, true, 0x2C65},
    {"combining acute", 0x301, true, 0x301},
    {"Alpha tonos", 0x386, true, 0x3AC},
    {"Alpha", 0x391, true, 0x3B1},
    {"Omega", 0x3A9, true, 0x3C9},
    {"omega", 0x3C9, true, 0x3C9},
    {"final sigma", 0x3C2, true, 0x3C3},
    {"Cyrillic Io", 0x401, true, 0x451},
    {"Cyrillic A", 0x410, true, 0x430},
    {"Cyrillic Ya", 0x42F, true, 0x44F},
    {"Cyrillic ya", 0x44F, true, 0x44F},
    {"Cyrillic thousands sign", 0x482, false, 0x482},
    {"Armenian Ayb", 0x531, true, 0x561},
    {"Hebrew alef", 0x5D0, true, 0x5D0},
    {"Arabic comma", 0x60C, false, 0x60C},
    {"Arabic digit", 0x665, true, 0x665},
    {"Devanagari danda", 0x964, false, 0x964},
    {"Devanagari vowel sign", 0x93F, true, 0x93F},
    {"capital sharp s", 0x1E9E, true, 0xDF},
    {"en dash", 0x2013, false, 0x2013},
    {"left double quotation mark", 0x201C, false, 0x201C},
    {"zero width space", 0x200B, false, 0x200B},
    {"bullet", 0x2022, false, 0x2022},
    {"euro", 0x20AC, false, 0x20AC},
    {"keycap", 0x20E3, false, 0x20E3},
    {"Kelvin", 0x212A, true, 'k'},
    {"Ohm", 0x2126, true, 0x3C9},
    {"roman numeral two", 0x2161, true, 0x2171},
    {"right arrow", 0x2192, false, 0x2192},
    {"for all", 0x2200, false, 0x2200},
    {"box drawing", 0x2500, false, 0x2500},
    {"snowman", 0x2603, false, 0x2603},
    {"ideographic space", 0x3000, false, 0x3000},
    {"ideographic full stop", 0x3002, false, 0x3002},
    {"hiragana a", 0x3042, true, 0x3042},
    {"katakana middle dot", 0x30FB, false, 0x30FB},
    {"CJK middle", 0x4E2D, true, 0x4E2D},
    {"hangul ga", 0xAC00, true, 0xAC00},
    {"variation selector", 0xFE0F, false, 0xFE0F},
    {"byte order mark", 0xFEFF, false, 0xFEFF},
    {"fullwidth exclamation mark", 0xFF01, false, 0xFF01},
    {"fullwidth A", 0xFF21, true, 0xFF41},
    {"replacement", 0xFFFD, false, 0xFFFD},
    {"Deseret long I", 0x10400, true, 0x10428},
    {"mathematical bold A", 0x1D400, true, 0x1D400},
    {"emoji", 0x1F600, false, 0x1F600},
    {"emoji skin tone", 0x1F3FB, false, 0x1F3FB},
    {"regional indicator", 0x1F1E9, false, 0x1F1E9},
    {"CJK extension B", 0x20000, true, 0x20000},
    {"last character", 0x10FFFF, true, 0x10FFFF},
};

int main(void)
{
    size_t unfolded = 0, left_words = 0;

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("%s", rows[i].name);
        CHECK(letter_in_word(rows[i].code) == rows[i].in_word);
        CHECK(letter_fold(rows[i].code) == rows[i].lower);
    }
    for (uint32_t code = 0; code <= 0x10FFFF; code++) {
        uint32_t lower = letter_fold(code);
        unfolded += letter_fold(lower) != lower;
        left_words += letter_in_word(lower) != letter_in_word(code);
    }
    tap_case("lower case has no lower case");
    CHECK(unfolded == 0);
    tap_case("lower case is as much of a word");
    CHECK(left_words == 0);
    return tap_done();
}
