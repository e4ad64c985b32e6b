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

/* The page of that number: NULL where there is none, or, for one that is to be used,
 * made. Private to what follows, which is asked several times of each row of a table. */
const struct idset_page *idset_seek(const struct idset *set, int64_t number);
struct idset_page *idset_turn_to(struct idset *set, int64_t number);

/* Negative ids are not entered. True when the id is new. */
static inline bool idset_add(struct idset *set, int64_t id)
{
    if (id < 0)
        return false;
    struct idset_page *page = set->last < set->count ? &set->pages[set->last] : NULL;
    if (page == NULL || page->number != id / IDSET_PAGE_IDS)
        page = idset_turn_to(set, id / IDSET_PAGE_IDS);
    uint64_t *word = &page->bits[id % IDSET_PAGE_IDS / 64], bit = UINT64_C(1) << id % 64;
    bool fresh = (*word & bit) == 0;
    *word |= bit;
    set->ids += fresh;
    return fresh;
}

/* Does not change the set, so that several threads may ask at once. */
static inline bool idset_has(const struct idset *set, int64_t id)
{
    if (id < 0)
        return false;
    const struct idset_page *page =
        set->last < set->count ? &set->pages[set->last] : NULL;
    if (page == NULL || page->number != id / IDSET_PAGE_IDS)
        page = idset_seek(set, id / IDSET_PAGE_IDS);
    return page != NULL && (page->bits[id % IDSET_PAGE_IDS / 64] >> id % 64 & 1) != 0;
}

int64_t idset_highest(const struct idset *set); /* -1: it is empty */

/* How many ids of a are not in b. */
int64_t idset_missing(const struct idset *a, const struct idset *b);

/* Packed into bytes, and back; false when bytes are no such thing. */
void idset_save(const struct idset *set, struct buf *out);
bool idset_load(struct idset *set, struct str bytes);

#endif
