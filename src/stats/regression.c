/* Regressions by Newton's method on standardised columns: their sizes do not matter to
 * the arithmetic, and what is reported is turned back into the units of the data. */
#include "stats/regression.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/order.h"
#include "stats/distribution.h"
#include "stats/internal.h"

/* Fits weigh the likelihood 10 to 500 times, of counts with far columns up to 16,000
 * times; beyond the last one a search for theta creeps, and may do so a hundred times
 * longer. */
enum { STEPS_MAX = 100, WEIGHED_MAX = 20000 };

/* Square matrices are row after row. */

/* The lower triangle L of a = L L', and how many of its columns there are: fewer than n
 * where a is not positive definite. */
static size_t cholesky_columns(double *a, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        double left = a[j * n + j];
        for (size_t k = 0; k < j; k++)
            left -= a[j * n + k] * a[j * n + k];
        if (!(left > 1e-13 * fabs(a[j * n + j])) || !isfinite(left))
            return j;
        a[j * n + j] = sqrt(left);
        for (size_t i = j + 1; i < n; i++) {
            double sum = a[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = sum / a[j * n + j];
        }
    }
    return n;
}

static bool cholesky(double *a, size_t n)
{
    return cholesky_columns(a, n) == n;
}

static void solve(const double *lower, size_t n, double *b)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            b[i] -= lower[i * n + k] * b[k];
        b[i] /= lower[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            b[i] -= lower[k * n + i] * b[k];
        b[i] /= lower[i * n + i];
    }
}

bool stats_matrix_invert(const double *a, size_t n, double *out, struct arena *arena)
{
    double *lower = arena_array(arena, double, n *n + 1);
    double *column = arena_array(arena, double, n + 1);

    memcpy(lower, a, n * n * sizeof *a);
    if (!cholesky(lower, n))
        return false;
    for (size_t j = 0; j < n; j++) {
        memset(column, 0, n * sizeof *column);
        column[j] = 1;
        solve(lower, n, column);
        for (size_t i = 0; i < n; i++)
            out[i * n + j] = column[i];
    }
    return true;
}

/* Work on one regression. */
struct work {
    const struct stats_regression_data *data;
    struct arena *arena;
    size_t n, k; /* cases, parameters: columns and, unless COX, the intercept */
    double *x;   /* n * k, standardised, with the column of 1 last */
    double *mean, *sd;
    double *beta; /* of k */
    double *eta;  /* of n */
    double *score, *information;
    double *covariance;
    double theta;
    bool observed; /* COUNTS: the information is that which is seen, not expected */
    int weighed;   /* how often the likelihood was */
    size_t *order; /* COX: cases by time, latest first */
    double log_likelihood;
    const char *undefined;
    size_t column;
};

static bool fails(struct work *work, const char *why, size_t column)
{
    work->undefined = why;
    work->column = column;
    return false;
}

static const char *outcome_problem(const struct stats_regression_data *data)
{
    size_t ones = 0, events = 0, first = 0;

    for (size_t i = 0; i < data->count; i++) {
        double y = data->y[i];
        if (!isfinite(y) || fabs(y) > 1e15)
            return "an outcome is not a number or too large";
        if (data->kind == STATS_LOGISTIC && y != 0 && y != 1)
            return "an outcome is neither 0 nor 1";
        if (data->kind != STATS_LOGISTIC && y < 0)
            return data->kind == STATS_COX ? "a time is negative" : "a count is negative";
        if (data->kind == STATS_COUNTS && y != floor(y))
            return "a count is not a whole number";
        ones += y > 0;
        first += y == data->y[0];
        events += data->kind == STATS_COX && data->happened[i];
    }
    if (data->kind == STATS_LOGISTIC && (ones == 0 || ones == data->count))
        return "all cases have the same outcome";
    if (data->kind == STATS_COUNTS && ones == 0)
        return "all counts are 0";
    if (data->kind == STATS_COUNTS && first == data->count)
        return "all counts are the same";
    if (data->kind == STATS_COX && events == 0)
        return "nothing has happened to any case";
    return NULL;
}

static bool standardise(struct work *work)
{
    const struct stats_regression_data *data = work->data;
    size_t width = data->width;

    for (size_t j = 0; j < width; j++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < work->n; i++) {
            double value = data->x[i * width + j];
            if (!(fabs(value) <= 1e150))
                return fails(work, "a value is not a number or too large", j);
            sum += value;
        }
        work->mean[j] = sum / (double)work->n;
        for (size_t i = 0; i < work->n; i++) {
            double away = data->x[i * width + j] - work->mean[j];
            squares += away * away;
        }
        work->sd[j] = sqrt(squares / (double)work->n);
        if (work->sd[j] <= 1e-12 * fabs(work->mean[j]) || work->sd[j] == 0)
            return fails(work, "all cases have the same value", j);
        for (size_t i = 0; i < work->n; i++)
            work->x[i * work->k + j] =
                (data->x[i * width + j] - work->mean[j]) / work->sd[j];
    }
    for (size_t i = 0; i < work->n && work->k > width; i++)
        work->x[i * work->k + width] = 1;
    return true;
}

static size_t group_of(const struct work *work, size_t column)
{
    return work->data->group != NULL ? work->data->group[column] : column;
}

/* The logarithm of the determinant of what a matrix has of a group's columns. */
static double log_determinant(const struct work *work, const double *of, size_t group)
{
    struct arena_mark mark = arena_mark(work->arena);
    size_t width = work->data->width, n = 0;
    size_t *chosen = arena_array(work->arena, size_t, width + 1);
    double sum = 0;

    for (size_t j = 0; j < width; j++)
        if (group_of(work, j) == group)
            chosen[n++] = j;
    double *part = arena_array(work->arena, double, n *n + 1);
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            part[a * n + b] = of[chosen[a] * width + chosen[b]];
    bool ok = cholesky(part, n);
    for (size_t a = 0; a < n && ok; a++)
        sum += 2 * log(part[a * n + a]);
    arena_rewind(work->arena, mark);
    return ok ? sum : NAN;
}

