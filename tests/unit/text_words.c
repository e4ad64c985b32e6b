/* Words, plain and of code, and where they begin and end. */
#include "text/words.h"

#include <string.h>

#include "tests/tap.h"

static const struct {
    const char *name;
    const char *text;
    const char *plain; /* the words with '|' between them */
    const char *code;  /* the same for WORDS_CODE */
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
    struct words_reader reader = words_open(text, how, &lower);
    struct arena arena = {0};
    struct words words = words_split(text, how, &arena);
    const char *want = how == WORDS_CODE ? rows[row].code : rows[row].plain;

    tap_case("%s: %s", how == WORDS_CODE ? "code" : "plain", rows[row].name);
    while (words_next(&reader, &word))
        join(word, &read);
    CHECK(!words_next(&reader, &word));
    for (size_t i = 0; i < words.count; i++)
        join(words.at[i], &split);
    CHECK(str_eq(buf_str(&read), str_from(want)));
    CHECK(str_eq(buf_str(&split), str_from(want)));
    buf_free(&lower);
    buf_free(&read);
    buf_free(&split);
    arena_free(&arena);
}

static const struct {
    const char *name;
    const char *text;
    size_t begin, end;
    bool begins, ends; /* words_boundary there */
    bool whole;
} matches[] = {
    {"ios in curiosity", "curiosity", 3, 6, false, false, false},
    {"ios alone", "on iOS.", 3, 6, true, true, true},
    {"all of the text", "ios", 0, 3, true, true, true},
    {"mobile in MobileNet", "MobileNet", 0, 6, true, false, false},
    {"serving in preserving", "preserving", 3, 10, false, true, false},
    {"between underscores", "tf_serving_x", 3, 10, true, true, true},
    {"before an accent", "cafe\xCC\x81", 0, 4, true, false, false},
    {"before an umlaut", "a\xC3\xBC", 0, 1, true, false, false},
    {"behind an umlaut",
     "\xC3\xBC"
     "a",
     2, 3, false, true, false},
    {"beside an emoji",
     "\xF0\x9F\x98\x80"
     "a\xE2\x80\x93",
     4, 5, true, true, true},
    {"within a character", "a\xC3\xBC", 1, 2, false, false, false},
    {"within a dash", "a\xE2\x80\x93", 1, 3, true, false, false},
    {"c++", "in c++ now", 3, 6, true, false, true},
    {"c++ in c++11", "c++11", 0, 3, true, true, true},
    {"c++ in objc++", "objc++", 3, 6, false, false, false},
    {"phrase", "see how to do", 4, 10, true, true, true},
    {"phrase that cuts", "show to do", 1, 7, false, true, false},
    {"between blanks", "a  b", 2, 2, false, false, true},
    {"beside bad bytes",
     "\xFF"
     "a\xC3",
     1, 2, true, true, true},
};

static void check_place(void)
{
    struct str text = STR("lower \xC3\x89t\xC3\xA9 UPPER x_y \xC3\x89"), word, words[5];
    static const bool plain[] = {true, false, true, false, false};
    struct buf lower = {0};
    struct words_reader reader = words_open(text, WORDS_CODE, &lower);
    size_t places[5];

    tap_case("words keep their places in the reader's buffer, with room behind them");
    for (size_t i = 0; i < ROWS(places); i++) {
        if (!CHECK(words_next(&reader, &word)))
            return;
        CHECK(reader.plain == plain[i]);
        places[i] = (size_t)(word.ptr - lower.ptr);
        words[i].len = word.len;
        CHECK(places[i] + word.len + WORDS_PAD <= lower.capacity);
    }
    CHECK(reader.begin == 22 && reader.end == 24 && !words_next(&reader, &word));
    for (size_t i = 0; i < ROWS(places); i++)
        words[i].ptr = lower.ptr + places[i];
    CHECK(str_eq(words[0], STR("lower")) && str_eq(words[2], STR("upper")));
    CHECK(str_eq(words[1], STR("\xC3\xA9t\xC3\xA9")) && str_eq(words[3], STR("x_y")));
    CHECK(str_eq(words[4], STR("\xC3\xA9")));
    buf_free(&lower);
}

int main(void)
{
    struct buf lower = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        check_words(i, 0);
        check_words(i, WORDS_CODE);
    }
    for (size_t i = 0; i < ROWS(matches); i++) {
        struct str text = str_from(matches[i].text);
        tap_case("boundary: %s", matches[i].name);
        CHECK(words_boundary(text, matches[i].begin) == matches[i].begins);
        CHECK(words_boundary(text, matches[i].end) == matches[i].ends);
        CHECK(words_whole(text, matches[i].begin, matches[i].end) == matches[i].whole);
    }
    check_place();
    tap_case("lower case of a whole text");
    buf_clear(&lower);
    words_lower(STR("How TO\n\xC3\x89\xFF?"), &lower);
    CHECK(str_eq(buf_str(&lower), STR("how to\n\xC3\xA9\xFF?")));
    words_lower(STR(""), &lower);
    CHECK(lower.len == 11);
    buf_free(&lower);
    return tap_done();
}
