/* Each test is a row of a table: how to carry it out on groups of values, or on counts.
 */
#include "measure/testing.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "stats/adjust.h"
#include "stats/contingency.h"
#include "stats/correlation.h"
#include "stats/describe.h"
#include "stats/effect.h"
#include "stats/ranktest.h"
#include "stats/skesd.h"
#include "stats/survival.h"
#include "stats/trend.h"
#include "stats/ttest.h"

/* What goes into one result. */
struct task {
    const struct study_test *test;
    struct arena *arena;
    struct testing_result *result;
    const struct values *groups; /* values of each side or group */
    size_t group_count;
    struct contingency counts; /* of tests on counts */
};

static struct testing_result blank(void)
{
    return (struct testing_result){.statistic = NAN,
                                   .df = NAN,
                                   .p = NAN,
                                   .adjusted = NAN,
                                   .effect = NAN,
                                   .low = NAN,
                                   .high = NAN};
}

static void set_effect(struct testing_result *result, const char *name,
                       struct effect effect)
{
    if (effect.undefined != NULL)
        return;
    result->effect_name = name;
    result->effect = effect.estimate;
    result->effect_word = effect.word;
    if (effect.interval_undefined == NULL) {
        result->low = effect.low;
        result->high = effect.high;
    }
}

static double confidence(const struct task *task)
{
    return 1 - task->test->level;
}

static void test_chi_square(struct task *task)
{
    bool two = task->counts.rows == 2 && task->counts.columns == 2;
    struct contingency_chi_square found =
        contingency_chi_square(task->counts, two && task->test->yates, task->arena);

    task->result->undefined = found.undefined;
    task->result->statistic = found.chi_square;
    task->result->df = found.df;
    task->result->p = found.p;
    if (two)
        set_effect(task->result, "odds ratio",
                   effect_odds_ratio(task->counts.at, confidence(task)));
    else
        set_effect(task->result, "Cramer's V",
                   effect_cramer(task->counts, confidence(task), task->arena));
}

static void test_fisher(struct task *task)
{
    struct contingency_fisher found = contingency_fisher(
        task->counts, (struct contingency_options){.seed = task->test->seed},
        task->arena);

    task->result->undefined = found.undefined;
    task->result->p = found.p;
    if (task->counts.rows == 2 && task->counts.columns == 2)
        set_effect(task->result, "odds ratio",
                   effect_odds_ratio(task->counts.at, confidence(task)));
    else
        set_effect(task->result, "Cramer's V",
                   effect_cramer(task->counts, confidence(task), task->arena));
}

static void test_means(struct task *task)
{
    enum study_test_kind kind = task->test->kind;
    struct values a = task->groups[0], b = task->groups[1];
    struct ttest found = kind == STUDY_STUDENT ? ttest_student(a, b, confidence(task))
                         : kind == STUDY_WELCH
                             ? ttest_welch(a, b, confidence(task))
                             : ttest_paired(a, b, confidence(task), task->arena);

    task->result->undefined = found.undefined;
    task->result->statistic = found.t;
    task->result->df = found.df;
    task->result->p = found.p;
    set_effect(task->result, "Hedges' g", effect_hedges(a, b, confidence(task)));
}

static void test_ranks(struct task *task)
{
    bool pairs = task->test->kind == STUDY_WILCOXON;
    struct values a = task->groups[0], b = task->groups[1];
    struct ranktest found = pairs ? ranktest_signed(a, b, task->arena)
                                  : ranktest_mann_whitney(a, b, task->arena);

    task->result->undefined = found.undefined;
    task->result->statistic = found.statistic;
    task->result->p = found.p;
    if (pairs)
        set_effect(task->result, "rank-biserial correlation",
                   effect_rank_biserial_pairs(a, b, confidence(task), task->arena));
    else
        set_effect(task->result, "Cliff's delta",
                   effect_cliff(a, b, confidence(task), task->arena));
}