/* The generalised vif of each group's columns: the determinants of their correlations and
 * of all others', over that of all (Fox and Monette, JASA 87, 1992). The last two are one
 * over that of the group's part of the inverse. */
static void find_group_vif(const struct work *work, const double *r,
                           const double *inverse, struct stats_regression_term *terms)
{
    size_t width = work->data->width;

    for (size_t j = 0; j < width; j++) {
        size_t group = group_of(work, j), first = 0;
        while (group_of(work, first) != group)
            first++;
        if (first < j) {
            terms[j].vif = terms[first].vif;
            terms[j].vif_df = terms[first].vif_df;
            continue;
        }
        for (size_t i = 0; i < width; i++)
            terms[j].vif_df += group_of(work, i) == group;
        terms[j].vif =
            exp(log_determinant(work, r, group) + log_determinant(work, inverse, group));
    }
}

/* A column that those before it tell makes no sense of its own; else the terms' vif. */
static bool find_vif(struct work *work, struct stats_regression_term *terms)
{
    size_t width = work->data->width;
    struct arena_mark mark = arena_mark(work->arena);
    double *r = arena_array(work->arena, double, width *width + 1);
    double *other = arena_array(work->arena, double, width *width + 1);

    for (size_t i = 0; i < work->n; i++)
        for (size_t a = 0; a < width; a++)
            for (size_t b = 0; b <= a; b++)
                r[a * width + b] += work->x[i * work->k + a] * work->x[i * work->k + b];
    for (size_t a = 0; a < width; a++)
        for (size_t b = 0; b <= a; b++) {
            r[a * width + b] /= (double)work->n;
            r[b * width + a] = r[a * width + b];
        }
    memcpy(other, r, width * width * sizeof *other);
    size_t done = cholesky_columns(other, width), good = 0;
    while (good < done && pow(other[good * width + good], 2) >= 1e-9)
        good++; /* that is what is left when the columns before it are taken out */
    if (good == width && stats_matrix_invert(r, width, other, work->arena))
        find_group_vif(work, r, other, terms);
    arena_rewind(work->arena, mark);
    return good == width || fails(work, "it follows from the columns before it", good);
}

static void find_eta(struct work *work)
{
    for (size_t i = 0; i < work->n; i++) {
        const double *row = work->x + i * work->k;
        double sum = 0;
        for (size_t j = 0; j < work->k; j++)
            sum += row[j] * work->beta[j];
        work->eta[i] = sum;
    }
}

