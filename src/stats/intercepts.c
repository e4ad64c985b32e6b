/* Regressions with an intercept that differs from cluster to cluster by chance, normally
 * distributed: the likelihood of a cluster is an integral over its intercept. */
#include <math.h>
#include <string.h>

#include "stats/distribution.h"
#include "stats/internal.h"

/* There are some dozen nodes a side, and 1,200 where the deviation is the largest and the
 * integrand as wide as the normal distribution. */
enum { ROUNDS_MAX = 60, NODES_MAX = 100000 };

/* Beyond this the likelihood hardly changes with the deviation: clusters that are wholly
 * yes or no, and none that tells how far apart. */
static const double log_deviation_max = 4;

struct intercepts {
    const struct stats_intercepts_data *data;
    struct arena *arena;
    bool counts;            /* else yes or no */
    double theta;           /* of counts; INFINITY: Poisson's */
    size_t parameters;      /* coefficients, the logarithm of the deviation, and that of
                               theta unless it is infinite */
    size_t *first, *member; /* cases by cluster: member[first[c]] .. */
    double *mode;           /* of each cluster, in deviations */
    double *lefts;          /* of a cluster's cases: slopes by their predictors */
    double *eta;
    double *ways;       /* what of a count's likelihood no coefficient changes */
    double *way_slopes; /* by theta */
};

static void gather(struct intercepts *it)
{
    const struct stats_intercepts_data *data = it->data;
    size_t clusters = data->cluster_count, largest = 0;
    size_t *next = arena_array(it->arena, size_t, clusters + 1);

    it->first = arena_array(it->arena, size_t, clusters + 1);
    it->member = arena_array(it->arena, size_t, data->count + 1);
    it->mode = arena_array(it->arena, double, clusters + 1);
    it->eta = arena_array(it->arena, double, data->count + 1);
    for (size_t i = 0; i < data->count; i++)
        it->first[data->cluster[i] + 1]++;
    for (size_t c = 0; c < clusters; c++) {
        largest = it->first[c + 1] > largest ? it->first[c + 1] : largest;
        it->first[c + 1] += it->first[c];
        next[c] = it->first[c];
    }
    for (size_t i = 0; i < data->count; i++)
        it->member[next[data->cluster[i]]++] = i;
    it->lefts = arena_array(it->arena, double, largest + 1);
    it->ways = arena_array(it->arena, double, data->count + 1);
    it->way_slopes = arena_array(it->arena, double, data->count + 1);
}

/* Of one case: its log likelihood, the derivatives by its linear predictor, and that by
 * the logarithm of theta. */
struct response {
    double log_likelihood, slope, curve, spread;
};

static struct response respond(const struct intercepts *it, size_t i, double eta)
{
    double y = it->data->y[i];

    if (!it->counts) {
        double p = 1 / (1 + exp(-eta));
        double all = eta > 0 ? eta + log1p(exp(-eta)) : log1p(exp(eta));
        return (struct response){y * eta - all, y - p, p * (1 - p), 0};
    }
    double mu = exp(fmax(-300, fmin(eta, 300))), theta = it->theta;
    if (isinf(theta))
        return (struct response){it->ways[i] + y * eta - mu, y - mu, mu, 0};
    double over = 1 + mu / theta, less = log1p(mu / theta);
    return (struct response){it->ways[i] - theta * less - y * log1p(theta / mu),
                             (y - mu) / over, mu * (1 + y / theta) / (over * over),
                             theta *
                                 (it->way_slopes[i] - less + 1 - (1 + y / theta) / over)};
}

/* Where the cluster's integrand is highest, and how wide it is there: Newton's steps
 * between bounds, as its slope falls all along. NAN: not found, as of counts whose
 * predictors are hundreds too high, by one a step; the mode stays. */
static double find_mode(struct intercepts *it, size_t cluster, double sigma)
{
    double u = it->mode[cluster], curve = 1, low = -INFINITY, high = INFINITY;
    double moved = INFINITY;

    for (int round = 0; round < 100; round++) {
        double slope = -u;
        curve = 1;
        for (size_t m = it->first[cluster]; m < it->first[cluster + 1]; m++) {
            size_t i = it->member[m];
            struct response at = respond(it, i, it->eta[i] + sigma * u);
            slope += sigma * at.slope;
            curve += sigma * sigma * at.curve;
        }
        double before = u, most = fmax(1, fabs(u));
        low = slope > 0 ? u : low;
        high = slope < 0 ? u : high;
        u += fmax(-most, fmin(most, slope / curve));
        if (u != before && (u <= low || u >= high)) /* both are finite then */
            u = (low + high) / 2;
        moved = fabs(u - before) / (1 + fabs(u));
        if (moved < 1e-12)
            break;
    }
    if (!(moved < 1e-6))
        return NAN;
    it->mode[cluster] = u;
    return 1 / sqrt(curve);
}

