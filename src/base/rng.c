/* Every algorithm here is frozen by tests/unit/base_rng.c: a faster one that draws other
 * numbers is a new function, not a change. */
#include "base/rng.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/real.h"

static uint64_t mix(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

struct rng rng_seeded(uint64_t seed)
{
    struct rng rng;

    for (int i = 0; i < 4; i++)
        rng.state[i] = mix(&seed);
    return rng;
}

struct rng rng_stream(uint64_t seed, uint64_t stream, uint64_t index)
{
    uint64_t a = mix(&seed) ^ stream;
    uint64_t b = mix(&a) ^ index;

    return rng_seeded(mix(&b));
}

uint64_t rng_below(struct rng *rng, uint64_t bound)
{
    assert(bound > 0);

    /* Lemire, "Fast random integer generation in an interval", ACM TOMACS 2019. */
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)rng_next(rng) * bound;
    if ((uint64_t)product < bound) {
        uint64_t refused = (0 - bound) % bound;
        while ((uint64_t)product < refused)
            product = (wide)rng_next(rng) * bound;
    }
    return (uint64_t)(product >> 64);
}

double rng_unit(struct rng *rng)
{
    return (double)(rng_next(rng) >> 11) * 0x1p-53;
}

double rng_normal(struct rng *rng)
{
    double x, y, square;

    /* Marsaglia's polar method. The second value is thrown away, so that a generator's
     * state is all there is to remember. */
    do {
        x = 2 * rng_unit(rng) - 1;
        y = 2 * rng_unit(rng) - 1;
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    return x * sqrt(-2 * real_log(square) / square);
}

double rng_log_normal(struct rng *rng, double median, double sigma)
{
    return median * real_exp(sigma * rng_normal(rng));
}

size_t rng_weighted(struct rng *rng, const double *weights, size_t count)
{
    double sum = 0;
    size_t last = 0;

    for (size_t i = 0; i < count; i++) {
        sum += weights[i];
        if (weights[i] > 0)
            last = i;
    }
    assert(sum > 0);
    double left = rng_unit(rng) * sum;
    for (size_t i = 0; i < last; i++) {
        left -= weights[i];
        if (left < 0)
            return i;
    }
    return last;
}

static void swap(char *a, char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

void rng_shuffle(struct rng *rng, void *items, size_t count, size_t size)
{
    char *bytes = items;

    for (size_t left = count; left > 1; left--) {
        size_t chosen = rng_below(rng, left);
        if (chosen != left - 1)
            swap(bytes + chosen * size, bytes + (left - 1) * size, size);
    }
}

/* The first place in the ascending out[0..count) whose number is not below value. */
static size_t place_of(const uint64_t *out, size_t count, uint64_t value)
{
    size_t place;

    ORDER_SEEK(place, count, out[place] < value);
    return place;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Selection sampling (Knuth, algorithm S): each number is taken with probability
 * still-needed / still-to-come. Best when most are taken. */
static void draw_by_pass(struct rng *rng, uint64_t count, size_t take, uint64_t *out)
{
    size_t taken = 0;

    for (uint64_t i = 0; taken < take; i++)
        if (rng_below(rng, count - i) < take - taken)
            out[taken++] = i;
}

void rng_draw(struct rng *rng, uint64_t count, size_t take, uint64_t *out)
{
    assert(take <= count);

    if (count / 8 < take) {
        draw_by_pass(rng, count, take, out);
        return;
    }
    /* A small part: throw again on a repeat, in sorted batches so that a repeat is found
     * by bisection. At most one in eight is taken, so few throws are lost. */
    size_t kept = 0;
    while (kept < take) {
        size_t batch = take - kept, fresh = kept;
        for (size_t i = 0; i < batch; i++) {
            uint64_t value = rng_below(rng, count);
            size_t at = place_of(out, kept, value);
            if (at == kept || out[at] != value)
                out[fresh++] = value;
        }
        qsort(out, fresh, sizeof *out, by_value);
        kept = 0;
        for (size_t i = 0; i < fresh; i++)
            if (i == 0 || out[i] != out[i - 1])
                out[kept++] = out[i];
    }
}
