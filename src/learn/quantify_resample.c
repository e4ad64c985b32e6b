/* The three corrections that rest on errors being the same everywhere, and how much they
 * vary with the labels.
 *
 * Each is right, whatever the classifier, when the labelled items are all of the set. So
 * its error is the difference between labelled items and the set in how a class's items
 * are predicted. With n labelled items its variance is v (1/n + 1/N - 2 o / (n N)), where
 * o of the n are among the N of the set; drawn from very many it is v / n. Resampling
 * with weights that vary less than counts do shows the first directly; Rao and Wu,
 * "Resampling inference with complex survey data", JASA 83, 1988. */
#include "learn/quantify_resample.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "learn/quantify_calibrate.h"

enum {
    THIN = 2000, /* items of the set that resamples go over: enough to see how EM reacts
                    to other labels */
    ROUNDS = 30, /* of calibration */
    ROUNDS_AGAIN = 4, /* from a neighbour */
};

static const double missed = 0.5; /* of a post: errors that no label shows */

struct work {
    const struct quantify_question *question;
    double *counts, *sums;    /* of the set: predictions, probabilities */
    double *confusion, *soft; /* of labelled items, classes x classes */
    double *labelled, *thin;  /* logarithms of probabilities */
    double *room, *prior;
    size_t thin_count;
    struct quantify_calibration fit, again;
    size_t *members, *first; /* labelled items by stratum; where each begins */
    double *weights;         /* of a resample */
};

static void count_set(struct work *work)
{
    const struct quantify_seen *set = &work->question->set;
    size_t classes = work->question->classes;

    for (size_t i = 0; i < set->count; i++) {
        work->counts[set->said[i]]++;
        for (size_t k = 0; k < classes; k++)
            work->sums[k] += set->probabilities[i * classes + k];
    }
}

static void thin_out(struct work *work, struct arena *arena)
{
    const struct quantify_seen *set = &work->question->set;
    size_t classes = work->question->classes, every = (set->count + THIN - 1) / THIN;

    work->thin = arena_array(arena, double, (set->count / every + 1) * classes);
    work->room = arena_array(arena, double, (set->count / every + 1) * classes);
    for (size_t i = 0; i < set->count; i += every)
        quantify_calibrate_logarithms(set->probabilities + i * classes, classes,
                                      work->thin + work->thin_count++ * classes);
}

static void list_members(struct work *work)
{
    const struct quantify_drawn *drawn = &work->question->drawn;
    size_t count = work->question->labelled.count;

    for (size_t i = 0; i < count; i++)
        work->first[drawn->stratum[i] + 1]++;
    for (size_t h = 0; h < drawn->strata; h++)
        work->first[h + 1] += work->first[h];
    for (size_t i = count; i-- > 0;)
        work->members[--work->first[drawn->stratum[i] + 1]] = i;
    /* Each begin has moved to its stratum's own, one place too far to the right. */
    memmove(work->first, work->first + 1, drawn->strata * sizeof *work->first);
    work->first[drawn->strata] = count;
}

static struct work begin(const struct quantify_question *question, struct arena *arena)
{
    size_t classes = question->classes, labelled = question->labelled.count;
    struct work work = {.question = question,
                        .counts = arena_array(arena, double, classes),
                        .sums = arena_array(arena, double, classes),
                        .confusion = arena_array(arena, double, classes *classes),
                        .soft = arena_array(arena, double, classes *classes),
                        .labelled = arena_array(arena, double, labelled *classes + 1),
                        .prior = arena_array(arena, double, classes),
                        .fit = {1, arena_array(arena, double, classes)},
                        .again = {1, arena_array(arena, double, classes)},
                        .members = arena_array(arena, size_t, labelled + 1),
                        .first = arena_array(arena, size_t, question->drawn.strata + 2),
                        .weights = arena_array(arena, double, labelled + 1)};

    count_set(&work);
    thin_out(&work, arena);
    list_members(&work);
    quantify_calibrate_logarithms(question->labelled.probabilities, labelled * classes,
                                  work.labelled);
    return work;
}

