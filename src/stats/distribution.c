/* Tails from GSL, quantiles by bisection on them. */
#include "stats/distribution.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sf_psi.h>
#include <math.h>

double stats_normal_upper(double z)
{
    return gsl_cdf_ugaussian_Q(z);
}

double stats_normal_two_sided(double z)
{
    return fmin(1, 2 * gsl_cdf_ugaussian_Q(fabs(z)));
}

double stats_normal_quantile(double share)
{
    return gsl_cdf_ugaussian_Pinv(share);
}

double stats_t_two_sided(double t, double df)
{
    return isinf(t) ? 0 : fmin(1, 2 * gsl_cdf_tdist_Q(fabs(t), df));
}

double stats_chi_square_upper(double x, double df)
{
    if (x <= 0)
        return 1;
    /* Beyond this the tail is below the smallest double, and GSL would report that. */
    if (x > 1400 + 10 * df)
        return 0;
    /* GSL's series fails above two million. Wilson and Hilferty, PNAS 17, 1931: the
     * cube root is normal, here to within 1e-7. */
    if (df > 1e6)
        return gsl_cdf_ugaussian_Q((cbrt(x / df) - (1 - 2 / (9 * df))) /
                                   sqrt(2 / (9 * df)));
    return gsl_cdf_chisq_Q(x, df);
}

double stats_log_gamma(double x)
{
    return gsl_sf_lngamma(x);
}

double stats_digamma(double x)
{
    return gsl_sf_psi(x);
}

double stats_trigamma(double x)
{
    return gsl_sf_psi_1(x);
}

/* The t > 0 above which the share lies, to the last bit. */
static double t_above(double share, double df)
{
    double low = 0, high = 1;

    while (gsl_cdf_tdist_Q(high, df) > share)
        high *= 2;
    for (;;) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            return middle;
        if (gsl_cdf_tdist_Q(middle, df) > share)
            low = middle;
        else
            high = middle;
    }
}

double stats_t_quantile(double share, double df)
{
    return share < 0.5 ? -t_above(share, df) : t_above(1 - share, df);
}

double stats_noncentral_lower(double x, double df, double lambda)
{
    /* A Poisson mixture of central ones, summed outwards from its heaviest term. */
    double heaviest = floor(lambda / 2), sum = 0;

    for (int way = -1; way <= 1; way += 2) {
        for (double j = way < 0 ? heaviest : heaviest + 1; j >= 0; j += way) {
            double weight = exp(-lambda / 2 + (lambda > 0 ? j * log(lambda / 2) : 0) -
                                gsl_sf_lngamma(j + 1));
            if (weight < 1e-18 || (lambda == 0 && j > 0))
                break;
            sum += weight * (1 - stats_chi_square_upper(x, df + 2 * j));
        }
    }
    return sum;
}
