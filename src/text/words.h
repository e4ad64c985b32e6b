/* The words of a text, in lower case: what searches match and classifiers count.
 *
 * A word is a run of letters, digits and marks (see letter.h); everything else parts
 * words, the underscore too. "MobileNet" is one word, and so is "x86"; "don't" is two.
 *
 * With WORDS_CODE names of code stay whole: an underscore belongs to its word
 * (batch_size, __init__), a dot between two words joins them (tf.nn.conv2d, 2.1.0,
 * node.js), a dot before a letter where a word may begin is kept (.net), and so are "++"
 * and "#" right behind a letter at a word's end (c++, c++11, c#). */
#ifndef TEXT_WORDS_H
#define TEXT_WORDS_H

#include "base/arena.h"
#include "base/buf.h"

enum words_how {
    WORDS_CODE = 1,
};

/* Reads a text word by word. */
struct words_reader {
    struct str text;
    unsigned how; /* enum words_how */
    size_t begin; /* the last word, as it stands in the text */
    size_t end;
    struct buf *lower;
};

/* `lower` is where a word goes that has to be changed; nothing is allocated once it has
 * room for the longest of them. */
struct words_reader words_open(struct str text, unsigned how, struct buf *lower);

/* The next word in lower case, false at the end. It stays until the next call. */
bool words_next(struct words_reader *reader, struct str *word);

struct words {
    struct str *at;
    size_t count;
};

/* All words in order. They live in arena; text itself may go away. */
struct words words_split(struct str text, unsigned how, struct arena *arena);

/* Adds all of text to out in the same lower case that words have. */
void words_lower(struct str text, struct buf *out);

/* Whether a word (of the plain kind) begins or ends at this place, which is a number of
 * bytes up to text.len. Never within a character. */
bool words_boundary(struct str text, size_t place);

/* Whether what was found from begin to end cuts no word in two: "ios" does in
 * "curiosity", and "mobile" in "MobileNet"; "c++" does not in "c++11". */
bool words_whole(struct str text, size_t begin, size_t end);

#endif
