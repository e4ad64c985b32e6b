/* Topics that are clusters of vectors. They take the shape of a topic model in which a
 * document has one topic or none, so that all that is told of topics is told of them:
 * words, coherence, stability, tables. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/real.h"
#include "base/stop.h"
#include "stats/cluster.h"
#include "topic/internal.h"

static const double MILLION = 1e6;

struct cluster_work {
    const struct topic_tokens *tokens;
    const struct topic_clusters *how;
    struct stats_cluster_rows rows; /* of length 1 */
    size_t *documents;              /* of each row */
    struct arena *arena;
};

/* Vectors without a length have no direction, so that nothing is near them. */
static bool take_rows(struct cluster_work *work, struct err *err)
{
    const struct topic_clusters *how = work->how;
    size_t wide = how->dimensions, all = work->tokens->documents;
    float *units = arena_array(work->arena, float, all *wide + 1);

    work->documents = arena_array(work->arena, size_t, all + 1);
    work->rows = (struct stats_cluster_rows){units, 0, wide};
    for (size_t d = 0; d < all; d++)
        if (how->vectors[d] != NULL &&
            stats_unit(how->vectors[d], wide, units + work->rows.count * wide))
            work->documents[work->rows.count++] = d;
    if (work->rows.count < 2)
        return err_set(err, ERR_INPUT,
                       "%zu of %zu documents have a vector, expected two at least",
                       work->rows.count, all);
    return !how->density || how->least <= work->rows.count ||
           err_set(err, ERR_INPUT, "`least` is %zu, but only %zu documents have a vector",
                   how->least, work->rows.count);
}

/* Of each document its cluster, as shares of topics, and how often each word stands in
 * each: [word * topics + topic]. */
static void count_words(const struct cluster_work *work,
                        const struct stats_clusters *clusters, float *shares,
                        double *counts, int64_t *totals)
{
    const struct topic_tokens *tokens = work->tokens;

    for (size_t r = 0; r < work->rows.count; r++) {
        size_t d = work->documents[r], topic = clusters->of[r];
        if (topic == STATS_CLUSTER_NONE)
            continue;
        shares[d * clusters->count + topic] = 1;
        totals[topic] += (int64_t)topic_tokens_length(tokens, d);
        for (size_t i = tokens->begin[d]; i < tokens->begin[d + 1]; i++)
            counts[tokens->at[i] * clusters->count + topic]++;
    }
}

/* Class-based tf-idf: a word's share in the cluster times log(1 + A / f), where A is how
 * many words a cluster has on average and f how often this one stands in all clusters
 * (Grootendorst, "BERTopic: neural topic modeling with a class-based TF-IDF procedure",
 * arXiv 2203.05794, 2022). */
static double *weigh_words(const struct cluster_work *work, size_t topics,
                           const double *counts, const int64_t *totals)
{
    size_t words = work->tokens->words;
    double *weights = arena_array(work->arena, double, words *topics + 1), all = 0;

    for (size_t k = 0; k < topics; k++)
        all += (double)totals[k];
    for (size_t w = 0; w < words; w++) {
        double often = 0;
        for (size_t k = 0; k < topics; k++)
            often += counts[w * topics + k];
        for (size_t k = 0; k < topics && often > 0; k++)
            if (totals[k] > 0)
                weights[w * topics + k] = counts[w * topics + k] / (double)totals[k] *
                                          real_log(1 + all / (double)topics / often);
    }
    return weights;
}

/* The words of a topic by weight, the lower number of equals first. */
static void rank_words(const struct cluster_work *work, size_t topics,
                       const double *weights, const double *counts, const int64_t *totals,
                       size_t top, struct topic_relevance *out)
{
    size_t words = work->tokens->words;
    double *of = arena_array(work->arena, double, words + 1);

    for (size_t k = 0; k < topics; k++) {
        for (size_t w = 0; w < words; w++)
            of[w] = weights[w * topics + k];
        const size_t *ranked = order_places(of, words, true, work->arena);
        for (size_t i = 0; i < top; i++)
            out[k * top + i] = (struct topic_relevance){
                (uint32_t)ranked[i], of[ranked[i]],
                totals[k] > 0 ? counts[ranked[i] * topics + k] / (double)totals[k] : 0};
    }
}

