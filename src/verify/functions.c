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

enum { SUM, COUNT, MEAN, MEDIAN, MIN, MAX };

static double call_list(const struct verify_functions_call *call, int which)
{
    struct stats_values values = all_of(call);

    if (which == SUM)
        return stats_values_sum(values);
    struct stats_describe all = stats_describe(values, call->arena);
    const double found[] = {[COUNT] = (double)values.count,
                            [MEAN] = all.mean,
                            [MEDIAN] = all.median,
                            [MIN] = all.min,
                            [MAX] = all.max};
    return found[which];
}

enum { ABS, FLOOR, CEIL, SQRT, ROUND };

static double call_scalar(const struct verify_functions_call *call, int which)
{
    double value = scalar(call, 0);
    double scale = call->count > 1 ? pow(10, scalar(call, 1)) : 1;
    const double found[] = {[ABS] = fabs(value),
                            [FLOOR] = floor(value),
                            [CEIL] = ceil(value),
                            [SQRT] = sqrt(value),
                            [ROUND] = round(value * scale) / scale};

    return found[which];
}

enum { LEVEL_PERCENT = 95 };
static const double level = LEVEL_PERCENT / 100.0;

enum { PEARSON, SPEARMAN, KENDALL, P_VALUE }; /* P_VALUE + PEARSON and so on */

static double call_correlation(const struct verify_functions_call *call, int which)
{
    struct stats_values x = call->arguments[0], y = call->arguments[1];
    int kind = which % P_VALUE;

    if (x.count != y.count)
        return NAN;
    struct stats_correlation found =
        kind == PEARSON    ? stats_correlation_pearson(x, y, level)
        : kind == SPEARMAN ? stats_correlation_spearman(x, y, level, call->arena)
                           : stats_correlation_kendall(x, y, level, call->arena);
    return which >= P_VALUE ? found.p : found.r;
}

enum { STUDENT, WELCH, PAIRED };

static double call_means(const struct verify_functions_call *call, int which)
{
    struct stats_values a = call->arguments[0], b = call->arguments[1];

    if (which == PAIRED && a.count != b.count)
        return NAN;
    return which == STUDENT ? stats_ttest_student(a, b, level).p
           : which == WELCH ? stats_ttest_welch(a, b, level).p
                            : stats_ttest_paired(a, b, level, call->arena).p;
}

enum { YATES, PLAIN, YATES_P };

static double call_shares(const struct verify_functions_call *call, int which)
{
    int64_t x[2], n[2];

    for (size_t i = 0; i < 4; i++) {
        double value = scalar(call, i);
        if (!(value >= 0 && value <= 9e15) || value != floor(value))
            return NAN;
        *(i % 2 == 0 ? &x[i / 2] : &n[i / 2]) = (int64_t)value;
    }
    if (x[0] > n[0] || x[1] > n[1])
        return NAN;
    struct stats_contingency_chi_square test =
        stats_contingency_two_shares(x, n, which != PLAIN, level).test;
    return which == YATES_P ? test.p : test.chi_square;
}

static double call_sample(const struct verify_functions_call *call, int which)
{
    struct sample_size_rule rule = {.confidence = scalar(call, 1),
                                    .margin = scalar(call, 2),
                                    .round = (enum sample_size_round)which};
    double frame = scalar(call, 0);
    bool usable = rule.confidence >= 0.5 && rule.confidence < 1 && rule.margin >= 1e-12 &&
                  rule.margin < 1 && frame >= 0 && frame < 9e15;

    return usable ? (double)sample_size_needed(&rule, (int64_t)frame) : NAN;
}

/* Of a two by two table of two raters, by its four counts, shares or anything in
 * proportion: (po - pe) / (1 - pe). */
static double call_kappa(const struct verify_functions_call *call, int which)
{
    double a = scalar(call, 0), b = scalar(call, 1), c = scalar(call, 2),
           d = scalar(call, 3);
    double n = a + b + c + d, observed = (a + d) / n;
    double expected = ((a + b) * (a + c) + (c + d) * (b + d)) / (n * n);

    (void)which;
    return (observed - expected) / (1 - expected);
}

enum { ANY = VERIFY_FUNCTIONS_ARGUMENTS_MAX };

static const struct verify_functions_function functions[] = {
    {"sum", call_list, SUM, 1, ANY, false},
    {"mean", call_list, MEAN, 1, ANY, false},
    {"median", call_list, MEDIAN, 1, ANY, false},
    {"min", call_list, MIN, 1, ANY, false},
    {"max", call_list, MAX, 1, ANY, false},
    {"count", call_list, COUNT, 1, ANY, false},
    {"abs", call_scalar, ABS, 1, 1, true},
    {"floor", call_scalar, FLOOR, 1, 1, true},
    {"ceil", call_scalar, CEIL, 1, 1, true},
    {"sqrt", call_scalar, SQRT, 1, 1, true},
    {"round", call_scalar, ROUND, 1, 2, true},
    {"pearson", call_correlation, PEARSON, 2, 2, false},
    {"pearson-p", call_correlation, P_VALUE + PEARSON, 2, 2, false},
    {"spearman", call_correlation, SPEARMAN, 2, 2, false},
    {"spearman-p", call_correlation, P_VALUE + SPEARMAN, 2, 2, false},
    {"kendall", call_correlation, KENDALL, 2, 2, false},
    {"kendall-p", call_correlation, P_VALUE + KENDALL, 2, 2, false},
    {"student-p", call_means, STUDENT, 2, 2, false},
    {"welch-p", call_means, WELCH, 2, 2, false},
    {"paired-p", call_means, PAIRED, 2, 2, false},
    {"proportion", call_shares, YATES, 4, 4, false},
    {"proportion-plain", call_shares, PLAIN, 4, 4, false},
    {"proportion-p", call_shares, YATES_P, 4, 4, false},
    {"sample-size-up", call_sample, SAMPLE_SIZE_UP, 3, 3, false},
    {"sample-size-down", call_sample, SAMPLE_SIZE_DOWN, 3, 3, false},
    {"sample-size-nearest", call_sample, SAMPLE_SIZE_NEAREST, 3, 3, false},
    {"kappa", call_kappa, 0, 4, 4, false},
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
