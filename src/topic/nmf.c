/* Non-negative matrix factorisation by coordinate descent. A row of one factor is
 * improved topic by topic while the other factor stands still, so rows are nobody else's
 * business: blocks of them go to threads, and what is summed over blocks is added up in
 * their order. */
#include <math.h>
#include <string.h>

#include "base/order.h"
#include "base/parallel.h"
#include "base/real.h"
#include "base/rng.h"
#include "base/stop.h"
#include "topic/internal.h"

enum { LANES = 4, STEP = 2 * LANES, BLOCK_ROWS = 1024 };

static const double TOLERANCE = 1e-4;

#define INLINE static inline __attribute__((always_inline))

/* Sums are made lane by lane, in the same order with and without the processor's wide
 * registers. */
typedef double nmf_lanes __attribute__((vector_size(LANES * 8), aligned(8), may_alias));

INLINE void add_times(double *restrict sums, double factor, const double *restrict row,
                      size_t stride)
{
    nmf_lanes *to = (nmf_lanes *)sums;
    const nmf_lanes *from = (const nmf_lanes *)row;

    for (size_t c = 0; c < stride / LANES; c += 2) {
        to[c] += factor * from[c];
        to[c + 1] += factor * from[c + 1];
    }
}

enum { WIDE = 4 }; /* sums of so many lanes stay in registers */

/* sums = - the row of the matrix times the other factor, a few topics at a time: then the
 * sums need not be fetched and stored for every cell. */
INLINE void multiply(const struct topic_nmf_matrix *matrix, size_t row,
                     const double *other, size_t stride, double *restrict sums)
{
    size_t from = matrix->begin[row], to = matrix->begin[row + 1], c = 0;

    for (; c + WIDE * LANES <= stride; c += WIDE * LANES) {
        nmf_lanes a = {0}, b = {0}, d = {0}, e = {0};
        for (size_t i = from; i < to; i++) {
            const nmf_lanes *cell =
                (const nmf_lanes *)(other + matrix->at[i] * stride + c);
            double value = -matrix->values[i];
            a += value * cell[0];
            b += value * cell[1];
            d += value * cell[2];
            e += value * cell[3];
        }
        nmf_lanes *out = (nmf_lanes *)(sums + c);
        out[0] = a, out[1] = b, out[2] = d, out[3] = e;
    }
    for (; c < stride; c += LANES) {
        nmf_lanes a = {0};
        for (size_t i = from; i < to; i++)
            a += -matrix->values[i] *
                 *(const nmf_lanes *)(other + matrix->at[i] * stride + c);
        *(nmf_lanes *)(sums + c) = a;
    }
}

/* One factor in turn. */
struct nmf_turn {
    const struct topic_nmf_matrix *matrix; /* its rows are those of `own` */
    size_t topics, stride;
    double *own;         /* [row * stride + topic] */
    const double *other; /* by column of the matrix */
    const double *gram;  /* of `other`: topic by topic */
    double *next;        /* the same of `own`, as it becomes */
    double violation;    /* how far from the optimum, summed over rows and topics */
};

struct nmf_slot {
    double *gradient, *gram;
    double violation;
};

/* One row. The gradient is kept up to date: most topics of a row stay at nothing and cost
 * nothing. */
INLINE double improve(const struct nmf_turn *turn, size_t row, double *gradient)
{
    size_t stride = turn->stride;
    double *own = turn->own + row * stride, violation = 0;

    multiply(turn->matrix, row, turn->other, stride, gradient);
    for (size_t k = 0; k < turn->topics; k++)
        if (own[k] != 0)
            add_times(gradient, own[k], turn->gram + k * stride, stride);
    for (size_t k = 0; k < turn->topics; k++) {
        double slope = gradient[k], bend = turn->gram[k * stride + k];
        violation += own[k] == 0 && slope > 0 ? 0 : fabs(slope);
        if (bend == 0)
            continue;
        double better = own[k] - slope / bend;
        better = better > 0 ? better : 0;
        if (better != own[k])
            add_times(gradient, better - own[k], turn->gram + k * stride, stride);
        own[k] = better;
    }
    return violation;
}

INLINE void add_gram(const struct nmf_turn *turn, size_t row, double *gram)
{
    const double *own = turn->own + row * turn->stride;

    for (size_t k = 0; k < turn->topics; k++)
        if (own[k] != 0)
            add_times(gram + k * turn->stride, own[k], own, turn->stride);
}

