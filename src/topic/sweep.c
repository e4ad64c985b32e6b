/* Models with several numbers of topics, the choice between them, and the words of the
 * model that is kept. */
#include "topic/internal.h"

#include <math.h>

#include "base/parallel.h"
#include "base/real.h"
#include "text/words.h"

/* Enters a word that is better than the last of them; earlier words win. */
static void enter(struct topic_relevance *best, size_t count, size_t *used,
                  struct topic_relevance word)
{
    size_t at = *used < count ? (*used)++ : count;

    if (at == count) {
        if (best[count - 1].relevance >= word.relevance)
            return;
        at = count - 1;
    }
    for (; at > 0 && best[at - 1].relevance < word.relevance; at--)
        best[at] = best[at - 1];
    best[at] = word;
}

/* A word that does not occur here counts as half a token. */
static double *shares_of_words(const struct topic_tokens *tokens, struct arena *arena)
{
    double *shares = arena_array(arena, double, tokens->words + 1);
    size_t all = tokens->begin[tokens->documents];

    for (size_t i = 0; i < all; i++)
        shares[tokens->at[i]]++;
    for (size_t w = 0; w < tokens->words; w++)
        shares[w] = (shares[w] > 0 ? shares[w] : 0.5) / (double)all;
    return shares;
}

void topic_relevance_words(const struct topic_lda_model *model,
                           const struct topic_tokens *tokens, double lambda, size_t count,
                           struct arena *arena, struct topic_relevance *out)
{
    const double *shares = shares_of_words(tokens, arena);

    for (size_t k = 0; k < model->topics; k++)
        for (size_t w = 0, used = 0; w < model->words; w++) {
            double probability = topic_lda_word(model, k, w);
            double lift = real_log(probability / shares[w]);
            double relevance = lambda * real_log(probability) + (1 - lambda) * lift;
            enter(out + k * count, count, &used,
                  (struct topic_relevance){(uint32_t)w, relevance, probability});
        }
}

uint32_t *topic_relevance_likely(const struct topic_lda_model *model, size_t count,
                                 struct arena *arena)
{
    uint32_t *words = arena_array(arena, uint32_t, model->topics * count + 1);
    struct topic_relevance *best = arena_array(arena, struct topic_relevance, count + 1);

    for (size_t k = 0; k < model->topics; k++) {
        for (size_t w = 0, used = 0; w < model->words; w++) {
            double probability = topic_lda_word(model, k, w);
            enter(best, count, &used,
                  (struct topic_relevance){(uint32_t)w, probability, probability});
        }
        for (size_t i = 0; i < count; i++)
            words[k * count + i] = best[i].word;
    }
    return words;
}

/* Each model is a piece of work for one thread. One more model a step has not seen the
 * documents held out. */

struct sweep {
    const struct topic_tokens *tokens;
    const struct topic_sweep_settings *settings;
    struct topic_tokens learned, held; /* documents to learn from, and to foresee */
    struct arena *arena;
    struct topic_sweep_step *steps;
    const uint32_t **words; /* of each run of the step in work */
};

/* What one model came to, until it is taken. */
struct sweep_slot {
    struct arena arena;
    bool ok;
    struct err err;
    double perplexity;
    struct topic_coherence coherence;
    const uint32_t *words;
};

/* The models of a step: its runs, then the one that is asked to foresee. */
static size_t models_of(const struct topic_sweep_settings *settings)
{
    return settings->runs + 1;
}

static size_t top_of(const struct topic_tokens *tokens)
{
    return tokens->words < TOPIC_SWEEP_TOP ? tokens->words : TOPIC_SWEEP_TOP;
}

static void judge(const struct sweep *sweep, const struct topic_lda_model *model,
                  struct sweep_slot *slot)
{
    size_t top = top_of(sweep->tokens);
    struct topic_coherence *each =
        arena_array(&slot->arena, struct topic_coherence, model->topics);

    slot->words = topic_relevance_likely(model, top, &slot->arena);
    slot->coherence = (struct topic_coherence){NAN, NAN, NAN};
    if (top < 2)
        return;
    topic_coherence_topics(sweep->tokens, slot->words, model->topics, top, &slot->arena,
                           each);
    slot->coherence = topic_coherence_mean(each, model->topics);
}

