/* Which classes each item has: what raters said, or what a classifier says. With one
 * label an item has exactly one class; with several it has any number. */
#ifndef LEARN_MEMBERSHIP_H
#define LEARN_MEMBERSHIP_H

#include "base/arena.h"

struct membership {
    size_t items, classes;
    bool several; /* an item may have more than one class, or none */
    uint8_t *is;  /* items x classes: 0 or 1 */
};

struct membership membership_new(size_t items, size_t classes, bool several,
                                 struct arena *arena);

static inline bool membership_has(const struct membership *membership, size_t item,
                                  size_t class)
{
    return membership->is[item * membership->classes + class] != 0;
}

/* Its first class, or `classes` when it has none. */
size_t membership_class(const struct membership *membership, size_t item);

/* The items of the list, in its order. */
struct membership membership_of(const struct membership *membership, const size_t *items,
                                size_t count, struct arena *arena);

/* How many items of the list have each class. */
void membership_count(const struct membership *membership, const size_t *items,
                      size_t count, size_t *counts);

#endif
