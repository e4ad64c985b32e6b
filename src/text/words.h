/* The words of a text, in lower case: what searches match and classifiers count.
 *
 * A word is a run of letters, digits and marks (text_letter_in_word()); everything else
 * parts words, the underscore too. "MobileNet" is one word, and so is "x86"; "don't" is
 * two.
 *
 * With TEXT_WORDS_CODE names of code stay whole: an underscore belongs to its word
 * (batch_size, __init__), a dot between two words joins them (tf.nn.conv2d, 2.1.0,
 * node.js), a dot before a letter where a word may begin is kept (.net), and so are "++"
 * and "#" right behind a letter at a word's end (c++, c++11, c#). */
#ifndef TEXT_WORDS_H
#define TEXT_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

enum text_words_how {
    TEXT_WORDS_CODE = 1,
};

enum {
    TEXT_WORDS_PAD = 16
}; /* bytes behind a word that may be read, whatever they are */

/* Where words may begin and end in 64 bytes of a text; bit i stands for byte i. */
enum { TEXT_WORDMASK_BLOCK = 64 };

struct text_wordmask {
    uint64_t starts; /* a word begins here, if one did not before */
    uint64_t stops;  /* a word that came so far ends here */
    uint64_t unsure; /* of both kinds: only if a closer look says so, too */
};

/* Reads a text word by word. */
struct text_words_reader {
    struct str text;
    unsigned how; /* enum text_words_how */
    size_t begin; /* the last word, as it stands in the text */
    size_t end;
    bool plain; /* it has nothing but letters and digits of ASCII */

    /* Private: */
    struct buf *lower; /* masks, text in lower case, words with other letters */
    size_t lowered;    /* where in it the text in lower case begins */
    size_t block;      /* the one that `end` is in, and its bits from there on */
    uint64_t left;
};

/* `lower` belongs to the reader as long as it reads, and holds the text in lower case;
 * nothing is allocated once it has room for the longest text. */
struct text_words_reader text_words_open(struct str text, unsigned how,
                                         struct buf *lower);

/* The next word in lower case, false at the end. It stays until the next call, and its
 * place in reader->lower as long as the reader; TEXT_WORDS_PAD bytes behind it may be
 * read. */
static inline bool text_words_next(struct text_words_reader *reader, struct str *word);

/* Adds such a word as people write it: a sigma at its end is a final one. */
void text_words_show(struct str word, struct buf *out);

/* Adds all of text to out in the same lower case that words have. */
void text_words_lower(struct str text, struct buf *out);

/* What text_words_next() does where the masks are not sure: the word that begins at or
 * after `at`; and the one that begins at `begin` and goes on up to `at` at least. */
bool text_words_look_closer(struct text_words_reader *reader, size_t at,
                            struct str *word);
bool text_words_go_on(struct text_words_reader *reader, size_t begin, size_t at,
                      struct str *word);

/* Inline, since whoever counts words spends their time here. The lowest bit that is set
 * in x is x & -x, and -x has that bit and all above it that are not in x: so the way from
 * word to word within a block does not wait for any place to be counted. */
static inline bool text_words_next(struct text_words_reader *reader, struct str *word)
{
    const struct text_wordmask *mask =
        (const struct text_wordmask *)(const void *)reader->lower->ptr + reader->block;
    size_t last = reader->text.len / TEXT_WORDMASK_BLOCK, block = reader->block, begin,
           end;
    uint64_t start = mask->starts & reader->left, stop;

    for (; start == 0; start = (++mask)->starts)
        if (block++ == last) {
            reader->begin = reader->end = reader->text.len;
            return false;
        }
    start &= -start;
    begin = block * TEXT_WORDMASK_BLOCK + (size_t)__builtin_ctzll(start);
    if (mask->unsure & start)
        return text_words_look_closer(reader, begin, word);
    /* The text's last block has a stop behind the text's end. */
    for (stop = mask->stops & -start; stop == 0; stop = (++mask)->stops)
        block++;
    stop &= -stop;
    end = block * TEXT_WORDMASK_BLOCK + (size_t)__builtin_ctzll(stop);
    if (mask->unsure & stop)
        return text_words_go_on(reader, begin, end, word);
    reader->begin = begin;
    reader->end = end;
    reader->plain = true;
    reader->block = block;
    reader->left = -stop;
    *word = (struct str){reader->lower->ptr + reader->lowered + begin, end - begin};
    return true;
}

/* What Unicode says about a character, as far as words care. Unicode 14.0. */

/* Whether words are made of it: letters, digits and other numbers, and marks such as a
 * combining accent. Not the underscore, not emoji and their variation selectors, not
 * U+FFFD. Characters that are not assigned yet go with their neighbours. */
bool text_letter_in_word(uint32_t code);

/* Whether it is of a script that puts no blanks between words: Han, kana, Thai, Lao,
 * Burmese, Khmer. A word of theirs, as words are taken here, is a whole clause. */
bool text_letter_unspaced(uint32_t code);

/* Its lower case, or itself: simple case folding (CaseFolding.txt, C and S), so that
 * a final sigma is a sigma and a Kelvin sign is a k. U+0130, which has only a longer
 * folding, becomes i. */
uint32_t text_letter_fold(uint32_t code);

/* Stems of English words: "deploys", "deployed" and "deploying" are all "deploy". The
 * algorithm is Snowball's "english" (Porter 2). */

/* One at a time: each thread opens its own. */
struct text_stem {
    struct sb_stemmer *snowball;
};

void text_stem_open(struct text_stem *stem);
void text_stem_close(struct text_stem *stem); /* all zeros is fine */

/* The stem of one lower-case word of UTF-8. It stays until the next call or as long as
 * word does, whichever ends first. Words beyond TEXT_STEM_WORD_MAX bytes, which are not
 * English, come back as they are. */
enum { TEXT_STEM_WORD_MAX = 255 };
struct str text_stem_word(struct text_stem *stem, struct str word);

#endif
