/* Fixed-point steps in a fixed order, so that the result has the same bits everywhere. */
#include "topic/heldout.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "base/rng.h"
#include "topic/sampler.h"

enum { STEPS = 50, SHARE = 10, STREAM = 0x4e1d };

static double chance_of(const struct lda_model *model, uint32_t word, const double *theta)
{
    const float *given = model->words_given_topic + word * model->topics;
    double chance = 0;

    for (size_t k = 0; k < model->topics; k++)
        chance += theta[k] * (double)given[k];
    return chance;
}

/* One step from theta, whose sum is 1, to the next. */
static void improve(const struct lda_model *model, const uint32_t *words, size_t count,
                    double *theta)
{
    double next[SAMPLER_TOPICS_MAX], all = 0;

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

double heldout_perplexity(const struct lda_model *model, const struct tokens *documents)
{
    double theta[SAMPLER_TOPICS_MAX], log_chance = 0;
    size_t foreseen = 0;

    for (size_t d = 0; d < documents->documents; d++) {
        const uint32_t *words = documents->at + documents->begin[d];
        size_t count = tokens_length(documents, d);
        if (count < 2)
            continue;
        for (size_t k = 0; k < model->topics; k++)
            theta[k] = 1 / (double)model->topics;
        for (int step = 0; step < STEPS; step++)
            improve(model, words, count, theta);
        for (size_t i = 1; i < count; i += 2)
            log_chance += real_log(chance_of(model, words[i], theta));
        foreseen += count / 2;
    }
    return foreseen > 0 ? real_exp(-log_chance / (double)foreseen) : NAN;
}

bool *heldout_pick(size_t documents, uint64_t seed, struct arena *arena)
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