/* The cosine of each document and the mean of its cluster's rows, which have length 1:
 * the order of distances to the mean is the same. */
static double *measure_nearness(const struct cluster_work *work,
                                const struct stats_clusters *clusters)
{
    size_t wide = work->rows.dimensions;
    double *sums = arena_array(work->arena, double, clusters->count *wide + 1);
    float *centres = arena_array(work->arena, float, clusters->count *wide + 1);
    float *mean = arena_array(work->arena, float, wide + 1);
    double *nearness = arena_array(work->arena, double, work->tokens->documents + 1);

    for (size_t r = 0; r < work->rows.count; r++)
        for (size_t i = 0; i < wide && clusters->of[r] != STATS_CLUSTER_NONE; i++)
            sums[clusters->of[r] * wide + i] += (double)work->rows.at[r * wide + i];
    for (size_t k = 0; k < clusters->count; k++) {
        for (size_t i = 0; i < wide; i++)
            mean[i] = (float)sums[k * wide + i];
        /* A mean of no length is as far from every row. */
        (void)stats_unit(mean, wide, centres + k * wide);
    }
    for (size_t r = 0; r < work->rows.count; r++)
        if (clusters->of[r] != STATS_CLUSTER_NONE)
            nearness[work->documents[r]] = stats_dot(
                work->rows.at + r * wide, centres + clusters->of[r] * wide, wide);
    return nearness;
}

/* One partition as a model, with the words of its topics. */
static void make_model(const struct cluster_work *work,
                       const struct stats_clusters *clusters, struct topic_set *out)
{
    const struct topic_tokens *tokens = work->tokens;
    size_t topics = clusters->count, words = tokens->words;
    struct arena *arena = work->arena;
    float *shares = arena_array(arena, float, tokens->documents *topics + 1);
    float *given = arena_array(arena, float, words *topics + 1);
    double *counts = arena_array(arena, double, words *topics + 1);
    int64_t *totals = arena_array(arena, int64_t, topics + 1);

    count_words(work, clusters, shares, counts, totals);
    double *weights = weigh_words(work, topics, counts, totals);
    for (size_t w = 0; w < words; w++)
        for (size_t k = 0; k < topics; k++)
            given[w * topics + k] =
                (float)(totals[k] > 0 ? counts[w * topics + k] / (double)totals[k] : 0);
    out->model = (struct topic_lda_model){.topics = topics,
                                          .words = words,
                                          .documents = tokens->documents,
                                          .words_given_topic = given,
                                          .shares = shares,
                                          .tokens = totals,
                                          .alpha = arena_array(arena, double, topics + 1),
                                          .nearness = measure_nearness(work, clusters)};
    out->top = words < TOPIC_WORDS ? words : TOPIC_WORDS;
    struct topic_relevance *ranked =
        arena_array(arena, struct topic_relevance, topics * out->top + 1);
    rank_words(work, topics, weights, counts, totals, out->top, ranked);
    out->words = ranked;
}

/* The first words of each topic, by number. */
static uint32_t *first_words(const struct cluster_work *work, const struct topic_set *set,
                             size_t *top)
{
    *top = set->top < TOPIC_SWEEP_TOP ? set->top : TOPIC_SWEEP_TOP;
    uint32_t *words = arena_array(work->arena, uint32_t, set->model.topics * *top + 1);
    for (size_t k = 0; k < set->model.topics; k++)
        for (size_t i = 0; i < *top; i++)
            words[k * *top + i] = set->words[k * set->top + i].word;
    return words;
}