static double log1pexp(double x)
{
    return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

/* Of one case, given its linear predictor: the log likelihood, its derivative, and the
 * expected curvature and that which is seen. */
struct point {
    double log_likelihood, slope, weight, bent;
};

static struct point logistic_point(double y, double eta)
{
    double p = 1 / (1 + exp(-eta));

    return (struct point){y * eta - log1pexp(eta), y - p, p * (1 - p), p * (1 - p)};
}

/* log(gamma(z + d) / gamma(z)), also where both are so large that a difference of their
 * logarithms would be rounding alone: of a million views the ninth decimal. By Stirling's
 * series (Abramowitz and Stegun, 6.1.41). */
static double log_gamma_step(double z, double d)
{
    double a = z + d, rest = 0;
    const double terms[] = {1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188};

    if (fmin(a, z) < 20)
        return stats_log_gamma(a) - stats_log_gamma(z);
    for (size_t i = ROWS_OF(terms); i-- > 0;)
        rest += terms[i] * (pow(a, -1 - 2 * (double)i) - pow(z, -1 - 2 * (double)i));
    return (z - 0.5) * log1p(d / z) + d * log(a) - d + rest;
}

double stats_count_ways(double y, double theta)
{
    if (isinf(theta))
        return -stats_log_gamma(y + 1);
    return y + 1 > theta ? log_gamma_step(y + 1, theta - 1) - stats_log_gamma(theta)
                         : log_gamma_step(theta, y) - stats_log_gamma(y + 1);
}

static struct point count_point(double y, double eta, double theta)
{
    double mu = exp(fmin(eta, 300)), ways = stats_count_ways(y, theta);

    if (isinf(theta))
        return (struct point){y * eta - mu + ways, y - mu, mu, mu};
    double spread = 1 + mu / theta;
    return (struct point){ways - theta * log1p(mu / theta) - y * log1p(theta / mu),
                          (y - mu) / spread, mu / spread,
                          mu / spread * (1 + y / theta) / spread};
}

static struct point point_of(const struct work *work, size_t i)
{
    return work->data->kind == STATS_LOGISTIC
               ? logistic_point(work->data->y[i], work->eta[i])
               : count_point(work->data->y[i], work->eta[i], work->theta);
}

static void mirror(double *a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            a[i * n + j] = a[j * n + i];
}

/* Log likelihood, score and information of a generalised linear model. */
static void weigh_linear(struct work *work)
{
    size_t k = work->k;

    find_eta(work);
    work->log_likelihood = 0;
    memset(work->score, 0, k * sizeof(double));
    memset(work->information, 0, k * k * sizeof(double));
    for (size_t i = 0; i < work->n; i++) {
        const double *row = work->x + i * k;
        struct point point = point_of(work, i);
        double weight = work->observed ? point.bent : point.weight;
        work->log_likelihood += point.log_likelihood;
        for (size_t a = 0; a < k; a++) {
            work->score[a] += point.slope * row[a];
            for (size_t b = 0; b <= a; b++)
                work->information[a * k + b] += weight * row[a] * row[b];
        }
    }
    mirror(work->information, k);
}

/* What Cox's likelihood knows at one time: sums over those at risk, and over those to
 * whom it happens then. */
struct risk {
    double *sum, *tied;             /* k: weighted columns */
    double *squares, *tied_squares; /* k * k */
    double weight, tied_weight;
    double *mean; /* of the columns, for one of the tied */
};

static struct risk make_risk(struct work *work)
{
    size_t k = work->k;

    return (struct risk){.sum = arena_array(work->arena, double, k + 1),
                         .tied = arena_array(work->arena, double, k + 1),
                         .mean = arena_array(work->arena, double, k + 1),
                         .squares = arena_array(work->arena, double, k *k + 1),
                         .tied_squares = arena_array(work->arena, double, k *k + 1)};
}

/* Where the block of equal times that begins at `from` of the order ends. */
static size_t same_time(const struct work *work, size_t from)
{
    size_t end = from + 1;

    while (end < work->n &&
           work->data->y[work->order[end]] == work->data->y[work->order[from]])
        end++;
    return end;
}

static void join_risk(const struct work *work, struct risk *risk, size_t from, size_t end,
                      size_t *deaths)
{
    size_t k = work->k;

    *deaths = 0;
    risk->tied_weight = 0;
    memset(risk->tied, 0, k * sizeof(double));
    memset(risk->tied_squares, 0, k * k * sizeof(double));
    for (size_t o = from; o < end; o++) {
        size_t i = work->order[o];
        const double *row = work->x + i * k;
        double weight = exp(work->eta[i]);
        bool happened = work->data->happened[i];
        *deaths += happened;
        risk->weight += weight;
        risk->tied_weight += happened ? weight : 0;
        for (size_t a = 0; a < k; a++) {
            risk->sum[a] += weight * row[a];
            risk->tied[a] += happened ? weight * row[a] : 0;
            for (size_t b = 0; b <= a; b++) {
                risk->squares[a * k + b] += weight * row[a] * row[b];
                risk->tied_squares[a * k + b] += happened ? weight * row[a] * row[b] : 0;
            }
        }
    }
}

/* Efron: of d that are tied the one after the other leaves with its share. Sets mean and
 * gives what those at risk weigh. */
static double efron_mean(const struct work *work, struct risk *risk, size_t d,
                         size_t deaths)
{
    double share = (double)d / (double)deaths;
    double weight = risk->weight - share * risk->tied_weight;

    for (size_t a = 0; a < work->k; a++)
        risk->mean[a] = (risk->sum[a] - share * risk->tied[a]) / weight;
    return weight;
}

/* A part of the variance of the columns among those at risk. */
static double efron_variance(const struct work *work, const struct risk *risk, size_t d,
                             size_t deaths, double weight, size_t a, size_t b)
{
    double share = (double)d / (double)deaths;
    size_t at = a * work->k + b;

    return (risk->squares[at] - share * risk->tied_squares[at]) / weight -
           risk->mean[a] * risk->mean[b];
}

static void weigh_cox(struct work *work)
{
    size_t k = work->k, deaths;
    struct risk risk = make_risk(work);

    find_eta(work);
    work->log_likelihood = 0;
    memset(work->score, 0, k * sizeof(double));
    memset(work->information, 0, k * k * sizeof(double));
    for (size_t from = 0, end; from < work->n; from = end) {
        end = same_time(work, from);
        join_risk(work, &risk, from, end, &deaths);
        for (size_t o = from; o < end; o++) {
            size_t i = work->order[o];
            if (!work->data->happened[i])
                continue;
            work->log_likelihood += work->eta[i];
            for (size_t a = 0; a < k; a++)
                work->score[a] += work->x[i * k + a];
        }
        for (size_t d = 0; d < deaths; d++) {
            double weight = efron_mean(work, &risk, d, deaths);
            work->log_likelihood -= log(weight);
            for (size_t a = 0; a < k; a++) {
                work->score[a] -= risk.mean[a];
                for (size_t b = 0; b <= a; b++)
                    work->information[a * k + b] +=
                        efron_variance(work, &risk, d, deaths, weight, a, b);
            }
        }
    }
    mirror(work->information, k);
}

static void weigh(struct work *work)
{
    struct arena_mark mark = arena_mark(work->arena);

    if (work->data->kind == STATS_COX)
        weigh_cox(work);
    else
        weigh_linear(work);
    work->weighed++;
    arena_rewind(work->arena, mark);
}

/* Newton's step from where the search stands, and how much it promises. False: the
 * information is singular. */
static bool find_step(struct work *work, double *step, double *gain)
{
    size_t k = work->k;
    struct arena_mark mark = arena_mark(work->arena);
    double *lower = arena_array(work->arena, double, k *k + 1);

    memcpy(lower, work->information, k * k * sizeof *lower);
    bool ok = cholesky(lower, k);
    if (ok) {
        memcpy(step, work->score, k * sizeof *step);
        solve(lower, k, step);
        *gain = 0;
        for (size_t j = 0; j < k; j++)
            *gain += step[j] * work->score[j];
    }
    arena_rewind(work->arena, mark);
    return ok;
}

/* The step, halved while it does not lead upwards. False: it does not even then. */
static bool go(struct work *work, const double *from, const double *step, double least)
{
    double now = work->log_likelihood;

    for (double share = 1; share >= least; share /= 2) {
        for (size_t j = 0; j < work->k; j++)
            work->beta[j] = from[j] + share * step[j];
        weigh(work);
        if (work->log_likelihood >= now - 1e-12 * (1 + fabs(now)))
            return true;
    }
    memcpy(work->beta, from, work->k * sizeof *from);
    weigh(work);
    return false;
}

/* The same by the curvature that is expected, where what is seen leads astray: far from
 * the top one count may weigh as much as all others. */
static bool go_as_expected(struct work *work, const double *from, double *step,
                           double *gain)
{
    work->observed = false;
    weigh(work);
    work->observed = true;
    return find_step(work, step, gain) && go(work, from, step, 1e-8);
}

/* Newton's steps until the score is as good as nothing. False: the likelihood has no top,
 * or the information is singular. */
static bool climb(struct work *work)
{
    size_t k = work->k;
    struct arena_mark mark = arena_mark(work->arena);
    double *step = arena_array(work->arena, double, k + 1);
    double *before = arena_array(work->arena, double, k + 1);
    bool top = false, ok = true;

    weigh(work);
    for (int round = 0; ok && !top && round < STEPS_MAX && work->weighed < WEIGHED_MAX;
         round++) {
        double now = work->log_likelihood, gain = INFINITY;
        memcpy(before, work->beta, k * sizeof *before);
        ok = find_step(work, step, &gain);
        if (ok && gain < 1e-18 * (1 + fabs(now))) { /* the last digits */
            for (size_t j = 0; j < k; j++)
                work->beta[j] += step[j];
            weigh(work);
            top = true;
            break;
        }
        ok = ok && go(work, before, step, work->observed ? 1e-3 : 1e-8);
        if (!ok && work->observed)
            ok = go_as_expected(work, before, step, &gain);
        top = ok ? work->log_likelihood - now <= 1e-15 * fabs(now) && gain < 1e-12
                 : gain < 1e-9; /* rounding lets it go no higher */
    }
    arena_rewind(work->arena, mark);
    return top;
}

/* The slope and curvature of the likelihood by the logarithm of theta, coefficients
 * staying; cross: of both, NULL: not wanted. */
struct spread {
    double slope, curve;
};

static struct spread find_spread(const struct work *work, double theta, double *cross)
{
    struct spread sum = {0, 0};

    for (size_t i = 0; i < work->n; i++) {
        double y = work->data->y[i], mu = exp(fmin(work->eta[i], 300)), all = mu + theta;
        double both = theta * (y - mu) / all * mu / all;
        sum.slope += theta * (stats_digamma(y + theta) - stats_digamma(theta) -
                              log1p(mu / theta) + 1 - (y + theta) / all);
        sum.curve += theta * theta *
                     (stats_trigamma(y + theta) - stats_trigamma(theta) + 1 / theta -
                      2 / all + (y + theta) / (all * all));
        for (size_t a = 0; a < work->k && cross != NULL; a++)
            cross[a] += both * work->x[i * work->k + a];
    }
    sum.curve += sum.slope;
    return sum;
}

/* The same with coefficients that follow theta. The information must be that of where the
 * search stands. */
static struct spread follow_spread(struct work *work)
{
    struct arena_mark mark = arena_mark(work->arena);
    size_t k = work->k;
    double *cross = arena_array(work->arena, double, k + 1);
    double *along = arena_array(work->arena, double, k + 1);
    double *lower = arena_array(work->arena, double, k *k + 1);
    struct spread spread = find_spread(work, work->theta, cross);

    memcpy(along, cross, k * sizeof *along);
    memcpy(lower, work->information, k * k * sizeof *lower);
    if (cholesky(lower, k)) {
        solve(lower, k, along);
        for (size_t a = 0; a < k; a++)
            spread.curve += cross[a] * along[a];
    }
    arena_rewind(work->arena, mark);
    return spread;
}

/* Upwards, and never further than e. */
static double spread_step(struct spread spread)
{
    double step = spread.curve < 0   ? -spread.slope / spread.curve
                  : spread.slope > 0 ? 1
                                     : -1;

    return fmax(-1, fmin(1, step));
}

enum { SPREAD_STEPS_MAX = 200 };
static const double theta_max = 1e7, theta_min = 1e-8;

/* Where theta is best with coefficients as they are. */
static double guess_theta(const struct work *work)
{
    double above = 0, mean = 0, step = 1;

    for (size_t i = 0; i < work->n; i++) {
        double mu = exp(fmin(work->eta[i], 300)), away = work->data->y[i] - mu;
        above += away * away - mu;
        mean += mu * mu;
    }
    double theta = above > 0 ? fmax(1e-6, fmin(mean / above, 1e6)) : 1e3; /* by moments */
    for (int round = 0; round < SPREAD_STEPS_MAX && fabs(step) > 1e-3; round++) {
        step = spread_step(find_spread(work, theta, NULL));
        theta = fmax(theta_min, fmin(theta * exp(step), 1e3));
    }
    return theta;
}

/* Coefficients at a theta, from those at hand. */
static bool climb_at(struct work *work, double theta)
{
    work->theta = theta;
    return climb(work);
}

/* The top of the likelihood over theta, coefficients following: Newton's method on the
 * logarithm of theta, halved while it does not lead upwards. False: it was not reached;
 * theta INFINITY: it lies beyond theta_max. A single count that is millions of times the
 * others ties theta to the coefficients, so that finding one after the other would take
 * for ever. */
static bool climb_spread(struct work *work, double theta)
{
    struct arena_mark mark = arena_mark(work->arena);
    double *before = arena_array(work->arena, double, work->k + 1);
    bool top = false, ok = climb_at(work, theta);

    for (int round = 0; ok && !top && round < SPREAD_STEPS_MAX; round++) {
        struct spread spread = follow_spread(work);
        double now = work->log_likelihood, share = 1, from = work->theta;
        double step = spread_step(spread);
        top = spread.curve < 0 && step * spread.slope < 1e-18 * (1 + fabs(now));
        if (top) { /* the last digits */
            ok = climb_at(work, from * exp(step));
            break;
        }
        top = from * exp(step) < theta_min;
        if (top)
            break;
        memcpy(before, work->beta, work->k * sizeof *before);
        for (;; share /= 2) {
            ok = climb_at(work, from * exp(share * step));
            if ((ok && work->log_likelihood >= now - 1e-12 * (1 + fabs(now))) ||
                share < 1e-8)
                break;
            memcpy(work->beta, before, work->k * sizeof *before);
        }
        top = ok && (share < 1e-8 || work->theta > theta_max ||
                     (fabs(share * step) < 1e-6 &&
                      work->log_likelihood - now <= 1e-15 * fabs(now)));
    }
    if (top && work->theta > theta_max)
        work->theta = INFINITY;
    arena_rewind(work->arena, mark);
    return top;
}

/* With the curvature that is seen, by which the likelihood at a theta has one top and
 * Newton's method finds it; errors are by the one that is expected, in the end. */
static bool fit_counts(struct work *work)
{
    struct arena_mark mark = arena_mark(work->arena);
    double *found = arena_array(work->arena, double, work->k + 1), sum = 0;

    for (size_t i = 0; i < work->n; i++)
        sum += work->data->y[i];
    work->beta[work->k - 1] = log(sum / (double)work->n);
    work->observed = true;
    find_eta(work);
    bool spread = climb_spread(work, guess_theta(work));
    double theta = work->theta, likelihood = work->log_likelihood;
    memcpy(found, work->beta, work->k * sizeof *found);
    bool poisson = climb_at(work, INFINITY), ok = spread && poisson;
    if (spread && isfinite(theta) &&
        !(poisson && likelihood - work->log_likelihood < 1e-6)) {
        memcpy(work->beta, found, work->k * sizeof *found);
        work->theta = theta;
        ok = true;
    }
    work->observed = false;
    weigh(work);
    arena_rewind(work->arena, mark);
    return ok;
}

/* Where the likelihood grows for ever with a coefficient, that is large when the steps
 * end, and its error is larger by far; one that is merely steep has an error of its own
 * size. */
static bool check_separation(struct work *work)
{
    for (size_t j = 0; j < work->data->width; j++) {
        double range = 0, low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < work->n; i++) {
            low = fmin(low, work->x[i * work->k + j]);
            high = fmax(high, work->x[i * work->k + j]);
        }
        range = high - low;
        if (fabs(work->beta[j]) * range > 8 &&
            sqrt(work->covariance[j * work->k + j]) > 10 * fabs(work->beta[j]))
            return fails(work,
                         "it tells the outcome apart without exception (separation)", j);
    }
    return true;
}

