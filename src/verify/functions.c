/* Each function is a row of a table; NAN says that it is undefined for its arguments. */
#include "verify/functions.h"

#include <math.h>

#include "base/near.h"
#include "sample/size.h"
#include "stats/contingency.h"
#include "stats/correlation.h"
#include "stats/ttest.h"
#include "stats/values.h"

static double scalar(const struct verify_functions_call *call, size_t i)
{
    return i < call->count && call->arguments[i].count == 1 ? call->arguments[i].at[0]
                                                            : NAN;
}

/* All arguments as one list. */
static struct stats_values all_of(const struct verify_functions_call *call)
{
    return call->count == 1
               ? call->arguments[0]
               : stats_values_joined(call->arguments, call->count, call->arena);
}

static double call_sum(const struct verify_functions_call *call)
{
    return stats_values_sum(all_of(call));
}

static double call_count(const struct verify_functions_call *call)
{
    return (double)all_of(call).count;
}

static double call_mean(const struct verify_functions_call *call)
{
    struct stats_values values = all_of(call);

    return stats_values_problem(values, 1) != NULL ? NAN : stats_mean(values);
}

static double call_median(const struct verify_functions_call *call)
{
    struct stats_values values = all_of(call);

    return stats_values_problem(values, 1) != NULL ? NAN
                                                   : stats_median(values, call->arena);
}

static double call_min(const struct verify_functions_call *call)
{
    return stats_describe(all_of(call), call->arena).min;
}

static double call_max(const struct verify_functions_call *call)
{
    return stats_describe(all_of(call), call->arena).max;
}

static double call_abs(const struct verify_functions_call *call)
{
    return fabs(scalar(call, 0));
}

static double call_floor(const struct verify_functions_call *call)
{
    return floor(scalar(call, 0));
}

static double call_ceil(const struct verify_functions_call *call)
{
    return ceil(scalar(call, 0));
}

static double call_sqrt(const struct verify_functions_call *call)
{
    return sqrt(scalar(call, 0));
}

static double call_round(const struct verify_functions_call *call)
{
    double scale = call->count > 1 ? pow(10, scalar(call, 1)) : 1;

    return round(scalar(call, 0) * scale) / scale;
}

enum { LEVEL_PERCENT = 95 };
static const double level = LEVEL_PERCENT / 100.0;

static struct stats_correlation correlate(const struct verify_functions_call *call,
                                          char kind)
{
    struct stats_values x = call->arguments[0], y = call->arguments[1];

    if (x.count != y.count)
        return (struct stats_correlation){.r = NAN, .p = NAN};
    return kind == 'p'   ? stats_correlation_pearson(x, y, level)
           : kind == 's' ? stats_correlation_spearman(x, y, level, call->arena)
                         : stats_correlation_kendall(x, y, level, call->arena);
}

static double call_pearson(const struct verify_functions_call *call)
{
    return correlate(call, 'p').r;
}

static double call_pearson_p(const struct verify_functions_call *call)
{
    return correlate(call, 'p').p;
}

static double call_spearman(const struct verify_functions_call *call)
{
    return correlate(call, 's').r;
}

static double call_spearman_p(const struct verify_functions_call *call)
{
    return correlate(call, 's').p;
}

static double call_kendall(const struct verify_functions_call *call)
{
    return correlate(call, 'k').r;
}

static double call_kendall_p(const struct verify_functions_call *call)
{
    return correlate(call, 'k').p;
}

static double call_student_p(const struct verify_functions_call *call)
{
    return stats_ttest_student(call->arguments[0], call->arguments[1], level).p;
}

static double call_welch_p(const struct verify_functions_call *call)
{
    return stats_ttest_welch(call->arguments[0], call->arguments[1], level).p;
}

static double call_paired_p(const struct verify_functions_call *call)
{
    if (call->arguments[0].count != call->arguments[1].count)
        return NAN;
    return stats_ttest_paired(call->arguments[0], call->arguments[1], level, call->arena)
        .p;
}

static struct stats_contingency_chi_square
shares_test(const struct verify_functions_call *call, bool yates)
{
    int64_t x[2], n[2];

    for (size_t i = 0; i < 4; i++) {
        double value = scalar(call, i);
        if (!(value >= 0 && value <= 9e15) || value != floor(value))
            return (struct stats_contingency_chi_square){.chi_square = NAN, .p = NAN};
        *(i % 2 == 0 ? &x[i / 2] : &n[i / 2]) = (int64_t)value;
    }
    if (x[0] > n[0] || x[1] > n[1])
        return (struct stats_contingency_chi_square){.chi_square = NAN, .p = NAN};
    return stats_contingency_two_shares(x, n, yates, level).test;
}

static double call_proportion(const struct verify_functions_call *call)
{
    return shares_test(call, true).chi_square;
}

