/* Sorting of plain numbers, and what comparisons for qsort() are made of. */
#ifndef BASE_ORDER_H
#define BASE_ORDER_H

#include "base/arena.h"

/* Below 0, 0 or above 0, as strcmp(). */
#define ORDER_BY(a, b) (((a) > (b)) - ((a) < (b)))

/* The first comparison that tells the two apart. */
static inline int order_then(int first, int second)
{
    return first != 0 ? first : second;
}

/* Binary search among `count` places: sets `place` to the first for which `before` does
 * not hold, where it holds up to there and nowhere behind. */
#define ORDER_SEEK(place, count, before) \
    do { \
        size_t order_low = 0, order_high = (count); \
        while (order_low < order_high) { \
            (place) = order_low + (order_high - order_low) / 2; \
            if (before) \
                order_low = (place) + 1; \
            else \
                order_high = (place); \
        } \
        (place) = order_low; \
    } while (0)

/* Ascending. Equal ones, as 0 and -0, stay in their order; those of NAN come last. */
void order_reals(double *at, size_t count);
void order_ints(int64_t *at, size_t count);

/* The same for records of `size` bytes each, by the double at `offset`. */
void order_records(void *at, size_t count, size_t size, size_t offset);

/* The places of the values, the least first or the largest, of equal ones the first;
 * those of NAN come last. */
size_t *order_places(const double *values, size_t count, bool largest_first,
                     struct arena *arena);

#endif