/* All that is counted has one value of the column, and zeros alone lie to one side of it:
 * the likelihood grows for ever. */
static bool tells_zeros(const struct work *work, size_t column)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};

    for (size_t i = 0; i < work->n; i++) {
        double x = work->x[i * work->k + column];
        bool counted = work->data->y[i] > 0;
        low[counted] = fmin(low[counted], x);
        high[counted] = fmax(high[counted], x);
    }
    return low[1] == high[1] && (low[0] >= low[1] || high[0] <= high[1]);
}

/* The column by which the likelihood seems to grow for ever where there is no top; width:
 * none. A search for theta may end anywhere, whatever its coefficients are then. */
static size_t find_endless(const struct work *work, bool found)
{
    size_t width = work->data->width, worst = 0;

    if (!found && work->data->kind == STATS_COUNTS) {
        while (worst < width && !tells_zeros(work, worst))
            worst++;
        return worst;
    }
    for (size_t j = 1; j < width; j++)
        if (fabs(work->beta[j]) > fabs(work->beta[worst]))
            worst = j;
    return width > 0 && fabs(work->beta[worst]) > 4 ? worst : width;
}

static bool fit(struct work *work)
{
    bool ok = work->data->kind == STATS_COUNTS ? fit_counts(work) : climb(work);

    if (!ok ||
        !stats_matrix_invert(work->information, work->k, work->covariance, work->arena)) {
        size_t column = find_endless(work, ok);
        return fails(
            work,
            column < work->data->width
                ? "it tells the outcome apart without exception (separation)"
            : ok ? "the likelihood has no maximum"
                 : "the search for the maximum of the likelihood did not converge",
            column);
    }
    return check_separation(work);
}

