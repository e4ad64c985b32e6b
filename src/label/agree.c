/* A part of the work is a view of the labels: some items, some raters, codes as they are,
 * as their ancestors, or as given or not. A view is turned into a table of categories,
 * and the coefficients are taken of that. */
#include "label/agree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "stats/bootstrap.h"

enum {
    CATEGORIES_MAX = 3000, /* tables are their square */
    TABLE_CODES_MAX = 1000,
    FEW_ITEMS = 30,
    BOOTSTRAP_MAX = 20000000, /* items times resamples */
};

struct view {
    const struct agree_data *data;
    const bool *items; /* which count; NULL: all */
    size_t raters[2];  /* the only two; AGREE_NONE: all */
    size_t code;       /* given or not; AGREE_NONE: all codes */
    int level;         /* 0: codes as they are */
};

/* A view as a table. */
struct table {
    struct agreement_ratings ratings; /* items with at least two labels */
    struct agreement_sets sets;       /* of each category, its codes */
    bool several;                     /* a category is a set of several codes */
    size_t labels, raters;            /* that count */
};

static size_t ancestor(const struct agree_data *data, size_t code, int level)
{
    while (level > 0 && data->codes[code].level > level)
        code = data->codes[code].parent;
    return code;
}

static bool is_within(const struct agree_data *data, size_t code, size_t above)
{
    while (code != above && data->codes[code].parent != AGREE_NONE)
        code = data->codes[code].parent;
    return code == above;
}

static bool gives(const struct agree_data *data, const struct agree_label *label,
                  size_t code)
{
    for (size_t i = 0; i < label->code_count; i++)
        if (is_within(data, label->codes[i], code))
            return true;
    return false;
}

static int compare_sizes(const void *a, const void *b)
{
    size_t one = *(const size_t *)a, two = *(const size_t *)b;

    return one < two ? -1 : one > two;
}

/* The codes of a label as the view sees them, ascending, each once. */
static size_t seen_codes(const struct view *view, const struct agree_label *label,
                         size_t *out)
{
    size_t count = 0, kept = 0;

    if (view->code != AGREE_NONE) {
        out[0] = gives(view->data, label, view->code);
        return 1;
    }
    for (; count < label->code_count; count++)
        out[count] = ancestor(view->data, label->codes[count], view->level);
    qsort(out, count, sizeof *out, compare_sizes);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || out[i] != out[i - 1])
            out[kept++] = out[i];
    return kept;
}

static size_t column_of(const struct view *view, size_t rater)
{
    if (view->raters[0] == AGREE_NONE)
        return rater;
    return rater == view->raters[0] ? 0 : rater == view->raters[1] ? 1 : AGREE_NONE;
}

static size_t columns_of(const struct view *view)
{
    return view->raters[0] == AGREE_NONE ? view->data->rater_count : 2;
}

/* The category of each label, in all items; categories are numbered as they come. */
static int32_t *categories_of(const struct view *view, struct map *sets,
                              struct arena *arena)
{
    const struct agree_data *data = view->data;
    size_t raters = columns_of(view), longest = 1;
    int32_t *at = arena_array(arena, int32_t, data->item_count * raters + 1);

    for (size_t i = 0; i < data->item_count * raters; i++)
        at[i] = AGREEMENT_MISSING;
    for (size_t i = 0; i < data->label_count; i++)
        if (data->labels[i].code_count > longest)
            longest = data->labels[i].code_count;
    size_t *codes = arena_array(arena, size_t, longest);
    for (size_t i = 0; i < data->label_count; i++) {
        const struct agree_label *label = &data->labels[i];
        size_t column = column_of(view, label->rater);
        if (column == AGREE_NONE || (view->items != NULL && !view->items[label->item]))
            continue;
        size_t count = seen_codes(view, label, codes), before = sets->count;
        int64_t *number =
            map_put(sets, (struct str){(const char *)codes, count * sizeof *codes});
        if (sets->count > before)
            *number = (int64_t)before;
        at[label->item * raters + column] = (int32_t)*number;
    }
    return at;
}

