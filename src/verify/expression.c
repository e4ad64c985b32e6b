/* A parser that computes as it goes. Operators work number by number on lists of the same
 * length, or with one number against a list. */
#include "verify/expression.h"

#include <math.h>
#include <string.h>

#include "base/near.h"
#include "sample/size.h"
#include "stats/agreement.h"
#include "stats/contingency.h"
#include "stats/correlation.h"
#include "stats/describe.h"
#include "stats/ttest.h"

enum { ARGUMENTS_MAX = 8, DEPTH_MAX = 50 };

struct parser {
    struct str all, rest;
    expression_find *find;
    void *context;
    struct arena *arena;
    struct err *err;
    int depth;
};

static bool parse_sum(struct parser *parser, struct values *out);

static bool fail(struct parser *parser, const char *expected)
{
    return err_set(parser->err, ERR_INPUT, "expression '%.*s': expected %s, found '%.*s'",
                   STR_ARG(parser->all), expected,
                   STR_ARG(str_slice(parser->rest, 0, 40)));
}

static void skip_blanks(struct parser *parser)
{
    while (parser->rest.len > 0 &&
           (parser->rest.ptr[0] == ' ' || parser->rest.ptr[0] == '\n'))
        parser->rest = str_slice(parser->rest, 1, parser->rest.len);
}

static bool take(struct parser *parser, char c)
{
    skip_blanks(parser);
    if (parser->rest.len == 0 || parser->rest.ptr[0] != c)
        return false;
    parser->rest = str_slice(parser->rest, 1, parser->rest.len);
    return true;
}

static struct values one(struct parser *parser, double value)
{
    double *at = arena_array(parser->arena, double, 1);

    *at = value;
    return (struct values){at, 1};
}

/* Functions. */

struct call {
    struct parser *parser;
    struct values *arguments;
    size_t count;
};

static double scalar(const struct call *call, size_t i)
{
    return i < call->count && call->arguments[i].count == 1 ? call->arguments[i].at[0]
                                                            : NAN;
}

/* All arguments as one list. */
static struct values all_of(const struct call *call)
{
    return call->count == 1
               ? call->arguments[0]
               : values_joined(call->arguments, call->count, call->parser->arena);
}

static double call_sum(const struct call *call)
{
    return values_sum(all_of(call));
}

static double call_count(const struct call *call)
{
    return (double)all_of(call).count;
}

static double call_mean(const struct call *call)
{
    struct values values = all_of(call);

    return values_problem(values, 1) != NULL ? NAN : describe_mean(values);
}

static double call_median(const struct call *call)
{
    struct values values = all_of(call);

    return values_problem(values, 1) != NULL
               ? NAN
               : describe_median(values, call->parser->arena);
}

static double call_min(const struct call *call)
{
    return describe_values(all_of(call), call->parser->arena).min;
}

static double call_max(const struct call *call)
{
    return describe_values(all_of(call), call->parser->arena).max;
}

static double call_abs(const struct call *call)
{
    return fabs(scalar(call, 0));
}

static double call_floor(const struct call *call)
{
    return floor(scalar(call, 0));
}

static double call_ceil(const struct call *call)
{
    return ceil(scalar(call, 0));
}

static double call_sqrt(const struct call *call)
{
    return sqrt(scalar(call, 0));
}

static double call_round(const struct call *call)
{
    double scale = call->count > 1 ? pow(10, scalar(call, 1)) : 1;

    return round(scalar(call, 0) * scale) / scale;
}

enum { LEVEL_PERCENT = 95 };
static const double level = LEVEL_PERCENT / 100.0;

static struct correlation correlate(const struct call *call, char kind)
{
    struct values x = call->arguments[0], y = call->arguments[1];

    if (x.count != y.count)
        return (struct correlation){.r = NAN, .p = NAN};
    return kind == 'p'   ? correlation_pearson(x, y, level)
           : kind == 's' ? correlation_spearman(x, y, level, call->parser->arena)
                         : correlation_kendall(x, y, level, call->parser->arena);
}

static double call_pearson(const struct call *call)
{
    return correlate(call, 'p').r;
}

