/* Kaplan-Meier curves, their medians, and the log-rank test between groups. */
#include "stats/survival.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/order.h"
#include "stats/distribution.h"

static const char *problem(const struct stats_survival_case *cases, size_t count)
{
    if (count == 0)
        return "the group is empty";
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(cases[i].time) <= STATS_VALUES_MAX))
            return "a time is not a number or too large";
        if (cases[i].time < 0)
            return "a time is negative";
    }
    return NULL;
}

/* The interval is exp(log(left) +- z se(log left)), at most 1. */
static void set_interval(struct stats_survival_step *step, double log_variance, double z)
{
    double margin = z * sqrt(log_variance);

    step->std_error = step->low = step->high = NAN;
    if (step->left > 0) {
        step->std_error = step->left * sqrt(log_variance);
        step->low = step->left * exp(-margin);
        step->high = fmin(1, step->left * exp(margin));
    }
}

struct stats_survival_walk stats_survival_begin(struct stats_survival_case *cases,
                                                size_t count, double level)
{
    struct stats_survival_walk walk = {.cases = cases,
                                       .count = count,
                                       .left = 1,
                                       .z = stats_normal_quantile(0.5 + level / 2),
                                       .undefined = problem(cases, count)};

    assert(level > 0 && level < 1);
    if (walk.undefined != NULL)
        walk.count = 0;
    else
        order_records(cases, count, sizeof *cases,
                      offsetof(struct stats_survival_case, time));
    return walk;
}

bool stats_survival_next(struct stats_survival_walk *walk,
                         struct stats_survival_step *step)
{
    const struct stats_survival_case *sorted = walk->cases;
    size_t from = walk->from, to = from, count = walk->count;
    double risk = (double)(count - from), events;

    if (from == count)
        return false;
    *step = (struct stats_survival_step){.time = sorted[from].time,
                                         .at_risk = (int64_t)(count - from)};
    for (; to < count && sorted[to].time == step->time; to++)
        step->events += sorted[to].happened;
    step->censored = (int64_t)(to - from) - step->events;
    events = (double)step->events;
    walk->left *= (risk - events) / risk;
    if (events > 0 && events < risk)
        walk->log_variance += events / (risk * (risk - events));
    step->left = walk->left;
    set_interval(step, walk->log_variance, walk->z);
    walk->from = to;
    return true;
}

struct stats_survival stats_survival_curve(const struct stats_survival_case *cases,
                                           size_t count, double level,
                                           struct arena *arena)
{
    struct stats_survival curve = {.cases = (int64_t)count,
                                   .undefined = problem(cases, count)};
    struct arena_mark mark;

    if (curve.undefined != NULL)
        return curve;
    curve.steps = arena_array(arena, struct stats_survival_step, count);
    mark = arena_mark(arena);
    struct stats_survival_case *sorted =
        arena_array(arena, struct stats_survival_case, count);
    memcpy(sorted, cases, count * sizeof *sorted);
    struct stats_survival_walk walk = stats_survival_begin(sorted, count, level);
    while (stats_survival_next(&walk, &curve.steps[curve.count]))
        curve.events += curve.steps[curve.count++].events;
    arena_rewind(arena, mark);
    return curve;
}

/* The first time at which a bound of the curve is at most 1/2. Where it is 1/2 the middle
 * up to the next lower value counts; products of fractions are so only nearly. */
struct half {
    double time; /* NAN: not yet */
    double bound;
    bool level; /* it was 1/2 there, and has not been lower since */
};

static void pass_half(struct half *half, double time, double bound)
{
    const double near = 1.5e-8; /* as R */

    if (half->level && bound < half->bound) {
        half->time = (half->time + time) / 2;
        half->level = false;
    } else if (isnan(half->time) && bound < 0.5 + near) {
        *half = (struct half){time, bound, fabs(bound - 0.5) < near};
    }
}

struct halves {
    struct half left, low, high;
};

static void pass_halves(struct halves *halves, const struct stats_survival_step *step)
{
    pass_half(&halves->left, step->time, step->left);
    pass_half(&halves->low, step->time, step->low);
    pass_half(&halves->high, step->time, step->high);
}

static struct stats_survival_median median_of(const struct halves *halves,
                                              const char *undefined)
{
    struct stats_survival_median result = {.median = halves->left.time,
                                           .low = halves->low.time,
                                           .high = halves->high.time,
                                           .undefined = undefined};

    if (result.undefined == NULL && isnan(result.median))
        result.undefined = "for more than half it did not happen while they were watched";
    if (isnan(result.low))
        result.low_undefined = "the curve's lower bound stays above one half";
    if (isnan(result.high))
        result.high_undefined = "the curve's upper bound stays above one half";
    return result;
}

