/* Topics are laid out in rows of eight lanes. A draw first picks the lane, by the sums of
 * whole lanes, then the topic within it: so the sums over topics are plain vector
 * additions. */
#include "topic/internal.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

enum { LANES = TOPIC_SAMPLER_LANES };

/* What a draw looks at: a word's counts beside the document's ratios. */
struct weights {
    const float *ratio;
    const int32_t *word;
    float beta;
    size_t stride;
    float *sums; /* gets, by topic, the weights of its lane up to and including it */
};

size_t topic_sampler_stride(size_t topics)
{
    return (topics + LANES - 1) / LANES * LANES;
}

void topic_sampler_make(size_t topics, size_t words, struct arena *arena,
                        struct topic_sampler *out)
{
    size_t stride = topic_sampler_stride(topics);

    *out = (struct topic_sampler){
        .topics = topics,
        .stride = stride,
        .counts = {arena_array(arena, int32_t, words * stride + LANES),
                   arena_array(arena, int64_t, stride)},
        .document = arena_array(arena, int32_t, stride),
        .ratio = arena_array(arena, float, stride),
        .sums = arena_array(arena, float, stride),
    };
}

/* The sums of lanes 0 .. i in before[i], added up in the order that AVX2 has. */
static void add_lanes(float lanes[LANES])
{
    for (size_t half = 0; half < LANES; half += 4) {
        float *four = lanes + half;
        float second = four[1] + four[0], third = four[2] + four[1],
              fourth = four[3] + four[2];
        four[1] = second;
        four[2] = third + four[0];
        four[3] = fourth + second;
    }
    for (size_t i = 4; i < LANES; i++)
        lanes[i] += lanes[3];
}

/* From the sums of lanes to the topic where `share` of all weight has been passed. */
INLINE size_t find_topic(const float before[LANES], size_t lane, float place,
                         const struct weights *weights)
{
    size_t row = 0;

    if (lane >= LANES) /* rounding */
        lane = LANES - 1;
    if (lane > 0)
        place -= before[lane - 1];
    for (size_t k = lane; k < weights->stride; k += LANES)
        row += weights->sums[k] <= place;
    return row * LANES + lane;
}

static size_t draw_portable(const struct weights *weights, float share)
{
    float lanes[LANES] = {0};
    size_t lane = 0;

    for (size_t k = 0; k < weights->stride; k++) {
        float weight = weights->ratio[k] * ((float)weights->word[k] + weights->beta);
        lanes[k % LANES] += weight;
        weights->sums[k] = lanes[k % LANES];
    }
    add_lanes(lanes);
    float place = share * lanes[LANES - 1];
    for (size_t i = 0; i < LANES; i++)
        lane += lanes[i] <= place;
    return find_topic(lanes, lane, place, weights);
}

/* The counts of the word after next, which else would have to be waited for. */
INLINE void fetch_ahead(const struct topic_sampler *sampler, const uint32_t *words,
                        size_t left)
{
    if (left > 2)
        __builtin_prefetch(sampler->counts.words + words[2] * sampler->stride);
}

/* Word and document forget (change -1) or learn (+1) a topic. */
INLINE void count_topic(struct topic_sampler *sampler, int32_t *word, size_t topic,
                        int change)
{
    word[topic] += change;
    sampler->document[topic] += change;
    sampler->counts.totals[topic] += change;
    sampler->ratio[topic] = ((float)sampler->document[topic] + sampler->alpha[topic]) /
                            ((float)sampler->counts.totals[topic] + sampler->beta_sum);
}

static void begin_document(struct topic_sampler *sampler, const uint16_t *topics,
                           size_t count)
{
    memset(sampler->document, 0, sampler->stride * sizeof *sampler->document);
    for (size_t i = 0; i < count; i++)
        sampler->document[topics[i]]++;
    for (size_t k = 0; k < sampler->topics; k++)
        sampler->ratio[k] = ((float)sampler->document[k] + sampler->alpha[k]) /
                            ((float)sampler->counts.totals[k] + sampler->beta_sum);
}

INLINE void sample(struct topic_sampler *sampler, const uint32_t *words, size_t count,
                   uint16_t *topics,
                   size_t (*draw)(const struct weights *weights, float share))
{
    struct weights weights = {sampler->ratio, NULL, sampler->beta, sampler->stride,
                              sampler->sums};

    begin_document(sampler, topics, count);
    for (size_t i = 0; i < count; i++) {
        int32_t *word = sampler->counts.words + words[i] * sampler->stride;
        /* 24 bits: a float holds no more. */
        float share = (float)(rng_next(&sampler->rng) >> 40) * 0x1p-24f;
        fetch_ahead(sampler, words + i, count - i);
        count_topic(sampler, word, topics[i], -1);
        weights.word = word;
        size_t topic = draw(&weights, share);
        if (topic >= sampler->topics) /* rounding, in the last row */
            topic = sampler->topics - 1;
        count_topic(sampler, word, topic, +1);
        topics[i] = (uint16_t)topic;
    }
}

#if defined(__x86_64__)

#define AVX2 __attribute__((target("avx2,popcnt")))

AVX2 static inline size_t draw_avx2(const struct weights *weights, float share)
{
    __m256 beta = _mm256_set1_ps(weights->beta), lanes = _mm256_setzero_ps();
    float before[LANES];

    for (size_t k = 0; k < weights->stride; k += LANES) {
        __m256i counts =
            _mm256_loadu_si256((const __m256i *)(const void *)(weights->word + k));
        __m256 weight = _mm256_mul_ps(_mm256_loadu_ps(weights->ratio + k),
                                      _mm256_add_ps(_mm256_cvtepi32_ps(counts), beta));
        lanes = _mm256_add_ps(lanes, weight);
        _mm256_storeu_ps(weights->sums + k, lanes);
    }
    lanes = _mm256_add_ps(
        lanes, _mm256_castsi256_ps(_mm256_slli_si256(_mm256_castps_si256(lanes), 4)));
    lanes = _mm256_add_ps(
        lanes, _mm256_castsi256_ps(_mm256_slli_si256(_mm256_castps_si256(lanes), 8)));
    __m256 fourth = _mm256_permutevar8x32_ps(lanes, _mm256_set1_epi32(3));
    lanes = _mm256_add_ps(lanes, _mm256_blend_ps(_mm256_setzero_ps(), fourth, 0xF0));
    _mm256_storeu_ps(before, lanes);
    float place = share * before[LANES - 1];
    int passed =
        _mm256_movemask_ps(_mm256_cmp_ps(lanes, _mm256_set1_ps(place), _CMP_LE_OQ));
    return find_topic(before, (size_t)__builtin_popcount((unsigned)passed), place,
                      weights);
}

AVX2 static void sample_avx2(struct topic_sampler *sampler, const uint32_t *words,
                             size_t count, uint16_t *topics)
{
    sample(sampler, words, count, topics, draw_avx2);
}

bool topic_sampler_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
}

#else

static void sample_avx2(struct topic_sampler *sampler, const uint32_t *words,
                        size_t count, uint16_t *topics)
{
    sample(sampler, words, count, topics, draw_portable);
}

bool topic_sampler_has_avx2(void)
{
    return false;
}

#endif

void topic_sampler_document(struct topic_sampler *sampler, const uint32_t *words,
                            size_t count, uint16_t *topics)
{
    if (sampler->portable || !topic_sampler_has_avx2())
        sample(sampler, words, count, topics, draw_portable);
    else
        sample_avx2(sampler, words, count, topics);
}
