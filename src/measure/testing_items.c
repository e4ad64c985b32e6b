/* Tests on items: their values, or how many of them have something, by set or group. */
#include <math.h>
#include <stdarg.h>

#include "measure/internal.h"
#include "stats/ranktest.h"
#include "stats/skesd.h"
#include "stats/survival.h"
#include "stats/values.h"

struct item_test {
    const struct study_test *test;
    const struct measure_testing_inputs *inputs;
    const struct measure_frame *frame;
    const struct measure_testing_group *groups;
    size_t count;
    struct arena *arena, *work; /* work: of values and waits, which nobody needs later */
    struct buf sides;
    struct buf unreadable; /* what is told of texts that are no numbers */
    struct measure_testing_side *listed;
    size_t listed_count;
};

/* Items of any group that have a text where a number is asked for. */
static void note_unreadable(struct item_test *items,
                            const struct measure_quantity *quantity)
{
    struct measure_bits all = measure_bits_make(items->frame->count, items->arena);
    struct buf told = {0};

    for (size_t g = 0; g < items->count; g++)
        measure_bits_add(all, items->groups[g].bits);
    measure_quantity_tell_unreadable(quantity, all, &told);
    if (told.len > 0)
        buf_add_format(&items->unreadable, "%s%.*s", items->unreadable.len > 0 ? " " : "",
                       STR_ARG(buf_str(&told)));
    buf_free(&told);
}

/* What one side is, and which of its items count. */
static void add_side(struct item_test *items, struct measure_bits counted,
                     const char *format, ...) PRINTF_LIKE(3, 4);

static void add_side(struct item_test *items, struct measure_bits counted,
                     const char *format, ...)
{
    struct measure_testing_side *side = &items->listed[items->listed_count];
    va_list args;

    va_start(args, format);
    struct str text = arena_format_arguments(items->arena, format, args);
    va_end(args);
    if (items->sides.len > 0)
        buf_add(&items->sides, STR(" v "));
    buf_add(&items->sides, text);
    *side = (struct measure_testing_side){items->groups[items->listed_count++].name, text,
                                          counted};
}

/* Those that have the quantity. */
static struct measure_bits with_value(const struct measure_quantity *quantity,
                                      struct measure_bits of, struct arena *arena)
{
    struct measure_bits found = measure_bits_make(of.count, arena);
    int64_t negative = 0;

    MEASURE_BITS_EACH (i, of)
        if (!isnan(measure_quantity_value(quantity, i, &negative)))
            measure_bits_set(found, i);
    return found;
}

static bool count_groups(struct item_test *items, struct stats_contingency *out,
                         struct err *err)
{
    int64_t *counts = arena_array(items->arena, int64_t, items->count * 2 + 1);
    struct study_column column = {.measure = items->test->on, .round_first = -1};
    struct measure_cell_column opened;

    if (!measure_cell_open(&column, items->frame, 1 - items->test->level,
                           items->inputs->find_set, items->inputs->context, &opened, err))
        return false;
    for (size_t g = 0; g < items->count; g++) {
        struct measure_bits known =
            measure_bits_and(items->groups[g].bits, opened.known, items->arena);
        int64_t n = measure_bits_count(known);
        int64_t x = measure_cell_count(&opened, (struct measure_cell_items){&known, 1},
                                       items->arena);
        counts[g * 2] = x;
        counts[g * 2 + 1] = n - x;
        add_side(items, known, "%.*s %.2f%% (%lld of %lld)",
                 STR_ARG(items->groups[g].name), 100 * (double)x / (double)n,
                 (long long)x, (long long)n);
    }
    *out = (struct stats_contingency){counts, items->count, 2};
    return true;
}

static bool collect_values(struct item_test *items, struct stats_values *values,
                           struct err *err)
{
    enum study_test_kind kind = items->test->kind;
    bool of_means =
        kind == STUDY_STUDENT || kind == STUDY_WELCH || kind == STUDY_SCOTT_KNOTT;
    struct measure_quantity quantity;
    int64_t negative = 0;