/* Scores of single cases. */

static void linear_scores(const struct work *work, double *scores)
{
    for (size_t i = 0; i < work->n; i++) {
        double slope = point_of(work, i).slope;
        for (size_t a = 0; a < work->k; a++)
            scores[i * work->k + a] = slope * work->x[i * work->k + a];
    }
}

/* A case's score residual: what it adds where it happens, less what it owes while it is
 * at risk (Therneau and Grambsch, "Modeling Survival Data", 2000, 4.2). The sum over all
 * times up to its own is kept as a running one, from the earliest time on. */
static void cox_scores(struct work *work, double *scores)
{
    size_t k = work->k, blocks = 0, deaths;
    struct risk risk = make_risk(work);
    double *hazard = arena_array(work->arena, double, work->n + 1);
    double *moved = arena_array(work->arena, double, work->n *k + 1);
    size_t *begins = arena_array(work->arena, size_t, work->n + 2);
    double *all = arena_array(work->arena, double, k + 1), whole = 0;
    double *mean = arena_array(work->arena, double, k + 1),
           *left = arena_array(work->arena, double, k + 1);

    for (size_t from = 0, end; from < work->n; from = end, blocks++) {
        end = same_time(work, from);
        begins[blocks] = from;
        begins[blocks + 1] = end;
        join_risk(work, &risk, from, end, &deaths);
        double gone = 0; /* what those to whom it happens then do not owe */
        memset(mean, 0, k * sizeof *mean);
        memset(left, 0, k * sizeof *left);
        for (size_t d = 0; d < deaths; d++) {
            double weight = efron_mean(work, &risk, d, deaths);
            double share = (double)d / (double)deaths;
            hazard[blocks] += 1 / weight;
            gone += share / weight;
            for (size_t a = 0; a < k; a++) {
                moved[blocks * k + a] += risk.mean[a] / weight;
                mean[a] += risk.mean[a] / (double)deaths;
                left[a] += share * risk.mean[a] / weight;
            }
        }
        for (size_t o = from; o < end; o++) {
            size_t i = work->order[o];
            for (size_t a = 0; a < k && work->data->happened[i]; a++) {
                double x = work->x[i * k + a];
                scores[i * k + a] +=
                    x - mean[a] + exp(work->eta[i]) * (x * gone - left[a]);
            }
        }
    }
    for (size_t b = blocks; b-- > 0;) { /* from the earliest */
        whole += hazard[b];
        for (size_t a = 0; a < k; a++)
            all[a] += moved[b * k + a];
        for (size_t o = begins[b]; o < begins[b + 1]; o++) {
            size_t i = work->order[o];
            for (size_t a = 0; a < k; a++)
                scores[i * k + a] -=
                    exp(work->eta[i]) * (work->x[i * k + a] * whole - all[a]);
        }
    }
}

/* A column whose scores add up to nothing in each cluster, as of values that are the
 * clusters, or of counts that the model fits exactly, would seem to be free of error.
 * `meat` is of the clusters, `own` of the cases. */
