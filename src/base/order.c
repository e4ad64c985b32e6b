/* Numbers are sorted by their bytes, the least one first (LSD radix sort), which keeps
 * the order of equal ones; few of them by insertion, which does too. */
#include "base/order.h"

#include <math.h>
#include <string.h>

enum {
    FEW = 48, /* up to here insertion is faster */
    DIGITS = sizeof(uint64_t),
    DIGIT_VALUES = 256,
};

/* A place for each number such that places are in its order; -0 is 0, NAN comes last. */
static inline uint64_t key_of_real(const char *at)
{
    double value;
    uint64_t bits;

    memcpy(&value, at, sizeof value);
    if (isnan(value))
        return UINT64_MAX;
    value += 0.0;
    memcpy(&bits, &value, sizeof bits);
    return (bits >> 63) != 0 ? ~bits : bits | UINT64_C(1) << 63;
}

static inline uint64_t key_of_int(const char *at)
{
    uint64_t bits;

    memcpy(&bits, at, sizeof bits);
    return bits ^ UINT64_C(1) << 63;
}

typedef uint64_t key_of(const char *at);

static inline void insert_each(char *at, size_t count, size_t size, size_t offset,
                               key_of *key, char *one)
{
    for (size_t i = 1; i < count; i++) {
        uint64_t own = key(at + i * size + offset);
        size_t to = i;
        while (to > 0 && key(at + (to - 1) * size + offset) > own)
            to--;
        if (to == i)
            continue;
        memcpy(one, at + i * size, size);
        memmove(at + (to + 1) * size, at + to * size, (i - to) * size);
        memcpy(at + to * size, one, size);
    }
}

/* How often each byte has each value; false: all are in order already. */
static inline bool count_digits(const char *at, size_t count, size_t size, size_t offset,
                                key_of *key, size_t counts[DIGITS][DIGIT_VALUES])
{
    uint64_t last = 0;
    bool falls = false;

    for (size_t i = 0; i < count; i++) {
        uint64_t own = key(at + i * size + offset);
        for (size_t d = 0; d < DIGITS; d++)
            counts[d][own >> 8 * d & (DIGIT_VALUES - 1)]++;
        falls |= own < last;
        last = own;
    }
    return falls;
}

/* Inlined for each size and kind of key, so that both are known where it is compiled. */
static inline void sort(char *at, size_t count, size_t size, size_t offset, key_of *key)
{
    size_t counts[DIGITS][DIGIT_VALUES] = {0};
    struct arena arena = {0};
    char *from = at, *to;

    if (count <= FEW) {
        if (count > 1)
            insert_each(at, count, size, offset, key, arena_alloc(&arena, 1, size));
        goto done;
    }
    if (!count_digits(at, count, size, offset, key, counts))
        goto done;
    to = arena_alloc(&arena, count, size);
    for (size_t d = 0; d < DIGITS; d++) {
        size_t *next = counts[d], before = 0;
        if (next[key(from + offset) >> 8 * d & (DIGIT_VALUES - 1)] == count)
            continue; /* the same for all */
        for (size_t v = 0; v < DIGIT_VALUES; v++) {
            size_t own = next[v];
            next[v] = before;
            before += own;
        }
        for (size_t i = 0; i < count; i++) {
            const char *one = from + i * size;
            size_t value = key(one + offset) >> 8 * d & (DIGIT_VALUES - 1);
            memcpy(to + next[value]++ * size, one, size);
        }
        char *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != at)
        memcpy(at, from, count * size);
done:
    arena_free(&arena);
}

void order_reals(double *at, size_t count)
{
    sort((char *)at, count, sizeof *at, 0, key_of_real);
}

void order_ints(int64_t *at, size_t count)
{
    sort((char *)at, count, sizeof *at, 0, key_of_int);
}

void order_records(void *at, size_t count, size_t size, size_t offset)
{
    switch (size) {
    case 16:
        sort(at, count, 16, offset, key_of_real);
        break;
    case 32:
        sort(at, count, 32, offset, key_of_real);
        break;
    default:
        sort(at, count, size, offset, key_of_real);
    }
}

struct order_placed {
    double value;
    size_t place;
};

size_t *order_places(const double *values, size_t count, bool largest_first,
                     struct arena *arena)
{
    size_t *places = arena_array(arena, size_t, count + 1);
    struct arena_mark mark = arena_mark(arena);
    struct order_placed *placed = arena_array(arena, struct order_placed, count + 1);

    for (size_t i = 0; i < count; i++)
        placed[i] = (struct order_placed){largest_first ? -values[i] : values[i], i};
    order_records(placed, count, sizeof *placed, offsetof(struct order_placed, value));
    for (size_t i = 0; i < count; i++)
        places[i] = placed[i].place;
    arena_rewind(arena, mark);
    return places;
}
