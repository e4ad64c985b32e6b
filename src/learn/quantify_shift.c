/* Shares that differ from those learned from, while posts of a class stay as they are.
 * All three corrections find the weights of a mixture whose parts are known; only what is
 * observed differs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "learn/internal.h"

enum { ROUNDS_MAX = 5000, EM_ROUNDS_MAX = 1000 };

static const double close_enough = 1e-10, em_close_enough = 1e-7;

/* One step: new shares into next; the largest change is returned. */
static double adjust_step(const double *rates, const double *counts, size_t classes,
                          double *shares, double *next)
{
    double all = 0, change = 0;

    memset(next, 0, classes * sizeof *next);
    for (size_t said = 0; said < classes; said++) {
        double expected = 0;
        for (size_t k = 0; k < classes; k++)
            expected += shares[k] * rates[k * classes + said];
        if (counts[said] <= 0 || expected <= 0)
            continue;
        all += counts[said];
        for (size_t k = 0; k < classes; k++)
            next[k] += counts[said] * shares[k] * rates[k * classes + said] / expected;
    }
    for (size_t k = 0; k < classes && all > 0; k++) {
        double off = fabs(next[k] / all - shares[k]);
        change = off > change ? off : change;
        shares[k] = next[k] / all;
    }
    return change;
}

/* Solves the size x size system by elimination with pivots; rows are size + 1 long, the
 * right side last, and are used up. False when it has no single solution. */
static bool solve(double *rows, size_t size, double *out)
{
    size_t wide = size + 1;

    for (size_t c = 0; c < size; c++) {
        size_t best = c;
        for (size_t r = c + 1; r < size; r++)
            best = fabs(rows[r * wide + c]) > fabs(rows[best * wide + c]) ? r : best;
        if (fabs(rows[best * wide + c]) < 1e-12)
            return false;
        for (size_t i = 0; i < wide; i++) {
            double kept = rows[c * wide + i];
            rows[c * wide + i] = rows[best * wide + i];
            rows[best * wide + i] = kept;
        }
        for (size_t r = 0; r < size; r++) {
            double by = r == c ? 0 : rows[r * wide + c] / rows[c * wide + c];
            for (size_t i = c; i < wide && by != 0; i++)
                rows[r * wide + i] -= by * rows[c * wide + i];
        }
    }
    for (size_t r = 0; r < size; r++)
        out[r] = rows[r * wide + size] / rows[r * wide + r];
    return true;
}

/* Inverts the matrix of rates; false when that gives no shares of 0 .. 1. */
static bool invert(const double *rates, const double *counts, size_t classes,
                   double *shares, struct arena *arena)
{
    double *rows = arena_array(arena, double, classes *(classes + 1)), all = 0;
    bool inside;

    for (size_t k = 0; k < classes; k++)
        all += counts[k];
    for (size_t said = 0; said < classes; said++) {
        for (size_t k = 0; k < classes; k++)
            rows[said * (classes + 1) + k] = rates[k * classes + said];
        rows[said * (classes + 1) + classes] = counts[said] / all;
    }
    inside = solve(rows, classes, shares);
    for (size_t k = 0; k < classes && inside; k++)
        inside = shares[k] >= 0 && shares[k] <= 1;
    return inside;
}

bool quantify_adjust(const double *confusion, const double *counts, size_t classes,
                     double *shares, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    double *rates = arena_array(arena, double, classes *classes);
    double *next = arena_array(arena, double, classes);
    bool known = true;

    for (size_t k = 0; k < classes; k++) {
        double all = 0;
        for (size_t said = 0; said < classes; said++)
            all += confusion[k * classes + said];
        known = known && all > 0;
        for (size_t said = 0; said < classes && all > 0; said++)
            rates[k * classes + said] = confusion[k * classes + said] / all;
    }
    if (!known || !invert(rates, counts, classes, shares, arena)) {
        for (size_t k = 0; k < classes; k++)
            shares[k] = known ? 1 / (double)classes : NAN;
        for (int i = 0; i < ROUNDS_MAX && known; i++)
            if (adjust_step(rates, counts, classes, shares, next) < close_enough)
                break;
    }
    arena_rewind(arena, mark);
    return known;
}

