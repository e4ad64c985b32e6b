/* Power of tests, and the sizes and effects that have it by bisection: power grows with
 * both. */
#include "stats/power.h"

#include <math.h>
#include <stdbool.h>

#include "stats/distribution.h"

static double normal_lower(double z)
{
    return stats_normal_upper(-z);
}

static double of_proportions(const struct stats_power *plan, double n)
{
    double a = plan->first, b = plan->second;
    double apart = fabs(a - b), pooled = (a + b) * (1 - (a + b) / 2);
    double spread = sqrt(a * (1 - a) + b * (1 - b));
    double limit = stats_normal_quantile(1 - plan->alpha / 2);

    if (spread <= 0) /* 0% and 100%: every pair tells */
        return apart > 0 ? 1 : 0;
    return normal_lower((sqrt(n) * apart - limit * sqrt(pooled)) / spread);
}

/* P(T <= t) for t with that many degrees of freedom and noncentrality: the normal
 * distribution over that of the estimated deviation, by Simpson's rule. */
static double noncentral_t_lower(double t, double df, double apart)
{
    enum { STEPS = 4000 };
    double half = 12 / sqrt(2 * df), low = fmax(1 - half, 0), high = 1 + half, sum = 0;
    double constant = log(2) + df / 2 * log(df / 2) - stats_log_gamma(df / 2);

    if (df < 10)
        high = 1 + 30 / sqrt(df);
    for (int i = 0; i <= STEPS; i++) {
        double s = low + (high - low) * i / STEPS;
        if (s <= 0)
            continue; /* the density is 0, as df > 1 */
        double density = exp(constant + (df - 1) * log(s) - df * s * s / 2);
        double weight = i == 0 || i == STEPS ? 1 : i % 2 == 1 ? 4 : 2;
        sum += weight * density * normal_lower(t * s - apart);
    }
    return sum * (high - low) / STEPS / 3;
}

static double of_means(const struct stats_power *plan, double n)
{
    double df = 2 * n - 2, apart = sqrt(n / 2) * fabs(plan->effect);

    if (df < 2)
        return NAN;
    double limit = stats_t_quantile(1 - plan->alpha / 2, df);
    return 1 - noncentral_t_lower(limit, df, apart) +
           noncentral_t_lower(-limit, df, apart);
}

static double chi_square_limit(double alpha, double df)
{
    double low = 0, high = df + 10;

    while (stats_chi_square_upper(high, df) > alpha)
        high *= 2;
    for (int i = 0; i < 200; i++) {
        double middle = (low + high) / 2;
        *(stats_chi_square_upper(middle, df) > alpha ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

static double of_chi_square(const struct stats_power *plan, double n)
{
    double limit = chi_square_limit(plan->alpha, plan->df);

    return 1 - stats_noncentral_lower(limit, plan->df, n * plan->effect * plan->effect);
}

static double of_correlation(const struct stats_power *plan, double n)
{
    double r = fabs(plan->effect);

    if (n < 4)
        return NAN;
    double t = stats_t_quantile(1 - plan->alpha / 2, n - 2);
    double limit = atanh(sqrt(t * t / (t * t + n - 2)));
    double z = atanh(r) + r / (2 * (n - 1));
    return normal_lower((z - limit) * sqrt(n - 3)) +
           normal_lower((-z - limit) * sqrt(n - 3));
}

double stats_power_of(const struct stats_power *plan, double n)
{
    static double (*const of[STATS_POWER_TESTS])(const struct stats_power *, double) = {
        of_proportions, of_means, of_chi_square, of_correlation};

    return of[plan->test](plan, n);
}

int64_t stats_power_items(const struct stats_power *plan, double power)
{
    int64_t low = 1, high = 4;

    while (!(stats_power_of(plan, (double)high) >= power)) {
        if (high >= STATS_POWER_ITEMS_MAX)
            return -1;
        low = high;
        high = high > STATS_POWER_ITEMS_MAX / 2 ? STATS_POWER_ITEMS_MAX : 2 * high;
    }
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        *(stats_power_of(plan, (double)middle) >= power ? &high : &low) = middle;
    }
    return stats_power_of(plan, (double)low) >= power ? low : high;
}

double stats_power_effect(const struct stats_power *plan, double n, double power)
{
    struct stats_power tried = *plan;
    bool shares = plan->test == STATS_POWER_PROPORTIONS;
    double *effect = shares ? &tried.second : &tried.effect;
    double low = shares ? plan->first : 0;
    double high = plan->test == STATS_POWER_MEANS ? 1000 : shares ? 1 : 1 - 1e-12;
    if (plan->test == STATS_POWER_CHI_SQUARE && plan->df > 1) /* w may be above 1 */
        high = sqrt(plan->df) + 1;

    *effect = high;
    if (!(stats_power_of(&tried, n) >= power))
        return NAN;
    for (int i = 0; i < 100; i++) {
        *effect = (low + high) / 2;
        *(stats_power_of(&tried, n) >= power ? &high : &low) = *effect;
    }
    return high;
}
