/* Cox's regression in which each cluster has a frailty of its own, gamma distributed with
 * mean 1: its hazards are all multiplied by it. For a given variance the likelihood is
 * highest where a penalised one of coefficients and logarithms of frailties is (Therneau,
 * Grambsch and Pankratz, J. Computational and Graphical Statistics 12, 2003,
 * section 3.2); Newton's steps to there are solved by conjugate gradients, so that
 * thousands of clusters need no matrix. The variance is where the slope of that highest
 * likelihood is 0. */
#include <math.h>
#include <string.h>

#include "stats/distribution.h"
#include "stats/internal.h"

enum { NEWTON_MAX = 100, SOLVE_MAX = 1000, ROOT_MAX = 100 };

/* Logarithms of variances that are tried: 1e-4 to some 150. */
static const double log_variance_min = -9.2, log_variance_max = 5;

/* Cases of one time, in the order latest first. */
struct frailty_time {
    size_t from, end, deaths;
    double weight, tied; /* of those at risk, of those to whom it happens */
};

struct frailty {
    const struct stats_frailty_data *data;
    struct arena *arena;
    struct frailty_time *times;
    size_t time_count, size;        /* of the parameters: coefficients, then clusters */
    double *at;                     /* parameters */
    double *happened;               /* of each cluster: its events */
    double *risk, *hazard;          /* of each case: exp(eta), and what it sums up to */
    double *slopes;                 /* of the parameters */
    double *change, *bent;          /* of each case: work of bend() */
    double *moved, *moved_tied;     /* of each time: the same */
    double *spread, *cross, *whole; /* the preconditioner: by cluster, between, inverse */
    double nu;                      /* 1 / variance */
    double height;                  /* the penalised likelihood */
};

static double linear(const struct frailty *it, const double *at, size_t i)
{
    size_t width = it->data->width;
    double sum = at[width + it->data->cluster[i]];

    for (size_t a = 0; a < width; a++)
        sum += at[a] * it->data->x[i * width + a];
    return sum;
}

/* Adds what each case gives to the parameters that make up its predictor. */
static void spread_out(const struct frailty *it, const double *of_case, double *out)
{
    size_t width = it->data->width;

    memset(out, 0, it->size * sizeof *out);
    for (size_t i = 0; i < it->data->count; i++) {
        out[width + it->data->cluster[i]] += of_case[i];
        for (size_t a = 0; a < width; a++)
            out[a] += of_case[i] * it->data->x[i * width + a];
    }
}

/* Of d that are tied (Efron) the one after the other leaves with its share. */
static double weight_of(const struct frailty_time *time, size_t d)
{
    return time->weight - (double)d / (double)time->deaths * time->tied;
}

/* The penalised likelihood and its slopes; Cox's alone is given back. */
static double weigh(struct frailty *it)
{
    const struct stats_frailty_data *data = it->data;
    size_t width = data->width;
    double cox = 0, weight = 0, hazard = 0;

    for (size_t t = 0; t < it->time_count; t++) {
        struct frailty_time *time = &it->times[t];
        time->tied = 0;
        for (size_t o = time->from; o < time->end; o++) {
            size_t i = data->order[o];
            double eta = linear(it, it->at, i);
            it->risk[i] = exp(eta);
            weight += it->risk[i];
            cox += data->happened[i] ? eta : 0;
            time->tied += data->happened[i] ? it->risk[i] : 0;
        }
        time->weight = weight;
        for (size_t d = 0; d < time->deaths; d++)
            cox -= log(weight_of(time, d));
    }
    for (size_t t = it->time_count; t-- > 0;) { /* from the earliest */
        const struct frailty_time *time = &it->times[t];
        double gone = 0;
        for (size_t d = 0; d < time->deaths; d++) {
            hazard += 1 / weight_of(time, d);
            gone += (double)d / (double)time->deaths / weight_of(time, d);
        }
        for (size_t o = time->from; o < time->end; o++) {
            size_t i = data->order[o];
            it->hazard[i] = hazard - (data->happened[i] ? gone : 0);
            it->change[i] = data->happened[i] - it->risk[i] * it->hazard[i];
        }
    }
    spread_out(it, it->change, it->slopes);
    it->height = cox;
    for (size_t c = 0; c < data->cluster_count; c++) {
        double w = it->at[width + c];
        it->height += it->nu * (w - expm1(w));
        it->slopes[width + c] -= it->nu * expm1(w);
    }
    return cox;
}

