/* What features a part of a post has, before they are looked up. */
#ifndef LEARN_FEATURES_FIND_H
#define LEARN_FEATURES_FIND_H

#include "learn/features.h"

/* Something found; its name is in the reader's text. */
struct features_found {
    uint64_t hash;
    uint32_t at;
    uint16_t len, kind;
};

/* Sets the reader's text and found. `as` is the part that features are said to be in. */
void features_find(struct features_reader *reader, struct str part, unsigned as);

#endif
