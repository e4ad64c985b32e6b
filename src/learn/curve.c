/* For a given c the law is a straight line in n^-c, so only c has to be searched. */
#include "learn/curve.h"

#include <math.h>
#include <stdlib.h>

#include "base/real.h"
#include "base/rng.h"

enum { STEPS_MIN = 4, RUNS_MIN = 3, STEPS_MAX = 64, GRID = 60 };

static const double rate_min = 0.01, rate_max = 3;

static double power(double x, double y)
{
    return real_exp(y * real_log(x));
}

/* a and b for that c; the sum of squares is returned. */
static double fit_line(struct values labels, struct values scores, double rate,
                       struct curve_forecast *out)
{
    double n = (double)labels.count, x_mean = 0, y_mean = 0, xx = 0, xy = 0, squares = 0;
    double about_one = 0, all = 0, x[STEPS_MAX];

    for (size_t i = 0; i < labels.count; i++) {
        x[i] = power(labels.at[i] / labels.at[0], -rate); /* 1 at first: no underflow */
        x_mean += x[i] / n;
        y_mean += scores.at[i] / n;
    }
    for (size_t i = 0; i < labels.count; i++) {
        xx += (x[i] - x_mean) * (x[i] - x_mean);
        xy += (x[i] - x_mean) * (scores.at[i] - y_mean);
        about_one += x[i] * (1 - scores.at[i]);
        all += x[i] * x[i];
    }
    double loss = xx > 0 ? -xy / xx : 0, highest = y_mean + loss * x_mean;
    if (highest > 1) {
        highest = 1;
        loss = about_one / all;
    }
    for (size_t i = 0; i < labels.count; i++) {
        double off = scores.at[i] - (highest - loss * x[i]);
        squares += off * off;
    }
    out->highest = highest;
    out->loss = loss * power(labels.at[0], rate);
    out->rate = rate;
    return squares;
}

bool curve_fit(struct values labels, struct values scores, struct curve_forecast *out)
{
    const double golden = 0.6180339887498949;
    double step = real_log(rate_max / rate_min) / GRID, best = INFINITY, at = 0;

    for (int g = 0; g <= GRID; g++) {
        double squares = fit_line(labels, scores, rate_min * real_exp(g * step), out);
        if (squares < best) {
            best = squares;
            at = g;
        }
    }
    double low = fmax(at - 1, 0), high = fmin(at + 1, GRID);
    for (int i = 0; i < 40; i++) {
        double a = high - golden * (high - low), b = low + golden * (high - low);
        if (fit_line(labels, scores, rate_min * real_exp(a * step), out) <=
            fit_line(labels, scores, rate_min * real_exp(b * step), out))
            high = b;
        else
            low = a;
    }
    fit_line(labels, scores, rate_min * real_exp((low + high) / 2 * step), out);
    return out->loss > 0;
}

static double law_at(const struct curve_forecast *law, double labels)
{
    return law->highest - law->loss * power(labels, -law->rate);
}

/* Is the last step above the first, beyond what the runs differ? */
static bool rises(const struct curve_step *first, const struct curve_step *last)
{
    double runs = (double)first->scores.count, mean = 0, squares = 0;

    for (size_t r = 0; r < first->scores.count; r++)
        mean += (last->scores.at[r] - first->scores.at[r]) / runs;
    for (size_t r = 0; r < first->scores.count; r++) {
        double off = last->scores.at[r] - first->scores.at[r] - mean;
        squares += off * off;
    }
    return mean > 0 && mean >= 2 * sqrt(squares / (runs - 1) / runs);
}

static const char *problem(const struct curve_step *steps, size_t count)
{
    if (count < STEPS_MIN || count > STEPS_MAX || steps[0].scores.count < RUNS_MIN)
        return "the curve has too few steps or folds";
    for (size_t s = 0; s < count; s++)
        if (values_problem(steps[s].scores, RUNS_MIN) != NULL || steps[s].labels <= 0)
            return "some scores of the curve are undefined";
    if (!rises(steps, steps + count - 1))
        return "the curve is flat: from its first step to its last it rises by no more "
               "than chance";
    return NULL;
}

/* Fits the means over the runs in the list. */
static bool fit_runs(const struct curve_step *steps, size_t count, const size_t *runs,
                     struct curve_forecast *out)
{
    double labels[STEPS_MAX], means[STEPS_MAX];

    for (size_t s = 0; s < count; s++) {
        size_t all = steps[s].scores.count;
        labels[s] = steps[s].labels;
        means[s] = 0;
        for (size_t r = 0; r < all; r++)
            means[s] += steps[s].scores.at[runs[r]] / (double)all;
    }
    return curve_fit((struct values){labels, count}, (struct values){means, count}, out);
}

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return a < b ? -1 : a > b;
}

static struct curve_forecast refuse(const char *why)
{
    return (struct curve_forecast){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, why};
}

struct curve_forecast curve_forecast(const struct curve_step *steps, size_t count,
                                     struct curve_options options, struct arena *arena)
{
    const char *noisy = "the curve is too noisy: it does not follow a law";
    const char *why = problem(steps, count);
    struct curve_forecast out = {0}, again;

    if (why != NULL)
        return refuse(why);
    size_t runs = steps[0].scores.count, used = 0;
    double then = options.now + options.more;
    size_t *drawn = arena_array(arena, size_t, runs);
    double *values = arena_array(arena, double, options.resamples + 1);
    for (size_t r = 0; r < runs; r++)
        drawn[r] = r;
    if (!fit_runs(steps, count, drawn, &out))
        return refuse(noisy);
    out.now = law_at(&out, options.now);
    out.score = law_at(&out, then);
    out.gain = out.score - out.now;
    for (size_t i = 0; i < options.resamples; i++) {
        struct rng rng = rng_stream(options.seed, 7, i);
        for (size_t r = 0; r < runs; r++)
            drawn[r] = rng_below(&rng, runs);
        if (fit_runs(steps, count, drawn, &again))
            values[used++] = law_at(&again, then);
    }
    if (used < 2 || (double)used < 0.9 * (double)options.resamples)
        return refuse(noisy);
    qsort(values, used, sizeof *values, by_value);
    size_t cut = (size_t)((1 - options.level) / 2 * (double)(used - 1));
    out.low = values[cut];
    out.high = values[used - 1 - cut];
    return out;
}