static const struct halves not_passed = {{.time = NAN}, {.time = NAN}, {.time = NAN}};

struct stats_survival_median stats_survival_median(const struct stats_survival *curve)
{
    struct halves halves = not_passed;

    for (size_t i = 0; i < curve->count; i++)
        pass_halves(&halves, &curve->steps[i]);
    return median_of(&halves, curve->undefined);
}

struct stats_survival_median stats_survival_walk_median(struct stats_survival_walk *walk)
{
    struct halves halves = not_passed;
    struct stats_survival_step step;

    while (stats_survival_next(walk, &step))
        pass_halves(&halves, &step);
    return median_of(&halves, walk->undefined);
}

/* Groups side by side: the log-rank test, and by how much their hazards differ. */

/* One time after the other. Each group's cases are in order, so that all of them need not
 * be put together. */
struct times {
    const struct stats_survival_group *groups;
    size_t count, *next; /* of each group its first case that is still to come */
    double *at_risk, *events;
};

static struct times begin_times(const struct stats_survival_group *groups, size_t count,
                                struct arena *arena)
{
    return (struct times){groups, count, arena_array(arena, size_t, count),
                          arena_array(arena, double, count),
                          arena_array(arena, double, count)};
}

static bool next_time(struct times *times)
{
    double now = INFINITY;

    for (size_t g = 0; g < times->count; g++) {
        const struct stats_survival_group *group = &times->groups[g];
        times->at_risk[g] = (double)(group->count - times->next[g]);
        times->events[g] = 0;
        if (times->next[g] < group->count)
            now = fmin(now, group->cases[times->next[g]].time);
    }
    for (size_t g = 0; g < times->count; g++) {
        const struct stats_survival_group *group = &times->groups[g];
        size_t *next = &times->next[g];
        for (; *next < group->count && group->cases[*next].time == now; ++*next)
            times->events[g] += group->cases[*next].happened;
    }
    return now < INFINITY;
}

static const char *put_in_order(const struct stats_survival_group *groups, size_t count)
{
    if (count < 2)
        return "there are fewer than two groups";
    for (size_t g = 0; g < count; g++) {
        if (groups[g].count == 0)
            return "the group is empty";
        for (size_t i = 0; i < groups[g].count; i++) {
            double time = groups[g].cases[i].time;
            if (!(time >= 0 && time <= STATS_VALUES_MAX))
                return "a time is negative, not a number or too large";
        }
        order_records(groups[g].cases, groups[g].count, sizeof *groups[g].cases,
                      offsetof(struct stats_survival_case, time));
    }
    return NULL;
}

/* Adds what the events at one time contribute: hypergeometric expectation and covariance.
 */
static void add_time(double events, const double *at_risk, double total, size_t groups,
                     double *expected, double *covariance)
{
    double scale = total > 1 ? events * (total - events) / (total - 1) : 0;

    for (size_t g = 0; g < groups; g++) {
        double share = at_risk[g] / total;
        expected[g] += events * share;
        for (size_t h = 0; h < groups; h++)
            covariance[g * groups + h] += scale * share * ((g == h) - at_risk[h] / total);
    }
}

/* x' M^-1 x by Cholesky's decomposition; M, size x size with `stride`, is overwritten.
 * False when it is singular. */
static bool quadratic_form(double *matrix, size_t stride, size_t size, double *x,
                           double *form)
{
    *form = 0;
    for (size_t i = 0; i < size; i++) {
        double whole = matrix[i * stride + i];
        for (size_t j = 0; j <= i; j++) {
            double sum = matrix[i * stride + j];
            for (size_t k = 0; k < j; k++)
                sum -= matrix[i * stride + k] * matrix[j * stride + k];
            if (i > j)
                matrix[i * stride + j] = sum / matrix[j * stride + j];
            else if (sum <= 1e-12 * whole)
                return false;
            else
                matrix[i * stride + i] = sqrt(sum);
        }
        for (size_t k = 0; k < i; k++)
            x[i] -= matrix[i * stride + k] * x[k];
        x[i] /= matrix[i * stride + i];
        *form += x[i] * x[i];
    }
    return true;
}