static bool check_scores(struct work *work, const double *meat, const double *own)
{
    size_t k = work->k;

    for (size_t j = 0; j < work->data->width; j++) {
        if (own[j] < 1e-16 * work->information[j * k + j])
            return fails(work, "the model fits exactly, which leaves no robust error", j);
        if (meat[j * k + j] < 1e-12 * own[j])
            return fails(work,
                         "it has no clustered error, as where its values are the "
                         "clusters",
                         j);
    }
    return true;
}

/* covariance becomes V (sum of s s') V. False: a column has no error then. */
static bool make_sandwich(struct work *work)
{
    const struct stats_regression_data *data = work->data;
    size_t k = work->k;
    bool clusters = data->errors == STATS_ERRORS_CLUSTERED;
    size_t groups = clusters ? data->cluster_count : work->n;
    double *scores = arena_array(work->arena, double, work->n *k + 1);
    double *sums = arena_array(work->arena, double, groups *k + 1);
    double *meat = arena_array(work->arena, double, k *k + 1);
    double *half = arena_array(work->arena, double, k *k + 1);
    double *own = arena_array(work->arena, double, k + 1);
    double factor =
        clusters && data->kind != STATS_COX ? (double)groups / (double)(groups - 1) : 1;

    if (data->kind == STATS_COX)
        cox_scores(work, scores);
    else
        linear_scores(work, scores);
    for (size_t i = 0; i < work->n; i++)
        for (size_t a = 0; a < k; a++) {
            sums[(clusters ? data->cluster[i] : i) * k + a] += scores[i * k + a];
            own[a] += scores[i * k + a] * scores[i * k + a];
        }
    for (size_t g = 0; g < groups; g++)
        for (size_t a = 0; a < k; a++)
            for (size_t b = 0; b < k; b++)
                meat[a * k + b] += factor * sums[g * k + a] * sums[g * k + b];
    if (!check_scores(work, meat, own))
        return false;
    for (size_t a = 0; a < k; a++)
        for (size_t b = 0; b < k; b++)
            for (size_t c = 0; c < k; c++)
                half[a * k + b] += work->covariance[a * k + c] * meat[c * k + b];
    for (size_t a = 0; a < k; a++)
        for (size_t b = 0; b < k; b++) {
            double sum = 0;
            for (size_t c = 0; c < k; c++)
                sum += half[a * k + c] * work->covariance[c * k + b];
            meat[a * k + b] = sum;
        }
    memcpy(work->covariance, meat, k * k * sizeof(double));
    return true;
}

/* Terms in the units of the data. */

static void set_term(struct stats_regression_term *term, double estimate, double variance,
                     double level)
{
    double z = stats_normal_quantile(0.5 + level / 2);

    term->estimate = estimate;
    term->std_error = sqrt(variance);
    term->z = estimate / term->std_error;
    term->p = stats_normal_two_sided(term->z);
    term->low = estimate - z * term->std_error;
    term->high = estimate + z * term->std_error;
}

static void set_terms(const struct work *work, struct stats_regression *out)
{
    size_t k = work->k, width = work->data->width;
    double *to = arena_array(work->arena, double, k + 1); /* the intercept's weights */
    double estimate = 0, variance = 0;

    for (size_t j = 0; j < width; j++) {
        double sd = work->sd[j];
        set_term(&out->terms[j], work->beta[j] / sd,
                 work->covariance[j * k + j] / (sd * sd), work->data->level);
        to[j] = -work->mean[j] / sd;
    }
    if (k == width)
        return;
    to[width] = 1;
    for (size_t a = 0; a < k; a++) {
        estimate += to[a] * work->beta[a];
        for (size_t b = 0; b < k; b++)
            variance += to[a] * to[b] * work->covariance[a * k + b];
    }
    set_term(&out->terms[width], estimate, variance, work->data->level);
}

static const size_t all_groups = SIZE_MAX;

/* Wald's chi-square of a group's columns, and its p. NAN: their covariance is singular.
 */
static double wald(const struct work *work, size_t group, double *p)
{
    struct arena_mark mark = arena_mark(work->arena);
    size_t width = work->data->width, k = work->k, n = 0;
    size_t *chosen = arena_array(work->arena, size_t, width + 1);
    double *part, *inverse, sum = 0;

    for (size_t j = 0; j < width; j++)
        if (group == all_groups || group_of(work, j) == group)
            chosen[n++] = j;
    part = arena_array(work->arena, double, n *n + 1);
    inverse = arena_array(work->arena, double, n *n + 1);
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            part[a * n + b] = work->covariance[chosen[a] * k + chosen[b]];
    bool ok = n > 0 && stats_matrix_invert(part, n, inverse, work->arena);
    for (size_t a = 0; a < n && ok; a++)
        for (size_t b = 0; b < n; b++)
            sum += work->beta[chosen[a]] * inverse[a * n + b] * work->beta[chosen[b]];
    arena_rewind(work->arena, mark);
    *p = ok ? stats_chi_square_upper(sum, (double)n) : NAN;
    return ok ? sum : NAN;
}

static void set_wald(const struct work *work, struct stats_regression *out)
{
    size_t width = work->data->width;

    out->wald = wald(work, all_groups, &out->wald_p);
    for (size_t j = 0; j < width; j++) {
        size_t group = group_of(work, j);
        struct stats_regression_term *term = &out->terms[j];
        if (j > 0 && group_of(work, j - 1) == group) {
            term->group_chi_square = term[-1].group_chi_square;
            term->group_p = term[-1].group_p;
            continue;
        }
        term->group_chi_square = wald(work, group, &term->group_p);
    }
}

/* How well it fits. */

/* The likelihood with an intercept alone. */
static double null_likelihood(const struct work *work)
{
    struct stats_regression_data data = *work->data;
    struct work none = {.data = &data, .arena = work->arena, .n = work->n};

    data.width = 0;
    none.k = data.kind == STATS_COX ? 0 : 1;
    none.x = arena_array(work->arena, double, none.n *none.k + 1);
    none.beta = arena_array(work->arena, double, 2);
    none.eta = arena_array(work->arena, double, none.n + 1);
    none.score = arena_array(work->arena, double, 2);
    none.information = arena_array(work->arena, double, 2);
    none.order = work->order;
    none.theta = INFINITY;
    for (size_t i = 0; i < none.n * none.k; i++)
        none.x[i] = 1;
    if (data.kind == STATS_COX)
        weigh(&none);
    else if (!(data.kind == STATS_COUNTS ? fit_counts(&none) : climb(&none)))
        return NAN;
    return none.log_likelihood;
}