/* Of each topic by the words that it has; fewer than two say nothing of coherence. */
static void judge(const struct cluster_work *work, struct topic_set *set)
{
    size_t top, topics = set->model.topics;
    uint32_t *words = first_words(work, set, &top);
    struct topic_coherence *out =
        arena_array(work->arena, struct topic_coherence, topics + 1);

    if (top > 1)
        topic_coherence_topics(work->tokens, words, topics, top, work->arena, out);
    for (size_t k = 0; k < topics; k++) {
        size_t own = topic_words_of(set, k);
        if (own <= 1)
            out[k] = (struct topic_coherence){NAN, NAN, NAN};
        else if (own < top)
            topic_coherence_topics(work->tokens, words + k * top, 1, own, work->arena,
                                   &out[k]);
    }
    set->coherence = out;
}

/* Runs with other seeds; the one most like the others is kept. */
static bool make_step(struct cluster_work *work, size_t topics, size_t runs,
                      uint64_t seed, struct topic_sweep_step *step, struct topic_set *out,
                      struct err *err)
{
    struct topic_set *sets = arena_array(work->arena, struct topic_set, runs);
    const uint32_t **words = arena_array(work->arena, const uint32_t *, runs);
    struct topic_coherence *means =
        arena_array(work->arena, struct topic_coherence, runs);
    size_t top = 0;

    for (size_t r = 0; r < runs; r++) {
        if (!stop_check(err))
            return false;
        struct stats_clusters found =
            work->how->density
                ? stats_cluster_density(work->rows, work->how->radius, work->how->least,
                                        work->arena)
                : stats_cluster_means(work->rows, topics, seed + r, work->arena);
        if (!stop_check(err))
            return false;
        if (work->how->density && found.count == 0)
            return err_set(err, ERR_INPUT,
                           "no %zu documents lie within a radius of %g of one; a larger "
                           "radius takes more",
                           work->how->least, work->how->radius);
        if (!work->how->density && found.count < topics)
            return err_set(
                err, ERR_INPUT,
                "there are %zu different vectors, expected at least as many as "
                "topics: %zu",
                found.count, topics);
        make_model(work, &found, &sets[r]);
        judge(work, &sets[r]);
        means[r] = topic_coherence_mean(sets[r].coherence, found.count);
        words[r] = first_words(work, &sets[r], &top);
    }
    *step = (struct topic_sweep_step){
        .topics = sets[0].model.topics,
        .perplexity = NAN,
        .coherence = topic_coherence_mean(means, runs),
        .stability = topic_stability_of(
            &(struct topic_stability_runs){words, runs, sets[0].model.topics, top},
            work->arena),
        .seed = seed};
    step->seed = seed + step->stability.typical;
    *out = sets[step->stability.typical];
    out->stability = step->stability.topics;
    return true;
}

bool topic_find_clusters(const struct topic_tokens *tokens,
                         const struct topic_settings *settings,
                         const struct topic_clusters *clusters, struct arena *arena,
                         struct topic_set *out, struct err *err)
{
    struct topic_clusters how = *clusters;
    struct cluster_work work = {.tokens = tokens, .how = &how, .arena = arena};
    size_t count = how.density ? 1 : settings->sweep.count;
    struct topic_sweep_step *steps = arena_array(arena, struct topic_sweep_step, count);
    struct topic_set *sets = arena_array(arena, struct topic_set, count);

    bool enough = take_rows(&work, err);
    out->vectors = work.rows.count;
    if (!enough)
        return false;
    if (how.density && isnan(how.radius))
        how.radius =
            fmax(1, ceil(stats_cluster_radius(work.rows, how.least, arena) * MILLION)) /
            MILLION;
    for (size_t s = 0; s < count; s++)
        if (!make_step(&work, how.density ? 0 : settings->sweep.topics[s],
                       how.density ? 1 : settings->sweep.runs, settings->sweep.lda.seed,
                       &steps[s], &sets[s], err))
            return false;
    size_t chosen = topic_sweep_choose(steps, count, settings->choose);
    *out = sets[chosen];
    out->vectors = work.rows.count;
    out->radius = how.density ? how.radius : NAN;
    out->steps = steps;
    out->step_count = count;
    out->chosen = chosen;
    return true;
}