    if (!measure_quantity_open(items->frame, &items->test->on, items->test->round_first,
                               &quantity, err))
        return false;
    note_unreadable(items, &quantity);
    for (size_t g = 0; g < items->count; g++) {
        values[g] = measure_quantity_values(&quantity, items->groups[g].bits, items->work,
                                            &negative);
        struct stats_describe all = stats_describe(values[g], items->work);
        add_side(items, with_value(&quantity, items->groups[g].bits, items->arena),
                 "%.*s: %s %.2f (n = %zu)", STR_ARG(items->groups[g].name),
                 of_means ? "mean" : "median", of_means ? all.mean : all.median,
                 values[g].count);
    }
    return true;
}

/* Both quantities of the items that have both. */
static bool collect_pairs(struct item_test *items, struct stats_values pairs[2],
                          struct err *err)
{
    struct measure_quantity one, two;
    struct measure_bits bits = items->groups[0].bits;
    size_t room = (size_t)measure_bits_count(bits) + 1, count = 0;
    double *x = arena_array(items->work, double, room);
    double *y = arena_array(items->work, double, room);
    int64_t negative = 0;

    if (!measure_quantity_open(items->frame, &items->test->on, items->test->round_first,
                               &one, err) ||
        !measure_quantity_open(items->frame, &items->test->with, items->test->round_first,
                               &two, err))
        return false;
    note_unreadable(items, &one);
    note_unreadable(items, &two);
    MEASURE_BITS_EACH (i, bits) {
        double a = measure_quantity_value(&one, i, &negative),
               b = measure_quantity_value(&two, i, &negative);
        if (!isnan(a) && !isnan(b)) {
            x[count] = a;
            y[count++] = b;
        }
    }
    pairs[0] = (struct stats_values){x, count};
    pairs[1] = (struct stats_values){y, count};
    struct measure_bits both = with_value(&one, bits, items->arena);
    add_side(items, with_value(&two, both, items->arena), "n = %zu", count);
    return true;
}

/* Those whose wait is known, also if it has not ended. */
static struct measure_bits waiting(const struct measure_quantity *quantity,
                                   struct measure_bits of, struct arena *arena)
{
    struct measure_bits found = measure_bits_make(of.count, arena);
    struct stats_survival_case wait;

    MEASURE_BITS_EACH (i, of)
        if (measure_quantity_wait(quantity, i, &wait))
            measure_bits_set(found, i);
    return found;
}

static bool happened(const struct stats_survival_group *group)
{
    for (size_t i = 0; i < group->count; i++)
        if (group->cases[i].happened)
            return true;
    return false;
}

static void add_hazard_ratio(const struct item_test *items,
                             const struct stats_survival_group *groups,
                             struct measure_testing_result *result)
{
    struct stats_survival_ratio found =
        stats_survival_ratio(groups, 1 - items->test->level, items->arena);

    result->effect_name = "hazard ratio";
    result->effect = found.ratio;
    result->low = found.low;
    result->high = found.high;
    if (found.undefined != NULL)
        result->no_interval = happened(&groups[0]) && happened(&groups[1])
                                  ? found.undefined
                                  : "nothing has happened in one of the groups";
}

static void set_log_rank(const struct item_test *items,
                         const struct stats_survival_group *groups, size_t count,
                         struct measure_testing_result *result)
{
    struct stats_survival_logrank found =
        stats_survival_logrank(groups, count, items->arena);

    result->undefined = found.undefined;
    result->statistic = found.chi_square;
    result->df = found.df;
    result->p = found.p;
    if (found.undefined == NULL && count == 2)
        add_hazard_ratio(items, groups, result);
}

static struct str pair_name(const struct item_test *items, size_t first, size_t second)
{
    return arena_format(items->arena, "%.*s v %.*s", STR_ARG(items->groups[first].name),
                        STR_ARG(items->groups[second].name));
}

/* Of more than two groups then also of each pair, whose hazards have a ratio. */
static bool test_log_rank(struct item_test *items, struct measure_testing *out,
                          struct err *err)
{
    struct measure_quantity quantity;
    struct stats_survival_group *groups =
        arena_array(items->arena, struct stats_survival_group, items->count + 1);
    struct measure_testing_result *result =
        measure_test_results_add(out, (struct str){0});

