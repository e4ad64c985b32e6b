/* Words, where they begin and end, their letters and their stems. */
#include "text/words.h"

#include <string.h>

#include "base/rng.h"
#include "tests/tap.h"
#include "tests/unit/split.h"
#include "text/internal.h"

/* Words, plain and of code, and where they begin and end. */

static const struct {
    const char *name;
    const char *text;
    const char *plain; /* the words with '|' between them */
    const char *code;  /* the same for TEXT_WORDS_CODE */
} rows[] = {
    {"nothing", "", "", ""},
    {"no word", " ,.- ", "", ""},
    {"sentence", "How to train, MobileNet on iOS?", "how|to|train|mobilenet|on|ios",
     "how|to|train|mobilenet|on|ios"},
    {"one letter", "a", "a", "a"},
    {"digits", "x86 3 10k", "x86|3|10k", "x86|3|10k"},
    {"apostrophe", "don't", "don|t", "don|t"},
    {"hyphen", "scikit-learn", "scikit|learn", "scikit|learn"},
    {"accents",
     "\xC3\x89t\xC3\xA9 \xC3\x9C"
     "BER Stra\xC3\x9F"
     "e",
     "\xC3\xA9t\xC3\xA9|\xC3\xBC"
     "ber|stra\xC3\x9F"
     "e",
     "\xC3\xA9t\xC3\xA9|\xC3\xBC"
     "ber|stra\xC3\x9F"
     "e"},
    {"combining accent", "E\xCC\x81t", "e\xCC\x81t", "e\xCC\x81t"},
    {"Greek", "\xCE\xA3\xCE\x91\xCE\xA3 \xCF\x83\xCE\xB1\xCF\x82",
     "\xCF\x83\xCE\xB1\xCF\x83|\xCF\x83\xCE\xB1\xCF\x83",
     "\xCF\x83\xCE\xB1\xCF\x83|\xCF\x83\xCE\xB1\xCF\x83"},
    {"Cyrillic", "\xD0\x9C\xD0\xB8\xD1\x80,\xD0\xBC\xD0\x98\xD0\xA0",
     "\xD0\xBC\xD0\xB8\xD1\x80|\xD0\xBC\xD0\xB8\xD1\x80",
     "\xD0\xBC\xD0\xB8\xD1\x80|\xD0\xBC\xD0\xB8\xD1\x80"},
    {"lower case that is longer",
     "\xC8\xBA"
     "a\xC8\xBA",
     "\xE2\xB1\xA5"
     "a\xE2\xB1\xA5",
     "\xE2\xB1\xA5"
     "a\xE2\xB1\xA5"},
    {"lower case that is shorter", "\xE2\x84\xAA", "k", "k"},
    {"dashes and quotes of Unicode",
     "a\xE2\x80\x93"
     "b \xE2\x80\x9C"
     "c\xE2\x80\x9D",
     "a|b|c", "a|b|c"},
    {"no-break space",
     "a\xC2\xA0"
     "b",
     "a|b", "a|b"},
    {"CJK", "\xE4\xB8\xAD\xE6\x96\x87\xE3\x80\x82\xE4\xB8\xAD",
     "\xE4\xB8\xAD\xE6\x96\x87|\xE4\xB8\xAD", "\xE4\xB8\xAD\xE6\x96\x87|\xE4\xB8\xAD"},
    {"emoji part words",
     "a\xF0\x9F\x98\x80"
     "b\xE2\x9D\xA4\xEF\xB8\x8F",
     "a|b", "a|b"},
    {"bad bytes part words",
     "a\xFF"
     "b\xC3",
     "a|b", "a|b"},
    {"underscore", "batch_size __init__ _ a_", "batch|size|init|a",
     "batch_size|__init__|a_"},
    {"dotted name", "tf.nn.conv2d, model.fit()", "tf|nn|conv2d|model|fit",
     "tf.nn.conv2d|model.fit"},
    {"dotted name with underscore", "self._x a.__b__", "self|x|a|b", "self._x|a.__b__"},
    {"version", "2.1.0 and v1.13.1-rc2.", "2|1|0|and|v1|13|1|rc2",
     "2.1.0|and|v1.13.1|rc2"},
    {"end of a sentence", "the end. Next", "the|end|next", "the|end|next"},
    {"dots", "wait... a..b", "wait|a|b", "wait|a|b"},
    {"c++", "C++ c++11 g++, a+b i++b x+++ c++", "c|c|11|g|a|b|i|b|x|c",
     "c++|c++11|g++|a|b|i|b|x|c++"},
    {"c#", "C# f#, issue#12 a## #1", "c|f|issue|12|a|1", "c#|f#|issue|12|a|1"},
    {".net", ".NET (.net) asp.net f(x).shape *.py .5 ...and",
     "net|net|asp|net|f|x|shape|py|5|and", ".net|.net|asp.net|f|x|shape|py|5|and"},
    {"dot after a bracket of another kind", "a[0].b", "a|0|b", "a|0|b"},
    {"web address", "https://pytorch.org/docs", "https|pytorch|org|docs",
     "https|pytorch.org|docs"},
    {"only underscores", "____", "", ""},
    {"underscores before punctuation", "__.x __+", "x", "x"},
};