static void test_correlation(struct task *task)
{
    enum study_test_kind kind = task->test->kind;
    struct values x = task->groups[0], y = task->groups[1];
    struct correlation found =
        kind == STUDY_PEARSON ? correlation_pearson(x, y, confidence(task))
        : kind == STUDY_SPEARMAN
            ? correlation_spearman(x, y, confidence(task), task->arena)
            : correlation_kendall(x, y, confidence(task), task->arena);

    task->result->undefined = found.undefined;
    task->result->statistic = found.statistic;
    task->result->p = found.p;
    task->result->effect = found.r;
    task->result->effect_name = kind == STUDY_KENDALL ? "tau-b" : "r";
    if (found.interval_undefined == NULL) {
        task->result->low = found.low;
        task->result->high = found.high;
    }
}

static void test_many(struct task *task)
{
    struct ranktest_groups found;

    if (task->test->kind == STUDY_KRUSKAL_WALLIS) {
        found = ranktest_kruskal(task->groups, task->group_count, task->arena);
    } else {
        size_t blocks = task->groups[0].count;
        double *table = arena_array(task->arena, double, blocks * task->group_count + 1);
        for (size_t g = 0; g < task->group_count; g++)
            for (size_t b = 0; b < blocks && b < task->groups[g].count; b++)
                table[b * task->group_count + g] = task->groups[g].at[b];
        found = ranktest_friedman(table, blocks, task->group_count, task->arena);
    }
    task->result->undefined = found.undefined;
    task->result->statistic = found.statistic;
    task->result->df = found.df;
    task->result->p = found.p;
}

static void test_trend(struct task *task)
{
    struct trend found = trend_mann_kendall(task->groups[1], task->groups[0],
                                            confidence(task), task->arena);

    task->result->undefined = found.undefined;
    task->result->statistic = found.score;
    task->result->p = found.p;
    task->result->effect = found.slope;
    task->result->effect_name = "slope";
    if (found.interval_undefined == NULL) {
        task->result->low = found.low;
        task->result->high = found.high;
    }
}

static const struct {
    const char *statistic; /* its name */
    void (*carry_out)(struct task *task);
    bool counts; /* else values */
    size_t most; /* groups; 0: any number */
} tests[] = {
    [STUDY_PROPORTION] = {"chi-square", test_chi_square, true, 2},
    [STUDY_CHI_SQUARE] = {"chi-square", test_chi_square, true, 0},
    [STUDY_FISHER] = {"", test_fisher, true, 0},
    [STUDY_STUDENT] = {"t", test_means, false, 2},
    [STUDY_WELCH] = {"t", test_means, false, 2},
    [STUDY_PAIRED] = {"t", test_means, false, 2},
    [STUDY_MANN_WHITNEY] = {"U", test_ranks, false, 2},
    [STUDY_WILCOXON] = {"V", test_ranks, false, 2},
    [STUDY_KRUSKAL_WALLIS] = {"H", test_many, false, 0},
    [STUDY_FRIEDMAN] = {"chi-square", test_many, false, 0},
    [STUDY_LOG_RANK] = {"chi-square", NULL, false, 0},
    [STUDY_MANN_KENDALL] = {"S", test_trend, false, 0},
    [STUDY_SCOTT_KNOTT] = {"rank", NULL, false, 0},
    [STUDY_PEARSON] = {"t", test_correlation, false, 2},
    [STUDY_SPEARMAN] = {"S", test_correlation, false, 2},
    [STUDY_KENDALL] = {"T", test_correlation, false, 2},
};

static void begin(const struct study_test *test, size_t room, struct arena *arena,
                  struct testing *out)
{
    *out = (struct testing){.test = test, .statistic_name = tests[test->kind].statistic};
    out->results = arena_array(arena, struct testing_result, room + 1);
}

static struct testing_result *add_result(struct testing *out, struct str name)
{
    struct testing_result *result = &out->results[out->count++];

    *result = blank();
    result->name = name;
    return result;
}

/* Several results at once make false alarms likelier: their p values are adjusted. The
 * test of all groups that stands before those of their pairs is none of them. */