    if (!measure_quantity_open(items->frame, &items->test->on, items->test->round_first,
                               &quantity, err))
        return false;
    for (size_t g = 0; g < items->count; g++) {
        struct stats_survival_case *cases =
            arena_array(items->work, struct stats_survival_case,
                        (size_t)measure_bits_count(items->groups[g].bits) + 1);
        groups[g].count = measure_quantity_waits(&quantity, items->groups[g].bits, cases);
        groups[g].cases = cases;
        add_side(items, waiting(&quantity, items->groups[g].bits, items->arena),
                 "%.*s (%zu)", STR_ARG(items->groups[g].name), groups[g].count);
    }
    set_log_rank(items, groups, items->count, result);
    for (size_t a = 0; a < items->count && items->count > 2; a++)
        for (size_t b = a + 1; b < items->count; b++)
            set_log_rank(items, (struct stats_survival_group[]){groups[a], groups[b]}, 2,
                         measure_test_results_add(out, pair_name(items, a, b)));
    return true;
}

static void test_scott_knott(struct item_test *items, const struct stats_values *values,
                             struct measure_testing *out)
{
    struct stats_skesd found = stats_skesd_rank(values, items->count, 1, items->arena);

    for (size_t g = 0; g < items->count; g++) {
        struct measure_testing_result *result =
            measure_test_results_add(out, items->groups[g].name);
        result->undefined = found.undefined;
        if (found.undefined == NULL)
            result->statistic = (double)found.ranks[g];
    }
}

/* After Kruskal-Wallis: which pairs differ? Of two groups it has said so. */
static void add_pairs(struct item_test *items, const struct stats_values *values,
                      struct measure_testing *out)
{
    const char *undefined = NULL;
    struct stats_ranktest_pair *pairs =
        stats_ranktest_dunn(values, items->count, items->arena, &undefined);

    for (size_t i = 0; pairs != NULL && i < items->count * (items->count - 1) / 2; i++) {
        struct measure_testing_result *result = measure_test_results_add(
            out, pair_name(items, pairs[i].first, pairs[i].second));
        result->statistic = pairs[i].z;
        result->p = pairs[i].p;
        measure_test_kinds_effect(
            result, "Cliff's delta",
            stats_effect_cliff(values[pairs[i].first], values[pairs[i].second],
                               1 - items->test->level, items->arena));
    }
}

/* Of each group the items that the test can count. */
static bool find_counted(struct item_test *items, struct measure_bits *counted,
                         struct err *err)
{
    const struct study_test *test = items->test;
    struct study_column column = {.measure = test->on, .round_first = test->round_first};
    struct measure_cell_column opened;

    if (!measure_cell_open(&column, items->frame, 1 - test->level,
                           items->inputs->find_set, items->inputs->context, &opened, err))
        return false;
    for (size_t g = 0; g < items->count; g++) {
        struct measure_bits bits = items->groups[g].bits;
        counted[g] = test->kind == STUDY_LOG_RANK
                         ? waiting(&opened.quantity, bits, items->arena)
                     : measure_test_kinds_find(test->kind)->counts
                         ? measure_bits_and(bits, opened.known, items->arena)
                         : with_value(&opened.quantity, bits, items->arena);
    }
    return true;
}

/* A group without such items cannot be compared; `left` names those. */
static bool leave_out_empty(struct item_test *items, struct buf *left, struct err *err)
{
    struct measure_testing_group *kept =
        arena_array(items->arena, struct measure_testing_group, items->count + 1);
    struct measure_bits *counted =
        arena_array(items->arena, struct measure_bits, items->count + 1);
    size_t count = 0;

    if (!find_counted(items, counted, err))
        return false;
    for (size_t g = 0; g < items->count; g++) {
        if (measure_bits_count(counted[g]) > 0)
            kept[count++] = items->groups[g];
        else
            buf_add_format(left, "%s%.*s", left->len > 0 ? ", " : "",
                           STR_ARG(items->groups[g].name));
    }
    items->groups = kept;
    items->count = count;
    return true;
}