/* Moves items with at least two labels to the front. */
static void keep_shared(int32_t *at, size_t items, struct table *table)
{
    size_t raters = table->ratings.raters;

    for (size_t i = 0; i < items; i++) {
        size_t given = 0;
        for (size_t r = 0; r < raters; r++)
            given += at[i * raters + r] != AGREEMENT_MISSING;
        if (given < 2)
            continue;
        memmove(at + table->ratings.items * raters, at + i * raters, raters * sizeof *at);
        table->ratings.items++;
        table->labels += given;
    }
    for (size_t r = 0; r < raters; r++) {
        bool any = false;
        for (size_t i = 0; i < table->ratings.items; i++)
            any = any || at[i * raters + r] != AGREEMENT_MISSING;
        table->raters += any;
    }
}

/* Categories that no shared item has do not count: renumbers the rest. */
static int32_t *renumber(int32_t *at, size_t cells, size_t categories,
                         struct table *table, struct arena *arena)
{
    int32_t *number = arena_array(arena, int32_t, categories + 1);

    for (size_t i = 0; i < cells; i++)
        if (at[i] != AGREEMENT_MISSING) {
            if (number[at[i]] == 0)
                number[at[i]] = (int32_t)++table->ratings.categories;
            at[i] = number[at[i]] - 1;
        }
    return number;
}

static void fill_sets(const struct map *sets, const int32_t *number, size_t code_count,
                      struct table *table, struct arena *arena)
{
    size_t words = code_count / 64 + 1;
    uint64_t *bits =
        arena_array(arena, uint64_t, (table->ratings.categories + 1) * words);

    for (size_t e = 0; e < sets->capacity; e++) {
        const struct map_entry *entry = &sets->entries[e];
        if (entry->key.ptr == NULL || number[entry->value] == 0)
            continue;
        uint64_t *set = bits + ((size_t)number[entry->value] - 1) * words;
        size_t count = entry->key.len / sizeof(size_t);
        for (size_t i = 0; i < count; i++) {
            size_t code;
            memcpy(&code, entry->key.ptr + i * sizeof code, sizeof code);
            set[code / 64] |= UINT64_C(1) << code % 64;
        }
        table->several = table->several || count > 1;
    }
    table->sets = (struct agreement_sets){bits, table->ratings.categories, words};
}

static struct table table_of(const struct view *view, struct arena *arena)
{
    struct map sets = {.arena = arena};
    int32_t *at = categories_of(view, &sets, arena);
    struct table table = {.ratings = {.at = at, .raters = columns_of(view)}};

    keep_shared(at, view->data->item_count, &table);
    int32_t *number = renumber(at, table.ratings.items * table.ratings.raters, sets.count,
                               &table, arena);
    if (table.ratings.categories <= CATEGORIES_MAX)
        fill_sets(&sets, number, view->data->code_count, &table, arena);
    return table;
}

/* Coefficients. */

static double equal_pairs(const int32_t *labels, size_t raters)
{
    double pairs = 0, equal = 0;

    for (size_t a = 0; a < raters; a++)
        for (size_t b = a + 1; b < raters; b++)
            if (labels[a] != AGREEMENT_MISSING && labels[b] != AGREEMENT_MISSING) {
                pairs++;
                equal += labels[a] == labels[b];
            }
    return pairs > 0 ? equal / pairs : NAN;
}

static double observed_of(const struct agreement_ratings *ratings)
{
    double sum = 0;

    for (size_t i = 0; i < ratings->items; i++)
        sum += equal_pairs(ratings->at + i * ratings->raters, ratings->raters);
    return ratings->items > 0 ? sum / (double)ratings->items : NAN;
}

static struct agreement undefined(const char *why)
{
    return (struct agreement){NAN, NAN, NAN, NAN, NAN, NAN, 0, why, why};
}

static struct agreement cohen_of(const struct table *table, double level,
                                 struct arena *arena)
{
    size_t used[2] = {0, 0}, count = 0, raters = table->ratings.raters;

