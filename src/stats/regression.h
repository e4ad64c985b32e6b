/* What an outcome depends on, all else being equal.
 * - Logistic: an outcome of yes or no; coefficients are logarithms of odds ratios.
 * - Counts: negative binomial with a logarithmic link, its spread found by maximum
 *   likelihood (Lawless, Canadian Journal of Statistics 15, 1987), as MASS::glm.nb of R;
 *   coefficients are logarithms of rate ratios. Counts that are not more spread out than
 *   Poisson's have theta = INFINITY, which is Poisson's regression.
 * - Waits: Cox, JRSS B 34, 1972, equal times by Efron, JASA 72, 1977, as survival::coxph;
 *   coefficients are logarithms of hazard ratios.
 * Standard errors:
 * - plain: from the expected information (of Cox the observed one);
 * - robust: the sandwich of White, Econometrica 48, 1980 (HC0), as sandwich::sandwich; of
 *   Cox that of Lin and Wei, JASA 84, 1989;
 * - clustered: the same with scores added up within clusters, times G/(G - 1) of G
 *   clusters, as sandwich::vcovCL; of Cox without that factor, as coxph(cluster = ).
 * A random intercept of each cluster: maximum likelihood by quadrature around the
 * intercept that suits a cluster best (Pinheiro and Bates, J. Computational and Graphical
 * Statistics 4, 1995), standard errors from the curvature of the likelihood, as
 * lme4::glmer with nAGQ = 25. Of counts theta is found and counts in that curvature with
 * the rest, where glmer.nb takes it for known. Of Cox it is the logarithm of a frailty,
 * gamma distributed with mean 1 (Clayton, Biometrika 65, 1978): the likelihood is then
 * known without an approximation and its estimates are consistent (Parner, Annals of
 * Statistics 26, 1998), as coxph with frailty(distribution = "gamma", sparse = FALSE),
 * whose standard errors, as here, take the frailties' variance for known.
 * Whether clusters differ is tested by the likelihood ratio, half of whose distribution
 * is at 0 (Self and Liang, JASA 82, 1987).
 * Intervals are Wald's, by the normal distribution. So are the tests of several
 * coefficients at once, b' V^-1 b by chi-square, with V what errors are from. */
#ifndef STATS_REGRESSION_H
#define STATS_REGRESSION_H

#include "stats/values.h"

enum stats_regression_kind { STATS_LOGISTIC, STATS_COUNTS, STATS_COX };
enum stats_regression_errors {
    STATS_ERRORS_PLAIN,
    STATS_ERRORS_ROBUST,
    STATS_ERRORS_CLUSTERED,
};

struct stats_regression_data {
    enum stats_regression_kind kind;
    size_t count, width;   /* cases, and columns of x */
    const double *x;       /* case after case; a column of 1 is not among them */
    const size_t *group;   /* of each column: those of one group have the same number;
                              NULL: each is its own */
    const double *y;       /* 0 or 1; a whole number; a time */
    const bool *happened;  /* COX: else censored */
    const size_t *cluster; /* of each case, 0 .. cluster_count - 1; NULL: none */
    size_t cluster_count;
    enum stats_regression_errors errors;
    bool random; /* an intercept by cluster */
    double level;
};

struct stats_regression_term {
    double estimate, std_error, z, p, low, high;
    double vif;    /* how much its variance grows by the other columns; with others of its
                      group the generalised one of all of them (Fox and Monette, JASA 87,
                      1992), which no choice of a reference changes; NAN: the intercept */
    size_t vif_df; /* columns of its group: vif^(1 / (2 vif_df)) is comparable */
    double group_chi_square, group_p; /* Wald's test of all columns of its group; NAN: the
                                         intercept, or their covariance is singular */
    double ph_p; /* COX: proportional hazards, the score test of Grambsch and Therneau
                    with Kaplan-Meier's time, as cox.zph; else, and with
                    frailties, NAN */
};

struct stats_regression {
    struct stats_regression_term *terms; /* of the columns, and last of the intercept */
    size_t term_count;                   /* COX has no intercept */
    double log_likelihood, null_log_likelihood;
    double chi_square, df, p; /* of the likelihood ratio to none of the columns */
    double wald, wald_p;      /* of all columns, by the errors that were asked for; NAN:
                                 their covariance is singular, as with fewer clusters */
    double aic;
    int64_t events;   /* the rarer outcome, cases above 0, what happened */
    double theta;     /* COUNTS; else NAN */
    double deviation; /* of random intercepts; NAN: none were asked for, or COX */
    double frailty;   /* COX: variance of what clusters' hazards are multiplied by */
    double random_chi_square, random_p; /* of the likelihood ratio to none of these */
    double dispersion;     /* Pearson's chi-square by its degrees of freedom; COX, and
                              with random intercepts: NAN */
    double concordance;    /* of fitted and seen, the area under the ROC curve; LOGISTIC
                              without random intercepts, else NAN */
    double ph_p;           /* COX: of all columns together */
    const char *undefined; /* of everything */
    size_t column;         /* the column that it is about; width: none */
};

struct stats_regression stats_regression(const struct stats_regression_data *data,
                                         struct arena *arena);

#endif