static bool carry_out_items(struct item_test *items, struct measure_testing *out,
                            struct err *err)
{
    const struct study_test *test = items->test;
    struct stats_values *values =
        arena_array(items->arena, struct stats_values, items->count + 2);
    struct measure_test_kinds_task task = {.test = test,
                                           .arena = items->arena,
                                           .groups = values,
                                           .group_count = items->count};

    if (test->kind == STUDY_LOG_RANK)
        return test_log_rank(items, out, err);
    if (measure_test_kinds_find(test->kind)->counts) {
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
    task.result = measure_test_results_add(out, (struct str){0});
    measure_test_kinds_find(test->kind)->carry_out(&task);
    if (test->kind == STUDY_KRUSKAL_WALLIS && items->count > 2)
        add_pairs(items, values, out);
    return true;
}

/* Whether an item stands in two of the groups. */
static bool overlap(const struct measure_testing_inputs *inputs, struct arena *arena)
{
    struct measure_bits before = measure_bits_make(inputs->frame->count, arena);

    for (size_t g = 0; g < inputs->count; g++) {
        if (measure_bits_count(measure_bits_and(before, inputs->groups[g].bits, arena)) >
            0)
            return true;
        measure_bits_add(before, inputs->groups[g].bits);
    }
    return false;
}

/* Carries out what the test is on the groups that have items. */
static bool compare_groups(struct item_test *items, struct measure_testing *out,
                           struct err *err)
{
    const struct study_test *test = items->test;
    bool correlates = test->kind >= STUDY_PEARSON;

    if (!correlates && items->count < 2) {
        measure_test_results_add(out, (struct str){0})->undefined =
            "fewer than two groups have items that count";
        return true;
    }
    if (!correlates && measure_test_kinds_find(test->kind)->most == 2 && items->count > 2)
        return err_set(err, ERR_INPUT,
                       "it compares two groups, but there are %zu; kruskal-wallis or "
                       "chi-square compare more",
                       items->count);
    return carry_out_items(items, out, err);
}

static void add_warnings(const struct item_test *items, struct str left, struct buf *out)
{
    if (overlap(items->inputs, items->arena))
        buf_add(out, STR("The groups share items; the test takes them for independent."));
    if (left.len > 0)
        buf_add_format(out, "%sNo item that counts, and left out: %.*s.",
                       out->len > 0 ? " " : "", STR_ARG(left));
    if (items->unreadable.len > 0)
        buf_add_format(out, "%s%.*s", out->len > 0 ? " " : "",
                       STR_ARG(buf_str(&items->unreadable)));
}

bool measure_testing_items(const struct study_test *test,
                           const struct measure_testing_inputs *inputs,
                           struct arena *arena, struct measure_testing *out,
                           struct err *err)
{
    size_t count = inputs->count;
    struct arena work = {0};
    struct item_test items = {
        .test = test,
        .inputs = inputs,
        .frame = inputs->frame,
        .groups = inputs->groups,
        .count = count,
        .arena = arena,
        .work = &work,
        .listed = arena_array(arena, struct measure_testing_side, count + 1)};
    struct buf left = {0}, warning = {0};

    measure_test_results_begin(test, 1 + count + count * count / 2, arena, out);
    bool ok = (test->kind >= STUDY_PEARSON || leave_out_empty(&items, &left, err)) &&
              compare_groups(&items, out, err);
    if (ok) {
        out->results[0].sides = buf_keep(&items.sides, arena);
        add_warnings(&items, buf_str(&left), &warning);
        out->warning = buf_keep(&warning, arena);
        measure_test_results_correct(out, arena);
    }
    out->sides = items.listed;
    out->side_count = items.listed_count;
    out->ids = inputs->frame->ids;
    buf_free(&items.sides);
    buf_free(&items.unreadable);
    buf_free(&left);
    arena_free(&work);
    return ok;
}

struct measure_testing measure_testing_undefined(const struct study_test *test,
                                                 const char *why, struct arena *arena)
{
    struct measure_testing out;

    measure_test_results_begin(test, 1, arena, &out);
    measure_test_results_add(&out, (struct str){0})->undefined =
        arena_c_string(arena, str_from(why));
    measure_test_results_correct(&out, arena);
    return out;
}
