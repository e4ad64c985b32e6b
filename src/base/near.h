/* The nearest right name for a misspelt one: "did you mean ...?". */
#ifndef BASE_NEAR_H
#define BASE_NEAR_H

#include "base/str.h"

/* Insertions, deletions, replacements and swaps of neighbours that turn a into b; names
 * longer than 64 bytes are not compared (the result is then larger than 64). */
size_t near_distance(struct str a, struct str b);

/* The index of the candidate nearest to name, or count when none is near enough to be
 * meant: at most a third of the longer one's letters wrong. The first of equals wins. */
size_t near_find(struct str name, const struct str *candidates, size_t count);

#endif