static void correct(struct testing *testing, struct arena *arena)
{
    size_t from =
        testing->test->kind == STUDY_KRUSKAL_WALLIS && testing->test->table == STUDY_NONE;
    size_t count = testing->count - from;
    double *p = arena_array(arena, double, testing->count + 1), *adjusted = p;

    for (size_t i = 0; i < testing->count; i++)
        p[i] = testing->results[i].adjusted = testing->results[i].p;
    struct values all = {p + from, count};
    switch (count > 1 ? testing->test->correct : STUDY_NO_CORRECTION) {
    case STUDY_NO_CORRECTION:
        return;
    case STUDY_BONFERRONI:
        adjusted = adjust_bonferroni(all, arena);
        break;
    case STUDY_HOLM:
        adjusted = adjust_holm(all, arena);
        break;
    case STUDY_BENJAMINI:
        adjusted = adjust_benjamini_hochberg(all, arena);
        break;
    }
    for (size_t i = 0; i < count; i++)
        testing->results[from + i].adjusted = adjusted[i];
}

/* Items. */

struct item_test {
    const struct study_test *test;
    const struct testing_inputs *inputs;
    const struct frame *frame;
    const struct testing_group *groups;
    size_t count;
    struct arena *arena;
    struct buf sides;
};

static void add_side(struct item_test *items, const char *format, ...) PRINTF_LIKE(2, 3);

static void add_side(struct item_test *items, const char *format, ...)
{
    char text[300];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (items->sides.len > 0)
        buf_add(&items->sides, STR(" v "));
    buf_add(&items->sides, str_from(text));
}

static bool count_groups(struct item_test *items, struct contingency *out,
                         struct err *err)
{
    int64_t *counts = arena_array(items->arena, int64_t, items->count * 2 + 1);
    struct study_column column = {.measure = items->test->on, .round_first = -1};
    struct cell_column opened;

    if (!cell_open(&column, items->frame, 1 - items->test->level, items->inputs->find_set,
                   items->inputs->context, &opened, err))
        return false;
    for (size_t g = 0; g < items->count; g++) {
        struct bits known = bits_and(items->groups[g].bits, opened.known, items->arena);
        int64_t n = bits_count(known);
        int64_t x = cell_count(&opened, (struct cell_items){&known, 1}, items->arena);
        counts[g * 2] = x;
        counts[g * 2 + 1] = n - x;
        add_side(items, "%.*s %.2f%% (%lld of %lld)", STR_ARG(items->groups[g].name),
                 n > 0 ? 100 * (double)x / (double)n : NAN, (long long)x, (long long)n);
    }
    *out = (struct contingency){counts, items->count, 2};
    return true;
}

static bool collect_values(struct item_test *items, struct values *values,
                           struct err *err)
{
    struct quantity quantity;
    int64_t negative = 0;

    if (!quantity_open(items->frame, &items->test->on, items->test->round_first,
                       &quantity, err))
        return false;
    for (size_t g = 0; g < items->count; g++) {
        values[g] =
            quantity_values(&quantity, items->groups[g].bits, items->arena, &negative);
        struct describe all = describe_values(values[g], items->arena);
        add_side(items, "%.*s: median %.2f of %zu", STR_ARG(items->groups[g].name),
                 all.median, values[g].count);
    }
    return true;
}

/* Both quantities of the items that have both. */
static bool collect_pairs(struct item_test *items, struct values pairs[2],
                          struct err *err)
{
    struct quantity one, two;
    struct bits bits = items->groups[0].bits;
    size_t room = (size_t)bits_count(bits) + 1, count = 0;
    double *x = arena_array(items->arena, double, room);
    double *y = arena_array(items->arena, double, room);
    int64_t negative = 0;

