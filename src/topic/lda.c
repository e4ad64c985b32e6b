/* The iterations of a model, the alpha and beta it learns, and how well it foresees
 * documents that it has not seen; drawing is in sampler.c. */
#include "topic/internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "base/real.h"
#include "base/rng.h"
#include "base/stop.h"

enum { STEPS = 3 };

/* A topic that no document has must be able to come back. */
static const double LEAST = 1e-4;

double topic_prior_digamma(double x)
{
    double sum = 0;

    for (; x < 10; x++)
        sum -= 1 / x;
    /* The asymptotic series: Abramowitz and Stegun 6.3.18. */
    double square = 1 / (x * x);
    double series =
        square *
        (1.0 / 12 -
         square * (1.0 / 120 -
                   square * (1.0 / 252 - square * (1.0 / 240 - square * (1.0 / 132)))));
    return sum + real_log(x) - 0.5 / x - series;
}

static void alpha_step(const struct topic_tokens *tokens,
                       const struct topic_prior_counts *counts, double *alpha)
{
    double gains[TOPIC_LDA_TOPICS_MAX] = {0}, base[TOPIC_LDA_TOPICS_MAX], all = 0,
           sum = 0;
    uint32_t times[TOPIC_LDA_TOPICS_MAX];

    for (size_t k = 0; k < counts->topics; k++) {
        base[k] = topic_prior_digamma(alpha[k]);
        sum += alpha[k];
    }
    double base_of_sum = topic_prior_digamma(sum);
    for (size_t d = 0; d < tokens->documents; d++) {
        memset(times, 0, counts->topics * sizeof *times);
        for (size_t i = tokens->begin[d]; i < tokens->begin[d + 1]; i++)
            times[counts->topic_of[i]]++;
        for (size_t k = 0; k < counts->topics; k++)
            if (times[k] > 0)
                gains[k] += topic_prior_digamma((double)times[k] + alpha[k]) - base[k];
        all += topic_prior_digamma((double)topic_tokens_length(tokens, d) + sum) -
               base_of_sum;
    }
    for (size_t k = 0; k < counts->topics && all > 0; k++)
        alpha[k] = fmax(alpha[k] * gains[k] / all, LEAST);
}

void topic_prior_alpha(const struct topic_tokens *tokens,
                       const struct topic_prior_counts *counts, double *alpha)
{
    for (int i = 0; i < STEPS; i++)
        alpha_step(tokens, counts, alpha);
}

static double beta_step(const struct topic_tokens *tokens,
                        const struct topic_prior_counts *counts, double beta)
{
    double words = (double)tokens->words, gain = 0, all = 0;
    double base = topic_prior_digamma(beta),
           base_of_sum = topic_prior_digamma(beta * words);

    for (size_t w = 0; w < tokens->words; w++)
        for (size_t k = 0; k < counts->topics; k++) {
            int32_t times = counts->words[w * counts->stride + k];
            if (times > 0)
                gain += topic_prior_digamma((double)times + beta) - base;
        }
    for (size_t k = 0; k < counts->topics; k++)
        all +=
            topic_prior_digamma((double)counts->totals[k] + beta * words) - base_of_sum;
    return all > 0 ? fmax(beta * gain / (words * all), LEAST) : beta;
}

double topic_prior_beta(const struct topic_tokens *tokens,
                        const struct topic_prior_counts *counts, double beta)
{
    for (int i = 0; i < STEPS; i++)
        beta = beta_step(tokens, counts, beta);
    return beta;
}

enum {
    BLOCKS_MAX = 64,
    BLOCK_TOKENS_MIN = 150000,
    SAMPLES_MAX = 10,
    LEARN_FROM = 20, /* iterations, before which alpha and beta stay */
    LEARN_EVERY = 10,
};

/* Where learning begins; MALLET's defaults. */
static const double ALPHA_SUM = 5, BETA = 0.01;

/* A model while it is made. */
struct fit {
    const struct topic_tokens *tokens;
    const struct topic_lda_settings *settings;
    size_t stride, cells; /* of counts of words */
    size_t blocks;
    const size_t *block_begin;       /* documents; blocks + 1 of them */
    uint16_t *topics;                /* of each token */
    struct topic_sampler_counts now; /* before the iteration */
    struct topic_sampler_counts next;
    double *alpha, beta;
    float *alpha_rounded;
    int64_t iteration; /* from 1 */
    bool sampled;      /* this iteration counts for the result */
    int64_t samples;
    uint32_t *word_sums; /* over samples, as counts are */
    float *shares;       /* sums of counts over samples; NULL: not wanted */
};

