/* The memory of lists, which at least doubles, so that adding is cheap on average. */
#include "base/list.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16 };

void *list_grown(void *at, size_t needed, size_t size, size_t *room)
{
    size_t more = *room < FIRST_ROOM ? FIRST_ROOM : *room;

    if (more > SIZE_MAX / 2 / size)
        arena_exhausted();
    *room = needed > 2 * more ? needed : 2 * more;
    if (*room > SIZE_MAX / size || (at = realloc(at, *room * size)) == NULL)
        arena_exhausted();
    return at;
}

void *list_copied(const void *at, size_t count, size_t size, struct arena *arena)
{
    void *copy = arena_alloc(arena, count + 1, size);

    if (count > 0)
        memcpy(copy, at, count * size);
    return copy;
}

void list_release(void *at)
{
    free(at);
}