    if (table->raters != 2)
        return undefined("it is for two raters");
    for (size_t r = 0; r < raters; r++) {
        bool any = false;
        for (size_t i = 0; i < table->ratings.items && !any; i++)
            any = table->ratings.at[i * raters + r] != AGREEMENT_MISSING;
        if (any)
            used[count++] = r;
    }
    return agreement_cohen(agreement_table(table->ratings, used[0], used[1], arena),
                           table->ratings.categories, AGREEMENT_NOMINAL, level, arena);
}

/* Chance is the same for every category: Brennan and Prediger, Educational and
 * Psychological Measurement 41, 1981. */
static struct agreement brennan_prediger_of(const struct table *table, double observed)
{
    struct agreement result = undefined("no interval is known");
    double expected = 1 / (double)table->ratings.categories;

    result.items = (int64_t)table->ratings.items;
    result.observed = observed;
    result.expected = expected;
    if (table->ratings.categories < 2) {
        result.undefined = "only one category was used";
    } else {
        result.undefined = NULL;
        result.value = (observed - expected) / (1 - expected);
    }
    return result;
}

/* Many labels of one kind, and kappa says less than the eye. */
static bool is_paradox(const struct agree_measures *measures)
{
    return measures->observed >= 0.8 && measures->fleiss.value < 0.6 &&
           measures->ac1.value - measures->fleiss.value > 0.2;
}

static double *distance_of(const struct table *table, struct arena *arena)
{
    return table->several ? agreement_masi(table->sets, arena)
                          : agreement_nominal(table->ratings.categories, arena);
}

static struct agree_measures measures_of(const struct table *table, double level,
                                         struct arena *arena)
{
    struct agree_measures measures = {.items = table->ratings.items,
                                      .labels = table->labels,
                                      .raters = table->raters,
                                      .observed = observed_of(&table->ratings),
                                      .sets = table->several};

    if (table->ratings.items == 0 || table->ratings.categories > CATEGORIES_MAX) {
        const char *why = table->ratings.items == 0
                              ? "no item has two labels"
                              : "there are too many different labels";
        measures.cohen = measures.fleiss = measures.alpha = undefined(why);
        measures.ac1 = measures.brennan_prediger = undefined(why);
        return measures;
    }
    measures.cohen = cohen_of(table, level, arena);
    measures.fleiss = agreement_fleiss(table->ratings, level, arena);
    measures.alpha = agreement_alpha(table->ratings, distance_of(table, arena), arena);
    measures.ac1 = agreement_ac1(table->ratings, level, arena);
    measures.brennan_prediger = brennan_prediger_of(table, measures.observed);
    if (is_paradox(&measures))
        measures.warning = "labels agree often but kappa is low, as one label is much "
                           "more frequent than others (prevalence paradox): see AC1";
    else if (measures.items > 0 && measures.items < FEW_ITEMS)
        measures.warning = "fewer than 30 items: the coefficients are rough";
    return measures;
}

static struct agree_measures measure(const struct view *view, double level,
                                     struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    struct table table = table_of(view, arena);
    struct agree_measures measures = measures_of(&table, level, arena);

    arena_rewind(arena, mark);
    return measures;
}

/* Alpha's interval. */

struct resampling {
    const struct table *table;
    const double *distance;
    int32_t *at; /* the resampled items */
    struct arena *arena;
};

static double alpha_again(const size_t *items, size_t count, void *context)
{
    const struct resampling *resampling = context;
    struct agreement_ratings ratings = resampling->table->ratings;

    for (size_t i = 0; i < count; i++)
        memcpy(resampling->at + i * ratings.raters,
               ratings.at + items[i] * ratings.raters,
               ratings.raters * sizeof *ratings.at);
    ratings.at = resampling->at;
    ratings.items = count;
    return agreement_alpha(ratings, resampling->distance, resampling->arena).value;
}

static void add_interval(const struct table *table, const struct agree_options *options,
                         struct arena *arena, struct agreement *alpha)
{
    size_t items = table->ratings.items;
    struct resampling resampling = {
        table, distance_of(table, arena),
        arena_array(arena, int32_t, items * table->ratings.raters + 1), arena};

