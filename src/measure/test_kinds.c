/* Each test is a row of a table: how to carry it out on groups of values, or on counts.
 */
#include "measure/internal.h"

#include "stats/correlation.h"
#include "stats/ranktest.h"
#include "stats/ttest.h"

#include <math.h>

static void set_estimate(struct measure_testing_result *result, const char *name,
                         double estimate, const char *no_interval, double low,
                         double high)
{
    result->effect_name = name;
    result->effect = estimate;
    result->no_interval = no_interval;
    if (no_interval == NULL) {
        result->low = low;
        result->high = high;
    }
}

void measure_test_kinds_effect(struct measure_testing_result *result, const char *name,
                               struct stats_effect effect)
{
    if (effect.undefined != NULL) {
        set_estimate(result, name, NAN, effect.undefined, NAN, NAN);
        return;
    }
    set_estimate(result, name, effect.estimate, effect.interval_undefined, effect.low,
                 effect.high);
    result->effect_word = effect.word;
}

static double confidence(const struct measure_test_kinds_task *task)
{
    return 1 - task->test->level;
}

static bool is_two_by_two(const struct measure_test_kinds_task *task)
{
    return task->counts.rows == 2 && task->counts.columns == 2;
}

static void set_effect_of_counts(struct measure_test_kinds_task *task)
{
    if (is_two_by_two(task))
        measure_test_kinds_effect(
            task->result, "odds ratio",
            stats_effect_odds_ratio(task->counts.at, confidence(task)));
    else
        measure_test_kinds_effect(
            task->result, "Cramer's V",
            stats_effect_cramer(task->counts, confidence(task), task->arena));
}

static void test_chi_square(struct measure_test_kinds_task *task)
{
    struct stats_contingency_chi_square found = stats_contingency_chi_square(
        task->counts, is_two_by_two(task) && task->test->yates, task->arena);

    task->result->undefined = found.undefined;
    task->result->statistic = found.chi_square;
    task->result->df = found.df;
    task->result->p = found.p;
    set_effect_of_counts(task);
}

static void test_fisher(struct measure_test_kinds_task *task)
{
    struct stats_contingency_fisher found = stats_contingency_fisher(
        task->counts, (struct stats_contingency_options){.seed = task->test->seed},
        task->arena);

    task->result->undefined = found.undefined;
    task->result->p = found.p;
    task->result->simulated = !found.exact;
    set_effect_of_counts(task);
}

static void test_means(struct measure_test_kinds_task *task)
{
    enum study_test_kind kind = task->test->kind;
    struct stats_values a = task->groups[0], b = task->groups[1];
    struct stats_ttest found =
        kind == STUDY_STUDENT ? stats_ttest_student(a, b, confidence(task))
        : kind == STUDY_WELCH ? stats_ttest_welch(a, b, confidence(task))
                              : stats_ttest_paired(a, b, confidence(task), task->arena);

    task->result->undefined = found.undefined;
    task->result->statistic = found.t;
    task->result->df = found.df;
    task->result->p = found.p;
    if (kind == STUDY_PAIRED)
        measure_test_kinds_effect(
            task->result, "Hedges' g of pairs",
            stats_effect_hedges_pairs(a, b, confidence(task), task->arena));
    else
        measure_test_kinds_effect(task->result, "Hedges' g",
                                  stats_effect_hedges(a, b, confidence(task)));
}

static void test_ranks(struct measure_test_kinds_task *task)
{
    bool pairs = task->test->kind == STUDY_WILCOXON;
    struct stats_values a = task->groups[0], b = task->groups[1];
    struct stats_ranktest found = pairs ? stats_ranktest_signed(a, b, task->arena)
                                        : stats_ranktest_mann_whitney(a, b, task->arena);

    task->result->undefined = found.undefined;
    task->result->statistic = found.statistic;
    task->result->p = found.p;
    if (pairs)
        measure_test_kinds_effect(
            task->result, "rank-biserial correlation",
            stats_effect_rank_biserial_pairs(a, b, confidence(task), task->arena));
    else
        measure_test_kinds_effect(
            task->result, "Cliff's delta",
            stats_effect_cliff(a, b, confidence(task), task->arena));
}

