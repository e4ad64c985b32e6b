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

/* What a line by least squares leaves; its slope is returned. */
static double take_line(double *values, size_t count)
{
    double middle = ((double)count - 1) / 2, mean = 0, both = 0, all = 0;

    for (size_t i = 0; i < count; i++)
        mean += values[i] / (double)count;
    for (size_t i = 0; i < count; i++) {
        double t = (double)i - middle;
        both += t * (values[i] - mean);
        all += t * t;
    }
    for (size_t i = 0; i < count; i++)
        values[i] -= mean + both / all * ((double)i - middle);
    return both / all;
}

/* How much the best single step beside a line takes from the squares that the line
 * leaves: with M the projection off the line and s the step, (s'My)^2 / s'Ms. */
static double best_step(const double *left, size_t count, size_t least)
{
    double n = (double)count, after = 0, best = 0;

    for (size_t i = count; i-- > least;) {
        double m = (double)(count - i), off = m * (n - m) / 2; /* s't around its mean */
        after += left[i];
        double own = m - m * m / n - off * off / (n * (n * n - 1) / 12);
        if (count - i >= least)
            best = fmax(best, after * after / own);
    }
    return best;
}

static double p_of_step(struct stats_values series, size_t least, size_t resamples,
                        uint64_t seed, struct arena *arena)
{
    double *left = arena_array(arena, double, series.count);
    double *drawn = arena_array(arena, double, series.count), reached = 1;

    memcpy(left, series.at, series.count * sizeof *left);
    take_line(left, series.count);
    double seen = best_step(left, series.count, least);
    for (size_t r = 0; r < resamples; r++) {
        struct rng rng = rng_stream(seed, 9, r);
        memcpy(drawn, left, series.count * sizeof *drawn);
        for (size_t i = series.count; i > 1; i--) {
            size_t other = (size_t)rng_below(&rng, i);
            double kept = drawn[i - 1];
            drawn[i - 1] = drawn[other];
            drawn[other] = kept;
        }
        take_line(drawn, series.count);
        reached += best_step(drawn, series.count, least) >= seen * (1 - 1e-12);
    }
    return reached / ((double)resamples + 1);
}

/* Half the mean square of differences would count steps as noise; the median of how far
 * they are from their own median, the slope, does not. A difference of two normal values
 * has the median of |difference| 0.9539 deviations. */
static double noise_of(struct stats_values series, struct arena *arena)
{
    double *apart = arena_array(arena, double, series.count);
    struct stats_values all = {apart, series.count - 1};

    for (size_t i = 1; i < series.count; i++)
        apart[i - 1] = series.at[i] - series.at[i - 1];
    double slope = stats_median(all, arena);
    for (size_t i = 0; i < all.count; i++)
        apart[i] = fabs(apart[i] - slope);
    return stats_median(all, arena) / (stats_normal_quantile(0.75) * sqrt(2));
}

/* One division and its slope. */
struct series_division {
    size_t *begins; /* of the last part of the best division of so many values */
    double slope, total;
};

struct series_divider {
    struct stats_values series;
    size_t least;
    double penalty;
    struct sums sums;
    double *best;
    size_t *open; /* where the last part may still begin */
    size_t *ends; /* from where on it may not; 0: not known */
    double *totals;
};

/* Where a part up to `to` costs more than the best division, a later one that begins
 * there does as well: what follows can begin at `to`, once it is long enough (Killick,
 * Fearnhead and Eckley, JASA 107, 2012). The more parts there are, the fewer places stay
 * open. */
static size_t close_places(const struct series_divider *search, size_t open, size_t to)
{
    double rounding_error = 1e-12 * search->sums.squares[search->series.count];
    double most = search->best[to] + search->penalty + rounding_error;
    size_t left = 0;

    for (size_t i = 0; i < open; i++) {
        size_t from = search->open[i];
        if (search->ends[from] == 0 && search->totals[i] > most)
            search->ends[from] = to + search->least;
        if (search->ends[from] == 0 || search->ends[from] > to + 1)
            search->open[left++] = from;
    }
    return left;
}

/* The best division around a slope, with the total of squares and penalties. */
static void divide(const struct series_divider *search, struct series_division *it)
{
    size_t count = search->series.count, least = search->least, open = 0;
    double *best = search->best, middle = ((double)count - 1) / 2;
    double mean = stats_mean(search->series);

    for (size_t i = 0; i < count; i++) {
        double off = search->series.at[i] - mean - it->slope * ((double)i - middle);
        search->sums.values[i + 1] = search->sums.values[i] + off;
        search->sums.squares[i + 1] = search->sums.squares[i] + off * off;
    }
    memset(search->ends, 0, (count + 1) * sizeof *search->ends);
    best[0] = -search->penalty;
    for (size_t to = least; to <= count; to++) {
        if (to == least || to >= 2 * least) /* else what is before it is too short */
            search->open[open++] = to - least;
        best[to] = INFINITY;
        for (size_t i = 0; i < open; i++) {
            size_t from = search->open[i];
            double total = best[from] + cost(&search->sums, from, to) + search->penalty;
            search->totals[i] = total;
            if (total < best[to]) {
                best[to] = total;
                it->begins[to] = from;
            }
        }
        open = close_places(search, open, to);
    }
    it->total = best[count];
}

