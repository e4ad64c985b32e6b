/* Documents for the tests of topic/: from lists of numbers, from sentences, and drawn
 * from a topic model that is known. */
#ifndef TESTS_UNIT_TOPIC_PLANTED_H
#define TESTS_UNIT_TOPIC_PLANTED_H

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "tests/tap.h"
#include "topic/topic.h"

/* Documents of given lengths, one behind the other in `at`; names are "w0", "w1" ... */
static inline struct topic_tokens planted_tokens(const int64_t *lengths, size_t documents,
                                                 const int64_t *at, size_t words,
                                                 struct arena *arena)
{
    size_t *begin = arena_array(arena, size_t, documents + 1);
    struct str *names = arena_array(arena, struct str, words + 1);
    uint32_t *frequency = arena_array(arena, uint32_t, words + 1);
    size_t *last = arena_array(arena, size_t, words + 1);
    struct topic_tokens tokens = {.documents = documents, .words = words};

    for (size_t d = 0; d < documents; d++) {
        begin[d + 1] = begin[d] + (size_t)lengths[d];
        tokens.empty += lengths[d] == 0;
    }
    uint32_t *numbers = arena_array(arena, uint32_t, begin[documents] + 1);
    for (size_t d = 0; d < documents; d++)
        for (size_t i = begin[d]; i < begin[d + 1]; i++) {
            numbers[i] = (uint32_t)at[i];
            frequency[at[i]] += last[at[i]] != d + 1;
            last[at[i]] = d + 1;
        }
    for (size_t w = 0; w < words; w++) {
        struct buf name = {0};
        buf_add_format(&name, "w%zu", w);
        names[w] = arena_copy(arena, buf_str(&name));
        buf_free(&name);
    }
    tokens.begin = begin;
    tokens.at = numbers;
    tokens.names = names;
    tokens.frequency = frequency;
    return tokens;
}

/* Marsaglia and Tsang, ACM TOMS 26, 2000; shapes below 1 by a power of a uniform. */
static inline double planted_gamma(struct rng *rng, double shape)
{
    double boost = shape < 1 ? pow(1 - rng_unit(rng), 1 / shape) : 1;
    double d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3, c = 1 / sqrt(9 * d);

    for (;;) {
        double x = rng_normal(rng), v = pow(1 + c * x, 3);
        if (v > 0 && log(1 - rng_unit(rng)) < x * x / 2 + d - d * v + d * log(v))
            return boost * d * v;
    }
}

static inline void planted_dirichlet(struct rng *rng, double shape, double *out,
                                     size_t count)
{
    double all = 0;

    for (size_t i = 0; i < count; i++)
        all += out[i] = planted_gamma(rng, shape) + 1e-12;
    for (size_t i = 0; i < count; i++)
        out[i] /= all;
}

struct planted {
    size_t topics, words, documents, length;
    uint64_t seed;
    double *phi; /* of each topic, by word: what is to be found again */
    struct topic_tokens tokens;
};

/* Draws from the model of LDA itself: words of topics ~ Dirichlet(0.05), topics of
 * documents ~ Dirichlet(0.1). */
static inline void planted_draw(struct planted *planted, struct arena *arena)
{
    struct rng rng = rng_seeded(planted->seed);
    size_t topics = planted->topics, words = planted->words;
    double *theta = arena_array(arena, double, topics);
    int64_t *lengths = arena_array(arena, int64_t, planted->documents + 1);
    int64_t *at = arena_array(arena, int64_t, planted->documents * planted->length + 1);

    planted->phi = arena_array(arena, double, topics *words);
    for (size_t k = 0; k < topics; k++)
        planted_dirichlet(&rng, 0.05, planted->phi + k * words, words);
    for (size_t d = 0; d < planted->documents; d++) {
        planted_dirichlet(&rng, 0.1, theta, topics);
        lengths[d] = (int64_t)planted->length;
        for (size_t i = 0; i < planted->length; i++) {
            size_t k = rng_weighted(&rng, theta, topics);
            at[d * planted->length + i] =
                (int64_t)rng_weighted(&rng, planted->phi + k * words, words);
        }
    }
    planted->tokens = planted_tokens(lengths, planted->documents, at, words, arena);
}

#endif
