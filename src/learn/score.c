/* Scores, their intervals, and tests between two classifiers. All numbers follow from a
 * few counts; resampling and leaving out change the counts only, so that an interval
 * costs little. A class that a resample has no item of keeps its scores in the means:
 * without it, or with 0, they would be about other classes. */
#include "learn/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/rng.h"
#include "learn/fit.h"
#include "stats/distribution.h"
#include "stats/interval.h"

const char *const learn_score_names[LEARN_SCORE_OVERALL] = {
    "macro precision", "macro recall", "macro F1", "micro F1",
    "weighted F1",     "accuracy",     "MCC",      "kappa"};

/* What the numbers are made of. */
struct counts {
    double items, right;
    double *truth, *predicted, *hits; /* of each class */
};

static struct counts new_counts(size_t classes, struct arena *arena)
{
    return (struct counts){0, 0, arena_array(arena, double, classes + 1),
                           arena_array(arena, double, classes + 1),
                           arena_array(arena, double, classes + 1)};
}

static size_t repeats_of(const struct learn_membership *truth,
                         const struct learn_membership *predicted)
{
    return truth->items > 0 ? predicted->items / truth->items : 1;
}

static void count_item(struct counts *counts, const struct learn_membership *truth,
                       const struct learn_membership *predicted, size_t item, double by)
{
    double all = by;

    by /= (double)repeats_of(truth, predicted);
    for (size_t at = item; at < predicted->items; at += truth->items) {
        bool right = true;
        for (size_t k = 0; k < truth->classes; k++) {
            bool is = learn_membership_has(truth, item, k);
            bool said = learn_membership_has(predicted, at, k);
            counts->truth[k] += is ? by : 0;
            counts->predicted[k] += said ? by : 0;
            counts->hits[k] += is && said ? by : 0;
            right = right && is == said;
        }
        counts->right += right ? by : 0;
    }
    counts->items += all;
}

