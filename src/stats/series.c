/* Least squares of four terms and a season. */
#include "stats/series.h"

#include <math.h>
#include <string.h>

#include "stats/distribution.h"
#include "stats/internal.h"

enum { TERMS = STATS_SERIES_TERMS };

const char *stats_series_problem(struct stats_values series, size_t least,
                                 struct stats_season season)
{
    const char *problem = stats_values_problem(series, least);

    if (problem == NULL && season.count > 1 &&
        (series.count < 2 * season.count || series.count < season.count + least))
        problem = "there are fewer than two whole seasons";
    return problem;
}

/* The four terms, and how far phases are from the mean of all, but the first, which
 * follows from the others. */
static size_t term_count(struct stats_season season)
{
    return TERMS + (season.count > 1 ? season.count - 1 : 0);
}

static void terms_at(size_t i, size_t at, struct stats_season season, double *out)
{
    bool after = i >= at;

    out[STATS_SERIES_LEVEL] = 1;
    out[STATS_SERIES_SLOPE] = (double)i;
    out[STATS_SERIES_STEP] = after;
    out[STATS_SERIES_BEND] = after ? (double)(i - at) : 0;
    for (size_t phase = 1; phase < season.count; phase++)
        out[TERMS + phase - 1] = season.phase[i] == phase ? 1
                                 : season.phase[i] == 0   ? -1
                                                          : 0;
}

/* Work on one series. */
struct series_fit {
    struct stats_values series;
    double *x; /* terms of each value */
    size_t count;
    double *by, *left;
};

static void open_fit(struct series_fit *fit, size_t at, struct stats_season season,
                     struct arena *arena)
{
    size_t n = fit->series.count;

    fit->count = term_count(season);
    fit->x = arena_array(arena, double, n * fit->count);
    fit->by = arena_array(arena, double, fit->count);
    fit->left = arena_array(arena, double, n);
    for (size_t i = 0; i < n; i++)
        terms_at(i, at, season, fit->x + i * fit->count);
}

/* Coefficients by least squares, and what they leave. False: terms follow from others. */
static bool find_coefficients(struct series_fit *fit, double *inverse,
                              struct arena *arena)
{
    size_t k = fit->count;
    double *normal = arena_array(arena, double, k *k),
           *right = arena_array(arena, double, k);

    for (size_t i = 0; i < fit->series.count; i++)
        for (size_t r = 0; r < k; r++) {
            const double *x = fit->x + i * k;
            right[r] += x[r] * fit->series.at[i];
            for (size_t c = 0; c < k; c++)
                normal[r * k + c] += x[r] * x[c];
        }
    if (!stats_matrix_invert(normal, k, inverse, arena))
        return false;
    for (size_t r = 0; r < k; r++)
        for (size_t c = 0; c < k; c++)
            fit->by[r] += inverse[r * k + c] * right[c];
    for (size_t i = 0; i < fit->series.count; i++) {
        fit->left[i] = fit->series.at[i];
        for (size_t r = 0; r < k; r++)
            fit->left[i] -= fit->by[r] * fit->x[i * k + r];
    }
    return true;
}

/* The middle of the sandwich: products of terms times what is left, of neighbours up to
 * so many lags with weights that fall. */
static void add_products(const struct series_fit *fit, size_t lags, double *out)
{
    size_t k = fit->count;

    for (size_t lag = 0; lag <= lags; lag++) {
        double weight = 1 - (double)lag / ((double)lags + 1);
        for (size_t i = lag; i < fit->series.count; i++) {
            const double *x = fit->x + i * k, *y = fit->x + (i - lag) * k;
            double both = weight * fit->left[i] * fit->left[i - lag];
            for (size_t r = 0; r < k; r++)
                for (size_t c = 0; c < k; c++)
                    out[r * k + c] +=
                        both * (lag == 0 ? x[r] * x[c] : x[r] * y[c] + y[r] * x[c]);
        }
    }
}

static double durbin_watson(const struct series_fit *fit)
{
    double apart = 0, all = 0;

    for (size_t i = 0; i < fit->series.count; i++) {
        all += fit->left[i] * fit->left[i];
        if (i > 0)
            apart += pow(fit->left[i] - fit->left[i - 1], 2);
    }
    return all > 0 ? apart / all : NAN;
}

/* What is below it is what rounding leaves. */
static double rounding(struct stats_values series)
{
    double largest = 0;

    for (size_t i = 0; i < series.count; i++)
        largest = fmax(largest, fabs(series.at[i]));
    return 1e-10 * largest;
}

/* The first so many values. */
static bool lies_on_lines(const struct series_fit *fit, size_t count)
{
    double left = 0;

    for (size_t i = 0; i < count; i++)
        left = fmax(left, fabs(fit->left[i]));
    return left <= rounding(fit->series);
}

static double variance_of(const double *inverse, const double *middle, size_t k,
                          size_t term)
{
    double variance = 0;

    for (size_t r = 0; r < k; r++)
        for (size_t c = 0; c < k; c++)
            variance += inverse[term * k + r] * middle[r * k + c] * inverse[c * k + term];
    return fmax(variance, 0);
}

struct stats_series_interrupted
stats_series_interrupted(struct stats_values series,
                         const struct stats_series_event *event, struct arena *arena)
{
    struct stats_season season = event->season;
    size_t at = event->at, k = term_count(season);
    struct stats_series_interrupted out = {.undefined =
                                               stats_series_problem(series, 8, season)};
    struct series_fit fit = {.series = series};
    double *inverse = arena_array(arena, double, k *k), n = (double)series.count;
    double *middle = arena_array(arena, double, k *k);

    if (out.undefined == NULL && (at < 3 || at + 3 > series.count))
        out.undefined = "there are fewer than 3 values before the event, or after it";
    if (out.undefined == NULL) {
        open_fit(&fit, at, season, arena);
        if (!find_coefficients(&fit, inverse, arena))
            out.undefined = "the terms cannot be told apart";
        else if (lies_on_lines(&fit, series.count))
            out.undefined =
                "the values lie on a line before the event and on a line after "
                "it, so that there is no noise to go by";
    }
    if (out.undefined != NULL)
        return out;
    out.lags =
        event->lags != SIZE_MAX ? event->lags : (size_t)floor(4 * pow(n / 100, 2.0 / 9));
    if (out.lags >= series.count)
        out.lags = series.count - 1;
    out.df = n - (double)k;
    add_products(&fit, out.lags, middle);
    bool known = !lies_on_lines(&fit, at); /* errors of what was before */
    double quantile = stats_t_quantile(0.5 + event->level / 2, out.df);
    for (size_t t = 0; t < TERMS; t++) {
        double error = sqrt(variance_of(inverse, middle, k, t) * n / out.df);
        if (!known && (t == STATS_SERIES_LEVEL || t == STATS_SERIES_SLOPE))
            error = NAN;
        double estimate = fabs(fit.by[t]) > rounding(series) ? fit.by[t] : 0;
        out.terms[t] = (struct stats_series_estimate){
            estimate, error, estimate - quantile * error, estimate + quantile * error,
            error > 0 ? stats_t_two_sided(estimate / error, out.df) : NAN};
    }
    out.durbin_watson = durbin_watson(&fit);
    return out;
}