/* The slope that the parts of a division share, by least squares. */
static double slope_of(struct stats_values series, const size_t *begins)
{
    double both = 0, all = 0;

    for (size_t to = series.count; to > 0; to = begins[to]) {
        size_t from = begins[to];
        double n = (double)(to - from), mean = 0;
        for (size_t i = from; i < to; i++)
            mean += series.at[i] / n;
        for (size_t i = from; i < to; i++) {
            double t = (double)(i - from) - (n - 1) / 2;
            both += t * (series.at[i] - mean);
            all += t * t;
        }
    }
    return both / all;
}

enum { SLOPES = 33, TURNS = 20 };

/* The same division has the same slope, to the last bit. */
static bool is_among(const double *slopes, size_t count, double slope)
{
    for (size_t i = 0; i < count; i++)
        if (slopes[i] == slope)
            return true;
    return false;
}

/* The total has many valleys, so that it is gone down from many slopes: none, and others
 * around that of the line, which steps bring away from their own by less than the range
 * over the length, times 2. Ways that meet are gone once. */
static struct series_division search_all(const struct series_divider *search,
                                         struct arena *arena)
{
    struct stats_values series = search->series;
    double *line = arena_array(arena, double, series.count);
    double low = series.at[0], high = series.at[0];
    struct series_division out = {arena_array(arena, size_t, series.count + 1), 0,
                                  INFINITY};
    struct series_division it = {arena_array(arena, size_t, series.count + 1), 0,
                                 INFINITY};
    double gone[(SLOPES + 1) * TURNS];
    size_t gone_count = 0;

    memcpy(line, series.at, series.count * sizeof *line);
    double middle = take_line(line, series.count);
    for (size_t i = 0; i < series.count; i++) {
        low = fmin(low, series.at[i]);
        high = fmax(high, series.at[i]);
    }
    double range = 2 * (high - low) / (double)(series.count - 1);
    for (int s = -1; s < SLOPES; s++) {
        double before = INFINITY;
        it.slope = s < 0 ? 0 : middle + range * (2.0 * s / (SLOPES - 1) - 1);
        divide(search, &it);
        for (int turn = 0; turn < TURNS && it.total < before * (1 - 1e-12); turn++) {
            double slope = slope_of(series, it.begins);
            if (is_among(gone, gone_count, slope))
                break;
            gone[gone_count++] = it.slope = slope;
            before = it.total;
            divide(search, &it);
        }
        if (it.total < out.total * (1 - 1e-9)) {
            struct series_division kept = out;
            out = it;
            it = kept;
        }
    }
    return out;
}

/* The mean of what the slope leaves of a part; it is 0 at the first value. */
static double level_of(struct stats_values series, double slope, size_t from, size_t to)
{
    double mean = 0;

    for (size_t i = from; i < to; i++)
        mean += (series.at[i] - slope * (double)i) / (double)(to - from);
    return mean;
}

static void list_steps(struct stats_values series, const struct series_division *it,
                       struct stats_series_changes *out, struct arena *arena)
{
    out->at = arena_array(arena, size_t, series.count + 1);
    out->steps = arena_array(arena, double, series.count + 1);
    for (size_t to = it->begins[series.count]; to > 0; to = it->begins[to])
        out->count++;
    size_t i = out->count, end = series.count;
    for (size_t at = it->begins[end]; at > 0; end = at, at = it->begins[at]) {
        out->at[--i] = at;
        out->steps[i] = level_of(series, it->slope, at, end) -
                        level_of(series, it->slope, it->begins[at], at);
    }
}

struct stats_series_changes stats_series_changes(struct stats_values series,
                                                 const struct stats_series_search *how,
                                                 struct arena *arena)
{
    size_t count = series.count;
    struct stats_series_changes out = {.undefined =
                                           stats_values_problem(series, 2 * how->least),
                                       .slope = NAN,
                                       .penalty = NAN,
                                       .noise = NAN,
                                       .p = NAN};

    if (out.undefined != NULL)
        return out;
    out.noise = noise_of(series, arena);
    out.penalty = 2 * log((double)count);
    if (out.noise <= rounding(series)) {
        out.undefined = "most neighbours differ by the same, so that there is no noise "
                        "to go by";
        return out;
    }
    out.p = p_of_step(series, how->least, how->resamples, how->seed, arena);
    struct series_division found;
    if (out.p > how->error) { /* the line alone */
        found.begins = arena_array(arena, size_t, count + 1);
    } else {
        struct series_divider search = {series,
                                        how->least,
                                        out.penalty * out.noise * out.noise,
                                        {arena_array(arena, double, count + 1),
                                         arena_array(arena, double, count + 1)},
                                        arena_array(arena, double, count + 1),
                                        arena_array(arena, size_t, count + 1),
                                        arena_array(arena, size_t, count + 1),
                                        arena_array(arena, double, count + 1)};
        found = search_all(&search, arena);
    }
    out.slope = slope_of(series, found.begins);
    found.slope = out.slope;
    list_steps(series, &found, &out, arena);
    return out;
}
