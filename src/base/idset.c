/* Eight kilobytes a page; the pages' numbers are searched by bisection. */
#include "base/idset.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/order.h"

enum { PAGE_WORDS = IDSET_PAGE_IDS / 64 };

void idset_free(struct idset *set)
{
    for (size_t i = 0; i < set->count; i++)
        free(set->pages[i].bits);
    free(set->pages);
    *set = (struct idset){0};
}

/* The first page whose number is not below `number`. */
static size_t place_of(const struct idset *set, int64_t number)
{
    size_t place;

    ORDER_SEEK(place, set->count, set->pages[place].number < number);
    return place;
}

const struct idset_page *idset_seek(const struct idset *set, int64_t number)
{
    size_t at = place_of(set, number);
    return at < set->count && set->pages[at].number == number ? &set->pages[at] : NULL;
}

static struct idset_page *insert(struct idset *set, int64_t number)
{
    size_t at = place_of(set, number);

    if (set->count == set->room) {
        set->room = set->room > 0 ? 2 * set->room : 16;
        set->pages = realloc(set->pages, set->room * sizeof *set->pages);
        if (set->pages == NULL)
            arena_exhausted();
    }
    memmove(set->pages + at + 1, set->pages + at, (set->count - at) * sizeof *set->pages);
    set->pages[at] = (struct idset_page){number, calloc(PAGE_WORDS, sizeof(uint64_t))};
    if (set->pages[at].bits == NULL)
        arena_exhausted();
    set->count++;
    return &set->pages[at];
}

struct idset_page *idset_turn_to(struct idset *set, int64_t number)
{
    const struct idset_page *found = idset_seek(set, number);
    struct idset_page *page =
        found != NULL ? set->pages + (found - set->pages) : insert(set, number);

    set->last = (size_t)(page - set->pages);
    return page;
}

int64_t idset_highest(const struct idset *set)
{
    if (set->ids == 0)
        return -1;
    int64_t id = (set->pages[set->count - 1].number + 1) * IDSET_PAGE_IDS - 1;
    while (!idset_has(set, id)) /* a page that is there has an id */
        id--;
    return id;
}

int64_t idset_missing(const struct idset *a, const struct idset *b)
{
    int64_t missing = 0;

    for (size_t i = 0; i < a->count; i++) {
        const struct idset_page *other = idset_seek(b, a->pages[i].number);
        for (size_t w = 0; w < PAGE_WORDS; w++)
            missing += __builtin_popcountll(a->pages[i].bits[w] &
                                            ~(other != NULL ? other->bits[w] : 0));
    }
    return missing;
}

void idset_save(const struct idset *set, struct buf *out)
{
    for (size_t i = 0; i < set->count; i++) {
        buf_add(out, (struct str){(const char *)&set->pages[i].number, sizeof(int64_t)});
        buf_add(out, (struct str){(const char *)set->pages[i].bits,
                                  PAGE_WORDS * sizeof(uint64_t)});
    }
}

bool idset_load(struct idset *set, struct str bytes)
{
    const size_t size = sizeof(int64_t) + PAGE_WORDS * sizeof(uint64_t);

    idset_free(set);
    for (size_t at = 0; at + size <= bytes.len; at += size) {
        int64_t number;
        memcpy(&number, bytes.ptr + at, sizeof number);
        if (number < 0 || number > INT64_MAX / IDSET_PAGE_IDS ||
            (set->count > 0 && number <= set->pages[set->count - 1].number))
            return false;
        struct idset_page *page = insert(set, number);
        memcpy(page->bits, bytes.ptr + at + sizeof number, size - sizeof number);
        for (size_t w = 0; w < PAGE_WORDS; w++)
            set->ids += __builtin_popcountll(page->bits[w]);
    }
    return bytes.len % size == 0;
}