/* False when a class has no labelled item. */
static bool count_labelled(struct work *work, const double *weights)
{
    const struct quantify_seen *labelled = &work->question->labelled;
    size_t classes = work->question->classes;
    bool known = true;

    memset(work->confusion, 0, classes * classes * sizeof(double));
    memset(work->soft, 0, classes * classes * sizeof(double));
    for (size_t i = 0; i < labelled->count; i++) {
        size_t row = labelled->truth[i] * classes;
        work->confusion[row + labelled->said[i]] += weights[i];
        for (size_t k = 0; k < classes; k++)
            work->soft[row + k] += weights[i] * labelled->probabilities[i * classes + k];
    }
    for (size_t t = 0; t < classes; t++) {
        double all = 0;
        for (size_t k = 0; k < classes; k++)
            all += work->confusion[t * classes + k];
        known = known && all > 0;
    }
    return known;
}

static void adjust_both(const struct work *work, double *shares, struct arena *arena)
{
    size_t classes = work->question->classes;

    quantify_adjust(work->confusion, work->counts, classes, shares, arena);
    quantify_adjust(work->soft, work->sums, classes, shares + classes, arena);
}

/* The shares that calibrated probabilities are right for: their mean over labelled items,
 * which is the share of each class among these. */
static void find_prior(struct work *work, const struct quantify_calibration *fit,
                       const double *weights, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    size_t classes = work->question->classes, count = work->question->labelled.count;
    double *calibrated = arena_array(arena, double, count *classes + 1), sum = 0;

    quantify_calibrated(fit, work->labelled, count, classes, calibrated);
    memset(work->prior, 0, classes * sizeof *work->prior);
    for (size_t i = 0; i < count; i++) {
        sum += weights[i];
        for (size_t k = 0; k < classes; k++)
            work->prior[k] += weights[i] * calibrated[i * classes + k];
    }
    for (size_t k = 0; k < classes; k++)
        work->prior[k] /= sum;
    arena_rewind(arena, mark);
}

/* False when the set does not tell the classes apart: every item is alike. */
static bool em_whole(struct work *work, double *shares, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    const struct quantify_question *question = work->question;
    const double *weights = question->drawn.weight;
    size_t classes = question->classes, count = question->set.count;
    double *set = arena_array(arena, double, count *classes + 1);
    bool differ = false;

    quantify_calibrate(work->labelled, question->labelled.truth, weights,
                       question->labelled.count, classes, ROUNDS, &work->fit, arena);
    find_prior(work, &work->fit, weights, arena);
    quantify_calibrate_logarithms(question->set.probabilities, count * classes, set);
    quantify_calibrated(&work->fit, set, count, classes, set);
    quantify_em(set, count, work->prior, classes, shares, arena);
    for (size_t i = classes; i < count * classes && !differ; i++)
        differ = fabs(set[i] - set[i - classes]) > 1e-9;
    arena_rewind(arena, mark);
    return differ;
}

static void em_again(struct work *work, double *shares, struct arena *arena)
{
    const struct quantify_question *question = work->question;
    size_t classes = question->classes;

    work->again.slope = work->fit.slope;
    memcpy(work->again.bias, work->fit.bias, classes * sizeof *work->fit.bias);
    quantify_calibrate(work->labelled, question->labelled.truth, work->weights,
                       question->labelled.count, classes, ROUNDS_AGAIN, &work->again,
                       arena);
    find_prior(work, &work->again, work->weights, arena);
    quantify_calibrated(&work->again, work->thin, work->thin_count, classes, work->room);
    quantify_em(work->room, work->thin_count, work->prior, classes, shares, arena);
}

/* Weights of a stratum's items whose variance is `variance` of that of counts when as
 * many are drawn with replacement. n - 1 of those would vary as n labels do. */
