/* Expressions over numbers: precedence, lists, every function against R, and what is
 * said of what is wrong. */
#include "verify/expression.h"

#include <math.h>
#include <string.h>

#include "tests/tap.h"

/* "one" is 1, "x" and "y" are six numbers each, "u" is undefined. */
static bool find(void *context, struct str name, struct arena *arena,
                 struct stats_values *out, struct err *err)
{
    static const double x[] = {12, 7, 9, 15, 4, 11}, y[] = {10, 9, 5, 11, 3, 4}, one = 1;

    (void)context, (void)arena;
    if (str_eq(name, STR("one")))
        *out = (struct stats_values){&one, 1};
    else if (str_eq(name, STR("x.*.count")) || str_eq(name, STR("x[a, b]")))
        *out = (struct stats_values){x, ROWS(x)};
    else if (str_eq(name, STR("y")))
        *out = (struct stats_values){y, ROWS(y)};
    else
        return err_set(err, ERR_INPUT, "no '%.*s'", STR_ARG(name));
    return true;
}

static const struct {
    const char *text;
    double value;
} values[] = {
    {"1 + 2 * 3", 7},
    {"(1 + 2) * 3", 9},
    {"10 - 4 - 3", 3},
    {"100 / 10 / 5", 2},
    {"-2 * -3", 6},
    {"- - 2", 2},
    {"2*.5", 1},
    {"12.5%", 0.125},
    {"one", 1},
    {"one+one", 2},
    {"-one", -1},
    {"sum(x.*.count)", 58},
    {"sum(x[a, b])", 58},
    {"sum(x.*.count) / 2", 29},
    {"sum(x.*.count, y, one)", 101},
    {"sum(x.*.count - y)", 16},
    {"sum(2 * y)", 84},
    {"sum(y / 2)", 21},
    {"mean(x.*.count)", 58.0 / 6},
    {"median(x.*.count)", 10},
    {"min(x.*.count)", 4},
    {"max(y, 99)", 99},
    {"count(x.*.count, one)", 7},
    {"abs(1 - 3)", 2},
    {"floor(-1.5)", -2},
    {"ceil(1.2)", 2},
    {"sqrt(16)", 4},
    {"sum([1, 2, 3])", 6},
    {"count([x.*.count, one, 2 * y])", 13},
    {"max([x[a, b], one])", 15},
    {"median([[3, 1], 2])", 2},
    {"sum(round([1.26, 2.24], 1))", 3.5},
    {"sum(floor(x.*.count / 2))", 27},
    {"sum(abs(y - 10))", 20},
    {"round(2.5)", 3},
    {"round(2.345, 2)", 2.35},
    /* R 4: cor.test, t.test, prop.test. */
    {"pearson(x.*.count, y)", 0.650520319432},
    {"pearson-p(x.*.count, y)", 0.161862037327},
    {"spearman(x.*.count, x.*.count)", 1},
    {"kendall(x.*.count, x.*.count)", 1},
    {"welch-p(x.*.count, y)", 0.23505583526},
    {"paired-p(x.*.count, y)", 0.0871758546258},
    {"proportion(2, 8, 4, 8)", 0.266666666667},
    {"proportion-p(2, 8, 4, 8)", 0.605576616335},
    {"proportion-plain(2, 8, 4, 8)", 16.0 / 15},
    /* Cochran's formula with a finite population: 384.15 / (1 + 383.15 / 1000) = 277.7 */
    {"sample-size-up(1000, 95%, 5%)", 278},
    {"sample-size-down(1000, 95%, 5%)", 277},
    {"sample-size-nearest(1000, 95%, 5%)", 278},
    {"kappa(20, 5, 10, 15)", 0.4},
};

static const struct {
    const char *name, *text, *error;
} errors[] = {
    {"nothing", "", "expression '': expected a number or a name, found ''"},
    {"an operator at the end", "one +",
     "expression 'one +': expected a number or a name, found ''"},
    {"an open bracket", "(one", "expression '(one': expected ')', found ''"},
    {"two numbers", "1 2",
     "expression '1 2': expected an operator or the end, found '2'"},
    {"a number with two points", "1.2.3",
     "expression '1.2.3': expected a number, found '1.2.3'"},
    {"a name that is not there", "two + 1", "no 'two'"},
    {"several numbers at the end", "y",
     "expression 'y': gives 6 numbers; use sum(), mean() or the like"},
    {"lists of different lengths", "y + [1, 2]",
     "expression 'y + [1, 2]': 6 numbers + 2 numbers"},
    {"a list that does not end", "sum([1, one)",
     "expression 'sum([1, one)': expected ']' or ',', found ')'"},
    {"one of a list", "sum(sqrt([4, -1]))", "sqrt() is undefined for these numbers"},
    {"a misspelt function", "sun(y)",
     "expression 'sun(y)': unknown function 'sun'; did you mean 'sum'?"},
    {"an unknown function", "frobnicate(y)",
     "expression 'frobnicate(y)': unknown function 'frobnicate'"},
    {"too few arguments", "kappa(1, 2)",
     "expression 'kappa(1, 2)': kappa() takes 4 arguments, found 2"},
    {"too many arguments", "abs(1, 2)",
     "expression 'abs(1, 2)': abs() takes 1 argument, found 2"},
    {"more than any function takes", "sum(1,2,3,4,5,6,7,8,9)",
     "expression 'sum(1,2,3,4,5,6,7,8,9)': expected fewer arguments, found '9)'"},
    {"a division by zero", "1 / (one - 1)",
     "expression '1 / (one - 1)': a division by zero"},
    {"a root of a negative", "sqrt(-1)", "sqrt() is undefined for these numbers"},
    {"a share above one", "proportion(9, 8, 1, 8)",
     "proportion() is undefined for these numbers"},
    {"pairs of different lengths", "pearson(y, one)",
     "pearson() is undefined for these numbers"},
};

static void check_depth(struct arena *arena)
{
    static const char signs[] = {'(', '-', '['};
    char text[200000];
    double value;

    for (size_t i = 0; i < sizeof signs; i++) {
        struct err err = {0};
        tap_case("too deep: %c", signs[i]);
        memset(text, signs[i], sizeof text);
        CHECK(!verify_expression_evaluate((struct str){text, sizeof text}, find, NULL,
                                          arena, &value, &err));
        CHECK(err.kind == ERR_INPUT);
    }
}

int main(void)
{
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(values); i++) {
        struct err err = {0};
        double value = NAN;
        tap_case("%s", values[i].text);
        CHECK(verify_expression_evaluate(str_from(values[i].text), find, NULL, &arena,
                                         &value, &err));
        CHECK_TEXT(err.text, "");
        CHECK_NEAR(value, values[i].value, 1e-9);
    }
    for (size_t i = 0; i < ROWS(errors); i++) {
        struct err err = {0};
        double value;
        tap_case("error: %s", errors[i].name);
        CHECK(!verify_expression_evaluate(str_from(errors[i].text), find, NULL, &arena,
                                          &value, &err));
        CHECK_TEXT(err.text, errors[i].error);
    }
    check_depth(&arena);
    arena_free(&arena);
    return tap_done();
}
