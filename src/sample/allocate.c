/* Sharing a whole number out over strata. */
#include "sample/allocate.h"

#include <assert.h>
#include <stdlib.h>

/* Products of two counts. */
__extension__ typedef unsigned __int128 wide;

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t sum_of(const int64_t *numbers, size_t count)
{
    int64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += numbers[i];
    return sum;
}

enum { OPEN = -1 }; /* a stratum that has no size yet */

/* What the strata without a size are to share, and how many items they have. */
struct rest {
    int64_t total, frame;
};

static int64_t part_of(struct rest rest, int64_t frame)
{
    return (int64_t)((wide)rest.total * (wide)frame / (wide)rest.frame);
}

static int64_t remainder_of(struct rest rest, int64_t frame)
{
    return (int64_t)((wide)rest.total * (wide)frame % (wide)rest.frame);
}

static struct rest rest_of(int64_t total, const int64_t *frames, size_t strata,
                           const int64_t *sizes)
{
    struct rest rest = {total, 0};

    for (size_t i = 0; i < strata; i++) {
        if (sizes[i] == OPEN)
            rest.frame += frames[i];
        else
            rest.total -= sizes[i];
    }
    rest.total = most(rest.total, 0);
    return rest;
}

/* Gives the minimum to strata whose part is below it. That leaves less for the others, so
 * again until none is below. */
static struct rest settle_minimums(int64_t total, int64_t minimum, const int64_t *frames,
                                   size_t strata, int64_t *sizes)
{
    for (;;) {
        struct rest rest = rest_of(total, frames, strata, sizes);
        bool settled = true;
        for (size_t i = 0; i < strata; i++) {
            int64_t floor = least(minimum, frames[i]);
            if (sizes[i] != OPEN || (rest.frame > 0 && part_of(rest, frames[i]) >= floor))
                continue;
            sizes[i] = floor;
            settled = false;
        }
        if (settled)
            return rest;
    }
}

struct share {
    size_t stratum;
    int64_t remainder;
};

static int by_remainder(const void *a, const void *b)
{
    const struct share *x = a, *y = b;

    if (x->remainder != y->remainder)
        return x->remainder > y->remainder ? -1 : 1;
    return (x->stratum > y->stratum) - (x->stratum < y->stratum);
}

static void share_by_frame(int64_t total, int64_t minimum, const int64_t *frames,
                           size_t strata, struct arena *arena, int64_t *sizes)
{
    struct share *shares = arena_array(arena, struct share, strata + 1);
    size_t open = 0;

    for (size_t i = 0; i < strata; i++)
        sizes[i] = OPEN;
    struct rest rest = settle_minimums(total, minimum, frames, strata, sizes);
    int64_t left = rest.total;
    for (size_t i = 0; i < strata; i++) {
        if (sizes[i] != OPEN)
            continue;
        sizes[i] = part_of(rest, frames[i]);
        left -= sizes[i];
        shares[open++] = (struct share){i, remainder_of(rest, frames[i])};
    }
    qsort(shares, open, sizeof *shares, by_remainder);
    /* The remainders add up to `left` whole items, each being less than one: at least
     * `left` of them are not 0, and those strata have an item more to give. */
    for (size_t i = 0; i < open && left > 0; i++, left--)
        sizes[shares[i].stratum]++;
}

/* What the strata give when each gives `level` or all it has. */
static int64_t given_at(int64_t level, const int64_t *frames, size_t strata)
{
    int64_t given = 0;

    for (size_t i = 0; i < strata; i++)
        given += least(level, frames[i]);
    return given;
}

static void share_equally(int64_t total, int64_t minimum, const int64_t *frames,
                          size_t strata, int64_t *sizes)
{
    int64_t low = 0, high = total; /* the highest level that gives at most the total */

    while (low < high) {
        int64_t middle = high - (high - low) / 2;
        if (given_at(middle, frames, strata) <= total)
            low = middle;
        else
            high = middle - 1;
    }
    int64_t level = most(low, minimum);
    int64_t left = total - given_at(level, frames, strata);
    for (size_t i = 0; i < strata; i++) {
        sizes[i] = least(level, frames[i]);
        if (left > 0 && sizes[i] < frames[i]) {
            sizes[i]++;
            left--;
        }
    }
}

void allocate(const struct allocate_rule *rule, const int64_t *frames, size_t strata,
              struct arena *arena, int64_t *sizes)
{
    int64_t total = size_of(&rule->size, sum_of(frames, strata));

    assert(rule->minimum >= 0);
    switch (rule->method) {
    case ALLOCATE_PROPORTIONAL:
        share_by_frame(total, rule->minimum, frames, strata, arena, sizes);
        break;
    case ALLOCATE_EQUAL:
        share_equally(total, rule->minimum, frames, strata, sizes);
        break;
    case ALLOCATE_OWN:
        for (size_t i = 0; i < strata; i++)
            sizes[i] =
                most(size_of(&rule->size, frames[i]), least(rule->minimum, frames[i]));
        break;
    }
}
