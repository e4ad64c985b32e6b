/* Intervals of shares: Wilson's, for draws, for a finite population, and for as many
 * draws as an estimate is worth. */
#include "stats/interval.h"

#include <assert.h>
#include <math.h>

#include "stats/distribution.h"

static struct stats_interval undefined(const char *why)
{
    return (struct stats_interval){NAN, NAN, NAN, why};
}

double stats_interval_z(double level)
{
    assert(level > 0 && level < 1);
    return stats_normal_quantile(0.5 + level / 2);
}

/* The roots of (share - t)^2 = z2 t (1 - t) / size, clipped against rounding. */
static struct stats_interval score_interval(double share, double size, double z2)
{
    double middle = share + z2 / (2 * size), scale = 1 + z2 / size,
           half = sqrt(z2 * (share * (1 - share) / size + z2 / (4 * size * size)));

    return (struct stats_interval){
        .estimate = share,
        .low = share == 0 ? 0 : fmax(0, (middle - half) / scale),
        .high = share == 1 ? 1 : fmin(1, (middle + half) / scale),
    };
}

struct stats_interval stats_interval_wilson(int64_t x, int64_t n, double level)
{
    double z = stats_interval_z(level);

    assert(x >= 0 && x <= n);
    if (n == 0)
        return undefined("the group is empty");
    return score_interval((double)x / (double)n, (double)n, z * z);
}

struct stats_interval stats_interval_wilson_finite(int64_t x, int64_t n,
                                                   int64_t population, double level)
{
    double z = stats_interval_z(level), share = (double)x / (double)n,
           left = (double)(population - n);

    assert(x >= 0 && x <= n && n <= population);
    if (n == 0)
        return undefined("the group is empty");
    if (left == 0)
        return (struct stats_interval){share, share, share, NULL};
    return score_interval(share, (double)n * ((double)population - 1) / left, z * z);
}

struct stats_interval stats_interval_wilson_effective(double share, double size,
                                                      double level)
{
    double z = stats_interval_z(level);

    assert(share >= 0 && share <= 1 && size > 0);
    return score_interval(share, size, z * z);
}
