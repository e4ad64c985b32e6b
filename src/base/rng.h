/* Seeded random numbers: xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom
 * number generators", ACM TOMS 2021), its state filled by SplitMix64. The same seed gives
 * the same draws on every machine, for ever: published samples depend on it. */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

struct rng {
    uint64_t state[4];
};

struct rng rng_seeded(uint64_t seed);

/* An independent generator for each (seed, stream, index), so that parts of a job can be
 * done in any order or in parallel and still come out the same. */
struct rng rng_stream(uint64_t seed, uint64_t stream, uint64_t index);

static inline uint64_t rng_rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static inline uint64_t rng_next(struct rng *rng)
{
    uint64_t *s = rng->state, result = rng_rotate(s[0] + s[3], 23) + s[0];
    uint64_t shifted = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rng_rotate(s[3], 45);
    return result;
}

uint64_t rng_below(struct rng *rng, uint64_t bound); /* 0 <= result < bound, unbiased */
double rng_unit(struct rng *rng);                    /* 0 <= result < 1, 53 bits */
double rng_normal(struct rng *rng);                  /* mean 0, standard deviation 1 */
double rng_log_normal(struct rng *rng, double median, double sigma);

/* One of `count` with probability proportional to its weight (not negative, not all 0).
 */
size_t rng_weighted(struct rng *rng, const double *weights, size_t count);

/* Puts `items`, count of them of `size` bytes, into random order. */
void rng_shuffle(struct rng *rng, void *items, size_t count, size_t size);

/* Draws `take` of the numbers 0 .. count-1 without replacement, each set equally likely,
 * into out in ascending order. take <= count; no memory but out is used. */
void rng_draw(struct rng *rng, uint64_t count, size_t take, uint64_t *out);

#endif