/* What the nodes of one cluster add up to, as shares of the integrand's peak. */
struct integral {
    double sum, by_deviation, by_theta; /* itself, and its slopes */
};

/* The logarithm of the integrand at u, 1 / sqrt(2 pi) taken out. */
static double integrand(const struct intercepts *it, size_t cluster, double sigma,
                        double u)
{
    double log = -u * u / 2;

    for (size_t m = it->first[cluster]; m < it->first[cluster + 1]; m++) {
        size_t i = it->member[m];
        log += respond(it, i, it->eta[i] + sigma * u).log_likelihood;
    }
    return log;
}

/* Adds the node at u; false: it is too far out to matter. */
static bool add_node(struct intercepts *it, size_t cluster, double sigma, double peak,
                     double u, struct integral *to)
{
    size_t from = it->first[cluster], size = it->first[cluster + 1] - from;
    double log = integrand(it, cluster, sigma, u) - peak, slopes = 0, spreads = 0;

    if (!(log > -37))
        return false;
    double height = exp(log);
    for (size_t m = 0; m < size; m++) {
        size_t i = it->member[from + m];
        struct response at = respond(it, i, it->eta[i] + sigma * u);
        it->lefts[m] += height * at.slope;
        slopes += at.slope;
        spreads += at.spread;
    }
    to->sum += height;
    to->by_deviation += height * sigma * u * slopes;
    to->by_theta += height * spreads;
    return true;
}

/* The cluster's log likelihood, NAN if it cannot be told; adds to the slopes. By the
 * trapezoidal rule from the mode outwards, whose error falls exponentially with the step
 * for what is analytic around the real line (Trefethen and Weideman, SIAM Review 56,
 * 2014, theorem 5.1). Poles are pi / sigma away, and Gumbel-shaped integrands (counts of
 * 0 alone) fall as if they were half as far: with steps of .4 / sigma and .7 widths of
 * the peak what is lost is below 1e-10, however far clusters are apart, where
 * Gauss-Hermite's nodes no longer fit the peak. */
static double add_cluster(struct intercepts *it, size_t cluster, double sigma,
                          double *slopes)
{
    const struct stats_intercepts_data *data = it->data;
    size_t from = it->first[cluster], size = it->first[cluster + 1] - from;
    double width = find_mode(it, cluster, sigma), step = fmin(0.7 * width, 0.4 / sigma);
    double mode = it->mode[cluster], peak = integrand(it, cluster, sigma, mode);
    struct integral whole = {0};

    if (isnan(width))
        return NAN;
    memset(it->lefts, 0, size * sizeof *it->lefts);
    add_node(it, cluster, sigma, peak, mode, &whole);
    for (int side = -1; side <= 1; side += 2) {
        int q = 1;
        while (q <= NODES_MAX &&
               add_node(it, cluster, sigma, peak, mode + side * q * step, &whole))
            q++;
        if (q > NODES_MAX)
            return NAN;
    }
    slopes[data->width] += whole.by_deviation / whole.sum;
    if (it->parameters > data->width + 1)
        slopes[data->width + 1] += whole.by_theta / whole.sum;
    for (size_t m = 0; m < size; m++) {
        const double *row = data->x + it->member[from + m] * data->width;
        for (size_t a = 0; a < data->width; a++)
            slopes[a] += it->lefts[m] / whole.sum * row[a];
    }
    return peak + log(whole.sum) + log(step) - 0.5 * log(2 * M_PI);
}

static double likelihood(struct intercepts *it, const double *at, double *slopes)
{
    const struct stats_intercepts_data *data = it->data;
    double sigma = exp(at[data->width]), sum = 0;

    memset(slopes, 0, it->parameters * sizeof *slopes);
    if (it->parameters > data->width + 1)
        it->theta = exp(at[data->width + 1]);
    for (size_t i = 0; i < data->count; i++) {
        if (it->counts) {
            it->ways[i] = stats_count_ways(data->y[i], it->theta);
            it->way_slopes[i] = isinf(it->theta) ? 0
                                                 : stats_digamma(data->y[i] + it->theta) -
                                                       stats_digamma(it->theta);
        }
        it->eta[i] = 0;
        for (size_t a = 0; a < data->width; a++)
            it->eta[i] += at[a] * data->x[i * data->width + a];
    }
    for (size_t c = 0; c < data->cluster_count; c++)
        if (it->first[c] < it->first[c + 1])
            sum += add_cluster(it, c, sigma, slopes);
    for (size_t j = 0; j < it->parameters && isnan(sum); j++)
        slopes[j] = NAN; /* some clusters lack */
    return sum;
}