const char *topic_lda_problem(const struct topic_tokens *tokens, size_t topics)
{
    if (tokens->words == 0)
        return "no words are left";
    if (topics > tokens->words)
        return "there are more topics than words";
    return NULL;
}

/* A block costs a copy of the counts, so it must have tokens to be worth that. */
static size_t count_blocks(size_t tokens, size_t cells)
{
    size_t least = cells / 4 > BLOCK_TOKENS_MIN ? cells / 4 : BLOCK_TOKENS_MIN;
    size_t blocks = tokens / least;

    return blocks < 1 ? 1 : blocks > BLOCKS_MAX ? BLOCKS_MAX : blocks;
}

/* Blocks of about the same number of tokens. */
static size_t *cut_blocks(const struct topic_tokens *tokens, size_t blocks,
                          struct arena *arena)
{
    size_t *begin = arena_array(arena, size_t, blocks + 1), d = 0;
    size_t all = tokens->begin[tokens->documents];

    for (size_t b = 1; b < blocks; b++) {
        while (d < tokens->documents && tokens->begin[d] < all / blocks * b)
            d++;
        begin[b] = d;
    }
    begin[blocks] = tokens->documents;
    return begin;
}

static struct topic_sampler_counts make_counts(const struct fit *fit, struct arena *arena)
{
    return (struct topic_sampler_counts){arena_array(arena, int32_t, fit->cells),
                                         arena_array(arena, int64_t, fit->stride)};
}

/* A topic for each token by chance. */
static void begin_topics(struct fit *fit)
{
    size_t all = fit->tokens->begin[fit->tokens->documents];
    struct rng rng = rng_stream(fit->settings->seed, 0, 0);

    for (size_t i = 0; i < all; i++) {
        uint64_t topic = rng_below(&rng, fit->settings->topics);
        fit->topics[i] = (uint16_t)topic;
        fit->now.words[fit->tokens->at[i] * fit->stride + topic]++;
        fit->now.totals[topic]++;
    }
}

static void begin_fit(const struct topic_tokens *tokens,
                      const struct topic_lda_settings *settings, struct arena *arena,
                      struct fit *fit)
{
    size_t all = tokens->begin[tokens->documents], topics = settings->topics;

    *fit = (struct fit){.tokens = tokens, .settings = settings};
    fit->stride = topic_sampler_stride(topics);
    fit->cells = tokens->words * fit->stride;
    fit->blocks = count_blocks(all, fit->cells);
    fit->block_begin = cut_blocks(tokens, fit->blocks, arena);
    fit->topics = arena_array(arena, uint16_t, all + 1);
    fit->now = make_counts(fit, arena);
    fit->next = make_counts(fit, arena);
    fit->word_sums = arena_array(arena, uint32_t, fit->cells);
    if (settings->shares)
        fit->shares = arena_array(arena, float, tokens->documents *topics + 1);
    fit->alpha = arena_array(arena, double, topics);
    fit->alpha_rounded = arena_array(arena, float, topics);
    for (size_t k = 0; k < topics; k++)
        fit->alpha[k] =
            settings->alpha > 0 ? settings->alpha : ALPHA_SUM / (double)topics;
    fit->beta = settings->beta > 0 ? settings->beta : BETA;
    begin_topics(fit);
}

static void add_document(float *shares, const struct topic_sampler *sampler)
{
    for (size_t k = 0; k < sampler->topics; k++)
        shares[k] += (float)sampler->document[k];
}

/* One block's turn, on any thread. Its topics and shares are nobody else's. */
static void make_block(void *context, size_t block, void *slot)
{
    const struct fit *fit = context;
    const struct topic_tokens *tokens = fit->tokens;
    struct topic_sampler *sampler = slot;
    size_t topics = fit->settings->topics;

    memcpy(sampler->counts.words, fit->now.words, fit->cells * sizeof(int32_t));
    memcpy(sampler->counts.totals, fit->now.totals, fit->stride * sizeof(int64_t));
    sampler->alpha = fit->alpha_rounded;
    sampler->beta = (float)fit->beta;
    sampler->beta_sum = (float)(fit->beta * (double)tokens->words);
    sampler->portable = fit->settings->portable;
    sampler->rng = rng_stream(fit->settings->seed, (uint64_t)fit->iteration, block);
    for (size_t d = fit->block_begin[block]; d < fit->block_begin[block + 1]; d++) {
        topic_sampler_document(sampler, tokens->at + tokens->begin[d],
                               topic_tokens_length(tokens, d),
                               fit->topics + tokens->begin[d]);
        if (fit->sampled && fit->shares != NULL)
            add_document(fit->shares + d * topics, sampler);
    }
}

