/* Documents as a topic model sees them: the words that count, by number, in their order.
 *
 * Words are those of text/words.h with names of code whole, but without underscores at
 * their ends. Left out are stop words,
 * words of one character, and what has no letter (numbers, versions); then words in too
 * few or too many documents. */
#ifndef TOPIC_TOKENS_H
#define TOPIC_TOKENS_H

#include "topic/tokens_table.h"

struct tokens_options {
    bool stems;       /* words are brought to their stems (text/stem.h) */
    bool bigrams;     /* two words that mostly stand together become one: a_b */
    bool all_words;   /* the built-in stop words stay */
    const char *stop; /* further words to leave out, by blanks or lines; NULL: none */
    int64_t documents_min; /* in which a word must stand */
    double share_max;      /* of the documents that it may stand in */
};

struct tokens {
    size_t documents;
    const size_t *begin; /* of each document in `at`; documents + 1 of them */
    const uint32_t *at;
    size_t words;
    const struct str *names;
    const uint32_t *frequency; /* of each word: documents that it stands in */
    size_t empty;              /* documents without any word */
};

static inline size_t tokens_length(const struct tokens *tokens, size_t document)
{
    return tokens->begin[document + 1] - tokens->begin[document];
}

enum { TOKENS_WORD_MAX = 120 }; /* bytes; longer ones, such as encoded pictures, go */

/* Texts on their way in; nothing but their words is kept. A zeroed reader is ready. */
struct tokens_reader {
    struct tokens_table table; /* words as they stand in texts, in lower case */
    struct buf at;             /* uint32_t */
    struct buf ends;           /* size_t */
    struct buf lower, found;   /* of the text in work */
};

void tokens_add(struct tokens_reader *reader, struct str text); /* to the document */
void tokens_end_document(struct tokens_reader *reader);
void tokens_reader_free(struct tokens_reader *reader);

/* Everything lives in arena; the reader's words are used up. */
void tokens_finish(struct tokens_reader *reader, const struct tokens_options *options,
                   struct arena *arena, struct tokens *out);

/* Of the documents with keep[d] == value those same tokens, as documents of their own. */
struct tokens tokens_some(const struct tokens *tokens, const bool *keep, bool value,
                          struct arena *arena);

#endif
