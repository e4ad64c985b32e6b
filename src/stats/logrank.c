/* The log-rank test. */
#include <math.h>
#include <stdlib.h>

#include "stats/distribution.h"
#include "stats/survival.h"

struct watched {
    double time;
    size_t group;
    bool happened;
};

static int by_time(const void *left, const void *right)
{
    const struct watched *a = left, *b = right;

    return (a->time > b->time) - (a->time < b->time);
}

static const char *join(const struct survival_group *groups, size_t count,
                        struct watched *all)
{
    size_t next = 0;

    if (count < 2)
        return "there are fewer than two groups";
    for (size_t g = 0; g < count; g++) {
        if (groups[g].count == 0)
            return "the group is empty";
        for (size_t i = 0; i < groups[g].count; i++) {
            const struct survival_case *one = &groups[g].cases[i];
            if (!(one->time >= 0 && one->time <= VALUES_MAX))
                return "a time is negative, not a number or too large";
            all[next++] = (struct watched){one->time, g, one->happened};
        }
    }
    qsort(all, next, sizeof *all, by_time);
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

struct survival_logrank survival_logrank(const struct survival_group *groups,
                                         size_t count, struct arena *arena)
{
    struct survival_logrank result = {NAN,
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
        result.p = distribution_chi_square_upper(result.chi_square, result.df);
    }
    arena_rewind(arena, mark);
    return result;
}