    if (!quantity_open(items->frame, &items->test->on, items->test->round_first, &one,
                       err) ||
        !quantity_open(items->frame, &items->test->with, items->test->round_first, &two,
                       err))
        return false;
    for (size_t i = bits_next(bits, 0); i < bits.count; i = bits_next(bits, i + 1)) {
        double a = quantity_value(&one, i, &negative),
               b = quantity_value(&two, i, &negative);
        if (!isnan(a) && !isnan(b)) {
            x[count] = a;
            y[count++] = b;
        }
    }
    pairs[0] = (struct values){x, count};
    pairs[1] = (struct values){y, count};
    add_side(items, "%zu items", count);
    return true;
}

static bool test_log_rank(struct item_test *items, struct testing *out, struct err *err)
{
    struct quantity quantity;
    struct survival_group *groups =
        arena_array(items->arena, struct survival_group, items->count + 1);
    struct testing_result *result = add_result(out, (struct str){0});

    if (!quantity_open(items->frame, &items->test->on, items->test->round_first,
                       &quantity, err))
        return false;
    if (!measure_is_time(&items->test->on))
        return err_set(err, ERR_INPUT, "log-rank compares waiting times, not '%.*s'",
                       STR_ARG(items->test->on_text));
    for (size_t g = 0; g < items->count; g++) {
        groups[g].cases = quantity_waits(&quantity, items->groups[g].bits, items->arena,
                                         &groups[g].count);
        add_side(items, "%.*s (%zu)", STR_ARG(items->groups[g].name), groups[g].count);
    }
    struct survival_logrank found = survival_logrank(groups, items->count, items->arena);
    result->undefined = found.undefined;
    result->statistic = found.chi_square;
    result->df = found.df;
    result->p = found.p;
    return true;
}

static void test_scott_knott(struct item_test *items, const struct values *values,
                             struct testing *out)
{
    struct skesd found = skesd_rank(values, items->count, 1, items->arena);

    for (size_t g = 0; g < items->count; g++) {
        struct testing_result *result = add_result(out, items->groups[g].name);
        result->undefined = found.undefined;
        if (found.undefined == NULL)
            result->statistic = (double)found.ranks[g];
    }
}

/* After Kruskal-Wallis: which pairs differ? */
static void add_pairs(struct item_test *items, const struct values *values,
                      struct testing *out)
{
    const char *undefined = NULL;
    struct ranktest_pair *pairs =
        ranktest_dunn(values, items->count, items->arena, &undefined);

    for (size_t i = 0; pairs != NULL && i < items->count * (items->count - 1) / 2; i++) {
        struct buf name = {0};
        buf_add_format(&name, "%.*s v %.*s", STR_ARG(items->groups[pairs[i].first].name),
                       STR_ARG(items->groups[pairs[i].second].name));
        struct testing_result *result =
            add_result(out, arena_copy(items->arena, buf_str(&name)));
        result->statistic = pairs[i].z;
        result->p = pairs[i].p;
        set_effect(result, "Cliff's delta",
                   effect_cliff(values[pairs[i].first], values[pairs[i].second],
                                1 - items->test->level, items->arena));
        buf_free(&name);
    }
}

static bool carry_out_items(struct item_test *items, struct testing *out, struct err *err)
{
    const struct study_test *test = items->test;
    struct values *values = arena_array(items->arena, struct values, items->count + 2);
    struct task task = {.test = test,
                        .arena = items->arena,
                        .groups = values,
                        .group_count = items->count};

    if (test->kind == STUDY_LOG_RANK)
        return test_log_rank(items, out, err);
    if (tests[test->kind].counts) {
        if (!count_groups(items, &task.counts, err))
            return false;
    } else if (test->kind >= STUDY_PEARSON) {
        if (!collect_pairs(items, values, err))
            return false;
    } else if (!collect_values(items, values, err)) {
        return false;
    }
    if (test->kind == STUDY_SCOTT_KNOTT) {
        test_scott_knott(items, values, out);
        return true;
    }
    task.result = add_result(out, (struct str){0});
    tests[test->kind].carry_out(&task);
    if (test->kind == STUDY_KRUSKAL_WALLIS)
        add_pairs(items, values, out);
    return true;
}

