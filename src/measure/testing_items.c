/* Tests on items: their values, or how many of them have something, by set or group. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "measure/test_kinds.h"
#include "measure/test_results.h"
#include "stats/ranktest.h"
#include "stats/skesd.h"
#include "stats/survival.h"
#include "stats/values.h"

struct item_test {
    const struct study_test *test;
    const struct testing_inputs *inputs;
    const struct frame *frame;
    const struct testing_group *groups;
    size_t count;
    struct arena *arena;
    struct buf sides;
    struct testing_side *listed;
    size_t listed_count;
};

/* What one side is, and which of its items count. */
static void add_side(struct item_test *items, struct bits counted, const char *format,
                     ...) PRINTF_LIKE(3, 4);

static void add_side(struct item_test *items, struct bits counted, const char *format,
                     ...)
{
    struct testing_side *side = &items->listed[items->listed_count];
    char text[300];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (items->sides.len > 0)
        buf_add(&items->sides, STR(" v "));
    buf_add(&items->sides, str_from(text));
    *side = (struct testing_side){items->groups[items->listed_count++].name,
                                  arena_copy(items->arena, str_from(text)), counted};
}

/* Those that have the quantity. */
static struct bits with_value(const struct quantity *quantity, struct bits of,
                              struct arena *arena)
{
    struct bits found = bits_make(of.count, arena);
    int64_t negative = 0;

    for (size_t i = bits_next(of, 0); i < of.count; i = bits_next(of, i + 1))
        if (!isnan(quantity_value(quantity, i, &negative)))
            bits_set(found, i);
    return found;
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
        add_side(items, known, "%.*s %.2f%% (%lld of %lld)",
                 STR_ARG(items->groups[g].name),
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
        add_side(items, with_value(&quantity, items->groups[g].bits, items->arena),
                 "%.*s: median %.2f of %zu", STR_ARG(items->groups[g].name), all.median,
                 values[g].count);
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
    struct bits both = with_value(&one, bits, items->arena);
    add_side(items, with_value(&two, both, items->arena), "%zu items", count);
    return true;
}

/* Those whose wait is known, also if it has not ended. */
static struct bits waiting(const struct quantity *quantity, struct bits of,
                           struct arena *arena)
{
    struct bits found = bits_make(of.count, arena);
    struct survival_case wait;

    for (size_t i = bits_next(of, 0); i < of.count; i = bits_next(of, i + 1))
        if (quantity_wait(quantity, i, &wait))
            bits_set(found, i);
    return found;
}

static bool test_log_rank(struct item_test *items, struct testing *out, struct err *err)
{
    struct quantity quantity;
    struct survival_group *groups =
        arena_array(items->arena, struct survival_group, items->count + 1);
    struct testing_result *result = test_results_add(out, (struct str){0});

    if (!quantity_open(items->frame, &items->test->on, items->test->round_first,
                       &quantity, err))
        return false;
    if (!measure_is_time(&items->test->on))
        return err_set(err, ERR_INPUT, "log-rank compares waiting times, not '%.*s'",
                       STR_ARG(items->test->on_text));
    for (size_t g = 0; g < items->count; g++) {
        groups[g].cases = quantity_waits(&quantity, items->groups[g].bits, items->arena,
                                         &groups[g].count);
        add_side(items, waiting(&quantity, items->groups[g].bits, items->arena),
                 "%.*s (%zu)", STR_ARG(items->groups[g].name), groups[g].count);
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
        struct testing_result *result = test_results_add(out, items->groups[g].name);
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
            test_results_add(out, arena_copy(items->arena, buf_str(&name)));
        result->statistic = pairs[i].z;
        result->p = pairs[i].p;
        test_kinds_effect(result, "Cliff's delta",
                          effect_cliff(values[pairs[i].first], values[pairs[i].second],
                                       1 - items->test->level, items->arena));
        buf_free(&name);
    }
}

static bool carry_out_items(struct item_test *items, struct testing *out, struct err *err)
{
    const struct study_test *test = items->test;
    struct values *values = arena_array(items->arena, struct values, items->count + 2);
    struct test_kinds_task task = {.test = test,
                                   .arena = items->arena,
                                   .groups = values,
                                   .group_count = items->count};

    if (test->kind == STUDY_LOG_RANK)
        return test_log_rank(items, out, err);
    if (test_kinds_find(test->kind)->counts) {
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
    task.result = test_results_add(out, (struct str){0});
    test_kinds_find(test->kind)->carry_out(&task);
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
    size_t count = inputs->count, most = test_kinds_find(test->kind)->most;
    struct item_test items = {.test = test,
                              .inputs = inputs,
                              .frame = inputs->frame,
                              .groups = inputs->groups,
                              .count = count,
                              .arena = arena,
                              .listed =
                                  arena_array(arena, struct testing_side, count + 1)};

    test_results_begin(test, 1 + count + count * count / 2, arena, out);
    if (most == 2 && test->kind < STUDY_PEARSON && count != 2)
        return err_set(err, ERR_INPUT,
                       "test %.*s: it compares two groups, but there are %zu; "
                       "kruskal-wallis or chi-square compare more",
                       STR_ARG(test->name), count);
    bool ok = carry_out_items(&items, out, err);
    if (ok && out->count > 0)
        out->results[0].sides = arena_copy(arena, buf_str(&items.sides));
    out->sides = items.listed;
    out->side_count = items.listed_count;
    out->ids = inputs->frame->ids;
    if (ok && overlap(inputs, arena))
        out->warning =
            STR("The groups share items; the test takes them for independent.");
    buf_free(&items.sides);
    if (!ok)
        return err_at(err, "test %.*s: ", STR_ARG(test->name));
    test_results_correct(out, arena);
    return true;
}
