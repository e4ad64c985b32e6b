/* Stems of English words: "deploys", "deployed" and "deploying" are all "deploy". The
 * algorithm is Snowball's "english" (Porter 2). */
#ifndef TEXT_STEM_H
#define TEXT_STEM_H

#include "base/str.h"

/* One at a time: each thread opens its own. */
struct stem {
    struct sb_stemmer *snowball;
};

void stem_open(struct stem *stem);
void stem_close(struct stem *stem); /* all zeros is fine */

/* The stem of one lower-case word of UTF-8. It stays until the next call or as long as
 * word does, whichever ends first. Words beyond STEM_WORD_MAX bytes, which are not
 * English, come back as they are. */
enum { STEM_WORD_MAX = 255 };
struct str stem_word(struct stem *stem, struct str word);

#endif
