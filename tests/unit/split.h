/* For tests of words: all words of a text at once, and where words may begin and end,
 * found character by character. */
#ifndef TESTS_UNIT_SPLIT_H
#define TESTS_UNIT_SPLIT_H

#include "base/arena.h"
#include "text/utf8.h"
#include "text/words.h"

struct split {
    struct str *at;
    size_t count;
};

static inline struct split split_words(struct str text, unsigned how, struct arena *arena)
{
    struct buf lower = {0};
    struct text_words_reader reader = text_words_open(text, how, &lower);
    /* Words never touch, so they are fewer than bytes. */
    struct split words = {.at = arena_array(arena, struct str, text.len + 1)};
    struct str word;

    while (text_words_next(&reader, &word))
        words.at[words.count++] = arena_copy(arena, word);
    buf_free(&lower);
    return words;
}

/* Whether words are made of the character at that place, or of the one before it. */
static inline bool split_in_word(struct str text, size_t place, bool before)
{
    uint32_t code;

    if (before ? place == 0 : place == text.len)
        return false;
    if (before)
        text_utf8_read_back(text, place, &code);
    else
        text_utf8_read(text, place, &code);
    return text_letter_in_word(code);
}

/* Whether a word of the plain kind begins or ends there, and whether one goes on. */
static inline bool split_at_border(struct str text, size_t place)
{
    return split_in_word(text, place, true) != split_in_word(text, place, false);
}

static inline bool split_cuts(struct str text, size_t place)
{
    return split_in_word(text, place, true) && split_in_word(text, place, false);
}

#endif
