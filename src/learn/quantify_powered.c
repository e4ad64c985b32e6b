/* Prediction-powered means of labels that are 0 or 1, and means over strata. */
#include "learn/quantify.h"

#include <math.h>

static double mean(struct values values)
{
    return values.count > 0 ? values_sum(values) / (double)values.count : 0;
}

/* The sum of (a - mean a) (b - mean b). */
static double products(struct values a, struct values b)
{
    double mean_a = mean(a), mean_b = mean(b), sum = 0;

    for (size_t i = 0; i < a.count; i++)
        sum += (a.at[i] - mean_a) * (b.at[i] - mean_b);
    return sum;
}

/* Of both together: within each, and between their means. */
static double squares_of_both(struct values a, struct values b)
{
    double n = (double)a.count, m = (double)b.count, apart = mean(a) - mean(b);

    return products(a, a) + products(b, b) + n * m / (n + m) * apart * apart;
}

/* What minimises the variance, kept to 0 .. 1 as in ppi_py. */
static double tune(struct values truth, struct values predicted, struct values unlabelled)
{
    double n = (double)truth.count, m = (double)unlabelled.count,
           ones = values_sum(truth);
    double squares = squares_of_both(predicted, unlabelled);

    if (m == 0 || squares <= 0 || fmin(ones, n - ones) < QUANTIFY_CLASS_FEW)
        return 0;
    double lambda = products(truth, predicted) / n / (squares / (n + m)) / (1 + n / m);
    return fmin(fmax(lambda, 0), 1);
}

/* The sum of squares of truth - by * predicted about its mean. */
static double squares_left(struct values truth, struct values predicted, double by)
{
    double left = products(truth, truth) - 2 * by * products(truth, predicted) +
                  by * by * products(predicted, predicted);

    return fmax(left, 0);
}

static void set_interval(struct quantify_powered *powered, double level)
{
    powered->low = powered->high = powered->estimate;
    if (isinf(powered->size) || isnan(powered->estimate))
        return;
    struct interval wilson =
        interval_wilson_effective(powered->estimate, powered->size, level);
    powered->low = wilson.low;
    powered->high = wilson.high;
}

void quantify_powered_move(struct quantify_powered *powered, double estimate,
                           double level)
{
    double by = fmin(fmax(estimate, 0), 1) - powered->estimate;

    powered->estimate = fmin(fmax(estimate, 0), 1);
    if (!isnan(powered->size)) {
        set_interval(powered, level);
    } else {
        powered->low = fmax(powered->low + by, 0);
        powered->high = fmin(powered->high + by, 1);
    }
}

struct quantify_powered quantify_powered(struct values truth, struct values predicted,
                                         struct values unlabelled, double level)
{
    const double missed = 0.5;
    double n = (double)truth.count, m = (double)unlabelled.count;
    struct quantify_powered out = {.lambda = tune(truth, predicted, unlabelled)};

    if (truth.count < 3)
        return (struct quantify_powered){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    /* Lambda goes with predictions of the others alone; with those of the whole set, of
     * which labelled items are a part, the same estimate has this factor. */
    double factor = m > 0 ? out.lambda * (n + m) / m : 0;
    double squares = products(truth, truth);
    double left = squares_left(truth, predicted, factor) * n / (n - 2);
    out.estimate = mean(truth) + out.lambda * (mean(unlabelled) - mean(predicted));
    out.estimate = fmin(fmax(out.estimate, 0), 1);
    out.error = sqrt(left / n / n * m / (n + m));
    out.error_beyond = sqrt(
        squares_left(truth, predicted, out.lambda) / n / n +
        (m > 0 ? out.lambda * out.lambda * products(unlabelled, unlabelled) / m / m : 0));
    double worth = out.lambda > 0 ? fmin((left + missed) / (squares + missed), 1) : 1;
    out.size = m > 0 ? n / worth * (n + m - 1) / m : INFINITY;
    set_interval(&out, level);
    return out;
}

/* The posts of a stratum, and its part in the variance of a mean over strata: W squared
 * over n, times the share without a label. */
struct part {
    double labelled, items, weight, by;
};

static struct part part_of(const struct quantify_stratum *stratum, double all)
{
    struct part part = {.labelled = (double)stratum->truth.count,
                        .items =
                            (double)(stratum->truth.count + stratum->unlabelled.count)};