INLINE void work(const struct nmf_turn *turn, size_t block, struct nmf_slot *slot)
{
    size_t from = block * BLOCK_ROWS, to = from + BLOCK_ROWS;

    if (to > turn->matrix->rows)
        to = turn->matrix->rows;
    slot->violation = 0;
    memset(slot->gram, 0, turn->stride * turn->stride * sizeof *slot->gram);
    for (size_t row = from; row < to; row++) {
        if (turn->gram != NULL)
            slot->violation += improve(turn, row, slot->gradient);
        add_gram(turn, row, slot->gram);
    }
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void work_avx2(const struct nmf_turn *turn,
                                                      size_t block, struct nmf_slot *slot)
{
    work(turn, block, slot);
}

static void make_block(void *context, size_t block, void *slot)
{
    if (topic_sampler_has_avx2())
        work_avx2(context, block, slot);
    else
        work(context, block, slot);
}
#else
static void make_block(void *context, size_t block, void *slot)
{
    work(context, block, slot);
}
#endif

static bool take_block(void *context, size_t block, void *memory, struct err *err)
{
    struct nmf_turn *turn = context;
    const struct nmf_slot *slot = memory;

    (void)block;
    for (size_t i = 0; i < turn->stride * turn->stride; i++)
        turn->next[i] += slot->gram[i];
    turn->violation += slot->violation;
    return stop_check(err);
}

/* A model while it is made. */
struct nmf_fit {
    struct topic_nmf_matrix matrix, turned; /* turned: its columns as rows */
    const struct topic_nmf_settings *settings;
    size_t stride;
    double *documents, *words;           /* the factors, with rows of `stride` */
    double *documents_gram, *words_gram; /* of each: topic by topic */
    void **slots;
};

/* Improves a factor; without `gram` it is only its own gram matrix that is made. */
static bool take_turn(struct nmf_fit *fit, const struct topic_nmf_matrix *matrix,
                      double *own, const double *other, const double *gram, double *next,
                      double *violation, struct err *err)
{
    struct nmf_turn turn = {.matrix = matrix,
                            .topics = fit->settings->topics,
                            .stride = fit->stride,
                            .own = own,
                            .other = other,
                            .gram = gram,
                            .next = next};

    memset(next, 0, fit->stride * fit->stride * sizeof *next);
    bool ok = parallel_run(
        &(struct parallel_job){.pieces = (matrix->rows + BLOCK_ROWS - 1) / BLOCK_ROWS,
                               .threads = fit->settings->threads,
                               .context = &turn,
                               .slots = fit->slots,
                               .make = make_block,
                               .take = take_block},
        err);
    *violation += turn.violation;
    return ok;
}

static bool iterate(struct nmf_fit *fit, int64_t *iterations, struct err *err)
{
    double first = 0, violation = 0;

    if (!take_turn(fit, &fit->turned, fit->words, NULL, NULL, fit->words_gram, &violation,
                   err))
        return false;
    for (*iterations = 1; *iterations <= fit->settings->iterations; ++*iterations) {
        violation = 0;
        if (!take_turn(fit, &fit->matrix, fit->documents, fit->words, fit->words_gram,
                       fit->documents_gram, &violation, err) ||
            !take_turn(fit, &fit->turned, fit->words, fit->documents, fit->documents_gram,
                       fit->words_gram, &violation, err))
            return false;
        first = *iterations == 1 ? violation : first;
        if (violation <= fit->settings->tolerance * first)
            return true;
    }
    --*iterations;
    return true;
}

/* Columns as rows; within each the rows ascend. */
static struct topic_nmf_matrix turn_over(const struct topic_nmf_matrix *matrix,
                                         struct arena *arena)
{
    size_t all = matrix->begin[matrix->rows];
    size_t *begin = arena_array(arena, size_t, matrix->columns + 2);
    uint32_t *at = arena_array(arena, uint32_t, all + 1);
    double *values = arena_array(arena, double, all + 1);

    /* Two places on, so that filling leaves each where its row begins. */
    for (size_t i = 0; i < all; i++)
        begin[matrix->at[i] + 2]++;
    for (size_t c = 2; c < matrix->columns + 2; c++)
        begin[c] += begin[c - 1];
    for (size_t r = 0; r < matrix->rows; r++)
        for (size_t i = matrix->begin[r]; i < matrix->begin[r + 1]; i++) {
            size_t place = begin[matrix->at[i] + 1]++;
            at[place] = (uint32_t)r;
            values[place] = matrix->values[i];
        }
    return (struct topic_nmf_matrix){matrix->columns, matrix->rows, begin, at, values};
}

static double *widen(const double *factor, size_t rows, size_t topics, size_t stride,
                     struct arena *arena)
{
    double *wide = arena_array(arena, double, rows *stride + LANES);

    for (size_t r = 0; r < rows; r++)
        memcpy(wide + r * stride, factor + r * topics, topics * sizeof *wide);
    return wide;
}

/* The distance between the matrix and the product, from what is known of both: cells
 * where the matrix has nothing need not be visited. */
static double distance(const struct nmf_fit *fit)
{
    double squares = 0, common = 0, product = 0;

    for (size_t r = 0; r < fit->matrix.rows; r++)
        for (size_t i = fit->matrix.begin[r]; i < fit->matrix.begin[r + 1]; i++) {
            const double *document = fit->documents + r * fit->stride,
                         *word = fit->words + fit->matrix.at[i] * fit->stride;
            double value = fit->matrix.values[i], dot = 0;
            for (size_t k = 0; k < fit->settings->topics; k++)
                dot += document[k] * word[k];
            squares += value * value;
            common += value * dot;
        }
    for (size_t i = 0; i < fit->stride * fit->stride; i++)
        product += fit->documents_gram[i] * fit->words_gram[i];
    return sqrt(fmax(squares - 2 * common + product, 0));
}

bool topic_nmf_factorise(const struct topic_nmf_matrix *matrix,
                         const struct topic_nmf_settings *settings, double *documents,
                         double *words, struct topic_nmf_result *out, struct err *err)
{
    struct arena arena = {0};
    size_t topics = settings->topics, stride = (topics + STEP - 1) / STEP * STEP;
    size_t slots = parallel_slots(settings->threads);
    struct nmf_slot *memory = arena_array(&arena, struct nmf_slot, slots);
    struct nmf_fit fit = {.matrix = *matrix,
                          .turned = turn_over(matrix, &arena),
                          .settings = settings,
                          .stride = stride,
                          .documents =
                              widen(documents, matrix->rows, topics, stride, &arena),
                          .words = widen(words, matrix->columns, topics, stride, &arena),
                          .documents_gram = arena_array(&arena, double, stride *stride),
                          .words_gram = arena_array(&arena, double, stride *stride),
                          .slots = arena_array(&arena, void *, slots)};

    for (size_t i = 0; i < slots; i++) {
        memory[i].gradient = arena_array(&arena, double, stride);
        memory[i].gram = arena_array(&arena, double, stride *stride);
        fit.slots[i] = &memory[i];
    }
    bool ok = iterate(&fit, &out->iterations, err);
    if (ok)
        out->distance = distance(&fit);
    for (size_t r = 0; r < matrix->rows; r++)
        memcpy(documents + r * topics, fit.documents + r * stride,
               topics * sizeof(double));
    for (size_t c = 0; c < matrix->columns; c++)
        memcpy(words + c * topics, fit.words + c * stride, topics * sizeof(double));
    arena_free(&arena);
    return ok;
}

/* Tf-idf as scikit-learn has it: how often a word stands in the document times
 * ln((1 + documents) / (1 + documents with it)) + 1, each document of length 1. */
struct topic_nmf_matrix topic_nmf_weights(const struct topic_tokens *tokens,
                                          struct arena *arena)
{
    size_t all = tokens->begin[tokens->documents], count = 0;
    size_t *begin = arena_array(arena, size_t, tokens->documents + 1);
    uint32_t *at = arena_array(arena, uint32_t, all + 1);
    double *values = arena_array(arena, double, all + 1);
    size_t *place = arena_array(arena, size_t, tokens->words + 1); /* from 1 on */

    for (size_t d = 0; d < tokens->documents; d++) {
        double squares = 0;
        begin[d] = count;
        for (size_t i = tokens->begin[d]; i < tokens->begin[d + 1]; i++) {
            uint32_t word = tokens->at[i];
            if (place[word] <= begin[d]) {
                at[count] = word;
                place[word] = ++count;
            }
            values[place[word] - 1]++;
        }
        for (size_t i = begin[d]; i < count; i++) {
            values[i] *= real_log((1 + (double)tokens->documents) /
                                  (1 + (double)tokens->frequency[at[i]])) +
                         1;
            squares += values[i] * values[i];
        }
        for (size_t i = begin[d]; i < count; i++)
            values[i] /= sqrt(squares);
    }
    begin[tokens->documents] = count;
    return (struct topic_nmf_matrix){tokens->documents, tokens->words, begin, at, values};
}

/* Where factors begin: sizes of normal numbers, such that their product is on average as
 * large as the matrix. */
static double *begin_factor(const struct topic_nmf_matrix *matrix, size_t rows,
                            size_t topics, uint64_t seed, uint64_t stream,
                            struct arena *arena)
{
    double *factor = arena_array(arena, double, rows *topics + 1), sum = 0;
    struct rng rng = rng_stream(seed, stream, 0);

    for (size_t i = 0; i < matrix->begin[matrix->rows]; i++)
        sum += matrix->values[i];
    double size =
        sqrt(sum / (double)matrix->rows / (double)matrix->columns / (double)topics);
    for (size_t i = 0; i < rows * topics; i++)
        factor[i] = size * fabs(rng_normal(&rng));
    return factor;
}

/* As a topic model. A document's shares are how much of what the factors say of it comes
 * from each topic; the tokens of a topic are its shares of the documents' tokens. */
static void make_model(const struct topic_tokens *tokens, size_t topics,
                       const double *documents, const double *words, struct arena *arena,
                       struct topic_lda_model *out)
{
    double *mass = arena_array(arena, double, topics + 1);
    double *held = arena_array(arena, double, topics + 1);
    float *shares = arena_array(arena, float, tokens->documents *topics + 1);
    float *given = arena_array(arena, float, tokens->words *topics + 1);
    int64_t *counts = arena_array(arena, int64_t, topics + 1);

    for (size_t w = 0; w < tokens->words; w++)
        for (size_t k = 0; k < topics; k++)
            mass[k] += words[w * topics + k];
    for (size_t d = 0; d < tokens->documents; d++) {
        double all = 0, length = (double)topic_tokens_length(tokens, d);
        for (size_t k = 0; k < topics; k++)
            all += documents[d * topics + k] * mass[k];
        for (size_t k = 0; k < topics && all > 0; k++) {
            double share = documents[d * topics + k] * mass[k] / all;
            shares[d * topics + k] = (float)share;
            held[k] += share * length;
        }
    }
    const size_t *order = order_places(held, topics, true, arena);
    for (size_t k = 0; k < topics; k++) {
        counts[k] = (int64_t)floor(held[order[k]] + 0.5);
        for (size_t w = 0; w < tokens->words && mass[order[k]] > 0; w++)
            given[w * topics + k] =
                (float)(words[w * topics + order[k]] / mass[order[k]]);
    }
    float *row = arena_array(arena, float, topics + 1);
    for (size_t d = 0; d < tokens->documents; d++) {
        memcpy(row, shares + d * topics, topics * sizeof *row);
        for (size_t k = 0; k < topics; k++)
            shares[d * topics + k] = row[order[k]];
    }
    *out = (struct topic_lda_model){.topics = topics,
                                    .words = tokens->words,
                                    .documents = tokens->documents,
                                    .words_given_topic = given,
                                    .shares = shares,
                                    .tokens = counts,
                                    .alpha = arena_array(arena, double, topics + 1)};
}

struct nmf_sweep {
    const struct topic_tokens *tokens;
    const struct topic_sweep_settings *settings;
    struct topic_nmf_matrix matrix;
    size_t top; /* words that coherence and stability look at */
    struct arena *arena;
};

static bool fit_model(const struct nmf_sweep *sweep, size_t topics, uint64_t seed,
                      struct arena *arena, struct topic_lda_model *out, struct err *err)
{
    const struct topic_nmf_matrix *matrix = &sweep->matrix;
    struct arena scratch = {0};
    struct topic_nmf_settings how = {.topics = topics,
                                     .iterations = sweep->settings->lda.iterations,
                                     .tolerance = TOLERANCE,
                                     .threads = sweep->settings->lda.threads};
    double *documents = begin_factor(matrix, matrix->rows, topics, seed, 0, &scratch);
    double *words = begin_factor(matrix, matrix->columns, topics, seed, 1, &scratch);
    struct topic_nmf_result result;
    bool ok = topic_nmf_factorise(matrix, &how, documents, words, &result, err);

    if (ok)
        make_model(sweep->tokens, topics, documents, words, arena, out);
    arena_free(&scratch);
    return ok;
}

static struct topic_coherence *judge(const struct nmf_sweep *sweep, const uint32_t *words,
                                     size_t topics)
{
    struct topic_coherence *out =
        arena_array(sweep->arena, struct topic_coherence, topics + 1);

    if (sweep->top >= 2)
        topic_coherence_topics(sweep->tokens, words, topics, sweep->top, sweep->arena,
                               out);
    for (size_t k = 0; k < topics && sweep->top < 2; k++)
        out[k] = (struct topic_coherence){NAN, NAN, NAN};
    return out;
}

/* One number of topics: its runs, of which only the first words stay. */
static bool make_step(const struct nmf_sweep *sweep, size_t number, size_t *told,
                      struct topic_sweep_step *step, struct err *err)
{
    const struct topic_sweep_settings *settings = sweep->settings;
    size_t topics = settings->topics[number], runs = settings->runs;
    const uint32_t **words = arena_array(sweep->arena, const uint32_t *, runs);
    struct topic_coherence *means =
        arena_array(sweep->arena, struct topic_coherence, runs);

    for (size_t r = 0; r < runs; r++) {
        struct arena scratch = {0};
        struct topic_lda_model model;
        bool ok = fit_model(sweep, topics, settings->lda.seed + r, &scratch, &model, err);
        if (ok) {
            words[r] = topic_relevance_likely(&model, sweep->top, sweep->arena);
            means[r] = topic_coherence_mean(judge(sweep, words[r], topics), topics);
        }
        arena_free(&scratch);
        if (!ok)
            return false;
        if (settings->tell != NULL)
            settings->tell(settings->context, ++*told, settings->count * runs);
    }
    *step = (struct topic_sweep_step){
        .topics = topics,
        .perplexity = NAN,
        .coherence = topic_coherence_mean(means, runs),
        .stability = topic_stability_of(
            &(struct topic_stability_runs){words, runs, topics, sweep->top},
            sweep->arena)};
    step->seed = settings->lda.seed + step->stability.typical;
    return true;
}

/* The words of each topic by weight, the lower number of equals first. */
static void rank_words(const struct topic_lda_model *model, size_t top,
                       struct arena *arena, struct topic_relevance *out)
{
    double *weights = arena_array(arena, double, model->words + 1);

    for (size_t k = 0; k < model->topics; k++) {
        for (size_t w = 0; w < model->words; w++)
            weights[w] = topic_lda_word(model, k, w);
        const size_t *ranked = order_places(weights, model->words, true, arena);
        for (size_t i = 0; i < top; i++)
            out[k * top + i] = (struct topic_relevance){
                (uint32_t)ranked[i], weights[ranked[i]], weights[ranked[i]]};
    }
}

bool topic_find_nmf(const struct topic_tokens *tokens,
                    const struct topic_settings *settings, struct arena *arena,
                    struct topic_set *out, struct err *err)
{
    const struct topic_sweep_settings *sweeping = &settings->sweep;
    struct topic_sweep_step *steps =
        arena_array(arena, struct topic_sweep_step, sweeping->count);
    struct nmf_sweep sweep = {.tokens = tokens,
                              .settings = sweeping,
                              .matrix = topic_nmf_weights(tokens, arena),
                              .top = tokens->words < TOPIC_SWEEP_TOP ? tokens->words
                                                                     : TOPIC_SWEEP_TOP,
                              .arena = arena};
    size_t told = 0;

    if (!topic_sweep_check(tokens, sweeping, err))
        return false;
    for (size_t i = 0; i < sweeping->count; i++)
        if (!make_step(&sweep, i, &told, &steps[i], err))
            return false;
    *out = (struct topic_set){
        .steps = steps,
        .step_count = sweeping->count,
        .chosen = topic_sweep_choose(steps, sweeping->count, settings->choose)};
    const struct topic_sweep_step *chosen = &steps[out->chosen];
    if (!fit_model(&sweep, chosen->topics, chosen->seed, arena, &out->model, err))
        return false;
    out->top = tokens->words < TOPIC_WORDS ? tokens->words : TOPIC_WORDS;
    struct topic_relevance *words =
        arena_array(arena, struct topic_relevance, chosen->topics * out->top + 1);
    rank_words(&out->model, out->top, arena, words);
    out->words = words;
    out->coherence = judge(&sweep, topic_relevance_likely(&out->model, sweep.top, arena),
                           chosen->topics);
    out->stability = chosen->stability.topics;
    return true;
}
