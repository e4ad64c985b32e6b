/* Prediction-powered means of labels that are 0 or 1. */
#include <math.h>

#include "learn/internal.h"

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

void quantify_powered_interval(struct quantify_powered *powered, double level)
{
    powered->low = powered->high = powered->estimate;
    if (isinf(powered->size) || isnan(powered->estimate))
        return;
    struct interval wilson =
        interval_wilson_effective(powered->estimate, powered->size, level);
    powered->low = wilson.low;
    powered->high = wilson.high;
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
    quantify_powered_interval(&out, level);
    return out;
}
