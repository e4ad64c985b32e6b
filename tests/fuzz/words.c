/* Words of any bytes: they are in order, cut nothing, hold all that words are made of,
 * and the two kinds are made of the same parts. */
#include "text/words.h"

#include <assert.h>
#include <stdint.h>

#include "tests/unit/split.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Between two words no character of words is left out. */
static void check_gap(struct str gap)
{
    uint32_t code;

    for (size_t at = 0; at < gap.len;) {
        at += text_utf8_read(gap, at, &code);
        assert(!text_letter_in_word(code));
    }
}

static void check_words(struct str text, unsigned how)
{
    struct buf lower = {0}, again = {0};
    struct text_words_reader reader = text_words_open(text, how, &lower);
    struct str word;
    size_t last = 0;

    while (text_words_next(&reader, &word)) {
        assert(reader.begin >= last && reader.end > reader.begin);
        check_gap(str_slice(text, last, reader.begin));
        assert(!split_cuts(text, reader.begin) && !split_cuts(text, reader.end));
        assert(how == TEXT_WORDS_CODE || split_at_border(text, reader.begin));
        assert(how == TEXT_WORDS_CODE || split_at_border(text, reader.end));
        assert(text_utf8_valid(word));
        buf_clear(&again);
        text_words_lower(word, &again);
        assert(str_eq(buf_str(&again), word));
        last = reader.end;
    }
    check_gap(str_slice(text, last, text.len));
    buf_free(&lower);
    buf_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct arena arena = {0};
    struct split names = split_words(text, TEXT_WORDS_CODE, &arena);
    struct split plain = split_words(text, 0, &arena);
    struct text_stem stem;
    size_t count = 0;

    check_words(text, 0);
    check_words(text, TEXT_WORDS_CODE);
    for (size_t i = 0; i < names.count; i++) {
        struct split parts = split_words(names.at[i], 0, &arena);
        for (size_t p = 0; p < parts.count; p++, count++)
            assert(count < plain.count && str_eq(parts.at[p], plain.at[count]));
    }
    assert(count == plain.count);
    text_stem_open(&stem);
    for (size_t i = 0; i < plain.count; i++)
        assert(text_stem_word(&stem, plain.at[i]).len <= plain.at[i].len + 1);
    text_stem_close(&stem);
    arena_free(&arena);
    return 0;
}
