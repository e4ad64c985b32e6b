/* Two tests on paired results. */
#include "learn/compare.h"

#include <math.h>
#include <string.h>

#include "stats/distribution.h"

static bool is_right(const struct membership *truth, const struct membership *said,
                     size_t item)
{
    size_t at = item * truth->classes;

    return memcmp(truth->is + at, said->is + at, truth->classes) == 0;
}

/* P(X <= least) for X binomial with n and 1/2, doubled. */
static double binomial_two_sided(int64_t least, int64_t n)
{
    double sum = 0, all = distribution_log_gamma((double)n + 1);

    for (int64_t i = 0; i <= least; i++)
        sum += exp(all - distribution_log_gamma((double)i + 1) -
                   distribution_log_gamma((double)(n - i) + 1) - (double)n * log(2));
    return sum < 0.5 ? 2 * sum : 1;
}

struct compare_mcnemar compare_mcnemar(const struct membership *truth,
                                       const struct membership *first,
                                       const struct membership *second)
{
    struct compare_mcnemar out = {0, 0, 1};

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

struct compare_t compare_resampled_t(struct values first, struct values second,
                                     double test_share)
{
    struct compare_t out = {NAN, NAN, NAN, NAN, values_pair_problem(first, second, 2)};
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
    out.p = distribution_t_two_sided(out.t, out.df);
    return out;
}
