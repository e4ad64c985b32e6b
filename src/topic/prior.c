/* Sums of digamma functions over counts. */
#include "topic/prior.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "topic/sampler.h"

enum { STEPS = 3 };

/* A topic that no document has must be able to come back. */
static const double LEAST = 1e-4;

double prior_digamma(double x)
{
    double sum = 0;

    for (; x < 10; x++)
        sum -= 1 / x;
    /* The asymptotic series: Abramowitz and Stegun 6.3.18. */
    double square = 1 / (x * x);
    double series =
        square *
        (1.0 / 12 -
         square * (1.0 / 120 -
                   square * (1.0 / 252 - square * (1.0 / 240 - square * (1.0 / 132)))));
    return sum + real_log(x) - 0.5 / x - series;
}

static void alpha_step(const struct tokens *tokens, const struct prior_counts *counts,
                       double *alpha)
{
    double gains[SAMPLER_TOPICS_MAX] = {0}, base[SAMPLER_TOPICS_MAX], all = 0, sum = 0;
    uint32_t times[SAMPLER_TOPICS_MAX];

    for (size_t k = 0; k < counts->topics; k++) {
        base[k] = prior_digamma(alpha[k]);
        sum += alpha[k];
    }
    double base_of_sum = prior_digamma(sum);
    for (size_t d = 0; d < tokens->documents; d++) {
        memset(times, 0, counts->topics * sizeof *times);
        for (size_t i = tokens->begin[d]; i < tokens->begin[d + 1]; i++)
            times[counts->topic_of[i]]++;
        for (size_t k = 0; k < counts->topics; k++)
            if (times[k] > 0)
                gains[k] += prior_digamma((double)times[k] + alpha[k]) - base[k];
        all += prior_digamma((double)tokens_length(tokens, d) + sum) - base_of_sum;
    }
    for (size_t k = 0; k < counts->topics && all > 0; k++)
        alpha[k] = fmax(alpha[k] * gains[k] / all, LEAST);
}

void prior_alpha(const struct tokens *tokens, const struct prior_counts *counts,
                 double *alpha)
{
    for (int i = 0; i < STEPS; i++)
        alpha_step(tokens, counts, alpha);
}

static double beta_step(const struct tokens *tokens, const struct prior_counts *counts,
                        double beta)
{
    double words = (double)tokens->words, gain = 0, all = 0;
    double base = prior_digamma(beta), base_of_sum = prior_digamma(beta * words);

    for (size_t w = 0; w < tokens->words; w++)
        for (size_t k = 0; k < counts->topics; k++) {
            int32_t times = counts->words[w * counts->stride + k];
            if (times > 0)
                gain += prior_digamma((double)times + beta) - base;
        }
    for (size_t k = 0; k < counts->topics; k++)
        all += prior_digamma((double)counts->totals[k] + beta * words) - base_of_sum;
    return all > 0 ? fmax(beta * gain / (words * all), LEAST) : beta;
}

double prior_beta(const struct tokens *tokens, const struct prior_counts *counts,
                  double beta)
{
    for (int i = 0; i < STEPS; i++)
        beta = beta_step(tokens, counts, beta);
    return beta;
}
