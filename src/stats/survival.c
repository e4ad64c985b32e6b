/* Kaplan-Meier curves. */
#include "stats/survival.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/distribution.h"

static int by_time(const void *left, const void *right)
{
    const struct survival_case *a = left, *b = right;

    return (a->time > b->time) - (a->time < b->time);
}

static const char *problem(const struct survival_case *cases, size_t count)
{
    if (count == 0)
        return "the group is empty";
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(cases[i].time) <= VALUES_MAX))
            return "a time is not a number or too large";
        if (cases[i].time < 0)
            return "a time is negative";
    }
    return NULL;
}

/* The interval is exp(log(left) +- z se(log left)), at most 1. */
static void set_interval(struct survival_step *step, double log_variance, double z)
{
    double margin = z * sqrt(log_variance);

    step->std_error = step->low = step->high = NAN;
    if (step->left > 0) {
        step->std_error = step->left * sqrt(log_variance);
        step->low = step->left * exp(-margin);
        step->high = fmin(1, step->left * exp(margin));
    }
}

struct survival survival_curve(const struct survival_case *cases, size_t count,
                               double level, struct arena *arena)
{
    struct survival curve = {.cases = (int64_t)count, .undefined = problem(cases, count)};
    struct survival_case *sorted;
    struct arena_mark mark;
    double left = 1, log_variance = 0, z = distribution_normal_quantile(0.5 + level / 2);

    assert(level > 0 && level < 1);
    if (curve.undefined != NULL)
        return curve;
    curve.steps = arena_array(arena, struct survival_step, count);
    mark = arena_mark(arena);
    sorted = arena_array(arena, struct survival_case, count);
    memcpy(sorted, cases, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_time);
    for (size_t from = 0, to; from < count; from = to) {
        struct survival_step *step = &curve.steps[curve.count++];
        double risk = (double)(count - from), events;
        *step = (struct survival_step){.time = sorted[from].time,
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

static double bound_of(const struct survival_step *step, enum bound bound)
{
    return bound == LEFT ? step->left : bound == LOW ? step->low : step->high;
}

/* The first time at which the bound is at most 1/2, or NAN. Where it is 1/2 the middle up
 * to the next lower value counts; products of fractions are so only nearly. */
static double passes_half(const struct survival *curve, enum bound bound)
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

struct survival_median survival_median(const struct survival *curve)
{
    struct survival_median result = {.undefined = curve->undefined};

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