static void join(struct str word, struct buf *out)
{
    if (out->len > 0)
        buf_add_char(out, '|');
    buf_add(out, word);
}

static void check_words(size_t row, unsigned how)
{
    struct buf lower = {0}, read = {0}, split = {0};
    struct str text = str_from(rows[row].text), word;
    struct text_words_reader reader = text_words_open(text, how, &lower);
    struct arena arena = {0};
    struct split words = split_words(text, how, &arena);
    const char *want = how == TEXT_WORDS_CODE ? rows[row].code : rows[row].plain;

    tap_case("%s: %s", how == TEXT_WORDS_CODE ? "code" : "plain", rows[row].name);
    while (text_words_next(&reader, &word))
        join(word, &read);
    CHECK(!text_words_next(&reader, &word));
    for (size_t i = 0; i < words.count; i++)
        join(words.at[i], &split);
    CHECK(str_eq(buf_str(&read), str_from(want)));
    CHECK(str_eq(buf_str(&split), str_from(want)));
    buf_free(&lower);
    buf_free(&read);
    buf_free(&split);
    arena_free(&arena);
}

static void check_place(void)
{
    struct str text = STR("lower \xC3\x89t\xC3\xA9 UPPER x_y \xC3\x89"), word, words[5];
    static const bool plain[] = {true, false, true, false, false};
    struct buf lower = {0};
    struct text_words_reader reader = text_words_open(text, TEXT_WORDS_CODE, &lower);
    size_t places[5];

    tap_case("words keep their places in the reader's buffer, with room behind them");
    for (size_t i = 0; i < ROWS(places); i++) {
        if (!CHECK(text_words_next(&reader, &word)))
            return;
        CHECK(reader.plain == plain[i]);
        places[i] = (size_t)(word.ptr - lower.ptr);
        words[i].len = word.len;
        CHECK(places[i] + word.len + TEXT_WORDS_PAD <= lower.capacity);
    }
    CHECK(reader.begin == 22 && reader.end == 24 && !text_words_next(&reader, &word));
    for (size_t i = 0; i < ROWS(places); i++)
        words[i].ptr = lower.ptr + places[i];
    CHECK(str_eq(words[0], STR("lower")) && str_eq(words[2], STR("upper")));
    CHECK(str_eq(words[1], STR("\xC3\xA9t\xC3\xA9")) && str_eq(words[3], STR("x_y")));
    CHECK(str_eq(words[4], STR("\xC3\xA9")));
    buf_free(&lower);
}

static void test_words(void)
{
    struct buf lower = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        check_words(i, 0);
        check_words(i, TEXT_WORDS_CODE);
    }
    check_place();
    tap_case("lower case of a whole text");
    buf_clear(&lower);
    text_words_lower(STR("How TO\n\xC3\x89\xFF?"), &lower);
    CHECK(str_eq(buf_str(&lower), STR("how to\n\xC3\xA9\xFF?")));
    text_words_lower(STR(""), &lower);
    CHECK(lower.len == 11);
    buf_free(&lower);
}

/* Where words may begin and end: by hand, and both ways against a loop over bytes. */

enum { LEN_MAX = 200, MASKS_MAX = LEN_MAX / TEXT_WORDMASK_BLOCK + 1 };

typedef void finder(struct str text, bool code, struct text_wordmask *masks, char *lower);

static const struct {
    const char *name;
    const char *text;
    bool code;
    const char *starts, *stops, *unsure; /* x: the bit of that byte is set */
} wordmask_rows[] = {
    {"plain", "Ab 1.", false, "xx x ", "  x x", "     "},
    {"plain: an underscore parts words", "a_b", false, "x x", " x ", "   "},
    {"plain: other characters", "a\xC3\xA9.", false, "xxx ", " xxx", " xx "},
    {"code: the dot of a sentence", "a. b", true, "x  x", " xx ", "    "},
    {"code: a dot within a name", "a.b", true, "xxx", " x ", " x "},
    {"code: a dot before an underscore", "a._", true, "xxx", " xx", " xx"},
    {"code: an underscore", "a_b", true, "xxx", " x ", " x "},
    {"code: signs", "c++ c#", true, "x   x ", " xxx x", " xx  x"},
    {"code: other characters", "a\xC3\xA9", true, "xxx", " xx", " xx"},
};