void quantify_em(const double *probabilities, size_t items, const double *prior,
                 size_t classes, double *shares, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    double *ratio = arena_array(arena, double, 3 * classes);
    double *next = ratio + classes, *one = next + classes;

    memcpy(shares, prior, classes * sizeof *shares);
    for (int round = 0; round < EM_ROUNDS_MAX; round++) {
        double change = 0;
        for (size_t k = 0; k < classes; k++) {
            ratio[k] = prior[k] > 0 ? shares[k] / prior[k] : 0;
            next[k] = 0;
        }
        for (size_t i = 0; i < items; i++) {
            double sum = 0;
            for (size_t k = 0; k < classes; k++)
                sum += one[k] = probabilities[i * classes + k] * ratio[k];
            for (size_t k = 0; k < classes && sum > 0; k++)
                next[k] += one[k] / sum;
        }
        for (size_t k = 0; k < classes; k++) {
            double share = next[k] / (double)items;
            change = fabs(share - shares[k]) > change ? fabs(share - shares[k]) : change;
            shares[k] = share;
        }
        if (change < em_close_enough)
            break;
    }
    arena_rewind(arena, mark);
}

/* The information that the set has about the shares of all classes but the last, which is
 * 1 less the others: the sum of products of each item's scores. */
static void add_information(const struct quantify_question *question, const double *prior,
                            const double *shares, double *information,
                            struct arena *arena)
{
    const struct quantify_seen *set = &question->set;
    size_t classes = question->classes, free = classes - 1;
    double *score = arena_array(arena, double, classes);

    for (size_t i = 0; i < set->count; i++) {
        double density = 0;
        for (size_t k = 0; k < classes; k++) {
            double part = set->probabilities[i * classes + k];
            score[k] = prior[k] > 0 ? part / prior[k] : 0;
            density += shares[k] * score[k];
        }
        for (size_t a = 0; a < free && density > 0; a++)
            for (size_t b = 0; b < free; b++)
                information[a * free + b] += (score[a] - score[free]) / density *
                                             (score[b] - score[free]) / density;
    }
}

/* The variance of one class's share: its place in the inverse of the information, that of
 * the last class as the sum of all. NAN when there is none. */
static double variance_of(const double *information, size_t free, size_t class,
                          struct arena *arena)
{
    double *rows = arena_array(arena, double, free *(free + 1) + 1);
    double *solved = arena_array(arena, double, free + 1), sum = 0;

    for (size_t a = 0; a < free; a++) {
        for (size_t b = 0; b < free; b++)
            rows[a * (free + 1) + b] = information[a * free + b];
        rows[a * (free + 1) + free] = class == free || class == a ? 1 : 0;
    }
    if (!solve(rows, free, solved))
        return NAN;
    for (size_t a = 0; a < free; a++)
        sum += class == free || class == a ? solved[a] : 0;
    return sum;
}

/* EM finds the most likely shares, whose error follows from the information. That is the
 * error about the population; about the set itself it is less by what the set's own
 * shares vary, p (1 - p) / N, since the two errors are independent. */
static void answer_by_em(const struct quantify_question *question, const double *prior,
                         double level, struct arena *arena, struct quantify_share *out)
{
    size_t classes = question->classes, free = classes - 1;
    double *shares = arena_array(arena, double, classes);
    double *information = arena_array(arena, double, free *free + 1);
    double items = (double)question->set.count, z = interval_z(level);

    quantify_em(question->set.probabilities, question->set.count, prior, classes, shares,
                arena);
    add_information(question, prior, shares, information, arena);
    for (size_t k = 0; k < classes; k++) {
        double p = shares[k], variance = variance_of(information, free, k, arena);
        double error = sqrt(fmax(variance - p * (1 - p) / items, 0));
        out[k] = (struct quantify_share){p, NAN, NAN};
        if (isnan(variance)) /* the set does not tell the classes apart */
            continue;
        out[k].low = fmax(p - z * error, 0);
        out[k].high = fmin(p + z * error, 1);
    }
}

/* What is observed in the data, or in a resample of the labels. */
struct tally {
    double *confusion, *soft; /* classes x classes */
    double *counts, *sums;    /* of the set: predictions, probabilities */
    double *prior;            /* the mean probability of labelled items */
};