/* The curvature of the penalised likelihood times a direction. */
static void bend(struct frailty *it, const double *direction, double *out)
{
    const struct stats_frailty_data *data = it->data;
    double all = 0, moved = 0;

    for (size_t t = 0; t < it->time_count; t++) {
        const struct frailty_time *time = &it->times[t];
        double tied = 0;
        for (size_t o = time->from; o < time->end; o++) {
            size_t i = data->order[o];
            it->change[i] = linear(it, direction, i);
            all += it->risk[i] * it->change[i];
            tied += data->happened[i] ? it->risk[i] * it->change[i] : 0;
        }
        it->moved[t] = it->moved_tied[t] = 0;
        for (size_t d = 0; d < time->deaths; d++) {
            double share = (double)d / (double)time->deaths, weight = weight_of(time, d);
            double mean = (all - share * tied) / weight;
            it->moved[t] += mean / weight;
            it->moved_tied[t] += share * mean / weight;
        }
    }
    for (size_t t = it->time_count; t-- > 0;) {
        moved += it->moved[t];
        for (size_t o = it->times[t].from; o < it->times[t].end; o++) {
            size_t i = data->order[o];
            double owed = moved - (data->happened[i] ? it->moved_tied[t] : 0);
            it->bent[i] = it->risk[i] * (it->hazard[i] * it->change[i] - owed);
        }
    }
    spread_out(it, it->bent, out);
    for (size_t c = 0; c < data->cluster_count; c++)
        out[data->width + c] +=
            it->nu * exp(it->at[data->width + c]) * direction[data->width + c];
}

/* The curvature without what those at risk have in common: clusters touch coefficients
 * only, so that it is quickly inverted. False: columns follow from clusters. */
static bool precondition(struct frailty *it)
{
    const struct stats_frailty_data *data = it->data;
    size_t width = data->width, clusters = data->cluster_count;
    double *small = arena_array(it->arena, double, width *width + 1);

    memset(it->cross, 0, width * clusters * sizeof *it->cross);
    for (size_t c = 0; c < clusters; c++)
        it->spread[c] = it->nu * exp(it->at[width + c]);
    for (size_t i = 0; i < data->count; i++) {
        double weight = it->risk[i] * it->hazard[i];
        const double *row = data->x + i * width;
        it->spread[data->cluster[i]] += weight;
        for (size_t a = 0; a < width; a++) {
            it->cross[data->cluster[i] * width + a] += weight * row[a];
            for (size_t b = 0; b < width; b++)
                small[a * width + b] += weight * row[a] * row[b];
        }
    }
    for (size_t c = 0; c < clusters; c++)
        for (size_t a = 0; a < width; a++)
            for (size_t b = 0; b < width; b++)
                small[a * width + b] -=
                    it->cross[c * width + a] * it->cross[c * width + b] / it->spread[c];
    return stats_matrix_invert(small, width, it->whole, it->arena);
}

static void apply(const struct frailty *it, const double *from, double *to)
{
    size_t width = it->data->width, clusters = it->data->cluster_count;
    double *left = arena_array(it->arena, double, width + 1);

    memcpy(left, from, width * sizeof *left);
    for (size_t c = 0; c < clusters; c++)
        for (size_t a = 0; a < width; a++)
            left[a] -= it->cross[c * width + a] * from[width + c] / it->spread[c];
    for (size_t a = 0; a < width; a++) {
        to[a] = 0;
        for (size_t b = 0; b < width; b++)
            to[a] += it->whole[a * width + b] * left[b];
    }
    for (size_t c = 0; c < clusters; c++) {
        to[width + c] = from[width + c];
        for (size_t a = 0; a < width; a++)
            to[width + c] -= it->cross[c * width + a] * to[a];
        to[width + c] /= it->spread[c];
    }
}