static double call_pearson_p(const struct call *call)
{
    return correlate(call, 'p').p;
}

static double call_spearman(const struct call *call)
{
    return correlate(call, 's').r;
}

static double call_spearman_p(const struct call *call)
{
    return correlate(call, 's').p;
}

static double call_kendall(const struct call *call)
{
    return correlate(call, 'k').r;
}

static double call_kendall_p(const struct call *call)
{
    return correlate(call, 'k').p;
}

static double call_student_p(const struct call *call)
{
    return ttest_student(call->arguments[0], call->arguments[1], level).p;
}

static double call_welch_p(const struct call *call)
{
    return ttest_welch(call->arguments[0], call->arguments[1], level).p;
}

static double call_paired_p(const struct call *call)
{
    if (call->arguments[0].count != call->arguments[1].count)
        return NAN;
    return ttest_paired(call->arguments[0], call->arguments[1], level,
                        call->parser->arena)
        .p;
}

static struct contingency_chi_square shares_test(const struct call *call, bool yates)
{
    int64_t x[2], n[2];

    for (size_t i = 0; i < 4; i++) {
        double value = scalar(call, i);
        if (!(value >= 0 && value <= 9e15) || value != floor(value))
            return (struct contingency_chi_square){.chi_square = NAN, .p = NAN};
        *(i % 2 == 0 ? &x[i / 2] : &n[i / 2]) = (int64_t)value;
    }
    if (x[0] > n[0] || x[1] > n[1])
        return (struct contingency_chi_square){.chi_square = NAN, .p = NAN};
    return contingency_two_shares(x, n, yates, level).test;
}

static double call_proportion(const struct call *call)
{
    return shares_test(call, true).chi_square;
}

static double call_proportion_plain(const struct call *call)
{
    return shares_test(call, false).chi_square;
}

static double call_proportion_p(const struct call *call)
{
    return shares_test(call, true).p;
}

static double sample_size(const struct call *call, enum size_round rounding)
{
    struct size_rule rule = {
        .confidence = scalar(call, 1), .margin = scalar(call, 2), .round = rounding};
    double frame = scalar(call, 0);
    bool usable = rule.confidence >= 0.5 && rule.confidence < 1 && rule.margin >= 1e-12 &&
                  rule.margin < 1 && frame >= 0 && frame < 9e15;

    return usable ? (double)size_needed(&rule, (int64_t)frame) : NAN;
}

static double call_sample_up(const struct call *call)
{
    return sample_size(call, SIZE_UP);
}

static double call_sample_down(const struct call *call)
{
    return sample_size(call, SIZE_DOWN);
}

static double call_sample_nearest(const struct call *call)
{
    return sample_size(call, SIZE_NEAREST);
}

/* Of a two by two table of two raters, by its four counts, shares or anything in
 * proportion: (po - pe) / (1 - pe). */
static double call_kappa(const struct call *call)
{
    double a = scalar(call, 0), b = scalar(call, 1), c = scalar(call, 2),
           d = scalar(call, 3);
    double n = a + b + c + d, observed = (a + d) / n;
    double expected = ((a + b) * (a + c) + (c + d) * (b + d)) / (n * n);

    return (observed - expected) / (1 - expected);
}