static void make_model(void *context, size_t piece, void *place)
{
    const struct sweep *sweep = context;
    struct sweep_slot *slot = place;
    struct topic_lda_settings lda = sweep->settings->lda;
    size_t run = piece % models_of(sweep->settings);
    bool foresees = run == sweep->settings->runs;
    struct topic_lda_model model;

    arena_free(&slot->arena);
    lda.topics = sweep->settings->topics[piece / models_of(sweep->settings)];
    lda.shares = false;
    lda.seed += foresees ? 0 : run;
    lda.threads = 1; /* models share the threads, not blocks */
    slot->ok = topic_lda_fit(foresees ? &sweep->learned : sweep->tokens, &lda,
                             &slot->arena, &model, &slot->err);
    if (!slot->ok)
        return;
    if (foresees)
        slot->perplexity = topic_heldout_perplexity(&model, &sweep->held);
    else
        judge(sweep, &model, slot);
}

static void end_step(struct sweep *sweep, struct topic_sweep_step *step)
{
    const struct topic_sweep_settings *settings = sweep->settings;
    double runs = (double)settings->runs;

    step->coherence.umass /= runs;
    step->coherence.npmi /= runs;
    step->coherence.c_v /= runs;
    step->stability = topic_stability_of(
        &(struct topic_stability_runs){sweep->words, settings->runs, step->topics,
                                       top_of(sweep->tokens)},
        sweep->arena);
    step->seed = settings->lda.seed + step->stability.typical;
}

static bool take_model(void *context, size_t piece, void *place, struct err *err)
{
    struct sweep *sweep = context;
    const struct sweep_slot *slot = place;
    size_t models = models_of(sweep->settings), run = piece % models;
    struct topic_sweep_step *step = sweep->steps + piece / models;

    if (!slot->ok) {
        *err = slot->err;
        return false;
    }
    if (run < sweep->settings->runs) {
        size_t bytes = step->topics * top_of(sweep->tokens) * sizeof(uint32_t);
        sweep->words[run] =
            (const uint32_t *)(const void *)arena_copy(
                sweep->arena, (struct str){(const char *)slot->words, bytes})
                .ptr;
        step->coherence.umass += slot->coherence.umass;
        step->coherence.npmi += slot->coherence.npmi;
        step->coherence.c_v += slot->coherence.c_v;
    } else {
        step->perplexity = slot->perplexity;
        end_step(sweep, step);
    }
    if (sweep->settings->tell != NULL)
        sweep->settings->tell(sweep->settings->context, piece + 1,
                              models * sweep->settings->count);
    return true;
}

bool topic_sweep_check(const struct topic_tokens *tokens,
                       const struct topic_sweep_settings *settings, struct err *err)
{
    for (size_t i = 0; i < settings->count; i++) {
        const char *problem = topic_lda_problem(tokens, settings->topics[i]);
        if (problem != NULL)
            return err_set(err, ERR_INPUT,
                           "%zu topics of %zu documents with %zu different words: %s",
                           settings->topics[i], tokens->documents, tokens->words,
                           problem);
    }
    return true;
}

bool topic_sweep_run(const struct topic_tokens *tokens,
                     const struct topic_sweep_settings *settings, struct arena *arena,
                     struct topic_sweep_step *out, struct err *err)
{
    struct arena scratch = {0};
    struct sweep sweep = {
        .tokens = tokens, .settings = settings, .arena = arena, .steps = out};
    size_t slots = parallel_slots(settings->lda.threads);
    struct sweep_slot *own = arena_array(&scratch, struct sweep_slot, slots);
    void **at = arena_array(&scratch, void *, slots);
    const bool *held =
        topic_heldout_pick(tokens->documents, settings->lda.seed, &scratch);
    bool ok = topic_sweep_check(tokens, settings, err);