static void test_correlation(struct measure_test_kinds_task *task)
{
    enum study_test_kind kind = task->test->kind;
    struct stats_values x = task->groups[0], y = task->groups[1];
    struct stats_correlation found =
        kind == STUDY_PEARSON ? stats_correlation_pearson(x, y, confidence(task))
        : kind == STUDY_SPEARMAN
            ? stats_correlation_spearman(x, y, confidence(task), task->arena)
            : stats_correlation_kendall(x, y, confidence(task), task->arena);

    task->result->undefined = found.undefined;
    task->result->statistic = found.statistic;
    if (kind == STUDY_PEARSON && found.undefined == NULL)
        task->result->df = (double)x.count - 2;
    task->result->p = found.p;
    set_estimate(task->result, kind == STUDY_KENDALL ? "tau-b" : "r", found.r,
                 found.interval_undefined, found.low, found.high);
}

static void test_many(struct measure_test_kinds_task *task)
{
    struct stats_ranktest_groups found;
    bool kruskal = task->test->kind == STUDY_KRUSKAL_WALLIS;
    size_t count = 0, blocks = task->groups[0].count;

    for (size_t g = 0; g < task->group_count; g++)
        count += task->groups[g].count;
    if (kruskal) {
        found = stats_ranktest_kruskal(task->groups, task->group_count, task->arena);
    } else {
        double *table = arena_array(task->arena, double, blocks * task->group_count + 1);
        for (size_t g = 0; g < task->group_count; g++)
            for (size_t b = 0; b < blocks && b < task->groups[g].count; b++)
                table[b * task->group_count + g] = task->groups[g].at[b];
        found = stats_ranktest_friedman(table, blocks, task->group_count, task->arena);
    }
    task->result->undefined = found.undefined;
    task->result->statistic = found.statistic;
    task->result->df = found.df;
    task->result->p = found.p;
    if (found.undefined != NULL)
        return;
    measure_test_kinds_effect(
        task->result, kruskal ? "epsilon squared" : "Kendall's W",
        kruskal ? stats_effect_epsilon_squared(found.statistic, found.df, count,
                                               confidence(task))
                : stats_effect_concordance(found.statistic, found.df, blocks,
                                           confidence(task)));
}

static void test_trend(struct measure_test_kinds_task *task)
{
    struct stats_trend found = stats_trend_mann_kendall(task->groups[1], task->groups[0],
                                                        confidence(task), task->arena);

    task->result->undefined = found.undefined;
    task->result->statistic = found.score;
    task->result->p = found.p;
    set_estimate(task->result, "slope", found.slope, found.interval_undefined, found.low,
                 found.high);
}

static const struct measure_test_kinds_kind kinds[] = {
    [STUDY_PROPORTION] = {"chi-square", test_chi_square, true, 2},
    [STUDY_CHI_SQUARE] = {"chi-square", test_chi_square, true, 0},
    [STUDY_FISHER] = {"", test_fisher, true, 0},
    [STUDY_STUDENT] = {"t", test_means, false, 2},
    [STUDY_WELCH] = {"t", test_means, false, 2},
    [STUDY_PAIRED] = {"t", test_means, false, 2},
    [STUDY_MANN_WHITNEY] = {"U", test_ranks, false, 2},
    [STUDY_WILCOXON] = {"V", test_ranks, false, 2},
    [STUDY_KRUSKAL_WALLIS] = {"H; of pairs z", test_many, false, 0},
    [STUDY_FRIEDMAN] = {"chi-square", test_many, false, 0},
    [STUDY_LOG_RANK] = {"chi-square", NULL, false, 0},
    [STUDY_MANN_KENDALL] = {"S", test_trend, false, 0},
    [STUDY_SCOTT_KNOTT] = {"rank", NULL, false, 0},
    [STUDY_PEARSON] = {"t", test_correlation, false, 2},
    [STUDY_SPEARMAN] = {"S", test_correlation, false, 2},
    [STUDY_KENDALL] = {"T or z", test_correlation, false, 2},
};

const struct measure_test_kinds_kind *measure_test_kinds_find(enum study_test_kind kind)
{
    return &kinds[kind];
}