static const struct {
    const char *name;
    double (*call)(const struct call *call);
    size_t least, most; /* arguments */
} functions[] = {
    {"sum", call_sum, 1, ARGUMENTS_MAX},
    {"mean", call_mean, 1, ARGUMENTS_MAX},
    {"median", call_median, 1, ARGUMENTS_MAX},
    {"min", call_min, 1, ARGUMENTS_MAX},
    {"max", call_max, 1, ARGUMENTS_MAX},
    {"count", call_count, 1, ARGUMENTS_MAX},
    {"abs", call_abs, 1, 1},
    {"floor", call_floor, 1, 1},
    {"ceil", call_ceil, 1, 1},
    {"sqrt", call_sqrt, 1, 1},
    {"round", call_round, 1, 2},
    {"pearson", call_pearson, 2, 2},
    {"pearson-p", call_pearson_p, 2, 2},
    {"spearman", call_spearman, 2, 2},
    {"spearman-p", call_spearman_p, 2, 2},
    {"kendall", call_kendall, 2, 2},
    {"kendall-p", call_kendall_p, 2, 2},
    {"student-p", call_student_p, 2, 2},
    {"welch-p", call_welch_p, 2, 2},
    {"paired-p", call_paired_p, 2, 2},
    {"proportion", call_proportion, 4, 4},
    {"proportion-plain", call_proportion_plain, 4, 4},
    {"proportion-p", call_proportion_p, 4, 4},
    {"sample-size-up", call_sample_up, 3, 3},
    {"sample-size-down", call_sample_down, 3, 3},
    {"sample-size-nearest", call_sample_nearest, 3, 3},
    {"kappa", call_kappa, 4, 4},
};

static bool unknown_function(struct parser *parser, struct str name)
{
    struct str names[ROWS_OF(functions)];

    for (size_t i = 0; i < ROWS_OF(functions); i++)
        names[i] = str_from(functions[i].name);
    size_t near = near_find(name, names, ROWS_OF(functions));
    if (near < ROWS_OF(functions))
        return err_set(parser->err, ERR_INPUT,
                       "expression '%.*s': unknown function '%.*s'; did you mean '%s'?",
                       STR_ARG(parser->all), STR_ARG(name), functions[near].name);
    return err_set(parser->err, ERR_INPUT, "expression '%.*s': unknown function '%.*s'",
                   STR_ARG(parser->all), STR_ARG(name));
}

/* Behind the opening bracket. */
static bool parse_call(struct parser *parser, struct str name, struct values *out)
{
    struct values arguments[ARGUMENTS_MAX];
    struct call call = {parser, arguments, 0};
    size_t f = 0;

    while (f < ROWS_OF(functions) && !str_eq(name, str_from(functions[f].name)))
        f++;
    if (f == ROWS_OF(functions))
        return unknown_function(parser, name);
    do {
        if (call.count == ARGUMENTS_MAX)
            return fail(parser, "fewer arguments");
        if (!parse_sum(parser, &arguments[call.count++]))
            return false;
    } while (take(parser, ','));
    if (!take(parser, ')'))
        return fail(parser, "')' or ','");
    if (call.count < functions[f].least || call.count > functions[f].most)
        return err_set(parser->err, ERR_INPUT,
                       "expression '%.*s': %s() takes %zu argument%s, found %zu",
                       STR_ARG(parser->all), functions[f].name, functions[f].least,
                       functions[f].least == 1 ? "" : "s", call.count);
    double value = functions[f].call(&call);
    if (!isfinite(value))
        return err_set(parser->err, ERR_INPUT, "%s() is undefined for these numbers",
                       functions[f].name);
    *out = one(parser, value);
    return true;
}

/* Names and numbers. */

static bool in_name(struct str rest, size_t i)
{
    char c = rest.ptr[i];

    if (c == '*') /* a star that stands for rows, not a product */
        return (i > 0 && rest.ptr[i - 1] == '.') ||
               (i + 1 < rest.len && rest.ptr[i + 1] == '.');
    return c != ' ' && c != '\n' && strchr("+/(),", c) == NULL;
}

static struct str take_name(struct parser *parser)
{
    struct str rest = parser->rest;
    size_t len = 0;

    while (len < rest.len && in_name(rest, len)) {
        if (rest.ptr[len] == '[')
            while (len < rest.len && rest.ptr[len] != ']')
                len++;
        if (len < rest.len)
            len++;
    }
    parser->rest = str_slice(rest, len, rest.len);
    return str_slice(rest, 0, len);
}

static bool parse_number(struct parser *parser, struct values *out)
{
    struct str rest = parser->rest;
    size_t len = 0;
    double value;

    while (len < rest.len &&
           ((rest.ptr[len] >= '0' && rest.ptr[len] <= '9') || rest.ptr[len] == '.'))
        len++;
    if (!str_to_real(str_slice(rest, 0, len), &value))
        return fail(parser, "a number");
    parser->rest = str_slice(rest, len, rest.len);
    if (parser->rest.len > 0 && parser->rest.ptr[0] == '%') {
        parser->rest = str_slice(parser->rest, 1, parser->rest.len);
        value /= 100;
    }
    *out = one(parser, value);
    return true;
}

