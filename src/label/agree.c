/* The report: coefficients of the whole, of parts, of pairs of raters, and what else the
 * labels tell about the work. */
#include "label/agree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "label/agree_table.h"
#include "label/agree_whole.h"

enum {
    TABLE_CODES_MAX = 1000,
    FEW_ITEMS = 30,
};

/* Many labels of one kind, and kappa says less than the eye. */
static bool is_paradox(const struct agree_measures *measures)
{
    return measures->observed >= 0.8 && measures->fleiss.value < 0.6 &&
           measures->ac1.value - measures->fleiss.value > 0.2;
}

static struct agree_measures measures_of(const struct agree_table *table, double level,
                                         struct arena *arena)
{
    struct agree_measures measures = {.items = table->shared,
                                      .labels = table->labels,
                                      .raters = table->raters,
                                      .observed = agree_table_observed(&table->ratings),
                                      .sets = table->several};

    if (table->shared == 0 || table->ratings.categories > AGREE_TABLE_CATEGORIES_MAX) {
        const char *why = table->shared == 0 ? "no item has two labels"
                                             : "there are too many different labels";
        measures.cohen = measures.fleiss = measures.alpha = agree_table_undefined(why);
        measures.ac1 = measures.brennan_prediger = agree_table_undefined(why);
        return measures;
    }
    measures.cohen = agree_table_cohen(table, AGREEMENT_NOMINAL, level, arena);
    measures.fleiss = agreement_fleiss(table->ratings, level, arena);
    measures.alpha =
        agreement_alpha(table->ratings, agree_table_distance(table, arena), arena);
    measures.ac1 = agreement_ac1(table->ratings, level, arena);
    measures.brennan_prediger = agreement_many(table->ratings, AGREEMENT_BRENNAN_PREDIGER,
                                               AGREEMENT_NOMINAL, level, arena);
    if (measures.items < FEW_ITEMS)
        measures.warning = measures.few =
            "fewer than 30 items: the coefficients are rough";
    if (is_paradox(&measures))
        measures.warning = "labels agree often but kappa is low, as one label is much "
                           "more frequent than others (prevalence paradox): see AC1";
    return measures;
}

static struct agree_measures measure(const struct agree_table_view *view, double level,
                                     struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    struct agree_table table = agree_table_of(view, arena);
    struct agree_measures measures = measures_of(&table, level, arena);

    arena_rewind(arena, mark);
    return measures;
}

/* The whole; alpha has no interval but that of resampling. */
static struct agree_measures measure_whole(const struct agree_data *data, double level,
                                           const struct agree_estimate *alpha,
                                           struct arena *arena)
{
    struct agree_table_view view = agree_table_whole(data);
    struct agree_measures measures = measure(&view, level, arena);

    if (alpha->undefined == NULL) {
        measures.alpha.interval_undefined = NULL;
        measures.alpha.std_error = alpha->std_error;
        measures.alpha.low = alpha->low;
        measures.alpha.high = alpha->high;
    }
    return measures;
}

struct agree_measures agree_measure(const struct agree_data *data,
                                    const struct agree_options *options,
                                    struct arena *arena)
{
    struct agree_estimate alpha = agree_whole_estimate(data, AGREE_ALPHA, options, arena);

    return measure_whole(data, options->level, &alpha, arena);
}

/* Checkpoints: an item counts from its last label on. */

struct completion {
    size_t item, at;
    bool shared; /* by two raters or more */
};

static int compare_completions(const void *a, const void *b)
{
    const struct completion *one = a, *two = b;

    return one->at < two->at ? -1 : one->at > two->at;
}

/* Items with labels in the order in which they were done; *done says how many of them
 * are shared. */
static struct completion *completed(const struct agree_data *data, struct arena *arena,
                                    size_t *count, size_t *done)
{
    struct completion *all = arena_array(arena, struct completion, data->item_count + 1);
    size_t *given = arena_array(arena, size_t, data->item_count + 1);

    for (size_t i = 0; i < data->label_count; i++) {
        size_t item = data->labels[i].item;
        all[item] = (struct completion){item, i, ++given[item] > 1};
    }
    *count = *done = 0;
    for (size_t i = 0; i < data->item_count; i++)
        if (given[i] > 0) {
            *done += all[i].shared;
            all[(*count)++] = all[i];
        }
    qsort(all, *count, sizeof *all, compare_completions);
    return all;
}