/* Whether an item stands in two of the groups. */
static bool overlap(const struct testing_inputs *inputs, struct arena *arena)
{
    struct bits before = bits_make(inputs->frame->count, arena);

    for (size_t g = 0; g < inputs->count; g++) {
        if (bits_count(bits_and(before, inputs->groups[g].bits, arena)) > 0)
            return true;
        bits_add(before, inputs->groups[g].bits);
    }
    return false;
}

bool testing_items(const struct study_test *test, const struct testing_inputs *inputs,
                   struct arena *arena, struct testing *out, struct err *err)
{
    size_t count = inputs->count, most = tests[test->kind].most;
    struct item_test items = {test,  inputs, inputs->frame, inputs->groups, count,
                              arena, {0}};

    begin(test, 1 + count + count * count / 2, arena, out);
    if (most == 2 && test->kind < STUDY_PEARSON && count != 2)
        return err_set(err, ERR_INPUT,
                       "test %.*s: it compares two groups, but there are %zu; "
                       "kruskal-wallis or chi-square compare more",
                       STR_ARG(test->name), count);
    bool ok = carry_out_items(&items, out, err);
    if (ok && out->count > 0)
        out->results[0].sides = arena_copy(arena, buf_str(&items.sides));
    if (ok && overlap(inputs, arena))
        out->warning =
            STR("The groups share items; the test takes them for independent.");
    buf_free(&items.sides);
    if (!ok)
        return err_at(err, "test %.*s: ", STR_ARG(test->name));
    correct(out, arena);
    return true;
}

/* Cells of a table. */

static bool is_one_of(struct str column, const struct str *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (numbers_column_is(column, names[i]))
            return true;
    return false;
}

static struct str parent_of(struct str row)
{
    for (size_t i = row.len; i-- > 0;)
        if (row.ptr[i] == '/')
            return str_slice(row, 0, i);
    return (struct str){0};
}

/* Which numbers belong to a row that has none below it: rows below one follow it. */
static bool *find_leaves(const struct numbers *table, struct arena *arena)
{
    bool *leaf = arena_array(arena, bool, table->count + 1);

    for (size_t i = 0, next; i < table->count; i = next) {
        struct str row = table->at[i].row, other = {0};
        for (next = i + 1; next < table->count && str_eq(table->at[next].row, row);)
            next++;
        if (next < table->count)
            other = table->at[next].row;
        bool below =
            other.len > row.len && str_starts(other, row) && other.ptr[row.len] == '/';
        for (size_t k = i; k < next; k++)
            leaf[k] = !below;
    }
    return leaf;
}

struct cell_test {
    const struct study_test *test;
    const struct numbers *table;
    const bool *leaf; /* of each number */
    double sums[2];   /* of all leaves, on both sides */
    struct arena *arena;
    struct str row;   /* EACH_ROW: of this row */
    struct str block; /* EACH_BLOCK: of the rows directly below this one */
};

static bool belongs(const struct cell_test *cells, const struct number *number)
{
    if (number->total_row)
        return false;
    switch (cells->test->each) {
    case STUDY_EACH_ROW:
        return str_eq(number->row, cells->row);
    case STUDY_EACH_BLOCK:
        return str_eq(parent_of(number->row), cells->block);
    default:
        return cells->leaf[number - cells->table->at];
    }
}

/* The cells of these columns; where one is undefined the result is. */
static struct values cells_of(const struct cell_test *cells, const struct str *columns,
                              size_t count)
{
    double *values = arena_array(cells->arena, double, cells->table->count + 1);
    size_t found = 0;

    for (size_t i = 0; i < cells->table->count; i++) {
        const struct number *number = &cells->table->at[i];
        if (belongs(cells, number) && is_one_of(number->column, columns, count))
            values[found++] = quantity_round(number->value, cells->test->round_first);
    }
    return (struct values){values, found};
}

/* Whole, not negative, and exact in a double. */
static bool is_count(double value)
{
    return value >= 0 && value <= 9e15 && value == floor(value);
}