/* How the slopes fall, by central differences. */
static void find_curvature(struct intercepts *it, const double *at, double *out)
{
    size_t n = it->parameters;
    double *to = arena_array(it->arena, double, n),
           *up = arena_array(it->arena, double, n);
    double *down = arena_array(it->arena, double, n);

    for (size_t j = 0; j < n; j++) {
        double step = 1e-4 * (1 + fabs(at[j]));
        memcpy(to, at, n * sizeof *to);
        to[j] = at[j] + step;
        likelihood(it, to, up);
        to[j] = at[j] - step;
        likelihood(it, to, down);
        for (size_t i = 0; i < n; i++)
            out[i * n + j] = (down[i] - up[i]) / (2 * step);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            out[i * n + j] = out[j * n + i] = (out[i * n + j] + out[j * n + i]) / 2;
}

/* Whether the way leads to a deviation of 0, or to Poisson's counts. */
static bool is_flat(const struct intercepts *it, const double *at)
{
    size_t width = it->data->width;

    return at[width] < -9 || (it->parameters > width + 1 && at[width + 1] > 16);
}

/* Newton's steps upwards; curvature that bends the wrong way is leant against. False:
 * there is no top. */
static bool climb(struct intercepts *it, double *at, double *inverse, double *height)
{
    size_t n = it->parameters;
    double *slopes = arena_array(it->arena, double, n);
    double *to = arena_array(it->arena, double, n);
    double *curvature = arena_array(it->arena, double, n *n);

    *height = likelihood(it, at, slopes);
    for (int round = 0; round < ROUNDS_MAX; round++) {
        struct arena_mark mark = arena_mark(it->arena);
        double gain = 0, lean = 0, now = *height, share = 1;
        find_curvature(it, at, curvature);
        while (!stats_matrix_invert(curvature, n, inverse, it->arena) && lean < 1e12) {
            double more = lean == 0 ? 1e-3 : 9 * lean;
            for (size_t j = 0; j < n; j++)
                curvature[j * n + j] += more;
            lean += more;
        }
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                gain += slopes[i] * slopes[j] * inverse[i * n + j];
        if (gain < 1e-16 * (1 + fabs(now)) || is_flat(it, at)) {
            arena_rewind(it->arena, mark);
            return lean == 0 || is_flat(it, at);
        }
        if (at[it->data->width] > log_deviation_max) {
            arena_rewind(it->arena, mark);
            return false;
        }
        for (;; share /= 2) {
            for (size_t i = 0; i < n; i++) {
                double step = 0;
                for (size_t j = 0; j < n; j++)
                    step += inverse[i * n + j] * slopes[j];
                to[i] = at[i] + share * fmax(-3, fmin(3, step));
            }
            to[it->data->width] = fmin(to[it->data->width], at[it->data->width] + 1);
            *height = likelihood(it, to, slopes);
            if ((isfinite(*height) && *height >= now - 1e-12 * fabs(now)) || share < 1e-9)
                break;
        }
        memcpy(at, to, n * sizeof *at);
        arena_rewind(it->arena, mark);
        if (share < 1e-9) /* rounding lets it go no higher */
            return isfinite(*height) && gain < 1e-8 + 1e-12 * fabs(now);
    }
    return false;
}

struct stats_intercepts stats_intercepts(const struct stats_intercepts_data *data,
                                         struct arena *arena)
{
    struct intercepts it = {.data = data,
                            .arena = arena,
                            .counts = !isnan(data->theta),
                            .theta = data->theta,
                            .parameters =
                                data->width + 1 + (isfinite(data->theta) ? 1 : 0)};
    double *at = arena_array(arena, double, data->width + 2);
    double *inverse = arena_array(arena, double, (data->width + 2) * (data->width + 2));
    struct stats_intercepts out = {.theta = data->theta};

    gather(&it);
    memcpy(at, data->beta, data->width * sizeof *at);
    at[data->width] = log(0.5);
    at[data->width + 1] = log(data->theta);
    bool top = climb(&it, at, inverse, &out.log_likelihood);
    if (it.parameters > data->width + 1 && at[data->width] >= -9 &&
        (!top || at[data->width + 1] > 16)) { /* are clusters all that spreads counts? */
        double reached = out.log_likelihood;
        it.parameters--;
        it.theta = INFINITY;
        top = climb(&it, at, inverse, &out.log_likelihood) &&
              (top || out.log_likelihood >= reached - 1e-9 * fabs(reached));
    }
    if (!top)
        return (struct stats_intercepts){
            NAN, NAN, NAN,
            "no maximum of the likelihood with random intercepts was found"};
    out.deviation = exp(at[data->width]);
    if (out.deviation < 1e-3) { /* as without them: what was given stays */
        out.deviation = 0;
        return out;
    }
    if (it.parameters > data->width + 1)
        out.theta = exp(at[data->width + 1]);
    else
        out.theta = it.theta;
    memcpy(data->beta, at, data->width * sizeof *at);
    for (size_t i = 0; i < data->width; i++)
        for (size_t j = 0; j < data->width; j++)
            data->covariance[i * data->width + j] = inverse[i * it.parameters + j];
    return out;
}