static double call_proportion_plain(const struct verify_functions_call *call)
{
    return shares_test(call, false).chi_square;
}

static double call_proportion_p(const struct verify_functions_call *call)
{
    return shares_test(call, true).p;
}

static double sample_size(const struct verify_functions_call *call,
                          enum sample_size_round rounding)
{
    struct sample_size_rule rule = {
        .confidence = scalar(call, 1), .margin = scalar(call, 2), .round = rounding};
    double frame = scalar(call, 0);
    bool usable = rule.confidence >= 0.5 && rule.confidence < 1 && rule.margin >= 1e-12 &&
                  rule.margin < 1 && frame >= 0 && frame < 9e15;

    return usable ? (double)sample_size_needed(&rule, (int64_t)frame) : NAN;
}

static double call_sample_up(const struct verify_functions_call *call)
{
    return sample_size(call, SAMPLE_SIZE_UP);
}

static double call_sample_down(const struct verify_functions_call *call)
{
    return sample_size(call, SAMPLE_SIZE_DOWN);
}

static double call_sample_nearest(const struct verify_functions_call *call)
{
    return sample_size(call, SAMPLE_SIZE_NEAREST);
}

/* Of a two by two table of two raters, by its four counts, shares or anything in
 * proportion: (po - pe) / (1 - pe). */
static double call_kappa(const struct verify_functions_call *call)
{
    double a = scalar(call, 0), b = scalar(call, 1), c = scalar(call, 2),
           d = scalar(call, 3);
    double n = a + b + c + d, observed = (a + d) / n;
    double expected = ((a + b) * (a + c) + (c + d) * (b + d)) / (n * n);

    return (observed - expected) / (1 - expected);
}

enum { ANY = VERIFY_FUNCTIONS_ARGUMENTS_MAX };

static const struct verify_functions_function functions[] = {
    {.name = "sum", .call = call_sum, .least = 1, .most = ANY},
    {.name = "mean", .call = call_mean, .least = 1, .most = ANY},
    {.name = "median", .call = call_median, .least = 1, .most = ANY},
    {.name = "min", .call = call_min, .least = 1, .most = ANY},
    {.name = "max", .call = call_max, .least = 1, .most = ANY},
    {.name = "count", .call = call_count, .least = 1, .most = ANY},
    {.name = "abs", .call = call_abs, .least = 1, .most = 1, .each = true},
    {.name = "floor", .call = call_floor, .least = 1, .most = 1, .each = true},
    {.name = "ceil", .call = call_ceil, .least = 1, .most = 1, .each = true},
    {.name = "sqrt", .call = call_sqrt, .least = 1, .most = 1, .each = true},
    {.name = "round", .call = call_round, .least = 1, .most = 2, .each = true},
    {.name = "pearson", .call = call_pearson, .least = 2, .most = 2},
    {.name = "pearson-p", .call = call_pearson_p, .least = 2, .most = 2},
    {.name = "spearman", .call = call_spearman, .least = 2, .most = 2},
    {.name = "spearman-p", .call = call_spearman_p, .least = 2, .most = 2},
    {.name = "kendall", .call = call_kendall, .least = 2, .most = 2},
    {.name = "kendall-p", .call = call_kendall_p, .least = 2, .most = 2},
    {.name = "student-p", .call = call_student_p, .least = 2, .most = 2},
    {.name = "welch-p", .call = call_welch_p, .least = 2, .most = 2},
    {.name = "paired-p", .call = call_paired_p, .least = 2, .most = 2},
    {.name = "proportion", .call = call_proportion, .least = 4, .most = 4},
    {.name = "proportion-plain", .call = call_proportion_plain, .least = 4, .most = 4},
    {.name = "proportion-p", .call = call_proportion_p, .least = 4, .most = 4},
    {.name = "sample-size-up", .call = call_sample_up, .least = 3, .most = 3},
    {.name = "sample-size-down", .call = call_sample_down, .least = 3, .most = 3},
    {.name = "sample-size-nearest", .call = call_sample_nearest, .least = 3, .most = 3},
    {.name = "kappa", .call = call_kappa, .least = 4, .most = 4},
};

const struct verify_functions_function *verify_functions_find(struct str name)
{
    for (size_t i = 0; i < ROWS_OF(functions); i++)
        if (str_eq(name, str_from(functions[i].name)))
            return &functions[i];
    return NULL;
}

const struct verify_functions_function *verify_functions_nearest(struct str name)
{
    struct str names[ROWS_OF(functions)];

    for (size_t i = 0; i < ROWS_OF(functions); i++)
        names[i] = str_from(functions[i].name);
    size_t near = near_find(name, names, ROWS_OF(functions));
    return near < ROWS_OF(functions) ? &functions[near] : NULL;
}