struct stats_survival_logrank
stats_survival_logrank(const struct stats_survival_group *groups, size_t count,
                       struct arena *arena)
{
    struct stats_survival_logrank result = {NAN,
                                            NAN,
                                            NAN,
                                            arena_array(arena, double, count),
                                            arena_array(arena, double, count),
                                            NULL};
    struct arena_mark mark = arena_mark(arena);
    double *covariance = arena_array(arena, double, count *count),
           *off = arena_array(arena, double, count);
    struct times times = begin_times(groups, count, arena);

    result.undefined = put_in_order(groups, count);
    while (result.undefined == NULL && next_time(&times)) {
        double events = 0, total = 0;
        for (size_t g = 0; g < count; g++) {
            events += times.events[g];
            total += times.at_risk[g];
            result.observed[g] += times.events[g];
        }
        add_time(events, times.at_risk, total, count, result.expected, covariance);
    }
    for (size_t g = 0; g < count; g++)
        off[g] = result.observed[g] - result.expected[g];
    /* One group follows from the others. */
    if (result.undefined == NULL &&
        !quadratic_form(covariance, count, count - 1, off, &result.chi_square)) {
        result.chi_square = NAN;
        result.undefined = "the groups were not at risk together at any event";
    }
    if (result.undefined == NULL) {
        result.df = (double)count - 1;
        result.p = stats_chi_square_upper(result.chi_square, result.df);
    }
    arena_rewind(arena, mark);
    return result;
}

/* The slope and curvature of Cox's likelihood by the logarithm of the ratio. Efron: of
 * those that are tied one after the other leaves with its share. */
static void find_slope(const struct stats_survival_group groups[2], double log_ratio,
                       struct arena *arena, double *slope, double *curve)
{
    struct arena_mark mark = arena_mark(arena);
    struct times times = begin_times(groups, 2, arena);
    double ratio = exp(log_ratio);

    *slope = *curve = 0;
    /* Whoever is watched alone tells nothing. */
    while (next_time(&times) && times.at_risk[0] > 0 && times.at_risk[1] > 0) {
        double deaths = times.events[0] + times.events[1];
        *slope += times.events[0];
        for (double gone = 0; gone < deaths; gone++) {
            double share = gone / deaths,
                   first = ratio * (times.at_risk[0] - share * times.events[0]),
                   second = times.at_risk[1] - share * times.events[1],
                   part = first / (first + second);
            *slope -= part;
            *curve += part * (second / (first + second));
        }
    }
    arena_rewind(arena, mark);
}

/* The likelihood has a top where it happens in either group while the other is watched:
 * else it grows for ever as the ratio goes to 0 or beyond all bounds. */
static bool has_top(const struct stats_survival_group groups[2], struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    struct times times = begin_times(groups, 2, arena);
    double events[2] = {0};

    while (next_time(&times) && times.at_risk[0] > 0 && times.at_risk[1] > 0)
        for (size_t g = 0; g < 2; g++)
            events[g] += times.events[g];
    arena_rewind(arena, mark);
    return events[0] > 0 && events[1] > 0;
}

struct stats_survival_ratio
stats_survival_ratio(const struct stats_survival_group groups[2], double level,
                     struct arena *arena)
{
    enum { STEPS_MAX = 200 };
    struct stats_survival_ratio result = {NAN, NAN, NAN, put_in_order(groups, 2)};
    double at = 0, low = -INFINITY, high = INFINITY, step = INFINITY, slope, curve;

    assert(level > 0 && level < 1);
    if (result.undefined == NULL && !has_top(groups, arena))
        result.undefined = "while both groups were watched it happened in one alone";
    if (result.undefined != NULL)
        return result;
    /* The slope falls: the top lies between where it is above and where it is below 0. */
    for (int i = 0; fabs(step) > 1e-10 * (1 + fabs(at)) && i < STEPS_MAX; i++) {
        find_slope(groups, at, arena, &slope, &curve);
        *(slope > 0 ? &low : &high) = at;
        double rest = slope > 0 ? high - at : low - at;
        step = fmax(-2, fmin(2, slope / curve));
        if (fabs(step) >= fabs(rest))
            step = rest / 2;
        at += step;
    }
    find_slope(groups, at, arena, &slope, &curve);
    double margin = stats_normal_quantile(0.5 + level / 2) / sqrt(curve);
    result.ratio = exp(at);
    result.low = exp(at - margin);
    result.high = exp(at + margin);
    return result;
}