static bool take_block(void *context, size_t block, void *slot, struct err *err)
{
    struct fit *fit = context;
    const struct topic_sampler *sampler = slot;
    int32_t *restrict next = fit->next.words;
    const int32_t *restrict now = fit->now.words, *restrict made = sampler->counts.words;

    (void)block;
    for (size_t i = 0; i < fit->cells; i++)
        next[i] += made[i] - now[i];
    for (size_t k = 0; k < fit->stride; k++)
        fit->next.totals[k] += sampler->counts.totals[k] - fit->now.totals[k];
    return stop_check(err);
}

/* In the last quarter, as far from each other as ten samples can be. */
static bool is_sampled(const struct topic_lda_settings *settings, int64_t iteration)
{
    int64_t quarter = settings->iterations / 4, left = settings->iterations - iteration;
    int64_t apart = quarter > SAMPLES_MAX ? quarter / SAMPLES_MAX : 1;

    return left == 0 ||
           (left <= quarter && left % apart == 0 && left / apart < SAMPLES_MAX);
}

static void add_sample(struct fit *fit)
{
    fit->samples++;
    for (size_t i = 0; i < fit->cells; i++)
        fit->word_sums[i] += (uint32_t)fit->now.words[i];
}

static bool is_time_to_learn(const struct fit *fit)
{
    return fit->iteration >= LEARN_FROM && fit->iteration % LEARN_EVERY == 0 &&
           fit->iteration < fit->settings->iterations * 3 / 4;
}

static void learn(struct fit *fit)
{
    struct topic_prior_counts counts = {.topics = fit->settings->topics,
                                        .stride = fit->stride,
                                        .topic_of = fit->topics,
                                        .words = fit->now.words,
                                        .totals = fit->now.totals};

    if (fit->settings->alpha <= 0)
        topic_prior_alpha(fit->tokens, &counts, fit->alpha);
    if (fit->settings->beta <= 0)
        fit->beta = topic_prior_beta(fit->tokens, &counts, fit->beta);
}

static bool iterate(struct fit *fit, void **slots, struct err *err)
{
    for (size_t k = 0; k < fit->settings->topics; k++)
        fit->alpha_rounded[k] = (float)fit->alpha[k];
    fit->sampled = is_sampled(fit->settings, fit->iteration);
    memcpy(fit->next.words, fit->now.words, fit->cells * sizeof(int32_t));
    memcpy(fit->next.totals, fit->now.totals, fit->stride * sizeof(int64_t));
    if (!parallel_run(&(struct parallel_job){.pieces = fit->blocks,
                                             .threads = fit->settings->threads,
                                             .context = fit,
                                             .slots = slots,
                                             .make = make_block,
                                             .take = take_block},
                      err))
        return false;
    struct topic_sampler_counts before = fit->now;
    fit->now = fit->next;
    fit->next = before;
    if (fit->sampled)
        add_sample(fit);
    if (is_time_to_learn(fit))
        learn(fit);
    return true;
}

