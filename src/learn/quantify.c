/* Both corrections are expectation maximisation for the weights of a mixture whose parts
 * are known; only what is observed differs: predictions, or probabilities. */
#include "learn/quantify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

enum { ROUNDS_MAX = 5000, EM_ROUNDS_MAX = 300, EM_RESAMPLES_MAX = 100 };

static const double close_enough = 1e-10;

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
    for (size_t k = 0; k < classes; k++)
        shares[k] = known ? 1 / (double)classes : NAN;
    for (int i = 0; i < ROUNDS_MAX && known; i++)
        if (adjust_step(rates, counts, classes, shares, next) < close_enough)
            break;
    arena_rewind(arena, mark);
    return known;
}

/* The same with weights: how often each item was drawn; NULL: once each. */
static void em_weighted(const double *probabilities, const uint32_t *weights,
                        size_t items, const double *prior, size_t classes, double *shares,
                        double *room)
{
    double *ratio = room, *next = room + classes, *one = room + 2 * classes;

    for (int round = 0; round < EM_ROUNDS_MAX; round++) {
        double change = 0;
        for (size_t k = 0; k < classes; k++) {
            ratio[k] = prior[k] > 0 ? shares[k] / prior[k] : 0;
            next[k] = 0;
        }
        for (size_t i = 0; i < items; i++) {
            double sum = 0, weight = weights != NULL ? weights[i] : 1;
            for (size_t k = 0; k < classes; k++)
                sum += one[k] = probabilities[i * classes + k] * ratio[k];
            for (size_t k = 0; k < classes && sum > 0; k++)
                next[k] += weight * one[k] / sum;
        }
        for (size_t k = 0; k < classes; k++) {
            double share = next[k] / (double)items;
            change = fabs(share - shares[k]) > change ? fabs(share - shares[k]) : change;
            shares[k] = share;
        }
        if (change < 1e-7)
            return;
    }
}

void quantify_em(const double *probabilities, size_t items, const double *prior,
                 size_t classes, double *shares, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);

    memcpy(shares, prior, classes * sizeof *shares);
    em_weighted(probabilities, NULL, items, prior, classes, shares,
                arena_array(arena, double, 3 * classes));
    arena_rewind(arena, mark);
}

/* Confusion and counts of the data, or of a resample of them. */
struct tally {
    double *confusion, *counts;
};

static void count_all(const struct quantify_input *input, struct rng *rng,
                      uint32_t *weights, struct tally *tally)
{
    size_t classes = input->classes;

    memset(tally->confusion, 0, classes * classes * sizeof(double));
    memset(tally->counts, 0, classes * sizeof(double));
    memset(weights, 0, input->items * sizeof *weights);
    for (size_t i = 0; i < input->judged; i++) {
        size_t item = rng != NULL ? rng_below(rng, input->judged) : i;
        tally->confusion[input->truth[item] * classes + input->said[item]]++;
    }
    for (size_t i = 0; i < input->items; i++) {
        size_t item = rng != NULL ? rng_below(rng, input->items) : i;
        tally->counts[input->predicted[item]]++;
        weights[item]++;
    }
}

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return a < b ? -1 : a > b;
}

/* Percentiles of those resamples that have a value. */
static void set_interval(double *values, size_t count, double level,
                         struct quantify_share *out)
{
    size_t used = 0;

    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            values[used++] = values[i];
    out->low = out->high = NAN;
    if (used < 2 || isnan(out->estimate))
        return;
    qsort(values, used, sizeof *values, by_value);
    double cut = (1 - level) / 2 * (double)(used - 1);
    out->low = values[(size_t)cut];
    out->high = values[used - 1 - (size_t)cut];
}

struct quantify quantify_shares(const struct quantify_input *input, struct arena *arena)
{
    size_t classes = input->classes, resamples = input->resamples;
    struct quantify out = {arena_array(arena, struct quantify_share, classes),
                           arena_array(arena, struct quantify_share, classes),
                           arena_array(arena, struct quantify_share, classes)};
    struct tally tally = {arena_array(arena, double, classes *classes),
                          arena_array(arena, double, classes)};
    double *shares = arena_array(arena, double, classes);
    double *room = arena_array(arena, double, 3 * classes);
    double *values = arena_array(arena, double, 3 * classes * resamples + 1);
    uint32_t *weights = arena_array(arena, uint32_t, input->items + 1);

    for (size_t r = 0; r <= resamples; r++) { /* the data themselves come last */
        bool data = r == resamples;
        struct rng rng = rng_stream(input->seed, 6, r);
        count_all(input, data ? NULL : &rng, weights, &tally);
        quantify_adjust(tally.confusion, tally.counts, classes, shares, arena);
        for (size_t k = 0; k < classes; k++) {
            double plain = tally.counts[k] / (double)input->items;
            if (data) {
                out.plain[k].estimate = plain;
                out.adjusted[k].estimate = shares[k];
            } else {
                values[k * resamples + r] = plain;
                values[(classes + k) * resamples + r] = shares[k];
            }
        }
        bool em = input->probabilities != NULL && (data || r < EM_RESAMPLES_MAX);
        if (em) {
            memcpy(shares, input->prior, classes * sizeof *shares);
            em_weighted(input->probabilities, weights, input->items, input->prior,
                        classes, shares, room);
        }
        for (size_t k = 0; k < classes; k++) {
            double share = em ? shares[k] : NAN;
            if (data)
                out.em[k].estimate = share;
            else
                values[(2 * classes + k) * resamples + r] = share;
        }
    }
    for (size_t k = 0; k < classes; k++) {
        set_interval(values + k * resamples, resamples, input->level, out.plain + k);
        set_interval(values + (classes + k) * resamples, resamples, input->level,
                     out.adjusted + k);
        set_interval(values + (2 * classes + k) * resamples, resamples, input->level,
                     out.em + k);
    }
    return out;
}