    sweep.learned = topic_tokens_some(tokens, held, false, &scratch);
    sweep.held = topic_tokens_some(tokens, held, true, &scratch);
    sweep.words = arena_array(&scratch, const uint32_t *, settings->runs + 1);
    for (size_t i = 0; i < slots; i++)
        at[i] = own + i;
    for (size_t i = 0; i < settings->count; i++)
        out[i] =
            (struct topic_sweep_step){.topics = settings->topics[i], .perplexity = NAN};
    ok = ok && parallel_run(
                   &(struct parallel_job){.pieces = models_of(settings) * settings->count,
                                          .threads = settings->lda.threads,
                                          .context = &sweep,
                                          .slots = at,
                                          .make = make_model,
                                          .take = take_model},
                   err);
    for (size_t i = 0; i < slots; i++)
        arena_free(&own[i].arena);
    arena_free(&scratch);
    return ok;
}

/* The larger, the better. */
static double value_of(const struct topic_sweep_step *step, enum topic_sweep_choice by)
{
    switch (by) {
    case TOPIC_SWEEP_BY_CV:
        return step->coherence.c_v;
    case TOPIC_SWEEP_BY_NPMI:
        return step->coherence.npmi;
    case TOPIC_SWEEP_BY_PERPLEXITY:
        return -step->perplexity;
    case TOPIC_SWEEP_BY_STABILITY:
        return step->stability.mean;
    }
    return NAN;
}

size_t topic_sweep_choose(const struct topic_sweep_step *steps, size_t count,
                          enum topic_sweep_choice by)
{
    size_t best = 0;

    for (size_t i = 1; i < count; i++)
        if (value_of(steps + i, by) > value_of(steps + best, by))
            best = i;
    return best;
}

/* The sweep, the choice, and the model that is kept. */

/* By the words that the sweep looked at. */
static struct topic_coherence *topics_judge(const struct topic_tokens *tokens,
                                            const struct topic_lda_model *model,
                                            struct arena *arena)
{
    size_t top = tokens->words < TOPIC_SWEEP_TOP ? tokens->words : TOPIC_SWEEP_TOP;
    struct topic_coherence *out =
        arena_array(arena, struct topic_coherence, model->topics);

    if (top >= 2)
        topic_coherence_topics(tokens, topic_relevance_likely(model, top, arena),
                               model->topics, top, arena, out);
    for (size_t k = 0; k < model->topics && top < 2; k++)
        out[k] = (struct topic_coherence){NAN, NAN, NAN};
    return out;
}

bool topic_find(const struct topic_tokens *tokens, const struct topic_settings *settings,
                struct arena *arena, struct topic_set *out, struct err *err)
{
    size_t count = settings->sweep.count;
    struct topic_sweep_step *steps = arena_array(arena, struct topic_sweep_step, count);
    struct topic_lda_settings lda = settings->sweep.lda;

    *out = (struct topic_set){.steps = steps, .step_count = count};
    if (!topic_sweep_run(tokens, &settings->sweep, arena, steps, err))
        return false;
    out->chosen = topic_sweep_choose(steps, count, settings->choose);
    lda.topics = steps[out->chosen].topics;
    lda.seed = steps[out->chosen].seed;
    lda.shares = true;
    if (!topic_lda_fit(tokens, &lda, arena, &out->model, err))
        return false;
    out->top = tokens->words < TOPIC_WORDS ? tokens->words : TOPIC_WORDS;
    struct topic_relevance *words =
        arena_array(arena, struct topic_relevance, lda.topics * out->top + 1);
    topic_relevance_words(&out->model, tokens, settings->lambda, out->top, arena, words);
    out->words = words;
    out->coherence = topics_judge(tokens, &out->model, arena);
    out->stability = steps[out->chosen].stability.topics;
    return true;
}

size_t topic_words_of(const struct topic_set *topics, size_t topic)
{
    size_t count = 0;

    while (count < topics->top &&
           topics->words[topic * topics->top + count].probability > 0)
        count++;
    return count;
}

void topic_add_label(const struct topic_set *topics, const struct topic_tokens *tokens,
                     size_t topic, struct buf *out)
{
    size_t count = topic_words_of(topics, topic);

    if (count == 0)
        buf_add(out, STR("(no words)"));
    for (size_t i = 0; i < count && i < TOPIC_LABEL_WORDS; i++) {
        if (i > 0)
            buf_add(out, STR(", "));
        text_words_show(tokens->names[topics->words[topic * topics->top + i].word], out);
    }
}
