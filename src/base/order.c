/* All of it is qsort(), which leaves open what becomes of equal ones; so no two places
 * are. */
#include "base/order.h"

#include <math.h>
#include <stdlib.h>

static int compare_reals(const void *a, const void *b)
{
    return ORDER_BY(*(const double *)a, *(const double *)b);
}

void order_reals(double *at, size_t count)
{
    if (count > 0)
        qsort(at, count, sizeof *at, compare_reals);
}

static int compare_ints(const void *a, const void *b)
{
    return ORDER_BY(*(const int64_t *)a, *(const int64_t *)b);
}

void order_ints(int64_t *at, size_t count)
{
    if (count > 0)
        qsort(at, count, sizeof *at, compare_ints);
}

struct order_placed {
    double value;
    size_t place;
};

static int compare_placed(const void *left, const void *right)
{
    const struct order_placed *a = left, *b = right;

    return order_then(order_then(ORDER_BY(isnan(a->value) != 0, isnan(b->value) != 0),
                                 ORDER_BY(a->value, b->value)),
                      ORDER_BY(a->place, b->place));
}

size_t *order_places(const double *values, size_t count, bool largest_first,
                     struct arena *arena)
{
    size_t *places = arena_array(arena, size_t, count + 1);
    struct arena_mark mark = arena_mark(arena);
    struct order_placed *placed = arena_array(arena, struct order_placed, count + 1);

    for (size_t i = 0; i < count; i++)
        placed[i] = (struct order_placed){largest_first ? -values[i] : values[i], i};
    qsort(placed, count, sizeof *placed, compare_placed);
    for (size_t i = 0; i < count; i++)
        places[i] = placed[i].place;
    arena_rewind(arena, mark);
    return places;
}
