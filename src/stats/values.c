/* Runs of numbers: whether they can be used, sorting, joining, summing. */
#include "stats/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *values_problem(struct values values, size_t at_least)
{
    if (values.count == 0 && at_least > 0)
        return "the group is empty";
    if (values.count < at_least)
        return "the group has too few values";
    for (size_t i = 0; i < values.count; i++)
        if (!(fabs(values.at[i]) <= VALUES_MAX)) /* catches NAN as well */
            return "a value is not a number or too large";
    return NULL;
}

const char *values_pair_problem(struct values a, struct values b, size_t at_least)
{
    const char *problem = values_problem(a, at_least);

    return problem != NULL ? problem : values_problem(b, at_least);
}

static double *join(const struct values *groups, size_t count, struct arena *arena,
                    size_t *total)
{
    double *joined, *end;

    *total = 0;
    for (size_t g = 0; g < count; g++)
        *total += groups[g].count;
    end = joined = arena_array(arena, double, *total);
    for (size_t g = 0; g < count; g++) {
        if (groups[g].count > 0)
            memcpy(end, groups[g].at, groups[g].count * sizeof *end);
        end += groups[g].count;
    }
    return joined;
}

struct values values_joined(const struct values *groups, size_t count,
                            struct arena *arena)
{
    size_t total;
    double *joined = join(groups, count, arena, &total);

    return (struct values){joined, total};
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

struct values values_sorted(struct values values, struct arena *arena)
{
    size_t count;
    double *sorted = join(&values, 1, arena, &count);

    if (count > 0)
        qsort(sorted, count, sizeof *sorted, by_size);
    return (struct values){sorted, count};
}

double values_sum(struct values values)
{
    double sum = 0, lost = 0;

    for (size_t i = 0; i < values.count; i++) {
        double value = values.at[i], next = sum + value;
        lost += fabs(sum) >= fabs(value) ? (sum - next) + value : (value - next) + sum;
        sum = next;
    }
    return sum + lost;
}
