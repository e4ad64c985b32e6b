/* assay power: how many items a planned comparison needs, or what so many can find. */
#include "cmd/cmd.h"

#include <math.h>
#include <string.h>

#include "stats/power.h"

struct power_args {
    const char *test;
    struct cmd_real first, second, effect, power, alpha;
    int64_t n, df;
    bool json;
};

#define AT(field) offsetof(struct power_args, field)

static const struct cmd_operand operands[] = {
    {"TEST", AT(test),
     "proportions, means, chi-square or correlation: what will be compared", true},
    {0}};

static const struct cmd_option options[] = {
    {"--p1", CMD_REAL, AT(first), "X", .help = "the first proportion, from 0 to 1",
     .highest = 1},
    {"--p2", CMD_REAL, AT(second), "X",
     .help = "the second proportion; without it, with --n, the nearest above the first "
             "that is found",
     .highest = 1},
    {"--effect", CMD_REAL, AT(effect), "X",
     .help = "Cohen's d of means (the difference in standard deviations), Cohen's w of a "
             "table, or the correlation; without it, with --n, the least that is found",
     .lowest = -1000, .highest = 1000},
    {"--df", CMD_INT, AT(df), "N",
     .help = "chi-square: degrees of freedom, (rows - 1) (columns - 1)", .lowest = 1,
     .highest = 1000000, .fallback = "1"},
    {"--n", CMD_INT, AT(n), "N",
     .help = "items: of each of the two groups, or in all (chi-square, correlation); "
             "without it, how many are needed",
     .lowest = 2, .highest = STATS_POWER_ITEMS_MAX},
    {"--power", CMD_REAL, AT(power), "X",
     .help = "how likely the effect is to be found; 0.8 without it", .highest = 1},
    {"--alpha", CMD_REAL, AT(alpha), "X",
     .help = "the level of the test, divided by the number of tests where there are "
             "several; 0.05 without it",
     .highest = 1},
    {"--json", CMD_FLAG, AT(json), NULL, .help = "for programs"},
    {0}};

static const struct {
    const char *name, *effect; /* what its effect is called */
    const char *items;
} tests[STATS_POWER_TESTS] = {{"proportions", "second proportion", "in each group"},
                              {"means", "d", "in each group"},
                              {"chi-square", "w", "in all"},
                              {"correlation", "r", "in all"}};

static bool within(const char *name, const struct cmd_real *given, double fallback,
                   double *out, struct err *err)
{
    *out = given->given ? given->value : fallback;
    return (*out > 0 && *out < 1) ||
           err_set(err, ERR_USAGE, "%s is %g, expected a number between 0 and 1", name,
                   *out);
}

static bool read_effect(const struct power_args *args, struct stats_power *plan,
                        bool *known, struct err *err)
{
    bool shares = plan->test == STATS_POWER_PROPORTIONS;
    const char *name = tests[plan->test].name;

    *known = shares ? args->second.given : args->effect.given;
    if (shares != args->first.given || (!shares && args->second.given) ||
        (shares && args->effect.given))
        return err_set(err, ERR_USAGE,
                       shares ? "%s needs --p1, and --p2 or --n; --effect is for others"
                              : "--p1 and --p2 are for proportions; %s has --effect",
                       name);
    if (!*known && args->n == 0)
        return err_set(err, ERR_USAGE,
                       "%s needs %s, --n or both: what is given tells what is found",
                       name, shares ? "--p2" : "--effect");
    plan->first = args->first.value;
    plan->second = args->second.value;
    plan->effect = args->effect.value;
    if (*known && (shares ? plan->first == plan->second : plan->effect == 0))
        return err_set(err, ERR_USAGE,
                       "there is no effect to find: no sample is large enough");
    if (*known && plan->test == STATS_POWER_CORRELATION && fabs(plan->effect) >= 1)
        return err_set(err, ERR_USAGE,
                       "--effect is %g, expected a correlation between -1 and 1",
                       plan->effect);
    return true;
}

static bool read_plan(const struct power_args *args, struct stats_power *plan,
                      double *power, bool *known, struct err *err)
{
    size_t test = 0;

    while (test < STATS_POWER_TESTS && strcmp(args->test, tests[test].name) != 0)
        test++;
    if (test == STATS_POWER_TESTS)
        return err_set(err, ERR_USAGE,
                       "unknown test '%s'; expected one of proportions, means, "
                       "chi-square, correlation",
                       args->test);
    plan->test = (enum stats_power_test)test;
    plan->df = (double)args->df;
    return within("--power", &args->power, 0.8, power, err) &&
           within("--alpha", &args->alpha, 0.05, &plan->alpha, err) &&
           read_effect(args, plan, known, err);
}

static void show(const struct power_args *args, const struct stats_power *plan, int64_t n,
                 double power, struct buf *out)
{
    bool shares = plan->test == STATS_POWER_PROPORTIONS;
    bool groups = plan->test <= STATS_POWER_MEANS;
    double effect = shares ? plan->second : plan->effect;

    if (args->json) {
        buf_add_format(out, "{\"test\":\"%s\",", tests[plan->test].name);
        if (shares)
            buf_add_format(out, "\"first proportion\":%.6f,", plan->first);
        buf_add_format(out, "\"%s\":%.6f,\"alpha\":%g,\"n\":%lld,\"power\":%.6f}\n",
                       tests[plan->test].effect, effect, plan->alpha, (long long)n,
                       power);
        return;
    }
    if (shares)
        buf_add_format(out, "first proportion   %.4f\n", plan->first);
    buf_add_format(out, "%-18s %.4f\nitems              %lld %s\n",
                   tests[plan->test].effect, effect, (long long)n,
                   tests[plan->test].items);
    if (groups)
        buf_add_format(out, "both groups        %lld\n", (long long)(2 * n));
    buf_add_format(out, "power              %.4f\nlevel              %g\n", power,
                   plan->alpha);
}

static bool run(struct cmd_session *session, const void *arguments, struct err *err)
{
    const struct power_args *args = arguments;
    struct stats_power plan = {0};
    struct buf out = {0};
    int64_t n = args->n;
    double power;
    bool known;

    (void)session;
    if (!read_plan(args, &plan, &power, &known, err))
        return false;
    if (n == 0 && (n = stats_power_items(&plan, power)) < 0)
        return err_set(err, ERR_USAGE,
                       "more than %d items would be needed: the effect is too small",
                       STATS_POWER_ITEMS_MAX);
    if (!known) {
        double found = stats_power_effect(&plan, (double)n, power);
        *(plan.test == STATS_POWER_PROPORTIONS ? &plan.second : &plan.effect) = found;
        if (isnan(found))
            return err_set(err, ERR_USAGE,
                           "with %lld items no effect is found with a power of %g",
                           (long long)n, power);
    }
    double has = stats_power_of(&plan, (double)n);
    if (isnan(has))
        return err_set(err, ERR_USAGE, "--n is %lld, too few for this test",
                       (long long)n);
    show(args, &plan, n, has, &out);
    cmd_print(&out);
    return true;
}

const struct cmd cmd_power = {
    .name = "power",
    .summary = "Say how many items a planned comparison needs",
    .operands = operands,
    .options = options,
    .run = run,
};