static bool is_set(const struct text_wordmask *masks, size_t at, const char *which)
{
    const struct text_wordmask *mask = masks + at / TEXT_WORDMASK_BLOCK;
    uint64_t bits = strcmp(which, "starts") == 0  ? mask->starts
                    : strcmp(which, "stops") == 0 ? mask->stops
                                                  : mask->unsure;

    return (bits >> at % TEXT_WORDMASK_BLOCK & 1) != 0;
}

static void check_rows(const char *way, finder *find)
{
    for (size_t i = 0; i < ROWS(wordmask_rows); i++) {
        struct text_wordmask masks[MASKS_MAX];
        char lower[MASKS_MAX * TEXT_WORDMASK_BLOCK];
        struct str text = {wordmask_rows[i].text, strlen(wordmask_rows[i].text)};
        tap_case("%s: %s", way, wordmask_rows[i].name);
        find(text, wordmask_rows[i].code, masks, lower);
        for (size_t at = 0; at < text.len; at++) {
            CHECK(is_set(masks, at, "starts") == (wordmask_rows[i].starts[at] == 'x'));
            CHECK(is_set(masks, at, "stops") == (wordmask_rows[i].stops[at] == 'x'));
            CHECK(is_set(masks, at, "unsure") == (wordmask_rows[i].unsure[at] == 'x'));
        }
        CHECK(is_set(masks, text.len, "stops") && !is_set(masks, text.len, "starts"));
    }
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* What must hold of the byte at `at`, whichever way found it. */
static bool is_right(struct str text, bool code, const struct text_wordmask *masks,
                     size_t at)
{
    char c = at < text.len ? text.ptr[at] : ' ';
    char next = at + 1 < text.len ? text.ptr[at + 1] : ' ';
    bool last = at % TEXT_WORDMASK_BLOCK ==
                TEXT_WORDMASK_BLOCK - 1; /* what follows is not seen */
    bool wide = (signed char)c < 0;
    bool dot = c == '.' && (last || is_plain(next) || next == '_' || next < 0);
    bool looked_at = wide || (code && (dot || c == '_'));
    bool sign = code && (c == '#' || c == '+');

    return is_set(masks, at, "starts") == (is_plain(c) || looked_at) &&
           is_set(masks, at, "stops") == !is_plain(c) &&
           is_set(masks, at, "unsure") == (looked_at || sign);
}

static bool is_right_lower(char c, char lower)
{
    return lower == (c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c);
}

/* Every length up to three blocks, at odd addresses. */
static void check_random(const char *way, finder *find)
{
    static const char some[] = "azAZ09_.+# @[`{/:";
    struct rng rng = rng_seeded(5);
    char bytes[LEN_MAX + 8], lower[MASKS_MAX * TEXT_WORDMASK_BLOCK];
    struct text_wordmask masks[MASKS_MAX];
    size_t wrong = 0;

    tap_case("%s: as a loop over bytes finds them", way);
    for (size_t len = 0; len < LEN_MAX; len++)
        for (size_t round = 0; round < 100; round++) {
            struct str text = {bytes + round % 8, len};
            for (size_t i = 0; i < len; i++)
                bytes[round % 8 + i] = round % 2 == 0
                                           ? (char)rng_below(&rng, 256)
                                           : some[rng_below(&rng, sizeof some - 1)];
            find(text, round % 4 < 2, masks, lower);
            for (size_t at = 0; at < text_wordmask_count(text) * TEXT_WORDMASK_BLOCK;
                 at++) {
                wrong += !is_right(text, round % 4 < 2, masks, at);
                wrong += !is_right_lower(at < len ? text.ptr[at] : ' ', lower[at]);
            }
        }
    CHECK(wrong == 0);
}

static void test_wordmask(void)
{
    check_rows("portable", text_wordmask_find_portable);
    check_random("portable", text_wordmask_find_portable);
    check_rows("dispatched", text_wordmask_find);
    check_random("dispatched", text_wordmask_find);
    if (text_wordmask_has_avx2()) {
        check_rows("avx2", text_wordmask_find_avx2);
        check_random("avx2", text_wordmask_find_avx2);
    } else {
        tap_case("avx2");
        tap_skip("this processor does not have it");
    }
}

/* Characters of words and their lower case, against the Unicode character database. */

static const struct {
    const char *name;
    uint32_t code;
    bool in_word;
    uint32_t lower;
} letter_rows[] = {
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

static void test_letter(void)
{
    size_t unfolded = 0, left_words = 0;

    for (size_t i = 0; i < ROWS(letter_rows); i++) {
        tap_case("%s", letter_rows[i].name);
        CHECK(text_letter_in_word(letter_rows[i].code) == letter_rows[i].in_word);
        CHECK(text_letter_fold(letter_rows[i].code) == letter_rows[i].lower);
    }
    for (uint32_t code = 0; code <= 0x10FFFF; code++) {
        uint32_t lower = text_letter_fold(code);
        unfolded += text_letter_fold(lower) != lower;
        left_words += text_letter_in_word(lower) != text_letter_in_word(code);
    }
    tap_case("lower case has no lower case");
    CHECK(unfolded == 0);
    tap_case("lower case is as much of a word");
    CHECK(left_words == 0);
}

/* Stems against the sample that Snowball publishes with the algorithm, and words of
 * deployment, which studies search for by their stem. */

static const struct {
    const char *word, *stem;
} stem_rows[] = {
    {"consign", "consign"},
    {"consigned", "consign"},
    {"consigning", "consign"},
    {"consignment", "consign"},
    {"consist", "consist"},
    {"consisted", "consist"},
    {"consistency", "consist"},
    {"consistent", "consist"},
    {"consistently", "consist"},
    {"consolation", "consol"},
    {"consolations", "consol"},
    {"conspicuously", "conspicu"},
    {"conspiracy", "conspiraci"},
    {"conspirators", "conspir"},
    {"constables", "constabl"},
    {"constancy", "constanc"},
    {"knack", "knack"},
    {"knackeries", "knackeri"},
    {"knightly", "knight"},
    {"knights", "knight"},
    {"knives", "knive"},
    {"knocked", "knock"},
    {"knowledge", "knowledg"},
    {"deploy", "deploy"},
    {"deploys", "deploy"},
    {"deployed", "deploy"},
    {"deploying", "deploy"},
    {"deployment", "deploy"},
    {"skies", "sky"},
    {"generically", "generic"},
    {"", ""},
    {"a", "a"},
    {"\xC3\xA9t\xC3\xA9", "\xC3\xA9t\xC3\xA9"},
    {"tf.nn.conv2d", "tf.nn.conv2d"},
};

static void test_stem(void)
{
    struct text_stem stem = {0};
    char longest[TEXT_STEM_WORD_MAX + 1];

    text_stem_close(&stem);
    text_stem_open(&stem);
    for (size_t i = 0; i < ROWS(stem_rows); i++) {
        tap_case("'%s'", stem_rows[i].word);
        CHECK(str_eq(text_stem_word(&stem, str_from(stem_rows[i].word)),
                     str_from(stem_rows[i].stem)));
    }
    memset(longest, 'a', sizeof longest);
    longest[TEXT_STEM_WORD_MAX - 1] = 's';
    tap_case("the longest word");
    CHECK(text_stem_word(&stem, (struct str){longest, TEXT_STEM_WORD_MAX}).len ==
          TEXT_STEM_WORD_MAX - 1);
    longest[TEXT_STEM_WORD_MAX] = 's';
    tap_case("a longer one comes back as it is");
    struct str same =
        text_stem_word(&stem, (struct str){longest, TEXT_STEM_WORD_MAX + 1});
    CHECK(same.ptr == longest && same.len == TEXT_STEM_WORD_MAX + 1);
    text_stem_close(&stem);
    tap_case("closing leaves nothing behind");
    CHECK(stem.snowball == NULL);
}

static const struct {
    const char *word, *shown;
} shown_rows[] = {
    {"\u03c0\u03af\u03bd\u03b1\u03ba\u03b1\u03c3", "\u03c0\u03af\u03bd\u03b1\u03ba\u03b1\u03c2"},
    {"\u03c3\u03c3\u03ac", "\u03c3\u03c3\u03ac"},
    {"\u03c3", "\u03c3"},
    {"5\u03c3", "5\u03c3"},
    {"keras", "keras"},
    {"", ""},
};

static void test_show(void)
{
    struct buf out = {0};

    for (size_t i = 0; i < ROWS(shown_rows); i++) {
        tap_case("'%s' as people write it", shown_rows[i].word);
        buf_clear(&out);
        text_words_show(str_from(shown_rows[i].word), &out);
        CHECK(str_eq(buf_str(&out), str_from(shown_rows[i].shown)));
    }
    buf_free(&out);
}

int main(void)
{
    test_words();
    test_wordmask();
    test_letter();
    test_stem();
    test_show();
    return tap_done();
}