    if (alpha->undefined != NULL || options->resamples == 0)
        return;
    if (items * (items + options->resamples) > BOOTSTRAP_MAX) {
        alpha->interval_undefined = "too many items to resample";
        return;
    }
    struct bootstrap interval = bootstrap_bca(
        alpha_again, &resampling, items,
        (struct bootstrap_options){options->level, options->resamples, options->seed},
        arena);
    alpha->interval_undefined = interval.undefined;
    alpha->std_error = interval.std_error;
    alpha->low = interval.low;
    alpha->high = interval.high;
}

static struct view whole(const struct agree_data *data)
{
    return (struct view){
        .data = data, .raters = {AGREE_NONE, AGREE_NONE}, .code = AGREE_NONE};
}

struct agree_measures agree_measure(const struct agree_data *data,
                                    const struct agree_options *options,
                                    struct arena *arena)
{
    struct view view = whole(data);
    struct arena_mark mark = arena_mark(arena);
    struct table table = table_of(&view, arena);
    struct agree_measures measures = measures_of(&table, options->level, arena);

    if (table.ratings.categories <= CATEGORIES_MAX)
        add_interval(&table, options, arena, &measures.alpha);
    arena_rewind(arena, mark);
    return measures;
}

/* Checkpoints: an item counts from its last label on. */

struct completion {
    size_t item, at;
};

static int compare_completions(const void *a, const void *b)
{
    const struct completion *one = a, *two = b;

    return one->at < two->at ? -1 : one->at > two->at;
}

/* Items with at least two labels in the order in which they were done. */
static struct completion *completed(const struct agree_data *data, struct arena *arena,
                                    size_t *count)
{
    struct completion *all = arena_array(arena, struct completion, data->item_count + 1);
    size_t *given = arena_array(arena, size_t, data->item_count + 1);

    for (size_t i = 0; i < data->label_count; i++) {
        all[data->labels[i].item] = (struct completion){data->labels[i].item, i};
        given[data->labels[i].item]++;
    }
    *count = 0;
    for (size_t i = 0; i < data->item_count; i++)
        if (given[i] >= 2)
            all[(*count)++] = all[i];
    qsort(all, *count, sizeof *all, compare_completions);
    return all;
}

static void add_checkpoints(const struct agree_data *data,
                            const struct agree_options *options, struct arena *arena,
                            struct agree_report *report)
{
    static const double usual[] = {0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1};
    size_t done, marked = 0, rows = options->checkpoint_count;
    const double *shares = options->checkpoints;
    struct completion *order = completed(data, arena, &done);
    bool *items = arena_array(arena, bool, data->item_count + 1);
    size_t planned = data->planned > 0 ? data->planned : done;
    struct view view = whole(data);

    if (rows == 0) {
        shares = usual;
        rows = ROWS_OF(usual);
    }
    report->checkpoints = arena_array(arena, struct agree_part, rows);
    view.items = items;
    for (size_t i = 0; i < rows; i++) {
        /* 10% of 30 items are 3, whatever 0.1 is in binary. */
        size_t wanted = (size_t)ceil(shares[i] * (double)planned - 1e-9);
        if (wanted == 0 || wanted > done || (marked == wanted && shares == usual))
            continue; /* not reached; or nothing new, where nobody asked for it */
        for (; marked < wanted; marked++)
            items[order[marked].item] = true;
        report->checkpoints[report->checkpoint_count++] = (struct agree_part){
            .share = shares[i], .measures = measure(&view, options->level, arena)};
    }
}

static void add_levels(const struct agree_data *data, const struct agree_options *options,
                       struct arena *arena, struct agree_report *report)
{
    struct view view = whole(data);
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
    struct view view = whole(data);
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
            struct view view = whole(data);
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
    struct view view = whole(data);
    struct map sets = {.arena = arena};
    const int32_t *at = categories_of(&view, &sets, arena);
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
                1 - equal_pairs(at + i * data->rater_count, data->rater_count)};
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
    struct agree_report report = {.data = data,
                                  .all = agree_measure(data, options, arena)};
    size_t count;

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
