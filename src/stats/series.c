/* Least squares of four terms, solved by elimination; and parts of constant mean by
 * dynamic programming. */
#include "stats/series.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "stats/distribution.h"

enum { TERMS = STATS_SERIES_TERMS };

static void terms_at(size_t i, size_t at, double out[TERMS])
{
    bool after = i >= at;

    out[STATS_SERIES_LEVEL] = 1;
    out[STATS_SERIES_SLOPE] = (double)i;
    out[STATS_SERIES_STEP] = after;
    out[STATS_SERIES_BEND] = after ? (double)(i - at) : 0;
}

/* The inverse of a positive definite matrix; false when it has none. */
static bool invert(double a[TERMS][TERMS], double out[TERMS][TERMS])
{
    for (size_t r = 0; r < TERMS; r++)
        for (size_t c = 0; c < TERMS; c++)
            out[r][c] = r == c;
    for (size_t c = 0; c < TERMS; c++) {
        double pivot = a[c][c];
        if (!(pivot > 1e-12))
            return false;
        for (size_t i = 0; i < TERMS; i++) {
            a[c][i] /= pivot;
            out[c][i] /= pivot;
        }
        for (size_t r = 0; r < TERMS; r++) {
            double by = r == c ? 0 : a[r][c];
            for (size_t i = 0; i < TERMS; i++) {
                a[r][i] -= by * a[c][i];
                out[r][i] -= by * out[c][i];
            }
        }
    }
    return true;
}

/* What is left at i. */
static double left_at(struct stats_values series, size_t i, size_t at,
                      const double by[TERMS])
{
    double x[TERMS], left = series.at[i];

    terms_at(i, at, x);
    for (size_t k = 0; k < TERMS; k++)
        left -= x[k] * by[k];
    return left;
}

/* The middle of the sandwich: products of terms times what is left, of neighbours up to
 * so many lags with weights that fall. */
static void add_products(struct stats_values series, size_t at, const double by[TERMS],
                         size_t lags, double out[TERMS][TERMS])
{
    memset(out, 0, TERMS * sizeof *out);
    for (size_t lag = 0; lag <= lags; lag++) {
        double weight = 1 - (double)lag / ((double)lags + 1);
        for (size_t i = lag; i < series.count; i++) {
            double x[TERMS], y[TERMS];
            terms_at(i, at, x);
            terms_at(i - lag, at, y);
            double both =
                weight * left_at(series, i, at, by) * left_at(series, i - lag, at, by);
            for (size_t r = 0; r < TERMS; r++)
                for (size_t c = 0; c < TERMS; c++)
                    out[r][c] +=
                        both * (lag == 0 ? x[r] * x[c] : x[r] * y[c] + y[r] * x[c]);
        }
    }
}