struct fitted {
    double eta, y;
};

/* The area under the ROC curve: pairs of a yes and a no that are told apart rightly. */
static double area(const struct work *work)
{
    struct fitted *cases = arena_array(work->arena, struct fitted, work->n + 1);
    double ranks = 0, yes = 0, no;

    for (size_t i = 0; i < work->n; i++)
        cases[i] = (struct fitted){work->eta[i], work->data->y[i]};
    order_records(cases, work->n, sizeof *cases, offsetof(struct fitted, eta));
    for (size_t i = 0, end; i < work->n; i = end) {
        for (end = i; end < work->n && cases[end].eta == cases[i].eta; end++)
            yes += cases[end].y;
        for (size_t j = i; j < end; j++)
            ranks += cases[j].y * ((double)(i + end) + 1) / 2;
    }
    no = (double)work->n - yes;
    return (ranks - yes * (yes + 1) / 2) / (yes * no);
}

/* Pearson's chi-square by its degrees of freedom. */
static double dispersion(const struct work *work)
{
    double sum = 0;

    for (size_t i = 0; i < work->n; i++) {
        double y = work->data->y[i], mu, variance;
        if (work->data->kind == STATS_LOGISTIC) {
            mu = 1 / (1 + exp(-work->eta[i]));
            variance = mu * (1 - mu);
        } else {
            mu = exp(work->eta[i]);
            variance = isinf(work->theta) ? mu : mu + mu * mu / work->theta;
        }
        sum += (y - mu) * (y - mu) / variance;
    }
    return work->n > work->k ? sum / (double)(work->n - work->k) : NAN;
}

/* Do hazards stay in proportion? The score test of coefficients that change with g(t),
 * here 1 less Kaplan-Meier's share just before t, about its mean. */
static void test_hazards(struct work *work, struct stats_regression *out)
{
    size_t k = work->k, wide = 2 * k, deaths, events = 0;
    struct risk risk = make_risk(work);
    double *information = arena_array(work->arena, double, wide *wide + 1);
    double *inverse = arena_array(work->arena, double, wide *wide + 1);
    double *small = arena_array(work->arena, double, (k + 1) * (k + 1) + 1);
    double *score = arena_array(work->arena, double, k + 1);
    double *left = arena_array(work->arena, double, work->n + 1);
    size_t *begins = arena_array(work->arena, size_t, work->n + 2);
    double mean = 0, now = 1, chi = 0;
    size_t blocks = 0;

    for (size_t from = 0, end; from < work->n; from = end) {
        begins[blocks++] = from;
        begins[blocks] = end = same_time(work, from);
    }
    for (size_t b = blocks; b-- > 0;) {
        size_t happened = 0;
        left[b] = 1 - now;
        for (size_t o = begins[b]; o < begins[b + 1]; o++)
            happened += work->data->happened[work->order[o]];
        events += happened;
        mean += (double)happened * left[b];
        now *= 1 - (double)happened / (double)begins[b + 1];
    }
    mean /= (double)events;
    for (size_t b = 0; b < blocks; b++) {
        double g = left[b] - mean;
        join_risk(work, &risk, begins[b], begins[b + 1], &deaths);
        for (size_t o = begins[b]; o < begins[b + 1]; o++)
            for (size_t a = 0; a < k && work->data->happened[work->order[o]]; a++)
                score[a] += g * work->x[work->order[o] * k + a];
        for (size_t d = 0; d < deaths; d++) {
            double weight = efron_mean(work, &risk, d, deaths);
            for (size_t a = 0; a < k; a++) {
                score[a] -= g * risk.mean[a];
                for (size_t c = 0; c <= a; c++) {
                    double v = efron_variance(work, &risk, d, deaths, weight, a, c);
                    information[a * wide + c] += v;
                    information[(a + k) * wide + c] += g * v;
                    information[(c + k) * wide + a] += a == c ? 0 : g * v;
                    information[(a + k) * wide + c + k] += g * g * v;
                }
            }
        }
    }
    mirror(information, wide);
    for (size_t j = 0; j < k; j++) {
        for (size_t a = 0; a <= k; a++)
            for (size_t c = 0; c <= k; c++)
                small[a * (k + 1) + c] =
                    information[(a < k ? a : k + j) * wide + (c < k ? c : k + j)];
        if (stats_matrix_invert(small, k + 1, inverse, work->arena))
            out->terms[j].ph_p = stats_chi_square_upper(
                score[j] * score[j] * inverse[(k + 1) * (k + 1) - 1], 1);
    }
    if (!stats_matrix_invert(information, wide, inverse, work->arena))
        return;
    for (size_t a = 0; a < k; a++)
        for (size_t c = 0; c < k; c++)
            chi += score[a] * score[c] * inverse[(a + k) * wide + c + k];
    out->ph_p = stats_chi_square_upper(chi, (double)k);
}

static int64_t count_events(const struct stats_regression_data *data)
{
    int64_t yes = 0;

    for (size_t i = 0; i < data->count; i++)
        yes += data->kind == STATS_COX ? data->happened[i] : data->y[i] > 0;
    if (data->kind == STATS_LOGISTIC && 2 * yes > (int64_t)data->count)
        yes = (int64_t)data->count - yes;
    return yes;
}

static void set_fit(struct work *work, struct stats_regression *out)
{
    const struct stats_regression_data *data = work->data;

    out->log_likelihood = work->log_likelihood;
    out->null_log_likelihood = null_likelihood(work);
    out->chi_square = 2 * (out->log_likelihood - out->null_log_likelihood);
    out->df = (double)data->width;
    if (!isnan(out->chi_square))
        out->p = stats_chi_square_upper(fmax(0, out->chi_square), out->df);
    if (data->kind == STATS_COX) {
        test_hazards(work, out);
    } else {
        out->dispersion = dispersion(work);
        out->concordance = data->kind == STATS_LOGISTIC ? area(work) : NAN;
    }
}

