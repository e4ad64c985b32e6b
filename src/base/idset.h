/* A set of ids: whole numbers from 0 up, dense in places, with a few far away. A bit an
 * id in pages that come into being where they are needed. A zeroed set is empty and
 * ready. */
#ifndef BASE_IDSET_H
#define BASE_IDSET_H

#include "base/buf.h"

enum { IDSET_PAGE_IDS = 1 << 16 };

struct idset {
    struct idset_page *pages; /* by number, ascending */
    size_t count, room;       /* pages */
    size_t last;              /* page used last: ids come in runs */
    int64_t ids;
};

struct idset_page {
    int64_t number;
    uint64_t *bits;
};

void idset_free(struct idset *set);

/* Negative ids are not entered. True when the id is new. */
bool idset_add(struct idset *set, int64_t id);

/* Does not change the set, so that several threads may ask at once. */
bool idset_has(const struct idset *set, int64_t id);

int64_t idset_highest(const struct idset *set); /* -1: it is empty */

/* How many ids of a are not in b. */
int64_t idset_missing(const struct idset *a, const struct idset *b);

/* Packed into bytes, and back; false when bytes are no such thing. */
void idset_save(const struct idset *set, struct buf *out);
bool idset_load(struct idset *set, struct str bytes);

#endif