static void resample_stratum(struct work *work, size_t stratum, struct rng *rng)
{
    const size_t *members = work->members + work->first[stratum];
    size_t count = work->first[stratum + 1] - work->first[stratum], draws = count;
    double variance = work->question->drawn.variance[stratum];
    double base = 1, by = 0;

    if (count > 1) {
        variance *= (double)count / ((double)count - 1);
        draws = variance > 1 ? (size_t)fmax(round((double)count / variance), 1) : count;
        by = variance > 1 ? (double)count / (double)draws : sqrt(variance);
        base = variance > 1 ? 0 : 1 - by;
    }
    for (size_t i = 0; i < count; i++)
        work->weights[members[i]] = base;
    for (size_t i = 0; i < draws && by > 0; i++)
        work->weights[members[rng_below(rng, count)]] += by;
    for (size_t i = 0; i < count; i++)
        work->weights[members[i]] *= work->question->drawn.weight[members[i]];
}

/* The variance that half a post brings which no label shows, in the stratum where it
 * counts most; 0 when all posts are labelled. */
static double missed_variance(const struct work *work)
{
    const struct quantify_drawn *drawn = &work->question->drawn;
    double most = 0, all = (double)work->question->labelled.count;

    for (size_t h = 0; h < drawn->strata; h++) {
        size_t count = work->first[h + 1] - work->first[h];
        double weight = 0;
        for (size_t i = work->first[h]; i < work->first[h + 1]; i++)
            weight += drawn->weight[work->members[i]] / all;
        if (count > 0)
            most =
                fmax(most, missed * pow(weight / (double)count, 2) * drawn->variance[h]);
    }
    return most;
}

/* Wilson's interval for as many draws as would vary like the resamples do. */
static void set_interval(const struct work *work, struct values resampled, double level,
                         struct quantify_share *out)
{
    double used = (double)resampled.count, unseen = missed_variance(work), variance = 0;
    double labelled = (double)work->question->labelled.count;

    if (resampled.count < 2 || isnan(out->estimate))
        return;
    out->low = out->high = out->estimate;
    if (unseen <= 0)
        return;
    double mean = values_sum(resampled) / used;
    for (size_t r = 0; r < resampled.count; r++)
        variance += (resampled.at[r] - mean) * (resampled.at[r] - mean) / (used - 1);
    double size = fmax(mean * (1 - mean), missed / labelled) / (variance + unseen);
    struct interval wilson =
        interval_wilson_effective(fmin(fmax(out->estimate, 0), 1), size, level);
    out->low = wilson.low;
    out->high = wilson.high;
}

void quantify_resample(const struct quantify_question *question,
                       struct quantify_options options, struct arena *arena,
                       struct quantify_share *out)
{
    size_t classes = question->classes, used = 0;
    double *shares = arena_array(arena, double, 3 * classes);
    double *values = arena_array(arena, double, 3 * classes * options.resamples + 1);

    for (size_t a = 0; a < 3 * classes; a++)
        out[a] = (struct quantify_share){NAN, NAN, NAN};
    if (question->set.count == 0 || question->labelled.count == 0)
        return;
    struct work work = begin(question, arena);
    if (!count_labelled(&work, question->drawn.weight))
        return;
    adjust_both(&work, shares, arena);
    bool differ = em_whole(&work, shares + 2 * classes, arena);
    for (size_t a = 0; a < 3 * classes; a++)
        out[a].estimate = shares[a];
    for (size_t r = 0; r < options.resamples; r++) {
        struct rng rng = rng_stream(options.seed, 6, r);
        for (size_t h = 0; h < question->drawn.strata; h++)
            resample_stratum(&work, h, &rng);
        if (!count_labelled(&work, work.weights))
            continue;
        adjust_both(&work, shares, arena);
        em_again(&work, shares + 2 * classes, arena);
        for (size_t a = 0; a < 3 * classes; a++)
            values[a * options.resamples + used] = shares[a];
        used++;
    }
    for (size_t a = 0; a < (differ ? 3 : 2) * classes; a++)
        set_interval(&work, (struct values){values + a * options.resamples, used},
                     options.level, out + a);
}