static bool parse_factor(struct parser *parser, struct values *out)
{
    skip_blanks(parser);
    if (parser->rest.len == 0)
        return fail(parser, "a number or a name");
    char c = parser->rest.ptr[0];
    if ((c >= '0' && c <= '9') || c == '.')
        return parse_number(parser, out);
    if (take(parser, '-')) {
        bool ok = ++parser->depth <= DEPTH_MAX || fail(parser, "fewer signs");
        ok = ok && parse_factor(parser, out);
        parser->depth--;
        if (!ok)
            return false;
        double *negated = arena_array(parser->arena, double, out->count + 1);
        for (size_t i = 0; i < out->count; i++)
            negated[i] = -out->at[i];
        out->at = negated;
        return true;
    }
    if (take(parser, '('))
        return parse_sum(parser, out) && (take(parser, ')') || fail(parser, "')'"));
    struct str name = take_name(parser);
    if (name.len == 0)
        return fail(parser, "a number or a name");
    if (take(parser, '('))
        return parse_call(parser, name, out);
    return parser->find(parser->context, name, parser->arena, out, parser->err);
}

static double apply(char operator, double a, double b)
{
    return operator== '+' ? a + b :
           operator== '-' ? a - b
           :
           operator== '*' ? a * b
                          : a / b;
}

static bool combine(struct parser *parser, char operator, struct values * a,
                    struct values b)
{
    size_t count = a->count > b.count ? a->count : b.count;
    double *at = arena_array(parser->arena, double, count + 1);

    if (a->count != b.count && a->count != 1 && b.count != 1)
        return err_set(parser->err, ERR_INPUT,
                       "expression '%.*s': %zu numbers %c %zu numbers",
                       STR_ARG(parser->all), a->count, operator, b.count);
    for (size_t i = 0; i < count; i++) {
        at[i] = apply(operator, a->at[a->count == 1 ? 0 : i], b.at[b.count == 1 ? 0 : i]);
        if (!isfinite(at[i]))
            return err_set(parser->err, ERR_INPUT,
                           "expression '%.*s': a division by zero", STR_ARG(parser->all));
    }
    *a = (struct values){at, count};
    return true;
}

static bool parse_product(struct parser *parser, struct values *out)
{
    if (!parse_factor(parser, out))
        return false;
    for (;;) {
        struct values next;
        char operator= take(parser, '*') ? '*' : take(parser, '/') ? '/' : '\0';
        if (operator== '\0')
            return true;
        if (!parse_factor(parser, &next) || !combine(parser, operator, out, next))
            return false;
    }
}

static bool parse_sum(struct parser *parser, struct values *out)
{
    bool ok = ++parser->depth <= DEPTH_MAX || fail(parser, "fewer brackets");

    ok = ok && parse_product(parser, out);
    while (ok) {
        struct values next;
        char operator= take(parser, '+') ? '+' : take(parser, '-') ? '-' : '\0';
        if (operator== '\0')
            break;
        ok = parse_product(parser, &next) && combine(parser, operator, out, next);
    }
    parser->depth--;
    return ok;
}

bool expression_evaluate(struct str text, expression_find *find, void *context,
                         struct arena *arena, double *out, struct err *err)
{
    struct parser parser = {str_trim(text), str_trim(text), find, context, arena, err, 0};
    struct values values;

    if (!parse_sum(&parser, &values))
        return false;
    skip_blanks(&parser);
    if (parser.rest.len > 0)
        return fail(&parser, "an operator or the end");
    if (values.count != 1)
        return err_set(
            err, ERR_INPUT,
            "expression '%.*s': gives %zu numbers; use sum(), mean() or the like",
            STR_ARG(parser.all), values.count);
    *out = values.at[0];
    return true;
}