/* Cases by time, the latest first, so that those at risk grow. */
static void order_by_time(struct work *work)
{
    work->order = order_places(work->data->y, work->n, true, work->arena);
}

static struct work open_work(const struct stats_regression_data *data,
                             struct arena *arena)
{
    struct work work = {.data = data, .arena = arena, .n = data->count};

    work.k = data->width + (data->kind != STATS_COX);
    work.column = data->width;
    work.theta = INFINITY;
    work.x = arena_array(arena, double, work.n *work.k + 1);
    work.mean = arena_array(arena, double, work.k + 1);
    work.sd = arena_array(arena, double, work.k + 1);
    work.beta = arena_array(arena, double, work.k + 1);
    work.eta = arena_array(arena, double, work.n + 1);
    work.score = arena_array(arena, double, work.k + 1);
    work.information = arena_array(arena, double, work.k *work.k + 1);
    work.covariance = arena_array(arena, double, work.k *work.k + 1);
    if (data->kind == STATS_COX)
        order_by_time(&work);
    return work;
}

static bool check_data(struct work *work)
{
    const struct stats_regression_data *data = work->data;
    const char *problem = outcome_problem(data);

    if (data->count <= work->k + 1)
        return fails(work, "there are fewer cases than the model has to find",
                     data->width);
    if (problem != NULL)
        return fails(work, problem, data->width);
    if ((data->errors == STATS_ERRORS_CLUSTERED || data->random) &&
        data->cluster_count < 2)
        return fails(work, "all cases are in one cluster", data->width);
    /* Of yes or no: a single one says nothing of how its cluster differs. Of times: what
     * looks like frailties is only that hazards are not in proportion. */
    if (data->random && data->kind != STATS_COUNTS && data->cluster_count >= data->count)
        return fails(work, "every cluster has one case", data->width);
    return true;
}

/* What coefficients are beside intercepts that differ by cluster. */
static bool add_random(struct work *work, struct stats_regression *out)
{
    const struct stats_regression_data *data = work->data;
    const char *undefined;
    bool differ;

    if (data->kind == STATS_COX) {
        struct stats_frailty found = stats_frailty(
            &(struct stats_frailty_data){.x = work->x,
                                         .y = data->y,
                                         .happened = data->happened,
                                         .order = work->order,
                                         .cluster = data->cluster,
                                         .count = work->n,
                                         .width = work->k,
                                         .cluster_count = data->cluster_count,
                                         .beta = work->beta,
                                         .covariance = work->covariance},
            work->arena);
        undefined = found.undefined;
        out->frailty = found.variance;
        differ = found.variance != 0;
        if (differ)
            work->log_likelihood = found.log_likelihood;
    } else {
        struct stats_intercepts found = stats_intercepts(
            &(struct stats_intercepts_data){
                .x = work->x,
                .y = data->y,
                .cluster = data->cluster,
                .count = work->n,
                .width = work->k,
                .cluster_count = data->cluster_count,
                .theta = data->kind == STATS_COUNTS ? work->theta : NAN,
                .beta = work->beta,
                .covariance = work->covariance},
            work->arena);
        undefined = found.undefined;
        out->deviation = found.deviation;
        work->theta = found.theta;
        differ = found.deviation != 0;
        if (differ)
            work->log_likelihood = found.log_likelihood;
    }
    out->random_chi_square =
        differ ? 2 * (work->log_likelihood - out->log_likelihood) : 0;
    out->random_p = !differ ? 1
                    : undefined != NULL
                        ? NAN
                        : stats_chi_square_upper(fmax(0, out->random_chi_square), 1) / 2;
    out->log_likelihood = work->log_likelihood;
    out->chi_square = out->p = NAN; /* against what is left to the reader */
    if (differ) {                   /* they are those without random intercepts */
        out->dispersion = out->concordance = out->ph_p = NAN;
        for (size_t j = 0; j < data->width; j++)
            out->terms[j].ph_p = NAN;
    }
    return undefined == NULL || fails(work, undefined, data->width);
}

struct stats_regression stats_regression(const struct stats_regression_data *data,
                                         struct arena *arena)
{
    struct work work = open_work(data, arena);
    struct stats_regression out = {.log_likelihood = NAN,
                                   .null_log_likelihood = NAN,
                                   .chi_square = NAN,
                                   .df = NAN,
                                   .p = NAN,
                                   .wald = NAN,
                                   .wald_p = NAN,
                                   .aic = NAN,
                                   .theta = NAN,
                                   .deviation = NAN,
                                   .frailty = NAN,
                                   .random_chi_square = NAN,
                                   .random_p = NAN,
                                   .dispersion = NAN,
                                   .concordance = NAN,
                                   .ph_p = NAN,
                                   .events = count_events(data),
                                   .column = data->width};
    bool ok;

    assert(data->level > 0 && data->level < 1);
    out.terms = arena_array(arena, struct stats_regression_term, work.k + 1);
    out.term_count = work.k;
    for (size_t j = 0; j < work.k; j++)
        out.terms[j] = (struct stats_regression_term){NAN, NAN, NAN, NAN, NAN, NAN,
                                                      NAN, 0,   NAN, NAN, NAN};
    ok = check_data(&work) && standardise(&work) && find_vif(&work, out.terms) &&
         fit(&work);
    if (ok) {
        set_fit(&work, &out);
        if (data->random)
            ok = add_random(&work, &out);
        else if (data->errors != STATS_ERRORS_PLAIN)
            ok = make_sandwich(&work);
    }
    if (ok) {
        set_terms(&work, &out);
        set_wald(&work, &out);
    }
    out.theta = data->kind == STATS_COUNTS && ok ? work.theta : NAN;
    out.aic = -2 * out.log_likelihood +
              2 * ((double)work.k + data->random +
                   (data->kind == STATS_COUNTS && isfinite(work.theta)));
    out.undefined = work.undefined;
    out.column = work.column;
    return out;
}
