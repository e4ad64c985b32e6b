/* A byte an item and class. */
#include "learn/membership.h"

#include <string.h>

struct membership membership_new(size_t items, size_t classes, bool several,
                                 struct arena *arena)
{
    return (struct membership){items, classes, several,
                               arena_array(arena, uint8_t, items * classes + 1)};
}

size_t membership_class(const struct membership *membership, size_t item)
{
    size_t class = 0;

    while (class < membership->classes && !membership_has(membership, item, class))
        class ++;
    return class;
}

struct membership membership_of(const struct membership *membership, const size_t *items,
                                size_t count, struct arena *arena)
{
    size_t classes = membership->classes;
    struct membership some = membership_new(count, classes, membership->several, arena);

    for (size_t i = 0; i < count; i++)
        memcpy(some.is + i * classes, membership->is + items[i] * classes, classes);
    return some;
}

void membership_count(const struct membership *membership, const size_t *items,
                      size_t count, size_t *counts)
{
    memset(counts, 0, membership->classes * sizeof *counts);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < membership->classes; k++)
            counts[k] += membership_has(membership, items[i], k);
}