static double durbin_watson(struct stats_values series, size_t at, const double by[TERMS])
{
    double apart = 0, all = 0;

    for (size_t i = 0; i < series.count; i++) {
        double left = left_at(series, i, at, by);
        all += left * left;
        if (i > 0) {
            double step = left - left_at(series, i - 1, at, by);
            apart += step * step;
        }
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
static bool lies_on_lines(struct stats_values series, size_t count, size_t at,
                          const double by[TERMS])
{
    double left = 0;

    for (size_t i = 0; i < count; i++)
        left = fmax(left, fabs(left_at(series, i, at, by)));
    return left <= rounding(series);
}

struct stats_series_interrupted
stats_series_interrupted(struct stats_values series, size_t at, size_t lags, double level)
{
    struct stats_series_interrupted out = {.undefined = stats_values_problem(series, 8)};
    double normal[TERMS][TERMS] = {{0}}, inverse[TERMS][TERMS], middle[TERMS][TERMS];
    double right[TERMS] = {0}, by[TERMS] = {0}, n = (double)series.count;

    if (out.undefined == NULL && (at < 3 || at + 3 > series.count))
        out.undefined = "there are fewer than 3 values before the event, or after it";
    for (size_t i = 0; out.undefined == NULL && i < series.count; i++) {
        double x[TERMS];
        terms_at(i, at, x);
        for (size_t r = 0; r < TERMS; r++) {
            right[r] += x[r] * series.at[i];
            for (size_t c = 0; c < TERMS; c++)
                normal[r][c] += x[r] * x[c];
        }
    }
    if (out.undefined == NULL && !invert(normal, inverse))
        out.undefined = "the terms cannot be told apart";
    if (out.undefined != NULL)
        return out;
    out.lags = lags != SIZE_MAX ? lags : (size_t)floor(4 * pow(n / 100, 2.0 / 9));
    if (out.lags >= series.count)
        out.lags = series.count - 1;
    out.df = n - TERMS;
    for (size_t r = 0; r < TERMS; r++)
        for (size_t c = 0; c < TERMS; c++)
            by[r] += inverse[r][c] * right[c];
    if (lies_on_lines(series, series.count, at, by)) {
        out.undefined = "the values lie on a line before the event and on a line after "
                        "it, so that there is no noise to go by";
        return out;
    }
    add_products(series, at, by, out.lags, middle);
    bool known = !lies_on_lines(series, at, at, by); /* errors of what was before */
    double quantile = stats_t_quantile(0.5 + level / 2, out.df);
    for (size_t k = 0; k < TERMS; k++) {
        double variance = 0;
        for (size_t r = 0; r < TERMS; r++)
            for (size_t c = 0; c < TERMS; c++)
                variance += inverse[k][r] * middle[r][c] * inverse[c][k];
        double error = sqrt(fmax(variance * n / out.df, 0));
        if (!known && (k == STATS_SERIES_LEVEL || k == STATS_SERIES_SLOPE))
            error = NAN;
        double estimate = fabs(by[k]) > rounding(series) ? by[k] : 0;
        out.terms[k] = (struct stats_series_estimate){
            estimate, error, estimate - quantile * error, estimate + quantile * error,
            error > 0 ? stats_t_two_sided(estimate / error, out.df) : NAN};
    }
    out.durbin_watson = durbin_watson(series, at, by);
    return out;
}

/* Sums up to each place. */
struct sums {
    double *values, *squares;
};

static double cost(const struct sums *sums, size_t from, size_t to)
{
    double sum = sums->values[to] - sums->values[from];
    double all =
        sums->squares[to] - sums->squares[from] - sum * sum / (double)(to - from);

    return fmax(all, 0);
}

/* How much the best single step takes from the squares. */
static double best_step(const double *values, size_t count, size_t least)
{
    double all = 0, before = 0, best = 0;

    for (size_t i = 0; i < count; i++)
        all += values[i];
    for (size_t i = 0; i + least <= count; i++) {
        double n = (double)i, m = (double)(count - i);
        if (i >= least) {
            double apart = before / n - (all - before) / m;
            best = fmax(best, apart * apart * n * m / (n + m));
        }
        before += values[i];
    }
    return best;
}

static double p_of_step(struct stats_values series, size_t least, size_t resamples,
                        uint64_t seed, struct arena *arena)
{
    double *drawn = arena_array(arena, double, series.count);
    double seen = best_step(series.at, series.count, least), reached = 1;

    for (size_t r = 0; r < resamples; r++) {
        struct rng rng = rng_stream(seed, 9, r);
        memcpy(drawn, series.at, series.count * sizeof *drawn);
        for (size_t i = series.count; i > 1; i--) {
            size_t other = (size_t)rng_below(&rng, i);
            double kept = drawn[i - 1];
            drawn[i - 1] = drawn[other];
            drawn[other] = kept;
        }
        reached += best_step(drawn, series.count, least) >= seen * (1 - 1e-12);
    }
    return reached / ((double)resamples + 1);
}

/* Half the mean square of differences would count steps as noise; their median does not.
 * A difference of two normal values has the median of |difference| 0.9539 deviations. */
static double noise_of(struct stats_values series, struct arena *arena)
{
    double *apart = arena_array(arena, double, series.count);

    for (size_t i = 1; i < series.count; i++)
        apart[i - 1] = fabs(series.at[i] - series.at[i - 1]);
    return stats_median((struct stats_values){apart, series.count - 1}, arena) /
           (stats_normal_quantile(0.75) * sqrt(2));
}

/* Where the best division of the first `to` values has its last part begin. */
static void divide(const struct sums *sums, size_t count, size_t least, double penalty,
                   size_t *begins, struct arena *arena)
{
    double *best = arena_array(arena, double, count + 1);

    best[0] = -penalty;
    for (size_t to = least; to <= count; to++) {
        best[to] = INFINITY;
        for (size_t from = 0; from + least <= to; from++) {
            if (from > 0 && from < least)
                continue; /* what is before it is too short */
            double total = best[from] + cost(sums, from, to) + penalty;
            if (total < best[to]) {
                best[to] = total;
                begins[to] = from;
            }
        }
    }
}

struct stats_series_changes stats_series_changes(struct stats_values series, size_t least,
                                                 size_t resamples, uint64_t seed,
                                                 struct arena *arena)
{
    size_t count = series.count;
    struct stats_series_changes out = {.undefined =
                                           stats_values_problem(series, 2 * least),
                                       .penalty = NAN,
                                       .noise = NAN,
                                       .p = NAN};

    if (out.undefined != NULL)
        return out;
    struct sums sums = {arena_array(arena, double, count + 1),
                        arena_array(arena, double, count + 1)};
    size_t *begins = arena_array(arena, size_t, count + 1);
    double mean = stats_mean(series);
    for (size_t i = 0; i < count; i++) {
        double off = series.at[i] - mean;
        sums.values[i + 1] = sums.values[i] + off;
        sums.squares[i + 1] = sums.squares[i] + off * off;
    }
    out.noise = noise_of(series, arena);
    out.penalty = 2 * log((double)count);
    if (out.noise <= 0) {
        out.undefined = "most neighbours are equal, so that there is no noise to go by";
        return out;
    }
    divide(&sums, count, least, out.penalty * out.noise * out.noise, begins, arena);
    out.at = arena_array(arena, size_t, count + 1);
    for (size_t to = count; begins[to] > 0; to = begins[to])
        out.at[out.count++] = begins[to];
    for (size_t i = 0; i < out.count / 2; i++) {
        size_t kept = out.at[i];
        out.at[i] = out.at[out.count - 1 - i];
        out.at[out.count - 1 - i] = kept;
    }
    out.p = p_of_step(series, least, resamples, seed, arena);
    return out;
}