static double product(const double *a, const double *b, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* out: the curvature's inverse times b, by conjugate gradients. */
static bool solve(struct frailty *it, const double *b, double *out)
{
    struct arena_mark mark = arena_mark(it->arena);
    size_t n = it->size;
    double *rest = arena_array(it->arena, double, n),
           *near = arena_array(it->arena, double, n);
    double *way = arena_array(it->arena, double, n),
           *bent = arena_array(it->arena, double, n);
    double first, now;
    bool ok = precondition(it);

    memset(out, 0, n * sizeof *out);
    memcpy(rest, b, n * sizeof *rest);
    if (ok)
        apply(it, rest, near);
    memcpy(way, near, n * sizeof *way);
    first = now = product(rest, near, n);
    for (int round = 0; ok && round < SOLVE_MAX && now > 1e-28 * first; round++) {
        bend(it, way, bent);
        double along = product(way, bent, n), step = now / along, before = now;
        ok = along > 0;
        for (size_t i = 0; i < n; i++) {
            out[i] += step * way[i];
            rest[i] -= step * bent[i];
        }
        apply(it, rest, near);
        now = product(rest, near, n);
        for (size_t i = 0; i < n; i++)
            way[i] = near[i] + now / before * way[i];
    }
    arena_rewind(it->arena, mark);
    return ok && now <= 1e-16 * first;
}

/* The highest penalised likelihood at a variance. Gives the logarithm of what frailties
 * leave when they are integrated out, and its slope by the logarithm of the variance. */
static bool climb(struct frailty *it, double log_variance, double *likelihood,
                  double *slope)
{
    struct arena_mark mark = arena_mark(it->arena);
    size_t n = it->size, width = it->data->width;
    double *step = arena_array(it->arena, double, n);
    double *before = arena_array(it->arena, double, n);
    bool top = false;

    it->nu = exp(-log_variance);
    *likelihood = weigh(it);
    for (int round = 0; round < NEWTON_MAX && !top; round++) {
        double now = it->height, share = 1;
        if (!solve(it, it->slopes, step))
            break;
        double gain = product(step, it->slopes, n);
        memcpy(before, it->at, n * sizeof *before);
        for (;; share /= 2) {
            for (size_t i = 0; i < n; i++)
                it->at[i] = before[i] + share * step[i];
            *likelihood = weigh(it);
            if (it->height >= now - 1e-12 * (1 + fabs(now)) || share < 1e-8)
                break;
        }
        top = gain < 1e-15 * (1 + fabs(now)) || (share < 1e-8 && gain < 1e-9);
    }
    *slope = 0;
    for (size_t c = 0; c < it->data->cluster_count; c++) {
        double events = it->happened[c], nu = it->nu, w = it->at[width + c];
        *likelihood += nu * w + events - nu * log1p(events / nu);
        *slope -= nu * (w - log1p(events / nu));
        for (double j = 0; j < events; j++) {
            *likelihood += log((nu + j) / (nu + events));
            *slope -= nu / (nu + j);
        }
    }
    arena_rewind(it->arena, mark);
    return top && isfinite(*likelihood);
}

/* Between two logarithms of variances where the likelihood rises and falls: regula falsi,
 * with the half of a slope that stays (Illinois). */
static bool find_top(struct frailty *it, double low, double high, double *at,
                     double *likelihood)
{
    double rise, fall, slope;

    if (!climb(it, high, likelihood, &fall) || !climb(it, low, likelihood, &rise) ||
        !(rise > 0 && fall < 0))
        return false;
    for (int round = 0, last = 0; round < ROOT_MAX; round++) {
        *at = (low * fall - high * rise) / (fall - rise);
        if (!climb(it, *at, likelihood, &slope))
            return false;
        if (high - low < 1e-11 || fabs(slope) < 1e-11)
            return true;
        if (slope > 0) {
            low = *at;
            rise = slope;
            fall *= last > 0 ? 0.5 : 1;
            last = 1;
        } else {
            high = *at;
            fall = slope;
            rise *= last < 0 ? 0.5 : 1;
            last = -1;
        }
    }
    return true;
}

static void open_frailty(struct frailty *it)
{
    const struct stats_frailty_data *data = it->data;
    struct arena *arena = it->arena;
    size_t n = data->count;

    it->size = data->width + data->cluster_count;
    it->times = arena_array(arena, struct frailty_time, n + 1);
    it->at = arena_array(arena, double, it->size);
    it->slopes = arena_array(arena, double, it->size);
    it->happened = arena_array(arena, double, data->cluster_count);
    it->spread = arena_array(arena, double, data->cluster_count);
    it->cross = arena_array(arena, double, data->cluster_count * data->width + 1);
    it->whole = arena_array(arena, double, data->width * data->width + 1);
    it->risk = arena_array(arena, double, n);
    it->hazard = arena_array(arena, double, n);
    it->change = arena_array(arena, double, n);
    it->bent = arena_array(arena, double, n);
    it->moved = arena_array(arena, double, n);
    it->moved_tied = arena_array(arena, double, n);
    memcpy(it->at, data->beta, data->width * sizeof *it->at);
    for (size_t from = 0, end; from < n; from = end) {
        struct frailty_time *time = &it->times[it->time_count++];
        for (end = from;
             end < n && data->y[data->order[end]] == data->y[data->order[from]]; end++) {
            size_t i = data->order[end];
            time->deaths += data->happened[i];
            it->happened[data->cluster[i]] += data->happened[i];
        }
        time->from = from;
        time->end = end;
    }
}

/* The rows of the curvature's inverse that are the coefficients'. */
static bool find_covariance(struct frailty *it)
{
    size_t width = it->data->width;
    double *one = arena_array(it->arena, double, it->size);
    double *row = arena_array(it->arena, double, it->size);

    for (size_t a = 0; a < width; a++) {
        memset(one, 0, it->size * sizeof *one);
        one[a] = 1;
        if (!solve(it, one, row))
            return false;
        memcpy(it->data->covariance + a * width, row, width * sizeof *row);
    }
    return true;
}

struct stats_frailty stats_frailty(const struct stats_frailty_data *data,
                                   struct arena *arena)
{
    struct frailty it = {.data = data, .arena = arena};
    struct stats_frailty out = {.variance = NAN, .log_likelihood = NAN};
    double best = log_variance_min, highest = -INFINITY, likelihood, slope, at;
    double best_slope = 0;
    bool ok = true;

    open_frailty(&it);

    /* Far steps first: the likelihood may have more than one top. */
    for (double log_variance = log_variance_min;
         ok && log_variance < log_variance_max + .5; log_variance++) {
        ok = climb(&it, log_variance, &likelihood, &slope);
        if (ok && likelihood > highest) {
            highest = likelihood;
            best = log_variance;
            best_slope = slope;
        }
    }
    if (ok && best == log_variance_min && best_slope <= 0) {
        out.variance = 0; /* what was given stays */
        return out;
    }
    double low = best_slope > 0 ? best : best - 1;
    ok = ok && low < log_variance_max && find_top(&it, low, low + 1, &at, &likelihood) &&
         find_covariance(&it);
    if (!ok) {
        out.undefined = "no maximum of the likelihood with random intercepts was found";
        return out;
    }
    out.variance = exp(at);
    out.log_likelihood = likelihood;
    memcpy(data->beta, it.at, data->width * sizeof *data->beta);
    return out;
}
