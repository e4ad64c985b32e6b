/* What the files of phrase/ share among themselves. */
#ifndef PHRASE_INTERNAL_H
#define PHRASE_INTERNAL_H

#include "phrase/phrase.h"

/* A word of a title: as it stands, in lower case, and whether the clause ends with it. */
struct phrase_token {
    struct str text, word;
    bool ends;
};

/* The words of a title, in arena. */
size_t phrase_tokens(struct str text, struct arena *arena, struct phrase_token **out);

/* Lemmas by WordNet, in lower case; empty: it knows no such verb. Those of nouns are
 * always some word, the word itself where no rule fits. They live in arena or in word. */
struct str phrase_wordnet_verb(struct str word, struct arena *arena);
struct str phrase_wordnet_noun(struct str word, struct arena *arena);

/* Whether the lemma is a verb at least as often as a noun. */
bool phrase_wordnet_mostly_verb(struct str lemma);
bool phrase_wordnet_is_noun(struct str lemma);

/* The first synsets of a lemma, each with the one above it (0: none). */
enum { PHRASE_WORDNET_SENSES = 4 };
struct phrase_wordnet_sense {
    uint32_t synset, above;
};
size_t phrase_wordnet_senses(char part, struct str lemma,
                             struct phrase_wordnet_sense out[PHRASE_WORDNET_SENSES]);

#endif
