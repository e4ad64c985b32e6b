/* Kaplan-Meier curves, their medians, and the log-rank test between groups. */
#include "stats/survival.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/distribution.h"

static int by_time(const void *left, const void *right)
{
    const struct stats_survival_case *a = left, *b = right;

    return (a->time > b->time) - (a->time < b->time);
}

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

struct stats_survival stats_survival_curve(const struct stats_survival_case *cases,
                                           size_t count, double level,
                                           struct arena *arena)
{
    struct stats_survival curve = {.cases = (int64_t)count,
                                   .undefined = problem(cases, count)};
    struct stats_survival_case *sorted;
    struct arena_mark mark;
    double left = 1, log_variance = 0, z = stats_normal_quantile(0.5 + level / 2);

    assert(level > 0 && level < 1);
    if (curve.undefined != NULL)
        return curve;
    curve.steps = arena_array(arena, struct stats_survival_step, count);
    mark = arena_mark(arena);
    sorted = arena_array(arena, struct stats_survival_case, count);
    memcpy(sorted, cases, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_time);
    for (size_t from = 0, to; from < count; from = to) {
        struct stats_survival_step *step = &curve.steps[curve.count++];
        double risk = (double)(count - from), events;
        *step = (struct stats_survival_step){.time = sorted[from].time,
                                             .at_risk = (int64_t)(count - from)};
        for (to = from; to < count && sorted[to].time == step->time; to++)
            step->events += sorted[to].happened;
        step->censored = (int64_t)(to - from) - step->events;
        events = (double)step->events;
        left *= (risk - events) / risk;
        if (events > 0 && events < risk)
            log_variance += events / (risk * (risk - events));
        step->left = left;
        set_interval(step, log_variance, z);
        curve.events += step->events;
    }
    arena_rewind(arena, mark);
    return curve;
}

enum bound { LEFT, LOW, HIGH };

static double bound_of(const struct stats_survival_step *step, enum bound bound)
{
    return bound == LEFT ? step->left : bound == LOW ? step->low : step->high;
}

/* The first time at which the bound is at most 1/2, or NAN. Where it is 1/2 the middle up
 * to the next lower value counts; products of fractions are so only nearly. */
static double passes_half(const struct stats_survival *curve, enum bound bound)
{
    const double near = 1.5e-8; /* as R */

    for (size_t i = 0; i < curve->count; i++) {
        double here = bound_of(&curve->steps[i], bound);
        if (!(here < 0.5 + near))
            continue;
        for (size_t j = i + 1; fabs(here - 0.5) < near && j < curve->count; j++)
            if (bound_of(&curve->steps[j], bound) < here)
                return (curve->steps[i].time + curve->steps[j].time) / 2;
        return curve->steps[i].time;
    }
    return NAN;
}

struct stats_survival_median stats_survival_median(const struct stats_survival *curve)
{
    struct stats_survival_median result = {.undefined = curve->undefined};

    result.median = passes_half(curve, LEFT);
    result.low = passes_half(curve, LOW);
    result.high = passes_half(curve, HIGH);
    if (result.undefined == NULL && isnan(result.median))
        result.undefined = "for more than half it did not happen while they were watched";
    if (isnan(result.low))
        result.low_undefined = "the curve's lower bound stays above one half";
    if (isnan(result.high))
        result.high_undefined = "the curve's upper bound stays above one half";
    return result;
}

/* The log-rank test. */

struct watched {
    double time;
    size_t group;
    bool happened;
};

static int logrank_by_time(const void *left, const void *right)
{
    const struct watched *a = left, *b = right;

    return (a->time > b->time) - (a->time < b->time);
}

static const char *join(const struct stats_survival_group *groups, size_t count,
                        struct watched *all)
{
    size_t next = 0;

    if (count < 2)
        return "there are fewer than two groups";
    for (size_t g = 0; g < count; g++) {
        if (groups[g].count == 0)
            return "the group is empty";
        for (size_t i = 0; i < groups[g].count; i++) {
            const struct stats_survival_case *one = &groups[g].cases[i];
            if (!(one->time >= 0 && one->time <= STATS_VALUES_MAX))
                return "a time is negative, not a number or too large";
            all[next++] = (struct watched){one->time, g, one->happened};
        }
    }
    qsort(all, next, sizeof *all, logrank_by_time);
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
           *at_risk = arena_array(arena, double, count),
           *off = arena_array(arena, double, count);
    size_t total = 0;
    struct watched *all;

    for (size_t g = 0; g < count; g++) {
        at_risk[g] = (double)groups[g].count;
        total += groups[g].count;
    }
    all = arena_array(arena, struct watched, total);
    result.undefined = join(groups, count, all);
    for (size_t from = 0, to; result.undefined == NULL && from < total; from = to) {
        double events = 0;
        for (to = from; to < total && all[to].time == all[from].time; to++) {
            events += all[to].happened;
            result.observed[all[to].group] += all[to].happened;
        }
        add_time(events, at_risk, (double)(total - from), count, result.expected,
                 covariance);
        for (size_t i = from; i < to; i++)
            at_risk[all[i].group]--;
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