static void clear_counts(struct counts *counts, size_t classes)
{
    counts->items = counts->right = 0;
    for (size_t k = 0; k < classes; k++)
        counts->truth[k] = counts->predicted[k] = counts->hits[k] = 0;
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

static double f1_of(double hits, double truth, double predicted)
{
    return ratio(2 * hits, truth + predicted);
}

static double or_zero(double value)
{
    return isnan(value) ? 0 : value;
}

/* What rounding takes beyond the limits stays at them. */
static double within_one(double correlation)
{
    return correlation > 1 ? 1 : correlation < -1 ? -1 : correlation;
}

/* Gorodkin's R_K; `right` are all decisions on the diagonal. Items that were not
 * predicted were all put into a class that none truly has. */
static double mcc_single(const struct counts *counts, size_t classes)
{
    double n = counts->items, products = 0, truth = 0, predicted = 0, silent = n;

    for (size_t k = 0; k < classes; k++) {
        products += counts->truth[k] * counts->predicted[k];
        truth += counts->truth[k] * counts->truth[k];
        predicted += counts->predicted[k] * counts->predicted[k];
        silent -= counts->predicted[k];
    }
    if (silent > 0.5 / n) /* more than what parts of repetitions round to */
        predicted += silent * silent;
    return within_one(ratio(counts->right * n - products,
                            sqrt(n * n - predicted) * sqrt(n * n - truth)));
}

static double mcc_several(double all, double truth, double predicted, double hits)
{
    return within_one(
        ratio(hits * all - truth * predicted,
              sqrt(truth * predicted) * sqrt((all - truth) * (all - predicted))));
}

/* Agreement beyond that of two who draw from the same shares. */
static double kappa_of(double agreed, double expected)
{
    return ratio(agreed - expected, 1 - expected);
}

static double kappa_single(const struct counts *counts, size_t classes)
{
    double expected = 0, n = counts->items;

    for (size_t k = 0; k < classes; k++)
        expected += counts->truth[k] * counts->predicted[k] / n / n;
    return kappa_of(counts->right / n, expected);
}

static double kappa_several(double all, double truth, double predicted, double hits)
{
    double expected = (truth * predicted + (all - truth) * (all - predicted)) / all / all;

    return kappa_of((all - truth - predicted + 2 * hits) / all, expected);
}

/* whole: the scores of all items, for a resample; NULL: these are all. */
static void overall_of(const struct counts *counts, size_t classes, bool several,
                       const struct learn_score_class *whole, double *out)
{
    double used = 0, precision = 0, recall = 0, f1 = 0, weighted = 0;
    double truth = 0, predicted = 0, hits = 0;

    for (size_t k = 0; k < classes; k++) {
        double t = counts->truth[k], p = counts->predicted[k], h = counts->hits[k];
        truth += t, predicted += p, hits += h;
        if (whole != NULL && t <= 0 && whole[k].items > 0) {
            used++;
            precision += or_zero(whole[k].precision);
            recall += or_zero(whole[k].recall);
            f1 += or_zero(whole[k].f1);
            continue;
        }
        if (t + p <= 0)
            continue;
        used++;
        precision += or_zero(ratio(h, p));
        recall += or_zero(ratio(h, t));
        f1 += f1_of(h, t, p);
        weighted += t * f1_of(h, t, p);
    }
    out[LEARN_SCORE_MACRO_PRECISION] = ratio(precision, used);
    out[LEARN_SCORE_MACRO_RECALL] = ratio(recall, used);
    out[LEARN_SCORE_MACRO_F1] = ratio(f1, used);
    out[LEARN_SCORE_MICRO_F1] = f1_of(hits, truth, predicted);
    out[LEARN_SCORE_WEIGHTED_F1] = ratio(weighted, truth);
    out[LEARN_SCORE_ACCURACY] = ratio(counts->right, counts->items);
    out[LEARN_SCORE_MCC] =
        several ? mcc_several(counts->items * (double)classes, truth, predicted, hits)
                : mcc_single(counts, classes);
    out[LEARN_SCORE_KAPPA] =
        several ? kappa_several(counts->items * (double)classes, truth, predicted, hits)
                : kappa_single(counts, classes);
}

static double *confusion_of(const struct learn_membership *truth,
                            const struct learn_membership *predicted, struct arena *arena)
{
    size_t classes = truth->classes;
    double *confusion = arena_array(arena, double, classes *classes + 1);
    double by = 1 / (double)repeats_of(truth, predicted);

    for (size_t i = 0; i < predicted->items; i++) {
        size_t said = learn_membership_class(predicted, i);
        if (said < classes) /* something else than a model of ours may say nothing */
            confusion[learn_membership_class(truth, i % truth->items) * classes + said] +=
                by;
    }
    return confusion;
}

struct learn_score learn_score_of(const struct learn_membership *truth,
                                  const struct learn_membership *predicted,
                                  struct arena *arena)
{
    size_t classes = truth->classes;
    struct learn_score score = {truth->items, classes, NULL, {0}, NULL};
    struct counts counts = new_counts(classes, arena);

    score.of = arena_array(arena, struct learn_score_class, classes + 1);
    for (size_t i = 0; i < truth->items; i++)
        count_item(&counts, truth, predicted, i, 1);
    for (size_t k = 0; k < classes; k++) {
        double t = counts.truth[k], p = counts.predicted[k], h = counts.hits[k];
        score.of[k] =
            (struct learn_score_class){t, p, h, ratio(h, p), ratio(h, t), f1_of(h, t, p)};
    }
    overall_of(&counts, classes, truth->several, NULL, score.overall);
    if (!truth->several)
        score.confusion = confusion_of(truth, predicted, arena);
    return score;
}

/* Numbers of one set of counts in a row: precision, recall, F1 a class, then overall. */
static size_t width_of(size_t classes)
{
    return 3 * classes + LEARN_SCORE_OVERALL;
}

static void numbers_of(const struct counts *counts, size_t classes, bool several,
                       const struct learn_score_class *whole, double *out, size_t stride)
{
    double overall[LEARN_SCORE_OVERALL];

    for (size_t k = 0; k < classes; k++) {
        double t = counts->truth[k], p = counts->predicted[k], h = counts->hits[k];
        out[(3 * k + 0) * stride] = ratio(h, p);
        out[(3 * k + 1) * stride] = ratio(h, t);
        out[(3 * k + 2) * stride] = f1_of(h, t, p);
    }
    overall_of(counts, classes, several, whole, overall);
    for (size_t i = 0; i < LEARN_SCORE_OVERALL; i++)
        out[(3 * classes + i) * stride] = overall[i];
}

/* Resamples tell nothing of it: all are the same, or some have none of the class. */
static bool is_untold(const struct stats_bootstrap *it)
{
    return it->estimate == 0 || it->estimate == 1 ||
           (!isnan(it->estimate) && isnan(it->low));
}

/* A share gets Wilson's interval for those who are counted. */
static void widen(struct stats_bootstrap *it, double counted, double level)
{
    if (!is_untold(it) || counted <= 0)
        return;
    struct stats_interval wilson =
        stats_interval_wilson_effective(it->estimate, counted, level);
    it->low = wilson.low;
    it->high = wilson.high;
    it->undefined = NULL;
}

/* F1 of a class is 2 j / (1 + j) of j = hits / (hits + errors): a share of those that are
 * of the class or said to be, each of which is a hit or one error. */
static void widen_f1(struct stats_bootstrap *it, double counted, double level)
{
    double f1 = it->estimate;

    if (!is_untold(it) || counted <= 0)
        return;
    it->estimate = f1 / (2 - f1);
    it->low = NAN;
    widen(it, counted, level);
    it->estimate = f1;
    it->low = 2 * it->low / (1 + it->low);
    it->high = 2 * it->high / (1 + it->high);
}

/* Micro F1 of exactly 1: where an item that is wrong has as many other classes as it
 * should, all wrong at most, it takes as much off as off accuracy. At 0, with one class
 * an item, it is accuracy's as well. */
static void widen_micro(struct stats_bootstrap *it, const struct learn_score *score,
                        bool several, double level)
{
    if (several && it->estimate != 1)
        widen_f1(it, (double)score->items, level);
    else
        widen(it, (double)score->items, level);
}

/* Weighted F1 of exactly 1, where a share q of what should be said is not: if a class of
 * t misses m, its F1 times t falls by m / (2 - m / t), with m at most q of all; what is
 * said in its place takes half of m off another's at most. At exactly 0 it rises most
 * where each class has q of its own: as F1 with that share of hits. */
static void widen_weighted(struct stats_bootstrap *it, const struct learn_score *score,
                           double level)
{
    double all = 0, least = INFINITY;

    if (it->estimate != 1) {
        widen_f1(it, (double)score->items, level);
        return;
    }
    for (size_t k = 0; k < score->classes; k++)
        if (score->of[k].items > 0) {
            all += score->of[k].items;
            least = fmin(least, score->of[k].items);
        }
    widen(it, (double)score->items, level);
    double missed = 1 - it->low;
    it->low = fmax(1 - missed * (0.5 + 1 / (2 - fmin(1, missed * all / least))), 0);
}

/* Kappa of exactly 1, with accuracy at its limit: it is lowest where what is wrong is of
 * the smallest class and taken for the largest. With several classes an item each of them
 * is a decision, and those that are wrong are so twice: one too few, one too many. MCC is
 * never below a kappa that is above 0. */
static void widen_kappa(struct stats_bootstrap *it, const struct learn_score *score,
                        bool several, double wrong)
{
    double n = (double)score->items, all = 0, squares = 0, least = 1, most = 0;

    if (!(it->estimate > 1 - 1e-12)) /* its own sums round */
        return;
    for (size_t k = 0; k < score->classes; k++) {
        double share = score->of[k].items / n;
        all += share / (double)score->classes;
        squares += share * share;
        most = fmax(most, share);
        if (share > 0)
            least = fmin(least, share);
    }
    double chance = several ? all : squares + wrong * (most - least);
    it->low = chance < 1 ? fmax(1 - wrong / (1 - chance), 0) : 0;
    it->high = 1;
    it->undefined = NULL;
}

/* A mean over classes of exactly 0 or 1, as all of them are; an error is one of so many
 * classes at once: as far as these reach together, or as all do when each has its own. */
static void widen_macro(struct stats_bootstrap *it, const struct stats_bootstrap *classes,
                        size_t at_once, const struct learn_score *score,
                        struct arena *arena)
{
    double *offs = arena_array(arena, double, score->classes + 1);
    double squares = 0, together = 0;
    size_t used = 0;

    if (it->estimate != 0 && it->estimate != 1)
        return;
    for (size_t k = 0; k < score->classes; k++)
        if (score->of[k].items > 0) {
            const struct stats_bootstrap *one = classes + k;
            double off = isnan(one->estimate) ? 1 /* taken for 0, but never asked */
                                              : one->high - one->low;
            squares += off * off;
            offs[used++] = off;
        }
    order_reals(offs, used);
    for (size_t k = 0; k < used && k < at_once; k++)
        together += offs[used - 1 - k];
    double off = fmin(fmax(sqrt(squares), together) / (double)used, 1);
    it->low = it->estimate == 0 ? 0 : 1 - off;
    it->high = it->estimate == 0 ? off : 1;
    it->undefined = NULL;
}

static void widen_exact(struct learn_score_intervals *out,
                        const struct learn_score *score, bool several, double level,
                        struct arena *arena)
{
    struct stats_bootstrap *overall = out->overall;
    size_t all = score->classes;

    for (size_t k = 0; k < score->classes; k++) {
        const struct learn_score_class *of = score->of + k;
        widen(out->precision + k, of->predicted, level);
        widen(out->recall + k, of->items, level);
        widen_f1(out->f1 + k, of->items + of->predicted - of->hits, level);
    }
    widen_macro(overall + LEARN_SCORE_MACRO_PRECISION, out->precision, several ? all : 1,
                score, arena);
    widen_macro(overall + LEARN_SCORE_MACRO_RECALL, out->recall, several ? all : 1, score,
                arena);
    widen_macro(overall + LEARN_SCORE_MACRO_F1, out->f1, several ? all : 2, score, arena);
    widen(overall + LEARN_SCORE_ACCURACY, (double)score->items, level);
    widen_micro(overall + LEARN_SCORE_MICRO_F1, score, several, level);
    widen_weighted(overall + LEARN_SCORE_WEIGHTED_F1, score, level);
    double wrong = 1 - overall[LEARN_SCORE_ACCURACY].low;
    widen_kappa(overall + LEARN_SCORE_MCC, score, several, wrong);
    widen_kappa(overall + LEARN_SCORE_KAPPA, score, several, wrong);
}

struct learn_score_intervals
learn_score_intervals(const struct learn_membership *truth,
                      const struct learn_membership *predicted,
                      struct stats_bootstrap_options options, struct arena *arena)
{
    size_t classes = truth->classes, width = width_of(classes), items = truth->items;
    size_t resamples = options.resamples > 0 ? options.resamples : 2000;
    struct counts counts = new_counts(classes, arena);
    double *estimate = arena_array(arena, double, width);
    double *resampled = arena_array(arena, double, width *resamples);
    double *without = arena_array(arena, double, width *items + 1);
    struct stats_bootstrap *all = arena_array(arena, struct stats_bootstrap, width);
    struct learn_score_intervals out;

    for (size_t i = 0; i < items; i++)
        count_item(&counts, truth, predicted, i, 1);
    struct learn_score score = learn_score_of(truth, predicted, arena);
    const struct learn_score_class *whole = score.of;
    numbers_of(&counts, classes, truth->several, NULL, estimate, 1);
    for (size_t i = 0; i < items; i++) {
        count_item(&counts, truth, predicted, i, -1);
        numbers_of(&counts, classes, truth->several, whole, without + i, items);
        count_item(&counts, truth, predicted, i, 1);
    }
    for (size_t r = 0; r < resamples; r++) {
        struct rng rng = rng_stream(options.seed, 2, r);
        clear_counts(&counts, classes);
        for (size_t i = 0; i < items; i++)
            count_item(&counts, truth, predicted, rng_below(&rng, items), 1);
        numbers_of(&counts, classes, truth->several, whole, resampled + r, resamples);
    }
    for (size_t n = 0; n < width; n++)
        all[n] = stats_bootstrap_bca_from(
            estimate[n], (struct stats_values){resampled + n * resamples, resamples},
            (struct stats_values){without + n * items, items}, options.level, arena);
    out.precision = arena_array(arena, struct stats_bootstrap, classes + 1);
    out.recall = arena_array(arena, struct stats_bootstrap, classes + 1);
    out.f1 = arena_array(arena, struct stats_bootstrap, classes + 1);
    for (size_t k = 0; k < classes; k++) {
        out.precision[k] = all[3 * k];
        out.recall[k] = all[3 * k + 1];
        out.f1[k] = all[3 * k + 2];
    }
    for (size_t i = 0; i < LEARN_SCORE_OVERALL; i++)
        out.overall[i] = all[3 * classes + i];
    widen_exact(&out, &score, truth->several, options.level, arena);
    return out;
}

/* The decision that the class with that probability is there. */
static void add_decision(struct learn_score_calibration *to, double sure, bool right)
{
    size_t bin = (size_t)(sure * LEARN_SCORE_BINS);
    struct learn_score_bin *into =
        to->bins + (bin < LEARN_SCORE_BINS ? bin : LEARN_SCORE_BINS - 1);

    into->items++;
    into->sure += sure;
    into->right += right;
}

struct learn_score_calibration
learn_score_calibration(const struct learn_membership *truth, const double *probabilities,
                        size_t repeats, const bool *untold)
{
    struct learn_score_calibration out = {0};
    size_t classes = truth->classes, items = 0;

    for (size_t i = 0; i < truth->items * repeats; i++)
        items += untold == NULL || !untold[i];
    double decisions = (double)(items * (truth->several ? classes : 1));
    for (size_t i = 0; i < truth->items * repeats; i++) {
        const double *p = probabilities + i * classes;
        size_t best = learn_scorer_best(p, classes), item = i % truth->items;
        if (untold != NULL && untold[i])
            continue;
        for (size_t k = 0; k < classes; k++) {
            bool is = learn_membership_has(truth, item, k);
            double off = p[k] - (is ? 1 : 0);
            out.brier += off * off / (double)items;
            if (truth->several || k == best)
                add_decision(&out, p[k], is);
        }
    }
    for (size_t b = 0; b < LEARN_SCORE_BINS; b++) {
        struct learn_score_bin *bin = out.bins + b;
        if (bin->items > 0)
            out.expected_error += fabs(bin->sure - bin->right) / decisions;
        bin->sure = ratio(bin->sure, bin->items);
        bin->right = ratio(bin->right, bin->items);
        bin->items /= (double)repeats;
    }
    if (items == 0)
        out.brier = out.expected_error = NAN;
    return out;
}

/* Curves over all thresholds. */

struct ranked {
    double probability;
    size_t item;
    bool is;
};

static int falling(const void *a_of, const void *b_of)
{
    const struct ranked *a = a_of, *b = b_of;

    return (a->probability < b->probability) - (a->probability > b->probability);
}

/* The variance of an area (DeLong, DeLong and Clarke-Pearson, Biometrics 44, 1988): of
 * the chances that an item with the class is above one without, over items with it and
 * over items without. Repetitions of an item are no further items: its chances are their
 * mean (Obuchowski, Biometrics 53, 1997). */
static double area_variance(const struct learn_membership *truth, size_t class,
                            const double *chances, double area)
{
    double squares[2] = {0}, items[2] = {0};

    for (size_t i = 0; i < truth->items; i++) {
        bool is = learn_membership_has(truth, i, class);
        squares[is] += (chances[i] - area) * (chances[i] - area);
        items[is]++;
    }
    return items[0] > 1 && items[1] > 1 ? squares[0] / items[0] / (items[0] - 1) +
                                              squares[1] / items[1] / (items[1] - 1)
                                        : NAN;
}

/* How far an area of exactly 1 may be from the truth, or one of 0: the truth from which
 * it is just z deviations away (Newcombe, Statistics in Medicine 25, 2006, method 5). */
static double area_reach(double have, double lack, double level)
{
    double z = stats_normal_quantile(0.5 + level / 2), size = (have + lack) / 2;
    double low = 0, high = 1;

    for (int i = 0; i < 100; i++) {
        double off = (low + high) / 2, area = 1 - off;
        double variance = area * off / (have * lack) *
                          (1 + (size - 1) * (off / (1 + off) + area / (1 + area)));
        *(off * off < z * z * variance ? &low : &high) = off;
    }
    return (low + high) / 2;
}

/* On the scale of logits, so that limits stay within 0 .. 1. */
static void set_area_limits(struct learn_score_areas *out, double variance, double have,
                            double lack, double level)
{
    double inside = out->roc * (1 - out->roc);

    out->roc_low = out->roc_high = NAN;
    if (inside < 1e-12) {
        double reach = area_reach(have, lack, level);
        out->roc_low = out->roc < 0.5 ? 0 : 1 - reach;
        out->roc_high = out->roc < 0.5 ? reach : 1;
        return;
    }
    if (isnan(variance))
        return;
    double half =
        stats_normal_quantile(0.5 + level / 2) * sqrt(fmax(variance, 0)) / inside;
    double odds = out->roc / (1 - out->roc);
    out->roc_low = odds * exp(-half) / (1 + odds * exp(-half));
    out->roc_high = odds * exp(half) / (1 + odds * exp(half));
}

struct learn_score_areas
learn_score_areas(const struct learn_membership *truth, const double *probabilities,
                  size_t repeats, size_t class, double level, struct arena *arena,
                  struct learn_score_point *points, size_t *count)
{
    struct arena_mark mark = arena_mark(arena);
    size_t items = truth->items * repeats, made = 0;
    struct ranked *ranked = arena_array(arena, struct ranked, items + 1);
    struct learn_score_areas out = {0};
    double *chances = arena_array(arena, double, truth->items + 1);
    double have = 0, hits = 0, others = 0;

    for (size_t i = 0; i < items; i++) {
        size_t item = i % truth->items;
        ranked[i] = (struct ranked){probabilities[i * truth->classes + class], item,
                                    learn_membership_has(truth, item, class)};
        have += ranked[i].is;
    }
    double lack = (double)items - have;
    qsort(ranked, items, sizeof *ranked, falling);
    for (size_t i = 0, next; i < items && have > 0 && lack > 0; i = next) {
        double is = 0, is_not = 0;
        for (next = i; next < items && ranked[next].probability == ranked[i].probability;
             next++)
            *(ranked[next].is ? &is : &is_not) += 1;
        double over = (lack - others - is_not / 2) / lack, under = (hits + is / 2) / have;
        out.roc += is * over / have;
        for (size_t k = i; k < next; k++)
            chances[ranked[k].item] += (ranked[k].is ? over : under) / (double)repeats;
        hits += is;
        others += is_not;
        out.pr += is / have * hits / (hits + others);
        if (points != NULL)
            points[made++] =
                (struct learn_score_point){ranked[i].probability, hits / have,
                                           others / lack, hits / (hits + others)};
    }
    if (have <= 0 || lack <= 0)
        out = (struct learn_score_areas){NAN, NAN, NAN, NAN};
    else
        set_area_limits(&out, area_variance(truth, class, chances, out.roc),
                        have / (double)repeats, lack / (double)repeats, level);
    if (count != NULL)
        *count = made;
    arena_rewind(arena, mark);
    return out;
}

/* Two tests on paired results. */

static bool is_right(const struct learn_membership *truth,
                     const struct learn_membership *said, size_t item)
{
    size_t at = item * truth->classes;

    return memcmp(truth->is + at, said->is + at, truth->classes) == 0;
}

/* P(X <= least) for X binomial with n and 1/2, doubled. */
static double binomial_two_sided(int64_t least, int64_t n)
{
    double sum = 0, all = stats_log_gamma((double)n + 1);

    for (int64_t i = 0; i <= least; i++)
        sum += exp(all - stats_log_gamma((double)i + 1) -
                   stats_log_gamma((double)(n - i) + 1) - (double)n * log(2));
    return sum < 0.5 ? 2 * sum : 1;
}

struct learn_compare_mcnemar learn_compare_mcnemar(const struct learn_membership *truth,
                                                   const struct learn_membership *first,
                                                   const struct learn_membership *second)
{
    struct learn_compare_mcnemar out = {0, 0, 1};

    for (size_t i = 0; i < truth->items; i++) {
        bool a = is_right(truth, first, i), b = is_right(truth, second, i);
        out.only_first += a && !b;
        out.only_second += b && !a;
    }
    int64_t least = out.only_first < out.only_second ? out.only_first : out.only_second;
    if (out.only_first + out.only_second > 0)
        out.p = binomial_two_sided(least, out.only_first + out.only_second);
    return out;
}

struct learn_compare_t learn_compare_resampled_t(struct stats_values first,
                                                 struct stats_values second,
                                                 double test_share)
{
    struct learn_compare_t out = {NAN, NAN, NAN, NAN,
                                  stats_values_pair_problem(first, second, 2)};
    double count = (double)first.count, mean = 0, squares = 0;

    if (out.undefined != NULL)
        return out;
    for (size_t i = 0; i < first.count; i++)
        mean += (first.at[i] - second.at[i]) / count;
    for (size_t i = 0; i < first.count; i++) {
        double off = first.at[i] - second.at[i] - mean;
        squares += off * off;
    }
    out.difference = mean;
    out.df = count - 1;
    if (squares == 0) {
        out.undefined = "the difference is the same in every fold";
        return out;
    }
    out.t = mean / sqrt((1 / count + test_share) * squares / out.df);
    out.p = stats_t_two_sided(out.t, out.df);
    return out;
}