/* The topics in the order of the result: the most tokens first, the first of equals. */
static size_t *order_topics(const struct fit *fit, struct arena *arena)
{
    size_t *order = arena_array(arena, size_t, fit->settings->topics);

    for (size_t k = 0; k < fit->settings->topics; k++) {
        size_t at = k;
        for (; at > 0 && fit->now.totals[order[at - 1]] < fit->now.totals[k]; at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
    return order;
}

static const float *words_given_topic(const struct fit *fit, const size_t *order,
                                      struct arena *arena)
{
    size_t topics = fit->settings->topics, words = fit->tokens->words;
    float *given = arena_array(arena, float, words *topics + 1);
    double samples = (double)fit->samples;

    for (size_t k = 0; k < topics; k++) {
        const uint32_t *sums = fit->word_sums + order[k];
        double all = fit->beta * (double)words;
        for (size_t w = 0; w < words; w++)
            all += sums[w * fit->stride] / samples;
        for (size_t w = 0; w < words; w++)
            given[w * topics + k] =
                (float)((sums[w * fit->stride] / samples + fit->beta) / all);
    }
    return given;
}

/* From sums of counts to shares, in place. */
static void finish_shares(struct fit *fit, const size_t *order)
{
    size_t topics = fit->settings->topics;
    float sums[TOPIC_LDA_TOPICS_MAX];
    double alphas = 0;

    for (size_t k = 0; k < topics; k++)
        alphas += fit->alpha[k];
    for (size_t d = 0; d < fit->tokens->documents; d++) {
        float *shares = fit->shares + d * topics;
        double all = (double)topic_tokens_length(fit->tokens, d) + alphas;
        memcpy(sums, shares, topics * sizeof *sums);
        for (size_t k = 0; k < topics; k++) {
            double mean = (double)sums[order[k]] / (double)fit->samples;
            shares[k] = (float)((mean + fit->alpha[order[k]]) / all);
        }
    }
}

static void finish(struct fit *fit, struct arena *arena, struct topic_lda_model *out)
{
    size_t topics = fit->settings->topics;
    const size_t *order = order_topics(fit, arena);
    int64_t *tokens = arena_array(arena, int64_t, topics);
    double *alpha = arena_array(arena, double, topics);

    for (size_t k = 0; k < topics; k++) {
        tokens[k] = fit->now.totals[order[k]];
        alpha[k] = fit->alpha[order[k]];
    }
    *out = (struct topic_lda_model){.topics = topics,
                                    .words = fit->tokens->words,
                                    .documents = fit->tokens->documents,
                                    .words_given_topic =
                                        words_given_topic(fit, order, arena),
                                    .shares = fit->shares,
                                    .tokens = tokens,
                                    .alpha = alpha,
                                    .beta = fit->beta};
    if (fit->shares != NULL)
        finish_shares(fit, order);
}

bool topic_lda_fit(const struct topic_tokens *tokens,
                   const struct topic_lda_settings *settings, struct arena *arena,
                   struct topic_lda_model *out, struct err *err)
{
    size_t slots = parallel_slots(settings->threads);
    struct arena scratch = {0};
    struct topic_sampler *samplers = arena_array(&scratch, struct topic_sampler, slots);
    void **at = arena_array(&scratch, void *, slots);
    struct fit fit;
    bool ok = true;

    assert(settings->topics >= 1 && settings->topics <= TOPIC_LDA_TOPICS_MAX);
    begin_fit(tokens, settings, arena, &fit);
    for (size_t i = 0; i < slots; i++) {
        topic_sampler_make(settings->topics, tokens->words, &scratch, samplers + i);
        at[i] = samplers + i;
    }
    for (fit.iteration = 1; ok && fit.iteration <= settings->iterations; fit.iteration++)
        ok = iterate(&fit, at, err);
    if (ok)
        finish(&fit, arena, out);
    arena_free(&scratch);
    return ok;
}

/* Fixed-point steps in a fixed order, so that the result has the same bits everywhere. */

enum { HELDOUT_STEPS = 50, SHARE = 10, STREAM = 0x4e1d };

static double chance_of(const struct topic_lda_model *model, uint32_t word,
                        const double *theta)
{
    const float *given = model->words_given_topic + word * model->topics;
    double chance = 0;

    for (size_t k = 0; k < model->topics; k++)
        chance += theta[k] * (double)given[k];
    return chance;
}

/* One step from theta, whose sum is 1, to the next. */
static void improve(const struct topic_lda_model *model, const uint32_t *words,
                    size_t count, double *theta)
{
    double next[TOPIC_LDA_TOPICS_MAX], all = 0;

    memcpy(next, model->alpha, model->topics * sizeof *next);
    for (size_t i = 0; i < count; i += 2) {
        const float *given = model->words_given_topic + words[i] * model->topics;
        double chance = chance_of(model, words[i], theta);
        for (size_t k = 0; k < model->topics; k++)
            next[k] += theta[k] * (double)given[k] / chance;
    }
    for (size_t k = 0; k < model->topics; k++)
        all += next[k];
    for (size_t k = 0; k < model->topics; k++)
        theta[k] = next[k] / all;
}

double topic_heldout_perplexity(const struct topic_lda_model *model,
                                const struct topic_tokens *documents)
{
    double theta[TOPIC_LDA_TOPICS_MAX], log_chance = 0;
    size_t foreseen = 0;

    for (size_t d = 0; d < documents->documents; d++) {
        const uint32_t *words = documents->at + documents->begin[d];
        size_t count = topic_tokens_length(documents, d);
        if (count < 2)
            continue;
        for (size_t k = 0; k < model->topics; k++)
            theta[k] = 1 / (double)model->topics;
        for (int step = 0; step < HELDOUT_STEPS; step++)
            improve(model, words, count, theta);
        for (size_t i = 1; i < count; i += 2)
            log_chance += real_log(chance_of(model, words[i], theta));
        foreseen += count / 2;
    }
    return foreseen > 0 ? real_exp(-log_chance / (double)foreseen) : NAN;
}

bool *topic_heldout_pick(size_t documents, uint64_t seed, struct arena *arena)
{
    bool *held = arena_array(arena, bool, documents + 1);
    size_t take = documents / SHARE > 0 ? documents / SHARE : documents > 1;
    uint64_t *drawn = arena_array(arena, uint64_t, take + 1);
    struct rng rng = rng_stream(seed, STREAM, 0);

    rng_draw(&rng, documents, take, drawn);
    for (size_t i = 0; i < take; i++)
        held[drawn[i]] = true;
    return held;
}