static void add_checkpoints(const struct agree_data *data,
                            const struct agree_options *options, struct arena *arena,
                            struct agree_report *report)
{
    static const double usual[] = {0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1};
    size_t count, done, marked = 0, shared = 0, rows = options->checkpoint_count;
    const double *shares = options->checkpoints;
    struct completion *order = completed(data, arena, &count, &done);
    bool *items = arena_array(arena, bool, data->item_count + 1);
    size_t planned = data->planned > 0 ? data->planned : done;
    struct agree_table_view view = agree_table_whole(data);

    if (rows == 0) {
        shares = usual;
        rows = ROWS_OF(usual);
    }
    report->checkpoints = arena_array(arena, struct agree_part, rows);
    view.items = items;
    for (size_t i = 0; i < rows; i++) {
        /* 10% of 30 items are 3, whatever 0.1 is in binary. */
        size_t wanted = (size_t)ceil(shares[i] * (double)planned - 1e-9);
        if (wanted == 0 || wanted > done || (shared == wanted && shares == usual))
            continue; /* not reached; or nothing new, where nobody asked for it */
        for (; marked < count && (shared < wanted || wanted == done); marked++) {
            items[order[marked].item] = true;
            shared += order[marked].shared;
        }
        report->checkpoints[report->checkpoint_count++] = (struct agree_part){
            .share = shares[i], .measures = measure(&view, options->level, arena)};
    }
}

static void add_levels(const struct agree_data *data, const struct agree_options *options,
                       struct arena *arena, struct agree_report *report)
{
    struct agree_table_view view = agree_table_whole(data);
    int deepest = 1;

    for (size_t i = 0; i < data->label_count; i++)
        for (size_t c = 0; c < data->labels[i].code_count; c++)
            if (data->codes[data->labels[i].codes[c]].level > deepest)
                deepest = data->codes[data->labels[i].codes[c]].level;
    report->levels = arena_array(arena, struct agree_part, (size_t)deepest);
    for (int level = 1; deepest > 1 && level <= deepest; level++) {
        view.level = level;
        report->levels[report->level_count++] = (struct agree_part){
            .level = level, .measures = measure(&view, options->level, arena)};
    }
}

/* How many labels have each code or one below it. */
static void count_given(const struct agree_data *data, int64_t *given,
                        struct arena *arena)
{
    size_t *counted = arena_array(arena, size_t, data->code_count + 1); /* label + 1 */

    for (size_t i = 0; i < data->label_count; i++)
        for (size_t c = 0; c < data->labels[i].code_count; c++)
            for (size_t code = data->labels[i].codes[c];
                 code != AGREE_NONE && counted[code] != i + 1;
                 code = data->codes[code].parent) {
                counted[code] = i + 1;
                given[code]++;
            }
}

static void add_codes(const struct agree_data *data, const struct agree_options *options,
                      struct arena *arena, struct agree_report *report)
{
    struct agree_table_view view = agree_table_whole(data);
    int64_t *given = arena_array(arena, int64_t, data->code_count + 1);

    count_given(data, given, arena);
    report->codes = arena_array(arena, struct agree_part, data->code_count + 1);
    for (size_t c = 0; c < data->code_count; c++) {
        if (given[c] == 0)
            continue;
        view.code = c;
        report->codes[report->code_count++] =
            (struct agree_part){.code = c,
                                .given = given[c],
                                .measures = measure(&view, options->level, arena)};
    }
}

/* Pairs of raters. */

static int64_t *confusion(const struct agree_data *data, size_t first, size_t second,
                          struct arena *arena)
{
    if (data->code_count > TABLE_CODES_MAX)
        return NULL;
    int64_t *table = arena_array(arena, int64_t, data->code_count * data->code_count + 1);
    struct arena_mark mark = arena_mark(arena);
    size_t *said = arena_array(arena, size_t, data->item_count + 1); /* code + 1 */
    for (size_t i = 0; i < data->label_count; i++)
        if (data->labels[i].rater == first && data->labels[i].code_count == 1)
            said[data->labels[i].item] = data->labels[i].codes[0] + 1;
    for (size_t i = 0; i < data->label_count; i++) {
        const struct agree_label *label = &data->labels[i];
        if (label->rater == second && label->code_count == 1 && said[label->item] > 0)
            table[(said[label->item] - 1) * data->code_count + label->codes[0]]++;
    }
    arena_rewind(arena, mark);
    return table;
}

static void add_pairs(const struct agree_data *data, const struct agree_options *options,
                      struct arena *arena, struct agree_report *report)
{
    size_t raters = data->rater_count;

    report->pairs = arena_array(arena, struct agree_pair, raters * raters + 1);
    for (size_t a = 0; a < raters; a++)
        for (size_t b = a + 1; b < raters; b++) {
            struct agree_table_view view = agree_table_whole(data);
            view.raters[0] = a;
            view.raters[1] = b;
            struct agree_measures measures = measure(&view, options->level, arena);
            if (measures.items > 0)
                report->pairs[report->pair_count++] =
                    (struct agree_pair){a, b, measures, confusion(data, a, b, arena)};
        }
}