static struct tally new_tally(const struct quantify_question *question,
                              struct arena *arena)
{
    const struct quantify_seen *set = &question->set;
    size_t classes = question->classes;
    struct tally tally = {
        arena_array(arena, double, classes *classes),
        arena_array(arena, double, classes *classes), arena_array(arena, double, classes),
        arena_array(arena, double, classes), arena_array(arena, double, classes)};

    for (size_t i = 0; i < set->count; i++) {
        tally.counts[set->said[i]]++;
        for (size_t k = 0; k < classes; k++)
            tally.sums[k] += set->probabilities[i * classes + k];
    }
    return tally;
}

static void count_labelled(const struct quantify_question *question, struct rng *rng,
                           struct tally *tally)
{
    const struct quantify_seen *labelled = &question->labelled;
    size_t classes = question->classes;

    memset(tally->confusion, 0, classes * classes * sizeof(double));
    memset(tally->soft, 0, classes * classes * sizeof(double));
    memset(tally->prior, 0, classes * sizeof(double));
    for (size_t i = 0; i < labelled->count; i++) {
        size_t item = rng != NULL ? rng_below(rng, labelled->count) : i;
        size_t row = labelled->truth[item] * classes;
        tally->confusion[row + labelled->said[item]]++;
        for (size_t k = 0; k < classes; k++) {
            double probability = labelled->probabilities[item * classes + k];
            tally->soft[row + k] += probability;
            tally->prior[k] += probability / (double)labelled->count;
        }
    }
}

static void adjust_both(const struct tally *tally, size_t classes, double *shares,
                        struct arena *arena)
{
    quantify_adjust(tally->confusion, tally->counts, classes, shares, arena);
    quantify_adjust(tally->soft, tally->sums, classes, shares + classes, arena);
}

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return a < b ? -1 : a > b;
}

/* Percentiles of those resamples that have a value, `by` times as far from the estimate.
 */
static void set_interval(double *values, size_t count, double level, double by,
                         struct quantify_share *out)
{
    size_t used = 0;

    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            values[used++] = values[i];
    if (used < 2 || isnan(out->estimate))
        return;
    qsort(values, used, sizeof *values, by_value);
    size_t cut = (size_t)((1 - level) / 2 * (double)(used - 1));
    out->low = fmax(out->estimate + by * (values[cut] - out->estimate), 0);
    out->high = fmin(out->estimate + by * (values[used - 1 - cut] - out->estimate), 1);
}

/* The error of adjusted counts is that the labelled items are mistaken more or less often
 * than those of the set. Resampling labels shows the variance of the first, v / n; that
 * of the difference is v (1/n + 1/N - 2 o / (n N)), where o of the n labelled are among
 * the N of the set. */
static double stretch(const struct quantify_question *question)
{
    double n = (double)question->labelled.count, items = (double)question->set.count;

    return sqrt(fmax(1 + (n - 2 * (double)question->shared) / items, 0));
}

void quantify_answer(const struct quantify_question *question,
                     struct quantify_options options, struct arena *arena,
                     struct quantify_share *out)
{
    size_t classes = question->classes, resamples = options.resamples;
    double *shares = arena_array(arena, double, 2 * classes);
    double *values = arena_array(arena, double, 2 * classes * resamples + 1);
    struct tally tally = new_tally(question, arena);

    for (size_t a = 0; a < 3 * classes; a++)
        out[a] = (struct quantify_share){NAN, NAN, NAN};
    if (question->set.count == 0 || question->labelled.count == 0)
        return;
    count_labelled(question, NULL, &tally);
    answer_by_em(question, question->prior != NULL ? question->prior : tally.prior,
                 options.level, arena, out + 2 * classes);
    adjust_both(&tally, classes, shares, arena);
    for (size_t a = 0; a < 2 * classes; a++)
        out[a].estimate = shares[a];
    for (size_t r = 0; r < resamples; r++) {
        struct rng rng = rng_stream(options.seed, 6, r);
        count_labelled(question, &rng, &tally);
        adjust_both(&tally, classes, shares, arena);
        for (size_t a = 0; a < 2 * classes; a++)
            values[a * resamples + r] = shares[a];
    }
    for (size_t a = 0; a < 2 * classes; a++)
        set_interval(values + a * resamples, resamples, options.level, stretch(question),
                     out + a);
}