    part.weight = part.items / all;
    part.by = part.weight * part.weight / part.labelled *
              (double)stratum->unlabelled.count / part.items;
    return part;
}

/* What each square about the mean of a stratum's labels adds to that variance. */
static double variance_of(struct part part)
{
    return part.by / fmax(part.labelled - 1, 1);
}

static double count_all(const struct quantify_stratum *strata, size_t count,
                        double *labelled, double *ones)
{
    double all = 0;

    *labelled = *ones = 0;
    for (size_t h = 0; h < count; h++) {
        all += (double)(strata[h].truth.count + strata[h].unlabelled.count);
        *labelled += (double)strata[h].truth.count;
        *ones += values_sum(strata[h].truth);
    }
    return all;
}

/* How much a label follows its prediction, the same in all strata: what minimises the
 * variance of the mean over them, kept to what tune() keeps it to. Both sums are over
 * labelled posts, so that predictions without an error give 1 whichever were drawn. */
static double common_factor(const struct quantify_stratum *strata, size_t count,
                            double all, double labelled, double ones)
{
    double together = 0, squares = 0;

    if (labelled >= all || fmin(ones, labelled - ones) < QUANTIFY_CLASS_FEW)
        return 0;
    for (size_t h = 0; h < count; h++) {
        const struct quantify_stratum *it = strata + h;
        double each = variance_of(part_of(it, all));
        together += each * products(it->truth, it->predicted);
        squares += each * products(it->predicted, it->predicted);
    }
    return squares > 0 ? fmin(fmax(together / squares, 0), all / (all - labelled)) : 0;
}

/* What a stratum adds to the squares of the distances to the limits: by Wilson for as
 * many draws as its labels are worth. */
static void add_limits(const struct quantify_stratum *stratum, struct part part,
                       double share, double worth, double level, double *below,
                       double *above)
{
    if (stratum->unlabelled.count == 0)
        return;
    double left = (double)stratum->unlabelled.count;
    double size = part.labelled * (part.items - 1) / left / worth;
    share = fmin(fmax(share, 0), 1);
    struct interval wilson = interval_wilson_effective(share, size, level);
    *below += pow(part.weight * (share - wilson.low), 2);
    *above += pow(part.weight * (wilson.high - share), 2);
}

static double share_of(const struct quantify_stratum *it, double factor)
{
    double all = (double)(it->truth.count + it->unlabelled.count);
    double lambda = factor * (double)it->unlabelled.count / all;

    return mean(it->truth) + lambda * (mean(it->unlabelled) - mean(it->predicted));
}

struct quantify_powered quantify_powered_strata(const struct quantify_stratum *strata,
                                                size_t count, bool predictions,
                                                double level)
{
    const double missed = 0.5;
    double labelled, ones, all = count_all(strata, count, &labelled, &ones);
    double factor = predictions ? common_factor(strata, count, all, labelled, ones) : 0;
    double alone = 0, left = 0, half = 0, below = 0, above = 0;
    double free = labelled - (double)count;
    struct quantify_powered out = {
        .lambda = factor * (all - labelled) / all, .error_beyond = NAN, .size = NAN};

    if (free < 2)
        return (struct quantify_powered){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    for (size_t h = 0; h < count; h++) {
        const struct quantify_stratum *it = strata + h;
        struct part part = part_of(it, all);
        double each = variance_of(part);
        out.estimate += part.weight * share_of(it, factor);
        alone += each * products(it->truth, it->truth);
        left += each * squares_left(it->truth, it->predicted, factor);
        half = fmax(half, missed * part.by / part.labelled);
    }
    left *= factor > 0 ? free / (free - 1) : 1;
    out.estimate = fmin(fmax(out.estimate, 0), 1);
    out.error = sqrt(left);
    double worth = factor > 0 ? fmin((left + half) / (alone + half), 1) : 1;
    for (size_t h = 0; h < count; h++)
        add_limits(strata + h, part_of(strata + h, all), share_of(strata + h, factor),
                   worth, level, &below, &above);
    out.low = fmax(out.estimate - sqrt(below), 0);
    out.high = fmin(out.estimate + sqrt(above), 1);
    return out;
}