/* Saturation, and single items. */

static void add_saturation(const struct agree_data *data, struct arena *arena,
                           struct agree_report *report)
{
    bool *codes = arena_array(arena, bool, data->code_count + 1);
    bool *items = arena_array(arena, bool, data->item_count + 1);
    struct agree_step now = {0, 0};

    report->saturation = arena_array(arena, struct agree_step, data->code_count + 2);
    for (size_t i = 0; i < data->label_count; i++) {
        const struct agree_label *label = &data->labels[i];
        size_t before = now.codes;
        now.items += !items[label->item];
        items[label->item] = true;
        for (size_t c = 0; c < label->code_count; c++) {
            now.codes += !codes[label->codes[c]];
            codes[label->codes[c]] = true;
        }
        if (now.codes > before)
            report->saturation[report->saturation_count++] = now;
    }
    size_t count = report->saturation_count;
    if (count > 0 && report->saturation[count - 1].items < now.items)
        report->saturation[report->saturation_count++] = now;
}

static int by_seconds(const void *a, const void *b)
{
    const struct agree_item *one = a, *two = b;

    if (one->seconds != two->seconds)
        return one->seconds > two->seconds ? -1 : 1;
    return one->item < two->item ? -1 : one->item > two->item;
}

static int by_disagreement(const void *a, const void *b)
{
    const struct agree_item *one = a, *two = b;

    if (one->disagreement != two->disagreement)
        return one->disagreement > two->disagreement ? -1 : 1;
    return one->item < two->item ? -1 : one->item > two->item;
}

/* Of every item that has labels. */
static struct agree_item *single_items(const struct agree_data *data, struct arena *arena,
                                       size_t *count)
{
    struct agree_table_view view = agree_table_whole(data);
    struct map sets = {.arena = arena};
    const int32_t *at = agree_table_categories(&view, &sets, arena);
    struct agree_item *items =
        arena_array(arena, struct agree_item, data->item_count + 1);
    double *timed = arena_array(arena, double, data->item_count + 1);
    bool *labelled = arena_array(arena, bool, data->item_count + 1);

    for (size_t i = 0; i < data->label_count; i++) {
        const struct agree_label *label = &data->labels[i];
        labelled[label->item] = true;
        if (isnan(label->seconds))
            continue;
        timed[label->item]++;
        items[label->item].seconds += label->seconds;
    }
    *count = 0;
    for (size_t i = 0; i < data->item_count; i++)
        if (labelled[i])
            items[(*count)++] = (struct agree_item){
                i, timed[i] > 0 ? items[i].seconds / timed[i] : NAN,
                1 - agree_table_equal_pairs(at + i * data->rater_count,
                                            data->rater_count)};
    return items;
}

static struct agree_item *chosen(const struct agree_item *items, size_t count,
                                 bool seconds, size_t top, struct arena *arena,
                                 size_t *chosen_count)
{
    struct agree_item *list = arena_array(arena, struct agree_item, count + 1);

    *chosen_count = 0;
    for (size_t i = 0; i < count; i++)
        if (seconds ? !isnan(items[i].seconds) : items[i].disagreement > 0)
            list[(*chosen_count)++] = items[i];
    qsort(list, *chosen_count, sizeof *list, seconds ? by_seconds : by_disagreement);
    if (*chosen_count > top)
        *chosen_count = top;
    return list;
}

struct agree_report agree_report(const struct agree_data *data,
                                 const struct agree_options *options, struct arena *arena)
{
    struct agree_report report = {
        .data = data, .chosen = options->chosen, .choice = options->choice};
    size_t count;

    for (int i = 0; i < AGREE_COEFFICIENTS; i++) {
        struct agree_options how = *options;
        if (i != AGREE_ALPHA && !options->resample_all)
            how.resamples = 0;
        report.estimates[i] =
            agree_whole_estimate(data, (enum agree_coefficient)i, &how, arena);
    }
    report.all =
        measure_whole(data, options->level, &report.estimates[AGREE_ALPHA], arena);
    add_checkpoints(data, options, arena, &report);
    add_levels(data, options, arena, &report);
    add_codes(data, options, arena, &report);
    add_pairs(data, options, arena, &report);
    add_saturation(data, arena, &report);
    struct agree_item *items = single_items(data, arena, &count);
    report.slowest =
        chosen(items, count, true, options->top, arena, &report.slowest_count);
    report.disputed =
        chosen(items, count, false, options->top, arena, &report.disputed_count);
    return report;
}
