/* A parser that computes as it goes. Operators work number by number on lists of the same
 * length, or with one number against a list. */
#include "verify/expression.h"

#include <math.h>
#include <string.h>

#include "verify/functions.h"

enum { DEPTH_MAX = 50 };

struct parser {
    struct str all, rest;
    verify_expression_find *find;
    void *context;
    struct arena *arena;
    struct err *err;
    int depth;
};

static bool parse_sum(struct parser *parser, struct stats_values *out);

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

static struct stats_values one(struct parser *parser, double value)
{
    double *at = arena_array(parser->arena, double, 1);

    *at = value;
    return (struct stats_values){at, 1};
}

static bool unknown_function(struct parser *parser, struct str name)
{
    const struct verify_functions_function *near = verify_functions_nearest(name);

    if (near != NULL)
        return err_set(parser->err, ERR_INPUT,
                       "expression '%.*s': unknown function '%.*s'; did you mean '%s'?",
                       STR_ARG(parser->all), STR_ARG(name), near->name);
    return err_set(parser->err, ERR_INPUT, "expression '%.*s': unknown function '%.*s'",
                   STR_ARG(parser->all), STR_ARG(name));
}

/* Gives what the function makes of its arguments: a number, or one for each of a list. */
static bool call_function(struct parser *parser,
                          const struct verify_functions_function *function,
                          const struct verify_functions_call *call,
                          struct stats_values *out)
{
    struct stats_values arguments[VERIFY_FUNCTIONS_ARGUMENTS_MAX];
    struct verify_functions_call part = {parser->arena, arguments, call->count};
    size_t count = function->each ? call->arguments[0].count : 1;
    double *at = arena_array(parser->arena, double, count + 1);

    memcpy(arguments, call->arguments, call->count * sizeof *arguments);
    for (size_t i = 0; i < count; i++) {
        if (function->each)
            arguments[0] = (struct stats_values){&call->arguments[0].at[i], 1};
        at[i] = function->call(&part, function->which);
        if (!isfinite(at[i]))
            return err_set(parser->err, ERR_INPUT, "%s() is undefined for these numbers",
                           function->name);
    }
    *out = (struct stats_values){at, count};
    return true;
}

/* Behind the opening bracket. */
static bool parse_call(struct parser *parser, struct str name, struct stats_values *out)
{
    struct stats_values arguments[VERIFY_FUNCTIONS_ARGUMENTS_MAX];
    struct verify_functions_call call = {parser->arena, arguments, 0};
    const struct verify_functions_function *function = verify_functions_find(name);

    if (function == NULL)
        return unknown_function(parser, name);
    do {
        if (call.count == VERIFY_FUNCTIONS_ARGUMENTS_MAX)
            return fail(parser, "fewer arguments");
        if (!parse_sum(parser, &arguments[call.count++]))
            return false;
    } while (take(parser, ','));
    if (!take(parser, ')'))
        return fail(parser, "')' or ','");
    if (call.count < function->least || call.count > function->most)
        return err_set(parser->err, ERR_INPUT,
                       "expression '%.*s': %s() takes %zu argument%s, found %zu",
                       STR_ARG(parser->all), function->name, function->least,
                       function->least == 1 ? "" : "s", call.count);
    return call_function(parser, function, &call, out);
}

/* Behind the opening bracket of a list, in which lists are taken number by number. */
static bool parse_list(struct parser *parser, struct stats_values *out)
{
    struct stats_values next;

    *out = (struct stats_values){NULL, 0};
    do {
        if (!parse_sum(parser, &next))
            return false;
        struct stats_values parts[] = {*out, next};
        *out = stats_values_joined(parts, ROWS_OF(parts), parser->arena);
    } while (take(parser, ','));
    return take(parser, ']') || fail(parser, "']' or ','");
}

/* Names and numbers. */

static bool in_name(struct str rest, size_t i)
{
    char c = rest.ptr[i];

    if (c == '*') /* a star that stands for rows, not a product */
        return (i > 0 && rest.ptr[i - 1] == '.') ||
               (i + 1 < rest.len && rest.ptr[i + 1] == '.');
    return c != ' ' && c != '\n' && strchr("+/(),]", c) == NULL;
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

static bool parse_number(struct parser *parser, struct stats_values *out)
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

static bool parse_factor(struct parser *parser, struct stats_values *out)
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
    if (take(parser, '['))
        return parse_list(parser, out);
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

static bool combine(struct parser *parser, char operator, struct stats_values * a,
                    struct stats_values b)
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
    *a = (struct stats_values){at, count};
    return true;
}

static bool parse_product(struct parser *parser, struct stats_values *out)
{
    if (!parse_factor(parser, out))
        return false;
    for (;;) {
        struct stats_values next;
        char operator= take(parser, '*') ? '*' : take(parser, '/') ? '/' : '\0';
        if (operator== '\0')
            return true;
        if (!parse_factor(parser, &next) || !combine(parser, operator, out, next))
            return false;
    }
}

static bool parse_sum(struct parser *parser, struct stats_values *out)
{
    bool ok = ++parser->depth <= DEPTH_MAX || fail(parser, "fewer brackets");

    ok = ok && parse_product(parser, out);
    while (ok) {
        struct stats_values next;
        char operator= take(parser, '+') ? '+' : take(parser, '-') ? '-' : '\0';
        if (operator== '\0')
            break;
        ok = parse_product(parser, &next) && combine(parser, operator, out, next);
    }
    parser->depth--;
    return ok;
}

bool verify_expression_evaluate(struct str text, verify_expression_find *find,
                                void *context, struct arena *arena, double *out,
                                struct err *err)
{
    struct parser parser = {str_trim(text), str_trim(text), find, context, arena, err, 0};
    struct stats_values values;

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