/* Of one row: its counts against those of all other rows, on both sides. */
static bool count_row(const struct cell_test *cells, struct contingency *out)
{
    const struct study_test *test = cells->test;
    int64_t *counts = arena_array(cells->arena, int64_t, 4);
    const double *there = cells->sums;
    double here[2] = {values_sum(cells_of(cells, test->first, test->first_count)),
                      values_sum(cells_of(cells, test->second, test->second_count))};
    for (size_t side = 0; side < 2; side++) {
        if (!is_count(here[side]) || !is_count(there[side]) || there[side] < here[side])
            return false;
        counts[side * 2] = (int64_t)here[side];
        counts[side * 2 + 1] = (int64_t)(there[side] - here[side]);
    }
    *out = (struct contingency){counts, 2, 2};
    return true;
}

/* The one count of a row, which begins at `at` and ends before `end`, in a column. */
static bool find_count(const struct cell_test *cells, size_t at, size_t end,
                       struct str column, int64_t *out)
{
    size_t found = 0;

    for (size_t i = at; i < end; i++) {
        const struct number *number = &cells->table->at[i];
        if (!belongs(cells, number) || !numbers_column_is(number->column, column))
            continue;
        if (!is_count(number->value))
            return false;
        *out = (int64_t)number->value;
        found++;
    }
    return found == 1;
}

/* Where the row that begins at `at` ends; two rows may have the same name. */
static size_t end_of_row(const struct numbers *table, size_t at)
{
    size_t end = at + 1;

    while (end < table->count && str_eq(table->at[end].row, table->at[at].row) &&
           !str_eq(table->at[end].column, table->at[at].column))
        end++;
    return end;
}

static bool has_cell_in(const struct cell_test *cells, size_t at, size_t end)
{
    for (size_t i = at; i < end; i++)
        if (belongs(cells, &cells->table->at[i]))
            return true;
    return false;
}

/* Of a table: its rows by the columns that are named. */
static bool count_table(const struct cell_test *cells, struct contingency *out)
{
    const struct study_test *test = cells->test;
    size_t columns = test->first_count + test->second_count, rows = 0;
    int64_t *counts =
        arena_array(cells->arena, int64_t, cells->table->count * columns + 1);

    for (size_t at = 0, end; at < cells->table->count; at = end) {
        end = end_of_row(cells->table, at);
        if (!has_cell_in(cells, at, end))
            continue;
        for (size_t c = 0; c < columns; c++) {
            struct str name = c < test->first_count ? test->first[c]
                                                    : test->second[c - test->first_count];
            if (!find_count(cells, at, end, name, &counts[rows * columns + c]))
                return false;
        }
        rows++;
    }
    *out = (struct contingency){counts, rows, columns};
    return columns > 0;
}

/* Times of a trend: the rows' last names where all are numbers, else their places. */
static struct values times_of(const struct cell_test *cells, size_t count)
{
    double *times = arena_array(cells->arena, double, count + 1);
    size_t found = 0;
    bool named = true;

    for (size_t i = 0; i < cells->table->count && found < count; i++) {
        const struct number *number = &cells->table->at[i];
        if (!belongs(cells, number) ||
            !is_one_of(number->column, cells->test->first, cells->test->first_count))
            continue;
        size_t parent = parent_of(number->row).len;
        struct str name =
            str_slice(number->row, parent > 0 ? parent + 1 : 0, number->row.len);
        named = str_to_real(name, &times[found++]) && named;
    }
    for (size_t i = 0; i < found && !named; i++)
        times[i] = (double)(i + 1);
    return (struct values){times, found};
}

/* Why the columns of several groups cannot be compared; NULL: they can. */
static const char *problem_of_groups(const struct values *groups, size_t count,
                                     bool same_length)
{
    for (size_t g = 0; g < count; g++) {
        if (groups[g].count == 0)
            return "the table has no such columns";
        if (same_length && groups[g].count != groups[0].count)
            return "the columns are not of the same length";
    }
    return NULL;
}

