/* One document's turn: counts stay whole, both ways draw alike, draws follow the weights.
 */
#include "topic/internal.h"

#include <math.h>
#include <string.h>

#include "tests/tap.h"

enum { WORDS = 50, LENGTH = 400 };

/* Counts of a document of LENGTH words, and topics for them. */
struct fixture {
    struct arena arena;
    struct topic_sampler sampler;
    float *alpha;
    uint32_t words[LENGTH];
    uint16_t topics[LENGTH];
};

static void begin(struct fixture *fixture, size_t topics, bool portable)
{
    struct rng rng = rng_seeded(topics);

    *fixture = (struct fixture){0};
    topic_sampler_make(topics, WORDS, &fixture->arena, &fixture->sampler);
    fixture->alpha = arena_array(&fixture->arena, float, topics);
    for (size_t k = 0; k < topics; k++)
        fixture->alpha[k] = 0.1F + (float)k * 0.01F;
    fixture->sampler.alpha = fixture->alpha;
    fixture->sampler.beta = 0.01F;
    fixture->sampler.beta_sum = 0.01F * WORDS;
    fixture->sampler.rng = rng_seeded(7);
    fixture->sampler.portable = portable;
    for (size_t i = 0; i < LENGTH; i++) {
        fixture->words[i] = (uint32_t)rng_below(&rng, WORDS);
        fixture->topics[i] = (uint16_t)rng_below(&rng, topics);
        fixture->sampler.counts
            .words[fixture->words[i] * fixture->sampler.stride + fixture->topics[i]]++;
        fixture->sampler.counts.totals[fixture->topics[i]]++;
    }
}

/* Counts are what the topics of the words say, and nothing else. */
static bool is_whole(const struct fixture *fixture)
{
    const struct topic_sampler *sampler = &fixture->sampler;
    int64_t totals[TOPIC_LDA_TOPICS_MAX + TOPIC_SAMPLER_LANES] = {0};
    int32_t *words =
        arena_array((struct arena *)&fixture->arena, int32_t, WORDS * sampler->stride);

    for (size_t i = 0; i < LENGTH; i++) {
        if (fixture->topics[i] >= sampler->topics)
            return false;
        words[fixture->words[i] * sampler->stride + fixture->topics[i]]++;
        totals[fixture->topics[i]]++;
    }
    for (size_t k = 0; k < sampler->stride; k++)
        if (totals[k] != sampler->counts.totals[k] || totals[k] != sampler->document[k])
            return false;
    return memcmp(words, sampler->counts.words,
                  WORDS * sampler->stride * sizeof *words) == 0;
}

static void check_counts(void)
{
    static const size_t sizes[] = {1, 2, 7, 8, 9, 30, 100, 1000};

    for (size_t i = 0; i < ROWS(sizes); i++) {
        struct fixture fast, plain;
        begin(&fast, sizes[i], false);
        begin(&plain, sizes[i], true);
        for (int turn = 0; turn < 5; turn++) {
            topic_sampler_document(&fast.sampler, fast.words, LENGTH, fast.topics);
            topic_sampler_document(&plain.sampler, plain.words, LENGTH, plain.topics);
        }
        tap_case("%zu topics: counts are conserved", sizes[i]);
        CHECK(is_whole(&fast));
        tap_case("%zu topics: the same without vectors", sizes[i]);
        if (!topic_sampler_has_avx2())
            tap_skip("this processor has no AVX2");
        CHECK(memcmp(fast.topics, plain.topics, sizeof fast.topics) == 0);
        arena_free(&fast.arena);
        arena_free(&plain.arena);
    }
}

/* A document of one word, drawn again and again: shares are the weights of the formula.
 */
static void check_weights(bool portable)
{
    enum { TOPICS = 11, DRAWS = 40000 };
    struct arena arena = {0};
    struct topic_sampler sampler;
    float alpha[TOPICS];
    double weights[TOPICS], all = 0, worst = 0;
    int64_t times[TOPICS] = {0};
    uint32_t word = 3;
    uint16_t topic = 0;

    topic_sampler_make(TOPICS, WORDS, &arena, &sampler);
    for (size_t k = 0; k < TOPICS; k++) {
        alpha[k] = 0.05F * (float)(k + 1);
        sampler.counts.words[word * sampler.stride + k] = (int32_t)(k * k % 7);
        sampler.counts.totals[k] = (int64_t)(20 + 3 * k);
        weights[k] = (double)alpha[k] * ((double)(k * k % 7) + 0.5) /
                     ((double)(20 + 3 * k) + 0.5 * WORDS);
        all += weights[k];
    }
    sampler.counts.words[word * sampler.stride]++;
    sampler.counts.totals[0]++;
    sampler.alpha = alpha;
    sampler.beta = 0.5F;
    sampler.beta_sum = 0.5F * WORDS;
    sampler.rng = rng_seeded(5);
    sampler.portable = portable;
    for (int i = 0; i < DRAWS; i++) {
        topic_sampler_document(&sampler, &word, 1, &topic);
        times[topic]++;
    }
    for (size_t k = 0; k < TOPICS; k++) {
        double share = weights[k] / all;
        double error = sqrt(share * (1 - share) / DRAWS);
        worst = fmax(worst, fabs((double)times[k] / DRAWS - share) / error);
    }
    tap_case("draws follow the weights%s", portable ? ", without vectors" : "");
    CHECK(worst < 4);
    arena_free(&arena);
}

int main(void)
{
    check_counts();
    check_weights(false);
    check_weights(true);
    return tap_done();
}