static void carry_out_cells(struct cell_test *cells, struct testing_result *result)
{
    const struct study_test *test = cells->test;
    size_t groups = test->kind == STUDY_KRUSKAL_WALLIS || test->kind == STUDY_FRIEDMAN
                        ? test->first_count
                        : 2;
    struct values *values = arena_array(cells->arena, struct values, groups + 1);
    struct task task = {test, cells->arena, result, values, groups, {0}};

    if (tests[test->kind].counts) {
        bool ok = test->each == STUDY_EACH_ROW ? count_row(cells, &task.counts)
                                               : count_table(cells, &task.counts);
        if (!ok) {
            result->undefined = "its cells are not counts, or are not one a column";
            return;
        }
    } else if (groups != 2 || test->kind == STUDY_KRUSKAL_WALLIS ||
               test->kind == STUDY_FRIEDMAN) {
        for (size_t g = 0; g < groups; g++)
            values[g] = cells_of(cells, &test->first[g], 1);
        result->undefined =
            problem_of_groups(values, groups, test->kind == STUDY_FRIEDMAN);
        if (result->undefined != NULL)
            return;
    } else {
        values[0] = cells_of(cells, test->first, test->first_count);
        values[1] = test->kind == STUDY_MANN_KENDALL
                        ? times_of(cells, values[0].count)
                        : cells_of(cells, test->second, test->second_count);
        bool pairs = test->kind >= STUDY_PEARSON || test->kind == STUDY_PAIRED ||
                     test->kind == STUDY_WILCOXON;
        if (values[0].count == 0 || values[1].count == 0) {
            result->undefined = "the table has no such columns";
            return;
        }
        if (pairs && values[0].count != values[1].count) {
            result->undefined = "the two sides are not of the same length";
            return;
        }
    }
    tests[test->kind].carry_out(&task);
}

/* The rows or blocks to test, each once, in the table's order. */
static size_t units_of(const struct cell_test *cells, struct str *units)
{
    size_t count = 0;

    for (size_t i = 0; i < cells->table->count; i++) {
        const struct number *number = &cells->table->at[i];
        struct str unit =
            cells->test->each == STUDY_EACH_ROW ? number->row : parent_of(number->row);
        bool known = number->total_row ||
                     (cells->test->each == STUDY_EACH_BLOCK && unit.len == 0) ||
                     (cells->test->each == STUDY_EACH_ROW && !cells->leaf[i]);
        for (size_t u = 0; u < count && !known; u++)
            known = str_eq(units[u], unit);
        if (!known)
            units[count++] = unit;
    }
    return count;
}

bool testing_cells(const struct study_test *test, const struct numbers *table,
                   bool percentages, struct arena *arena, struct testing *out,
                   struct err *err)
{
    struct study_test whole = *test;
    struct cell_test cells = {.test = &whole,
                              .table = table,
                              .leaf = find_leaves(table, arena),
                              .arena = arena};
    struct str *units = arena_array(arena, struct str, table->count + 1);

    whole.each = STUDY_EACH_TABLE;
    cells.sums[0] = values_sum(cells_of(&cells, test->first, test->first_count));
    cells.sums[1] = values_sum(cells_of(&cells, test->second, test->second_count));
    cells.test = test;
    size_t count = test->each == STUDY_EACH_TABLE ? 1 : units_of(&cells, units);

    begin(test, count, arena, out);
    if (count == 0)
        return err_set(err, ERR_INPUT, "test %.*s: the table has no %s",
                       STR_ARG(test->name),
                       test->each == STUDY_EACH_ROW ? "rows" : "blocks of rows");
    for (size_t i = 0; i < count; i++) {
        struct arena_mark mark = arena_mark(arena);
        cells.row = cells.block = units[i];
        carry_out_cells(&cells, add_result(out, units[i]));
        arena_rewind(arena, mark);
    }
    if (percentages && !tests[test->kind].counts && test->kind < STUDY_PEARSON)
        out->warning =
            STR("It compares percentages, of which there are few, and forgets how "
                "many items stand behind each. The counts are there: `test: "
                "chi-square` or `test: fisher` on a table of counts uses them.");
    correct(out, arena);
    return true;
}
